/* SPDX-License-Identifier: Apache-2.0 */
#include "verdict/validity.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/unit.h"
#include "verdict/audit.h"
#include "verdict/little.h"

static void say(struct check *check, const char *format, ...) PRINTF_LIKE(2, 3);

static void say(struct check *check, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(check->text, sizeof(check->text), format, arguments);
    va_end(arguments);
}

/* The level of a value that is better when it is smaller, and the limit that it passed or has to
 * mind next. false for a value that is not known. */
static bool grade(struct check *check, double value, double warn, double fail)
{
    check->value = value;
    check->limit = warn;
    if (isnan(value)) {
        check->level = LEVEL_INFO;
        return false;
    }
    if (value > fail) {
        check->level = LEVEL_FAIL;
        check->limit = fail;
    } else {
        check->level = value > warn ? LEVEL_WARN : LEVEL_OK;
    }
    return true;
}

/* Shares of a time that is no longer than a few turns of the scheduler, and percentiles of a
 * handful of samples, accuse nobody: what they say is shown, and no more. */
static const double judged_least_ns = 100e6;
static const uint64_t judged_least_samples = 100;

static void only_show(struct check *check)
{
    if (check->level != LEVEL_OK) {
        check->level = LEVEL_INFO;
    }
}

/* For checks that know no such level. */
static const double never = HUGE_VAL;

static double share(uint64_t part, uint64_t of)
{
    return of == 0 ? (double)NAN : (double)part / (double)of;
}

/* Busy: a thread near all of its time has no time left to send what is due, or to read what came.
 */
static const double busy_warn = 0.85, busy_fail = 0.95;

static void check_gen_cpu(const struct result *result, struct check *check)
{
    const struct generator *generator = &result->generator;
    char busy[UNIT_TEXT_MAX];
    unsigned busiest = 0;

    if (!grade(check, generator->threads == 0 ? (double)NAN : generator->busy_max, busy_warn,
               busy_fail)) {
        say(check, "generator: how busy it was is not known");
        return;
    }
    if ((double)result->duration_ns < judged_least_ns) {
        only_show(check);
    }
    for (unsigned i = 1; i < generator->threads && i < RESULT_THREADS_MAX; i++) {
        busiest = generator->busy[i] > generator->busy[busiest] ? i : busiest;
    }
    say(check, "generator: thread %u was %s busy%s", busiest + 1,
        unit_format_share(check->value, busy),
        check->level == LEVEL_FAIL   ? "; the results are the generator's, not the server's"
        : check->level == LEVEL_WARN ? "; it is near its limit"
                                     : "");
}

/* Time that a thread was ready but had no CPU: all that is measured meanwhile is late. */
static const double wait_warn = 0.02, wait_fail = 0.10;

static void check_gen_wait(const struct result *result, struct check *check)
{
    char wait[UNIT_TEXT_MAX];

    if (grade(check, result->generator.run_wait, wait_warn, wait_fail)) {
        if ((double)result->duration_ns < judged_least_ns) {
            only_show(check);
        }
        say(check, "generator: waited %s of the time for a CPU",
            unit_format_share(check->value, wait));
    } else {
        say(check, "generator: how long it waited for a CPU is not known");
    }
}

static const double steal_warn = 0.02, steal_fail = 0.10;

static void check_gen_steal(const struct result *result, struct check *check)
{
    char steal[UNIT_TEXT_MAX];

    if (grade(check, result->generator.steal, steal_warn, steal_fail)) {
        say(check, "this machine lost %s of its CPU time to its host",
            unit_format_share(check->value, steal));
    } else {
        say(check, "what this machine lost to its host is not known");
    }
}

static void check_fd(const struct result *result, struct check *check)
{
    uint64_t refused = result->totals.by_failure[FAIL_NO_DESCRIPTOR];

    (void)grade(check, (double)refused, 0.0, 0.0);
    if (refused > 0) {
        say(check,
            "%" PRIu64 " requests found no free descriptor: raise ulimit -n (now %" PRId64 ")",
            refused, result->machine.descriptors);
    } else {
        say(check, "descriptors sufficed: %" PRId64 " allowed, %" PRId64 " connections",
            result->machine.descriptors, result->plan->connections);
    }
}

