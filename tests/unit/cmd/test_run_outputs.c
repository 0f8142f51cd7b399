/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "cmd/run_outputs.h"

static const struct opt *row_of(const char *name)
{
    struct opt_set set = { run_outputs_options, NULL };
    struct opt_spec spec = { &set, 1, NULL };

    return opt_find(&spec, str_of(name), NULL);
}

static void percentiles_are_sorted_shares(UNUSED void **state)
{
    struct run_outputs outputs = { 0 };
    struct err err;

    assert_true(opt_assign(row_of("percentiles"), &outputs, STR("99.9, p50,100"), &err));
    assert_int_equal(outputs.percentile_count, 3);
    assert_true(fabs(outputs.percentiles[0] - 0.5) < 1e-12);
    assert_true(fabs(outputs.percentiles[1] - 0.999) < 1e-12);
    assert_true(fabs(outputs.percentiles[2] - 1) < 1e-12);
}

static void what_is_no_percentile_is_refused(UNUSED void **state)
{
    static const char *const lists[] = { "",
                                         "0",
                                         "101",
                                         "50,",
                                         "50,abc",
                                         "-5",
                                         "p",
                                         "50;95",
                                         "nan",
                                         ("1,2,3,4,5,6,7,8,9,10,11,12,13,14,"
                                          "15,16,17") };

    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        struct run_outputs outputs = { 0 };
        struct err err = { 0 };

        assert_false(opt_assign(row_of("percentiles"), &outputs, str_of(lists[i]), &err));
        assert_int_equal(outputs.percentile_count, 0);
        assert_int_equal(err.kind, ERR_USAGE);
    }
}

static void outputs_do_not_share_a_place(UNUSED void **state)
{
    static char a[] = "/tmp/brunt-a", b[] = "/tmp/brunt-b", out[] = "-", null[] = "/dev/null",
                folder[] = "/no/such/x";
    const struct {
        struct run_outputs outputs;
        const char *hint; /* NULL: fine */
    } cases[] = {
        { { .json = NULL }, NULL },
        { { .json = a, .csv = b }, NULL },
        { { .json = out, .csv = b }, NULL },
        { { .json = null, .csv = null }, NULL },
        { { .json = a, .csv = a }, "--json and --csv" },
        { { .json = out, .hgrm = out }, "--json and --hgrm" },
        { { .csv = a, .samples = a }, "--csv and --samples" },
        { { .samples = out }, "--samples" },
        { { .hgrm = folder }, "--hgrm: cannot write '/no/such/x'" },
        { { .once = true, .json = a }, "--once" },
        { { .quiet = true, .verbose = true }, "-q and -v" },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct err err = { 0 };
        bool ok = run_outputs_check(&cases[i].outputs, &err);

        assert_int_equal(ok, cases[i].hint == NULL);
        assert_true(ok || strstr(err.text, cases[i].hint) != NULL);
        assert_true(ok || err.kind == ERR_USAGE);
    }
}

static void a_document_on_stdout_takes_the_place_of_the_text(UNUSED void **state)
{
    static char file[] = "x", out[] = "-";

    assert_true(run_outputs_text(&(struct run_outputs){ .json = file }));
    assert_false(run_outputs_text(&(struct run_outputs){ .json = out }));
    assert_false(run_outputs_text(&(struct run_outputs){ .csv = out }));
    assert_false(run_outputs_text(&(struct run_outputs){ .hgrm = out }));
}

static void words_stand_for_the_modes_of_report(UNUSED void **state)
{
    static const struct {
        const char *word;
        enum live_mode mode;
    } cases[] = {
        { "auto", LIVE_AUTO }, { "tty", LIVE_TTY }, { "plain", LIVE_PLAIN }, { "none", LIVE_NONE }
    };
    struct run_outputs outputs = { 0 };
    struct err err;

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_true(opt_assign(row_of("progress"), &outputs, str_of(cases[i].word), &err));
        assert_int_equal(outputs.progress, cases[i].mode);
    }
    assert_true(opt_assign(row_of("color"), &outputs, STR("never"), &err));
    assert_false(run_outputs_color(&outputs, 1));
    assert_true(opt_assign(row_of("color"), &outputs, STR("always"), &err));
    assert_true(run_outputs_color(&outputs, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(percentiles_are_sorted_shares),
        cmocka_unit_test(what_is_no_percentile_is_refused),
        cmocka_unit_test(outputs_do_not_share_a_place),
        cmocka_unit_test(a_document_on_stdout_takes_the_place_of_the_text),
        cmocka_unit_test(words_stand_for_the_modes_of_report),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
