/* SPDX-License-Identifier: Apache-2.0 */
#include "proc/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/err.h"

static void words_stand_between_any_blanks(UNUSED void **state)
{
    struct str rest = STR(" one\ttwo \n three"), word;

    assert_true(words_next(&rest, &word) && str_eq(word, STR("one")));
    assert_true(words_next(&rest, &word) && str_eq(word, STR("two")));
    assert_true(words_next(&rest, &word) && str_eq(word, STR("three")));
    assert_false(words_next(&rest, &word));
    assert_false(words_next(&rest, &word));
}

static void an_empty_text_has_no_words(UNUSED void **state)
{
    struct str texts[] = { STR(""), STR(" \t\n"), { NULL, 0 } }, word;

    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        assert_false(words_next(&texts[i], &word));
    }
}

static void words_can_be_left_out(UNUSED void **state)
{
    struct str rest = STR("a b c d"), word;

    assert_true(words_skip_next(&rest, 2, &word) && str_eq(word, STR("c")));
    assert_false(words_skip_next(&rest, 1, &word));
}

static void only_whole_numbers_are_numbers(UNUSED void **state)
{
    struct str rest = STR("17 -3");
    uint64_t value;

    assert_true(words_next_u64(&rest, &value) && value == 17);
    assert_false(words_next_u64(&rest, &value));
}

static void hexadecimal_words_are_whole_and_fit(UNUSED void **state)
{
    static const struct {
        const char *text;
        bool good;
        uint64_t value;
    } cases[] = {
        { "0A", true, 10 },
        { "1f90", true, 8080 },
        { "ffffffffffffffff", true, UINT64_MAX },
        { "", false, 0 },
        { "10000000000000000", false, 0 },
        { "0x1", false, 0 },
        { "1g", false, 0 },
        { "-1", false, 0 },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        uint64_t value = 0;

        assert_int_equal(words_hex(str_of(cases[i].text), &value), cases[i].good);
        assert_int_equal(value, cases[i].value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_stand_between_any_blanks),
        cmocka_unit_test(an_empty_text_has_no_words),
        cmocka_unit_test(words_can_be_left_out),
        cmocka_unit_test(only_whole_numbers_are_numbers),
        cmocka_unit_test(hexadecimal_words_are_whole_and_fit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
