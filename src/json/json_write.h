/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes one JSON document (RFC 8259) into a buffer, front to back; nothing is kept but the place.
 *
 * Every function that writes a value takes the key it has in its object, or NULL in an array and at
 * the top. Objects and arrays are indented by 2; a row is an array whose content, however deep,
 * stays on one line as long as the line is not too long. Nesting is a matter of the program, never
 * of its data: more than JSON_WRITE_DEPTH_MAX or an unbalanced end is a bug and asserted. Whether
 * all fitted is the buffer's to say.
 */
#ifndef JSON_JSON_WRITE_H
#define JSON_JSON_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

enum { JSON_WRITE_DEPTH_MAX = 32 };

struct json_write {
    struct buf *buf;
    unsigned depth;
    unsigned row_depth; /* of the outermost row that is open; 0 none */
    bool filled[JSON_WRITE_DEPTH_MAX + 1];
    char closer[JSON_WRITE_DEPTH_MAX + 1];
    size_t line_start; /* in the buffer */
};

void json_write_init(struct json_write *json, struct buf *buf);

void json_write_object(struct json_write *json, const char *key);
void json_write_array(struct json_write *json, const char *key);
void json_write_row(struct json_write *json, const char *key);
/* Ends what was begun last; the outermost is followed by a newline. */
void json_write_end(struct json_write *json);

/* Bytes that are not UTF-8 become U+FFFD, one for each. */
void json_write_string(struct json_write *json, const char *key, struct str value);
/* NULL is null. */
void json_write_text(struct json_write *json, const char *key, const char *value);
void json_write_int(struct json_write *json, const char *key, int64_t value);
void json_write_uint(struct json_write *json, const char *key, uint64_t value);
/* The shortest decimal that reads back as the same double; null when not finite. */
void json_write_double(struct json_write *json, const char *key, double value);
void json_write_bool(struct json_write *json, const char *key, bool value);
void json_write_null(struct json_write *json, const char *key);

#endif
