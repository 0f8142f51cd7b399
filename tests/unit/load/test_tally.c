/* SPDX-License-Identifier: Apache-2.0 */
/* In virtual time: a second is what the test says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "load/tally.h"

struct scene {
    struct plan plan;
    struct order order;
    struct tally *tally;
    struct window sum[PHASE_COUNT]; /* of what was handed over */
    uint32_t windows;
};

/* t0 = 1 s; ramp to 1.1 s; warm-up to 1.5 s; measured to 3.5 s in windows of 250 ms. */
static struct scene *scene_new(void)
{
    struct scene *scene = mem_new(1, sizeof(*scene));

    scene->plan.slo_count = 1;
    scene->plan.slos[0].threshold_ns = 10 * MSEC_NS;
    scene->order.plan = &scene->plan;
    scene->order.threads = 1;
    scene->order.window_ns = 250 * MSEC_NS;
    scene->order.t0_ns = SEC_NS;
    scene->order.ramp_end_ns = SEC_NS + 100 * MSEC_NS;
    atomic_init(&scene->order.measured_ns, SEC_NS + 500 * MSEC_NS);
    atomic_init(&scene->order.end_ns, 3 * SEC_NS + 500 * MSEC_NS);
    atomic_init(&scene->order.drain_end_ns, 4 * SEC_NS);
    scene->tally = mem_new(1, sizeof(struct tally));
    tally_init(scene->tally, &scene->order);
    tally_begin(scene->tally);
    return scene;
}

static void scene_free(struct scene *scene)
{
    tally_fini(scene->tally);
    mem_free(scene->tally);
    mem_free(scene);
}

static void collect(struct scene *scene)
{
    struct window *window;

    while ((window = tally_take(scene->tally)) != NULL) {
        struct window *sum = &scene->sum[window->phase];

        assert_int_equal(window->index, scene->windows++);
        assert_int_equal(order_phase(&scene->order, window->start_ns), window->phase);
        assert_true(window->end_ns <= order_phase_end(&scene->order, window->phase));
        sum->started += window->started;
        sum->ok += window->ok;
        sum->failed += window->failed;
        sum->busy_ns += window->busy_ns;
        sum->slow[0] += window->slow[0];
        hist_merge(&sum->response, &window->response);
        tally_release(scene->tally);
    }
}

/* The worker looks at the clock now and then, and the control thread takes what is over. */
static void tick_to(struct scene *scene, int64_t until_ns)
{
    for (int64_t at_ns = scene->tally->now->start_ns; at_ns <= until_ns; at_ns += 20 * MSEC_NS) {
        tally_roll(scene->tally, at_ns);
        collect(scene);
    }
}

/* One request from start to end. */
static void request(struct scene *scene, int64_t start_ns, int64_t end_ns)
{
    struct exchange exchange = { .intended_ns = start_ns,
                                 .start_ns = start_ns,
                                 .send_start_ns = start_ns,
                                 .sent_ns = start_ns,
                                 .first_byte_ns = end_ns,
                                 .done_ns = end_ns,
                                 .dwell_ns = -1 };
    struct h1_parse answer = { .status = 200, .head_done = true };

    tick_to(scene, start_ns);
    tally_started(scene->tally, &exchange, start_ns);
    tick_to(scene, end_ns);
    tally_ok(scene->tally, &exchange, &answer, end_ns);
    collect(scene);
}

static void one_user_back_to_back_is_always_busy(UNUSED void **state)
{
    struct scene *scene = scene_new();
    int64_t at_ns = SEC_NS;
    uint64_t measured = 0;

    while (at_ns < 3 * SEC_NS + 500 * MSEC_NS) {
        measured += at_ns >= SEC_NS + 500 * MSEC_NS;
        request(scene, at_ns, at_ns + 7 * MSEC_NS);
        at_ns += 7 * MSEC_NS;
    }
    tally_end(scene->tally, at_ns);
    collect(scene);
    assert_int_equal(scene->tally->counts.started, measured);
    assert_int_equal(scene->tally->counts.ok, measured);
    assert_int_equal(scene->tally->latency[LATENCY_RESPONSE].count, measured);
    assert_int_equal(scene->tally->measured_busy_ns, 2 * SEC_NS);
    assert_int_equal(scene->sum[PHASE_MEASURED].busy_ns, 2 * SEC_NS);
    /* N * T = sum of the times of what completed + the ages at the edges, to the nanosecond. */
    assert_int_equal(scene->tally->measured_busy_ns,
                     (int64_t)scene->tally->checked_response.sum_ns + scene->tally->edge_ages_ns);
    /* The one on its way over the start completes in the measured time, the last one after it: the
     * rate counts completions, the latency those that started. */
    assert_int_equal(scene->sum[PHASE_MEASURED].started, measured);
    assert_int_equal(scene->sum[PHASE_MEASURED].ok, measured);
    assert_int_equal(scene->sum[PHASE_DRAIN].ok, 1);
    assert_int_equal(scene->sum[PHASE_MEASURED].response.count +
                         scene->sum[PHASE_DRAIN].response.count,
                     measured);
    assert_int_equal(scene->tally->totals.ok, scene->sum[PHASE_RAMP].ok +
                                                  scene->sum[PHASE_WARMUP].ok +
                                                  scene->sum[PHASE_MEASURED].ok + 1);
    scene_free(scene);
}

