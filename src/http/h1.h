/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HTTP/1.1 and 1.0 answers, byte by byte (RFC 9112): a parser that opens nothing, keeps nothing and
 * survives any split of its input.
 *
 * Life cycle: h1_parse_begin() before each answer, then h1_parse() with whatever arrived until it
 * says PARSE_DONE, then the next begin. The parser holds a few dozen bytes and no pointer into the
 * input; header names are matched as they pass by, so a head may come in pieces of one byte.
 * Interim answers (1xx other than 101) are counted and skipped. At the end of the stream call
 * h1_parse_eof().
 *
 * Bodies: with h1_body_left() the caller may take the body of an answer with a known length off the
 * stream without looking at it, and say so with h1_skip(). A sink set after h1_parse_begin() is
 * handed the bytes of the body that h1_parse() takes in; without one they are only counted.
 *
 * How an answer ends (RFC 9112 section 6.3): at the blank line for HEAD, 1xx, 204, 304 and a
 * CONNECT that worked; else by transfer-encoding when its last coding is chunked, and with the
 * stream when the last is another one (that is the RFC's rule for answers, so no coding is an
 * error; "identity" counts as none and chunked named twice as once); else by content-length; else
 * with the stream. A transfer-encoding beside a content-length, or in HTTP/1.0, is obeyed, and the
 * connection is not used again.
 *
 * Tolerated, since servers do it and the meaning is plain: lines that end in a bare LF, empty lines
 * before the status line, a status line without a reason, blanks before the colon, folded header
 * lines, several content-lengths of one value.
 *
 * Limits: H1_HEAD_BYTES_MAX bytes of head (all interim heads and trailers included) and of a
 * chunk's first line, chunk sizes and lengths below 2^62. Nothing is kept, so endless heads and
 * bodies cost no memory.
 */
#ifndef HTTP_H1_H
#define HTTP_H1_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "http/body_sink.h"

enum parse {
    PARSE_MORE,  /* all of the input was used; more is needed */
    PARSE_DONE,  /* the answer is complete; *ret_used bytes of the input belong to it */
    PARSE_ERROR, /* not HTTP: see error and error_byte */
};

enum { H1_HEAD_BYTES_MAX = 256 << 10 };

/* What is wrong with an answer; the words are for the sample that a report shows. */
#define H1_ERROR_LIST(X)                                                                           \
    X(NONE, "no error")                                                                            \
    X(STATUS_LINE, "the first line is not an HTTP status line")                                    \
    X(VERSION, "the version is not HTTP/1.0 or HTTP/1.1")                                          \
    X(STATUS, "the status is not a number from 100 to 999")                                        \
    X(HEADER_NAME, "a header line has no name or no colon")                                        \
    X(CONTROL_BYTE, "a header holds a control byte")                                               \
    X(LENGTH, "content-length is not a number, or two of them differ")                             \
    X(CHUNK, "a chunk does not begin with its size or does not end where it says")                 \
    X(HEAD_TOO_BIG, "the head, the trailer or a chunk's extension is larger than 256 KiB")

enum h1_error {
#define H1_ERROR_ENUM(name, text) H1_ERROR_##name,
    H1_ERROR_LIST(H1_ERROR_ENUM)
#undef H1_ERROR_ENUM
        H1_ERROR_COUNT
};

const char *h1_error_text(enum h1_error error);

/* What the request was decides how an answer ends. */
enum h1_request {
    H1_REQUEST_PLAIN,
    H1_REQUEST_HEAD,    /* no body whatever the length says */
    H1_REQUEST_CONNECT, /* 2xx has no body */
};

struct h1_parse {
    /* results, valid once head_done */
    uint16_t status;       /* of the final answer */
    uint8_t version_minor; /* 0 or 1 */
    bool head_done;
    bool keep_alive; /* the connection may carry another request after this answer */
    bool chunked;
    bool has_length;        /* there is a content-length, obeyed or not */
    bool until_close;       /* the body ends with the stream */
    bool any_byte;          /* at least one byte of an answer was seen; empty lines do not count */
    uint8_t interims;       /* 1xx heads skipped (saturating) */
    uint8_t error;          /* enum h1_error */
    uint8_t error_byte;     /* the byte at fault, where there is one */
    uint64_t length;        /* content-length */
    uint64_t body_bytes;    /* body bytes seen so far, chunk framing not counted */
    struct body_sink *sink; /* the caller's, or NULL */
    uint32_t head_bytes;
    /* the state: the parser's own business */
    uint8_t state, request, header, at, candidates, value, flags;
    uint32_t chunk_line_bytes;
    uint64_t left; /* of the body or of the chunk; the number while one is read */
};

/* Before each answer. */
void h1_parse_begin(struct h1_parse *parser, enum h1_request request);

/*
 * Takes in the bytes. On PARSE_DONE *ret_used says how many belong to this answer: the rest is the
 * next one (or garbage: the caller's to judge). On PARSE_MORE everything was used. On PARSE_ERROR
 * *ret_used is where.
 */
enum parse h1_parse(struct h1_parse *parser, struct str in, size_t *ret_used);

/* The stream ended. PARSE_DONE when the body was to end so or was complete; otherwise PARSE_MORE:
 * the answer is not complete. */
enum parse h1_parse_eof(struct h1_parse *parser);

/* Bytes of a body with a known length still to come once the head is done, 0 otherwise (chunked,
 * until close, in the head): so many may be taken off the stream unseen. */
uint64_t h1_body_left(const struct h1_parse *parser);

/* n bytes of it, at most h1_body_left(), were taken off the stream unseen. PARSE_DONE at the last.
 */
enum parse h1_skip(struct h1_parse *parser, uint64_t n);

/* The last head of an answer's heads as they were sent: interim ones (1xx other than 101) before it
 * are passed over. Up to its blank line, empty when it has not begun. */
struct str h1_final_head(struct str heads);

/* The next header of that name: *rest begins as one whole head (h1_final_head) and is cut behind
 * the header; false when there is none up to the blank line. The value is trimmed; one that the
 * sender folded has its line breaks in it. */
bool h1_head_next(struct str *rest, struct str name, struct str *ret_value);

/* The value of the first header of that name in the final one of the heads, its first line when it
 * is folded; p = NULL when there is none. */
struct str h1_head_find(struct str heads, struct str name);

#endif
