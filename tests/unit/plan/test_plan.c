/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "plan/plan.h"
#include "plan/plan_options.h"

enum { PAIRS_MAX = 6, SEED = 4711 };

/* Options by name and value; "TARGET" is the target. */
struct given {
    const char *pairs[PAIRS_MAX][2];
};

static void fill(struct plan *plan, const struct given *given)
{
    struct opt_set set = { plan_options, plan };
    struct opt_spec spec = { &set, 1, NULL };
    struct err err;

    plan_init(plan);
    plan->target = mem_strdup("http://127.0.0.1:8080/x");
    for (size_t i = 0; i < PAIRS_MAX && given->pairs[i][0] != NULL; i++) {
        const char *name = given->pairs[i][0], *value = given->pairs[i][1];

        if (strcmp(name, "TARGET") == 0) {
            mem_free(plan->target);
            plan->target = mem_strdup(value);
            plan->self = strcmp(value, "self") == 0;
            continue;
        }
        assert_true(opt_assign(opt_find(&spec, str_of(name), NULL), plan, str_of(value), &err));
    }
}

static void what_was_not_given_follows_from_the_rest(UNUSED void **state)
{
    static const struct {
        struct given given;
        int64_t duration_ns, warmup_ns, drain_ns, connections, threads;
    } cases[] = {
        { { { { NULL } } }, 10 * SEC_NS, 500 * MSEC_NS, 5 * SEC_NS, 50, 0 },
        { { { { "duration", "1h" } } }, 3600 * SEC_NS, SEC_NS, 4550 * MSEC_NS, 50, 0 },
        { { { { "connections", "2000" } } }, 10 * SEC_NS, 500 * MSEC_NS, 3100 * MSEC_NS, 2000, 0 },
        { { { { "connections", "9000" } } }, 10 * SEC_NS, 500 * MSEC_NS, SEC_NS, 9000, 0 },
        { { { { "duration", "1s" }, { "warmup", "0" } } }, SEC_NS, 0, 5 * SEC_NS, 50, 0 },
        { { { { "timeout", "2s" } } }, 10 * SEC_NS, 500 * MSEC_NS, 2 * SEC_NS, 50, 0 },
        { { { { "timeout", "2s" }, { "drain", "9s" } } },
          10 * SEC_NS,
          500 * MSEC_NS,
          9 * SEC_NS,
          50,
          0 },
        { { { { "requests", "100" } } }, 0, 0, 5 * SEC_NS, 50, 0 },
        { { { { "requests", "100" }, { "duration", "3s" } } }, 3 * SEC_NS, 0, 5 * SEC_NS, 50, 0 },
        { { { { "requests", "3" } } }, 0, 0, 5 * SEC_NS, 3, 0 },
        { { { { "connections", "2" }, { "threads", "8" } } },
          10 * SEC_NS,
          500 * MSEC_NS,
          5 * SEC_NS,
          2,
          2 },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct plan plan;
        struct err err;

        fill(&plan, &cases[i].given);
        assert_true(plan_check(&plan, SEED, &err));
        assert_int_equal(plan.duration_ns, cases[i].duration_ns);
        assert_int_equal(plan.warmup_ns, cases[i].warmup_ns);
        assert_int_equal(plan.drain_ns, cases[i].drain_ns);
        assert_int_equal(plan.connections, cases[i].connections);
        assert_int_equal(plan.threads, cases[i].threads);
        assert_int_equal(plan.ramp_ns, cases[i].connections * MSEC_NS);
        assert_int_equal(plan.seed, SEED);
        plan_fini(&plan);
    }
}

