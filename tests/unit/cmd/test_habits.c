/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of other tools that mean the same here; those that end in exit 2 are in
 * tests/it/test_habits.py.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cmd/habits.h"
#include "cmd/run_outputs.h"
#include "plan/plan.h"
#include "plan/plan_args.h"
#include "plan/plan_options.h"

#define URL "http://127.0.0.1:8080/"

enum { WORDS_MAX = 16, CPUS = 4 };

/* What a line must mean; a zero is the default. */
struct meaning {
    int64_t connections, requests, duration_s, threads, timeout_s, connect_timeout_s;
    const char *method, *data, *userpass, *host, *unix_path, *bind, *tag, *proxy;
    const char *header; /* the only one */
    enum plan_family family;
    bool quiet, verbose;
};

struct line {
    const char *tool, *words; /* separated by '|', without the tool's name; @ is the URL */
    struct meaning meaning;
};

static const struct line lines[] = {
    { "ab", "-n|1000|-c|10|@", { .requests = 1000, .connections = 10 } },
    { "ab", "-n1000|-c10|@", { .requests = 1000, .connections = 10 } },
    { "ab",
      "-n|1000|-c|10|-H|X-A: b|@",
      { .requests = 1000, .connections = 10, .header = "X-A: b" } },
    { "ab", "-q|-n|100|-c|1|@", { .requests = 100, .connections = 1, .quiet = true } },
    { "wrk", "-t2|-c100|-d30s|@", { .threads = 2, .connections = 100, .duration_s = 30 } },
    { "wrk", "-t|2|-c|100|-d|2m|@", { .threads = 2, .connections = 100, .duration_s = 120 } },
    { "wrk",
      "-c100|-d30s|--timeout|2s|@",
      { .connections = 100, .duration_s = 30, .timeout_s = 2 } },
    { "wrk",
      "-c100|-d30|-H|Host: a.host|@",
      { .connections = 100, .duration_s = 30, .header = "Host: a.host" } },
    { "wrk",
      "--threads|2|--connections|100|--duration|30s|@",
      { .threads = 2, .connections = 100, .duration_s = 30 } },
    { "wrk", "--header|A: b|-d1h|@", { .header = "A: b", .duration_s = 3600 } },
    { "hey", "-n|200|-c|50|@", { .requests = 200, .connections = 50 } },
    { "hey", "-c|5|-H|Accept: text/html|@", { .connections = 5, .header = "Accept: text/html" } },
    { "hey", "@", { .connections = 50 } },
    { "hey",
      "-n|9|-c|1|-x|127.0.0.1:3128|@",
      { .requests = 9, .connections = 1, .proxy = "127.0.0.1:3128" } },
    { "oha", "-x|http://127.0.0.1:3128|@", { .proxy = "http://127.0.0.1:3128" } },
    { "curl", "--proxy|http://p:3128|@", { .proxy = "http://p:3128" } },
    { "oha", "-n|200|-c|50|@", { .requests = 200, .connections = 50 } },
    { "oha",
      "-n|2k|-c|50|--host|a.host|@",
      { .requests = 2000, .connections = 50, .host = "a.host" } },
    { "oha", "--unix-socket|/tmp/s|@", { .unix_path = "/tmp/s" } },
    { "oha",
      "--connect-timeout|5s|-n|9|-c|1|@",
      { .connect_timeout_s = 5, .requests = 9, .connections = 1 } },
    { "oha", "--ipv4|-c|5|@", { .family = PLAN_IPV4, .connections = 5 } },
    { "k6", "run|-d|30s|@", { .duration_s = 30 } },
    { "k6",
      "run|--duration|1m|--tag|branch=main|-q|@",
      { .duration_s = 60, .tag = "branch=main", .quiet = true } },
    { "siege", "-c|25|-v|@", { .connections = 25, .verbose = true } },
    { "siege", "-c25|-q|--header=A: b|@", { .connections = 25, .quiet = true, .header = "A: b" } },
    { "h2load", "-n|1000|-c|10|-t|2|@", { .requests = 1000, .connections = 10, .threads = 2 } },
    { "h2load",
      "--requests=1000|--threads=2|-H|a: b|@",
      { .requests = 1000, .threads = 2, .header = "a: b" } },
    { "h2load", "--duration=10|-c|10|@", { .duration_s = 10, .connections = 10 } },
    { "curl", "-X|PUT|--data|k=v|@", { .method = "PUT", .data = "k=v" } },
    { "curl",
      "--data|{\"a\":1}|-H|Content-Type: application/json|@",
      { .method = "POST", .data = "{\"a\":1}", .header = "Content-Type: application/json" } },
    { "curl", "-XDELETE|@", { .method = "DELETE" } },
    { "curl", "--request|DELETE|@", { .method = "DELETE" } },
    { "curl", "-u|me:secret|@", { .userpass = "me:secret" } },
    { "curl", "--user|me:secret|-v|@", { .userpass = "me:secret", .verbose = true } },
    { "curl", "--interface|127.0.0.2|@", { .bind = "127.0.0.2" } },
    { "curl", "-4|--connect-timeout|5|@", { .family = PLAN_IPV4, .connect_timeout_s = 5 } },
    { "curl", "-6|@", { .family = PLAN_IPV6 } },
};

