/* SPDX-License-Identifier: Apache-2.0 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/clock.h"
#include "cmd/cmd.h"
#include "cmd/curl_word.h"
#include "cmd/habits.h"
#include "cmd/printable.h"
#include "cmd/run_once.h"
#include "cmd/run_outputs.h"
#include "plan/plan.h"
#include "plan/plan_args.h"
#include "plan/plan_curl.h"
#include "plan/plan_options.h"
#include "report/live.h"
#include "target/target.h"
#include "trial/trial.h"
#include "verdict/judge.h"

/* Behind eight workers, so that it and not the generator is the limit. */
#define SELF_PATH "/delay?lognormal=3ms,0.5"

enum { SELF_WORKERS = 8, SIGNAL_EXIT = 128 };

struct run {
    const struct cmd_line *line;
    bool curl; /* all of the line is curl's */
    struct plan plan;
    struct run_outputs outputs;
    int self_pid; /* of the built-in target; 0: none */
};

static unsigned count_cpus(void)
{
    cpu_set_t allowed;

    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) {
        return (unsigned)CPU_COUNT(&allowed);
    }
    return (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
}

/* Short enough to be typed again after --seed. */
static uint64_t draw_seed(void)
{
    uint32_t seed;

    if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) != sizeof(seed)) {
        seed = (uint32_t)clock_real_ns();
    }
    return seed;
}

/* The words before the one at `end`, and those after it as curl's. */
static bool read_curl(struct run *run, const struct opt_spec *spec, int end, struct err *err)
{
    struct cmd_line before = *run->line;
    int first = end + 1;
    struct opt_args args;

    before.argc = end > before.first ? end : before.first;
    if (!cmd_parse(&before, spec->sets, spec->set_count, spec->habits, &args, err)) {
        return false;
    }
    opt_args_fini(&args);
    return plan_curl_take(&run->plan, spec, run->line->argc - first, run->line->argv + first, err);
}

static bool read_target(struct run *run, const struct opt_spec *spec, struct err *err)
{
    struct opt_args args;
    bool ok;

    if (!cmd_parse(run->line, spec->sets, spec->set_count, spec->habits, &args, err)) {
        return false;
    }
    ok = plan_take_args(&run->plan, &args, count_cpus(), err);
    opt_args_fini(&args);
    return ok;
}

static bool read_line(struct run *run, struct err *err)
{
    struct opt_set sets[] = { { plan_options, &run->plan },
                              { run_outputs_options, &run->outputs } };
    struct opt_spec spec = { sets, COUNT_OF(sets), habits };
    int curl = run->curl
                   ? run->line->first - 1
                   : curl_word_find(&spec, run->line->first, run->line->argc, run->line->argv);

    return (curl >= 0 ? read_curl(run, &spec, curl, err) : read_target(run, &spec, err)) &&
           plan_check(&run->plan, draw_seed(), err) && run_outputs_check(&run->outputs, err);
}

/* All that is wrong, a line each, the last one sums it up. */
static int refuse(const struct run *run, const struct err *err)
{
    struct str rest = buf_str(&run->plan.problems), line;

    while (str_cut(&rest, '\n', &line) && line.len > 0) {
        struct err problem;

        err_set(&problem, ERR_USAGE, "%.*s", STR_ARG(line));
        (void)cmd_fail(&problem);
    }
    return cmd_fail(err);
}

static bool start_self(struct run *run, struct err *err)
{
    struct target_config config = { .threads = 1, .workers = SELF_WORKERS, .seed = run->plan.seed };
    char text[64];
    uint16_t port;

    if (!target_spawn(&config, &port, &run->self_pid, err)) {
        return err_prefix(err, "self");
    }
    (void)snprintf(text, sizeof(text), "http://127.0.0.1:%u" SELF_PATH, port);
    url_fini(&run->plan.items[0].url);
    return url_parse(str_of(text), &run->plan.items[0].url, err);
}

