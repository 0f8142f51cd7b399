/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/mem.h"
#include "plan/url_file.h"

struct row {
    const char *text;
    const char *described; /* of items by describe(), or of the problems a part */
};

/* "LINE METHOD URL{header|header}<path or =body; ..." */
static void describe(const struct url_file *file, struct buf *buf)
{
    for (size_t i = 0; i < file->count; i++) {
        const struct plan_item *item = &file->items[i];

        buf_printf(buf, "%s%u %s ", i > 0 ? "; " : "", item->line,
                   item->method != NULL ? item->method : "-");
        url_format(&item->url, buf);
        for (size_t h = 0; h < item->headers.count; h++) {
            buf_printf(buf, "{%s}", item->headers.items[h]);
        }
        if (item->body_path != NULL) {
            buf_printf(buf, " <%s", item->body_path);
        }
        if (item->body.p != NULL) {
            buf_puts(buf, " =");
            buf_add_str(buf, item->body);
        }
        if (item->content_type != NULL) {
            buf_puts(buf, " form");
        }
    }
}

static void check(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct url_file file;
        struct buf buf;

        if (!url_file_parse(str_of(rows[i].text), "f", &file)) {
            fail_msg("%s: %s", rows[i].text, file.problems.data);
        }
        buf_init(&buf, 4096);
        describe(&file, &buf);
        assert_string_equal(buf.data, rows[i].described);
        buf_fini(&buf);
        url_file_fini(&file);
    }
}

static void a_url_a_line_is_a_request_each(UNUSED void **state)
{
    static const struct row rows[] = {
        { "http://127.0.0.1:8080/", "1 - http://127.0.0.1:8080/" },
        { "http://a.host/1\nhttp://b.host:81/2?x=y\n",
          "1 - http://a.host/1; 2 - http://b.host:81/2?x=y" },
        { "# all pages\r\n\r\n  a.host/x  \r\n\tb.host\r\n",
          "3 - http://a.host/x; 4 - http://b.host/" },
        { "\xef\xbb\xbfhttp://a.host/", "1 - http://a.host/" },
        { "https://a.host/#top\nhttp://[::1]:80/", "1 - https://a.host/; 2 - http://[::1]/" },
        { "a.host/p # the page", "1 - http://a.host/p" },
        { "\"http://a.host/a b\"\n'b.host'", "1 - http://a.host/a%20b; 2 - http://b.host/" },
        { "http://a.host/?q=ü&r=$s", "1 - http://a.host/?q=%C3%BC&r=$s" },
        { "http://a.host/?a=b=c", "1 - http://a.host/?a=b=c" },
        { "localhost:8080/a", "1 - http://localhost:8080/a" },
    };

    check(rows, COUNT_OF(rows));
}

static void sieges_methods_data_and_variables_are_known(UNUSED void **state)
{
    static const struct row rows[] = {
        { "http://a.host/f POST a=1&b=2", "1 POST http://a.host/f =a=1&b=2 form" },
        { "a.host/f POST  {\"a\": \"b c\"}  ", "1 POST http://a.host/f ={\"a\": \"b c\"} form" },
        { "a.host/f POST </tmp/a file.txt", "1 POST http://a.host/f </tmp/a file.txt form" },
        { "a.host/f PUT < body.json", "1 PUT http://a.host/f <body.json form" },
        { "a.host/f POST", "1 POST http://a.host/f" },
        { "a.host/f HEAD\na.host/g DELETE\na.host/h GET",
          "1 HEAD http://a.host/f; 2 DELETE http://a.host/g; 3 GET http://a.host/h" },
        { "LOCALHOST POST a=1", "1 POST http://localhost/ =a=1 form" },
        { "HOST = www.a.host\nhttp://$(HOST)/x\nhttps://${HOST}:81/y",
          "2 - http://www.a.host/x; 3 - https://www.a.host:81/y" },
        { "A=x\nB=$(A)y\nA=\"z\"\na.host/$(A)${B} POST v=$(B)",
          "4 POST http://a.host/zxy =v=xy form" },
        { "_n1 = 5\nU = b.host/$(_n1)\n$(U)", "3 - http://b.host/5" },
        { "D=/tmp\na.host POST <$(D)/f", "2 POST http://a.host/ </tmp/f form" },
    };

    check(rows, COUNT_OF(rows));
}

