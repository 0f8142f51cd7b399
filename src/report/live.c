/* SPDX-License-Identifier: Apache-2.0 */
#include "report/live.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/unit.h"
#include "report/locale.h"
#include "report/page.h"
#include "report/spark.h"

#define DRAW_EVERY_NS  (SEC_NS / 5)
#define RECENT_NS      SEC_NS
#define PLAIN_FIRST_NS SEC_NS
#define PLAIN_EVERY_NS (5 * SEC_NS)

enum {
    RECENT_WINDOWS = 40,
    BAR_CELLS = 30,
    COLUMNS_DEFAULT = 80,
    COLUMNS_MIN = 40, /* a block in less would wrap and could not be drawn over */
    OUT_BYTES_MAX = 16 << 10,
};

struct live {
    const struct plan *plan;
    int fd;
    enum live_mode mode; /* never AUTO */
    struct report_style style;

    bool begun;
    int64_t start_ns, now_ns;
    int64_t drawn_ns; /* when the block or the last line was written */
    enum phase phase;
    uint64_t ok, failed; /* since the start */
    uint32_t in_flight, open_connections;

    double rates[RECENT_WINDOWS]; /* good answers a second, oldest first */
    int64_t widths_ns[RECENT_WINDOWS];
    size_t rate_count;
    /* Of the last second or two: one being filled, one full. Plain lines use only the first, since
     * the last line. */
    struct hist *filling, *full, *both;
    int64_t filling_since_ns;
    uint64_t line_ok; /* at the last plain line */

    unsigned lines; /* of the block on the terminal */
    struct buf out;
};

static bool can_move_cursor(int fd)
{
    const char *term = getenv("TERM");

    return isatty(fd) && term != NULL && term[0] != '\0' && strcmp(term, "dumb") != 0;
}

static unsigned columns_of(int fd)
{
    unsigned columns = locale_columns(fd);

    return columns == 0 ? COLUMNS_DEFAULT : columns;
}

struct live *live_new(const struct plan *plan, int fd, enum live_mode mode, bool color)
{
    struct live *live = mem_new(1, sizeof(*live));

    if (mode == LIVE_AUTO) {
        mode = can_move_cursor(fd) ? LIVE_TTY : LIVE_PLAIN;
    }
    if (mode == LIVE_TTY && columns_of(fd) < COLUMNS_MIN) {
        mode = LIVE_PLAIN;
    }
    live->plan = plan;
    live->fd = fd;
    live->mode = mode;
    live->style.color = color;
    live->style.ascii = !locale_is_utf8();
    live->filling = mem_new(1, sizeof(struct hist));
    live->full = mem_new(1, sizeof(struct hist));
    live->both = mem_new(1, sizeof(struct hist));
    buf_init(&live->out, OUT_BYTES_MAX);
    return live;
}

void live_free(struct live *live)
{
    if (live == NULL) {
        return;
    }
    mem_free(live->filling);
    mem_free(live->full);
    mem_free(live->both);
    buf_fini(&live->out);
    mem_free(live);
}

static bool is_writable(int fd)
{
    struct pollfd wait = { .fd = fd, .events = POLLOUT };

    return poll(&wait, 1, 0) == 1 && (wait.revents & POLLOUT) != 0;
}

/* A conversation that is not heard is no reason to stop: errors are left alone. */
static void flush(struct live *live)
{
    struct str rest = buf_str(&live->out);

    /* A terminal that was stopped would stop this thread, and in the end the load: it misses a
     * frame. */
    while (rest.len > 0 && is_writable(live->fd)) {
        ssize_t n = write(live->fd, rest.p, rest.len);

        if (n <= 0) {
            break;
        }
        rest = str_from(rest, (size_t)n);
    }
    buf_reset(&live->out);
}

static const char *phase_text(enum phase phase)
{
    switch (phase) {
    case PHASE_RAMP:
        return "ramp";
    case PHASE_WARMUP:
        return "warm-up";
    case PHASE_MEASURED:
        return "measuring";
    case PHASE_DRAIN:
        return "draining";
    case PHASE_COUNT:
        break;
    }
    return "";
}

static int64_t at_least_zero(int64_t ns)
{
    return ns > 0 ? ns : 0;
}

/* 0..1 of the time, or of the number of requests, whichever is nearer to its end. */
static double progress(const struct live *live, int64_t *ret_left_ns)
{
    const struct plan *plan = live->plan;
    int64_t whole_ns =
        at_least_zero(plan->ramp_ns) + at_least_zero(plan->warmup_ns) + plan->duration_ns;
    int64_t elapsed_ns = live->now_ns - live->start_ns;
    double by_time = 0, by_count = 0, most;

    *ret_left_ns = -1;
    if (plan->duration_ns > 0) {
        by_time = (double)elapsed_ns / (double)whole_ns;
        *ret_left_ns = at_least_zero(whole_ns - elapsed_ns);
    }
    if (plan->requests > 0) {
        by_count = (double)(live->ok + live->failed) / (double)plan->requests;
    }
    most = by_time > by_count ? by_time : by_count;
    return most > 1 || live->phase == PHASE_DRAIN ? 1 : most;
}

