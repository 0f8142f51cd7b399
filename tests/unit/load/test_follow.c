/* SPDX-License-Identifier: Apache-2.0 */
/* No network: the hosts are addresses, the answers are texts, the time is a number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "load/follow.h"

enum { WIRE_BYTES = 64 << 10, NOW_S = 1000000000, WHOLE = 1 << 20 };

#define A "http://127.0.0.1:81"
#define B "http://127.0.0.1:82"
#define REDIRECT(status, to)                                                                       \
    "HTTP/1.1 " status " Go\r\nLocation: " to "\r\nContent-Length: 0\r\n\r\n"
#define OK "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
#define CHALLENGE(nonce, more)                                                                     \
    "HTTP/1.1 401 Who\r\nWWW-Authenticate: Digest realm=\"r\", qop=\"auth\", nonce=\"" nonce       \
    "\"" more "\r\nContent-Length: 2\r\n\r\nno"

/* A user of a plan of one request, and the exchange under way. */
struct scene {
    struct plan plan;
    struct order order;
    struct buf head;
    struct follow follow;
    struct exchange exchange;
    struct rng rng;
    uint16_t origin;
    char wire[WIRE_BYTES]; /* what the worker reads into, again and again */
};

static struct scene *scene_new(const char *url, const char *method)
{
    struct scene *scene = mem_new(1, sizeof(*scene));
    struct plan_item *item;
    struct err err;

    plan_init(&scene->plan);
    scene->plan.items = item = mem_new(1, sizeof(*item));
    scene->plan.item_count = 1;
    assert_true(url_parse(str_of(url), &item->url, &err));
    item->method = mem_strdup(method);
    scene->plan.location = true;
    return scene;
}

static void begin(struct scene *scene)
{
    follow_begin(&scene->follow, 0, &scene->rng, NOW_S, &scene->exchange, &scene->origin);
}

/* The plan is whole: the first exchange. */
static void scene_begin(struct scene *scene)
{
    struct order_request *request = mem_new(1, sizeof(*request));
    struct err err;

    scene->order.plan = &scene->plan;
    scene->order.requests = request;
    assert_true(origins_init(&scene->order.origins, &scene->plan, &err));
    assert_true(
        origins_add(&scene->order.origins, &scene->plan.items[0].url, &request->origin, &err));
    buf_init(&scene->head, 1 << 20);
    assert_true(plan_encode_request(&scene->plan, 0, &scene->head, &err));
    request->head = buf_str(&scene->head);
    request->kind = order_kind(scene->plan.items[0].method);
    if (scene->plan.items[0].body_apart) {
        request->body = scene->plan.items[0].body;
    }
    rng_init(&scene->rng, 1, 0);
    follow_init(&scene->follow, &scene->order);
    begin(scene);
}

static void scene_free(struct scene *scene)
{
    follow_fini(&scene->follow);
    order_fini(&scene->order);
    buf_fini(&scene->head);
    plan_fini(&scene->plan);
    mem_free(scene);
}

/* A read of the worker's: its buffer holds these bytes, and something else afterwards. */
static enum parse take(struct scene *scene, struct h1_parse *parse, struct str bytes)
{
    struct str read = { scene->wire, bytes.len };
    bool in_head = !parse->head_done;
    enum parse got;
    size_t used;

    assert_true(bytes.len <= WIRE_BYTES);
    memcpy(scene->wire, bytes.p, bytes.len);
    if (in_head) {
        follow_hear(&scene->follow, read);
    }
    got = h1_parse(parse, read, &used);
    assert_int_not_equal(got, PARSE_ERROR);
    if (in_head) {
        follow_heard(&scene->follow, parse, got == PARSE_DONE);
    }
    return got;
}

static enum follow_step go_on(struct scene *scene, const struct h1_parse *parse)
{
    return follow_on(&scene->follow, parse, &scene->rng, NOW_S, &scene->exchange, &scene->origin);
}

/* The answer in reads of at most `piece` bytes behind a first one that is `first` long. */
static enum follow_step answer_in(struct scene *scene, const char *text, size_t first, size_t piece)
{
    struct str rest = str_of(text);
    struct h1_parse parse;
    enum parse got = PARSE_MORE;