static void vegetas_blocks_have_headers_and_a_body(UNUSED void **state)
{
    static const struct row rows[] = {
        { "GET http://goku:9090/path/to/dragon?item=ball\nX-Account-ID: 8675309\n",
          "1 GET http://goku:9090/path/to/dragon?item=ball{X-Account-ID: 8675309}" },
        { "GET http://user:password@goku:9090/path/to\n\nHEAD http://goku:9090/path/to/success",
          "1 GET http://goku:9090/path/to; 3 HEAD http://goku:9090/path/to/success" },
        { "POST http://goku:9090/things\n@/path/to/newthing.json\n\n"
          "PATCH http://goku:9090/thing/71988591\nContent-Type: application/json\n"
          "@/path/to/thing-71988591.json",
          "1 POST http://goku:9090/things </path/to/newthing.json; "
          "4 PATCH http://goku:9090/thing/71988591{Content-Type: application/json} "
          "</path/to/thing-71988591.json" },
        { "GET http://a.host/1\nGET http://a.host/2\nA: b\nGET http://a.host/3",
          "1 GET http://a.host/1; 2 GET http://a.host/2{A: b}; 4 GET http://a.host/3" },
        { "# first\n\n\nGET a.host:81/x\r\n# of it\r\nA: b\r\nA: c\r\n\r\n\r\n# end",
          "4 GET http://a.host:81/x{A: b}{A: c}" },
        { "OPTIONS  https://a.host\t", "1 OPTIONS https://a.host/" },
        { "GET localhost", "1 GET http://localhost/" },
        { "GET http://a.host/$(X)", "1 GET http://a.host/$(X)" },
    };

    check(rows, COUNT_OF(rows));
}

static void vegetas_objects_are_requests(UNUSED void **state)
{
    static const struct row rows[] = {
        { "{\"method\": \"GET\", \"url\": \"http://goku:9090/path\"}",
          "1 GET http://goku:9090/path" },
        { "{\"url\":\"a.host\",\"method\":\"POST\",\"body\":\"eyJhIjoxfQ==\","
          "\"header\":{\"Content-Type\":[\"application/json\"],\"X\":[\"1\",\"\"]}}\n"
          "\n# more\n{\"url\": \"http://b.host/\"}\r\n",
          "1 POST http://a.host/{Content-Type: application/json}{X: 1}{X;} ={\"a\":1}; "
          "4 - http://b.host/" },
        { "{\"url\": \"a.host\", \"header\": {\"A\": \"b\"}, \"body\": \"\"}",
          "1 - http://a.host/{A: b} =" },
    };

    check(rows, COUNT_OF(rows));
}

static void what_is_wrong_is_told_with_its_line(UNUSED void **state)
{
    static const struct row rows[] = {
        { "", "f:1: there is no URL in it" },
        { "\n# nothing\n", "there is no URL in it" },
        { "a.host\nhtt\n", "f:2: 'htt' is not a URL" },
        { "a.host\nftp://a.host/\n", "f:2: the scheme 'ftp'" },
        { "a.host/a b", "f:1: 'b' after the URL is not a method" },
        { "a.host post a=1", "f:1: 'post' after the URL is not a method" },
        { "a.host POST <", "f:1: '<' is not followed" },
        { "\"a.host", "f:1: the quote" },
        { "http://$(HOST)/\n", "f:1: no line before this one sets 'HOST'" },
        { "http://${env.HOST}/\n", "f:1: '" },
        { "A = $(B)\na.host", "f:1: no line before this one sets 'B'" },
        { "GET http://a.host/\nno header\n", "f:2: this is no header" },
        { "GET http://a.host/\n@\n", "f:2: '@' is not followed" },
        { "GET http://a.host/\n@a\n@b\n", "f:3: a second '@'" },
        { "GET http://a.host/\n\nhttp://b.host/\nX: y\n", "f:3: a request begins with METHOD URL" },
        { "GET http://a.host/\nPOST htt\nA: b\n", "f:2: 'htt' is not a URL" },
        { "GET http://a.host/\nGET http://a.host/a b\n", "f:2: a blank in a URL" },
        { "{\"url\": \"a.host\"", "f:1: not JSON at byte" },
        { "{\"url\": \"a.host\"}\n[]", "f:2: not an object" },
        { "{\"url\": 5}", "f:1: url is not a text" },
        { "{\"method\": \"GET\"}", "f:1: url is missing" },
        { "{\"url\": \"a.host\", \"method\": 5}", "f:1: method is not a text" },
        { "{\"url\": \"a.host\", \"method\": \"\"}", "f:1: the method is empty" },
        { "{\"url\": \"a.host\", \"Body\": \"\"}", "f:1: unknown key 'Body'" },
        { "{\"url\": \"a.host\", \"body\": \"a\"}", "f:1: body is not base64" },
        { "{\"url\": \"a.host\", \"body\": 5}", "f:1: body is not a text" },
        { "{\"url\": \"a.host\", \"header\": []}", "f:1: header is not an object" },
        { "{\"url\": \"a.host\", \"header\": {\"A\": [5]}}", "a value of the header 'A'" },
        { "{\"url\": \"a.host\", \"url\": \"b.host\"}", "duplicate" },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct url_file file;

        if (url_file_parse(str_of(rows[i].text), "f", &file)) {
            fail_msg("'%s' was taken", rows[i].text);
        }
        assert_int_equal(file.problem_count, 1);
        if (strstr(file.problems.data, rows[i].described) == NULL) {
            fail_msg("'%s' does not say '%s'", file.problems.data, rows[i].described);
        }
        url_file_fini(&file);
    }
}

