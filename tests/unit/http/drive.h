/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An answer through the parser in every way it may arrive: the outcome has to be the same. Include
 * behind cmocka.h.
 */
#ifndef TEST_DRIVE_H
#define TEST_DRIVE_H

#include "guard.h"
#include "http/h1.h"

/* What is left of an answer that went through the parser. */
struct outcome {
    enum parse parse; /* with the last byte */
    enum parse eof;   /* with the end of the stream after it */
    size_t used;
    struct h1_parse parser; /* before the end of the stream */
};

/* A first piece of that size, then pieces of another. */
static inline struct outcome drive(enum h1_request kind, struct str in, size_t first, size_t then)
{
    struct outcome outcome = { .parse = PARSE_MORE };
    size_t piece = first;

    h1_parse_begin(&outcome.parser, kind);
    while (outcome.parse == PARSE_MORE && outcome.used < in.len) {
        struct str rest = str_from(in, outcome.used);
        size_t used = 0;

        rest.len = piece < rest.len ? piece : rest.len;
        outcome.parse = h1_parse(&outcome.parser, rest, &used);
        assert_true(used <= rest.len);
        if (outcome.parse == PARSE_MORE) {
            assert_int_equal(used, rest.len);
        }
        outcome.used += used;
        piece = then;
    }
    struct h1_parse after = outcome.parser;

    outcome.eof = h1_parse_eof(&after);
    return outcome;
}

static inline void assert_same_outcome(const struct outcome *a, const struct outcome *b)
{
    assert_int_equal(a->parse, b->parse);
    assert_int_equal(a->eof, b->eof);
    assert_int_equal(a->used, b->used);
    assert_int_equal(a->parser.error, b->parser.error);
    assert_int_equal(a->parser.error_byte, b->parser.error_byte);
    assert_int_equal(a->parser.status, b->parser.status);
    assert_int_equal(a->parser.head_done, b->parser.head_done);
    assert_int_equal(a->parser.keep_alive, b->parser.keep_alive);
    assert_int_equal(a->parser.chunked, b->parser.chunked);
    assert_int_equal(a->parser.has_length, b->parser.has_length);
    assert_int_equal(a->parser.length, b->parser.length);
    assert_int_equal(a->parser.until_close, b->parser.until_close);
    assert_int_equal(a->parser.any_byte, b->parser.any_byte);
    assert_int_equal(a->parser.interims, b->parser.interims);
    assert_int_equal(a->parser.body_bytes, b->parser.body_bytes);
    assert_int_equal(a->parser.head_bytes, b->parser.head_bytes);
}

/* Whole and in front of an unreadable page; then the same byte by byte and at every two-way split.
 */
static inline struct outcome drive_every_way(enum h1_request kind, struct str in)
{
    struct guard guard = guard_put(in);
    struct outcome whole = drive(kind, guard.text, in.len, 1);
    struct outcome other = drive(kind, guard.text, 1, 1);

    assert_same_outcome(&whole, &other);
    for (size_t cut = 1; cut < in.len; cut++) {
        other = drive(kind, guard.text, cut, in.len);
        assert_same_outcome(&whole, &other);
    }
    for (size_t size = 2; size < 40 && size < in.len; size++) {
        other = drive(kind, guard.text, size, size);
        assert_same_outcome(&whole, &other);
    }
    guard_drop(&guard);
    return whole;
}

#endif
