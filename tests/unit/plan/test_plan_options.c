/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/clock.h"
#include "plan/plan.h"
#include "plan/plan_options.h"

static bool assign(struct plan *plan, const char *name, const char *value, struct err *err)
{
    struct opt_set set = { plan_options, plan };
    struct opt_spec spec = { &set, 1, NULL };
    const struct opt *row = opt_find(&spec, str_of(name), NULL);

    assert_non_null(row);
    return opt_assign(row, plan, str_of(value), err);
}

static void a_plan_begins_with_the_defaults_of_the_table(UNUSED void **state)
{
    struct plan plan;

    plan_init(&plan);
    assert_int_equal(plan.connections, 50);
    assert_int_equal(plan.requests, 0);
    assert_int_equal(plan.duration_ns, 0);
    assert_int_equal(plan.timeout_ns, 30 * SEC_NS);
    assert_int_equal(plan.connect_timeout_ns, 10 * SEC_NS);
    assert_int_equal(plan.ramp_ns, -1);
    assert_int_equal(plan.warmup_ns, -1);
    assert_int_equal(plan.drain_ns, -1);
    assert_int_equal(plan.expect_length, -1);
    assert_null(plan.expect_body);
    assert_int_equal(plan.http, HTTP_1_1);
    assert_int_equal(plan.family, PLAN_ANY);
    assert_true(plan_status_good(&plan.expect_status, 200));
    assert_true(plan_status_good(&plan.expect_status, 399));
    assert_false(plan_status_good(&plan.expect_status, 400));
    assert_false(plan_status_good(&plan.expect_status, 199));
    plan_fini(&plan);
}

static void every_option_reaches_its_field(UNUSED void **state)
{
    struct plan plan;
    struct err err;
    static const char *const rows[][2] = {
        { "connections", "10k" },
        { "requests", "5M" },
        { "duration", "2m" },
        { "ramp", "3s" },
        { "close", "" },
        { "threads", "4" },
        { "warmup", "2s" },
        { "timeout", "5s" },
        { "connect-timeout", "1s" },
        { "drain", "0" },
        { "method", "PUT" },
        { "header", "A: 1" },
        { "header", "B: 2" },
        { "data", "x=1" },
        { "user", "me:secret" },
        { "host", "h" },
        { "http", "1.0" },
        { "bind", "127.0.0.1,127.0.0.2" },
        { "unix", "/tmp/s" },
        { "ipv6", "" },
        { "expect-status", "404" },
        { "slo", "p95:25ms" },
        { "slo", "errors:2%" },
        { "strict", "" },
        { "server", "none" },
        { "seed", "71" },
        { "name", "nightly" },
        { "tag", "branch=main" },
        { "note", "a remark" },
        { "expect-length", "4096" },
        { "connect-to", "::a.host:" },
        { "proxy", "proxy:3128" },
        { "resolve", "*:80:::1" },
        { "expect-body", "\"ok\"" },
    };

    plan_init(&plan);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_true(assign(&plan, rows[i][0], rows[i][1], &err));
    }
    assert_int_equal(plan.connections, 10000);
    assert_int_equal(plan.requests, 5000000);
    assert_int_equal(plan.duration_ns, 120 * SEC_NS);
    assert_int_equal(plan.ramp_ns, 3 * SEC_NS);
    assert_true(plan.close);
    assert_int_equal(plan.threads, 4);
    assert_int_equal(plan.warmup_ns, 2 * SEC_NS);
    assert_int_equal(plan.timeout_ns, 5 * SEC_NS);
    assert_int_equal(plan.connect_timeout_ns, SEC_NS);
    assert_int_equal(plan.drain_ns, 0);
    assert_string_equal(plan.method, "PUT");
    assert_int_equal(plan.headers.count, 2);
    assert_string_equal(plan.headers.items[1], "B: 2");
    assert_string_equal(plan.data, "x=1");
    assert_string_equal(plan.userpass, "me:secret");
    assert_string_equal(plan.host, "h");
    assert_int_equal(plan.http, HTTP_1_0);
    assert_int_equal(plan.bind.count, 1);
    assert_string_equal(plan.unix_path, "/tmp/s");
    assert_int_equal(plan.family, PLAN_IPV6);
    assert_true(plan_status_good(&plan.expect_status, 404));
    assert_false(plan_status_good(&plan.expect_status, 200));
    assert_string_equal(plan.connect_to.items[0], "::a.host:");
    assert_string_equal(plan.proxy, "proxy:3128");
    assert_string_equal(plan.resolve.items[0], "*:80:::1");
    assert_int_equal(plan.expect_length, 4096);
    assert_string_equal(plan.expect_body, "\"ok\"");
    assert_int_equal(plan.slo_count, 2);
    assert_true(plan.strict);
    assert_true(plan.seed_given);
    assert_int_equal(plan.seed, 71);
    assert_string_equal(plan.name, "nightly");
    assert_string_equal(plan.tags.items[0], "branch=main");
    assert_string_equal(plan.note, "a remark");
    plan_fini(&plan);
}