    h1_parse_begin(&parse, scene->exchange.kind);
    while (got != PARSE_DONE) {
        size_t n = first < rest.len ? first : rest.len;

        assert_true(n > 0);
        got = take(scene, &parse, (struct str){ rest.p, n });
        rest = str_from(rest, n);
        first = piece;
        /* When it is complete it is used before the next read. */
        if (got != PARSE_DONE) {
            memset(scene->wire, '#', WIRE_BYTES);
        }
    }
    return go_on(scene, &parse);
}

static enum follow_step answer(struct scene *scene, const char *text)
{
    return answer_in(scene, text, WHOLE, WHOLE);
}

static bool has(const struct scene *scene, const char *word)
{
    struct str request = scene->exchange.request;

    return str_find_str(request, str_of(word)) < request.len;
}

#define ASSERT_HAS(scene, word)                                                                    \
    do {                                                                                           \
        if (!has(scene, word)) {                                                                   \
            fail_msg("'%s' is missing in:\n%.*s", word, STR_ARG((scene)->exchange.request));       \
        }                                                                                          \
    } while (0)

#define ASSERT_LACKS(scene, word)                                                                  \
    do {                                                                                           \
        if (has(scene, word)) {                                                                    \
            fail_msg("'%s' must not be in:\n%.*s", word, STR_ARG((scene)->exchange.request));      \
        }                                                                                          \
    } while (0)

static void each_redirect_changes_the_method_as_it_should(UNUSED void **state)
{
    static const char *const statuses[] = { "301", "302", "303", "307", "308" };
    static const struct {
        const char *method, *then[COUNT_OF(statuses)];
    } rows[] = {
        { "GET", { "GET", "GET", "GET", "GET", "GET" } },
        { "HEAD", { "HEAD", "HEAD", "HEAD", "HEAD", "HEAD" } },
        { "POST", { "GET", "GET", "GET", "POST", "POST" } },
        { "PUT", { "PUT", "PUT", "GET", "PUT", "PUT" } },
        { "DELETE", { "DELETE", "DELETE", "GET", "DELETE", "DELETE" } },
    };

    for (size_t i = 0; i < COUNT_OF(rows) * COUNT_OF(statuses) * 2; i++) {
        size_t row = i / 2 / COUNT_OF(statuses), status = i / 2 % COUNT_OF(statuses);
        bool apart = i % 2 == 1;
        const char *then = rows[row].then[status];
        struct scene *scene = scene_new(A "/", rows[row].method);
        struct plan_item *item = &scene->plan.items[0];
        bool keeps = status != 2 && (strcmp(then, rows[row].method) == 0);
        char text[200], line[40];

        item->body_text = mem_strdup("the body");
        item->body = str_of(item->body_text);
        item->body_apart = apart;
        scene_begin(scene);
        (void)snprintf(text, sizeof(text), REDIRECT("%s", "/b"), statuses[status]);
        (void)snprintf(line, sizeof(line), "%s /b HTTP/1.1\r\n", then);
        assert_int_equal(answer(scene, text), FOLLOW_AGAIN);
        ASSERT_HAS(scene, line);
        assert_int_equal(has(scene, "the body"), keeps && !apart);
        assert_int_equal(scene->exchange.body.len, keeps && apart ? strlen("the body") : 0);
        assert_int_equal(has(scene, "Content-Length: 8"), keeps);
        assert_int_equal(scene->exchange.kind, order_kind(then));
        assert_int_equal(scene->exchange.idempotent, order_idempotent(then));
        assert_int_equal(scene->origin, 0);
        /* The next exchange is the plan's own again. */
        begin(scene);
        assert_true(scene->exchange.request.p == scene->head.data);
        assert_int_equal(scene->exchange.body.len, apart ? strlen("the body") : 0);
        scene_free(scene);
    }
}

static void a_body_that_was_dropped_does_not_come_back(UNUSED void **state)
{
    struct scene *scene = scene_new(A "/", "POST");

    scene->plan.items[0].body_text = mem_strdup("the body");
    scene->plan.items[0].body = str_of(scene->plan.items[0].body_text);
    scene_begin(scene);
    assert_int_equal(answer(scene, REDIRECT("303", "/b")), FOLLOW_AGAIN);
    assert_int_equal(answer(scene, REDIRECT("307", "/c")), FOLLOW_AGAIN);
    ASSERT_HAS(scene, "GET /c ");
    ASSERT_LACKS(scene, "the body");
    scene_free(scene);
}

