/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "opt/opt_texts.h"
#include "plan/plan_proxy.h"
#include "plan/route.h"

static void begin(struct plan *plan, const char *proxy)
{
    struct err err;

    plan_init(plan);
    plan->items = mem_new(1, sizeof(*plan->items));
    plan->item_count = 1;
    assert_true(url_parse(STR("http://a.host/x"), &plan->items[0].url, &err));
    plan->proxy = mem_strdup(proxy);
}

static void a_proxy_is_where_the_route_begins(UNUSED void **state)
{
    static const struct {
        const char *proxy, *host;
        uint16_t port;
        const char *userinfo;
    } rows[] = {
        { "http://proxy.test:3128", "proxy.test", 3128, NULL },
        { "HTTP://proxy.test:3128/", "proxy.test", 3128, NULL },
        { "proxy.test:80", "proxy.test", 80, NULL },
        { "proxy:3128", "proxy", 3128, NULL },
        { "192.0.2.1:8080", "192.0.2.1", 8080, NULL },
        { "http://[::1]:3128", "::1", 3128, NULL },
        { "[::1]:3128", "::1", 3128, NULL },
        { "http://me:pass@proxy:3128", "proxy", 3128, "me:pass" },
        { "me:p%40%3A@proxy:3128", "proxy", 3128, "me:p@:" },
        { "me:p@ss@proxy:3128", "proxy", 3128, "me:p@ss" },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct plan plan;
        struct route route;
        struct err err = { 0 };

        begin(&plan, rows[i].proxy);
        if (!plan_proxy_check(&plan, &err)) {
            fail_msg("%s: %s", rows[i].proxy, err.text);
        }
        route_find(&plan, &plan.items[0].url, &route);
        assert_string_equal(route.host, rows[i].host);
        assert_int_equal(route.port, rows[i].port);
        assert_int_equal(plan.proxy_url.userinfo != NULL, rows[i].userinfo != NULL);
        if (rows[i].userinfo != NULL) {
            assert_string_equal(plan.proxy_url.userinfo, rows[i].userinfo);
        }
        plan_fini(&plan);
    }
}

static void what_is_no_http_proxy_is_refused_without_its_password(UNUSED void **state)
{
    static const struct {
        const char *proxy, *hint;
    } rows[] = {
        { "https://proxy:3128", "https proxies are not in this version yet" },
        { "socks5://me:secret@proxy:1080", "socks proxies are not in this version yet" },
        { "SOCKS4a://proxy:1080", "socks proxies are not in this version yet" },
        { "ftp://me:secret@proxy:21", "http://[NAME:PASS@]HOST:PORT" },
        { "http://proxy", "http://proxy:3128" },
        { "http://me:secret@proxy", "http://proxy:3128" },
        { "http://proxy:/", "http://proxy:3128" },
        { "http://[::1]", "http://[::1]:3128" },
        { "proxy", "http://proxy:3128" },
        { "http://proxy:3128/pac", "no path" },
        { "proxy:99999", "1 to 65535" },
        { "me:secret/1@proxy:3128", "%2F" },
        { "http://me:secret@pro xy:3128", "http://[NAME:PASS@]HOST:PORT" },
        { "http://:3128", "no host" },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct plan plan;
        struct err err = { 0 };

        begin(&plan, rows[i].proxy);
        if (plan_proxy_check(&plan, &err)) {
            fail_msg("'%s' was accepted", rows[i].proxy);
        }
        assert_int_equal(err.kind, ERR_USAGE);
        if (strstr(err.text, rows[i].hint) == NULL || strstr(err.text, "secret") != NULL) {
            fail_msg("'%s': '%s' does not name '%s'", rows[i].proxy, err.text, rows[i].hint);
        }
        plan_fini(&plan);
    }
}

static void what_a_proxy_cannot_be_used_with_is_refused(UNUSED void **state)
{
    struct plan plan;
    struct err err;

    begin(&plan, "proxy:3128");
    plan.self = true;
    assert_false(plan_proxy_check(&plan, &err));
    assert_non_null(strstr(err.text, "self"));
    plan.self = false;
    plan.unix_path = mem_strdup("/tmp/s");
    assert_false(plan_proxy_check(&plan, &err));
    assert_non_null(strstr(err.text, "unix socket"));
    mem_free(plan.unix_path);
    plan.unix_path = NULL;
    opt_texts_add(&plan.connect_to, STR("::b.host:"));
    assert_false(plan_proxy_check(&plan, &err));
    assert_non_null(strstr(err.text, "tunnel"));
    plan_fini(&plan);
}

static void without_a_proxy_there_is_nothing_to_check(UNUSED void **state)
{
    struct plan plan;
    struct err err;

    begin(&plan, NULL);
    assert_true(plan_proxy_check(&plan, &err));
    assert_null(plan.proxy_url.host);
    plan_fini(&plan);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_proxy_is_where_the_route_begins),
        cmocka_unit_test(what_is_no_http_proxy_is_refused_without_its_password),
        cmocka_unit_test(what_a_proxy_cannot_be_used_with_is_refused),
        cmocka_unit_test(without_a_proxy_there_is_nothing_to_check),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
