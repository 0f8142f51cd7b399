/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/run_outputs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/unit.h"
#include "cmd/output.h"
#include "report/locale.h"

#define AT(field) offsetof(struct run_outputs, field)

enum { DOCUMENT_BYTES_MAX = 64 << 20 };

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* "50,95,p99.9" */
static bool parse_percentiles(struct str text, void *field, struct err *err)
{
    struct run_outputs *outputs = field;
    struct str rest = text, piece;
    size_t count = 0;

    while (str_cut(&rest, ',', &piece)) {
        struct str number = str_trim(piece);
        double percent;

        if (count == RUN_PERCENTILES_MAX) {
            return err_set(err, ERR_USAGE, "there are more than %d of them", RUN_PERCENTILES_MAX);
        }
        number = str_starts(number, STR("p")) ? str_from(number, 1) : number;
        if (!unit_parse_number(number, &percent, err) || percent <= 0 || percent > 100) {
            return err_set(err, ERR_USAGE, "'%.*s' is not a percentile up to 100: write 50,95,99.9",
                           STR_ARG(piece));
        }
        outputs->percentiles[count++] = percent / 100;
    }
    qsort(outputs->percentiles, count, sizeof(outputs->percentiles[0]), by_size);
    outputs->percentile_count = count;
    return true;
}

/* In the order of enum live_mode and enum run_color. */
static const char *const progress_words[] = { "auto", "tty", "plain", "none", NULL };
static const char *const color_words[] = { "auto", "always", "never", NULL };

#define OUTPUT "Output"

const struct opt run_outputs_options[] = {
    { .name = "json",
      .type = OPT_TEXT,
      .offset = AT(json),
      .arg = "FILE|-",
      .group = OUTPUT,
      .help = "the result as a document, schema brunt.result/1; - takes standard output" },
    { .name = "csv",
      .type = OPT_TEXT,
      .offset = AT(csv),
      .arg = "FILE|-",
      .group = OUTPUT,
      .help = "the series, a row a window" },
    { .name = "hgrm",
      .type = OPT_TEXT,
      .offset = AT(hgrm),
      .arg = "FILE|-",
      .group = OUTPUT,
      .help = "the response times as HdrHistogram prints them" },
    { .name = "samples",
      .type = OPT_TEXT,
      .offset = AT(samples),
      .arg = "FILE",
      .group = OUTPUT,
      .help = "a row for every request" },
    { .name = "explain",
      .type = OPT_SWITCH,
      .offset = AT(explain),
      .group = OUTPUT,
      .help = "under each number a sentence on what it is" },
    { .name = "percentiles",
      .type = OPT_CUSTOM,
      .parse = parse_percentiles,
      .offset = 0,
      .arg = "LIST",
      .without = "50,90,95,99,99.9",
      .group = OUTPUT,
      .help = "which to print" },
    { .name = "quiet",
      .letters = "q",
      .type = OPT_SWITCH,
      .offset = AT(quiet),
      .group = OUTPUT,
      .help = "only the numbers" },
    { .name = "verbose",
      .letters = "v",
      .type = OPT_SWITCH,
      .offset = AT(verbose),
      .group = OUTPUT,
      .help = "all checks and all phases" },
    { .name = "progress",
      .type = OPT_CHOICE,
      .choices = progress_words,
      .offset = AT(progress),
      .arg = "HOW",
      .def = "auto",
      .group = OUTPUT,
      .help = "meanwhile, on standard error" },
    { .name = "color",
      .type = OPT_CHOICE,
      .choices = color_words,
      .offset = AT(color),
      .arg = "WHEN",
      .def = "auto",
      .group = OUTPUT,
      .help = "colors" },
    { .name = "once",
      .type = OPT_SWITCH,
      .offset = AT(once),
      .group = OUTPUT,
      .help = "one request, shown with its answer, and nothing else" },
    { .name = "keep-secrets",
      .type = OPT_SWITCH,
      .offset = AT(keep_secrets),
      .group = OUTPUT,
      .help = "show passwords, cookies and bodies in outputs" },
    { .name = "no-store",
      .type = OPT_ALREADY,
      .group = OUTPUT,
      .help = "keep no copy of the run, which is so in this version" },
    { .name = NULL },
};

/* The four files by option, so that what holds for one holds for all. */
struct place {
    const char *option, *path;
};

enum { PLACES = 4 };

static void list_places(const struct run_outputs *outputs, struct place *places)
{
    places[0] = (struct place){ "--json", outputs->json };
    places[1] = (struct place){ "--csv", outputs->csv };
    places[2] = (struct place){ "--hgrm", outputs->hgrm };
    places[3] = (struct place){ "--samples", outputs->samples };
}

