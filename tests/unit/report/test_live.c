/* SPDX-License-Identifier: Apache-2.0 */
#include "report/live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"

enum { ROWS = 40, COLUMNS = 200, START_S = 100 };

static struct plan plan;
static struct window window;
static FILE *file;
static struct buf seen;

static int begin(UNUSED void **state)
{
    plan = (struct plan){
        .connections = 50,
        .duration_ns = 10 * SEC_NS,
        .warmup_ns = SEC_NS,
    };
    (void)setenv("COLUMNS", "80", 1);
    (void)setenv("LC_ALL", "C.UTF-8", 1);
    file = tmpfile();
    buf_init(&seen, 1 << 20);
    return file == NULL;
}

static int end(UNUSED void **state)
{
    buf_fini(&seen);
    return fclose(file);
}

static struct live *start(enum live_mode mode)
{
    return live_new(&plan, fileno(file), mode, false);
}

/* A window of `width_ns` that starts at `at_ns` with 100 good answers of 2 ms. */
static void pass(struct live *live, int64_t at_ns, int64_t width_ns, enum phase phase)
{
    struct window_sink sink = live_sink(live);

    window_reset(&window);
    window.phase = phase;
    window.start_ns = START_S * SEC_NS + at_ns;
    window.end_ns = window.start_ns + width_ns;
    window.ok = 100;
    window.in_flight = 7;
    window.open_connections = 50;
    for (int i = 0; i < 100; i++) {
        hist_record(&window.response, 2 * MSEC_NS);
    }
    sink.window(sink.self, &window);
}

static const char *written(void)
{
    char piece[4096];
    size_t n;

    buf_reset(&seen);
    rewind(file);
    while ((n = fread(piece, 1, sizeof(piece), file)) > 0) {
        buf_add(&seen, piece, n);
    }
    return buf_str(&seen).p;
}

static size_t occurrences(const char *text, const char *part)
{
    size_t count = 0;

    for (const char *p = strstr(text, part); p != NULL; p = strstr(p + 1, part)) {
        count++;
    }
    return count;
}

struct screen {
    char rows[ROWS][COLUMNS * 4];
    size_t row;
    size_t bytes;
};

/* As much of a terminal as the block uses: \r, \n, up, erase to the end of line and of screen. */
static void show(struct screen *screen, const char *text)
{
    memset(screen, 0, sizeof(*screen));
    while (*text != '\0') {
        if (*text == '\n') {
            screen->row++;
            assert_true(screen->row < ROWS);
            screen->bytes = 0;
        } else if (*text == '\r') {
            screen->bytes = 0;
        } else if (strncmp(text, "\x1b[K", 3) == 0) {
            screen->rows[screen->row][screen->bytes] = '\0';
            text += 2;
        } else if (strncmp(text, "\x1b[J", 3) == 0) {
            assert_int_equal(screen->bytes, 0);
            memset(screen->rows[screen->row], 0, (ROWS - screen->row) * sizeof(screen->rows[0]));
            text += 2;
        } else if (*text == '\x1b') {
            struct str up = { text + 2, strcspn(text, "A") - 2 };
            uint64_t rows;

            assert_true(str_u64(up, &rows) && rows <= screen->row);
            screen->row -= rows;
            text += up.len + 2;
        } else {
            screen->rows[screen->row][screen->bytes++] = *text;
        }
        text++;
    }
}

static void plain_lines_come_after_a_second_and_then_every_five(UNUSED void **state)
{
    struct live *live = start(LIVE_PLAIN);

    for (int i = 0; i < 9; i++) {
        pass(live, i * SEC_NS / 10, SEC_NS / 10, PHASE_WARMUP);
    }
    assert_string_equal(written(), "");
    pass(live, 9 * SEC_NS / 10, SEC_NS / 10, PHASE_WARMUP);
    assert_string_equal(written(), "   1.0 s  warm-up         1,000/s  p50 2.00 ms   p99 2.00 ms   "
                                   "0 failed\n");
    for (int i = 10; i < 110; i++) {
        pass(live, i * SEC_NS / 10, SEC_NS / 10, PHASE_MEASURED);
    }
    assert_int_equal(occurrences(written(), "\n"), 3);
    assert_non_null(strstr(written(), "\n   6.0 s  measuring       1,000/s"));
    live_end(live);
    live_free(live);
    assert_int_equal(occurrences(written(), "\n"), 3);
}

static void a_file_gets_plain_lines(UNUSED void **state)
{
    struct live *live = start(LIVE_AUTO);

    pass(live, 0, SEC_NS, PHASE_MEASURED);
    live_free(live);
    assert_null(strchr(written(), '\x1b'));
    assert_int_equal(occurrences(written(), "\n"), 1);
}

static void none_is_none(UNUSED void **state)
{
    struct live *live = start(LIVE_NONE);

    pass(live, 0, 20 * SEC_NS, PHASE_MEASURED);
    live_end(live);
    live_free(live);
    live_free(NULL);
    assert_string_equal(written(), "");
}

