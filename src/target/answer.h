/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers as bytes: heads, and the fixed page whole and ready to send.
 */
#ifndef TARGET_ANSWER_H
#define TARGET_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

enum { ANSWER_PAGE_BYTES = 555, ANSWER_HEAD_MAX = 512 };

/* How the connection goes on, as the Connection header says it. */
enum answer_connection {
    ANSWER_KEEP,     /* HTTP/1.1: no header */
    ANSWER_KEEP_1_0, /* HTTP/1.0: "keep-alive" */
    ANSWER_CLOSE,
    ANSWER_CONNECTION_COUNT,
};

struct answer_head {
    int status;
    const char *content_type; /* "text/plain" when NULL or empty */
    int64_t body_bytes;
    enum answer_connection connection;
};

/* The page answers, built once. */
struct answer_pages {
    struct buf whole[ANSWER_CONNECTION_COUNT];
    size_t head_bytes[ANSWER_CONNECTION_COUNT];
};

void answer_pages_init(struct answer_pages *pages);
void answer_pages_fini(struct answer_pages *pages);
/* With its body, or the head alone. */
struct str answer_page(const struct answer_pages *pages, enum answer_connection connection,
                       bool with_body);

/* 204 and 304 (and 1xx): never a body. */
bool answer_has_body(int status);
/* "Not Found"; "Status" for a number without a name. */
const char *answer_reason(int status);

/* Appends the head with the empty line. No content-length where there is never a body. A redirect
 * points at "/". */
void answer_head_add(const struct answer_head *head, struct buf *out);

#endif
