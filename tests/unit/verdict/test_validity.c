/* SPDX-License-Identifier: Apache-2.0 */
#include "verdict/validity.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "healthy.h"

static struct plan plan;
static struct result result;

static const struct check *check_of(const char *id)
{
    static const struct check none;

    for (size_t i = 0; i < result.check_count; i++) {
        if (strcmp(result.checks[i].id, id) == 0) {
            return &result.checks[i];
        }
    }
    fail_msg("no check %s", id);
    return &none;
}

static void busy(double value)
{
    result.generator.busy[1] = result.generator.busy_max = value;
}

static void no_threads(UNUSED double value)
{
    result.generator.threads = 0;
}

static void wait(double value)
{
    result.generator.run_wait = value;
}

/* Too short to accuse anybody; what Little's law compares stays as it is. */
static void shorten(void)
{
    result.users_mean *= (double)result.duration_ns / 50e6;
    result.duration_ns = 50 * MSEC_NS;
}

static void busy_for_a_moment(double value)
{
    busy(value);
    shorten();
}

static void wait_for_a_moment(double value)
{
    wait(value);
    shorten();
}

static void steal(double value)
{
    result.generator.steal = value;
}

static void descriptor(double value)
{
    healthy_fail(&result, FAIL_NO_DESCRIPTOR, (uint64_t)value);
}

static void port(double value)
{
    healthy_fail(&result, FAIL_NO_PORT, (uint64_t)value);
}

static void ports_used_kept(double value)
{
    result.machine.ports_used = value;
}

static void ports_used_close(double value)
{
    plan.close = true;
    result.machine.ports_used = value;
}

/* short connections a second that this side closes first, under a ceiling of 470 */
static void closes(double value)
{
    plan.close = true;
    result.machine.port_ceiling_per_s = 470.0;
    result.client_closes = HEALTHY_USERS + (uint64_t)(value * 11.0);
}

static void closes_full(double value)
{
    closes(value);
    result.machine.ports_used = 0.99;
}

static void many_users_close_once(double value)
{
    result.machine.port_ceiling_per_s = 470.0;
    plan.connections = (int64_t)value;
    result.client_closes = (uint64_t)value;
}

static void unix_socket(UNUSED double value)
{
    static char path[] = "/run/x.sock";

    plan.unix_path = path;
    result.machine.ports_used = NAN;
}

static void lose(double share)
{
    result.users_mean *= 1.0 + share;
}

static void nothing_completed(UNUSED double value)
{
    result.window_ok = 0;
    hist_reset(&result.checked_response);
}

static void unfinished(double value)
{
    result.counts.unfinished = result.totals.unfinished = (uint64_t)value;
    result.counts.started += (uint64_t)value;
    result.totals.started += (uint64_t)value;
    result.windows_started += (uint64_t)value;
    result.oldest_unfinished_ns = 5 * SEC_NS;
}

static void nothing_started(UNUSED double value)
{
    memset(&result.counts, 0, sizeof(result.counts));
    hist_reset(&result.latency[LATENCY_RESPONSE]);
}

static void step(double value_ms)
{
    result.machine.clock_step_ns = (int64_t)(value_ms * MSEC_NS);
}

static void step_with_stamps(double value_ms)
{
    result.generator.stamped = true;
    step(value_ms);
}

static void slow_clock(UNUSED double value)
{
    memcpy(result.machine.clocksource, "hpet", 5);
}

static void unknown_clock(UNUSED double value)
{
    result.machine.clocksource[0] = '\0';
}

/* response p99 is 2.8 ms */
static void dwell(double value_ms)
{
    struct hist *hist = &result.latency[LATENCY_DWELL];

    for (int i = 0; i < HEALTHY_ANSWERS / 50; i++) {
        hist_record(hist, (int64_t)(value_ms * MSEC_NS));
    }
}

static void dwell_of_a_few(double value_ms)
{
    hist_reset(&result.latency[LATENCY_DWELL]);
    hist_record(&result.latency[LATENCY_DWELL], (int64_t)(value_ms * MSEC_NS));
}

