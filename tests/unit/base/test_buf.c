/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"

static void writing_keeps_a_zero_byte_after_the_text(UNUSED void **state)
{
    struct buf buf;

    buf_init(&buf, 1000);
    assert_true(str_eq(buf_str(&buf), STR("")));
    buf_puts(&buf, "a");
    buf_putc(&buf, 'b');
    buf_add_str(&buf, STR("cd"));
    buf_printf(&buf, "%d-%s", 42, "x");
    assert_string_equal(buf.data, "abcd42-x");
    assert_int_equal(buf.len, 8);
    assert_false(buf.overflow);
    buf_fini(&buf);
}

static void it_grows_to_the_limit_and_no_further(UNUSED void **state)
{
    struct buf buf;

    buf_init(&buf, 100);
    for (int i = 0; i < 100; i++) {
        buf_putc(&buf, 'x');
    }
    assert_int_equal(buf.len, 100);
    assert_false(buf.overflow);
    buf_putc(&buf, 'y');
    assert_int_equal(buf.len, 100);
    assert_int_equal(buf.data[100], '\0');
    assert_true(buf.overflow);
    buf_fini(&buf);
}

static void what_does_not_fit_is_not_written_in_part(UNUSED void **state)
{
    struct buf buf;

    buf_init(&buf, 4);
    buf_puts(&buf, "ab");
    buf_printf(&buf, "%s", "cde");
    assert_string_equal(buf.data, "ab");
    assert_true(buf.overflow);
    /* Room that is left may still be used; the overflow stays known. */
    buf_puts(&buf, "cd");
    assert_string_equal(buf.data, "abcd");
    assert_true(buf.overflow);
    buf_fini(&buf);
}

static void a_reset_keeps_the_memory_and_forgets_the_overflow(UNUSED void **state)
{
    struct buf buf;
    const char *memory;

    buf_init(&buf, 2);
    buf_puts(&buf, "ab");
    buf_putc(&buf, 'c');
    memory = buf.data;
    buf_reset(&buf);
    assert_int_equal(buf.len, 0);
    assert_string_equal(buf.data, "");
    assert_false(buf.overflow);
    buf_puts(&buf, "xy");
    assert_ptr_equal(buf.data, memory);
    buf_fini(&buf);
}

static void a_zeroed_one_is_empty_and_full(UNUSED void **state)
{
    struct buf buf = { 0 };

    buf_add(&buf, "", 0);
    assert_int_equal(buf.len, 0);
    buf_putc(&buf, 'x');
    assert_true(buf.overflow);
    buf_fini(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writing_keeps_a_zero_byte_after_the_text),
        cmocka_unit_test(it_grows_to_the_limit_and_no_further),
        cmocka_unit_test(what_does_not_fit_is_not_written_in_part),
        cmocka_unit_test(a_reset_keeps_the_memory_and_forgets_the_overflow),
        cmocka_unit_test(a_zeroed_one_is_empty_and_full),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
