/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan_args.h"
#include "plan/plan_options.h"

enum { WORDS_MAX = 8, CPUS = 2 };

struct line {
    const char *words[WORDS_MAX]; /* NULL-ended */
    const char *expected;         /* the target, or what the refusal names */
};

static bool take(const struct line *line, struct plan *plan, struct err *err)
{
    struct opt_set set = { plan_options, plan };
    struct opt_spec spec = { &set, 1, NULL };
    struct opt_args args;
    char *argv[WORDS_MAX] = { NULL };
    int argc = 0;
    bool ok;

    for (; line->words[argc] != NULL; argc++) {
        argv[argc] = strdup(line->words[argc]);
    }
    ok = opt_parse(&spec, argc, argv, &args, err);
    if (ok) {
        ok = plan_take_args(plan, &args, CPUS, err);
        opt_args_fini(&args);
    }
    while (argc > 0) {
        free(argv[--argc]);
    }
    return ok;
}

static void a_target_is_taken_as_written(UNUSED void **state)
{
    static const struct line lines[] = {
        { { "http://127.0.0.1:8080/" }, "http://127.0.0.1:8080/" },
        { { "-c", "5", "a.host" }, "a.host" },
        { { "a.host", "-c", "5" }, "a.host" },
        { { "-c5", "--", "a.host" }, "a.host" },
        { { "127.0.0.1:8080/data.json" }, "127.0.0.1:8080/data.json" },
        { { "a.host/page.txt" }, "a.host/page.txt" },
        { { "localhost/a.js" }, "localhost/a.js" },
        { { "http://a/plan.yaml" }, "http://a/plan.yaml" },
        { { "-t2", "a.host" }, "a.host" },
        { { "--threads=64", "a.host" }, "a.host" },
    };

    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        struct plan plan;
        struct err err;

        plan_init(&plan);
        assert_true(take(&lines[i], &plan, &err));
        assert_string_equal(plan.target, lines[i].expected);
        assert_false(plan.self);
        plan_fini(&plan);
    }
}

static void self_is_meant_by_its_name_or_by_nothing_at_all(UNUSED void **state)
{
    static const struct line lines[] = {
        { { NULL }, "self" },
        { { "self" }, "self" },
        { { "-c", "5", "self" }, "self" },
    };

    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        struct plan plan;
        struct err err;

        plan_init(&plan);
        assert_true(take(&lines[i], &plan, &err));
        assert_string_equal(plan.target, "self");
        assert_true(plan.self);
        plan_fini(&plan);
    }
}

static void a_file_of_urls_is_known_by_its_name_or_by_being_there(UNUSED void **state)
{
    static const struct {
        struct line line;
        bool file;
    } cases[] = {
        { { { "-" }, "-" }, true },
        { { { "urls.txt", "-c5" }, "urls.txt" }, true },
        { { { "no/such/targets.jsonl" }, "no/such/targets.jsonl" }, true },
        { { { "/dev/null" }, "/dev/null" }, true },
        { { { "a.host/urls.txt" }, "a.host/urls.txt" }, false },
        { { { "http://a/urls.txt" }, "http://a/urls.txt" }, false },
        { { { "a.host" }, "a.host" }, false },
        { { { "self" }, "self" }, false },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct plan plan;
        struct err err;

        plan_init(&plan);
        assert_true(take(&cases[i].line, &plan, &err));
        assert_string_equal(plan.target, cases[i].line.expected);
        assert_int_equal(plan.target_file, cases[i].file);
        plan_fini(&plan);
    }
}

static void a_target_that_nobody_named_is_refused(UNUSED void **state)
{
    static const struct line lines[] = {
        { { "" }, "TARGET is empty" },
        { { "-c", "5", "" }, "TARGET is empty" },
        { { "a.host", "" }, "TARGET is empty" },
        { { "-c", "5" }, "no TARGET" },
        { { "--close" }, "no TARGET" },
        { { "-H", "http://x/" }, "-H took the URL" },
        { { "-c5", "--data", "http://x/", "--close" }, "--data took the URL" },
        { { "--name", "localhost:8080" }, "--name took the URL" },
        { { "--header=http://x/" }, "no TARGET beside" },
        { { "a.host", "b.host" }, "second TARGET 'b.host'" },
        { { "a.host", "http://me:secret@b.host/" }, "second TARGET" },
        { { "plan.yaml" }, "not in this version yet" },
        { { "tests/site.jmx" }, "not in this version yet" },
        { { "./x.har" }, "not in this version yet" },
        { { "script.js" }, "not in this version yet" },
        { { "/" }, "not in this version yet" },
        { { "-t", "3", "a.host" }, "-d 3s" },
        { { "-t30", "a.host" }, "--threads 30" },
    };

    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        struct plan plan;
        struct err err = { 0 };

        plan_init(&plan);
        assert_false(take(&lines[i], &plan, &err));
        assert_int_equal(err.kind, ERR_USAGE);
        assert_null(plan.target);
        assert_null(strstr(err.text, "secret"));
        if (strstr(err.text, lines[i].expected) == NULL) {
            fail_msg("'%s' does not name '%s'", err.text, lines[i].expected);
        }
        plan_fini(&plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_target_is_taken_as_written),
        cmocka_unit_test(self_is_meant_by_its_name_or_by_nothing_at_all),
        cmocka_unit_test(a_file_of_urls_is_known_by_its_name_or_by_being_there),
        cmocka_unit_test(a_target_that_nobody_named_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
