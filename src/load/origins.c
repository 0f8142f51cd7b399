/* SPDX-License-Identifier: Apache-2.0 */
#include "load/origins.h"

#include <netinet/in.h>

#include "plan/route.h"

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

static void set_found(struct origins *origins, size_t index, enum origin_found found)
{
    atomic_store_explicit(&origins->seekers[index].found, (int)found, memory_order_release);
}

bool origins_init(struct origins *origins, const struct plan *plan, struct err *err)
{
    origins->plan = plan;
    (void)pthread_mutex_init(&origins->lock, NULL);
    for (size_t i = 0; i < plan->bind.count && i < PLAN_BIND_MAX; i++) {
        struct address *from = &origins->from[origins->from_count++];

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

void origins_fini(struct origins *origins)
{
    atomic_store(&origins->over, true);
    for (size_t i = 0; i < origins->count; i++) {
        if (origins->seekers[i].started) {
            (void)pthread_join(origins->seekers[i].thread, NULL);
        }
        origin_fini(&origins->items[i]);
    }
    if (origins->plan != NULL) {
        (void)pthread_mutex_destroy(&origins->lock);
    }
    *origins = (struct origins){ 0 };
}

const struct address *origins_source(const struct origins *origins, const struct address *to)
{
    for (size_t i = 0; i < origins->from_count; i++) {
        if (origins->from[i].u.sa.sa_family == to->u.sa.sa_family) {
            return &origins->from[i];
        }
    }
    return NULL;
}

void origins_keep_sources(struct origins *origins)
{
    size_t kept = 0;

    for (size_t i = 0; i < origins->from_count; i++) {
        bool used = false;

        for (size_t j = 0; j < origins->count; j++) {
            used = used ||
                   origins->items[j].to.items[0].u.sa.sa_family == origins->from[i].u.sa.sa_family;
        }
        if (used) {
            origins->from[kept++] = origins->from[i];
        }
    }
    origins->from_count = kept;
}

static bool look_up(const struct origins *origins, const struct url *url, size_t *ret_index)
{
    size_t count = atomic_load_explicit(&origins->count, memory_order_acquire);

    for (size_t i = 0; i < count; i++) {
        if (origin_is_of(&origins->items[i], url)) {
            *ret_index = i;
            return true;
        }
    }
    *ret_index = count;
    return false;
}

/* Appends it; false when there is no room. */
static bool append(struct origins *origins, const struct url *url, size_t index, bool own)
{
    if (index == ORIGINS_MAX) {
        return false;
    }
    origin_init(&origins->items[index], origins->plan, url, own);
    origins->seekers[index].origins = origins;
    atomic_store_explicit(&origins->count, (uint32_t)index + 1, memory_order_release);
    return true;
}

bool origins_add(struct origins *origins, const struct url *url, uint16_t *ret_index,
                 struct err *err)
{
    size_t index;

    if (!look_up(origins, url, &index) && !append(origins, url, index, true)) {
        return err_set(err, ERR_USAGE, "the URLs go to more than %d hosts and ports", ORIGINS_MAX);
    }
    *ret_index = (uint16_t)index;
    return true;
}

/* The addresses that --resolve names, those of the wanted family. */
static bool take_addresses(const struct plan *plan, const struct route *route,
                           struct address_list *to, struct err *err)
{
    struct address_list one;
    struct str rest = route->addresses, address;
    enum plan_family family = plan->family;
    struct address_patience patience = { .timeout_ns = plan->connect_timeout_ns };
    int64_t unused_ns;

    to->count = 0;
    while (route_next_address(&rest, &address) && to->count < ADDRESS_LIST_MAX) {
        bool ipv6 = str_find(address, ':') < address.len;
        char literal[INET6_ADDRSTRLEN];

        if (family != PLAN_ANY && family != (ipv6 ? PLAN_IPV6 : PLAN_IPV4)) {
            continue;
        }
        str_copy(literal, sizeof(literal), address);
        if (!address_resolve(literal, route->port, AF_UNSPEC, &patience, &one, &unused_ns, err)) {
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

static bool find_addresses(const struct origins *origins, const struct origin *origin,
                           struct address_list *to, int64_t *ret_dns_ns, struct err *err)
{
    const struct plan *plan = origins->plan;
    struct address_patience patience = { plan->connect_timeout_ns, &origins->over };
    struct url url = { .scheme = origin->scheme, .host = origin->host, .port = origin->port };
    struct route route;

    if (plan->unix_path != NULL) {
        to->count = 1;
        return address_unix(plan->unix_path, &to->items[0], err);
    }
    route_find(plan, &url, &route);
    if (route.addresses.p != NULL) {
        return take_addresses(plan, &route, to, err);
    }
    return address_resolve(route.host, route.port, family_of(plan->family), &patience, to,
                           ret_dns_ns, err);
}

/* A source reaches targets of its own family only. */
static bool keep_reachable(const struct origins *origins, struct address_list *to, struct err *err)
{
    size_t kept = 0;

    if (origins->from_count == 0) {
        return true;
    }
    for (size_t i = 0; i < to->count; i++) {
        if (origins_source(origins, &to->items[i]) != NULL) {
            to->items[kept++] = to->items[i];
        }
    }
    to->count = kept;
    return kept > 0 ||
           err_set(err, ERR_USAGE,
                   "--bind '%s' is not of the target's address family: -4 or -6 chooses one",
                   origins->plan->bind.items[0]);
}

bool origins_find(struct origins *origins, size_t index, int64_t *ret_dns_ns, struct err *err)
{
    struct origin *origin = &origins->items[index];

    *ret_dns_ns = -1;
    if (!find_addresses(origins, origin, &origin->to, ret_dns_ns, err) ||
        !keep_reachable(origins, &origin->to, err)) {
        return false;
    }
    set_found(origins, index, ORIGIN_FOUND);
    return true;
}

const char *origins_why(const struct origins *origins, size_t index)
{
    return origins->seekers[index].why;
}

static void *seek(void *argument)
{
    struct seeker *seeker = argument;
    size_t index = (size_t)(seeker - seeker->origins->seekers);
    int64_t unused_ns;
    struct err err;

    if (!origins_find(seeker->origins, index, &unused_ns, &err)) {
        str_copy(seeker->why, sizeof(seeker->why), str_of(err.text));
        set_found(seeker->origins, index, ORIGIN_LOST);
    }
    return NULL;
}

/* One that cannot be sought is lost. */
static void start_seeking(struct origins *origins, size_t index)
{
    struct seeker *seeker = &origins->seekers[index];

    seeker->started = pthread_create(&seeker->thread, NULL, seek, seeker) == 0;
    if (!seeker->started) {
        str_copy(seeker->why, sizeof(seeker->why), STR("no thread to look its address up"));
        set_found(origins, index, ORIGIN_LOST);
    }
}

bool origins_want(struct origins *origins, const struct url *url, uint16_t *ret_index)
{
    size_t index;
    bool ok = true;

    if (!look_up(origins, url, &index)) {
        (void)pthread_mutex_lock(&origins->lock);
        /* Another worker may have added it meanwhile. */
        if (!look_up(origins, url, &index)) {
            ok = append(origins, url, index, false);
            if (ok) {
                start_seeking(origins, index);
            }
        }
        (void)pthread_mutex_unlock(&origins->lock);
    }
    *ret_index = (uint16_t)index;
    return ok;
}