static void draw_progress(struct live *live, struct page *page)
{
    int64_t left_ns;
    double share = progress(live, &left_ns);
    size_t room = page->columns - PAGE_INDENT;
    size_t cells = room < BAR_CELLS ? room : BAR_CELLS;
    size_t full = (size_t)(share * (double)cells);
    char bar[BAR_CELLS * 3 + 1] = "";
    char done[UNIT_TEXT_MAX], of[UNIT_TEXT_MAX];
    size_t used = 0;

    for (size_t i = 0; i < cells; i++) {
        const char *glyph =
            i < full ? (live->style.ascii ? "#" : "\u2588") : (live->style.ascii ? "." : "\u2591");
        size_t n = strlen(glyph);

        memcpy(bar + used, glyph, n);
        used += n;
    }
    bar[used] = '\0';
    page_begin(page, phase_text(live->phase));
    page_item(page, INK_PLAIN, "%s", bar);
    if (live->phase == PHASE_DRAIN) {
        page_item(page, INK_PLAIN, "%s still open",
                  unit_format_count((int64_t)live->in_flight, done));
    } else if (live->plan->requests > 0) {
        page_item(page, INK_PLAIN, "%s of %s",
                  unit_format_count((int64_t)(live->ok + live->failed), done),
                  unit_format_count(live->plan->requests, of));
    }
    if (left_ns >= 0 && live->phase != PHASE_DRAIN) {
        page_item(page, INK_PLAIN, "%lld s left", (long long)((left_ns + SEC_NS - 1) / SEC_NS));
    }
    page_end(page);
}

/* Over the last windows that make up a second. */
static double rate_now(const struct live *live)
{
    int64_t span_ns = 0;
    double answers = 0;

    for (size_t i = live->rate_count; i-- > 0 && span_ns < RECENT_NS;) {
        answers += live->rates[i] * (double)live->widths_ns[i] / (double)SEC_NS;
        span_ns += live->widths_ns[i];
    }
    return span_ns > 0 ? answers * (double)SEC_NS / (double)span_ns : 0;
}

static void draw_rate(struct live *live, struct page *page)
{
    size_t room = page->columns > PAGE_INDENT + 20 ? page->columns - PAGE_INDENT - 20 : 0;
    size_t count = live->rate_count < room ? live->rate_count : room;
    char rate[UNIT_TEXT_MAX];
    struct buf bars;

    buf_init(&bars, RECENT_WINDOWS * 4);
    spark_add(&bars, live->rates + live->rate_count - count, count, live->style.ascii);
    page_begin(page, "rate");
    page_item(page, INK_BOLD, "%-14s", unit_format_rate(rate_now(live), rate));
    page_item(page, INK_PLAIN, "%s", buf_str(&bars).p);
    page_end(page);
    buf_fini(&bars);
}

static void draw_latency(struct live *live, struct page *page)
{
    static const struct {
        double quantile;
        const char *word;
    } shown[] = { { 0.5, "p50" }, { 0.95, "p95" }, { 0.99, "p99" } };

    hist_reset(live->both);
    hist_merge(live->both, live->full);
    hist_merge(live->both, live->filling);
    page_begin(page, "latency");
    for (size_t i = 0; i < COUNT_OF(shown); i++) {
        bool known = hist_quantile_known(live->both->count, shown[i].quantile);
        char value[UNIT_TEXT_MAX];

        page_item(page, INK_PLAIN, "%s %-8s", shown[i].word,
                  known ? unit_format_duration(hist_quantile(live->both, shown[i].quantile), value)
                        : "n/a");
    }
    page_end(page);
}

static void draw_counts(struct live *live, struct page *page)
{
    char count[UNIT_TEXT_MAX];

    page_begin(page, "so far");
    page_item(page, INK_PLAIN, "%s ok", unit_format_count((int64_t)live->ok, count));
    page_item(page, live->failed > 0 ? INK_BAD : INK_PLAIN, "%s failed",
              unit_format_count((int64_t)live->failed, count));
    page_item(page, INK_PLAIN, "%s connections",
              unit_format_count((int64_t)live->open_connections, count));
    page_end(page);
}

/* Back to the first line of the block. */
static void go_up(struct live *live)
{
    if (live->lines > 0) {
        buf_printf(&live->out, "\r\x1b[%uA", live->lines);
    }
}

