/* SPDX-License-Identifier: Apache-2.0 */
#include "http/idn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void labels_beyond_ascii_become_punycode(UNUSED void **state)
{
    static const struct {
        const char *name, *ascii;
    } rows[] = {
        { "plain.example", "plain.example" },
        { "xn--mnchen-3ya", "xn--mnchen-3ya" },
        { "", "" },
        { "b\xc3\xbc"
          "cher",
          "xn--bcher-kva" },
        { "m\xc3\xbcnchen", "xn--mnchen-3ya" },
        { "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e", "xn--wgv71a119e" },
        { "fa\xc3\x9f", "xn--fa-hia" },
        { "\xcf\x80\xce\xb1\xcf\x81\xce\xac\xce\xb4\xce\xb5\xce\xb9\xce\xb3\xce\xbc\xce\xb1",
          "xn--hxajbheg2az3al" },
        { "\xd0\xb8\xd1\x81\xd0\xbf\xd1\x8b\xd1\x82\xd0\xb0\xd0\xbd\xd0\xb8\xd0\xb5",
          "xn--80akhbyknj4f" },
        { "\xd0\xbf\xd1\x80\xd0\xb8\xd0\xbc\xd0\xb5\xd1\x80", "xn--e1afmkfd" },
        { "\xe2\x98\x83", "xn--n3h" },
        { "i\xe2\x9d\xa4", "xn--i-7iq" },
        { "3\xe5\xb9\xb4"
          "b\xe7\xb5\x84\xe9\x87\x91\xe5\x85\xab\xe5\x85\x88\xe7\x94\x9f",
          "xn--3b-ww4c5e180e575a65lsy2b" },
        { "\xe4\xbb\x96\xe4\xbb\xac\xe4\xb8\xba\xe4\xbb\x80\xe4\xb9\x88\xe4\xb8\x8d\xe8\xaf\xb4\xe4"
          "\xb8\xad\xe6\x96\x87",
          "xn--ihqwcrb4cv8a8dqg056pqjye" },
        { "\xec\x95\x88\xeb\x85\x95\xed\x95\x98\xec\x84\xb8\xec\x9a\x94",
          "xn--o70b841ad5c9qb763b" },
        { "vi\xe1\xbb\x87t", "xn--vit-5kz" },
        { "\xd0\xbf\xd0\xbe\xd1\x87\xd0\xb5\xd0\xbc\xd1\x83\xd0\xb6\xd0\xb5\xd0\xbe\xd0\xbd\xd0\xb8"
          "\xd0\xbd\xd0\xb5\xd0\xb3\xd0\xbe\xd0\xb2\xd0\xbe\xd1\x80\xd1\x8f\xd1\x82\xd0\xbf\xd0\xbe"
          "\xd1\x80\xd1\x83\xd1\x81\xd1\x81\xd0\xba\xd0\xb8",
          "xn--b1abfaaepdrnnbgefbadotcwatmq2g4l" },
        { "\xd9\x84\xd9\x8a\xd9\x87\xd9\x85\xd8\xa7\xd8\xa8\xd8\xaa\xd9\x83\xd9\x84\xd9\x85\xd9\x88"
          "\xd8\xb4\xd8\xb9\xd8\xb1\xd8\xa8\xd9\x8a",
          "xn--mgbcah9ar9a4efegftvvn" },
        { "\xc3\xbf", "xn--wda" },
        { "\xc5\xbelu\xc5\xa5ou\xc4\x8dk\xc3\xbd", "xn--luouk-uva4it5a4g" },
        { "\xc4\x85\xc4\x87\xc4\x99\xc5\x82\xc5\x84\xc3\xb3\xc5\x9b\xc5\xba\xc5\xbc",
          "xn--kda9ag6e8jma6nxjsa" },
        { "na\xc3\xafve-caf\xc3\xa9", "xn--nave-caf-i1a7c" },
        { "a-\xc3\xbc-b", "xn--a--b-1ra" },
        { "\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc"
          "\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc"
          "\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc",
          "xn--tdaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" },
        { "M\xc3\x9cNCHEN", "xn--mnchen-3ya" },
        { "\xc5\xbdLU\xc5\xa4OU\xc4\x8cK\xc3\x9d", "xn--luouk-uva4it5a4g" },
        { "\xce\xa0\xce\x91\xce\xa1\xce\x86\xce\x94\xce\x95\xce\x99\xce\x93\xce\x9c\xce\x91",
          "xn--hxajbheg2az3al" },
        { "\xd0\x9f\xd0\xa0\xd0\x98\xd0\x9c\xd0\x95\xd0\xa0", "xn--e1afmkfd" },
        { "\xd0\x81\xd0\x96", "xn--f1a7c" },
        { "VI\xe1\xbb\x86T", "xn--vit-5kz" },
        { "\xc5\xb8\xc3\x91", "xn--ida1a" },
        { "\xc4\x84\xc5\x81\xc5\xbb", "xn--2da6jyg" },
        { "\xd4\xb1\xd5\x80", "xn--y9a4a" },
        { "\xef\xbc\xa1\xef\xbc\xa2\xef\xbc\xa3", "abc" },
        { "\xe6\x97\xa5\xe6\x9c\xac\xe3\x80\x82jp", "xn--wgv71a.jp" },
        { "\xc3\x9c.\xc3\x96", "xn--tda.xn--nda" },
        { "www.\xc3\x9c"
          "BER.de.",
          "www.xn--ber-goa.de." },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct err err;
        struct buf buf;

        buf_init(&buf, 4096);
        assert_true(idn_encode(str_of(rows[i].name), &buf, &err));
        buf_putc(&buf, '\0');
        assert_string_equal(buf.data, rows[i].ascii);
        assert_true(idn_same(str_of(rows[i].name), str_of(rows[i].ascii)));
        assert_false(idn_same(str_of(rows[i].name), STR("other")));
        buf_fini(&buf);
    }
}

