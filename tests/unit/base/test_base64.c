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

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length_is_padded_to_four),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
