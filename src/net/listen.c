/* SPDX-License-Identifier: Apache-2.0 */
#include "net/listen.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"

/* The kernel cuts the backlog to net.core.somaxconn. */
enum { BACKLOG = 65535, PORT_MAX = 65535, HOST_MAX = 256 };

static const struct str unix_prefix = { "unix:", 5 };

/* Splits at the last colon; brackets go, "" and "*" become all addresses. */
static bool split_host(const char *text, char host[HOST_MAX], uint64_t *ret_port, struct err *err)
{
    struct str name = str_of(text);

    while (name.len > 0 && name.p[name.len - 1] != ':') {
        name.len--;
    }
    if (name.len == 0 || !str_u64(str_of(text + name.len), ret_port) || *ret_port > PORT_MAX) {
        return err_set(err, ERR_USAGE,
                       "'%s' is not an address to listen at: ADDR:PORT, [ADDR]:PORT or unix:PATH",
                       text);
    }
    name.len--;
    if (name.len >= 2 && name.p[0] == '[' && name.p[name.len - 1] == ']') {
        name = (struct str){ name.p + 1, name.len - 2 };
    } else if (str_find(name, ':') < name.len) {
        return err_set(err, ERR_USAGE, "'%s': an IPv6 address stands in brackets, as in [::1]:8080",
                       text);
    }
    if (name.len == 0 || str_eq(name, STR("*"))) {
        name = STR("0.0.0.0");
    }
    str_copy(host, HOST_MAX, name);
    return true;
}

static bool parse(const char *text, struct address *ret_address, struct err *err)
{
    struct address_list list = { 0 };
    char host[HOST_MAX];
    uint64_t port = 0;
    int64_t took_ns;
    struct address_patience patience = { .timeout_ns = 10 * SEC_NS };

    if (str_starts(str_of(text), unix_prefix)) {
        return address_unix(text + unix_prefix.len, ret_address, err);
    }
    if (!split_host(text, host, &port, err)) {
        return false;
    }
    if (!address_resolve(host, (uint16_t)port, AF_UNSPEC, &patience, &list, &took_ns, err)) {
        err->kind = ERR_USAGE;
        return err_prefix(err, "cannot listen at '%s'", text);
    }
    *ret_address = list.items[0];
    return true;
}

static bool refused(const char *text, struct err *err)
{
    if (errno == EADDRINUSE) {
        return err_set(err, ERR_SYSTEM,
                       "cannot listen at '%s': another program does already (port 0 takes a free "
                       "one)",
                       text);
    }
    if (errno == EADDRNOTAVAIL) {
        return err_set(err, ERR_SYSTEM, "cannot listen at '%s': it is no address of this machine",
                       text);
    }
    return err_set(err, ERR_SYSTEM, "cannot listen at '%s': %m", text);
}

/* A socket file that nobody listens at is left over from a server that was killed. */
static void remove_stale(const struct address *address)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd < 0) {
        return;
    }
    if (connect(fd, &address->u.sa, address->len) < 0 && errno == ECONNREFUSED) {
        (void)unlink(address->u.un.sun_path);
    }
    (void)close(fd);
}

static bool set_options(int fd, const struct address *address, bool shared)
{
    int on = 1;

    if (address->u.sa.sa_family == AF_UNIX) {
        return true;
    }
    return setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == 0 &&
           setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) == 0 &&
           (!shared || setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on)) == 0);
}

static bool open_bound(const char *text, const struct address *address, bool shared, int *ret_fd,
                       struct err *err)
{
    int fd = socket(address->u.sa.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd < 0 || !set_options(fd, address, shared) || bind(fd, &address->u.sa, address->len) < 0) {
        refused(text, err);
        if (fd >= 0) {
            (void)close(fd);
        }
        return false;
    }
    *ret_fd = fd;
    return true;
}

static void close_all(const int *fds, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        (void)close(fds[i]);
    }
}

/* Listens at fds[0] and makes the others of the group. */
static bool open_rest(const char *text, const struct address *address, int *fds, size_t count,
                      struct err *err)
{
    for (size_t i = 0; i < count; i++) {
        bool ok = true;

        if (i > 0 && address->u.sa.sa_family == AF_UNIX) {
            fds[i] = fcntl(fds[0], F_DUPFD_CLOEXEC, 3);
            ok = fds[i] >= 0 || refused(text, err);
        } else if (i > 0) {
            ok = open_bound(text, address, true, &fds[i], err);
        }
        if (!ok) {
            close_all(fds, i);
            return false;
        }
        if (listen(fds[i], BACKLOG) < 0) {
            refused(text, err);
            close_all(fds, i + 1);
            return false;
        }
    }
    return true;
}

bool listen_open(const char *text, int *fds, size_t count, struct err *err)
{
    struct address address = { 0 };
    int fd;

    if (!parse(text, &address, err)) {
        return false;
    }
    if (address.u.sa.sa_family == AF_UNIX) {
        remove_stale(&address);
    }
    if (!open_bound(text, &address, false, &fd, err)) {
        return false;
    }
    if (count > 1 && address.u.sa.sa_family != AF_UNIX) {
        /* A shared port would be shared with any other server of this user as well: it was asked
         * for alone first, which also finds the port when any free one is wanted. */
        bool ok = listen_address(fd, &address, err);

        (void)close(fd);
        if (!ok || !open_bound(text, &address, true, &fd, err)) {
            return false;
        }
    }
    fds[0] = fd;
    return open_rest(text, &address, fds, count, err);
}

bool listen_address(int fd, struct address *ret_address, struct err *err)
{
    struct address address = { .len = sizeof(address.u) };

    if (getsockname(fd, &address.u.sa, &address.len) < 0) {
        return err_set(err, ERR_SYSTEM, "cannot tell where a socket listens: %m");
    }
    *ret_address = address;
    return true;
}

uint16_t listen_port(const struct address *address)
{
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;

    switch (address->u.sa.sa_family) {
    case AF_INET:
        memcpy(&v4, &address->u, sizeof(v4));
        return ntohs(v4.sin_port);
    case AF_INET6:
        memcpy(&v6, &address->u, sizeof(v6));
        return ntohs(v6.sin6_port);
    default:
        return 0;
    }
}

void listen_close(const int *fds, size_t count)
{
    struct address address = { 0 };
    struct err err;

    if (count > 0 && listen_address(fds[0], &address, &err) && address.u.sa.sa_family == AF_UNIX) {
        (void)unlink(address.u.un.sun_path);
    }
    close_all(fds, count);
}