static void a_chain_ends_at_its_limit(UNUSED void **state)
{
    static const int64_t limits[] = { 0, 1, 2, 20 };

    for (size_t i = 0; i < COUNT_OF(limits); i++) {
        struct scene *scene = scene_new(A "/", "GET");

        scene->plan.max_redirects = limits[i];
        scene_begin(scene);
        /* twice: each exchange has its own count */
        for (int times = 0; times < 2; times++) {
            char why[80];

            for (int64_t n = 0; n < limits[i]; n++) {
                assert_int_equal(answer(scene, REDIRECT("302", "/self")), FOLLOW_AGAIN);
            }
            assert_int_equal(answer(scene, REDIRECT("302", "/self")), FOLLOW_LOST);
            (void)snprintf(why, sizeof(why), "redirect limit: after %d still to '/self'",
                           (int)limits[i]);
            assert_string_equal(scene->follow.why, why);
            begin(scene);
        }
        scene_free(scene);
    }
}

static void a_location_is_resolved_against_where_it_came_from(UNUSED void **state)
{
    static const struct {
        const char *location, *line, *host;
    } rows[] = {
        { "/x", "GET /x HTTP/1.1", "127.0.0.1:81" },
        { "x?q=1#f", "GET /a/x?q=1 HTTP/1.1", "127.0.0.1:81" },
        { "../x", "GET /x HTTP/1.1", "127.0.0.1:81" },
        { "?q", "GET /a/b?q HTTP/1.1", "127.0.0.1:81" },
        { "//127.0.0.1:82/x", "GET /x HTTP/1.1", "127.0.0.1:82" },
        { "HTTP://127.0.0.1:82", "GET / HTTP/1.1", "127.0.0.1:82" },
        { "https://127.0.0.1/x y", "GET /x%20y HTTP/1.1", "127.0.0.1" },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct scene *scene = scene_new(A "/a/b", "GET");
        bool home = strcmp(rows[i].host, "127.0.0.1:81") == 0;
        char text[200], host[60];

        scene_begin(scene);
        (void)snprintf(text, sizeof(text), REDIRECT("302", "%s"), rows[i].location);
        (void)snprintf(host, sizeof(host), "\r\nHost: %s\r\n", rows[i].host);
        assert_int_equal(answer(scene, text), FOLLOW_AGAIN);
        ASSERT_HAS(scene, rows[i].line);
        ASSERT_HAS(scene, host);
        assert_int_equal(scene->origin, home ? 0 : 1);
        /* And from there on, against that. */
        assert_int_equal(answer(scene, REDIRECT("302", "/y")), FOLLOW_AGAIN);
        ASSERT_HAS(scene, "GET /y HTTP/1.1");
        ASSERT_HAS(scene, host);
        assert_int_equal(scene->origin, home ? 0 : 1);
        scene_free(scene);
    }
}

static void what_leads_nowhere_is_lost_and_what_is_no_redirect_is_the_end(UNUSED void **state)
{
    static const struct {
        const char *text;
        enum follow_step step;
        const char *why;
    } rows[] = {
        { REDIRECT("302", ""), FOLLOW_LOST, "the Location is empty" },
        { REDIRECT("302", "ftp://127.0.0.1/"), FOLLOW_LOST,
          "the Location is of the scheme 'ftp', not http or https" },
        { REDIRECT("302", "http://"), FOLLOW_LOST, "the Location leads nowhere" },
        { "HTTP/1.1 302 Go\r\nContent-Length: 0\r\n\r\n", FOLLOW_END, "" },
        { REDIRECT("200", "/x"), FOLLOW_END, "" },
        { REDIRECT("201", "/x"), FOLLOW_END, "" },
        { REDIRECT("300", "/x"), FOLLOW_END, "" },
        { REDIRECT("304", "/x"), FOLLOW_END, "" },
        { REDIRECT("503", "/x"), FOLLOW_END, "" },
        /* of several places the first */
        { "HTTP/1.1 302 Go\r\nLocation:\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n", FOLLOW_LOST,
          "the Location is empty" },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct scene *scene = scene_new(A "/", "GET");

        scene_begin(scene);
        assert_int_equal(answer(scene, rows[i].text), rows[i].step);
        assert_memory_equal(scene->follow.why, rows[i].why, strlen(rows[i].why));
        scene_free(scene);
    }
}

static void without_location_nothing_is_followed(UNUSED void **state)
{
    struct scene *scene = scene_new(A "/", "GET");

    scene->plan.location = false;
    scene->plan.cookies = true;
    scene_begin(scene);
    assert_int_equal(answer(scene, REDIRECT("302", "/x")), FOLLOW_END);
    scene_free(scene);
}

