/* SPDX-License-Identifier: Apache-2.0 */
#include "trial/reach.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "load/vuser.h"
#include "net/stream.h"
#include "plan/route.h"
#include "probe/ports.h"
#include "trial/knock.h"

/* What this program needs besides connections: loops, outputs, probes, lingering sockets. */
enum { OTHER_DESCRIPTORS = 64, DESCRIPTORS_A_THREAD = 3 };

static int family_of(enum plan_family family)
{
    switch (family) {
    case PLAN_ANY:
        return AF_UNSPEC;
    case PLAN_IPV4:
        return AF_INET;
    case PLAN_IPV6:
        return AF_INET6;
    }
    return AF_UNSPEC;
}

static const struct address *source_for(const struct order *order, const struct address *to)
{
    for (size_t i = 0; i < order->from_count; i++) {
        if (order->from[i].u.sa.sa_family == to->u.sa.sa_family) {
            return &order->from[i];
        }
    }
    return NULL;
}

static void move_to_front(struct address_list *list, size_t at)
{
    struct address chosen = list->items[at];

    memmove(&list->items[1], &list->items[0], at * sizeof(list->items[0]));
    list->items[0] = chosen;
}

/* ", 127.0.0.1:80: Connection refused" */
static void add_reason(struct buf *reasons, const struct address *address, int error)
{
    char text[ADDRESS_TEXT_MAX];

    buf_printf(reasons, "%s%s: %s", reasons->len > 0 ? ", " : "", address_format(address, text),
               error == ETIMEDOUT       ? "no answer within --connect-timeout"
               : error == EADDRNOTAVAIL ? "no free local port or address"
                                        : strerrordesc_np(error));
}

/* Each of the addresses has its part of the time, so that one that never answers leaves some to the
 * next. */
static bool choose_address(const struct order *order, struct address_list *to, int64_t until_ns,
                           struct stream *ret_stream, struct err *err)
{
    struct buf reasons;
    bool found = false;
    int error = 0;

    buf_init(&reasons, ERR_TEXT_MAX);
    for (size_t i = 0; i < to->count && !found; i++) {
        const struct address *address = &to->items[i];
        int64_t now_ns = clock_now_ns();
        int64_t part_ns = (until_ns - now_ns) / (int64_t)(to->count - i);

        error = knock_connect(address, source_for(order, address), now_ns + part_ns, ret_stream);

        if (error == 0) {
            move_to_front(to, i);
            found = true;
        } else {
            add_reason(&reasons, address, error);
        }
    }
    if (!found) {
        errno = error; /* of the last one, for who wants more than text */
        err_set(err, ERR_PEER, "cannot connect to %s", buf_str(&reasons).p);
    }
    buf_fini(&reasons);
    return found;
}

/* The addresses that --resolve names, those of the wanted family. */
static bool take_addresses(const struct order *order, const struct route *route,
                           struct address_list *to, struct err *err)
{
    struct address_list one;
    struct str rest = route->addresses, address;
    enum plan_family family = order->plan->family;
    int64_t unused_ns;

    to->count = 0;
    while (route_next_address(&rest, &address) && to->count < ADDRESS_LIST_MAX) {
        bool ipv6 = str_find(address, ':') < address.len;
        char literal[INET6_ADDRSTRLEN];

        if (family != PLAN_ANY && family != (ipv6 ? PLAN_IPV6 : PLAN_IPV4)) {
            continue;
        }
        str_copy(literal, sizeof(literal), address);
        if (!address_resolve(literal, route->port, AF_UNSPEC, order->plan->connect_timeout_ns, &one,
                             &unused_ns, err)) {
            return false;
        }
        to->items[to->count++] = one.items[0];
    }
    if (to->count == 0) {
        return err_set(err, ERR_USAGE, "--resolve gives %s:%u no IPv%c address, and -%c wants one",
                       route->host, route->port, family == PLAN_IPV6 ? '6' : '4',
                       family == PLAN_IPV6 ? '6' : '4');
    }
    return true;
}