static void dwell_with_stamps(double value_ms)
{
    result.generator.stamped = true;
    dwell(value_ms);
}

static void no_dwell(UNUSED double value)
{
    hist_reset(&result.latency[LATENCY_DWELL]);
}

static void neighbour(double value)
{
    result.machine.neighbour_cores = value;
}

static void miscount(double value)
{
    result.windows_started += (uint64_t)value;
}

static void refuse(double value)
{
    healthy_fail(&result, FAIL_CONNECT_REFUSED, (uint64_t)value);
}

static void cancel(double value)
{
    healthy_fail(&result, FAIL_CANCELLED, (uint64_t)value);
}

static void reconnect(double value)
{
    result.totals.reconnects = (uint64_t)value;
}

static void short_connections(UNUSED double value)
{
    plan.close = true;
}

static const struct spoilt {
    const char *id;
    void (*spoil)(double value);
    double value;
    enum level level;
    bool invalid;
} spoilts[] = {
    { "V-GEN-CPU", busy, 0.85, LEVEL_OK, false },
    { "V-GEN-CPU", busy, 0.86, LEVEL_WARN, false },
    { "V-GEN-CPU", busy, 0.951, LEVEL_FAIL, true },
    { "V-GEN-CPU", busy_for_a_moment, 1.17, LEVEL_INFO, false },
    { "V-GEN-CPU", no_threads, 0, LEVEL_INFO, false },
    { "V-GEN-WAIT", wait, 0.02, LEVEL_OK, false },
    { "V-GEN-WAIT", wait, 0.03, LEVEL_WARN, false },
    { "V-GEN-WAIT", wait, 0.11, LEVEL_FAIL, true },
    { "V-GEN-WAIT", wait_for_a_moment, 0.7, LEVEL_INFO, false },
    { "V-GEN-WAIT", wait, NAN, LEVEL_INFO, false },
    { "V-GEN-STEAL", steal, 0.02, LEVEL_OK, false },
    { "V-GEN-STEAL", steal, 0.03, LEVEL_WARN, false },
    { "V-GEN-STEAL", steal, 0.11, LEVEL_FAIL, true },
    { "V-GEN-STEAL", steal, NAN, LEVEL_INFO, false },
    { "V-FD", descriptor, 0, LEVEL_OK, false },
    { "V-FD", descriptor, 1, LEVEL_FAIL, true },
    { "V-PORTS", port, 0, LEVEL_OK, false },
    { "V-PORTS", port, 1, LEVEL_FAIL, true },
    { "V-PORTS", ports_used_close, 0.70, LEVEL_OK, false },
    { "V-PORTS", ports_used_close, 0.71, LEVEL_WARN, false },
    { "V-PORTS", ports_used_kept, 0.99, LEVEL_OK, false },
    { "V-PORTS", ports_used_kept, NAN, LEVEL_OK, false },
    { "V-PORTS", ports_used_close, NAN, LEVEL_INFO, false },
    { "V-PORTS", closes, 200, LEVEL_OK, false },
    { "V-PORTS", closes, 240, LEVEL_WARN, false },
    { "V-PORTS", closes_full, 470, LEVEL_FAIL, true },
    { "V-PORTS", many_users_close_once, 10000, LEVEL_OK, false },
    { "V-PORTS", unix_socket, 0, LEVEL_OK, false },
    { "V-LITTLE", lose, 0.015, LEVEL_OK, false },
    { "V-LITTLE", lose, -0.015, LEVEL_OK, false },
    { "V-LITTLE", lose, 0.03, LEVEL_FAIL, true },
    { "V-LITTLE", lose, -0.03, LEVEL_FAIL, true },
    { "V-LITTLE", nothing_completed, 0, LEVEL_INFO, false },
    { "V-UNFIN", unfinished, 0, LEVEL_OK, false },
    { "V-UNFIN", unfinished, 100, LEVEL_OK, false },
    { "V-UNFIN", unfinished, 300, LEVEL_WARN, false },
    { "V-UNFIN", nothing_started, 0, LEVEL_INFO, false },
    { "V-CLOCK", step, 0.9, LEVEL_OK, false },
    { "V-CLOCK", step, -2, LEVEL_INFO, false },
    { "V-CLOCK", step, -400, LEVEL_WARN, false },
    { "V-CLOCK", step_with_stamps, 2, LEVEL_INFO, false },
    { "V-CLOCK", step_with_stamps, 51, LEVEL_FAIL, true },
    { "V-CLOCK", slow_clock, 0, LEVEL_WARN, false },
    { "V-CLOCK", unknown_clock, 0, LEVEL_INFO, false },
    { "V-DWELL", dwell, 0.20, LEVEL_OK, false },
    { "V-DWELL", dwell, 0.40, LEVEL_WARN, false },
    { "V-DWELL", dwell, 1.60, LEVEL_FAIL, true },
    { "V-DWELL", dwell_with_stamps, 0.40, LEVEL_OK, false },
    { "V-DWELL", dwell_with_stamps, 1.60, LEVEL_WARN, false },
    { "V-DWELL", dwell_of_a_few, 1.60, LEVEL_INFO, false },
    { "V-DWELL", no_dwell, 0, LEVEL_INFO, false },
    { "V-LOAD", neighbour, 0.10, LEVEL_OK, false },
    { "V-LOAD", neighbour, 0.43, LEVEL_WARN, false },
    { "V-LOAD", neighbour, NAN, LEVEL_INFO, false },
    { "V-COUNT", miscount, 0, LEVEL_OK, false },
    { "V-COUNT", miscount, 1, LEVEL_FAIL, true },
    { "V-ERR", refuse, 0, LEVEL_OK, false },
    { "V-ERR", refuse, 100, LEVEL_OK, false },
    { "V-ERR", refuse, 201, LEVEL_WARN, false },
    { "V-ERR", cancel, 5000, LEVEL_OK, false },
    { "V-ERR", nothing_started, 0, LEVEL_INFO, false },
    { "V-KEEP", reconnect, 0, LEVEL_OK, false },
    { "V-KEEP", reconnect, 220, LEVEL_INFO, false },
    { "V-KEEP", short_connections, 0, LEVEL_OK, false },
};