static void what_cannot_be_sent_is_refused_before_the_start(UNUSED void **state)
{
    static const struct {
        struct given given;
        const char *hint;
    } cases[] = {
        { { { { "key", "/tmp/key.pem" } } }, "--cert" },
        { { { { "insecure", "" }, { "cacert", "/tmp/ca.pem" } } }, "give one" },
        { { { { "proxytunnel", "" } } }, "--proxy URL" },
        { { { { "TARGET", "htt" } } }, "http://htt/" },
        { { { { "TARGET", "ftp://a.host/" } } }, "http" },
        { { { { "header", "A: b\r\nC: d" } } }, "header" },
        { { { { "header", "no colon" } } }, "colon" },
        { { { { "TARGET", "self" }, { "header", "no colon" } } }, "colon" },
        { { { { "TARGET", "self" }, { "unix", "/tmp/s" } } }, "self" },
        { { { { "method", "GE T" } } }, "method" },
        { { { { "method", "CONNECT" } } }, "tunnel" },
        { { { { "header", "Content-Length: 5" }, { "data", "abc" } } }, "ength" },
        { { { { "user", "50" } } }, "-c 50" },
        { { { { "bind", "eth0" } } }, "192.0.2.1" },
        { { { { "bind", "127.0.0.1," } } }, "192.0.2.1" },
        { { { { "bind", "::1" }, { "ipv4", "" } } }, "-4" },
        { { { { "bind", "127.0.0.1" }, { "ipv6", "" } } }, "-6" },
        { { { { "bind", "127.0.0.1" }, { "unix", "/tmp/s" } } }, "unix" },
        { { { { "unix", "/tmp/s" }, { "ipv6", "" } } }, "-6" },
        { { { { "unix", "/0123456789012345678901234567890123456789012345678901234567890123456789"
                        "01234567890123456789012345678901234567890123456789" } } },
          "107 bytes" },
        { { { { "requests", "10" }, { "warmup", "1s" } } }, "-n counts every request" },
        { { { { "data", "@/nowhere" } } }, "/nowhere" },
        { { { { "TARGET", "self" }, { "resolve", "*:80:::1" } } }, "URL with --resolve" },
        { { { { "TARGET", "self" }, { "connect-to", "::b:" } } }, "URL with --connect-to" },
        { { { { "unix", "/tmp/s" }, { "resolve", "*:80:::1" } } }, "--resolve: a unix socket" },
        { { { { "unix", "/tmp/s" }, { "connect-to", "::b:" } } }, "--connect-to: a unix socket" },
        { { { { "TARGET", "a.host" }, { "resolve", "b.host:80:::1" } } }, "none is for a.host:80" },
        { { { { "TARGET", "a.host" }, { "connect-to", ":81:b:" } } }, "the target's a.host:80" },
        { { { { "TARGET", "a.host" }, { "connect-to", "::b:" }, { "resolve", "a.host:80:::1" } } },
          "none is for b:80, which is connected to" },
        { { { { "method", "HEAD" }, { "expect-body", "a" } } },
          "--expect-body: the answer to HEAD" },
        { { { { "method", "HEAD" }, { "expect-length", "1" } } }, "--expect-length: the answer" },
        { { { { "expect-body", "abc" }, { "expect-length", "2" } } }, "in no body of the 2 bytes" },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct plan plan;
        struct err err = { 0 };

        fill(&plan, &cases[i].given);
        if (plan_check(&plan, SEED, &err)) {
            fail_msg("the case of '%s' was accepted", cases[i].hint);
        }
        assert_int_equal(err.kind, ERR_USAGE);
        if (strstr(err.text, cases[i].hint) == NULL) {
            fail_msg("'%s' does not name '%s'", err.text, cases[i].hint);
        }
        plan_fini(&plan);
    }
}

static void promises_without_errors_imply_some(UNUSED void **state)
{
    static const struct {
        struct given given;
        size_t count;
        bool implied;
    } cases[] = {
        { { { { NULL } } }, 0, false },
        { { { { "slo", "p95:25ms" } } }, 2, true },
        { { { { "slo", "p95:25ms" }, { "slo", "errors:5%" } } }, 2, false },
        { { { { "slo", "errors:5%" } } }, 1, false },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct plan plan;
        struct err err;

        fill(&plan, &cases[i].given);
        /* Twice, since a plan may be checked again after a change. */
        assert_true(plan_check(&plan, SEED, &err));
        assert_true(plan_check(&plan, SEED, &err));
        assert_int_equal(plan.slo_count, cases[i].count);
        if (plan.slo_count > 0) {
            const struct slo *last = &plan.slos[plan.slo_count - 1];

            assert_int_equal(last->implied, cases[i].implied);
            assert_int_equal(last->metric, SLO_ERRORS);
        }
        plan_fini(&plan);
    }
}

