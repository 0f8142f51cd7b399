/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/route.h"

#include <arpa/inet.h>

#include "http/idn.h"
#include "plan/plan.h"

/* One entry of either option, taken apart. */
struct entry {
    struct str host, port; /* that it is about; brackets removed */
    struct str to;         /* the rest */
};

static struct str without_brackets(struct str text)
{
    if (text.len >= 2 && text.p[0] == '[' && text.p[text.len - 1] == ']') {
        return (struct str){ text.p + 1, text.len - 2 };
    }
    return text;
}

/* Cuts "HOST:" or "[HOST]:" off; false when no colon follows. */
static bool cut_host(struct str *rest, struct str *ret_host)
{
    size_t close = rest->len > 0 && rest->p[0] == '[' ? str_find(*rest, ']') : 0;
    size_t colon = close + str_find(str_from(*rest, close), ':');

    if (colon >= rest->len || (close > 0 && colon != close + 1)) {
        return false;
    }
    *ret_host = without_brackets((struct str){ rest->p, colon });
    *rest = str_from(*rest, colon + 1);
    return true;
}

static bool entry_cut(struct str text, struct entry *ret_entry)
{
    ret_entry->to = text;
    return cut_host(&ret_entry->to, &ret_entry->host) &&
           str_cut(&ret_entry->to, ':', &ret_entry->port) && ret_entry->to.p != NULL;
}

static bool parse_port(struct str text, uint16_t *ret_port)
{
    uint64_t port;

    if (!str_u64(text, &port) || port < 1 || port > UINT16_MAX) {
        return false;
    }
    *ret_port = (uint16_t)port;
    return true;
}

static bool is_address(struct str text)
{
    char address[INET6_ADDRSTRLEN + 1];
    struct in6_addr unused;

    str_copy(address, sizeof(address), text);
    return text.len < sizeof(address) && (inet_pton(AF_INET, address, &unused) == 1 ||
                                          inet_pton(AF_INET6, address, &unused) == 1);
}

/* A name or an address; what a resolver makes of it is its own business. */
static bool is_host(struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.p[i];

        if (c <= 0x20 || c >= 0x7f || strchr("/?#@,[]", c) != NULL) {
            return false;
        }
    }
    return text.len > 0 && text.len < ROUTE_HOST_MAX &&
           (str_find(text, ':') == text.len || is_address(text));
}

/* The host that an entry is about may be written as people do, beyond ASCII. */
static bool is_typed_host(struct str text)
{
    struct err unused;
    struct buf ascii;
    bool ok;

    if (!idn_needed(text)) {
        return is_host(text);
    }
    buf_init(&ascii, ROUTE_HOST_MAX);
    ok = idn_encode(text, &ascii, &unused) && is_host(buf_str(&ascii));
    buf_fini(&ascii);
    return ok;
}

/* curl's "+" in front is about how long its cache keeps the entry: all of a run. */
static struct str without_plus(struct str text)
{
    return text.len > 0 && text.p[0] == '+' ? str_from(text, 1) : text;
}

bool route_check_resolve(struct str text, struct err *err)
{
    struct entry entry;
    struct str rest, address;
    uint16_t port;
    bool ok = entry_cut(without_plus(text), &entry) && is_typed_host(entry.host) &&
              parse_port(entry.port, &port);

    if (ok) {
        rest = entry.to;
        while (route_next_address(&rest, &address)) {
            ok = ok && is_address(address);
        }
    }
    return ok || err_set(err, ERR_USAGE,
                         "'%.*s' is not HOST:PORT:ADDR[,ADDR]: write such as "
                         "a.host:80:192.0.2.1,[2001:db8::1]",
                         STR_ARG(text));
}

/* "HOST2:PORT2", either of them empty, the port with its colon or not at all. */
static void cut_goal(struct str to, struct str *ret_host, struct str *ret_port)
{
    *ret_port = (struct str){ "", 0 };
    if (cut_host(&to, ret_host)) {
        *ret_port = to;
    } else {
        *ret_host = without_brackets(to);
    }
}

bool route_check_connect_to(struct str text, struct err *err)
{
    struct entry entry;
    struct str host = { 0 }, port = { 0 };
    uint16_t unused;
    bool ok = entry_cut(text, &entry);

    if (ok) {
        cut_goal(entry.to, &host, &port);
    }
    ok = ok && (entry.host.len == 0 || is_typed_host(entry.host)) &&
         (entry.port.len == 0 || parse_port(entry.port, &unused)) &&
         (host.len == 0 || is_host(host)) && (port.len == 0 || parse_port(port, &unused));
    return ok || err_set(err, ERR_USAGE,
                         "'%.*s' is not HOST1:PORT1:HOST2:PORT2: write such as "
                         "a.host:80:127.0.0.1:8080; a part may be empty, an IPv6 address "
                         "needs brackets",
                         STR_ARG(text));
}

static bool is_port(struct str text, uint16_t port)
{
    uint16_t parsed = 0;

    return parse_port(text, &parsed) && parsed == port;
}

static bool connect_to_applies(const struct entry *entry, const struct route *route)
{
    return (entry->host.len == 0 || idn_same(entry->host, str_of(route->host))) &&
           (entry->port.len == 0 || is_port(entry->port, route->port));
}

static void follow_connect_to(const struct plan *plan, struct route *route)
{
    for (size_t i = 0; i < plan->connect_to.count && !route->detour; i++) {
        struct entry entry;
        struct str host, port;

        if (!entry_cut(str_of(plan->connect_to.items[i]), &entry) ||
            !connect_to_applies(&entry, route)) {
            continue;
        }
        cut_goal(entry.to, &host, &port);
        route->detour = true;
        if (host.len > 0) {
            str_copy(route->host, sizeof(route->host), host);
        }
        if (port.len > 0) {
            (void)parse_port(port, &route->port);
        }
    }
}

static void find_addresses(const struct plan *plan, struct route *route)
{
    bool exact = false;

    for (size_t i = 0; i < plan->resolve.count; i++) {
        struct str text = without_plus(str_of(plan->resolve.items[i]));
        struct entry entry;
        bool same;

        if (!entry_cut(text, &entry) || !is_port(entry.port, route->port)) {
            continue;
        }
        same = idn_same(entry.host, str_of(route->host));
        if (same || (!exact && str_eq(entry.host, STR("*")))) {
            route->addresses = entry.to;
            exact = same;
        }
    }
}

void route_find(const struct plan *plan, const struct url *url, struct route *ret_route)
{
    const struct url *first = plan->proxy != NULL ? &plan->proxy_url : url;

    *ret_route = (struct route){ .port = first->port };
    str_copy(ret_route->host, sizeof(ret_route->host), str_of(first->host));
    follow_connect_to(plan, ret_route);
    find_addresses(plan, ret_route);
}

bool route_next_address(struct str *rest, struct str *ret_address)
{
    struct str piece;

    if (!str_cut(rest, ',', &piece)) {
        return false;
    }
    *ret_address = without_brackets(str_trim(piece));
    return true;
}