static bool is_stdout(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

/* Two rows to /dev/null or /dev/full harm nobody. */
static bool share_place(const struct place *a, const struct place *b)
{
    return a->path != NULL && b->path != NULL && strcmp(a->path, b->path) == 0 &&
           strncmp(a->path, "/dev/", 5) != 0;
}

bool run_outputs_check(const struct run_outputs *outputs, struct err *err)
{
    struct place places[PLACES];

    list_places(outputs, places);
    if (is_stdout(outputs->samples)) {
        return err_set(err, ERR_USAGE, "--samples: it needs a file, not standard output");
    }
    if (outputs->once && (outputs->json != NULL || outputs->csv != NULL || outputs->hgrm != NULL ||
                          outputs->samples != NULL)) {
        return err_set(err, ERR_USAGE, "--once: one request is shown and gives no document");
    }
    if (outputs->quiet && outputs->verbose) {
        return err_set(err, ERR_USAGE, "-q and -v contradict each other");
    }
    for (size_t i = 0; i < PLACES; i++) {
        for (size_t j = 0; j < i; j++) {
            if (share_place(&places[i], &places[j])) {
                return err_set(err, ERR_USAGE, "%s and %s cannot both be written to '%s'",
                               places[j].option, places[i].option, places[i].path);
            }
        }
        if (places[i].path != NULL && !output_check(places[i].path, err)) {
            return err_prefix(err, "%s", places[i].option);
        }
    }
    return true;
}

bool run_outputs_text(const struct run_outputs *outputs)
{
    return !is_stdout(outputs->json) && !is_stdout(outputs->csv) && !is_stdout(outputs->hgrm);
}

bool run_outputs_color(const struct run_outputs *outputs, int fd)
{
    const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");

    switch (outputs->color) {
    case RUN_COLOR_ALWAYS:
        return true;
    case RUN_COLOR_NEVER:
        return false;
    case RUN_COLOR_AUTO:
        break;
    }
    return isatty(fd) == 1 && (no_color == NULL || no_color[0] == '\0') &&
           (term == NULL || strcmp(term, "dumb") != 0);
}

void run_outputs_style(const struct run_outputs *outputs, struct report_style *ret_style)
{
    *ret_style = (struct report_style){
        .color = run_outputs_color(outputs, STDOUT_FILENO),
        .explain = outputs->explain,
        .verbose = outputs->verbose,
        .quiet = outputs->quiet,
        .ascii = !locale_is_utf8(),
        .percentiles = outputs->percentile_count > 0 ? outputs->percentiles : NULL,
        .percentile_count = outputs->percentile_count,
        .keep_secrets = outputs->keep_secrets,
    };
    if (isatty(STDOUT_FILENO) == 1) {
        ret_style->columns = locale_columns(STDOUT_FILENO);
    }
}

struct document {
    const char *path;
    void (*write)(const struct result *result, const struct report_style *style, struct buf *buf);
};

static void write_csv(const struct result *result, UNUSED const struct report_style *style,
                      struct buf *buf)
{
    report_csv(result, buf);
}

static void write_hgrm(const struct result *result, UNUSED const struct report_style *style,
                       struct buf *buf)
{
    report_hgrm(result, buf);
}

static bool write_document(const struct document *document, const struct result *result,
                           const struct report_style *style, struct err *err)
{
    struct buf buf;
    bool ok;

    buf_init(&buf, DOCUMENT_BYTES_MAX);
    document->write(result, style, &buf);
    if (buf.overflow) {
        ok = err_set(err, ERR_LIMIT, "cannot write '%s': the document is over %d MiB",
                     document->path, DOCUMENT_BYTES_MAX >> 20);
    } else {
        ok = output_write(document->path, buf_str(&buf), err);
    }
    buf_fini(&buf);
    return ok;
}

bool run_outputs_write(const struct run_outputs *outputs, const struct result *result,
                       struct err *err)
{
    const struct document documents[] = {
        { run_outputs_text(outputs) ? "-" : NULL, report_text },
        { outputs->json, report_json },
        { outputs->csv, write_csv },
        { outputs->hgrm, write_hgrm },
    };
    struct report_style style;
    bool ok = true;

    run_outputs_style(outputs, &style);
    for (size_t i = 0; i < COUNT_OF(documents); i++) {
        struct err later;

        if (documents[i].path != NULL && !write_document(&documents[i], result, &style, &later)) {
            *err = ok ? later : *err;
            ok = false;
        }
    }
    return ok;
}
