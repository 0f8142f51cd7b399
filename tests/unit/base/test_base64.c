/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/base64.h"

static void every_length_is_padded_to_four(UNUSED void **state)
{
    /* RFC 4648 section 10, and bytes that reach the end of the alphabet. */
    static const struct {
        struct str bytes;
        const char *text;
    } rows[] = {
        { { "f", 1 }, "Zg==" },         { { "fo", 2 }, "Zm8=" },
        { { "foo", 3 }, "Zm9v" },       { { "foob", 4 }, "Zm9vYg==" },
        { { "fooba", 5 }, "Zm9vYmE=" }, { { "foobar", 6 }, "Zm9vYmFy" },
        { { "\0\0\0", 3 }, "AAAA" },    { { "\xfb\xff\xfe", 3 }, "+//+" },
    };
    struct buf buf;

    buf_init(&buf, 64);
    base64_encode(STR(""), &buf);
    assert_int_equal(buf.len, 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        buf_reset(&buf);
        base64_encode(rows[i].bytes, &buf);
        assert_string_equal(buf.data, rows[i].text);
    }
    buf_fini(&buf);
}

static void what_was_encoded_is_decoded_again(UNUSED void **state)
{
    struct buf bytes, text, again;

    buf_init(&bytes, 256);
    buf_init(&text, 512);
    buf_init(&again, 256);
    for (int i = 0; i < 256; i++) {
        buf_reset(&text);
        buf_reset(&again);
        base64_encode(buf_str(&bytes), &text);
        assert_true(base64_decode(buf_str(&text), &again));
        assert_true(str_eq(buf_str(&again), buf_str(&bytes)));
        buf_putc(&bytes, (char)(unsigned char)(i * 37));
    }
    buf_fini(&bytes);
    buf_fini(&text);
    buf_fini(&again);
}

static void what_is_no_base64_is_refused(UNUSED void **state)
{
    static const char *const rows[] = {
        "Zg",   "Zg=",  "Zg==Zg==", "=",    "====", "Z===",  "Zm9v\n",     "Zm9-",
        "Zm9_", "Zh==", "Zm9vYmG=", "Zm 9", "Zm=v", "Zm9vA", "\xc3\xbc==",
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct buf buf;

        buf_init(&buf, 64);
        if (base64_decode(str_of(rows[i]), &buf)) {
            fail_msg("'%s' was taken", rows[i]);
        }
        buf_fini(&buf);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length_is_padded_to_four),
        cmocka_unit_test(what_was_encoded_is_decoded_again),
        cmocka_unit_test(what_is_no_base64_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
