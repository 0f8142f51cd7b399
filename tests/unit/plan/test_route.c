/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/mem.h"
#include "plan/plan.h"
#include "plan/route.h"

enum { ENTRIES_MAX = 4 };

struct given {
    const char *url;
    const char *connect_to[ENTRIES_MAX], *resolve[ENTRIES_MAX];
};

static void fill(struct plan *plan, const struct given *given)
{
    struct err err;

    plan_init(plan);
    plan->items = mem_new(1, sizeof(*plan->items));
    plan->item_count = 1;
    assert_true(url_parse(str_of(given->url), &plan->items[0].url, &err));
    for (size_t i = 0; i < ENTRIES_MAX && given->connect_to[i] != NULL; i++) {
        assert_true(route_check_connect_to(str_of(given->connect_to[i]), &err));
        opt_texts_add(&plan->connect_to, str_of(given->connect_to[i]));
    }
    for (size_t i = 0; i < ENTRIES_MAX && given->resolve[i] != NULL; i++) {
        assert_true(route_check_resolve(str_of(given->resolve[i]), &err));
        opt_texts_add(&plan->resolve, str_of(given->resolve[i]));
    }
}

/* "HOST:PORT", or "HOST:PORT=ADDR ADDR" */
static void describe(const struct route *route, struct buf *buf)
{
    struct str rest = route->addresses, address;

    buf_printf(buf, "%s:%u", route->host, route->port);
    while (route_next_address(&rest, &address)) {
        buf_putc(buf, buf_str(buf).p[buf->len - 1] == '=' ? ' ' : '=');
        buf_add_str(buf, address);
    }
}

static void a_route_follows_the_first_detour_and_the_last_resolve(UNUSED void **state)
{
    static const struct {
        struct given given;
        const char *route;
        bool detour;
    } rows[] = {
        { { "a.host", { NULL }, { NULL } }, "a.host:80", false },
        { { "a.host:81", { "a.host:81:b.host:82" }, { NULL } }, "b.host:82", true },
        { { "A.host:81", { "a.HOST:81:b.host:82" }, { NULL } }, "b.host:82", true },
        { { "a.host:81", { "a.host:80:b.host:82" }, { NULL } }, "a.host:81", false },
        { { "a.host:81", { "b.host:81:b.host:82" }, { NULL } }, "a.host:81", false },
        { { "a.host:81", { "::b.host:" }, { NULL } }, "b.host:81", true },
        { { "a.host:81", { ":81::82" }, { NULL } }, "a.host:82", true },
        { { "a.host:81", { ":80::82", "a.host::c.host:" }, { NULL } }, "c.host:81", true },
        { { "a.host:81", { "::b.host:", "::c.host:" }, { NULL } }, "b.host:81", true },
        { { "a.host:81", { "a.host:81:b.host:82", "b.host:82:c.host:83" }, { NULL } },
          "b.host:82",
          true },
        { { "a.host:81", { "a.host:81:b.host" }, { NULL } }, "b.host:81", true },
        { { "a.host:81", { "a.host:81:[::1]:82" }, { NULL } }, "::1:82", true },
        { { "http://[::1]:81/", { "[::1]:81:a.host:82" }, { NULL } }, "a.host:82", true },
        { { "a.host", { NULL }, { "a.host:80:192.0.2.1" } }, "a.host:80=192.0.2.1", false },
        { { "a.host", { NULL }, { "+A.HOST:80:192.0.2.1" } }, "a.host:80=192.0.2.1", false },
        { { "a.host", { NULL }, { "a.host:81:192.0.2.1" } }, "a.host:80", false },
        { { "a.host", { NULL }, { "*:80:[::1]" } }, "a.host:80=::1", false },
        { { "a.host", { NULL }, { "a.host:80:::1" } }, "a.host:80=::1", false },
        { { "a.host", { NULL }, { "a.host:80:192.0.2.1", "*:80:192.0.2.2" } },
          "a.host:80=192.0.2.1",
          false },
        { { "a.host",
            { NULL },
            { "*:80:192.0.2.2", "a.host:80:192.0.2.1", "b.host:80:192.0.2.3" } },
          "a.host:80=192.0.2.1",
          false },
        { { "a.host", { NULL }, { "a.host:80:192.0.2.1", "a.host:80:192.0.2.2" } },
          "a.host:80=192.0.2.2",
          false },
        { { "http://[::1]/", { NULL }, { "[::1]:80:127.0.0.1" } }, "::1:80=127.0.0.1", false },
        /* what is connected to is resolved */
        { { "a.host", { "a.host:80:b.host:81" }, { "a.host:80:192.0.2.1" } }, "b.host:81", true },
        { { "a.host", { "a.host:80:b.host:81" }, { "b.host:81:192.0.2.1" } },
          "b.host:81=192.0.2.1",
          true },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct plan plan;
        struct route route;
        struct buf buf;

        fill(&plan, &rows[i].given);
        route_find(&plan, &plan.items[0].url, &route);
        buf_init(&buf, 1024);
        describe(&route, &buf);
        if (!str_eq(buf_str(&buf), str_of(rows[i].route)) || route.detour != rows[i].detour) {
            fail_msg("row %zu: %s, want %s", i, buf.data, rows[i].route);
        }
        buf_fini(&buf);
        plan_fini(&plan);
    }
}