static void the_block_is_drawn_over_itself_five_times_a_second(UNUSED void **state)
{
    static struct screen screen;
    struct live *live = start(LIVE_TTY);
    size_t drawn;

    for (int i = 0; i < 60; i++) {
        pass(live, i * SEC_NS / 20, SEC_NS / 20, i < 20 ? PHASE_WARMUP : PHASE_MEASURED);
    }
    drawn = occurrences(written(), "so far");
    assert_in_range(drawn, 14, 16);
    show(&screen, written());
    assert_string_equal(screen.rows[0], "measuring  ███████░░░░░░░░░░░░░░░░░░░░░░░   9 s left");
    assert_string_equal(screen.rows[1], "rate       2,000/s          "
                                        "████████████████████████████████████████");
    assert_string_equal(screen.rows[2], "latency    p50 2.00 ms    p95 2.00 ms    p99 2.00 ms ");
    assert_string_equal(screen.rows[3], "so far     5,700 ok   0 failed   50 connections");
    assert_string_equal(screen.rows[4], "");
    live_end(live);
    live_free(live);
    show(&screen, written());
    assert_int_equal(screen.row, 0);
    assert_string_equal(screen.rows[0], "");
    assert_string_equal(screen.rows[3], "");
}

static void no_line_is_wider_than_the_terminal(UNUSED void **state)
{
    static struct screen screen;
    static const size_t widths[] = { 40, 45, 52, 60, 79 };

    for (size_t i = 0; i < COUNT_OF(widths); i++) {
        struct live *live;
        char columns[16];

        (void)snprintf(columns, sizeof(columns), "%zu", widths[i]);
        assert_int_equal(ftruncate(fileno(file), 0), 0);
        rewind(file);
        (void)setenv("COLUMNS", columns, 1);
        (void)setenv("LC_ALL", "C", 1);
        live = start(LIVE_TTY);
        plan.requests = 10000000;
        for (int w = 0; w < 60; w++) {
            pass(live, w * SEC_NS, SEC_NS, PHASE_MEASURED);
        }
        show(&screen, written());
        for (size_t row = 0; row < ROWS; row++) {
            assert_true(strlen(screen.rows[row]) < widths[i]);
        }
        live_end(live);
        live_free(live);
        show(&screen, written());
        assert_int_equal(screen.row, 0);
        assert_string_equal(screen.rows[0], "");
    }
}

static void a_sliver_of_a_terminal_gets_plain_lines(UNUSED void **state)
{
    struct live *live;

    (void)setenv("COLUMNS", "30", 1);
    live = start(LIVE_TTY);
    pass(live, 0, SEC_NS, PHASE_MEASURED);
    live_end(live);
    live_free(live);
    assert_null(strchr(written(), '\x1b'));
}

static void a_number_of_requests_is_counted_down(UNUSED void **state)
{
    struct live *live = start(LIVE_TTY);

    plan.requests = 400;
    plan.duration_ns = 0;
    plan.warmup_ns = 0;
    pass(live, 0, SEC_NS, PHASE_MEASURED);
    assert_non_null(strstr(written(), "measuring  ███████░"));
    assert_non_null(strstr(written(), "100 of 400"));
    assert_null(strstr(written(), "left"));
    live_free(live);
}

static void what_is_still_open_is_said_while_draining(UNUSED void **state)
{
    struct live *live = start(LIVE_TTY);

    pass(live, 0, SEC_NS, PHASE_DRAIN);
    assert_non_null(strstr(written(), "draining "));
    assert_non_null(strstr(written(), "7 still open"));
    live_free(live);
}

static void old_answers_leave_the_percentiles(UNUSED void **state)
{
    struct live *live = start(LIVE_TTY);
    struct window_sink sink = live_sink(live);

    pass(live, 0, SEC_NS, PHASE_MEASURED);
    for (int i = 1; i < 4; i++) {
        window.start_ns = (START_S + i) * SEC_NS;
        window.end_ns = window.start_ns + SEC_NS;
        hist_reset(&window.response);
        for (int k = 0; k < 100; k++) {
            hist_record(&window.response, 8 * MSEC_NS);
        }
        assert_int_equal(ftruncate(fileno(file), 0), 0);
        rewind(file);
        sink.window(sink.self, &window);
    }
    assert_non_null(strstr(written(), "p50 8.00 ms"));
    live_free(live);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(plain_lines_come_after_a_second_and_then_every_five, begin,
                                        end),
        cmocka_unit_test_setup_teardown(a_file_gets_plain_lines, begin, end),
        cmocka_unit_test_setup_teardown(none_is_none, begin, end),
        cmocka_unit_test_setup_teardown(the_block_is_drawn_over_itself_five_times_a_second, begin,
                                        end),
        cmocka_unit_test_setup_teardown(no_line_is_wider_than_the_terminal, begin, end),
        cmocka_unit_test_setup_teardown(a_sliver_of_a_terminal_gets_plain_lines, begin, end),
        cmocka_unit_test_setup_teardown(a_number_of_requests_is_counted_down, begin, end),
        cmocka_unit_test_setup_teardown(what_is_still_open_is_said_while_draining, begin, end),
        cmocka_unit_test_setup_teardown(old_answers_leave_the_percentiles, begin, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
