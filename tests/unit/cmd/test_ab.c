/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/err.h"
#include "cmd/cmd.h"
#include "cmd/cmd_ab.h"

enum { WORDS_MAX = 12 };

/* The options of a line up to its URL. */
static bool read_words(struct cmd_ab *ab, const char *const *words, struct err *err)
{
    struct opt_set set = { cmd_ab_options, ab };
    struct opt_spec spec = { &set, 1, NULL };
    char *line[WORDS_MAX];
    struct opt_args args;
    int count = 0;
    bool ok;

    while (words[count] != NULL) {
        line[count] = (char *)(uintptr_t)words[count];
        count++;
    }
    if (!opt_parse(&spec, count, line, &args, err)) {
        return false;
    }
    ok = cmd_ab_target(ab, args.count > 0 ? args.items[0] : "", err);
    opt_args_fini(&args);
    return ok;
}

#define END "User-Agent: ApacheBench/2.3\r\nAccept: */*\r\n\r\n"

static const struct {
    const char *words[WORDS_MAX];
    const char *request;
} requests[] = {
    { { "http://h/" }, "GET / HTTP/1.0\r\nHost: h\r\n" END },
    { { "h/x?y" }, "GET /x?y HTTP/1.0\r\nHost: h\r\n" END },
    { { "-k", "http://Some.Host:80/" },
      "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\nHost: Some.Host\r\n" END },
    { { "http://h:8080/a b#c" }, "GET /a%20b HTTP/1.0\r\nHost: h:8080\r\n" END },
    { { "http://[::1]:81/" }, "GET / HTTP/1.0\r\nHost: [::1]:81\r\n" END },
    { { "https://h:443/" }, "GET / HTTP/1.0\r\nHost: h\r\n" END },
    { { "https://h:80/" }, "GET / HTTP/1.0\r\nHost: h:80\r\n" END },
    { { "-i", "h/" }, "HEAD / HTTP/1.0\r\nHost: h\r\n" END },
    { { "-X", "p:3128", "h:81/x" }, "GET http://h:81/x HTTP/1.0\r\nHost: h:81\r\n" END },
    { { "-X", "p:3128", "https://h/x" }, "GET /x HTTP/1.0\r\nHost: h\r\n" END },
    { { "-Ca=1", "-Cb=2", "-Ax:y", "h/" },
      "GET / HTTP/1.0\r\nCookie: a=1; b=2\r\nAuthorization: Basic eDp5\r\nHost: h\r\n" END },
    { { "-HX: 1", "-HX:2", "h/" }, "GET / HTTP/1.0\r\nX: 1\r\nX:2\r\nHost: h\r\n" END },
    { { "-k", "-Haccept: a", "-HCONNECTION: b", "-Huser-agent:", "h/" },
      "GET / HTTP/1.0\r\naccept: a\r\nCONNECTION: b\r\nuser-agent:\r\nHost: h\r\n\r\n" },
    { { "-p/dev/null", "-Ta/b", "h/" },
      "POST / HTTP/1.0\r\nContent-length: 0\r\nContent-type: a/b\r\nHost: h\r\n" END },
};

static void the_request_has_the_layout_of_ab(UNUSED void **state)
{
    for (size_t i = 0; i < COUNT_OF(requests); i++) {
        struct cmd_ab ab;
        struct err err;
        struct buf buf;
        size_t head_bytes = 0;

        cmd_ab_init(&ab);
        buf_init(&buf, 4096);
        if (!read_words(&ab, requests[i].words, &err) ||
            !cmd_ab_request(&ab, &buf, &head_bytes, &err)) {
            fail_msg("%s: %s", requests[i].request, err.text);
        }
        assert_string_equal(buf.data, requests[i].request);
        assert_int_equal(head_bytes, buf.len);
        buf_fini(&buf);
        cmd_ab_fini(&ab);
    }
}

static const char *const no_urls[] = {
    "",         "h",           "http://h",    "http:///x",   "/x",
    "ftp://h/", "http://h:x/", "http://h:0/", "http://a b/", "http://me:pass@h/",
};

static void a_url_without_host_or_path_is_none(UNUSED void **state)
{
    for (size_t i = 0; i < COUNT_OF(no_urls); i++) {
        struct cmd_ab ab;
        struct err err;

        cmd_ab_init(&ab);
        if (cmd_ab_target(&ab, no_urls[i], &err)) {
            fail_msg("'%s' was taken", no_urls[i]);
        }
        assert_int_equal(err.kind, ERR_USAGE);
        assert_true(str_starts(str_of(err.text), STR("invalid URL")));
        cmd_ab_fini(&ab);
    }
}

static const struct {
    const char *words[WORDS_MAX];
    int64_t requests, seconds;
} numbers[] = {
    { { "h/" }, 1, 0 },
    { { "-n", "7", "h/" }, 7, 0 },
    { { "-n7", "-t3", "h/" }, 50000, 3 },
    { { "-t", "3", "-n", "7", "h/" }, 7, 3 },
};

static void a_time_limit_implies_a_number_that_a_later_one_overrides(UNUSED void **state)
{
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        struct cmd_ab ab;
        struct err err;

        cmd_ab_init(&ab);
        assert_true(read_words(&ab, numbers[i].words, &err));
        assert_int_equal(ab.requests, numbers[i].requests);
        assert_int_equal(ab.time_limit_s, numbers[i].seconds);
        cmd_ab_fini(&ab);
    }
}

static void host_and_path_are_shown_as_they_were_written(UNUSED void **state)
{
    struct cmd_ab ab;
    struct err err;

    cmd_ab_init(&ab);
    assert_true(cmd_ab_target(&ab, "http://Some.Host:8080/a b@c#d", &err));
    assert_string_equal(ab.host, "Some.Host");
    assert_string_equal(ab.path, "/a b@c#d");
    assert_int_equal(ab.url.port, 8080);
    cmd_ab_fini(&ab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_request_has_the_layout_of_ab),
        cmocka_unit_test(a_url_without_host_or_path_is_none),
        cmocka_unit_test(a_time_limit_implies_a_number_that_a_later_one_overrides),
        cmocka_unit_test(host_and_path_are_shown_as_they_were_written),
    };

    return cmocka_run_group_tests_name("cmd/ab", tests, NULL, NULL);
}
