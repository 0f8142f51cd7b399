/* SPDX-License-Identifier: Apache-2.0 */
#include "trial/reach.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "net/stream.h"
#include "probe/ports.h"
#include "trial/knock.h"

/* What this program needs besides connections: loops, outputs, probes, lingering sockets. */
enum { OTHER_DESCRIPTORS = 24, DESCRIPTORS_A_THREAD = 3 };

/* Of a user, besides those for the origins of the plan. */
enum { CONNS_FOR_REDIRECTS = 3 };

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

        error = knock_connect(address, origins_source(&order->origins, address), now_ns + part_ns,
                              ret_stream);

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

/* With source addresses, the family of the address that accepted is the load's. */
static void keep_family(const struct order *order, struct address_list *to)
{
    sa_family_t family = to->items[0].u.sa.sa_family;
    size_t kept = 0;

    for (size_t i = 0; order->origins.from_count > 0 && i < to->count; i++) {
        if (to->items[i].u.sa.sa_family == family) {
            to->items[kept++] = to->items[i];
        }
    }
    to->count = kept > 0 ? kept : to->count;
}

static bool make_requests(struct order *order, struct err *err)
{
    const struct plan *plan = order->plan;

    order->requests = mem_new(plan->item_count, sizeof(*order->requests));
    for (size_t i = 0; i < plan->item_count; i++) {
        struct order_request *request = &order->requests[i];

        request->kind = order_kind(plan->items[i].method);
        request->idempotent = order_idempotent(plan->items[i].method);
        if (!origins_add(&order->origins, &plan->items[i].url, &request->origin, err)) {
            return false;
        }
    }
    order->conns = order->origins.count;
    if (plan->location) {
        order->conns += CONNS_FOR_REDIRECTS;
    }
    return true;
}

static bool make_tls(struct order *order, struct err *err)
{
    bool any = order->plan->location; /* a redirect may lead there */

    for (size_t i = 0; i < order->origins.count; i++) {
        any = any || order->origins.items[i].tls;
    }
    if (!any) {
        return true;
    }
    order->tls = origin_tls_options(order->plan);
    order->tls_context = tls_context_new(&order->tls, NULL, err);
    return order->tls_context != NULL;
}

bool reach_origin(struct order *order, size_t index, int64_t *ret_dns_ns, struct stream *ret_stream,
                  struct err *err)
{
    struct origin *origin = &order->origins.items[index];
    int64_t until_ns;

    if (!origins_find(&order->origins, index, ret_dns_ns, err)) {
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
    return origins_init(&order->origins, order->plan, err) && make_requests(order, err) &&
           make_tls(order, err);
}

bool reach_target(struct order *order, int64_t *ret_dns_ns, struct err *err)
{
    for (size_t i = order->origins.count; i > 0; i--) {
        struct stream stream = { .fd = -1 };

        /* The first last: what is said of the target is said of it. */
        if (!reach_origin(order, i - 1, ret_dns_ns, &stream, err)) {
            return false;
        }
        stream_close(&stream);
    }
    origins_keep_sources(&order->origins);
    return true;
}

bool reach_descriptors(const struct order *order, struct err *err)
{
    const struct plan *plan = order->plan;
    struct rlimit limit;
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    long threads = plan->threads > 0 ? (long)plan->threads : cpus > 0 ? cpus : 1;
    rlim_t need = (rlim_t)plan->connections * (rlim_t)order->origins.count + OTHER_DESCRIPTORS +
                  (rlim_t)threads * DESCRIPTORS_A_THREAD;

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
    unsigned sources = order->origins.from_count > 0 ? (unsigned)order->origins.from_count : 1;
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
                          address_is_loopback(&order->origins.items[0].to.items[0]));
    }
    return true;
}