static bool find_addresses(const struct order *order, const struct url *url,
                           struct address_list *to, int64_t *ret_dns_ns, struct err *err)
{
    const struct plan *plan = order->plan;
    struct route route;

    if (plan->unix_path != NULL) {
        to->count = 1;
        return address_unix(plan->unix_path, &to->items[0], err);
    }
    route_find(plan, url, &route);
    if (route.addresses.p != NULL) {
        return take_addresses(order, &route, to, err);
    }
    return address_resolve(route.host, route.port, family_of(plan->family),
                           plan->connect_timeout_ns, to, ret_dns_ns, err);
}

static bool parse_sources(struct order *order, struct err *err)
{
    const struct plan *plan = order->plan;

    order->from_count = 0;
    for (size_t i = 0; i < plan->bind.count && i < PLAN_BIND_MAX; i++) {
        struct address *from = &order->from[order->from_count++];

        if (!address_parse(plan->bind.items[i], from, err)) {
            return false;
        }
        if (!address_is_local(from)) {
            return err_set(err, ERR_USAGE, "--bind '%s' is not an address of this machine",
                           plan->bind.items[i]);
        }
    }
    return true;
}

/* A source reaches targets of its own family only. */
static bool keep_reachable(const struct order *order, struct address_list *to, struct err *err)
{
    size_t kept = 0;

    if (order->from_count == 0) {
        return true;
    }
    for (size_t i = 0; i < to->count; i++) {
        if (source_for(order, &to->items[i]) != NULL) {
            to->items[kept++] = to->items[i];
        }
    }
    to->count = kept;
    return kept > 0 ||
           err_set(err, ERR_USAGE,
                   "--bind '%s' is not of the target's address family: -4 or -6 chooses one",
                   order->plan->bind.items[0]);
}

/* With source addresses, the family of the address that accepted is the load's. */
static void keep_family(const struct order *order, struct address_list *to)
{
    sa_family_t family = to->items[0].u.sa.sa_family;
    size_t kept = 0;

    for (size_t i = 0; order->from_count > 0 && i < to->count; i++) {
        if (to->items[i].u.sa.sa_family == family) {
            to->items[kept++] = to->items[i];
        }
    }
    to->count = kept > 0 ? kept : to->count;
}

/* In the order's table, added when it is new there. */
static bool find_origin(struct order *order, const struct url *url, uint16_t *ret_index,
                        struct err *err)
{
    size_t i = 0;

    while (i < order->origin_count && !origin_is_of(&order->origins[i], url)) {
        i++;
    }
    if (i == ORIGINS_MAX) {
        return err_set(err, ERR_USAGE, "the URLs go to more than %d hosts and ports", ORIGINS_MAX);
    }
    if (i == order->origin_count) {
        origin_init(&order->origins[order->origin_count++], order->plan, url);
    }
    *ret_index = (uint16_t)i;
    return true;
}

static bool make_requests(struct order *order, struct err *err)
{
    const struct plan *plan = order->plan;

    order->requests = mem_new(plan->item_count, sizeof(*order->requests));
    for (size_t i = 0; i < plan->item_count; i++) {
        struct order_request *request = &order->requests[i];

        request->kind = order_kind(plan->items[i].method);
        request->idempotent = order_idempotent(plan->items[i].method);
        if (!find_origin(order, &plan->items[i].url, &request->origin, err)) {
            return false;
        }
    }
    order->conns = order->origin_count < VUSER_CONNS_MAX ? order->origin_count : VUSER_CONNS_MAX;
    return true;
}

static bool make_tls(struct order *order, struct err *err)
{
    bool any = false;

    for (size_t i = 0; i < order->origin_count; i++) {
        any = any || order->origins[i].tls;
    }
    if (!any) {
        return true;
    }
    order->tls = origin_tls_options(order->plan);
    order->tls_context = tls_context_new(&order->tls, NULL, err);
    return order->tls_context != NULL;
}

static const struct url *url_of(const struct order *order, size_t origin)
{
    size_t i = 0;

    while (order->requests[i].origin != origin) {
        i++;
    }
    return &order->plan->items[i].url;
}

