/* SPDX-License-Identifier: Apache-2.0 */
/* Two workers that are nothing but their tallies, in virtual time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/mem.h"
#include "trial/series.h"

enum { WORKERS = 2 };

struct scene {
    struct plan plan;
    struct order order;
    struct worker *workers;
    struct series *series;
    struct result *result;
    uint32_t windows; /* that the sink got */
    uint64_t started;
    int64_t until_ns; /* the end of the last one */
};

static void see_window(void *self, const struct window *window)
{
    struct scene *scene = self;

    assert_true(window->start_ns >= scene->until_ns); /* in order */
    scene->until_ns = window->end_ns;
    scene->windows++;
    scene->started += window->started;
}

static struct window_sink sink;

static struct scene *scene_new(void)
{
    struct scene *scene = mem_new(1, sizeof(*scene));

    scene->order.plan = &scene->plan;
    scene->order.threads = WORKERS;
    scene->order.window_ns = 250 * MSEC_NS;
    scene->order.t0_ns = scene->order.ramp_end_ns = SEC_NS;
    atomic_init(&scene->order.measured_ns, SEC_NS);
    atomic_init(&scene->order.end_ns, 100 * SEC_NS);
    atomic_init(&scene->order.drain_end_ns, 110 * SEC_NS);
    scene->workers = mem_new(WORKERS, sizeof(struct worker));
    for (int i = 0; i < WORKERS; i++) {
        scene->workers[i].tally = mem_new(1, sizeof(struct tally));
        tally_init(scene->workers[i].tally, &scene->order);
        tally_begin(scene->workers[i].tally);
    }
    sink = (struct window_sink){ see_window, scene };
    scene->series = series_new(&sink, 1, SEC_NS);
    scene->result = result_new();
    return scene;
}

static void scene_free(struct scene *scene)
{
    series_free(scene->series);
    result_free(scene->result);
    for (int i = 0; i < WORKERS; i++) {
        tally_fini(scene->workers[i].tally);
        mem_free(scene->workers[i].tally);
    }
    mem_free(scene->workers);
    mem_free(scene);
}

/* A request every 10 ms of one worker. */
static void work(struct scene *scene, int worker, int64_t from_ns, int64_t to_ns)
{
    struct tally *tally = scene->workers[worker].tally;

    for (int64_t at_ns = from_ns; at_ns < to_ns; at_ns += 10 * MSEC_NS) {
        struct exchange exchange = { .intended_ns = at_ns,
                                     .start_ns = at_ns,
                                     .send_start_ns = at_ns,
                                     .sent_ns = at_ns,
                                     .first_byte_ns = at_ns + MSEC_NS,
                                     .done_ns = at_ns + MSEC_NS,
                                     .dwell_ns = -1 };
        struct h1_parse answer = { .status = 200 };

        tally_started(tally, &exchange, at_ns);
        tally_ok(tally, &exchange, &answer, at_ns + MSEC_NS);
        series_collect(scene->series, scene->workers, WORKERS);
    }
}

static void finish(struct scene *scene, int64_t now_ns)
{
    uint64_t sum = 0;

    for (int i = 0; i < WORKERS; i++) {
        tally_end(scene->workers[i].tally, now_ns);
        atomic_store(&scene->workers[i].state, WORKER_ENDED);
        series_collect(scene->series, scene->workers, WORKERS);
    }
    scene->result->plan = &scene->plan;
    series_finish(scene->series, scene->workers, WORKERS, scene->result);
    for (size_t i = 0; i < scene->result->series_count; i++) {
        sum += scene->result->series[i].started;
    }
    assert_int_equal(sum, scene->result->windows_started);
    assert_int_equal(sum, scene->started);
    assert_int_equal(sum, scene->workers[0].tally->totals.started +
                              scene->workers[1].tally->totals.started);
}

static void windows_of_workers_in_step_are_one(UNUSED void **state)
{
    struct scene *scene = scene_new();

    for (int64_t at_ns = SEC_NS; at_ns < 3 * SEC_NS; at_ns += 100 * MSEC_NS) {
        work(scene, 0, at_ns, at_ns + 100 * MSEC_NS);
        work(scene, 1, at_ns, at_ns + 100 * MSEC_NS);
    }
    finish(scene, 3 * SEC_NS);
    assert_int_equal(scene->result->series[0].started, 50);
    assert_in_range(scene->windows, 8, 9);
    scene_free(scene);
}

static void a_worker_that_stalls_for_seconds_loses_nothing(UNUSED void **state)
{
    struct scene *scene = scene_new();

    work(scene, 0, SEC_NS, 6 * SEC_NS);
    work(scene, 1, SEC_NS, 6 * SEC_NS);
    finish(scene, 6 * SEC_NS);
    scene_free(scene);
}

static void an_end_that_moves_meets_workers_in_different_windows(UNUSED void **state)
{
    struct scene *scene = scene_new();

    work(scene, 0, SEC_NS, SEC_NS + 240 * MSEC_NS);
    work(scene, 1, SEC_NS, SEC_NS + 260 * MSEC_NS); /* is in the second window already */
    atomic_store(&scene->order.end_ns, SEC_NS + 245 * MSEC_NS);
    work(scene, 0, SEC_NS + 250 * MSEC_NS, SEC_NS + 600 * MSEC_NS);
    work(scene, 1, SEC_NS + 260 * MSEC_NS, SEC_NS + 600 * MSEC_NS);
    finish(scene, SEC_NS + 600 * MSEC_NS);
    scene_free(scene);
}

static void a_long_run_keeps_few_points_and_all_counts(UNUSED void **state)
{
    struct scene *scene = scene_new();

    for (int64_t at_ns = SEC_NS; at_ns < 90 * SEC_NS; at_ns += 100 * MSEC_NS) {
        work(scene, 0, at_ns, at_ns + 100 * MSEC_NS);
        work(scene, 1, at_ns, at_ns + 100 * MSEC_NS);
    }
    finish(scene, 90 * SEC_NS);
    assert_in_range(scene->windows, 356, 357);
    assert_in_range(scene->result->series_count, RESULT_SERIES_MAX / 2, RESULT_SERIES_MAX);
    scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_of_workers_in_step_are_one),
        cmocka_unit_test(a_worker_that_stalls_for_seconds_loses_nothing),
        cmocka_unit_test(an_end_that_moves_meets_workers_in_different_windows),
        cmocka_unit_test(a_long_run_keeps_few_points_and_all_counts),
    };

    return cmocka_run_group_tests_name("trial/series", tests, NULL, NULL);
}