static void the_password_is_sent_at_home_only_and_there_again(UNUSED void **state)
{
    struct scene *scene = scene_new(A "/", "GET");

    scene->plan.userpass = mem_strdup("u:p");
    opt_texts_add(&scene->plan.headers, STR("Cookie: own=1"));
    scene_begin(scene);
    ASSERT_HAS(scene, "Authorization: Basic dTpw");
    assert_int_equal(answer(scene, REDIRECT("302", "/x")), FOLLOW_AGAIN);
    ASSERT_HAS(scene, "Authorization: Basic dTpw");
    assert_int_equal(answer(scene, REDIRECT("302", B "/x")), FOLLOW_AGAIN);
    assert_int_equal(scene->origin, 1);
    ASSERT_LACKS(scene, "uthorization");
    ASSERT_LACKS(scene, "own=1");
    assert_int_equal(answer(scene, REDIRECT("302", "/y")), FOLLOW_AGAIN);
    assert_int_equal(scene->origin, 1);
    ASSERT_LACKS(scene, "uthorization");
    assert_int_equal(answer(scene, REDIRECT("302", A "/z")), FOLLOW_AGAIN);
    assert_int_equal(scene->origin, 0);
    ASSERT_HAS(scene, "Authorization: Basic dTpw");
    ASSERT_HAS(scene, "Cookie: own=1");
    scene_free(scene);
}

static void a_cookie_of_a_redirect_is_sent_at_once_and_from_then_on(UNUSED void **state)
{
    struct scene *scene = scene_new(A "/", "GET");

    scene->plan.cookies = true;
    opt_texts_add(&scene->plan.headers, STR("Cookie: own=1"));
    scene_begin(scene);
    assert_int_equal(answer(scene, "HTTP/1.1 302 Go\r\nSet-Cookie: s=1; Path=/\r\nLocation: /x\r\n"
                                   "set-cookie: t=2; Path=/y\r\nContent-Length: 0\r\n\r\n"),
                     FOLLOW_AGAIN);
    ASSERT_HAS(scene, "\r\nCookie: own=1; s=1\r\n");
    assert_int_equal(answer(scene, OK), FOLLOW_END);
    begin(scene);
    ASSERT_HAS(scene, "GET / HTTP/1.1");
    ASSERT_HAS(scene, "\r\nCookie: own=1; s=1\r\n");
    assert_int_equal(answer(scene, REDIRECT("302", "/y")), FOLLOW_AGAIN);
    ASSERT_HAS(scene, "\r\nCookie: own=1; t=2; s=1\r\n");
    /* Cookies know no ports; a header of the user's does. */
    assert_int_equal(answer(scene, REDIRECT("302", B "/")), FOLLOW_AGAIN);
    ASSERT_HAS(scene, "\r\nCookie: s=1\r\n");
    assert_int_equal(answer(scene, "HTTP/1.1 200 OK\r\nSet-Cookie: s=; Max-Age=0; Path=/\r\n"
                                   "Set-Cookie: =bad\r\nSet-Cookie: x=1; Domain=b.test\r\n"
                                   "Content-Length: 0\r\n\r\n"),
                     FOLLOW_END);
    begin(scene);
    ASSERT_HAS(scene, "\r\nCookie: own=1\r\n");
    assert_int_equal(scene->follow.counts.cookies_dropped, 2);
    assert_string_equal(scene->follow.counts.cookie_sample, "it has no name");
    scene_free(scene);
}

static struct scene *digest_scene(void)
{
    struct scene *scene = scene_new(A "/p?q", "GET");

    scene->plan.digest = true;
    scene->plan.userpass = mem_strdup("u:p:q");
    scene_begin(scene);
    return scene;
}

