/* SPDX-License-Identifier: Apache-2.0 */
#include "net/address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"

enum { OVER_LOOK_MS = 20 };

/* Shared by the caller and the look-up thread; the last of the two frees it. */
struct lookup {
    pthread_mutex_t lock;
    pthread_cond_t done_cond;
    bool done, abandoned;
    char *host;
    int family, status, errno_code;
    struct addrinfo *found;
};

static int look_up(const char *host, int family, int flags, struct addrinfo **ret_found)
{
    struct addrinfo hints = { .ai_family = family,
                              .ai_socktype = SOCK_STREAM,
                              .ai_flags = flags | AI_NUMERICSERV };

    return getaddrinfo(host, "0", &hints, ret_found);
}

static void lookup_free(struct lookup *lookup)
{
    if (lookup->found != NULL) {
        freeaddrinfo(lookup->found);
    }
    (void)pthread_mutex_destroy(&lookup->lock);
    (void)pthread_cond_destroy(&lookup->done_cond);
    mem_free(lookup->host);
    mem_free(lookup);
}

static void *lookup_main(void *argument)
{
    struct lookup *lookup = argument;
    struct addrinfo *found = NULL;
    int status = look_up(lookup->host, lookup->family, 0, &found);
    int code = errno;
    bool abandoned;

    (void)pthread_mutex_lock(&lookup->lock);
    lookup->status = status;
    lookup->errno_code = code;
    lookup->found = found;
    lookup->done = true;
    abandoned = lookup->abandoned;
    (void)pthread_cond_signal(&lookup->done_cond);
    (void)pthread_mutex_unlock(&lookup->lock);
    if (abandoned) {
        lookup_free(lookup);
    }
    return NULL;
}

static struct lookup *lookup_start(const char *host, int family)
{
    struct lookup *lookup = mem_new(1, sizeof(*lookup));
    pthread_condattr_t attributes;
    pthread_t thread;

    lookup->host = mem_strdup(host);
    lookup->family = family;
    (void)pthread_mutex_init(&lookup->lock, NULL);
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&lookup->done_cond, &attributes);
    (void)pthread_condattr_destroy(&attributes);
    if (pthread_create(&thread, NULL, lookup_main, lookup) != 0) {
        lookup_free(lookup);
        return NULL;
    }
    (void)pthread_detach(thread);
    return lookup;
}

static bool is_patient(const struct address_patience *patience, int64_t until_ns)
{
    return clock_now_ns() < until_ns && (patience->over == NULL || !atomic_load(patience->over));
}

/* True when it is done in time: the caller owns it then. */
static bool lookup_wait(struct lookup *lookup, const struct address_patience *patience)
{
    int64_t until_ns = clock_now_ns() + patience->timeout_ns;
    bool done;

    (void)pthread_mutex_lock(&lookup->lock);
    while (!lookup->done && is_patient(patience, until_ns)) {
        int64_t look_ns = clock_now_ns() + OVER_LOOK_MS * MSEC_NS;
        struct timespec look;

        look_ns = patience->over == NULL || until_ns < look_ns ? until_ns : look_ns;
        look = (struct timespec){ .tv_sec = (time_t)(look_ns / SEC_NS),
                                  .tv_nsec = (long)(look_ns % SEC_NS) };
        (void)pthread_cond_timedwait(&lookup->done_cond, &lookup->lock, &look);
    }
    done = lookup->done;
    lookup->abandoned = !done;
    (void)pthread_mutex_unlock(&lookup->lock);
    return done;
}

static void set_port(struct address *address, uint16_t port)
{
    if (address->u.sa.sa_family == AF_INET6) {
        ((struct sockaddr_in6 *)&address->u)->sin6_port = htons(port);
    } else if (address->u.sa.sa_family == AF_INET) {
        ((struct sockaddr_in *)&address->u)->sin_port = htons(port);
    }
}

static void list_take(struct address_list *list, const struct addrinfo *found, uint16_t port)
{
    list->count = 0;
    for (; found != NULL && list->count < ADDRESS_LIST_MAX; found = found->ai_next) {
        struct address *address = &list->items[list->count];

        if (found->ai_family == AF_INET || found->ai_family == AF_INET6) {
            memset(address, 0, sizeof(*address));
            memcpy(&address->u, found->ai_addr, found->ai_addrlen);
            address->len = found->ai_addrlen;
            set_port(address, port);
            list->count++;
        }
    }
}

static bool list_of_name(const char *host, uint16_t port, int family,
                         const struct address_patience *patience, struct address_list *ret_list,
                         struct err *err)
{
    struct lookup *lookup = lookup_start(host, family);
    bool ok;

