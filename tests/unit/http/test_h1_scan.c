/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/rng.h"
#include "http/h1_scan.h"

static unsigned slow_odd_bits(const unsigned char *p)
{
    unsigned bits = 0;

    for (unsigned i = 0; i < SCAN_BYTES; i++) {
        bits |= (unsigned)(p[i] < 0x20 || p[i] >= 0x7f) << i;
    }
    return bits;
}

static unsigned slow_colon_bits(const unsigned char *p)
{
    unsigned bits = 0;

    for (unsigned i = 0; i < SCAN_BYTES; i++) {
        bits |= (unsigned)(p[i] == ':') << i;
    }
    return bits;
}

static void assert_bits_right(const unsigned char *p)
{
    unsigned colons = 0;

    assert_int_equal(h1_odd_bits(p, &colons), slow_odd_bits(p));
    assert_int_equal(colons, slow_colon_bits(p));
    assert_int_equal(h1_odd_bits_of_words(p), slow_odd_bits(p));
    assert_int_equal(h1_colon_bits_of_words(p), slow_colon_bits(p));
}

static void every_byte_is_judged_right_at_every_place(UNUSED void **state)
{
    static const unsigned char around[] = { 'a', 0x00, 0xff, ':', 0x7f, 0x20, 0x80 };

    for (unsigned byte = 0; byte < 256; byte++) {
        for (unsigned at = 0; at < SCAN_BYTES; at++) {
            for (unsigned i = 0; i < COUNT_OF(around); i++) {
                unsigned char bytes[SCAN_BYTES];

                memset(bytes, around[i], sizeof(bytes));
                bytes[at] = (unsigned char)byte;
                assert_bits_right(bytes);
            }
        }
    }
}

static void random_bytes_are_judged_right(UNUSED void **state)
{
    struct rng rng;

    rng_init(&rng, 7, 0);
    for (unsigned round = 0; round < 20000; round++) {
        unsigned char bytes[SCAN_BYTES];

        for (unsigned i = 0; i < SCAN_BYTES; i += 8) {
            uint64_t word = rng_u64(&rng);

            memcpy(bytes + i, &word, sizeof(word));
        }
        assert_bits_right(bytes);
    }
}

static void the_first_control_byte_is_found_and_no_tab(UNUSED void **state)
{
    for (size_t len = 0; len < 70; len++) {
        for (size_t at = 0; at <= len; at++) {
            unsigned char bytes[80];

            memset(bytes, '\t', sizeof(bytes));
            memset(bytes, 0xfc, at / 2);
            bytes[at] = at % 2 == 0 ? 0x7f : '\r';
            assert_ptr_equal(h1_find_control(bytes, bytes + len), bytes + at);
        }
    }
}

static void eight_letters_match_in_any_case_and_nothing_else_does(UNUSED void **state)
{
    static const unsigned char want[] = "ngth: x\r";

    for (unsigned byte = 0; byte < 256; byte++) {
        for (unsigned at = 0; at < 8; at++) {
            unsigned char bytes[8];
            bool letter = want[at] >= 'a' && want[at] <= 'z';

            memcpy(bytes, want, sizeof(bytes));
            bytes[at] = (unsigned char)byte;
            assert_int_equal(h1_same8(bytes, "ngth: x\r"),
                             byte == want[at] || (letter && byte == want[at] - 0x20U));
        }
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_is_judged_right_at_every_place),
        cmocka_unit_test(random_bytes_are_judged_right),
        cmocka_unit_test(the_first_control_byte_is_found_and_no_tab),
        cmocka_unit_test(eight_letters_match_in_any_case_and_nothing_else_does),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
