/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/str.h"

static void comparing_looks_at_the_whole_slice(UNUSED void **state)
{
    assert_true(str_eq(STR("abc"), STR("abc")));
    assert_false(str_eq(STR("abc"), STR("abd")));
    assert_false(str_eq(STR("ab"), STR("abc")));
    assert_true(str_eq((struct str){ NULL, 0 }, STR("")));
    assert_true(str_eq_nocase(STR("Content-Length"), STR("content-LENGTH")));
    assert_false(str_eq_nocase(STR("content-length"), STR("content-lengt")));
    /* Only ASCII letters have a case: '@' and '`' differ by the same bit. */
    assert_false(str_eq_nocase(STR("@"), STR("`")));
    assert_true(str_starts(STR("http://x"), STR("http")));
    assert_false(str_starts(STR("ht"), STR("http")));
    assert_true(str_starts_nocase(STR("HTTP/1.1"), STR("http/")));
    assert_true(str_ends(STR("plan.yaml"), STR(".yaml")));
    assert_false(str_ends(STR("yaml"), STR(".yaml")));
}

static void finding_nothing_gives_the_length(UNUSED void **state)
{
    assert_int_equal(str_find(STR("a=b=c"), '='), 1);
    assert_int_equal(str_find(STR("abc"), '='), 3);
    assert_int_equal(str_find((struct str){ NULL, 0 }, '='), 0);
    assert_int_equal(str_find_str(STR("http://x"), STR("://")), 4);
    assert_int_equal(str_find_str(STR("http"), STR("://")), 4);
    assert_int_equal(str_find_str(STR("ab"), STR("")), 0);
}

static void trimming_stops_at_the_first_other_byte(UNUSED void **state)
{
    assert_true(str_eq(str_trim(STR(" \t a b\r\n")), STR("a b")));
    assert_int_equal(str_trim(STR("  ")).len, 0);
}

static void a_start_past_the_end_is_an_empty_slice(UNUSED void **state)
{
    assert_true(str_eq(str_from(STR("abc"), 1), STR("bc")));
    assert_int_equal(str_from(STR("abc"), 9).len, 0);
}

static void cutting_gives_every_piece_once(UNUSED void **state)
{
    static const struct {
        const char *text;
        const char *pieces[4]; /* NULL-ended */
    } rows[] = {
        { "a,b,c", { "a", "b", "c" } }, { "a,", { "a", "" } },
        { ",a", { "", "a" } },          { "", { "" } },
        { "abc", { "abc" } },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct str rest = str_of(rows[i].text), piece;
        size_t n = 0;

        while (str_cut(&rest, ',', &piece)) {
            assert_non_null(rows[i].pieces[n]);
            assert_true(str_eq(piece, str_of(rows[i].pieces[n])));
            n++;
        }
        assert_null(rows[i].pieces[n]);
        assert_null(rest.p);
    }
}

static void whole_numbers_know_their_limit(UNUSED void **state)
{
    uint64_t value = 7;

    assert_true(str_u64(STR("18446744073709551615"), &value));
    assert_true(value == UINT64_MAX);
    assert_true(str_u64(STR("0"), &value));
    assert_true(value == 0);
    assert_false(str_u64(STR("18446744073709551616"), &value));
    assert_false(str_u64(STR(""), &value));
    assert_false(str_u64(STR("-1"), &value));
    assert_false(str_u64(STR("1 "), &value));
    assert_true(value == 0);
}

static void copying_cuts_to_the_field(UNUSED void **state)
{
    char field[4] = "xyz";

    str_copy(field, sizeof(field), STR("abcdef"));
    assert_string_equal(field, "abc");
    str_copy(field, sizeof(field), (struct str){ NULL, 0 });
    assert_string_equal(field, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparing_looks_at_the_whole_slice),
        cmocka_unit_test(finding_nothing_gives_the_length),
        cmocka_unit_test(trimming_stops_at_the_first_other_byte),
        cmocka_unit_test(a_start_past_the_end_is_an_empty_slice),
        cmocka_unit_test(cutting_gives_every_piece_once),
        cmocka_unit_test(whole_numbers_know_their_limit),
        cmocka_unit_test(copying_cuts_to_the_field),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
