/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A body as its author wrote it: a sink in front of another that undoes Content-Encoding (RFC 9110
 * section 8.4).
 *
 * Life cycle: decode_begin() on a zeroed or used struct before each body, decode_coding() with each
 * Content-Encoding of its head in order, then decode->sink takes the body and decode_finish() says
 * how it went; decode_fini() at last. It must stay where it is from begin to finish. The decoders'
 * memory (base/inflate.h) is taken with the first byte of the first body that needs it and kept.
 *
 * Known are identity, gzip, x-gzip, deflate and br, at most DECODE_CODINGS_MAX of them behind one
 * another, undone in reverse. Of a body with another coding nothing is handed on. What comes before
 * a fault is.
 */
#ifndef HTTP_DECODE_H
#define HTTP_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/inflate.h"
#include "http/body_sink.h"

enum { DECODE_CODINGS_MAX = 3 };

#define DECODE_END_LIST(X)                                                                         \
    X(OK, "ok", "decoded")                                                                         \
    X(TRUNCATED, "truncated", "the encoded body ends too early")                                   \
    X(CORRUPT, "corrupt", "the body is not what its Content-Encoding says")                        \
    X(UNKNOWN, "unknown-coding", "the Content-Encoding is unknown, or several too many")           \
    X(TOO_LARGE, "too-large", "the decoded body is larger than its limit")

enum decode_end {
#define DECODE_END_ENUM(name, word, text) DECODE_##name,
    DECODE_END_LIST(DECODE_END_ENUM)
#undef DECODE_END_ENUM
        DECODE_END_COUNT
};

struct decode {
    struct body_sink sink;  /* for what comes from the network */
    struct body_sink *next; /* for what comes out, or NULL: it is only counted */
    uint64_t limit;         /* of bytes handed on, 0: none; more ends in DECODE_TOO_LARGE */
    uint64_t bytes_out;     /* decoded so far */
    /* the state: the decoder's own business */
    bool unknown, over_limit;
    uint8_t count;
    /* in the order in which they were applied: the last is undone first */
    struct decode_stage {
        struct decode *decode;
        struct inflate inflate;
    } stages[DECODE_CODINGS_MAX];
};

void decode_begin(struct decode *decode, struct body_sink *next, uint64_t limit_bytes);
void decode_fini(struct decode *decode); /* accepts a zeroed one */

/* The value of a Content-Encoding: a list of codings. */
void decode_coding(struct decode *decode, struct str value);

/* Whether there is something to undo: otherwise `next` may take the body itself. */
static inline bool decode_needed(const struct decode *decode)
{
    return decode->count > 0 || decode->unknown;
}

enum decode_end decode_finish(const struct decode *decode);

/* Something came behind the end of the encoded bytes and was dropped. */
bool decode_trailing(const struct decode *decode);

const char *decode_end_word(enum decode_end end);
/* One sentence for people. */
const char *decode_end_text(enum decode_end end);

#endif
