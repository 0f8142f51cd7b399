/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads one JSON document (RFC 8259) from a text: a tree of values to look into, over jansson.
 *
 * Strict: one value and nothing after it but blanks, no member twice, no zero byte in a string.
 * A text in memory is the bound of what the tree can take; values live until json_read_free() of
 * the root.
 */
#ifndef JSON_JSON_READ_H
#define JSON_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

struct json_t; /* jansson's: a value */

/* Where a walk through an array or an object is; start with a zeroed one. */
struct json_read_walk {
    size_t index;
    void *member;
};

/* NULL on failure: ERR_CORRUPT, with the column. */
struct json_t *json_read_new(struct str text, struct err *err);
void json_read_free(struct json_t *root); /* accepts NULL */

bool json_read_is_object(const struct json_t *value);
bool json_read_is_array(const struct json_t *value);
/* false when it is no string. */
bool json_read_string(const struct json_t *value, struct str *ret_text);

/* The next element or member (its key is only given for the latter); false after the last and for
 * a value that has none. */
bool json_read_next(const struct json_t *value, struct json_read_walk *walk, struct str *ret_key,
                    const struct json_t **ret_value);

#endif