    if (lookup == NULL) {
        return err_set(err, ERR_SYSTEM, "cannot start a thread to resolve '%s'", host);
    }
    if (!lookup_wait(lookup, patience)) {
        return err_set(err, ERR_PEER, "cannot resolve '%s': no answer within %.3g s", host,
                       (double)patience->timeout_ns / (double)SEC_NS);
    }
    errno = lookup->errno_code;
    ok = lookup->status == 0;
    if (ok) {
        list_take(ret_list, lookup->found, port);
        ok = ret_list->count > 0 || err_set(err, ERR_PEER, "'%s' has no IP address", host);
    } else {
        errno = lookup->status == EAI_SYSTEM ? errno : 0; /* the resolver has errors of its own */
        err_set(err, ERR_PEER, "cannot resolve '%s': %s", host, gai_strerror(lookup->status));
    }
    lookup_free(lookup);
    return ok;
}

/* NOLINTNEXTLINE(readability-function-size): a seventh parameter, for the second of two answers */
bool address_resolve(const char *host, uint16_t port, int family,
                     const struct address_patience *patience, struct address_list *ret_list,
                     int64_t *ret_took_ns, struct err *err)
{
    struct addrinfo *found = NULL;
    int64_t start_ns;

    if (look_up(host, family, AI_NUMERICHOST, &found) == 0) {
        list_take(ret_list, found, port);
        freeaddrinfo(found);
        *ret_took_ns = -1;
        return true;
    }
    start_ns = clock_now_ns();
    if (!list_of_name(host, port, family, patience, ret_list, err)) {
        return false;
    }
    *ret_took_ns = clock_now_ns() - start_ns;
    return true;
}

bool address_parse(const char *literal, struct address *ret_address, struct err *err)
{
    struct addrinfo *found = NULL;

    if (look_up(literal, AF_UNSPEC, AI_NUMERICHOST, &found) != 0) {
        return err_set(err, ERR_USAGE, "'%s' is not an IP address", literal);
    }
    memset(ret_address, 0, sizeof(*ret_address));
    memcpy(&ret_address->u, found->ai_addr, found->ai_addrlen);
    ret_address->len = found->ai_addrlen;
    freeaddrinfo(found);
    return true;
}

bool address_unix(const char *path, struct address *ret_address, struct err *err)
{
    size_t length = strlen(path);

    if (length == 0 || length >= sizeof(ret_address->u.un.sun_path)) {
        return err_set(err, ERR_USAGE, "'%s' is not the path of a socket: 1 to %zu bytes", path,
                       sizeof(ret_address->u.un.sun_path) - 1);
    }
    memset(ret_address, 0, sizeof(*ret_address));
    ret_address->u.un.sun_family = AF_UNIX;
    memcpy(ret_address->u.un.sun_path, path, length + 1);
    ret_address->len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + 1);
    return true;
}

const char *address_format(const struct address *address, char *text)
{
    char host[INET6_ADDRSTRLEN] = "?";
    const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)&address->u;
    const struct sockaddr_in *in4 = (const struct sockaddr_in *)&address->u;

    if (address->u.sa.sa_family == AF_UNIX) {
        (void)snprintf(text, ADDRESS_TEXT_MAX, "unix:%s", address->u.un.sun_path);
    } else if (address->u.sa.sa_family == AF_INET6) {
        (void)inet_ntop(AF_INET6, &in6->sin6_addr, host, sizeof(host));
        (void)snprintf(text, ADDRESS_TEXT_MAX, "[%s]:%u", host, ntohs(in6->sin6_port));
    } else {
        (void)inet_ntop(AF_INET, &in4->sin_addr, host, sizeof(host));
        (void)snprintf(text, ADDRESS_TEXT_MAX, "%s:%u", host, ntohs(in4->sin_port));
    }
    return text;
}

bool address_is_loopback(const struct address *address)
{
    const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)&address->u;
    const struct sockaddr_in *in4 = (const struct sockaddr_in *)&address->u;

    if (address->u.sa.sa_family == AF_INET6) {
        return IN6_IS_ADDR_LOOPBACK(&in6->sin6_addr);
    }
    return address->u.sa.sa_family == AF_INET && ntohl(in4->sin_addr.s_addr) >> 24 == 127;
}

bool address_is_local(const struct address *address)
{
    struct address probe = *address;
    bool bound;
    int fd;

    if (address->u.sa.sa_family == AF_UNIX || address_is_loopback(address)) {
        return true;
    }
    fd = socket(address->u.sa.sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return false;
    }
    /* Only an address of this machine can be bound. */
    set_port(&probe, 0);
    bound = bind(fd, &probe.u.sa, probe.len) == 0;
    (void)close(fd);
    return bound;
}
