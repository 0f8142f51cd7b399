/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "plan/plan_urls.h"

/* A file of URLs "urls" and a file of data "body" in a folder. */
struct fixture {
    char folder[64], urls[96], body[96];
    struct plan plan;
};

/* Writes the text with `argument` for each %s. */
static void write_file(const char *path, const char *text, const char *argument)
{
    struct str rest = str_of(text);
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    while (rest.len > 0) {
        size_t end = str_find_str(rest, STR("%s"));

        assert_int_equal(fwrite(rest.p, 1, end, file), end);
        if (end < rest.len) {
            assert_true(fputs(argument, file) >= 0);
        }
        rest = str_from(rest, end + 2);
    }
    assert_int_equal(fclose(file), 0);
}

static int set_up(void **state)
{
    struct fixture *fixture = mem_new(1, sizeof(*fixture));

    (void)snprintf(fixture->folder, sizeof(fixture->folder), "/tmp/brunt-urls-XXXXXX");
    assert_non_null(mkdtemp(fixture->folder));
    (void)snprintf(fixture->urls, sizeof(fixture->urls), "%s/urls", fixture->folder);
    (void)snprintf(fixture->body, sizeof(fixture->body), "%s/body", fixture->folder);
    write_file(fixture->body, "%s", "{\"a\": 1}");
    plan_init(&fixture->plan);
    fixture->plan.target = mem_strdup(fixture->urls);
    fixture->plan.target_file = true;
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    plan_fini(&fixture->plan);
    (void)unlink(fixture->urls);
    (void)unlink(fixture->body);
    (void)rmdir(fixture->folder);
    mem_free(fixture);
    return 0;
}

static void items_come_with_the_contents_of_their_files(void **state)
{
    struct fixture *fixture = *state;
    struct plan *plan = &fixture->plan;
    struct err err;

    write_file(fixture->urls, "a.host\nb.host POST <%s\nc.host PUT <%s\n", fixture->body);
    assert_true(plan_urls_load(plan, &err));
    assert_int_equal(plan->item_count, 3);
    assert_null(plan->items[0].body.p);
    assert_true(str_eq(plan->items[1].body, STR("{\"a\": 1}")));
    assert_ptr_equal(plan->items[1].body.p, plan->items[2].body.p);
}

static void what_is_wrong_names_the_file_and_the_line(void **state)
{
    static const struct {
        const char *urls, *hint;
    } cases[] = {
        { "a.host\nhtt\n%s", "/urls:2: 'htt' is not a URL" },
        { "a.host\nhtt\nb.host POST <\nftp://c/\n%s", "3 lines of '/tmp/brunt-urls-" },
        { "# %s\n", "there is no URL in it" },
        { "a.host\nb.host POST <%s-not\n", "/urls:2: cannot open the data file" },
        { "b.host POST <-\n%s", "/urls:1: standard input" },
    };
    struct fixture *fixture = *state;

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct err err = { 0 };

        write_file(fixture->urls, cases[i].urls, i == 3 ? fixture->body : "");
        plan_files_fini(&fixture->plan.files);
        assert_false(plan_urls_load(&fixture->plan, &err));
        assert_int_equal(err.kind, ERR_USAGE);
        if (strstr(err.text, cases[i].hint) == NULL) {
            fail_msg("'%s' does not say '%s'", err.text, cases[i].hint);
        }
    }
}

static void several_problems_are_a_line_each(void **state)
{
    struct fixture *fixture = *state;
    struct err err;

    write_file(fixture->urls, "htt\nftp://c/\n%s", "");
    assert_false(plan_urls_load(&fixture->plan, &err));
    assert_non_null(strstr(fixture->plan.problems.data, "/urls:1: "));
    assert_non_null(strstr(fixture->plan.problems.data, "\n/tmp/brunt-urls-"));
    assert_non_null(strstr(fixture->plan.problems.data, "/urls:2: "));
}

static void a_file_that_is_not_there_is_named(void **state)
{
    struct fixture *fixture = *state;
    struct err err;

    assert_false(plan_urls_load(&fixture->plan, &err));
    assert_int_equal(err.kind, ERR_USAGE);
    assert_non_null(strstr(err.text, "file of URLs"));
    assert_non_null(strstr(err.text, fixture->urls));
}

static void standard_input_is_one_thing_or_the_other(void **state)
{
    struct fixture *fixture = *state;
    struct err err;

    mem_free(fixture->plan.target);
    fixture->plan.target = mem_strdup("-");
    fixture->plan.data = mem_strdup("@-");
    assert_false(plan_urls_load(&fixture->plan, &err));
    assert_non_null(strstr(err.text, "holds the URLs already"));
}

/* What an item says counts before what the plan says. */
static void a_line_and_the_command_line_are_combined(void **state)
{
    static const struct {
        const char *urls, *method, *data, *header, *request;
    } cases[] = {
        { "a.host%s", "PUT", NULL, "A: b", "PUT / HTTP/1.1\r\n*A: b\r\n\r\n" },
        { "a.host DELETE%s", "PUT", NULL, "A: b", "DELETE / HTTP/1.1\r\n*A: b\r\n\r\n" },
        { "a.host%s", NULL, "x=1", "A: b",
          "POST / HTTP/1.1\r\n*Content-Length: 3\r\nA: b\r\n\r\nx=1" },
        { "a.host PUT y%s", NULL, "x=1", "A: b",
          "PUT / HTTP/1.1\r\n*urlencoded\r\nContent-Length: 1\r\nA: b\r\n\r\ny" },
        { "GET a.host\nC: d\na: own%s", NULL, NULL, "A: b",
          "GET / HTTP/1.1\r\n*C: d\r\na: own\r\n\r\n" },
        { "GET a.host\nC: d\nC: e%s", NULL, NULL, "A: b",
          "GET / HTTP/1.1\r\n*C: d\r\nC: e\r\nA: b\r\n\r\n" },
        { "GET a.host\nUser-Agent: own%s", NULL, NULL, "User-Agent: b",
          "GET / HTTP/1.1\r\nHost: a.host\r\n*Accept: */*\r\nUser-Agent: own\r\n\r\n" },
        { "{\"url\": \"a.host\", \"body\": \"Zm9v\"}%s", NULL, NULL, "A: b",
          "POST / HTTP/1.1\r\n*Content-Length: 3\r\nA: b\r\n\r\nfoo" },
    };
    struct fixture *fixture = *state;

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct str want = str_of(cases[i].request), first;
        struct plan plan;
        struct err err;
        struct buf buf;

        write_file(fixture->urls, cases[i].urls, "");
        plan_init(&plan);
        plan.target = mem_strdup(fixture->urls);
        plan.target_file = true;
        plan.method = mem_strdup(cases[i].method);
        plan.data = mem_strdup(cases[i].data);
        opt_texts_add(&plan.headers, str_of(cases[i].header));
        if (!plan_check(&plan, 1, &err)) {
            fail_msg("%s", err.text);
        }
        buf_init(&buf, 4096);
        assert_true(plan_encode_request(&plan, 0, &buf, &err));
        assert_true(str_cut(&want, '*', &first));
        if (!str_starts(buf_str(&buf), first) || !str_ends(buf_str(&buf), want)) {
            fail_msg("case %zu: %s", i, buf.data);
        }
        buf_fini(&buf);
        plan_fini(&plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(items_come_with_the_contents_of_their_files, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_is_wrong_names_the_file_and_the_line, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(several_problems_are_a_line_each, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_that_is_not_there_is_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(standard_input_is_one_thing_or_the_other, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_line_and_the_command_line_are_combined, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