static void a_given_ramp_stays(UNUSED void **state)
{
    static const struct given given = { { { "ramp", "0" }, { "connections", "2k" } } };
    struct plan plan;
    struct err err;

    fill(&plan, &given);
    assert_true(plan_check(&plan, SEED, &err));
    assert_int_equal(plan.ramp_ns, 0);
    plan_fini(&plan);
}

static void a_given_seed_stays(UNUSED void **state)
{
    static const struct given given = { { { "seed", "0" } } };
    struct plan plan;
    struct err err;

    fill(&plan, &given);
    assert_true(plan_check(&plan, SEED, &err));
    assert_int_equal(plan.seed, 0);
    plan_fini(&plan);
}

static void source_addresses_become_one_an_item(UNUSED void **state)
{
    static const struct given given = { { { "bind", "127.0.0.1, 127.0.0.2" },
                                          { "bind", "127.0.0.3" } } };
    struct plan plan;
    struct err err;

    fill(&plan, &given);
    assert_true(plan_check(&plan, SEED, &err));
    assert_int_equal(plan.bind.count, 3);
    assert_string_equal(plan.bind.items[1], "127.0.0.2");
    assert_string_equal(plan.bind.items[2], "127.0.0.3");
    plan_fini(&plan);
}

static void the_request_is_what_the_plan_says(UNUSED void **state)
{
    static const struct given given = { { { "TARGET", "http://a.host/x?y=1" },
                                          { "data", "k=v" },
                                          { "header", "X-A: b" },
                                          { "user", "u:p" } } };
    struct plan plan;
    struct err err;
    struct buf buf;

    fill(&plan, &given);
    assert_true(plan_check(&plan, SEED, &err));
    buf_init(&buf, 4096);
    assert_true(plan_encode_request(&plan, 0, &buf, &err));
    assert_true(str_starts(buf_str(&buf), STR("POST /x?y=1 HTTP/1.1\r\n")));
    assert_non_null(strstr(buf.data, "\r\nHost: a.host\r\n"));
    assert_non_null(strstr(buf.data, "\r\nX-A: b\r\n"));
    assert_non_null(strstr(buf.data, "Authorization: Basic dTpw\r\n"));
    assert_non_null(strstr(buf.data, "application/x-www-form-urlencoded\r\n"));
    assert_true(str_ends(buf_str(&buf), STR("\r\n\r\nk=v")));
    buf_fini(&buf);
    plan_fini(&plan);
}

static void a_request_that_is_encoded_already_is_sent_as_it_is(UNUSED void **state)
{
    static const struct given given = { { { "TARGET", "http://a.host/x" } } };
    struct str request = STR("GET /y HTTP/1.0\r\nhost: b.host\r\n\r\n");
    struct plan plan;
    struct err err;
    struct buf buf;

    fill(&plan, &given);
    plan.encoded = request;
    assert_true(plan_check(&plan, SEED, &err));
    buf_init(&buf, 4096);
    assert_true(plan_encode_request(&plan, 0, &buf, &err));
    assert_true(str_eq(buf_str(&buf), request));
    buf_fini(&buf);
    buf_init(&buf, 10);
    assert_false(plan_encode_request(&plan, 0, &buf, &err));
    assert_int_equal(err.kind, ERR_LIMIT);
    buf_fini(&buf);
    plan_fini(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_not_given_follows_from_the_rest),
        cmocka_unit_test(what_cannot_be_sent_is_refused_before_the_start),
        cmocka_unit_test(promises_without_errors_imply_some),
        cmocka_unit_test(a_given_ramp_stays),
        cmocka_unit_test(a_given_seed_stays),
        cmocka_unit_test(source_addresses_become_one_an_item),
        cmocka_unit_test(the_request_is_what_the_plan_says),
        cmocka_unit_test(a_request_that_is_encoded_already_is_sent_as_it_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