static void a_challenge_is_answered_and_its_nonce_is_used_on(UNUSED void **state)
{
    struct scene *scene = digest_scene();

    ASSERT_LACKS(scene, "uthorization");
    assert_int_equal(answer(scene, CHALLENGE("n1", "")), FOLLOW_AGAIN);
    ASSERT_HAS(scene, "Authorization: Digest ");
    ASSERT_HAS(scene, "username=\"u\"");
    ASSERT_HAS(scene, "uri=\"/p?q\"");
    ASSERT_HAS(scene, "nonce=\"n1\"");
    ASSERT_HAS(scene, "nc=00000001");
    assert_int_equal(answer(scene, OK), FOLLOW_END);
    begin(scene);
    ASSERT_HAS(scene, "nonce=\"n1\"");
    ASSERT_HAS(scene, "nc=00000002");
    assert_int_equal(answer(scene, CHALLENGE("n2", ", stale=true")), FOLLOW_AGAIN);
    ASSERT_HAS(scene, "nonce=\"n2\"");
    ASSERT_HAS(scene, "nc=00000001");
    assert_int_equal(answer(scene, OK), FOLLOW_END);
    /* The whereabouts of a redirect are what is hashed. */
    begin(scene);
    assert_int_equal(answer(scene, REDIRECT("307", "/other")), FOLLOW_AGAIN);
    ASSERT_HAS(scene, "uri=\"/other\"");
    ASSERT_HAS(scene, "nc=00000003");
    scene_free(scene);
}

static void a_refused_password_is_tried_once(UNUSED void **state)
{
    struct scene *scene = digest_scene();

    assert_int_equal(answer(scene, CHALLENGE("n1", "")), FOLLOW_AGAIN);
    assert_int_equal(answer(scene, CHALLENGE("n2", "")), FOLLOW_END);
    /* A server for which every nonce is stale does not hold the user for ever. */
    begin(scene);
    for (int i = 0; i < FOLLOW_CHALLENGES_MAX; i++) {
        assert_int_equal(answer(scene, CHALLENGE("n3", ", stale=true")), FOLLOW_AGAIN);
    }
    assert_int_equal(answer(scene, CHALLENGE("n3", ", stale=true")), FOLLOW_END);
    scene_free(scene);
}

static void a_challenge_that_cannot_be_answered_is_the_answer(UNUSED void **state)
{
    static const char *const texts[] = {
        "HTTP/1.1 401 Who\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 401 Who\r\nWWW-Authenticate: Basic realm=\"r\"\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 401 Who\r\nWWW-Authenticate: Digest realm=\"r\"\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 403 No\r\nWWW-Authenticate: Digest nonce=\"n\"\r\nContent-Length: 0\r\n\r\n",
    };

    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct scene *scene = digest_scene();

        assert_int_equal(answer(scene, texts[i]), FOLLOW_END);
        scene_free(scene);
    }
}

static void a_foreign_challenge_is_not_answered_and_spoils_nothing(UNUSED void **state)
{
    struct scene *scene = digest_scene();

    assert_int_equal(answer(scene, CHALLENGE("home", "")), FOLLOW_AGAIN);
    assert_int_equal(answer(scene, OK), FOLLOW_END);
    begin(scene);
    assert_int_equal(answer(scene, REDIRECT("302", B "/x")), FOLLOW_AGAIN);
    ASSERT_LACKS(scene, "uthorization");
    assert_int_equal(answer(scene, CHALLENGE("foreign", "")), FOLLOW_END);
    begin(scene);
    ASSERT_HAS(scene, "nonce=\"home\"");
    scene_free(scene);
}

static void without_a_name_no_challenge_is_answered(UNUSED void **state)
{
    struct scene *scene = scene_new(A "/", "GET");

    scene->plan.digest = true;
    scene_begin(scene);
    assert_int_equal(answer(scene, CHALLENGE("n", "")), FOLLOW_END);
    scene_free(scene);
}

static void a_digest_of_a_long_url_is_whole(UNUSED void **state)
{
    char url[40000] = A "/";
    struct scene *scene;

    memset(url + strlen(A "/"), 'x', sizeof(url) - strlen(A "/") - 1);
    scene = scene_new(url, "GET");
    scene->plan.digest = true;
    scene->plan.userpass = mem_strdup("u:p");
    scene_begin(scene);
    assert_int_equal(answer(scene, CHALLENGE("n", "")), FOLLOW_AGAIN);
    ASSERT_HAS(scene, "uri=\"/xxx");
    ASSERT_HAS(scene, "xxx\"");
    ASSERT_HAS(scene, "response=\"");
    assert_true(scene->exchange.request.len > 2 * sizeof(url));
    scene_free(scene);
}