static void all_addresses_of_an_entry_are_given_in_their_order(UNUSED void **state)
{
    struct str rest = STR("192.0.2.1, [2001:db8::1],2001:db8::2"), address;

    assert_true(route_next_address(&rest, &address));
    assert_true(str_eq(address, STR("192.0.2.1")));
    assert_true(route_next_address(&rest, &address));
    assert_true(str_eq(address, STR("2001:db8::1")));
    assert_true(route_next_address(&rest, &address));
    assert_true(str_eq(address, STR("2001:db8::2")));
    assert_false(route_next_address(&rest, &address));
}

static void an_entry_that_is_none_is_refused_with_its_form(UNUSED void **state)
{
    static const char *const resolve[] = {
        "",
        ":",
        "a.host",
        "a.host:80",
        "a.host:80:",
        ":80:::1",
        "a.host::::1",
        "a.host:0:::1",
        "a.host:65536:::1",
        "a.host:x:::1",
        "a:80:b.host",
        "a:80:::1,",
        "a:80:,::1",
        "a:80:127.0.0.1:8080",
        "[::1:80:127.0.0.1",
        "[::1]80:127.0.0.1",
        "a b:80:::1",
        "-a.host:80",
    };
    static const char *const connect_to[] = {
        "",
        ":",
        "a.host",
        "a.host:80",
        "a:80:b:0",
        "a:80:b:65536",
        "a:x:b:80",
        "a:80:b:x",
        "a:80:::1:80",
        "a:80:b/c:1",
        "a:80:b:1:2",
        "[::1:80:b:80",
        "[::1]x:80:b:80",
        "a:80:[b]:80x",
        "a:80:b c:80",
    };
    struct err err = { 0 };

    for (size_t i = 0; i < COUNT_OF(resolve); i++) {
        if (route_check_resolve(str_of(resolve[i]), &err)) {
            fail_msg("--resolve '%s' was accepted", resolve[i]);
        }
        assert_int_equal(err.kind, ERR_USAGE);
        assert_non_null(strstr(err.text, "HOST:PORT:ADDR"));
    }
    for (size_t i = 0; i < COUNT_OF(connect_to); i++) {
        if (route_check_connect_to(str_of(connect_to[i]), &err)) {
            fail_msg("--connect-to '%s' was accepted", connect_to[i]);
        }
        assert_int_equal(err.kind, ERR_USAGE);
        assert_non_null(strstr(err.text, "HOST1:PORT1:HOST2:PORT2"));
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_route_follows_the_first_detour_and_the_last_resolve),
        cmocka_unit_test(all_addresses_of_an_entry_are_given_in_their_order),
        cmocka_unit_test(an_entry_that_is_none_is_refused_with_its_form),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