static void draw_block(struct live *live)
{
    struct page page;
    struct buf text;
    struct str rest, line;

    buf_init(&text, OUT_BYTES_MAX);
    /* The last column stays free: some terminals go to the next line after it. */
    live->style.columns = columns_of(live->fd) - 1;
    page_init(&page, &live->style, &text);
    draw_progress(live, &page);
    draw_rate(live, &page);
    draw_latency(live, &page);
    draw_counts(live, &page);

    go_up(live);
    live->lines = 0;
    rest = buf_str(&text);
    while (str_cut(&rest, '\n', &line) && rest.p != NULL) {
        buf_add_str(&live->out, line);
        buf_puts(&live->out, "\x1b[K\n");
        live->lines++;
    }
    /* What an earlier, taller block left. */
    buf_puts(&live->out, "\x1b[J");
    buf_fini(&text);
    flush(live);
}

static void write_line(struct live *live)
{
    int64_t span_ns = live->now_ns - live->filling_since_ns;
    char rate[UNIT_TEXT_MAX], p50[UNIT_TEXT_MAX], p99[UNIT_TEXT_MAX], failed[UNIT_TEXT_MAX];
    const struct hist *hist = live->filling;
    double hz =
        span_ns > 0 ? (double)(live->ok - live->line_ok) * (double)SEC_NS / (double)span_ns : 0;

    buf_printf(&live->out, "%6.1f s  %-9s  %12s  p50 %-8s  p99 %-8s  %s failed\n",
               (double)(live->now_ns - live->start_ns) / (double)SEC_NS, phase_text(live->phase),
               unit_format_rate(hz, rate),
               hist->count > 0 ? unit_format_duration(hist_quantile(hist, 0.5), p50) : "n/a",
               hist_quantile_known(hist->count, 0.99)
                   ? unit_format_duration(hist_quantile(hist, 0.99), p99)
                   : "n/a",
               unit_format_count((int64_t)live->failed, failed));
    flush(live);
    hist_reset(live->filling);
    live->filling_since_ns = live->now_ns;
    live->line_ok = live->ok;
}

static void push_rate(struct live *live, const struct window *window)
{
    int64_t width_ns = window->end_ns - window->start_ns;

    if (width_ns <= 0) {
        return;
    }
    if (live->rate_count == RECENT_WINDOWS) {
        memmove(live->rates, live->rates + 1, sizeof(live->rates) - sizeof(live->rates[0]));
        memmove(live->widths_ns, live->widths_ns + 1,
                sizeof(live->widths_ns) - sizeof(live->widths_ns[0]));
        live->rate_count--;
    }
    live->rates[live->rate_count] = (double)window->ok * (double)SEC_NS / (double)width_ns;
    live->widths_ns[live->rate_count] = width_ns;
    live->rate_count++;
}

static void take_in(struct live *live, const struct window *window)
{
    if (!live->begun) {
        live->begun = true;
        live->start_ns = live->filling_since_ns = window->start_ns;
        live->drawn_ns = live->mode == LIVE_TTY
                             ? window->start_ns - DRAW_EVERY_NS
                             : window->start_ns - PLAIN_EVERY_NS + PLAIN_FIRST_NS;
    }
    live->now_ns = window->end_ns;
    live->phase = window->phase;
    live->ok += window->ok;
    live->failed += window->failed;
    live->in_flight = window->in_flight;
    live->open_connections = window->open_connections;
    push_rate(live, window);
    hist_merge(live->filling, &window->response);
}

/* On a terminal the percentiles speak of the last one to two seconds. */
static void turn_over(struct live *live)
{
    struct hist *oldest = live->full;

    if (live->now_ns - live->filling_since_ns < RECENT_NS) {
        return;
    }
    live->full = live->filling;
    live->filling = oldest;
    hist_reset(live->filling);
    live->filling_since_ns = live->now_ns;
}

static void live_window(void *self, const struct window *window)
{
    struct live *live = self;

    if (live->mode == LIVE_NONE) {
        return;
    }
    take_in(live, window);
    if (live->mode == LIVE_PLAIN) {
        if (live->now_ns - live->drawn_ns >= PLAIN_EVERY_NS) {
            live->drawn_ns = live->now_ns;
            write_line(live);
        }
        return;
    }
    if (live->now_ns - live->drawn_ns >= DRAW_EVERY_NS) {
        live->drawn_ns = live->now_ns;
        draw_block(live);
    }
    turn_over(live);
}

struct window_sink live_sink(struct live *live)
{
    return (struct window_sink){ .window = live_window, .self = live };
}

void live_end(struct live *live)
{
    if (live->mode != LIVE_TTY || live->lines == 0) {
        return;
    }
    go_up(live);
    buf_puts(&live->out, "\x1b[J");
    live->lines = 0;
    flush(live);
}