bool reach_origin(struct order *order, size_t index, int64_t *ret_dns_ns, struct stream *ret_stream,
                  struct err *err)
{
    struct origin *origin = &order->origins[index];
    int64_t until_ns;

    *ret_dns_ns = -1;
    if (!find_addresses(order, url_of(order, index), &origin->to, ret_dns_ns, err) ||
        !keep_reachable(order, &origin->to, err)) {
        return false;
    }
    until_ns = clock_now_ns() + order->plan->connect_timeout_ns;
    if (!choose_address(order, &origin->to, until_ns, ret_stream, err)) {
        return order->plan->proxy != NULL ? err_prefix(err, "the proxy") : false;
    }
    keep_family(order, &origin->to);
    return knock_open(order, origin, ret_stream, until_ns, err);
}

bool reach_order(struct order *order, struct err *err)
{
    return parse_sources(order, err) && make_requests(order, err) && make_tls(order, err);
}

/* A source address that no origin is reached from would count as ports that there are. */
static void keep_sources(struct order *order)
{
    size_t kept = 0;

    for (size_t i = 0; i < order->from_count; i++) {
        bool used = false;

        for (size_t j = 0; j < order->origin_count; j++) {
            used = used ||
                   order->origins[j].to.items[0].u.sa.sa_family == order->from[i].u.sa.sa_family;
        }
        if (used) {
            order->from[kept++] = order->from[i];
        }
    }
    order->from_count = kept;
}

bool reach_target(struct order *order, int64_t *ret_dns_ns, struct err *err)
{
    for (size_t i = order->origin_count; i > 0; i--) {
        struct stream stream = { .fd = -1 };

        /* The first last: what is said of the target is said of it. */
        if (!reach_origin(order, i - 1, ret_dns_ns, &stream, err)) {
            return false;
        }
        stream_close(&stream);
    }
    keep_sources(order);
    return true;
}

bool reach_descriptors(const struct plan *plan, struct err *err)
{
    struct rlimit limit;
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    long threads = plan->threads > 0 ? (long)plan->threads : cpus > 0 ? cpus : 1;
    rlim_t need =
        (rlim_t)plan->connections + OTHER_DESCRIPTORS + (rlim_t)threads * DESCRIPTORS_A_THREAD;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return true;
    }
    /* All there is: sockets that wait for the server's close come on top of what is needed. */
    limit.rlim_cur = limit.rlim_max;
    if (limit.rlim_max < need) {
        limit.rlim_cur = limit.rlim_max = need; /* for root this works */
    }
    if (setrlimit(RLIMIT_NOFILE, &limit) == 0) {
        return true;
    }
    (void)getrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur >= need) {
        return true;
    }
    return err_set(err, ERR_USAGE,
                   "%lld connections need %llu descriptors, but the limit is %llu: raise it with "
                   "'ulimit -n %llu', or lower -c",
                   (long long)plan->connections, (unsigned long long)need,
                   (unsigned long long)limit.rlim_max, (unsigned long long)need);
}

bool reach_ports(const struct order *order, const struct machine *machine, double *ret_ceiling,
                 struct err *err)
{
    const struct plan *plan = order->plan;
    unsigned sources = order->from_count > 0 ? (unsigned)order->from_count : 1;
    double ports = (double)ports_usable(machine->port_low, machine->port_high) * sources;

    *ret_ceiling = 0;
    if (plan->unix_path != NULL || machine->port_high == 0) {
        return true;
    }
    if ((double)plan->connections > ports) {
        return err_set(err, ERR_USAGE,
                       "%lld connections need as many local ports, but %u source address%s ha%s "
                       "%.0f (net.ipv4.ip_local_port_range): give more with --bind ADDR,ADDR,...",
                       (long long)plan->connections, sources, sources == 1 ? "" : "es",
                       sources == 1 ? "s" : "ve", ports);
    }
    if (plan->close) {
        *ret_ceiling =
            ports_ceiling(machine->port_low, machine->port_high, sources, machine->tw_reuse,
                          address_is_loopback(&order->origins[0].to.items[0]));
    }
    return true;
}