static void what_began_before_and_ended_in_the_drain_is_no_sample(UNUSED void **state)
{
    struct scene *scene = scene_new();

    request(scene, SEC_NS + 200 * MSEC_NS, 3 * SEC_NS + 700 * MSEC_NS);
    tally_end(scene->tally, 4 * SEC_NS);
    collect(scene);
    assert_int_equal(scene->sum[PHASE_DRAIN].ok, 1);
    assert_int_equal(scene->sum[PHASE_DRAIN].response.count, 0);
    assert_int_equal(scene->tally->latency[LATENCY_RESPONSE].count, 0);
    scene_free(scene);
}

static void an_answer_in_the_drain_is_slow_but_not_in_the_rate(UNUSED void **state)
{
    struct scene *scene = scene_new();

    request(scene, 2 * SEC_NS, 2 * SEC_NS + 5 * MSEC_NS);
    request(scene, 3 * SEC_NS, 3 * SEC_NS + 900 * MSEC_NS);
    tally_end(scene->tally, 4 * SEC_NS);
    collect(scene);
    assert_int_equal(scene->sum[PHASE_MEASURED].ok, 1);
    assert_int_equal(scene->sum[PHASE_DRAIN].ok, 1);
    assert_int_equal(scene->sum[PHASE_MEASURED].slow[0] + scene->sum[PHASE_DRAIN].slow[0], 1);
    assert_int_equal(scene->tally->counts.ok, 2);
    scene_free(scene);
}

static void what_is_under_way_at_the_end_is_unfinished(UNUSED void **state)
{
    struct scene *scene = scene_new();
    struct exchange exchange = { .intended_ns = 3 * SEC_NS, .start_ns = 3 * SEC_NS };

    tick_to(scene, 3 * SEC_NS);
    tally_started(scene->tally, &exchange, 3 * SEC_NS);
    tick_to(scene, 4 * SEC_NS);
    tally_unfinished(scene->tally, &exchange, NULL, 4 * SEC_NS);
    tally_end(scene->tally, 4 * SEC_NS);
    collect(scene);
    assert_int_equal(scene->tally->counts.unfinished, 1);
    assert_int_equal(scene->tally->oldest_unfinished_ns, SEC_NS);
    assert_true(counts_hold(&scene->tally->counts));
    assert_int_equal(scene->sum[PHASE_MEASURED].busy_ns, 500 * MSEC_NS);
    assert_int_equal(scene->tally->edge_ages_ns, 500 * MSEC_NS);
    scene_free(scene);
}

static void an_end_that_moves_forward_cuts_the_window(UNUSED void **state)
{
    struct scene *scene = scene_new();

    request(scene, 2 * SEC_NS, 2 * SEC_NS + 60 * MSEC_NS);
    atomic_store(&scene->order.end_ns, 2 * SEC_NS + 100 * MSEC_NS);
    request(scene, 2 * SEC_NS + 101 * MSEC_NS, 2 * SEC_NS + 150 * MSEC_NS);
    tally_end(scene->tally, 2 * SEC_NS + 200 * MSEC_NS);
    collect(scene);
    assert_int_equal(scene->sum[PHASE_MEASURED].ok, 1);
    assert_int_equal(scene->sum[PHASE_DRAIN].started, 1);
    assert_int_equal(scene->tally->counts.started, 1);
    scene_free(scene);
}

