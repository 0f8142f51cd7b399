/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the forms of a file of URLs have in common: the lines of the text one after the other, the
 * items made of them, and what is wrong with it. A problem does not end the reading; after
 * URL_FILE_PROBLEMS_MAX of them they are only counted.
 */
#ifndef PLAN_URL_READER_H
#define PLAN_URL_READER_H

#include "plan/url_file.h"

struct url_reader {
    const char *name;
    struct str rest; /* p = NULL after the last line */
    uint32_t line;   /* number of the line read last */
    size_t room;     /* of file.items */
    struct url_file file;
};

/* The next line without blanks at its ends, however empty; false after the last, and after one over
 * a limit, which is a problem. A line with a zero byte in it is a problem and skipped. */
bool url_reader_next(struct url_reader *reader, struct str *ret_line);
/* Whether a line says nothing: it is empty or a comment. */
bool url_reader_is_idle(struct str line);

/* A new item for the URL, of the line read last; NULL when the URL is none, which is a problem. The
 * pointer is valid until the next one. */
struct plan_item *url_reader_add(struct url_reader *reader, struct str text);
/* A method that may be sent: else it is a problem. */
bool url_reader_set_method(struct url_reader *reader, struct plan_item *item, struct str method);

/* Notes a problem of the line read last. Always false. */
bool url_reader_refuse(struct url_reader *reader, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
