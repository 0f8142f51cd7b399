/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The answer parser: however the input is split, the outcome is the same. Of the first byte the low
 * two bits are the kind of request and the others a seed of the split.
 */
#include "base/mem.h"
#include "base/rng.h"
#include "fuzz.h"
#include "http/h1.h"
#include "http/h1_name.h"

struct outcome {
    enum parse parse, eof;
    size_t used;
    struct h1_parse parser;
};

/* One piece in a block of its own, so that nothing behind it is readable. */
static enum parse feed(struct h1_parse *parser, struct str piece, size_t *ret_used)
{
    char *copy = mem_strndup(piece.p, piece.len);
    char *tight = mem_resize(copy, piece.len > 0 ? piece.len : 1, 1);
    enum parse parse = h1_parse(parser, (struct str){ tight, piece.len }, ret_used);

    mem_free(tight);
    return parse;
}

static size_t piece_size(struct rng *rng, size_t most)
{
    size_t size = 1 + rng_u64(rng) % (rng_u64(rng) % 4 == 0 ? 64 : 5);

    return size < most ? size : most;
}

/* Part of a body of known length goes past the parser, as when it is dropped in the kernel. */
static enum parse skip(struct outcome *outcome, struct rng *rng, size_t rest)
{
    uint64_t left = h1_body_left(&outcome->parser);
    size_t n = piece_size(rng, left < rest ? (size_t)left : rest);

    outcome->used += n;
    return h1_skip(&outcome->parser, n);
}

static struct outcome drive(enum h1_request kind, struct str in, struct rng *rng)
{
    struct outcome outcome = { .parse = PARSE_MORE };
    struct h1_parse after;

    h1_parse_begin(&outcome.parser, kind);
    while (outcome.parse == PARSE_MORE && outcome.used < in.len) {
        struct str piece = str_from(in, outcome.used);
        size_t used = 0;

        if (rng != NULL && h1_body_left(&outcome.parser) > 0 && rng_u64(rng) % 2 == 0) {
            outcome.parse = skip(&outcome, rng, piece.len);
            continue;
        }
        if (rng != NULL) {
            piece.len = piece_size(rng, piece.len);
        }
        outcome.parse = feed(&outcome.parser, piece, &used);
        FUZZ_CHECK(used <= piece.len);
        FUZZ_CHECK(outcome.parse != PARSE_MORE || used == piece.len);
        outcome.used += used;
    }
    after = outcome.parser;
    outcome.eof = h1_parse_eof(&after);
    return outcome;
}

static void check_sane(const struct outcome *outcome, struct str in)
{
    const struct h1_parse *parser = &outcome->parser;

    FUZZ_CHECK(outcome->used <= in.len);
    FUZZ_CHECK(parser->body_bytes <= in.len);
    FUZZ_CHECK(parser->head_bytes <= H1_HEAD_BYTES_MAX);
    FUZZ_CHECK((outcome->parse == PARSE_ERROR) == (parser->error != H1_ERROR_NONE));
    FUZZ_CHECK(parser->error < H1_ERROR_COUNT);
    FUZZ_CHECK(outcome->parse != PARSE_DONE || parser->head_done);
    FUZZ_CHECK(!parser->head_done || (parser->status >= 100 && parser->status <= 999));
    FUZZ_CHECK(!parser->until_close || !parser->keep_alive);
    if (outcome->parse == PARSE_DONE && parser->body_bytes > 0 && !parser->chunked) {
        FUZZ_CHECK(parser->has_length && parser->body_bytes == parser->length);
    }
}

static void check_same(const struct outcome *a, const struct outcome *b)
{
    FUZZ_CHECK(a->parse == b->parse);
    FUZZ_CHECK(a->eof == b->eof);
    FUZZ_CHECK(a->used == b->used);
    FUZZ_CHECK(a->parser.status == b->parser.status);
    FUZZ_CHECK(a->parser.error == b->parser.error);
    FUZZ_CHECK(a->parser.error_byte == b->parser.error_byte);
    FUZZ_CHECK(a->parser.body_bytes == b->parser.body_bytes);
    FUZZ_CHECK(a->parser.head_bytes == b->parser.head_bytes);
    FUZZ_CHECK(a->parser.head_done == b->parser.head_done);
    FUZZ_CHECK(a->parser.keep_alive == b->parser.keep_alive);
    FUZZ_CHECK(a->parser.chunked == b->parser.chunked);
    FUZZ_CHECK(a->parser.has_length == b->parser.has_length);
    FUZZ_CHECK(a->parser.length == b->parser.length);
    FUZZ_CHECK(a->parser.until_close == b->parser.until_close);
    FUZZ_CHECK(a->parser.any_byte == b->parser.any_byte);
    FUZZ_CHECK(a->parser.interims == b->parser.interims);
}

/* What is found lies in the input, and the search ends. */
static void check_finders(struct str in)
{
    struct str head = h1_final_head(in), rest = head, value;
    size_t left = head.len + 1;

    FUZZ_CHECK(head.len <= in.len && head.p >= in.p && head.p + head.len <= in.p + in.len);
    while (h1_head_next(&rest, STR("a"), &value)) {
        FUZZ_CHECK(rest.len < left);
        FUZZ_CHECK(value.p >= head.p && value.p + value.len <= head.p + head.len);
        left = rest.len;
    }
    FUZZ_CHECK(rest.p == NULL);
    (void)h1_head_find(in, STR("server"));
}

/* The name of the line that the bytes end in is within its limit, and the same in two pieces. */
static void check_name(struct str in)
{
    struct h1_name whole = { 0 }, halves = { 0 };

    h1_name_take(&whole, in);
    h1_name_take(&halves, (struct str){ in.p, in.len / 2 });
    h1_name_take(&halves, str_from(in, in.len / 2));
    FUZZ_CHECK(h1_name_text(&whole).len <= H1_NAME_MAX);
    FUZZ_CHECK(str_eq(h1_name_text(&whole), h1_name_text(&halves)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const enum h1_request kinds[] = { H1_REQUEST_PLAIN, H1_REQUEST_HEAD, H1_REQUEST_CONNECT,
                                             H1_REQUEST_PLAIN };
    uint8_t choice = fuzz_take_byte(&data, &size);
    struct str in = fuzz_text(data, size);
    struct outcome whole = drive(kinds[choice & 3], in, NULL);

    check_sane(&whole, in);
    for (uint64_t round = 0; round < 3; round++) {
        struct outcome pieces;
        struct rng rng;

        rng_init(&rng, choice >> 2, round);
        pieces = drive(kinds[choice & 3], in, &rng);
        check_same(&whole, &pieces);
    }
    check_finders(in);
    check_name((struct str){ in.p, whole.used });
    return 0;
}