/* Taken local ports. A loop of short connections that this side closes first runs at most at the
 * rate at which ports come free; near it, connect() searches the whole range. */
static const double ports_warn = 0.70, ports_full = 0.95, ceiling_near = 0.5;

/* Short connections a second, over the whole run, that this side closed first. Those closed once at
 * the end, one a user, are no loop. */
static double closes_per_s(const struct result *result)
{
    uint64_t once = (uint64_t)result->plan->connections;

    if (result->wall_ns <= 0 || result->client_closes <= once) {
        return 0.0;
    }
    return (double)(result->client_closes - once) / ((double)result->wall_ns / (double)SEC_NS);
}

static void check_ports(const struct result *result, struct check *check)
{
    const struct machine *machine = &result->machine;
    uint64_t refused = result->totals.by_failure[FAIL_NO_PORT];
    bool near = machine->port_ceiling_per_s > 0 &&
                closes_per_s(result) >= ceiling_near * machine->port_ceiling_per_s;
    /* What a run before this one left is no matter for connections that stay open. */
    bool many = result->plan->close || result->totals.reconnects > 0;
    char used[UNIT_TEXT_MAX], rate[UNIT_TEXT_MAX];
    bool known =
        grade(check, machine->ports_used, many ? ports_warn : never, near ? ports_full : never);

    (void)unit_format_share(machine->ports_used, used);
    check->limit = isinf(check->limit) ? ports_warn : check->limit;
    if (refused > 0) {
        check->level = LEVEL_FAIL;
        say(check, "%" PRIu64 " requests found no free local port: add --bind addresses", refused);
    } else if (near) {
        check->level = check->level == LEVEL_FAIL ? LEVEL_FAIL : LEVEL_WARN;
        say(check,
            "local ports: %s used; this side closes first, so they carry some %s: add --bind "
            "addresses",
            used, unit_format_rate(machine->port_ceiling_per_s, rate));
    } else if (result->plan->unix_path != NULL || (!known && !many)) {
        check->level = LEVEL_OK;
        say(check, result->plan->unix_path != NULL ? "a unix socket takes no ports"
                                                   : "each connection took one local port");
    } else if (!known) {
        say(check, "local ports: how many were used is not known");
    } else {
        say(check, "local ports: %s used%s", used,
            check->level == LEVEL_WARN ? "; add --bind addresses" : "");
    }
}

static const double little_fail = 0.02;

static void check_little(const struct result *result, struct check *check)
{
    char error[UNIT_TEXT_MAX], rate[UNIT_TEXT_MAX], time[UNIT_TEXT_MAX];
    struct little little;

    if (!little_measure(result, &little)) {
        (void)grade(check, (double)NAN, little_fail, little_fail);
        say(check, "Little's law: there is nothing to try it on");
        return;
    }
    (void)grade(check, little.error, little_fail, little_fail);
    (void)unit_format_share(little.error, error);
    if (check->level == LEVEL_FAIL) {
        say(check, "Little's law is off by %s (N %.4g, X %s, R %s): requests are unaccounted for",
            error, little.users, unit_format_rate(little.per_s, rate),
            unit_format_duration((int64_t)(little.time_s * (double)SEC_NS), time));
    } else {
        say(check, "N = X\u00b7R within %s", error);
    }
}

static const double unfinished_warn = 0.001;

static void check_unfin(const struct result *result, struct check *check)
{
    uint64_t unfinished = result->counts.unfinished;
    uint64_t before = result->totals.unfinished - unfinished;
    char age[UNIT_TEXT_MAX];
    bool known = grade(check, share(unfinished, result->counts.started), unfinished_warn, never);

    (void)unit_format_duration(result->oldest_unfinished_ns, age);
    if (unfinished > 0) {
        say(check, "%" PRIu64 " requests never finished, the oldest after %s; they count as failed",
            unfinished, age);
    } else if (before > 0) {
        /* Whoever waits longer than all of the measured time is in no count of it. */
        check->level = LEVEL_WARN;
        say(check,
            "%" PRIu64 " requests from before the measured time never finished, the oldest after "
            "%s: so many users did nothing else",
            before, age);
    } else if (known) {
        say(check, "every request came to an end");
    } else {
        say(check, "nothing was started in the measured time");
    }
}

