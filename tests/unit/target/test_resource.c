/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/err.h"
#include "target/resource.h"

static void paths_stand_for_resources(UNUSED void **state)
{
    static const struct {
        const char *target;
        enum resource_kind kind;
        int status;
        int64_t bytes;
        enum delay_law law;
    } cases[] = {
        { "/", RESOURCE_PAGE, 200, 0, DELAY_NONE },
        { "/?17", RESOURCE_PAGE, 200, 0, DELAY_NONE },
        { "http://host:80/", RESOURCE_PAGE, 200, 0, DELAY_NONE },
        { "HTTP://host", RESOURCE_PAGE, 200, 0, DELAY_NONE },
        { "http://host/bytes/7?x", RESOURCE_BYTES, 200, 7, DELAY_NONE },
        { "/bytes/0", RESOURCE_BYTES, 200, 0, DELAY_NONE },
        { "/bytes/4k", RESOURCE_BYTES, 200, 4096, DELAY_NONE },
        { "/bytes/17179869184", RESOURCE_BYTES, 200, INT64_C(16) << 30, DELAY_NONE },
        { "/echo", RESOURCE_ECHO, 200, 0, DELAY_NONE },
        { "/status/200", RESOURCE_STATUS, 200, 0, DELAY_NONE },
        { "/status/999", RESOURCE_STATUS, 999, 0, DELAY_NONE },
        { "/delay?constant=20ms", RESOURCE_PAGE, 200, 0, DELAY_CONSTANT },
        { "/delay?exp=5ms&bytes=10", RESOURCE_BYTES, 200, 10, DELAY_EXP },
        { "/delay?bytes=1k&lognormal=5ms,0.5", RESOURCE_BYTES, 200, 1024, DELAY_LOGNORMAL },
        { "/delay?list=1ms:90,5ms:9,50ms:1", RESOURCE_PAGE, 200, 0, DELAY_LIST },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct resource resource;
        struct err err;
        int status = 0;

        assert_true(resource_parse(str_of(cases[i].target), &resource, &status, &err));
        assert_int_equal(resource.kind, cases[i].kind);
        assert_int_equal(resource.status, cases[i].status);
        assert_int_equal(resource.bytes, cases[i].bytes);
        assert_int_equal(resource.delay.law, cases[i].law);
    }
}

static void a_fault_is_named_by_all_behind_its_folder(UNUSED void **state)
{
    static const struct {
        const char *target, *fault;
    } cases[] = {
        { "/fault/empty", "empty" },
        { "http://host/fault/stall?bytes=5&x", "stall?bytes=5&x" },
        { "/fault/", "" },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct resource resource;
        struct err err;
        int status = 0;

        assert_true(resource_parse(str_of(cases[i].target), &resource, &status, &err));
        assert_int_equal(resource.kind, RESOURCE_FAULT);
        assert_true(str_eq(resource.fault, str_of(cases[i].fault)));
    }
}

static void what_is_no_resource_says_why(UNUSED void **state)
{
    static const struct {
        const char *target;
        int status;
        const char *part;
    } cases[] = {
        { "", 404, "nothing at ''" },
        { "*", 404, "nothing at '*'" },
        { "/nix", 404, "try /, /bytes/N" },
        { "/fault", 404, "or /fault/NAME" },
        { "/echo/", 404, "nothing at '/echo/'" },
        { "/bytes/", 400, "" },
        { "/bytes/-1", 400, "'-1'" },
        { "/bytes/17179869185", 400, "more than 16g" },
        { "/status/199", 400, "'199' is not a status from 200 to 999" },
        { "/status/1000", 400, "'1000'" },
        { "/status/20x", 400, "'20x'" },
        { "/delay", 400, "needs a law" },
        { "/delay?bytes=5", 400, "needs a law" },
        { "/delay?constant=1ms&exp=1ms", 400, "second law" },
        { "/delay?constant", 400, "'constant'" },
        { "/delay?constant=", 400, "" },
        { "/delay?constant=1ms&size=5", 400, "'size'" },
        { "/delay?constant=2h", 400, "longer than an hour" },
        { "/delay?lognormal=5ms", 400, "a median and a sigma" },
        { "/delay?lognormal=5ms,", 400, "" },
        { "/delay?list=1ms", 400, "has no weight" },
        { "/delay?list=1ms:0,2ms:0", 400, "all 0" },
        { "/delay?list=1ms:1,2ms:1,3ms:1,4ms:1,5ms:1,6ms:1,7ms:1,8ms:1,9ms:1,10ms:1,11ms:1,"
          "12ms:1,13ms:1,14ms:1,15ms:1,16ms:1,17ms:1",
          400, "at most 16" },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct resource resource = { .bytes = 4711 };
        struct err err = { .text = "" };
        int status = 0;

        assert_false(resource_parse(str_of(cases[i].target), &resource, &status, &err));
        assert_int_equal(status, cases[i].status);
        assert_non_null(strstr(err.text, cases[i].part));
        assert_true(err.text[0] != '\0');
        assert_int_equal(resource.bytes, 4711);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_stand_for_resources),
        cmocka_unit_test(a_fault_is_named_by_all_behind_its_folder),
        cmocka_unit_test(what_is_no_resource_says_why),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
