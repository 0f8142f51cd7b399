/* SPDX-License-Identifier: Apache-2.0 */
#include "json/json_write.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/rng.h"

static struct buf buf;
static struct json_write json;

static int empty(UNUSED void **state)
{
    buf_init(&buf, 1 << 16);
    json_write_init(&json, &buf);
    return 0;
}

static int done(UNUSED void **state)
{
    buf_fini(&buf);
    return 0;
}

static void containers_are_indented_and_rows_are_not(UNUSED void **state)
{
    json_write_object(&json, NULL);
    json_write_text(&json, "a", "b");
    json_write_array(&json, "list");
    json_write_int(&json, NULL, 1);
    json_write_object(&json, NULL);
    json_write_end(&json);
    json_write_end(&json);
    json_write_array(&json, "none");
    json_write_end(&json);
    json_write_row(&json, "pairs");
    json_write_row(&json, NULL);
    json_write_int(&json, NULL, 1);
    json_write_int(&json, NULL, 2);
    json_write_end(&json);
    json_write_object(&json, NULL);
    json_write_null(&json, "x");
    json_write_bool(&json, "y", true);
    json_write_end(&json);
    json_write_end(&json);
    json_write_bool(&json, "z", false);
    json_write_end(&json);
    assert_string_equal(buf.data, "{\n"
                                  "  \"a\": \"b\",\n"
                                  "  \"list\": [\n"
                                  "    1,\n"
                                  "    {}\n"
                                  "  ],\n"
                                  "  \"none\": [],\n"
                                  "  \"pairs\": [[1, 2], {\"x\": null, \"y\": true}],\n"
                                  "  \"z\": false\n"
                                  "}\n");
}

static void long_rows_go_on_in_the_next_line(UNUSED void **state)
{
    size_t longest = 0, start = 0, lines = 0;

    json_write_row(&json, NULL);
    for (int i = 0; i < 100; i++) {
        json_write_int(&json, NULL, 1000000 + i);
    }
    json_write_end(&json);
    for (size_t i = 0; i < buf.len; i++) {
        if (buf.data[i] == '\n') {
            longest = i - start > longest ? i - start : longest;
            start = i + 1;
            lines++;
        }
    }
    assert_int_equal(lines, 10);
    assert_in_range(longest, 90, 110);
}

struct quoted {
    const char *in;
    size_t len;
    const char *out;
};

#define IN(literal) literal, sizeof(literal) - 1

static const struct quoted quoted[] = {
    { IN(""), "\"\"\n" },
    { IN("a\"b\\c/"), "\"a\\\"b\\\\c/\"\n" },
    { IN("\n\r\t\0\x1b\x7f"), "\"\\n\\r\\t\\u0000\\u001b\\u007f\"\n" },
    { IN("\u00e9\u20ac\U0001f600"), "\"\u00e9\u20ac\U0001f600\"\n" },
    { IN("a\xff"
         "b"),
      "\"a\ufffd"
      "b\"\n" },
    { IN("\xc3"), "\"\ufffd\"\n" },           /* cut short */
    { IN("\xe2\x82"), "\"\ufffd\ufffd\"\n" }, /* cut short */
    { IN("\xc0\xaf"), "\"\ufffd\ufffd\"\n" }, /* overlong */
    { IN("\xe0\x80\x80"), "\"\ufffd\ufffd\ufffd\"\n" },
    { IN("\xed\xa0\x80"), "\"\ufffd\ufffd\ufffd\"\n" }, /* surrogate */
    { IN("\xf4\x90\x80\x80"), "\"\ufffd\ufffd\ufffd\ufffd\"\n" },
    { IN("\xf4\x8f\xbf\xbf"), "\"\xf4\x8f\xbf\xbf\"\n" },
    { IN("\xe2\x28\xa1"), "\"\ufffd(\ufffd\"\n" },
};

static void strings_are_always_valid(UNUSED void **state)
{
    for (size_t i = 0; i < COUNT_OF(quoted); i++) {
        buf_reset(&buf);
        json_write_init(&json, &buf);
        json_write_string(&json, NULL, (struct str){ quoted[i].in, quoted[i].len });
        buf_putc(&buf, '\n');
        assert_string_equal(buf.data, quoted[i].out);
    }
}

static void no_text_is_null(UNUSED void **state)
{
    json_write_text(&json, NULL, NULL);
    assert_string_equal(buf.data, "null");
}

static void integers_are_exact(UNUSED void **state)
{
    json_write_row(&json, NULL);
    json_write_int(&json, NULL, INT64_MIN);
    json_write_int(&json, NULL, INT64_MAX);
    json_write_uint(&json, NULL, UINT64_MAX);
    json_write_end(&json);
    assert_string_equal(buf.data,
                        "[-9223372036854775808, 9223372036854775807, 18446744073709551615]\n");
}

struct number {
    double in;
    const char *out;
};

static const struct number numbers[] = {
    { 0, "0" },
    { 0.1, "0.1" },
    { 0.3, "0.3" },
    { 0.1 + 0.2, "0.30000000000000004" },
    { 41231.5, "41231.5" },
    { -2.5, "-2.5" },
    { 1e21, "1e+21" },
    { 5e-324, "4.94065645841247e-324" },
    { NAN, "null" },
    { INFINITY, "null" },
    { -INFINITY, "null" },
    { 1.0 / 3, "0.3333333333333333" },
};

static void doubles_are_as_short_as_they_can_be(UNUSED void **state)
{
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        buf_reset(&buf);
        json_write_init(&json, &buf);
        json_write_double(&json, NULL, numbers[i].in);
        assert_string_equal(buf.data, numbers[i].out);
    }
}

static void every_double_reads_back_as_itself(UNUSED void **state)
{
    struct rng rng;

    rng_init(&rng, 5, 0);
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = rng_u64(&rng);
        double value;

        memcpy(&value, &bits, sizeof(value));
        if (!isfinite(value)) {
            continue;
        }
        buf_reset(&buf);
        json_write_init(&json, &buf);
        json_write_double(&json, NULL, value);
        assert_true(strtod(buf.data, NULL) == value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(containers_are_indented_and_rows_are_not, empty, done),
        cmocka_unit_test_setup_teardown(long_rows_go_on_in_the_next_line, empty, done),
        cmocka_unit_test_setup_teardown(strings_are_always_valid, empty, done),
        cmocka_unit_test_setup_teardown(no_text_is_null, empty, done),
        cmocka_unit_test_setup_teardown(integers_are_exact, empty, done),
        cmocka_unit_test_setup_teardown(doubles_are_as_short_as_they_can_be, empty, done),
        cmocka_unit_test_setup_teardown(every_double_reads_back_as_itself, empty, done),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