static void a_head_in_pieces_behind_interim_ones_is_heard_whole(UNUSED void **state)
{
    static const char text[] = "HTTP/1.1 103 Early\r\nLocation: /wrong\r\nSet-Cookie: w=1\r\n\r\n"
                               "HTTP/1.1 100 Continue\r\n\r\n"
                               "HTTP/1.1 302 Go\r\nSet-Cookie: s=1\r\nLocation: /right\r\n"
                               "Content-Length: 9\r\n\r\nLocation:";

    for (size_t first = 1; first < sizeof(text); first++) {
        for (size_t piece = 1; piece <= WHOLE; piece *= 1 << 10) {
            struct scene *scene = scene_new(A "/", "GET");

            scene->plan.cookies = true;
            scene_begin(scene);
            assert_int_equal(answer_in(scene, text, first, piece), FOLLOW_AGAIN);
            ASSERT_HAS(scene, "GET /right HTTP/1.1");
            ASSERT_HAS(scene, "\r\nCookie: s=1\r\n");
            /* What was kept of it is not taken for a part of the next one. */
            assert_int_equal(answer_in(scene, OK, first, piece), FOLLOW_END);
            scene_free(scene);
        }
    }
}

/* For a look at a body that is encoded, with no other wish: the head is there when the body comes.
 */
static void a_head_alone_is_kept_for_the_body_behind_it(UNUSED void **state)
{
    static const char text[] = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n"
                               "Content-Length: 2\r\n\r\nok";

    for (size_t first = 1; first < sizeof(text); first++) {
        struct scene *scene = scene_new(A "/", "GET");
        struct h1_parse parse;
        struct str value;

        scene->plan.location = false;
        scene->plan.expect_body = mem_strdup("x");
        scene_begin(scene);
        h1_parse_begin(&parse, H1_REQUEST_PLAIN);
        (void)take(scene, &parse, (struct str){ text, first });
        if (first < sizeof(text) - 1) {
            memset(scene->wire, '#', WIRE_BYTES);
        }
        if (first < sizeof(text) - 3) {
            (void)take(scene, &parse, (struct str){ text + first, sizeof(text) - 2 - first });
        }
        value = h1_head_find(scene->follow.heads, STR("content-encoding"));
        assert_true(str_eq(value, STR("gzip")));
        scene_free(scene);
    }
}

static void more_hosts_than_there_is_room_for_are_told(UNUSED void **state)
{
    struct scene *scene = scene_new(A "/", "GET");
    char text[200];

    scene->plan.max_redirects = 1000;
    scene_begin(scene);
    for (int port = 1; port < ORIGINS_MAX; port++) {
        (void)snprintf(text, sizeof(text), REDIRECT("302", "http://127.0.0.2:%d/"), port);
        assert_int_equal(answer(scene, text), FOLLOW_AGAIN);
        assert_int_equal(scene->origin, port);
    }
    assert_int_equal(answer(scene, REDIRECT("302", "http://127.0.0.2:999/")), FOLLOW_LOST);
    assert_string_equal(scene->follow.why, "redirects lead to more hosts than there is room for");
    /* Those that are known are still reached. */
    begin(scene);
    assert_int_equal(answer(scene, REDIRECT("302", "http://127.0.0.2:7/")), FOLLOW_AGAIN);
    assert_int_equal(scene->origin, 7);
    scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_redirect_changes_the_method_as_it_should),
        cmocka_unit_test(a_body_that_was_dropped_does_not_come_back),
        cmocka_unit_test(a_chain_ends_at_its_limit),
        cmocka_unit_test(a_location_is_resolved_against_where_it_came_from),
        cmocka_unit_test(what_leads_nowhere_is_lost_and_what_is_no_redirect_is_the_end),
        cmocka_unit_test(without_location_nothing_is_followed),
        cmocka_unit_test(the_password_is_sent_at_home_only_and_there_again),
        cmocka_unit_test(a_cookie_of_a_redirect_is_sent_at_once_and_from_then_on),
        cmocka_unit_test(a_challenge_is_answered_and_its_nonce_is_used_on),
        cmocka_unit_test(a_refused_password_is_tried_once),
        cmocka_unit_test(a_challenge_that_cannot_be_answered_is_the_answer),
        cmocka_unit_test(a_foreign_challenge_is_not_answered_and_spoils_nothing),
        cmocka_unit_test(without_a_name_no_challenge_is_answered),
        cmocka_unit_test(a_digest_of_a_long_url_is_whole),
        cmocka_unit_test(a_head_in_pieces_behind_interim_ones_is_heard_whole),
        cmocka_unit_test(a_head_alone_is_kept_for_the_body_behind_it),
        cmocka_unit_test(more_hosts_than_there_is_room_for_are_told),
    };

    return cmocka_run_group_tests_name("load/follow", tests, NULL, NULL);
}
