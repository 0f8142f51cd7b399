/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "plan/plan.h"
#include "plan/plan_change.h"

enum { HEADERS_MAX = 4, WORDS_MAX = 6 };

/* A plan of one request. */
struct given {
    const char *url, *method, *headers[HEADERS_MAX], *userpass, *host, *body, *proxy;
    bool digest, body_apart;
};

static void fill(struct plan *plan, const struct given *given)
{
    struct plan_item *item;
    struct err err;

    plan_init(plan);
    plan->items = item = mem_new(1, sizeof(*plan->items));
    plan->item_count = 1;
    assert_true(url_parse(str_of(given->url), &item->url, &err));
    item->method = mem_strdup(given->method != NULL ? given->method : "GET");
    for (size_t i = 0; i < HEADERS_MAX && given->headers[i] != NULL; i++) {
        opt_texts_add(&plan->headers, str_of(given->headers[i]));
    }
    plan->userpass = mem_strdup(given->userpass);
    plan->host = mem_strdup(given->host);
    plan->digest = given->digest;
    if (given->body != NULL) {
        item->body_text = mem_strdup(given->body);
        item->body = str_of(item->body_text);
        item->content_type = "text/own";
        item->body_apart = given->body_apart;
    }
    if (given->proxy != NULL) {
        plan->proxy = mem_strdup(given->proxy);
        assert_true(url_parse(str_of(given->proxy), &plan->proxy_url, &err));
    }
}

static void encode(const struct given *given, const char *to, const struct plan_change *like,
                   struct buf *buf)
{
    struct plan_change change = *like;
    struct plan plan;
    struct url url;
    struct err err;

    fill(&plan, given);
    assert_true(url_parse(str_of(to), &url, &err));
    change.url = &url;
    change.method = change.method != NULL ? change.method : "GET";
    buf_init(buf, 1 << 20);
    if (!plan_change_encode(&plan, 0, &change, buf, &err)) {
        fail_msg("%s", err.text);
    }
    url_fini(&url);
    plan_fini(&plan);
}

struct row {
    struct given given;
    const char *to;
    struct plan_change change;
    const char *has[WORDS_MAX], *lacks[WORDS_MAX];
};

static void check(const struct row *row)
{
    struct buf buf;

    encode(&row->given, row->to, &row->change, &buf);
    for (size_t i = 0; i < WORDS_MAX && row->has[i] != NULL; i++) {
        if (strstr(buf.data, row->has[i]) == NULL) {
            fail_msg("'%s' is missing in:\n%s", row->has[i], buf.data);
        }
    }
    for (size_t i = 0; i < WORDS_MAX && row->lacks[i] != NULL; i++) {
        if (strstr(buf.data, row->lacks[i]) != NULL) {
            fail_msg("'%s' must not be in:\n%s", row->lacks[i], buf.data);
        }
    }
    buf_fini(&buf);
}

#define SECRETS                                                                                    \
    {                                                                                              \
        "authorization: Bearer t", "COOKIE: own=1", "Host: spoof", "X-Kept: 1"                     \
    }

static void what_is_secret_goes_to_no_other_origin(UNUSED void **state)
{
    static const struct row rows[] = {
        /* at home all of it is sent */
        { .given = { .url = "http://a/", .headers = SECRETS },
          .to = "http://a/b",
          .has = { "GET /b HTTP/1.1\r\n", "\r\nauthorization: Bearer t\r\n",
                   "\r\nCOOKIE: own=1\r\n", "\r\nHost: spoof\r\n", "\r\nX-Kept: 1\r\n" } },
        { .given = { .url = "http://a/", .headers = SECRETS },
          .to = "http://b/b",
          .change = { .foreign = true },
          .has = { "GET /b HTTP/1.1\r\n", "\r\nHost: b\r\n", "\r\nX-Kept: 1\r\n" },
          .lacks = { "Bearer", "own=1", "spoof" } },
        /* also when the jar has a cookie for the other one */
        { .given = { .url = "http://a/", .headers = SECRETS },
          .to = "http://b/b",
          .change = { .foreign = true, .cookie = STR("theirs=2") },
          .has = { "\r\nCookie: theirs=2\r\n" },
          .lacks = { "own=1", "COOKIE" } },
        { .given = { .url = "http://a/", .userpass = "u:p", .host = "spoof" },
          .to = "http://a/b",
          .has = { "\r\nAuthorization: Basic dTpw\r\n", "\r\nHost: spoof\r\n" } },
        { .given = { .url = "http://a/", .userpass = "u:p", .host = "spoof" },
          .to = "http://b:81/b",
          .change = { .foreign = true },
          .has = { "\r\nHost: b:81\r\n" },
          .lacks = { "uthorization", "spoof" } },
        { .given = { .url = "http://u:p@a/" },
          .to = "http://b/",
          .change = { .foreign = true },
          .lacks = { "uthorization", "dTpw" } },
        /* what the other's own URL says is for it */
        { .given = { .url = "http://a/", .userpass = "u:p" },
          .to = "http://x:y@b/",
          .change = { .foreign = true },
          .has = { "\r\nAuthorization: Basic eDp5\r\n" },
          .lacks = { "dTpw" } },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        check(&rows[i]);
    }
}

#define OF_BODY                                                                                    \
    {                                                                                              \
        "Content-Type: a/b", "content-encoding: gzip", "Content-Language: de", "X-Kept: 1"         \
    }

