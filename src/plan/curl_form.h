/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A form as curl's -F makes it: multipart/form-data (RFC 7578). Opens nothing.
 */
#ifndef PLAN_CURL_FORM_H
#define PLAN_CURL_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

enum { CURL_FORM_BOUNDARY_MAX = 48 };

struct curl_part {
    struct str name;    /* borrowed */
    char *path;         /* of the file that has the content; NULL: it is known */
    char *text;         /* the content when it was in quotes, or NULL */
    char *file_name;    /* told to the server, or NULL */
    char *type;         /* of the content, or NULL */
    struct str content; /* borrowed; for a path filled in by the one who opens it */
};

/* What -F has behind NAME=: "text", "@FILE" or "<FILE", then ";type=T" and ";filename=F". ERR_USAGE
 * for more than that. Borrows name and text. */
bool curl_form_parse(struct str name, struct str text, struct curl_part *ret_part,
                     struct err *err) MUST_CHECK;
void curl_form_part_fini(struct curl_part *part);

/* Appends the body and gives the boundary, which follows from the parts and is in none of them. */
void curl_form_encode(const struct curl_part *parts, size_t count, struct buf *buf,
                      char boundary[CURL_FORM_BOUNDARY_MAX]);

#endif
