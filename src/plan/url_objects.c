/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/url_objects.h"

#include "base/base64.h"
#include "base/mem.h"
#include "json/json_read.h"

/* The members of an object that are known. */
struct target {
    const struct json_t *method, *url, *header, *body;
};

static bool take_members(struct url_reader *reader, const struct json_t *object,
                         struct target *target)
{
    struct json_read_walk walk = { 0 };
    const struct json_t *value;
    struct str key;

    while (json_read_next(object, &walk, &key, &value)) {
        if (str_eq(key, STR("method"))) {
            target->method = value;
        } else if (str_eq(key, STR("url"))) {
            target->url = value;
        } else if (str_eq(key, STR("header"))) {
            target->header = value;
        } else if (str_eq(key, STR("body"))) {
            target->body = value;
        } else {
            return url_reader_refuse(
                reader, "unknown key '%.*s': a request has method, url, header and body",
                (int)(key.len < 64 ? key.len : 64), key.p);
        }
    }
    return true;
}

static bool add_header(struct url_reader *reader, struct plan_item *item, struct str name,
                       const struct json_t *value)
{
    struct buf line;
    struct str text;

    if (!json_read_string(value, &text)) {
        return url_reader_refuse(reader, "a value of the header '%.*s' is not a text",
                                 (int)(name.len < 64 ? name.len : 64), name.p);
    }
    buf_init(&line, URL_FILE_LINE_MAX);
    buf_add_str(&line, name);
    /* As -H has it, "Name:" would remove a header and "Name;" is an empty one. */
    buf_puts(&line, text.len > 0 ? ": " : ";");
    buf_add_str(&line, text);
    opt_texts_add(&item->headers, buf_str(&line));
    buf_fini(&line);
    return true;
}

static bool add_headers(struct url_reader *reader, struct plan_item *item,
                        const struct json_t *header)
{
    struct json_read_walk names = { 0 };
    const struct json_t *values, *value;
    struct str name = { 0 }, unused;

    if (!json_read_is_object(header)) {
        return url_reader_refuse(reader, "header is not an object of {\"Name\": [\"value\"]}");
    }
    while (json_read_next(header, &names, &name, &values)) {
        struct json_read_walk walk = { 0 };

        if (!json_read_is_array(values)) {
            if (!add_header(reader, item, name, values)) {
                return false;
            }
            continue;
        }
        while (json_read_next(values, &walk, &unused, &value)) {
            if (!add_header(reader, item, name, value)) {
                return false;
            }
        }
    }
    return true;
}

static bool set_body(struct url_reader *reader, struct plan_item *item, const struct json_t *body)
{
    struct str text;
    struct buf buf;

    if (!json_read_string(body, &text)) {
        return url_reader_refuse(reader, "body is not a text");
    }
    buf_init(&buf, URL_FILE_LINE_MAX);
    if (!base64_decode(text, &buf)) {
        buf_fini(&buf);
        return url_reader_refuse(reader, "body is not base64");
    }
    item->body_text = buf.data;
    item->body = buf_str(&buf);
    return true;
}

static void read_object(struct url_reader *reader, const struct json_t *object)
{
    struct target target = { 0 };
    struct plan_item *item;
    struct str url, method;

    if (!json_read_is_object(object)) {
        (void)url_reader_refuse(reader, "not an object, such as {\"method\": \"GET\", \"url\": "
                                        "\"http://127.0.0.1:8080/\"}");
        return;
    }
    if (!take_members(reader, object, &target)) {
        return;
    }
    if (!json_read_string(target.url, &url)) {
        (void)url_reader_refuse(reader, "url is %s", target.url == NULL ? "missing" : "not a text");
        return;
    }
    if (target.method != NULL && !json_read_string(target.method, &method)) {
        (void)url_reader_refuse(reader, "method is not a text");
        return;
    }
    item = url_reader_add(reader, url);
    if (item == NULL) {
        return;
    }
    if ((target.method == NULL || url_reader_set_method(reader, item, method)) &&
        (target.header == NULL || add_headers(reader, item, target.header)) &&
        target.body != NULL) {
        (void)set_body(reader, item, target.body);
    }
}

void url_objects_read(struct url_reader *reader)
{
    struct str line;

    while (url_reader_next(reader, &line)) {
        struct json_t *object;
        struct err err;

        if (url_reader_is_idle(line)) {
            continue;
        }
        object = json_read_new(line, &err);
        if (object == NULL) {
            (void)url_reader_refuse(reader, "%s", err.text);
            continue;
        }
        read_object(reader, object);
        json_read_free(object);
    }
}
