/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "http/h1.h"
#include "target/answer.h"

static void assert_head(struct answer_head head, const char *want)
{
    struct buf out;

    buf_init(&out, ANSWER_HEAD_MAX);
    answer_head_add(&head, &out);
    assert_string_equal(out.data, want);
    buf_fini(&out);
}

#define SERVER "server: brunt/" BRUNT_VERSION "\r\n"

static void heads_say_what_follows(UNUSED void **state)
{
    assert_head((struct answer_head){ .status = 200, .body_bytes = 17179869184 },
                "HTTP/1.1 200 OK\r\n" SERVER
                "content-type: text/plain\r\ncontent-length: 17179869184\r\n\r\n");
    assert_head(
        (struct answer_head){ .status = 777, .content_type = "a/b", .connection = ANSWER_CLOSE },
        "HTTP/1.1 777 Status\r\n" SERVER
        "content-type: a/b\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    assert_head((struct answer_head){ .status = 302, .connection = ANSWER_KEEP_1_0 },
                "HTTP/1.1 302 Found\r\n" SERVER "content-type: text/plain\r\n"
                "content-length: 0\r\nlocation: /\r\nconnection: keep-alive\r\n\r\n");
    assert_head((struct answer_head){ .status = 204, .body_bytes = 5 },
                "HTTP/1.1 204 No Content\r\n" SERVER "\r\n");
}

static void the_page_is_one_whole_answer_of_555_bytes(UNUSED void **state)
{
    struct answer_pages pages;

    answer_pages_init(&pages);
    for (enum answer_connection i = 0; i < ANSWER_CONNECTION_COUNT; i++) {
        struct str whole = answer_page(&pages, i, true), head = answer_page(&pages, i, false);
        struct h1_parse parser;
        size_t used;

        h1_parse_begin(&parser, H1_REQUEST_PLAIN);
        assert_int_equal(h1_parse(&parser, whole, &used), PARSE_DONE);
        assert_int_equal(used, whole.len);
        assert_int_equal(parser.body_bytes, ANSWER_PAGE_BYTES);
        assert_int_equal(parser.keep_alive, i != ANSWER_CLOSE);
        assert_int_equal(head.len, whole.len - ANSWER_PAGE_BYTES);
        h1_parse_begin(&parser, H1_REQUEST_HEAD);
        assert_int_equal(h1_parse(&parser, head, &used), PARSE_DONE);
        assert_int_equal(used, head.len);
    }
    answer_pages_fini(&pages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads_say_what_follows),
        cmocka_unit_test(the_page_is_one_whole_answer_of_555_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
