/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a command that loads shows and writes: the options that are about the output and not about
 * the load.
 */
#ifndef CMD_RUN_OUTPUTS_H
#define CMD_RUN_OUTPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "opt/opt.h"
#include "report/live.h"
#include "report/report.h"

enum run_color { RUN_COLOR_AUTO, RUN_COLOR_ALWAYS, RUN_COLOR_NEVER };

enum { RUN_PERCENTILES_MAX = 16 };

struct run_outputs {
    char *json, *csv, *hgrm, *samples; /* paths; "-" is standard output, but for samples */
    bool quiet, verbose, once, explain, keep_secrets;
    enum live_mode progress;
    enum run_color color;
    double percentiles[RUN_PERCENTILES_MAX]; /* 0..1, ascending */
    size_t percentile_count;
};

extern const struct opt run_outputs_options[];

/* Before the start: ERR_USAGE when two outputs share a place or one cannot be written. */
bool run_outputs_check(const struct run_outputs *outputs, struct err *err) MUST_CHECK;
/* Whether text for people may go to standard output. */
bool run_outputs_text(const struct run_outputs *outputs);
/* Whether what goes to this descriptor may be coloured. */
bool run_outputs_color(const struct run_outputs *outputs, int fd);
void run_outputs_style(const struct run_outputs *outputs, struct report_style *ret_style);

/* Writes the text and every document of a judged result. The others are still written when one
 * cannot be; false then, and err is that of the first. */
bool run_outputs_write(const struct run_outputs *outputs, const struct result *result,
                       struct err *err) MUST_CHECK;

#endif