static void a_bad_value_is_told_what_is_right(UNUSED void **state)
{
    static const struct {
        const char *name, *value, *hint;
    } cases[] = {
        { "connections", "0", "at least 1" },
        { "connections", "2M", "at most 1,000,000" },
        { "connections", "1.5", "100, 10k or 2M" },
        { "requests", "0", "at least 1" },
        { "duration", "{\"a\":1}", "--data" },
        { "duration", "name=value", "--data" },
        { "duration", "", "a time" },
        { "duration", "-3s", "'-3s' is not a time" },
        { "duration", "nan", "'nan' is not a time" },
        { "duration", "body.json", "--data" },
        { "duration", "@body", "--data" },
        { "threads", "20000", "--timeout" },
        { "duration", "10x", "10s" },
        { "duration", "0", "1ms" },
        { "duration", "9000h", "a year" },
        { "warmup", "auto", "not in this version yet" },
        { "warmup", "x", "10s" },
        { "threads", "10s", "-d 10s" },
        { "threads", "2m", "-d 2m" },
        { "threads", "0", "between 1 and" },
        { "threads", "1025", "between 1 and" },
        { "threads", "many", "-d 10s" },
        { "timeout", "0", "at least" },
        { "http", "2", "not in this version yet" },
        { "http", "h2c", "not in this version yet" },
        { "http", "0.9", "1.1 or 1.0" },
        { "expect-status", "ok", "2xx" },
        { "connect-to", "a.host", "HOST1:PORT1:HOST2:PORT2" },
        { "resolve", "a.host:80:b.host", "HOST:PORT:ADDR[,ADDR]" },
        { "expect-length", "4k", "4096" },
        { "expect-length", "-1", "4096" },
        { "expect-length", "9223372036854775808", "4096" },
        { "expect-body", "", "variable" },
        { "slo", "p95", "p95:25ms" },
        { "server", "local", "not in this version yet" },
        { "seed", "x", "71" },
        { "tag", "main", "branch=main" },
        { "tag", "=main", "branch=main" },
        { "method", "", "variable" },
        { "header", "", "variable" },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct plan plan;
        struct err err = { 0 };

        plan_init(&plan);
        assert_false(assign(&plan, cases[i].name, cases[i].value, &err));
        assert_int_equal(err.kind, ERR_USAGE);
        if (strstr(err.text, cases[i].hint) == NULL) {
            fail_msg("--%s '%s': '%s' does not name '%s'", cases[i].name, cases[i].value, err.text,
                     cases[i].hint);
        }
        plan_fini(&plan);
    }
}

static void data_where_a_time_belongs_is_not_repeated(UNUSED void **state)
{
    struct plan plan;
    struct err err;

    plan_init(&plan);
    assert_false(assign(&plan, "duration", "password=hunter2", &err));
    assert_null(strstr(err.text, "hunter2"));
    plan_fini(&plan);
}

static void there_is_a_limit_to_promises(UNUSED void **state)
{
    struct plan plan;
    struct err err;

    plan_init(&plan);
    for (int i = 0; i < SLO_MAX_COUNT; i++) {
        assert_true(assign(&plan, "slo", "p95:25ms", &err));
    }
    assert_false(assign(&plan, "slo", "p95:25ms", &err));
    assert_int_equal(plan.slo_count, SLO_MAX_COUNT);
    plan_fini(&plan);
}

static void no_two_options_share_a_spelling(UNUSED void **state)
{
    struct opt_set set = { plan_options, NULL };
    struct opt_spec spec = { &set, 1, NULL };

    for (const struct opt *row = plan_options; row->name != NULL; row++) {
        struct str rest = str_of(row->aliases), alias;

        assert_ptr_equal(opt_find(&spec, str_of(row->name), NULL), row);
        while (str_cut(&rest, ',', &alias)) {
            assert_ptr_equal(opt_find(&spec, alias, NULL), row);
        }
        for (const char *letter = row->letters; letter != NULL && *letter != '\0'; letter++) {
            assert_ptr_equal(opt_find_letter(&spec, *letter, NULL), row);
        }
        assert_non_null(row->group);
        assert_non_null(row->help);
        assert_true(!opt_takes_value(row) || row->arg != NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_begins_with_the_defaults_of_the_table),
        cmocka_unit_test(every_option_reaches_its_field),
        cmocka_unit_test(a_bad_value_is_told_what_is_right),
        cmocka_unit_test(data_where_a_time_belongs_is_not_repeated),
        cmocka_unit_test(there_is_a_limit_to_promises),
        cmocka_unit_test(no_two_options_share_a_spelling),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