static void what_is_not_clear_is_refused(UNUSED void **state)
{
    static const char *const rows[] = {
        "mu\xcc\x88nchen", /* a mark behind its letter */
        "a\xe2\x80\x8b"
        "b", /* a blank without width */
        "a\xc2\xad"
        "b", /* a hyphen that is not shown */
        "a\xc2\xa0"
        "b", /* a blank */
        "\xef\xbb\xbf"
        "a", /* a byte order mark */
        "\xe2\x80\xae"
        "a",        /* turns the direction */
        "\xc4\xb0", /* a capital of two small letters */
        "\xfc",     /* not UTF-8, from here on */
        "m\xc3",
        "\xc0\xaf",
        "\xed\xa0\x80",
        "\xf4\x90\x80\x80",
        "\xe2\x82",
        "\x80",
        "\xff",
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct err err;
        struct buf buf;

        buf_init(&buf, 4096);
        if (idn_encode(str_of(rows[i]), &buf, &err)) {
            fail_msg("row %zu is taken", i);
        }
        assert_int_equal(err.kind, ERR_USAGE);
        assert_false(idn_same(str_of(rows[i]), STR("a")));
        buf_fini(&buf);
    }
}

static void a_label_has_a_limit(UNUSED void **state)
{
    char name[600];
    struct err err;
    struct buf buf;

    buf_init(&buf, 4096);
    for (size_t i = 0; i + 1 < sizeof(name); i += 2) {
        name[i] = '\xc3';
        name[i + 1] = '\xbc';
    }
    assert_false(idn_encode((struct str){ name, sizeof(name) }, &buf, &err));
    assert_non_null(strstr(err.text, "63 bytes"));
    buf_fini(&buf);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_beyond_ascii_become_punycode),
        cmocka_unit_test(what_is_not_clear_is_refused),
        cmocka_unit_test(a_label_has_a_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
