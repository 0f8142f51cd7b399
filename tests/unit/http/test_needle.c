/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/err.h"
#include "guard.h"
#include "http/needle.h"

static const struct {
    struct str needle, text;
    bool found;
} rows[] = {
    { STR("a"), STR("a"), true },
    { STR("a"), STR("b"), false },
    { STR("a"), STR(""), false },
    { STR("abc"), STR("abc"), true },
    { STR("abc"), STR("ab"), false },
    { STR("abc"), STR("xxabcxx"), true },
    { STR("abc"), STR("xxab"), false },
    { STR("abc"), STR("ababab"), false },
    { STR("abc"), STR("abababc"), true },
    { STR("aab"), STR("aaaaab"), true },
    { STR("aaaa"), STR("aaabaaabaaaa"), true },
    { STR("aaaa"), STR("aaabaaabaaab"), false },
    /* a match begins inside a match that fails late */
    { STR("abacababc"), STR("abacabacababc"), true },
    { STR("abacababc"), STR("abacabacabab"), false },
    { STR("abcabd"), STR("abcabcabcabd"), true },
    { STR("\0\xff\0"), STR("\0\0\xff\0"), true },
    { STR("\"ok\":true"), STR("{\"ok\":false,\"ok\":true}"), true },
};

/* A piece of its own block, so that nothing behind it can be read. */
static void look(const struct needle *needle, struct needle_search *search, struct str piece)
{
    struct guard guard = guard_put(piece);

    needle_look(needle, search, guard.text);
    guard_drop(&guard);
}

static void a_text_is_found_however_it_is_cut_in_three(UNUSED void **state)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct str text = rows[i].text;
        struct needle needle;

        needle_init(&needle, rows[i].needle);
        for (size_t first = 0; first <= text.len; first++) {
            for (size_t second = first; second <= text.len; second++) {
                struct needle_search search = { 0 };

                look(&needle, &search, (struct str){ text.p, first });
                look(&needle, &search, (struct str){ text.p + first, second - first });
                look(&needle, &search, str_from(text, second));
                if (search.found != rows[i].found) {
                    fail_msg("row %zu cut at %zu and %zu: %d", i, first, second, search.found);
                }
            }
        }
        needle_fini(&needle);
    }
}

static void a_text_is_found_byte_by_byte(UNUSED void **state)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct needle_search search = { 0 };
        struct needle needle;

        needle_init(&needle, rows[i].needle);
        for (size_t at = 0; at < rows[i].text.len; at++) {
            look(&needle, &search, (struct str){ rows[i].text.p + at, 1 });
        }
        assert_int_equal(search.found, rows[i].found);
        needle_fini(&needle);
    }
}

static void what_was_found_stays_found(UNUSED void **state)
{
    struct needle_search search = { 0 };
    struct needle needle;

    needle_init(&needle, STR("ok"));
    needle_look(&needle, &search, STR("o"));
    assert_false(search.found);
    needle_look(&needle, &search, STR("k"));
    assert_true(search.found);
    needle_look(&needle, &search, STR("nothing of it"));
    assert_true(search.found);
    needle_fini(&needle);
}

static void two_searches_share_a_needle(UNUSED void **state)
{
    struct needle_search one = { 0 }, other = { 0 };
    struct needle needle;

    needle_init(&needle, STR("abab"));
    needle_look(&needle, &one, STR("ab"));
    needle_look(&needle, &other, STR("b"));
    needle_look(&needle, &one, STR("ab"));
    needle_look(&needle, &other, STR("aba"));
    assert_true(one.found);
    assert_false(other.found);
    needle_fini(&needle);
}

static void an_empty_needle_holds_nothing(UNUSED void **state)
{
    struct needle needle;

    needle_init(&needle, (struct str){ 0 });
    assert_null(needle.borders);
    needle_fini(&needle);
    needle_fini(&needle);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_is_found_however_it_is_cut_in_three),
        cmocka_unit_test(a_text_is_found_byte_by_byte),
        cmocka_unit_test(what_was_found_stays_found),
        cmocka_unit_test(two_searches_share_a_needle),
        cmocka_unit_test(an_empty_needle_holds_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
