/* SPDX-License-Identifier: Apache-2.0 */
#include "json/json_read.h"

#include <jansson.h>

struct json_t *json_read_new(struct str text, struct err *err)
{
    json_error_t error;
    json_t *root = json_loadb(text.p, text.len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);

    if (root == NULL) {
        /* What it is near to may be a password. */
        err_set(err, ERR_CORRUPT, "not JSON at byte %d: %.*s", error.position,
                (int)str_find_str(str_of(error.text), STR(" near '")), error.text);
    }
    return root;
}

void json_read_free(struct json_t *root)
{
    json_decref(root);
}

bool json_read_is_object(const struct json_t *value)
{
    return json_is_object(value);
}

bool json_read_is_array(const struct json_t *value)
{
    return json_is_array(value);
}

bool json_read_string(const struct json_t *value, struct str *ret_text)
{
    if (!json_is_string(value)) {
        return false;
    }
    *ret_text = (struct str){ json_string_value(value), json_string_length(value) };
    return true;
}

static bool next_element(const struct json_t *value, struct json_read_walk *walk,
                         const struct json_t **ret_value)
{
    if (walk->index >= json_array_size(value)) {
        return false;
    }
    *ret_value = json_array_get(value, walk->index++);
    return true;
}

/* jansson walks objects that it might change, and does not. */
static json_t *walked(const struct json_t *value)
{
    union {
        const json_t *given;
        json_t *wanted;
    } same = { .given = value };

    return same.wanted;
}

bool json_read_next(const struct json_t *value, struct json_read_walk *walk, struct str *ret_key,
                    const struct json_t **ret_value)
{
    if (json_is_array(value)) {
        return next_element(value, walk, ret_value);
    }
    if (!json_is_object(value)) {
        return false;
    }
    walk->member = walk->index++ == 0 ? json_object_iter(walked(value))
                                      : json_object_iter_next(walked(value), walk->member);
    if (walk->member == NULL) {
        return false;
    }
    *ret_key = str_of(json_object_iter_key(walk->member));
    *ret_value = json_object_iter_value(walk->member);
    return true;
}
