/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workers allocate before the first request only: every call of the allocator in this program is
 * wrapped and looks at which thread makes it and when.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/mem.h"
#include "target/target.h"
#include "trial/trial.h"

void *__real_calloc(size_t count, size_t size);
void *__real_malloc(size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *memory);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *memory);

static atomic_bool watching;
static atomic_int calls_by_workers, calls_by_others;

static void note_call(void)
{
    char name[16] = "";

    (void)prctl(PR_GET_NAME, name);
    if (strncmp(name, "worker", 6) != 0) {
        calls_by_others++;
    } else if (watching) {
        calls_by_workers++;
    }
}

void *__wrap_calloc(size_t count, size_t size)
{
    note_call();
    return __real_calloc(count, size);
}

void *__wrap_malloc(size_t size)
{
    note_call();
    return __real_malloc(size);
}

void *__wrap_realloc(void *old, size_t size)
{
    note_call();
    return __real_realloc(old, size);
}

void __wrap_free(void *memory)
{
    note_call();
    __real_free(memory);
}

/* From the first window of the ramp on, until the drain is over. */
static void watch_from_now(void *self, const struct window *window)
{
    (void)window;
    *(uint64_t *)self += window->ok;
    watching = true;
}

static void run_load(const char *target, bool close, const char *expect_body)
{
    uint64_t answers = 0;
    struct window_sink sink = { watch_from_now, &answers };
    struct trial_env env = { .sinks = &sink, .sink_count = 1 };
    struct plan plan;
    struct result *result = result_new();
    struct trial *trial;
    struct err err;

    watching = false;
    calls_by_workers = 0;
    plan_init(&plan);
    plan.target = mem_strdup(target);
    plan.connections = 40;
    plan.threads = 2;
    plan.duration_ns = 400 * MSEC_NS;
    plan.ramp_ns = 50 * MSEC_NS;
    plan.warmup_ns = 100 * MSEC_NS;
    plan.close = close;
    plan.expect_body = mem_strdup(expect_body);
    assert_true(plan_check(&plan, 1, &err));
    trial = trial_new(&plan, &env, &err);
    assert_non_null(trial);
    assert_true(trial_run(trial, result, &err));
    watching = false;
    assert_true(answers > 100);
    assert_int_equal(result->totals.failed, 0);
    assert_true(calls_by_others > 0); /* the wrapping works */
    assert_int_equal(calls_by_workers, 0);
    trial_free(trial);
    result_free(result);
    plan_fini(&plan);
}

static void workers_allocate_nothing_once_requests_flow(UNUSED void **state)
{
    struct target_config config = { .threads = 1, .seed = 1 };
    char target[64];
    uint16_t port;
    struct err err;
    int pid;

    assert_true(target_spawn(&config, &port, &pid, &err));
    (void)snprintf(target, sizeof(target), "http://127.0.0.1:%u/", port);
    run_load(target, false, NULL);
    run_load(target, true, NULL);
    run_load(target, false, "always the same");
    (void)kill(pid, SIGTERM);
    (void)waitpid(pid, NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers_allocate_nothing_once_requests_flow),
    };

    return cmocka_run_group_tests_name("trial/allocation", tests, NULL, NULL);
}