static void each_check_is_provoked_and_silent_at_its_thresholds(UNUSED void **state)
{
    for (size_t i = 0; i < COUNT_OF(spoilts); i++) {
        const struct spoilt *spoilt = &spoilts[i];
        const struct check *check;

        healthy_make(&result, &plan);
        spoilt->spoil(spoilt->value);
        validity_judge(&result);
        check = check_of(spoilt->id);
        if (check->level != spoilt->level || result.valid == spoilt->invalid) {
            fail_msg("row %zu, %s at %g is %s: %s", i, spoilt->id, spoilt->value,
                     level_word(check->level), check->text);
        }
        assert_true(check->text[0] != '\0');
        assert_null(strchr(check->text, '\n'));
        assert_false(isinf(check->value));
        assert_false(isinf(check->limit));
    }
}

static const struct check *failed_besides(const char *id)
{
    for (size_t i = 0; i < result.check_count; i++) {
        if (result.checks[i].level == LEVEL_FAIL && strcmp(result.checks[i].id, id) != 0) {
            return &result.checks[i];
        }
    }
    return NULL;
}

static void what_is_spoilt_for_one_check_leaves_the_others_alone(UNUSED void **state)
{
    for (size_t i = 0; i < COUNT_OF(spoilts); i++) {
        const struct check *other;

        healthy_make(&result, &plan);
        spoilts[i].spoil(spoilts[i].value);
        validity_judge(&result);
        other = failed_besides(spoilts[i].id);
        if (other != NULL) {
            fail_msg("row %zu: %s says %s", i, other->id, other->text);
        }
    }
}