/* A step of the wall clock: the times are by another clock, but the kernel's stamps are by this
 * one. */
static const double step_info_ns = 1e6, step_warn_ns = 50e6;

/* Those that user space reads without a call into the kernel, on the usual machines. */
static bool clock_is_fast(const char *source)
{
    static const char *const fast[] = { "tsc",
                                        "kvm-clock",
                                        "hyperv_clocksource_tsc_page",
                                        "arch_sys_counter",
                                        "riscv_clocksource",
                                        "timebase",
                                        "tod" };

    for (size_t i = 0; i < COUNT_OF(fast); i++) {
        if (strcmp(source, fast[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void check_clock(const struct result *result, struct check *check)
{
    const char *source = result->machine.clocksource;
    int64_t step_ns = result->machine.clock_step_ns;
    double step = fabs((double)step_ns);
    bool stamps = result->generator.stamped;

    (void)grade(check, step, step_warn_ns, stamps ? step_warn_ns : never);
    if (step > step_warn_ns) {
        say(check, "the wall clock stepped by %+.3f s%s", (double)step_ns / (double)SEC_NS,
            stamps ? ", and the times end at its stamps" : "; the times are by another clock");
    } else if (source[0] == '\0') {
        check->level = LEVEL_INFO;
        say(check, "clock: its source is not known");
    } else if (!clock_is_fast(source)) {
        check->level = LEVEL_WARN;
        say(check, "clock: reading '%s' is slow and coarse", source);
    } else if (step > step_info_ns) {
        check->level = LEVEL_INFO;
        say(check, "the wall clock moved by %+.1f ms", (double)step_ns / (double)MSEC_NS);
    } else {
        say(check, "clock: %s, steady", source);
    }
}

/*
 * Dwell: how long answers lay in our socket. Where times end at the read it is part of them, and so
 * the generator's doing. Where they end at the kernel's stamp it is not: the loop waits on purpose,
 * so more of it is in order, and what it costs is load, not truth.
 */
static const double dwell_least_ns = 0.1e6, dwell_warn = 0.10, dwell_fail = 0.50;

static void check_dwell(const struct result *result, struct check *check)
{
    const struct hist *dwell = &result->latency[LATENCY_DWELL];
    double response_ns = (double)hist_quantile(&result->latency[LATENCY_RESPONSE], 0.99);
    double warn = fmax(dwell_least_ns, dwell_warn * response_ns);
    double fail = fmax(dwell_least_ns, dwell_fail * response_ns);
    double p99 = dwell->count == 0 ? (double)NAN : (double)hist_quantile(dwell, 0.99);
    bool stamps = result->generator.stamped;
    char text[UNIT_TEXT_MAX];

    if (grade(check, p99, stamps ? fail : warn, stamps ? never : fail)) {
        if (dwell->count < judged_least_samples) {
            only_show(check);
        }
        say(check, "answers lay %s (p99) in our socket before they were read%s",
            unit_format_duration((int64_t)p99, text), stamps ? ", which is not in the times" : "");
    } else {
        say(check, "how long answers lay in our socket was not measured");
    }
}

static const double load_warn = 0.10;

static void check_load(const struct result *result, struct check *check)
{
    const struct machine *machine = &result->machine;

    if (!grade(check, machine->neighbour_cores, load_warn, never)) {
        say(check, "what other processes here used is not known");
    } else if (check->level == LEVEL_WARN) {
        say(check, "another process (%s) used %.0f %% of a core", machine->neighbour,
            check->value * 100.0);
    } else {
        say(check, "no other process here used more than %.0f %% of a core",
            ceil(check->value * 100.0));
    }
}

static void check_count(const struct result *result, struct check *check)
{
    const char *first;
    size_t broken = audit_broken(result, &first);

    (void)grade(check, (double)broken, 0.0, 0.0);
    if (broken > 0) {
        say(check, "the numbers do not add up (a mistake of this program): %s", first);
    } else {
        say(check, "counts add up, percentiles are in order");
    }
}

static const double errors_warn = 0.001;

/* The cause of most failures that are not this machine's doing; FAIL_NONE when there are none. */
static enum fail worst_cause(const struct counts *counts, uint64_t *ret_failed)
{
    enum fail worst = FAIL_NONE;

    *ret_failed = 0;
    for (enum fail cause = 0; cause < FAIL_COUNT; cause++) {
        if (fail_is_local(cause) || counts->by_failure[cause] == 0) {
            continue;
        }
        *ret_failed += counts->by_failure[cause];
        if (worst == FAIL_NONE || counts->by_failure[cause] > counts->by_failure[worst]) {
            worst = cause;
        }
    }
    return worst;
}

static void check_err(const struct result *result, struct check *check)
{
    const struct hist *bad = &result->latency[LATENCY_FAILED_RESPONSE];
    const struct hist *good = &result->latency[LATENCY_RESPONSE];
    char errors[UNIT_TEXT_MAX], time[UNIT_TEXT_MAX];
    int64_t bad_p50 = hist_quantile(bad, 0.5);
    uint64_t failed;
    enum fail worst = worst_cause(&result->counts, &failed);
    bool fast = bad->count > 0 && good->count > 0 && bad_p50 < hist_quantile(good, 0.5) / 2;

    if (!grade(check, share(failed, result->counts.started), errors_warn, never)) {
        say(check, "nothing was started in the measured time");
    } else if (worst == FAIL_NONE) {
        say(check, "no request failed by the server's doing");
    } else if (fast) {
        say(check,
            "%s failed, most by %s, in %s (p50), sooner than good answers: not in the latency",
            unit_format_share(check->value, errors), fail_word(worst),
            unit_format_duration(bad_p50, time));
    } else {
        say(check, "%s failed, most by %s", unit_format_share(check->value, errors),
            fail_word(worst));
    }
}

static void check_keep(const struct result *result, struct check *check)
{
    const struct counts *totals = &result->totals;
    uint64_t closed = counts_closed_between(totals);
    uint64_t opened = closed + (uint64_t)result->plan->connections;

    check->value = check->limit = NAN;
    check->level = LEVEL_OK;
    if (result->plan->close) {
        say(check, "a connection for every request, as asked");
        return;
    }
    check->value = (double)totals->reconnects;
    if (totals->reconnects == 0) {
        say(check, "kept-alive connections stayed open");
        return;
    }
    check->level = LEVEL_INFO;
    if (closed == 0) {
        say(check, "kept-alive connections were opened anew %" PRIu64 " times, after failures",
            totals->reconnects);
        return;
    }
    say(check,
        "kept-alive connections were opened anew %" PRIu64
        " times: the server closes them after some %" PRIu64 " requests",
        totals->reconnects, (totals->started + opened - 1) / opened);
}

static const struct row {
    const char *id;
    enum about about;
    void (*run)(const struct result *result, struct check *check);
} rows[] = {
    { "V-GEN-CPU", ABOUT_GENERATOR, check_gen_cpu },
    { "V-GEN-WAIT", ABOUT_GENERATOR, check_gen_wait },
    { "V-GEN-STEAL", ABOUT_GENERATOR, check_gen_steal },
    { "V-FD", ABOUT_GENERATOR, check_fd },
    { "V-PORTS", ABOUT_GENERATOR, check_ports },
    { "V-COUNT", ABOUT_GENERATOR, check_count },
    { "V-LITTLE", ABOUT_GENERATOR, check_little },
    { "V-CLOCK", ABOUT_GENERATOR, check_clock },
    { "V-DWELL", ABOUT_GENERATOR, check_dwell },
    { "V-LOAD", ABOUT_GENERATOR, check_load },
    { "V-UNFIN", ABOUT_SAMPLE, check_unfin },
    { "V-ERR", ABOUT_SERVER, check_err },
    { "V-KEEP", ABOUT_SERVER, check_keep },
};

static_assert(COUNT_OF(rows) <= RESULT_CHECKS_MAX, "room for every check");

void validity_judge(struct result *result)
{
    result->valid = true;
    result->check_count = COUNT_OF(rows);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct check *check = &result->checks[i];

        *check = (struct check){ .id = rows[i].id, .about = rows[i].about };
        rows[i].run(result, check);
        if (check->about == ABOUT_GENERATOR && check->level == LEVEL_FAIL) {
            result->valid = false;
        }
    }
}
