/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole reports of fixed results against files in tests/data/result. After a wanted change
 * tools/update-golden writes them anew (BRUNT_GOLDEN=write); read the difference before the commit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "report/report.h"
#include "sample.h"

static const char *folder;
static struct plan plan;

static void read_file(const char *name, struct buf *buf)
{
    char path[512], piece[4096];
    FILE *file;
    size_t n;

    (void)snprintf(path, sizeof(path), "%s/%s", folder, name);
    file = fopen(path, "r");
    if (file == NULL) {
        fail_msg("%s is missing: tools/update-golden", path);
        return;
    }
    while ((n = fread(piece, 1, sizeof(piece), file)) > 0) {
        buf_add(buf, piece, n);
    }
    (void)fclose(file);
}

static void write_file(const char *name, const struct buf *buf)
{
    char path[512];
    FILE *file;

    (void)snprintf(path, sizeof(path), "%s/%s", folder, name);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(buf->data, 1, buf->len, file), buf->len);
    assert_int_equal(fclose(file), 0);
}

static void is_as_in_file(const char *name, const struct buf *buf)
{
    const char *mode = getenv("BRUNT_GOLDEN");
    struct buf wanted;

    assert_false(buf->overflow);
    if (mode != NULL && strcmp(mode, "write") == 0) {
        write_file(name, buf);
        return;
    }
    buf_init(&wanted, 1 << 20);
    read_file(name, &wanted);
    assert_string_equal(buf_str(buf).p, buf_str(&wanted).p);
    buf_fini(&wanted);
}

struct text_case {
    struct result *(*make)(struct plan *plan);
    struct report_style style;
    const char *file;
};

static const double chosen[] = { 0.5, 0.99, 0.9999, 0.999999 };

static const struct text_case text_cases[] = {
    { sample_good, { .ascii = false }, "good.txt" },
    { sample_good, { .explain = true }, "good-explain.txt" },
    { sample_good, { .verbose = true }, "good-verbose.txt" },
    { sample_good, { .quiet = true }, "good-quiet.txt" },
    { sample_good, { .ascii = true, .keep_secrets = true }, "good-ascii.txt" },
    { sample_good, { .percentiles = chosen, .percentile_count = 4 }, "good-percentiles.txt" },
    { sample_bad, { .ascii = false }, "bad.txt" },
    { sample_bad, { .verbose = true, .color = true }, "bad-verbose-color.txt" },
    { sample_few, { .ascii = false }, "few.txt" },
    { sample_none, { .ascii = false }, "none.txt" },
    { sample_early, { .ascii = false }, "early.txt" },
    { sample_stalled, { .ascii = false }, "stalled.txt" },
    { sample_large, { .ascii = false }, "large.txt" },
};

static void texts_are_as_they_were(UNUSED void **state)
{
    for (size_t i = 0; i < COUNT_OF(text_cases); i++) {
        struct result *result = text_cases[i].make(&plan);
        struct buf buf;

        buf_init(&buf, 1 << 20);
        report_text(result, &text_cases[i].style, &buf);
        is_as_in_file(text_cases[i].file, &buf);
        buf_fini(&buf);
        result_free(result);
    }
}

static void documents_are_as_they_were(UNUSED void **state)
{
    static const struct text_case cases[] = {
        { sample_good, { .ascii = false }, "good.json" },
        { sample_bad, { .ascii = false }, "bad.json" },
        { sample_few, { .ascii = false }, "few.json" },
        { sample_none, { .ascii = false }, "none.json" },
        { sample_early, { .ascii = false }, "early.json" },
        { sample_stalled, { .ascii = false }, "stalled.json" },
        { sample_large, { .ascii = false }, "large.json" },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct result *result = cases[i].make(&plan);
        struct buf buf;

        buf_init(&buf, 1 << 20);
        report_json(result, &cases[i].style, &buf);
        is_as_in_file(cases[i].file, &buf);
        buf_fini(&buf);
        result_free(result);
    }
}

static void tables_are_as_they_were(UNUSED void **state)
{
    struct result *result = sample_good(&plan);
    struct buf buf;

    buf_init(&buf, 1 << 20);
    report_csv(result, &buf);
    is_as_in_file("good.csv", &buf);
    buf_reset(&buf);
    report_hgrm(result, &buf);
    is_as_in_file("good.hgrm", &buf);
    buf_fini(&buf);
    result_free(result);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_as_they_were),
        cmocka_unit_test(documents_are_as_they_were),
        cmocka_unit_test(tables_are_as_they_were),
    };

    folder = argc > 1 ? argv[1] : "tests/data/result";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
