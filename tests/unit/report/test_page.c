/* SPDX-License-Identifier: Apache-2.0 */
#include "report/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct report_style style;
static struct buf buf;
static struct page page;

static int begin(UNUSED void **state)
{
    style = (struct report_style){ .columns = 50 };
    buf_init(&buf, 1 << 16);
    page_init(&page, &style, &buf);
    return 0;
}

static int end(UNUSED void **state)
{
    buf_fini(&buf);
    return 0;
}

static void items_stand_in_one_line_while_they_fit(UNUSED void **state)
{
    page_begin(&page, "label");
    page_item(&page, INK_PLAIN, "%s", "0123456789abcdef");
    page_item(&page, INK_PLAIN, "0123456789abcdefghij"); /* ends in column 50 */
    page_item(&page, INK_PLAIN, "next");
    page_end(&page);
    assert_string_equal(buf.data, "label      0123456789abcdef   0123456789abcdefghij\n"
                                  "           next\n");
}

static void bytes_of_one_letter_take_one_column(UNUSED void **state)
{
    page_begin(&page, "label");
    page_item(&page, INK_PLAIN, "\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588");
    page_item(&page, INK_PLAIN, "0123456789abcdefghijabcdef");
    page_end(&page);
    assert_string_equal(buf.data,
                        "label      \u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588   "
                        "0123456789abcdefghijabcdef\n");
}

static void prose_breaks_between_words(UNUSED void **state)
{
    page_begin(&page, "");
    page_prose(&page, INK_PLAIN, "the quick brown fox jumps over the lazy dog and then some");
    page_end(&page);
    assert_string_equal(buf.data, "           the quick brown fox jumps over the lazy\n"
                                  "           dog and then some\n");
}

static void a_word_too_long_for_a_line_has_one_of_its_own(UNUSED void **state)
{
    page_begin(&page, "");
    page_prose(&page, INK_PLAIN, "a 0123456789012345678901234567890123456789012345 b");
    page_end(&page);
    assert_string_equal(buf.data, "           a\n"
                                  "           0123456789012345678901234567890123456789012345\n"
                                  "           b\n");
}

static void nothing_from_a_server_moves_the_cursor(UNUSED void **state)
{
    page_begin(&page, "");
    page_item(&page, INK_PLAIN,
              "a\x1b[2J\r\nb\x7f\xc2\x9b"
              "31m");
    page_end(&page);
    assert_string_equal(buf.data, "           a?[2J??b???31m\n");
}

static void other_letters_are_not_sent_to_a_terminal_without_them(UNUSED void **state)
{
    style.ascii = true;
    page_begin(&page, "");
    page_item(&page, INK_PLAIN, "N = X\u00b7R at caf\u00e9 \U0001f600");
    page_end(&page);
    assert_string_equal(buf.data, "           N = X*R at caf? ?\n");
}

static void color_is_around_the_words_and_only_when_asked_for(UNUSED void **state)
{
    page_begin(&page, "x");
    page_item(&page, INK_BAD, "bad");
    page_end(&page);
    assert_string_equal(buf.data, "x          bad\n");
    buf_reset(&buf);
    style.color = true;
    page_begin(&page, "");
    page_item(&page, INK_BAD, "bad");
    page_end(&page);
    assert_string_equal(buf.data, "           \x1b[31mbad\x1b[0m\n");
}

static void explanations_come_only_when_asked_for(UNUSED void **state)
{
    page_explain(&page, "p95", "what it is");
    assert_int_equal(buf.len, 0);
    style.explain = true;
    page_explain(&page, "p95", "what it is");
    assert_string_equal(buf.data, "             p95           what it is\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(items_stand_in_one_line_while_they_fit, begin, end),
        cmocka_unit_test_setup_teardown(bytes_of_one_letter_take_one_column, begin, end),
        cmocka_unit_test_setup_teardown(prose_breaks_between_words, begin, end),
        cmocka_unit_test_setup_teardown(a_word_too_long_for_a_line_has_one_of_its_own, begin, end),
        cmocka_unit_test_setup_teardown(nothing_from_a_server_moves_the_cursor, begin, end),
        cmocka_unit_test_setup_teardown(other_letters_are_not_sent_to_a_terminal_without_them,
                                        begin, end),
        cmocka_unit_test_setup_teardown(color_is_around_the_words_and_only_when_asked_for, begin,
                                        end),
        cmocka_unit_test_setup_teardown(explanations_come_only_when_asked_for, begin, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
