/* SPDX-License-Identifier: Apache-2.0 */
#include "trial/reach.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "net/stream.h"
#include "plan/route.h"
#include "probe/ports.h"

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

/* A unix socket whose line of waiting connections is full says so at once, where TCP would wait. */
static bool connect_unless_full(struct stream *stream, const struct address *address,
                                const struct stream_options *options, int64_t until_ns)
{
    while (!stream_connect(stream, address, options)) {
        if (stream->tcp || stream->error != EAGAIN || clock_now_ns() >= until_ns) {
            return false;
        }
        (void)poll(NULL, 0, 1);
    }
    return true;
}

/* 0 when the address accepts, else why not. */
static int try_connect(const struct address *address, const struct address *from, int64_t until_ns)
{
    struct stream_options options = { .bind = from };
    struct stream stream;
    struct pollfd wait = { .events = POLLOUT };
    int64_t left_ms;
    int error = 0;

    if (!connect_unless_full(&stream, address, &options, until_ns)) {
        return stream.error;
    }
    wait.fd = stream.fd;
    do {
        left_ms = (until_ns - clock_now_ns()) / MSEC_NS;
        left_ms = left_ms < 0 ? 0 : left_ms;
    } while (poll(&wait, 1, (int)left_ms) < 0 && errno == EINTR);
    error = wait.revents == 0 ? ETIMEDOUT : stream_connect_error(&stream);
    stream_close(&stream);
    return error;
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
static bool choose_address(struct order *order, struct err *err)
{
    int64_t until_ns = clock_now_ns() + order->plan->connect_timeout_ns;
    struct buf reasons;
    bool found = false;
    int error = 0;

    buf_init(&reasons, ERR_TEXT_MAX);
    for (size_t i = 0; i < order->to.count && !found; i++) {
        const struct address *to = &order->to.items[i];
        int64_t now_ns = clock_now_ns();
        int64_t part_ns = (until_ns - now_ns) / (int64_t)(order->to.count - i);

        error = try_connect(to, source_for(order, to), now_ns + part_ns);
        if (error == 0) {
            move_to_front(&order->to, i);
            found = true;
        } else {
            add_reason(&reasons, to, error);
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
static bool take_addresses(struct order *order, const struct route *route, struct err *err)
{
    struct address_list one;
    struct str rest = route->addresses, address;
    enum plan_family family = order->plan->family;
    int64_t unused_ns;

    order->to.count = 0;
    while (route_next_address(&rest, &address) && order->to.count < ADDRESS_LIST_MAX) {
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
        order->to.items[order->to.count++] = one.items[0];
    }
    if (order->to.count == 0) {
        return err_set(err, ERR_USAGE, "--resolve gives %s:%u no IPv%c address, and -%c wants one",
                       route->host, route->port, family == PLAN_IPV6 ? '6' : '4',
                       family == PLAN_IPV6 ? '6' : '4');
    }
    return true;
}

static bool find_addresses(struct order *order, int64_t *ret_dns_ns, struct err *err)
{
    const struct plan *plan = order->plan;
    struct route route;

    if (plan->unix_path != NULL) {
        order->to.count = 1;
        return address_unix(plan->unix_path, &order->to.items[0], err);
    }
    route_find(plan, &plan->items[0].url, &route);
    if (route.addresses.p != NULL) {
        return take_addresses(order, &route, err);
    }
    return address_resolve(route.host, route.port, family_of(plan->family),
                           plan->connect_timeout_ns, &order->to, ret_dns_ns, err);
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

bool reach_sources(struct order *order, struct err *err)
{
    size_t kept = 0;

    if (!parse_sources(order, err) || order->from_count == 0) {
        return order->from_count == 0;
    }
    /* A source reaches targets of its own family only. */
    for (size_t i = 0; i < order->to.count; i++) {
        if (source_for(order, &order->to.items[i]) != NULL) {
            order->to.items[kept++] = order->to.items[i];
        }
    }
    order->to.count = kept;
    if (kept == 0) {
        return err_set(err, ERR_USAGE,
                       "--bind '%s' is not of the target's address family: -4 or -6 chooses one",
                       order->plan->bind.items[0]);
    }
    return true;
}

/* The family of the address that accepted is the load's. */
static void keep_family(struct order *order)
{
    sa_family_t family = order->to.items[0].u.sa.sa_family;
    size_t to = 0, from = 0;

    if (order->from_count == 0) {
        return;
    }
    for (size_t i = 0; i < order->to.count; i++) {
        if (order->to.items[i].u.sa.sa_family == family) {
            order->to.items[to++] = order->to.items[i];
        }
    }
    for (size_t i = 0; i < order->from_count; i++) {
        if (order->from[i].u.sa.sa_family == family) {
            order->from[from++] = order->from[i];
        }
    }
    order->to.count = to;
    order->from_count = from;
}

bool reach_target(struct order *order, int64_t *ret_dns_ns, struct err *err)
{
    *ret_dns_ns = -1;
    if (!find_addresses(order, ret_dns_ns, err) || !reach_sources(order, err)) {
        return false;
    }
    if (!choose_address(order, err)) {
        return order->plan->proxy != NULL ? err_prefix(err, "the proxy") : false;
    }
    keep_family(order);
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
        *ret_ceiling = ports_ceiling(machine->port_low, machine->port_high, sources,
                                     machine->tw_reuse, address_is_loopback(&order->to.items[0]));
    }
    return true;
}
