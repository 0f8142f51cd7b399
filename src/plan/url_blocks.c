/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/url_blocks.h"

#include <string.h>

#include "base/mem.h"

/* Cuts "METHOD" off a line; false when it does not begin with a word in capitals and a blank. */
static bool cut_method(struct str line, struct str *ret_method, struct str *ret_rest)
{
    size_t at = 0;

    while (at < line.len && line.p[at] >= 'A' && line.p[at] <= 'Z') {
        at++;
    }
    if (at == 0 || at == line.len || (line.p[at] != ' ' && line.p[at] != '\t')) {
        return false;
    }
    *ret_method = (struct str){ line.p, at };
    *ret_rest = str_trim(str_from(line, at));
    return true;
}

bool url_blocks_begin(struct str line)
{
    struct str method, rest;

    /* "LOCALHOST POST a=1" and "HOST = a" are of the form with a URL a line. */
    return cut_method(line, &method, &rest) && rest.p[0] != '=' &&
           memchr(rest.p, ' ', rest.len) == NULL &&
           (str_find(rest, '.') < rest.len || str_find(rest, '/') < rest.len ||
            str_find(rest, ':') < rest.len || str_starts_nocase(rest, STR("localhost")));
}

static struct plan_item *begin(struct url_reader *reader, struct str method, struct str url)
{
    struct plan_item *item;
    size_t blank = str_find(url, ' ');

    if (blank < url.len) {
        (void)url_reader_refuse(reader, "a blank in a URL is written %%20");
        return NULL;
    }
    item = url_reader_add(reader, url);
    if (item != NULL) {
        (void)url_reader_set_method(reader, item, method);
    }
    return item;
}

static void add_body(struct url_reader *reader, struct plan_item *item, struct str path)
{
    path = str_trim(path);
    if (path.len == 0) {
        (void)url_reader_refuse(reader, "'@' is not followed by the name of a file");
    } else if (item->body_path != NULL) {
        (void)url_reader_refuse(reader, "a second '@': a request has one body");
    } else {
        item->body_path = mem_strndup(path.p, path.len);
    }
}

static void add_header(struct url_reader *reader, struct plan_item *item, struct str line)
{
    /* The line is not repeated: it may be half a password. */
    if (str_find(line, ':') == line.len) {
        (void)url_reader_refuse(reader,
                                "this is no header (Name: value), no body (@FILE) and begins no "
                                "request (METHOD URL)");
        return;
    }
    opt_texts_add(&item->headers, line);
}

void url_blocks_read(struct url_reader *reader)
{
    struct plan_item *item = NULL;
    struct str line, method, rest;
    bool skipping = false; /* what belongs to a request whose first line is wrong */

    while (url_reader_next(reader, &line)) {
        if (line.len == 0) {
            item = NULL;
            skipping = false;
        } else if (line.p[0] == '#') {
            continue;
        } else if (cut_method(line, &method, &rest)) {
            item = begin(reader, method, rest);
            skipping = item == NULL;
        } else if (item == NULL && !skipping) {
            (void)url_reader_refuse(reader, "a request begins with METHOD URL, such as GET "
                                            "http://127.0.0.1:8080/");
            skipping = true;
        } else if (item != NULL && line.p[0] == '@') {
            add_body(reader, item, str_from(line, 1));
        } else if (item != NULL) {
            add_header(reader, item, line);
        }
    }
}