static void expect_text(const char *actual, const char *expected)
{
    if (expected == NULL) {
        assert_null(actual);
    } else {
        assert_non_null(actual);
        assert_string_equal(actual, expected);
    }
}

static void expect_list(const struct opt_texts *actual, const char *only)
{
    assert_int_equal(actual->count, only != NULL);
    expect_text(actual->count > 0 ? actual->items[0] : NULL, only);
}

static int64_t or_default(int64_t value, int64_t otherwise)
{
    return value != 0 ? value : otherwise;
}

static void expect_meaning(const struct plan *plan, const struct run_outputs *outputs,
                           const struct meaning *meaning)
{
    assert_string_equal(plan->target, URL);
    assert_int_equal(plan->connections, or_default(meaning->connections, 50));
    assert_int_equal(plan->requests, meaning->requests);
    assert_int_equal(plan->duration_ns,
                     or_default(meaning->duration_s, meaning->requests > 0 ? 0 : 10) * SEC_NS);
    assert_int_equal(plan->threads, meaning->threads);
    assert_int_equal(plan->timeout_ns, or_default(meaning->timeout_s, 30) * SEC_NS);
    assert_int_equal(plan->connect_timeout_ns, or_default(meaning->connect_timeout_s, 10) * SEC_NS);
    expect_text(plan->items[0].method, meaning->method != NULL ? meaning->method : "GET");
    expect_text(plan->data, meaning->data);
    expect_text(plan->userpass, meaning->userpass);
    expect_text(plan->host, meaning->host);
    expect_text(plan->unix_path, meaning->unix_path);
    expect_text(plan->proxy, meaning->proxy);
    expect_list(&plan->bind, meaning->bind);
    expect_list(&plan->tags, meaning->tag);
    expect_list(&plan->headers, meaning->header);
    assert_int_equal(plan->family, meaning->family);
    assert_int_equal(outputs->quiet, meaning->quiet);
    assert_int_equal(outputs->verbose, meaning->verbose);
    assert_int_equal(plan->http, HTTP_1_1);
    assert_false(plan->close);
    assert_int_equal(plan->slo_count, 0);
}

/* Cuts a copy of the words apart in place; "run" is the command and not a word of its line. */
static int split(char *words, char **argv)
{
    static char url[] = URL;
    int argc = 0;

    for (char *word = words; word != NULL && argc < WORDS_MAX;) {
        char *end = strchr(word, '|');

        if (end != NULL) {
            *end++ = '\0';
        }
        if (strcmp(word, "run") != 0) {
            argv[argc++] = strcmp(word, "@") == 0 ? url : word;
        }
        word = end;
    }
    return argc;
}

static void what_other_tools_mean_by_it_is_meant_here(UNUSED void **state)
{
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        struct plan plan;
        struct run_outputs outputs = { 0 };
        struct opt_set sets[] = { { plan_options, &plan }, { run_outputs_options, &outputs } };
        struct opt_spec spec = { sets, 2, habits };
        char *argv[WORDS_MAX] = { NULL }, *words = strdup(lines[i].words);
        struct opt_args args;
        struct err err;
        int argc = split(words, argv);

        plan_init(&plan);
        if (!opt_parse(&spec, argc, argv, &args, &err) ||
            !plan_take_args(&plan, &args, CPUS, &err) || !plan_check(&plan, 1, &err)) {
            fail_msg("%s %s: %s", lines[i].tool, lines[i].words, err.text);
        }
        expect_meaning(&plan, &outputs, &lines[i].meaning);
        opt_args_fini(&args);
        plan_fini(&plan);
        free(words);
    }
}

/* A habit without a condition hides an option of that spelling altogether. */
static void no_habit_hides_an_option(UNUSED void **state)
{
    struct opt_set sets[] = { { plan_options, NULL }, { run_outputs_options, NULL } };
    struct opt_spec spec = { sets, 2, NULL };

    for (const struct opt_habit *habit = habits; habit->option != NULL; habit++) {
        struct str option = str_of(habit->option);

        assert_true(str_starts(option, STR("-")));
        if (habit->when != NULL) {
            continue;
        }
        if (str_starts(option, STR("--"))) {
            assert_null(opt_find(&spec, str_from(option, 2), NULL));
        } else if (option.len == 2) {
            assert_null(opt_find_letter(&spec, option.p[1], NULL));
        }
    }
}

/* The first row that applies is the only one that is ever seen. */
static void no_habit_is_behind_one_that_always_applies(UNUSED void **state)
{
    for (const struct opt_habit *habit = habits; habit->option != NULL; habit++) {
        for (const struct opt_habit *before = habits; before < habit; before++) {
            assert_false(before->when == NULL && strcmp(before->option, habit->option) == 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_other_tools_mean_by_it_is_meant_here),
        cmocka_unit_test(no_habit_hides_an_option),
        cmocka_unit_test(no_habit_is_behind_one_that_always_applies),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