static void headers_about_a_body_go_with_it(UNUSED void **state)
{
    static const struct row rows[] = {
        { .given = { .url = "http://a/", .method = "POST", .headers = OF_BODY, .body = "q=1" },
          .to = "http://a/b",
          .change = { .method = "POST" },
          .has = { "POST /b ", "\r\nContent-Type: a/b\r\n", "\r\ncontent-encoding: gzip\r\n",
                   "Content-Length: 3\r\n", "\r\n\r\nq=1" },
          .lacks = { "text/own" } },
        { .given = { .url = "http://a/", .method = "POST", .headers = OF_BODY, .body = "q=1" },
          .to = "http://a/b",
          .change = { .no_body = true },
          .has = { "GET /b ", "\r\nX-Kept: 1\r\n" },
          .lacks = { "ontent-", "q=1", "text/own" } },
        { .given = { .url = "http://a/", .method = "PUT", .body = "q=1" },
          .to = "http://a/b",
          .change = { .no_body = true },
          .lacks = { "ontent-", "q=1" } },
        /* a body apart is announced, or neither */
        { .given = { .url = "http://a/", .method = "PUT", .body = "q=1", .body_apart = true },
          .to = "http://a/b",
          .change = { .method = "PUT" },
          .has = { "Content-Length: 3\r\n", "Content-Type: text/own\r\n" },
          .lacks = { "q=1" } },
        { .given = { .url = "http://a/", .method = "PUT", .body = "q=1", .body_apart = true },
          .to = "http://a/b",
          .change = { .no_body = true },
          .lacks = { "ontent-" } },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        check(&rows[i]);
    }
}

static void cookies_go_in_one_header_the_users_own_first(UNUSED void **state)
{
    static const struct row rows[] = {
        { .given = { .url = "http://a/" },
          .to = "http://a/",
          .change = { .cookie = STR("x=1; y=2") },
          .has = { "\r\nCookie: x=1; y=2\r\n" } },
        { .given = { .url = "http://a/", .headers = { "cookie: own=1" } },
          .to = "http://a/",
          .change = { .cookie = STR("x=1") },
          .has = { "\r\nCookie: own=1; x=1\r\n" },
          .lacks = { "cookie:" } },
        { .given = { .url = "http://a/", .headers = { "Cookie: a=1", "Cookie:  b=2 " } },
          .to = "http://a/",
          .change = { .cookie = STR("x=1") },
          .has = { "\r\nCookie: a=1; b=2; x=1\r\n" },
          .lacks = { "Cookie: a=1\r\n", "Cookie: b=2" } },
        /* "Cookie:" asks for none of brunt's; there is none to take away */
        { .given = { .url = "http://a/", .headers = { "Cookie:" } },
          .to = "http://a/",
          .change = { .cookie = STR("x=1") },
          .has = { "\r\nCookie: x=1\r\n" } },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        check(&rows[i]);
    }
}

static void an_answer_to_a_challenge_is_the_only_authorization(UNUSED void **state)
{
    static const struct row rows[] = {
        { .given = { .url = "http://a/", .userpass = "u:p", .digest = true },
          .to = "http://a/",
          .change = { .authorization = STR("Digest x") },
          .has = { "\r\nAuthorization: Digest x\r\n" },
          .lacks = { "Basic" } },
        { .given = { .url = "http://u:p@a/",
                     .headers = { "authorization: Bearer t" },
                     .digest = true },
          .to = "http://u:p@a/",
          .change = { .authorization = STR("Digest x") },
          .has = { "\r\nAuthorization: Digest x\r\n" },
          .lacks = { "Basic", "Bearer" } },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        check(&rows[i]);
    }
}

static void an_absolute_form_is_for_a_proxy_that_makes_no_tunnel(UNUSED void **state)
{
    static const struct row rows[] = {
        { .given = { .url = "https://a/", .proxy = "http://p:q@proxy:3128" },
          .to = "http://a/b",
          .change = { .foreign = true },
          .has = { "GET http://a/b HTTP/1.1\r\n", "\r\nProxy-Authorization: Basic cDpx\r\n" } },
        { .given = { .url = "http://a/", .proxy = "http://p:q@proxy:3128" },
          .to = "https://a/b",
          .change = { .foreign = true },
          .has = { "GET /b HTTP/1.1\r\n" },
          .lacks = { "Proxy-Auth" } },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        check(&rows[i]);
    }
}

static void what_is_too_large_is_refused_and_not_cut(UNUSED void **state)
{
    struct given given = { .url = "http://a/" };
    struct plan_change change = { .method = "GET" };
    size_t size = 300 << 10;
    char *text = mem_new(size + 1, 1);
    struct plan plan;
    struct buf buf;
    struct err err;

    memset(text, 'x', size);
    fill(&plan, &given);
    change.url = &plan.items[0].url;
    change.authorization = (struct str){ text, size };
    buf_init(&buf, 1 << 20);
    assert_false(plan_change_encode(&plan, 0, &change, &buf, &err));
    assert_string_equal(err.text, "the authorization of a request would be over 262144 bytes");
    assert_int_equal(buf.len, 0);
    buf_fini(&buf);
    plan_fini(&plan);
    mem_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_secret_goes_to_no_other_origin),
        cmocka_unit_test(headers_about_a_body_go_with_it),
        cmocka_unit_test(cookies_go_in_one_header_the_users_own_first),
        cmocka_unit_test(an_answer_to_a_challenge_is_the_only_authorization),
        cmocka_unit_test(an_absolute_form_is_for_a_proxy_that_makes_no_tunnel),
        cmocka_unit_test(what_is_too_large_is_refused_and_not_cut),
    };

    return cmocka_run_group_tests_name("plan/plan_change", tests, NULL, NULL);
}
