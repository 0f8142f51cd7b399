/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file of URLs as items of a plan. Opens nothing: the text is in memory, and the files that it
 * names as bodies are for the caller to open.
 *
 * Three forms, told apart by the first line that is neither empty nor a comment (#):
 *
 * - `{`: an object a line, vegeta's JSON form: method, url, header {"Name": ["value"]}, body
 *   (base64). Another key is an error.
 * - A method in capitals and a URL: vegeta's HTTP form. Lines of headers and one of `@FILE` for the
 *   body follow; an empty line or the next method ends it.
 * - Otherwise a URL a line, as siege and others have it: `URL`, or `URL METHOD`, which may be
 *   followed by data or `<FILE`. `NAME = value` sets a variable for the lines after it, which say
 *   $(NAME) or ${NAME}. A URL may be in quotes.
 *
 * Lines end in \n or \r\n; blanks around them mean nothing, nor does a byte order mark.
 */
#ifndef PLAN_URL_FILE_H
#define PLAN_URL_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "plan/plan_item.h"

enum { URL_FILE_LINES_MAX = 1000000, URL_FILE_LINE_MAX = 64 << 10, URL_FILE_PROBLEMS_MAX = 20 };

/* Items have line set and body_path where a file is their body; their method is NULL where the file
 * says none. */
struct url_file {
    struct plan_item *items;
    size_t count;
    struct buf problems; /* "NAME:LINE: what", each ended by \n, at most URL_FILE_PROBLEMS_MAX */
    size_t problem_count;
};

/* false when there are problems, of which one at least is told. */
bool url_file_parse(struct str text, const char *name, struct url_file *ret_file) MUST_CHECK;
void url_file_fini(struct url_file *file);

#endif
