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

#include "base/clock.h"
#include "base/mem.h"
#include "plan/plan_curl.h"
#include "plan/plan_options.h"
#include "plan/shell_words.h"

static char path[] = "/tmp/brunt-curl-XXXXXX";

/* Takes the words of a command line, in which FILE is the file's name. */
static bool take(const char *line, struct plan *plan, struct err *err)
{
    struct opt_set set = { plan_options, plan };
    struct opt_spec spec = { &set, 1, NULL };
    struct str rest = str_of(line);
    struct opt_texts words = { 0 };
    struct buf buf;
    bool ok;

    buf_init(&buf, 1 << 16);
    while (rest.len > 0) {
        size_t end = str_find_str(rest, STR("FILE"));

        buf_add(&buf, rest.p, end);
        buf_puts(&buf, end < rest.len ? path : "");
        rest = str_from(rest, end + 4);
    }
    if (!shell_words_split(buf_str(&buf), &words, err)) {
        fail_msg("%s", err->text);
    }
    plan_init(plan);
    ok =
        plan_curl_take(plan, &spec, (int)words.count, words.items, err) && plan_check(plan, 1, err);
    opt_texts_fini(&words);
    buf_fini(&buf);
    return ok;
}

static void fill_file(const char *contents)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_true(fputs(contents, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* "METHOD TARGET" and what the request says behind Host, but for the usual. */
static void describe(const struct plan *plan, struct buf *buf)
{
    static const char *const usual[] = { "User-Agent: brunt", "Accept: */*", "HOST: ", "Host: h" };
    struct str rest, line;
    struct err err;
    struct buf request;
    bool body = false;

    buf_init(&request, 1 << 20);
    assert_true(plan_encode_request(plan, 0, &request, &err));
    rest = buf_str(&request);
    while (!body && str_cut(&rest, '\n', &line)) {
        bool skipped = false;

        line = str_trim(line);
        body = line.len == 0;
        for (size_t i = 0; i < COUNT_OF(usual); i++) {
            skipped = skipped || str_starts(line, str_of(usual[i]));
        }
        if (!skipped && !body) {
            line.len -= str_ends(line, STR(" HTTP/1.1")) ? 9 : 0;
            buf_add_str(buf, line);
            buf_putc(buf, '|');
        }
    }
    buf_add_str(buf, rest);
    buf_fini(&request);
}

struct row {
    const char *line, *request;
};

static void check(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct plan plan;
        struct err err;
        struct buf buf;

        if (!take(rows[i].line, &plan, &err)) {
            fail_msg("%s: %s", rows[i].line, err.text);
        }
        buf_init(&buf, 1 << 16);
        describe(&plan, &buf);
        if (!str_eq(buf_str(&buf), str_of(rows[i].request))) {
            fail_msg("%s: %s", rows[i].line, buf.data);
        }
        buf_fini(&buf);
        plan_fini(&plan);
    }
}

#define FORM "Content-Type: application/x-www-form-urlencoded|"

static void a_curl_command_asks_what_curl_would_ask(UNUSED void **state)
{
    static const struct row rows[] = {
        { "curl http://h/", "GET /|" },
        { "http://h/a -s -S -v -i -o /dev/null -w '%{http_code}'", "GET /a|" },
        { "-sSvo/dev/null h.host/b", "GET /b|" },
        { "--url http://h/ -XDELETE", "DELETE /|" },
        { "http://h/ -X POST", "POST /|Content-Length: 0|" },
        { "http://h/ -d a=1 -d b=2", "POST /|" FORM "Content-Length: 7|a=1&b=2" },
        { "http://h/ -da=1 --data-raw @x", "POST /|" FORM "Content-Length: 6|a=1&@x" },
        { "http://h/ --data ''", "POST /|" FORM "Content-Length: 0|" },
        { "http://h/ -d @FILE", "POST /|" FORM "Content-Length: 6|a=1b=2" },
        { "http://h/ --data-binary @FILE", "POST /|" FORM "Content-Length: 8|a=1\nb=2\n" },
        { "http://h/ -X PUT --data-binary @FILE -H 'Content-Type: text/csv'",
          "PUT /|Content-Length: 8|Content-Type: text/csv|a=1\nb=2\n" },
        { "http://h/ -d c=3 --data-binary @FILE",
          "POST /|" FORM "Content-Length: 12|c=3&a=1\nb=2\n" },
        { "http://h/ --data-urlencode 'a b' --data-urlencode '=c&' --data-urlencode 'd=e f' "
          "--data-urlencode @FILE --data-urlencode g@FILE",
          "POST /|" FORM "Content-Length: 50|"
          "a+b&c%26&d=e+f&a%3D1%0Ab%3D2%0A&g=a%3D1%0Ab%3D2%0A" },
        { "-G http://h/s -d a=1 --data-urlencode 'q=x y'", "GET /s?a=1&q=x+y|" },
        { "-G 'http://h/s?p=0#top' -d a=1", "GET /s?p=0&a=1|" },
        { "-I http://h/", "HEAD /|" },
        { "-I -G http://h/ -d a=1", "HEAD /?a=1|" },
        { "-T FILE http://h/x", "PUT /x|Content-Length: 8|a=1\nb=2\n" },
        { "-T FILE -X POST http://h/x", "POST /x|Content-Length: 8|a=1\nb=2\n" },
        { "http://h/ --json '{\"a\":' --json '1}'",
          "POST /|Content-Type: application/json|Content-Length: 7|Accept: "
          "application/json|{\"a\":1}" },
        { "http://h/ --json @FILE -H 'accept: x/y'",
          "POST /|Content-Type: application/json|Content-Length: 8|accept: x/y|a=1\nb=2\n" },
        { "http://h/ -H 'A: b' -H 'C;' -H 'Accept:'", "GET /|A: b|C:|" },
        { "http://h/ -H ':authority: h' -H 'content-length: 99' -H 'Host: other'",
          "GET /|Host: other|" },
        { "http://h/ -A me -e http://r/ -b a=b --cookie 'c=d; e=f' -r 0-99",
          "GET /|User-Agent: me|Referer: http://r/|Range: bytes=0-99|Cookie: a=b; c=d; e=f|" },
        { "http://h/ -A ''", "GET /|" },
        { "http://h/ -u me:secret", "GET /|Authorization: Basic bWU6c2VjcmV0|" },
        { "http://h/ --oauth2-bearer tok", "GET /|Authorization: Bearer tok|" },
        { "-g 'http://h/{a}[1-2]'", "GET /%7Ba%7D[1-2]|" },
        { "'http://h/?f[x]=1'", "GET /?f[x]=1|" },
        { "$ curl.exe http://h/", "GET /|" },
    };

    fill_file("a=1\nb=2\n");
    check(rows, COUNT_OF(rows));
}

/* The forms in which Firefox and Chromium copy a request. */
static void what_browsers_copy_is_taken(UNUSED void **state)
{
    static const struct row rows[] = {
        { "curl 'http://h/api/login' \\\n  -H 'Accept-Language: de,en;q=0.9' \\\n"
          "  -H 'Content-Type: application/json' \\\n  -b 'sid=1; t=2' \\\n"
          "  --data-raw $'{\"user\":\"o\\'hara\\u0021\"}' \\\n  --no-keepalive",
          "POST /api/login|Content-Length: 18|Accept-Language: de,en;q=0.9|"
          "Content-Type: application/json|Cookie: sid=1; t=2|{\"user\":\"o'hara!\"}" },
        { "curl ^\"http://h/x?a=1^&b=2^\" ^\n  -H ^\"sec-ch-ua: "
          "^\\^\"Chromium^\\^\";v=^\\^\"1^\\^\"^\" ^\n"
          "  --data-raw ^\"a=^%^20b^\"",
          "POST /x?a=1&b=2|" FORM "Content-Length: 6|sec-ch-ua: \"Chromium\";v=\"1\"|a=%20b" },
        { "curl 'http://h/up' -X POST -H 'Content-Type: multipart/form-data; boundary=--X' "
          "--data-binary $'----X\\r\\nContent-Disposition: form-data; "
          "name=\"a\"\\r\\n\\r\\n1\\r\\n----X--\\r\\n'",
          "POST /up|Content-Length: 63|Content-Type: multipart/form-data; boundary=--X|"
          "----X\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n----X--\r\n" },
    };

    check(rows, COUNT_OF(rows));
}

static void a_form_has_its_parts(UNUSED void **state)
{
    struct plan plan;
    struct err err;
    struct str body;

    fill_file("text");
    assert_true(take("http://h/ -F a=b -F 'c=<FILE' -F 'f=@FILE;type=x/y;filename=\"n\\\"m.bin\"' "
                     "-F 'g=x;type=text/plain' -F 'q=\"a;b\"' --form-string 'h=@i;type=j'",
                     &plan, &err));
    body = plan.items[0].body;
    assert_string_equal(plan.items[0].method, "POST");
    assert_true(str_starts(str_of(plan.headers.items[0]),
                           STR("Content-Type: multipart/form-data; boundary=----")));
    assert_true(str_find_str(body, STR("name=\"a\"\r\n\r\nb\r\n")) < body.len);
    assert_true(str_find_str(body, STR("name=\"c\"\r\n\r\ntext\r\n")) < body.len);
    assert_true(str_find_str(body, STR("name=\"f\"; filename=\"n%22m.bin\"\r\nContent-Type: x/y\r\n"
                                       "\r\ntext\r\n")) < body.len);
    assert_true(str_find_str(body, STR("name=\"g\"\r\nContent-Type: text/plain\r\n\r\nx\r\n")) <
                body.len);
    assert_true(str_find_str(body, STR("name=\"q\"\r\n\r\na;b\r\n")) < body.len);
    assert_true(str_find_str(body, STR("name=\"h\"\r\n\r\n@i;type=j\r\n")) < body.len);
    plan_fini(&plan);
    assert_true(take("http://h/ -H 'Content-Type: multipart/mixed' -F 'f=@FILE'", &plan, &err));
    body = plan.items[0].body;
    assert_true(str_starts(str_of(plan.headers.items[0]),
                           STR("Content-Type: multipart/mixed; boundary=----")));
    assert_true(str_find_str(body, STR("Content-Type: application/octet-stream\r\n")) < body.len);
    plan_fini(&plan);
}

static void options_of_a_plan_are_set(UNUSED void **state)
{
    struct plan plan;
    struct err err;

    assert_true(take("http://a.host/1 -m 2.5 --connect-timeout 1 -x p:3128 --http1.0 -4 "
                     "--resolve p:3128:127.0.0.1 --interface 127.0.0.2 http://b.host/2 "
                     "--connections 7 --requests=20 --close --slo p95:1s",
                     &plan, &err));
    assert_int_equal(plan.timeout_ns, 2500 * MSEC_NS);
    assert_int_equal(plan.connect_timeout_ns, SEC_NS);
    assert_string_equal(plan.proxy, "p:3128");
    assert_int_equal(plan.http, HTTP_1_0);
    assert_int_equal(plan.family, PLAN_IPV4);
    assert_string_equal(plan.bind.items[0], "127.0.0.2");
    assert_int_equal(plan.connections, 7);
    assert_int_equal(plan.requests, 20);
    assert_true(plan.close);
    assert_int_equal(plan.slo_count, 2);
    assert_int_equal(plan.item_count, 2);
    assert_string_equal(plan.items[1].url.host, "b.host");
    assert_string_equal(plan.target, "http://a.host/1");
    plan_fini(&plan);
}

static void a_pasted_command_is_read_from_a_file(UNUSED void **state)
{
    struct plan plan;
    struct err err;

    fill_file("curl 'http://a.host/' \\\n -H 'A: b' \\\n --data-raw 'x y'\n");
    assert_true(take("--from FILE --connections 3", &plan, &err));
    assert_string_equal(plan.items[0].url.host, "a.host");
    assert_true(str_eq(plan.items[0].body, STR("x y")));
    assert_int_equal(plan.connections, 3);
    plan_fini(&plan);
}

static void what_cannot_be_done_is_refused_with_the_reason(UNUSED void **state)
{
    static const struct row rows[] = {
        { "-s", "no URL" },
        { "ftp://h/", "scheme 'ftp'" },
        { "http://h/ --nonsense", "unknown option --nonsense" },
        { "http://h/ -W", "unknown option -W" },
        { "http://h/ --http2", "HTTP/2" },
        { "http://h/ -sKx", "-K: the settings" },
        { "http://h/ --ntlm", "basic and digest" },
        { "http://h/ --next http://h/", "--next: " },
        { "http://h/ -H", "-H: this needs a value" },
        { "http://h/ --data", "--data: this needs a value" },
        { "http://h/ --get=1", "--get: this takes no value" },
        { "http://h/ -b cookies.txt", "-b: this is the name of a file" },
        { "http://h/ -H @headers", "-H: headers are not read" },
        { "http://h/ -e ';auto'", "-e: " },
        { "http://h/ -F a", "-F: a part of a form" },
        { "http://h/ -F 'a=b;headers=x'", "-F: a part has" },
        { "http://h/ -F a=b -d c", "two bodies" },
        { "http://h/ -T FILE -d c", "two bodies" },
        { "http://h/ -I -d c", "HEAD has no body" },
        { "http://h/ -d @/nowhere/x", "cannot open the data file '/nowhere/x'" },
        { "http://h/ -F a=@/nowhere/x", "cannot open the data file '/nowhere/x'" },
        { "--from /nowhere/x", "--from: cannot open" },
        { "'http://h/{a,b}'", "several URLs of {a,b}" },
        { "'http://h/[1-9]'", "several URLs of {a,b}" },
        { "http://h/ -m x", "-m: " },
        { "http://h/ -u me", "NAME:PASS" },
        { "http://h/ --no-location", "--no-location: leave it" },
        { "http://h/ --connections 0", "--connections: " },
    };

    fill_file("x");
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct plan plan;
        struct err err = { 0 };

        if (take(rows[i].line, &plan, &err)) {
            fail_msg("'%s' was taken", rows[i].line);
        }
        assert_int_equal(err.kind, ERR_USAGE);
        if (strstr(err.text, rows[i].request) == NULL) {
            fail_msg("%s: '%s' does not say '%s'", rows[i].line, err.text, rows[i].request);
        }
        plan_fini(&plan);
    }
}

static int set_up(UNUSED void **state)
{
    int fd = mkstemp(path);

    return fd >= 0 ? close(fd) : -1;
}

static int tear_down(UNUSED void **state)
{
    return unlink(path);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_curl_command_asks_what_curl_would_ask),
        cmocka_unit_test(what_browsers_copy_is_taken),
        cmocka_unit_test(a_form_has_its_parts),
        cmocka_unit_test(options_of_a_plan_are_set),
        cmocka_unit_test(a_pasted_command_is_read_from_a_file),
        cmocka_unit_test(what_cannot_be_done_is_refused_with_the_reason),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
