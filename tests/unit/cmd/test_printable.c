/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cmd/printable.h"

static void what_a_terminal_would_act_on_is_shown_as_a_question_mark(UNUSED void **state)
{
    static const struct {
        struct str text;
        const char *lines, *line;
    } cases[] = {
        { STR("plain text"), "plain text", "plain text" },
        { STR("a\r\nb\tc\n"), "a\nb\tc\n", "a b c " },
        { STR("\x1b[31mred\x07\x00\x7f"), "?[31mred???", "?[31mred???" },
        { STR("a\rb\r"), "a?b?", "a?b?" },
        { STR("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x8d\x8e"),
          "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x8d\x8e",
          "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x8d\x8e" },
        { STR("\xff \xc3 \xc0\x80 \xe2\x82"), "? ? ?? ??", "? ? ?? ??" },
        { STR("\xc2\x9b"
              "31m"),
          "??31m", "??31m" },
        { STR("\xed\xa0\x80"), "???", "???" },
        { STR("\xf4\x90\x80\x80"), "????", "????" },
        { STR("a\xe2\x80\xae"
              "b\xe2\x81\xa6"
              "c\xe2\x80\x8e"),
          "a???b???c???", "a???b???c???" },
        { STR(""), "", "" },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct buf buf;

        buf_init(&buf, 1000);
        printable_add(cases[i].text, &buf);
        assert_true(str_eq(buf_str(&buf), str_of(cases[i].lines)));
        buf_reset(&buf);
        printable_add_line(cases[i].text, &buf);
        assert_true(str_eq(buf_str(&buf), str_of(cases[i].line)));
        buf_fini(&buf);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_terminal_would_act_on_is_shown_as_a_question_mark),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
