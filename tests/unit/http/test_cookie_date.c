/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/err.h"
#include "guard.h"
#include "http/cookie_date.h"

static bool parse(const char *text, int64_t *ret_s)
{
    struct guard guard = guard_put(str_of(text));
    bool ok = cookie_date_parse(guard.text, ret_s);

    guard_drop(&guard);
    return ok;
}

static void dates_are_read_in_every_form(UNUSED void **state)
{
    static const struct {
        const char *text;
        int64_t s;
    } rows[] = {
        { "Thu, 01 Jan 1970 00:00:00 GMT", 0 },
        { "Wed, 23-Aug-2023 10:20:30 GMT", 1692786030 },
        { "Wed, 23 Aug 2023 10:20:30 GMT", 1692786030 },
        { "Wed Aug 23 10:20:30 2023", 1692786030 },
        { "Wednesday, 23-Aug-23 10:20:30 GMT", 1692786030 },
        { "2023 23 aug 10:20:30", 1692786030 },
        { "10:20:30 AUGUST 23th 2023", 1692786030 },
        { "23;Aug;2023;10:20:30.123+0200", 1692786030 },
        { "23 Aug 2023 10:20:30x 99", 1692786030 },
        { "\t 1 Jan 1970 1:2:3", 3723 },
        { "31 Dec 1969 23:59:59", -1 },
        { "31 Dec 69 23:59:59", 3155759999 },
        { "1 Jan 70 0:0:0", 0 },
        { "1 Jan 00 0:0:0", 946684800 },
        { "29 Feb 2024 00:00:00", 1709164800 },
        { "29 Feb 2000 00:00:00", 951782400 },
        { "1 Mar 2100 00:00:00", 4107542400 },
        { "1 Jan 1601 00:00:00", -11644473600 },
        { "31 Dec 9999 23:59:59", 253402300799 },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        int64_t s = -7;

        if (!parse(rows[i].text, &s)) {
            fail_msg("'%s' is no date", rows[i].text);
        }
        if (s != rows[i].s) {
            fail_msg("'%s' is %lld", rows[i].text, (long long)s);
        }
    }
}

static void what_is_no_date_is_refused(UNUSED void **state)
{
    static const char *const rows[] = {
        "",
        "0",
        "tomorrow",
        "23 Aug 2023",
        "23 Aug 10:20:30",
        "Aug 2023 10:20:30",
        "23 2023 10:20:30",
        "23 Aug 2023 10:20",
        "23 Aug 2023 24:00:00",
        "23 Aug 2023 10:60:00",
        "23 Aug 2023 10:20:60",
        "0 Aug 2023 10:20:30",
        "32 Aug 2023 10:20:30",
        "31 Apr 2023 10:20:30",
        "29 Feb 2023 10:20:30",
        "29 Feb 1900 10:20:30",
        "23 Aug 1600 10:20:30",
        "23 Aug 20233 10:20:30",
        "23 Aug 3 10:20:30",
        "123 Aug 2023 10:20:30",
        "23 Aug 2023 100:20:30",
        "23 Aug 2023 10:20:300",
        "23 Au 2023 10:20:30",
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        int64_t s = -7;

        if (parse(rows[i], &s)) {
            fail_msg("'%s' is a date: %lld", rows[i], (long long)s);
        }
        assert_int_equal(s, -7);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(dates_are_read_in_every_form),
        cmocka_unit_test(what_is_no_date_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