/* `count` times the text. */
static void repeat(struct buf *buf, const char *text, size_t count)
{
    buf_init(buf, 64 << 20);
    for (size_t i = 0; i < count; i++) {
        buf_puts(buf, text);
    }
    assert_false(buf->overflow);
}

static void problems_are_told_up_to_a_number_and_counted_all(UNUSED void **state)
{
    struct url_file file;
    struct buf buf;
    size_t told = 0;

    repeat(&buf, "a.host\nhtt\n", 50);
    assert_false(url_file_parse(buf_str(&buf), "f", &file));
    assert_int_equal(file.count, 50);
    assert_int_equal(file.problem_count, 50);
    for (size_t i = 0; i < file.problems.len; i++) {
        told += file.problems.data[i] == '\n';
    }
    assert_int_equal(told, URL_FILE_PROBLEMS_MAX);
    assert_non_null(strstr(file.problems.data, "f:40: "));
    assert_null(strstr(file.problems.data, "f:42: "));
    url_file_fini(&file);
    buf_fini(&buf);
}

static void a_file_has_so_many_lines_and_no_more(UNUSED void **state)
{
    struct url_file file;
    struct buf buf;

    repeat(&buf, "a.host\n", URL_FILE_LINES_MAX);
    assert_true(url_file_parse(buf_str(&buf), "f", &file));
    assert_int_equal(file.count, URL_FILE_LINES_MAX);
    url_file_fini(&file);
    buf_puts(&buf, "b.host");
    assert_false(url_file_parse(buf_str(&buf), "f", &file));
    assert_non_null(strstr(file.problems.data, "more than 1000000 lines"));
    url_file_fini(&file);
    buf_fini(&buf);
}

static void a_line_is_so_long_and_no_longer(UNUSED void **state)
{
    struct url_file file;
    struct buf buf;

    repeat(&buf, "a.host/", 1);
    while (buf.len < URL_FILE_LINE_MAX) {
        buf_putc(&buf, 'x');
    }
    assert_true(url_file_parse(buf_str(&buf), "f", &file));
    url_file_fini(&file);
    buf_putc(&buf, 'x');
    assert_false(url_file_parse(buf_str(&buf), "f", &file));
    assert_non_null(strstr(file.problems.data, "f:1: the line is longer than 64 KiB"));
    url_file_fini(&file);
    buf_fini(&buf);
}

static void variables_do_not_make_a_line_too_long(UNUSED void **state)
{
    struct url_file file;
    struct buf buf;

    repeat(&buf, "A = 0123456789\n", 1);
    for (int i = 0; i < 10; i++) {
        buf_puts(&buf, "A = $(A)$(A)$(A)$(A)\n");
    }
    buf_puts(&buf, "a.host/$(A)\n");
    assert_false(url_file_parse(buf_str(&buf), "f", &file));
    assert_non_null(strstr(file.problems.data, "with its variables the line is longer"));
    url_file_fini(&file);
    buf_fini(&buf);
}

static void what_is_no_text_is_refused(UNUSED void **state)
{
    struct url_file file;

    assert_false(url_file_parse(STR("a.host\na.host POST <\0x\nb.host\n"), "f", &file));
    assert_int_equal(file.count, 2);
    assert_string_equal(file.problems.data,
                        "f:2: there is a zero byte in the line: is the file a text?\n");
    url_file_fini(&file);
}

static void a_name_with_a_line_break_stays_one_line(UNUSED void **state)
{
    struct url_file file;

    assert_false(url_file_parse(STR("{\"url\": \"a.host\", \"a\\nb\": 1}"), "f", &file));
    assert_int_equal(str_find(buf_str(&file.problems), '\n'), file.problems.len - 1);
    url_file_fini(&file);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_url_a_line_is_a_request_each),
        cmocka_unit_test(sieges_methods_data_and_variables_are_known),
        cmocka_unit_test(vegetas_blocks_have_headers_and_a_body),
        cmocka_unit_test(vegetas_objects_are_requests),
        cmocka_unit_test(what_is_wrong_is_told_with_its_line),
        cmocka_unit_test(problems_are_told_up_to_a_number_and_counted_all),
        cmocka_unit_test(a_file_has_so_many_lines_and_no_more),
        cmocka_unit_test(a_line_is_so_long_and_no_longer),
        cmocka_unit_test(variables_do_not_make_a_line_too_long),
        cmocka_unit_test(what_is_no_text_is_refused),
        cmocka_unit_test(a_name_with_a_line_break_stays_one_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