static void a_healthy_run_has_every_check_and_all_are_silent(UNUSED void **state)
{
    healthy_make(&result, &plan);
    validity_judge(&result);
    assert_true(result.valid);
    for (size_t i = 0; i < COUNT_OF(spoilts); i++) {
        assert_int_equal(check_of(spoilts[i].id)->level, LEVEL_OK);
    }
    for (size_t i = 0; i < result.check_count; i++) {
        for (size_t k = 0; k < i; k++) {
            assert_string_not_equal(result.checks[i].id, result.checks[k].id);
        }
    }
}

static void only_the_generators_failures_make_a_result_invalid(UNUSED void **state)
{
    healthy_make(&result, &plan);
    healthy_fail(&result, FAIL_STATUS, HEALTHY_ANSWERS / 2);
    unfinished(50000);
    validity_judge(&result);
    assert_int_equal(check_of("V-ERR")->about, ABOUT_SERVER);
    assert_int_equal(check_of("V-UNFIN")->about, ABOUT_SAMPLE);
    assert_true(result.valid);
}

static void the_texts_say_who_and_how_much(UNUSED void **state)
{
    healthy_make(&result, &plan);
    busy(0.97);
    neighbour(0.43);
    refuse(4600);
    reconnect(219);
    validity_judge(&result);
    assert_string_equal(check_of("V-GEN-CPU")->text,
                        "generator: thread 2 was 97 % busy; the results are the generator's, not "
                        "the server's");
    assert_string_equal(check_of("V-LOAD")->text, "another process (sshd) used 43 % of a core");
    assert_string_equal(check_of("V-ERR")->text, "2.3 % failed, most by connect-refused");
    assert_non_null(strstr(check_of("V-KEEP")->text, "219 times"));
    assert_non_null(strstr(check_of("V-KEEP")->text, "818 requests"));
}

static void users_that_hung_from_before_the_measured_time_are_told(UNUSED void **state)
{
    healthy_make(&result, &plan);
    result.totals.unfinished += 2;
    result.totals.started += 2;
    result.windows_started += 2;
    result.oldest_unfinished_ns = 12 * SEC_NS;
    validity_judge(&result);
    assert_int_equal(check_of("V-COUNT")->level, LEVEL_OK);
    assert_int_equal(check_of("V-UNFIN")->level, LEVEL_WARN);
    assert_string_equal(check_of("V-UNFIN")->text,
                        "2 requests from before the measured time never finished, the oldest after "
                        "12.0 s: so many users did nothing else");
    assert_true(result.valid);
}

static void failures_that_cost_connections_are_no_habit_of_the_server(UNUSED void **state)
{
    healthy_make(&result, &plan);
    reconnect(219);
    result.totals.by_failure[FAIL_RESET] = 219;
    validity_judge(&result);
    assert_string_equal(check_of("V-KEEP")->text,
                        "kept-alive connections were opened anew 219 times, after failures");
}

static void errors_that_come_sooner_than_answers_are_told(UNUSED void **state)
{
    healthy_make(&result, &plan);
    refuse(4600);
    hist_reset(&result.latency[LATENCY_FAILED_RESPONSE]);
    for (int i = 0; i < 4600; i++) {
        hist_record(&result.latency[LATENCY_FAILED_RESPONSE], 400 * USEC_NS);
    }
    validity_judge(&result);
    assert_non_null(strstr(check_of("V-ERR")->text, "sooner than good answers"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_check_is_provoked_and_silent_at_its_thresholds),
        cmocka_unit_test(what_is_spoilt_for_one_check_leaves_the_others_alone),
        cmocka_unit_test(a_healthy_run_has_every_check_and_all_are_silent),
        cmocka_unit_test(only_the_generators_failures_make_a_result_invalid),
        cmocka_unit_test(the_texts_say_who_and_how_much),
        cmocka_unit_test(users_that_hung_from_before_the_measured_time_are_told),
        cmocka_unit_test(failures_that_cost_connections_are_no_habit_of_the_server),
        cmocka_unit_test(errors_that_come_sooner_than_answers_are_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