static void windows_that_nobody_takes_lose_nothing(UNUSED void **state)
{
    struct scene *scene = scene_new();
    struct exchange exchange = { .dwell_ns = -1 };
    struct h1_parse answer = { .status = 200, .head_done = true };
    uint64_t ok = 0;
    struct window *window;

    for (int64_t at_ns = SEC_NS + 500 * MSEC_NS; at_ns < 3 * SEC_NS; at_ns += 10 * MSEC_NS) {
        if (at_ns == SEC_NS + 500 * MSEC_NS) {
            collect(scene);
        }
        exchange.intended_ns = exchange.start_ns = at_ns;
        tally_started(scene->tally, &exchange, at_ns);
        exchange.done_ns = exchange.first_byte_ns = exchange.sent_ns = at_ns + MSEC_NS;
        exchange.send_start_ns = at_ns;
        tally_ok(scene->tally, &exchange, &answer, at_ns + MSEC_NS);
        if (at_ns < SEC_NS + 600 * MSEC_NS) {
            collect(scene); /* the phases before must get out of the way */
        }
    }
    while ((window = tally_take(scene->tally)) != NULL) {
        ok += window->ok;
        tally_release(scene->tally);
    }
    ok += scene->tally->now->ok;
    ok += scene->sum[PHASE_MEASURED].ok;
    assert_int_equal(ok, scene->tally->totals.ok);
    scene_free(scene);
}

static void the_shares_of_the_workers_sum_to_the_number(UNUSED void **state)
{
    struct order order = { 0 };

    for (order.threads = 1; order.threads < 20; order.threads++) {
        for (int64_t number = 1; number < 200; number += 7) {
            int64_t sum = 0;

            for (unsigned i = 0; i < order.threads; i++) {
                int64_t share = order_share(&order, number, i);

                assert_in_range(share, number / order.threads, number / order.threads + 1);
                sum += share;
            }
            assert_int_equal(sum, number);
        }
    }
}

static struct row row_of(struct scene *scene, const struct exchange *exchange, enum fail fail,
                         const struct h1_parse *answer, int64_t now_ns)
{
    struct row row;

    rows_init(&scene->tally->rows, scene->order.rows = 1);
    tally_row(scene->tally, 7, exchange, fail, answer, now_ns);
    assert_true(rows_take(&scene->tally->rows, &row));
    return row;
}

static void a_row_says_when_what_happened(UNUSED void **state)
{
    struct scene *scene = scene_new();
    struct exchange exchange = { .intended_ns = SEC_NS,
                                 .start_ns = SEC_NS,
                                 .connect_start_ns = SEC_NS + 1,
                                 .connected_ns = SEC_NS + 11,
                                 .send_start_ns = SEC_NS + 12,
                                 .sent_ns = SEC_NS + 15,
                                 .first_byte_ns = SEC_NS + 50,
                                 .done_ns = SEC_NS + 60,
                                 .bytes_in = 700 };
    struct h1_parse answer = { .status = 200, .body_bytes = 555, .keep_alive = true };
    struct row row = row_of(scene, &exchange, FAIL_NONE, &answer, SEC_NS + 70);

    assert_int_equal(row.user, 7);
    assert_int_equal(row.start_ns, SEC_NS);
    assert_int_equal(row.connect_ns, 10);
    assert_int_equal(row.send_ns, 12);
    assert_int_equal(row.sent_ns, 15);
    assert_int_equal(row.first_byte_ns, 50);
    assert_int_equal(row.response_ns, 60);
    assert_int_equal(row.bytes_in, 700);
    assert_int_equal(row.body_bytes, 555);
    assert_int_equal(row.status, 200);
    assert_true(row.kept_alive);
    scene_free(scene);
}

static void a_row_of_a_failure_has_what_there_was(UNUSED void **state)
{
    struct scene *scene = scene_new();
    struct exchange exchange = { .intended_ns = SEC_NS, .start_ns = SEC_NS };
    struct row row = row_of(scene, &exchange, FAIL_CONNECT_REFUSED, NULL, SEC_NS + 70);

    assert_int_equal(row.fail, FAIL_CONNECT_REFUSED);
    assert_int_equal(row.response_ns, 70);
    assert_int_equal(row.connect_ns, -1);
    assert_int_equal(row.send_ns, -1);
    assert_int_equal(row.sent_ns, -1);
    assert_int_equal(row.first_byte_ns, -1);
    assert_int_equal(row.status, 0);
    assert_false(row.kept_alive);
    scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_user_back_to_back_is_always_busy),
        cmocka_unit_test(what_began_before_and_ended_in_the_drain_is_no_sample),
        cmocka_unit_test(an_answer_in_the_drain_is_slow_but_not_in_the_rate),
        cmocka_unit_test(what_is_under_way_at_the_end_is_unfinished),
        cmocka_unit_test(an_end_that_moves_forward_cuts_the_window),
        cmocka_unit_test(windows_that_nobody_takes_lose_nothing),
        cmocka_unit_test(the_shares_of_the_workers_sum_to_the_number),
        cmocka_unit_test(a_row_says_when_what_happened),
        cmocka_unit_test(a_row_of_a_failure_has_what_there_was),
    };

    return cmocka_run_group_tests_name("load/tally", tests, NULL, NULL);
}