static void print_warning(const struct run *run, const struct trial *trial)
{
    const struct trial_outlook *outlook = trial_outlook(trial);
    struct buf line;

    if (run->outputs.quiet || outlook->warning[0] == '\0') {
        return;
    }
    buf_init(&line, 4 * sizeof(outlook->warning));
    printable_add_line(str_of(outlook->warning), &line);
    (void)fprintf(stderr, "brunt: warning: %s\n", line.data);
    buf_fini(&line);
}

/* The first that applies: a signal, nothing measured, an output that is not there, the rest. */
static int finish(struct run *run, const struct trial *trial, struct result *result)
{
    int interrupt = trial_signal(trial);
    struct err err, samples_err;
    bool written, samples;

    result_set_argv(result, run->line->argc, run->line->argv, run->outputs.keep_secrets);
    judge_result(result);
    if (interrupt != 0) {
        result->exit_code = SIGNAL_EXIT + interrupt;
    }
    written = run_outputs_write(&run->outputs, result, &err);
    samples = run->outputs.samples == NULL || trial_samples_written(trial, &samples_err);
    if (!written) {
        (void)cmd_fail(&err);
    }
    if (!samples) {
        (void)cmd_fail(&samples_err);
    }
    if (result->exit_code >= SIGNAL_EXIT || result->exit_code == EXIT_NOTHING) {
        return result->exit_code;
    }
    return written && samples ? result->exit_code : EXIT_UNWRITTEN;
}

static int execute(struct run *run, struct trial *trial, struct live *live)
{
    struct result *result = result_new();
    struct err err;
    bool ok;
    int code;

    print_warning(run, trial);
    ok = trial_run(trial, result, &err);
    if (live != NULL) {
        live_end(live);
    }
    code = ok ? finish(run, trial, result) : cmd_fail(&err);
    result_free(result);
    return code;
}

static int load(struct run *run)
{
    const struct run_outputs *outputs = &run->outputs;
    bool shown = outputs->progress != LIVE_NONE && !outputs->quiet;
    struct live *live = NULL;
    struct window_sink sink = { 0 };
    struct trial_env env = { .samples_path = outputs->samples };
    struct trial *trial;
    struct err err;
    int code;

    if (shown) {
        live = live_new(&run->plan, STDERR_FILENO, outputs->progress,
                        run_outputs_color(outputs, STDERR_FILENO));
        sink = live_sink(live);
        env.sinks = &sink;
        env.sink_count = 1;
    }
    trial = trial_new(&run->plan, &env, &err);
    code = trial != NULL ? execute(run, trial, live) : cmd_fail(&err);
    trial_free(trial);
    live_free(live);
    return code;
}

static int run_line(const struct cmd_line *line, bool curl)
{
    struct run state = { .line = line, .curl = curl };
    struct opt_set outputs = { run_outputs_options, &state.outputs };
    struct err err;
    int code;

    plan_init(&state.plan);
    opt_defaults(&outputs, 1);
    if (!read_line(&state, &err) || (state.plan.self && !start_self(&state, &err))) {
        code = refuse(&state, &err);
    } else if (state.outputs.once) {
        code = run_once(&state.plan, &state.outputs);
    } else {
        code = load(&state);
    }
    if (state.self_pid > 0) {
        (void)kill(state.self_pid, SIGTERM);
    }
    opt_fini(&outputs, 1);
    plan_fini(&state.plan);
    return code;
}

static int run(const struct cmd_line *line)
{
    return run_line(line, false);
}

int cmd_run_curl(const struct cmd_line *line)
{
    return run_line(line, true);
}

static const struct opt *const tables[] = { plan_options, run_outputs_options, NULL };

const struct cmd cmd_run = {
    .name = "run",
    .synopsis = "[run] [TARGET] [OPTION]...",
    .summary = "load a target once and report",
    .tables = tables,
    .run = run,
};
