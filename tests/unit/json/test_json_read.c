/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/buf.h"
#include "json/json_read.h"

/* "[a {b c}]": what a walk through all of it meets; * for what is neither text nor container. */
static void walk(const struct json_t *value, struct buf *buf)
{
    struct json_read_walk at = { 0 };
    const struct json_t *child;
    struct str text, key = { 0 };

    if (json_read_string(value, &text)) {
        buf_add_str(buf, text);
        return;
    }
    if (!json_read_is_array(value) && !json_read_is_object(value)) {
        buf_putc(buf, '*');
        assert_false(json_read_next(value, &at, &key, &child));
        return;
    }
    buf_putc(buf, json_read_is_array(value) ? '[' : '{');
    while (json_read_next(value, &at, &key, &child)) {
        buf_putc(buf, ' ');
        if (json_read_is_object(value)) {
            buf_add_str(buf, key);
            buf_putc(buf, '=');
        }
        walk(child, buf);
    }
    buf_putc(buf, json_read_is_array(value) ? ']' : '}');
    assert_false(json_read_next(value, &at, &key, &child));
}

static void a_document_is_walked_in_its_order(UNUSED void **state)
{
    static const struct {
        const char *text, *walked;
    } cases[] = {
        { "\"a\"", "a" },
        { " [] ", "[]" },
        { "{}", "{}" },
        { "[\"a\", [\"b\", 1, null], {}]", "[ a [ b * *] {}]" },
        { "{\"z\": \"1\", \"a\": {\"K\": [\"v\", \"w\"]}, \"m\": true}",
          "{ z=1 a={ K=[ v w]} m=*}" },
        { "\"\\u00fc\\n\\\"\"", "\xc3\xbc\n\"" },
        { "\"\"", "" },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct err err;
        struct buf buf;
        struct json_t *root = json_read_new(str_of(cases[i].text), &err);

        assert_non_null(root);
        buf_init(&buf, 256);
        walk(root, &buf);
        assert_true(str_eq(buf_str(&buf), str_of(cases[i].walked)));
        buf_fini(&buf);
        json_read_free(root);
    }
}

static void what_is_no_document_is_refused_with_its_place(UNUSED void **state)
{
    static const struct {
        struct str text;
        const char *hint;
    } cases[] = {
        { { "", 0 }, "byte 0" },         { { "{\"a\": 1", 7 }, "byte 7" },
        { { "{} {}", 5 }, "byte 4" },    { { "{\"a\": 1, \"a\": 2}", 16 }, "duplicate" },
        { { "\"\\u0000\"", 8 }, "NUL" }, { { "\"\xff\"", 3 }, "byte 1" },
        { { "'a'", 3 }, "not JSON" },    { { "{\"a\"\0: 1}", 9 }, "byte" },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct err err = { 0 };

        if (json_read_new(cases[i].text, &err) != NULL) {
            fail_msg("'%s' was taken", cases[i].text.p);
        }
        assert_int_equal(err.kind, ERR_CORRUPT);
        assert_null(strstr(err.text, " near '"));
        if (strstr(err.text, cases[i].hint) == NULL) {
            fail_msg("'%s' does not say '%s'", err.text, cases[i].hint);
        }
    }
}

static void nesting_without_end_is_refused(UNUSED void **state)
{
    static char deep[100000];
    struct err err;

    memset(deep, '[', sizeof(deep));
    assert_null(json_read_new((struct str){ deep, sizeof(deep) }, &err));
    assert_int_equal(err.kind, ERR_CORRUPT);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_document_is_walked_in_its_order),
        cmocka_unit_test(what_is_no_document_is_refused_with_its_place),
        cmocka_unit_test(nesting_without_end_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
