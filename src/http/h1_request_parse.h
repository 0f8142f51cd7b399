/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HTTP/1.1 and 1.0 requests as a server reads them (RFC 9112): a parser that opens nothing and
 * survives any split of its input.
 *
 * Life cycle: init once, begin before each request, then h1_request_parse() with whatever arrived,
 * again and again: it returns at every event. REQUEST_HEAD comes once, when method, target and how
 * the body ends are known; REQUEST_BODY hands out a piece of the body, a slice of the input;
 * REQUEST_DONE is the end, and what is left of the input is the next request.
 *
 * Strict where being lax lets two readers disagree: a content-length beside a transfer-encoding,
 * lengths that differ, a space before the colon, folded lines and a missing or second Host are
 * errors. Lines may end in a bare line feed.
 *
 * Limits: H1_REQUEST_HEAD_BYTES_MAX bytes of head (chunk extensions and trailers included),
 * H1_REQUEST_TARGET_BYTES_MAX of target, lengths and chunks below 2^62. Of the head only the
 * target, Authorization and one other value at a time are kept.
 */
#ifndef HTTP_H1_REQUEST_PARSE_H
#define HTTP_H1_REQUEST_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"
#include "http/h1_request_error.h"

enum request_event {
    REQUEST_MORE,  /* all of the input was used; more is needed */
    REQUEST_HEAD,  /* the head is complete; the results below are valid until the next begin */
    REQUEST_BODY,  /* `piece` holds the next bytes of the body, valid as long as the input is */
    REQUEST_DONE,  /* the request is complete */
    REQUEST_ERROR, /* not a request: see error; the connection is of no use any more */
};

enum {
    H1_REQUEST_HEAD_BYTES_MAX = 64 << 10,
    H1_REQUEST_TARGET_BYTES_MAX = 16 << 10,
    H1_REQUEST_METHOD_MAX = 24,
    H1_REQUEST_TYPE_MAX = 128,
};

struct h1_request_parse {
    /* results, valid from REQUEST_HEAD on */
    char method[H1_REQUEST_METHOD_MAX]; /* as sent, zero-ended */
    struct buf target;                  /* as sent: origin, absolute or other form */
    uint8_t version_minor;              /* 0 or 1 */
    bool is_head;                       /* the method is HEAD: the answer has no body */
    bool keep_alive;                    /* as the client wishes */
    bool expects_continue;
    bool chunked;
    bool has_length;
    uint8_t error;                          /* enum h1_request_error */
    uint64_t length;                        /* content-length */
    uint64_t body_bytes;                    /* handed out so far */
    struct buf authorization;               /* of the last such header; empty when absent */
    char content_type[H1_REQUEST_TYPE_MAX]; /* zero-ended; empty when absent or too long */
    struct str piece;                       /* of the body, with REQUEST_BODY */
    /* the state: the parser's own business */
    uint8_t state, hosts, header, name_len;
    bool close_seen, keep_alive_seen, return_seen;
    uint32_t head_bytes;
    uint64_t left; /* of the body or of the chunk */
    char name[20]; /* the header's name in lower case, or the version, or nothing */
    struct buf value;
};

void h1_request_parse_init(struct h1_request_parse *parser);
void h1_request_parse_fini(struct h1_request_parse *parser);

/* Before each request; keeps the memory. */
void h1_request_parse_begin(struct h1_request_parse *parser);

/* True while nothing of the request was seen but empty lines. */
bool h1_request_parse_is_fresh(const struct h1_request_parse *parser);

/* Takes in bytes up to the next event; *ret_used says how many. Call it again with the rest, an
 * empty one too, until it says REQUEST_MORE or REQUEST_DONE. */
enum request_event h1_request_parse(struct h1_request_parse *parser, struct str in,
                                    size_t *ret_used);

#endif
