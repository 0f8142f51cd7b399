/* SPDX-License-Identifier: Apache-2.0 */
#include "target/target.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "net/address.h"
#include "net/listen.h"
#include "target/fault.h"
#include "target/gate.h"
#include "target/hold_log.h"
#include "target/identity.h"
#include "target/lane.h"

enum { GUESTS_MAX = 1 << 20 };

struct target {
    const struct target_config *config;
    char address[ADDRESS_TEXT_MAX];
    struct gate gate;
    atomic_bool stop;
    atomic_bool running; /* the loops are there to be woken */
    atomic_uint_fast64_t connections;
    struct fault_counts faults;
    struct lane_setup setup;
    size_t lane_count;
    struct identity identity;
    struct lane *lanes;
    int *listen_fds;
    uint64_t served;
};

static bool check(const struct target_config *config, struct err *err)
{
    if (config->threads < 0 || config->threads > TARGET_THREADS_MAX) {
        return err_set(err, ERR_USAGE, "threads are 1 to %d, not %lld", TARGET_THREADS_MAX,
                       (long long)config->threads);
    }
    if (config->freeze_ns > 0 && config->freeze_ns >= config->freeze_period_ns) {
        return err_set(err, ERR_USAGE,
                       "a freeze has to be shorter than its period, as in 200ms/2s");
    }
    return identity_check(&config->tls, err);
}

/* As many descriptors as this process may have. */
static uint32_t raise_descriptors(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) < 0) {
        return GUESTS_MAX;
    }
    if (limit.rlim_cur < limit.rlim_max) {
        struct rlimit raised = { limit.rlim_max, limit.rlim_max };

        if (setrlimit(RLIMIT_NOFILE, &raised) == 0) {
            limit = raised;
        }
    }
    return limit.rlim_cur < GUESTS_MAX ? (uint32_t)limit.rlim_cur : GUESTS_MAX;
}

static char *make_block(void)
{
    char *block = mem_new(LANE_BLOCK_BYTES, 1);

    for (int i = 0; i < LANE_BLOCK_BYTES; i++) {
        block[i] = i % 64 == 63 ? '\n' : (char)('0' + i % 64);
    }
    return block;
}

static bool open_sockets(struct target *target, const char *listen, struct err *err)
{
    struct address address;

    if (!listen_open(listen, target->listen_fds, target->lane_count, err)) {
        return false;
    }
    if (!listen_address(target->listen_fds[0], &address, err)) {
        listen_close(target->listen_fds, target->lane_count);
        return false;
    }
    (void)address_format(&address, target->address);
    target->setup.tcp = address.u.sa.sa_family != AF_UNIX;
    return true;
}

static struct target *new_at(const struct target_config *config, const char *listen,
                             struct err *err)
{
    struct target *target;

    if (!check(config, err)) {
        return NULL;
    }
    target = mem_new(1, sizeof(*target));
    target->config = config;
    target->lane_count = config->threads > 0 ? (size_t)config->threads : 1;
    target->listen_fds = mem_new(target->lane_count, sizeof(int));
    target->setup.log_fd = -1;
    gate_init(&target->gate, config->workers);
    if (!identity_open(&target->identity, &config->tls, target->lane_count, err)) {
        target->lane_count = 0;
        target_free(target);
        return NULL;
    }
    target->setup.tls = target->identity.contexts;
    if (!open_sockets(target, listen, err)) {
        target->lane_count = 0;
        target_free(target);
        return NULL;
    }
    if (config->log != NULL && !hold_log_open(config->log, &target->setup.log_fd, err)) {
        target_free(target);
        return NULL;
    }
    return target;
}

struct target *target_new(const struct target_config *config, struct err *err)
{
    return new_at(config, config->listen == NULL ? "127.0.0.1:8080" : config->listen, err);
}

const char *target_address(const struct target *target)
{
    return target->address;
}

const struct tls_cert *target_cert(const struct target *target)
{
    return target->identity.cert;
}

uint64_t target_served(const struct target *target)
{
    return target->served;
}

static void *run_lane(void *lane)
{
    lane_run(lane);
    return NULL;
}

/* Runs the first lane on this thread and each other on its own. */
static bool run_lanes(struct target *target, struct err *err)
{
    size_t started = 1;
    bool ok = true;

    for (; ok && started < target->lane_count; started++) {
        struct lane *lane = &target->lanes[started];
        int code = pthread_create(&lane->thread, NULL, run_lane, lane);

        if (code != 0) {
            errno = code;
            ok = err_set(err, ERR_SYSTEM, "cannot start a thread: %m");
            target_stop(target);
            break;
        }
    }
    if (ok) {
        lane_run(&target->lanes[0]);
        /* Whatever ended the first lane ends the others. */
        target_stop(target);
    }
    for (size_t i = 1; i < started; i++) {
        (void)pthread_join(target->lanes[i].thread, NULL);
    }
    return ok;
}

static bool sum_up(struct target *target, struct err *err)
{
    for (size_t i = 0; i < target->lane_count; i++) {
        int code = target->lanes[i].log.write_errno;

        target->served += target->lanes[i].served;
        if (code != 0) {
            errno = code;
            return err_set(err, ERR_SYSTEM, "the log '%s' is not complete: %m",
                           target->config->log);
        }
    }
    return true;
}

bool target_run(struct target *target, struct err *err)
{
    size_t open = 0;
    bool ok = true;

    target->setup.config = target->config;
    target->setup.gate = &target->gate;
    target->setup.stop = &target->stop;
    target->setup.connections = &target->connections;
    target->setup.faults = &target->faults;
    target->setup.start_ns = clock_now_ns();
    target->setup.guests_max = raise_descriptors();
    target->setup.block = make_block();
    target->lanes = mem_new(target->lane_count, sizeof(struct lane));
    while (ok && open < target->lane_count) {
        ok = lane_open(&target->lanes[open], &target->setup, target->listen_fds[open], open, err);
        open += ok;
    }
    if (ok) {
        atomic_store(&target->running, true);
        ok = run_lanes(target, err);
        atomic_store(&target->running, false);
        ok = sum_up(target, err) && ok;
    }
    while (open > 0) {
        lane_close(&target->lanes[--open]);
    }
    return ok;
}

void target_stop(struct target *target)
{
    atomic_store(&target->stop, true);
    if (atomic_load(&target->running)) {
        for (size_t i = 0; i < target->lane_count; i++) {
            loop_wake(&target->lanes[i].loop);
        }
    }
}

void target_free(struct target *target)
{
    if (target == NULL) {
        return;
    }
    listen_close(target->listen_fds, target->lane_count);
    if (target->setup.log_fd >= 0) {
        (void)close(target->setup.log_fd);
    }
    gate_fini(&target->gate);
    identity_close(&target->identity);
    mem_free(target->listen_fds);
    mem_free(target->lanes);
    mem_free(target->setup.block);
    mem_free(target);
}

/* The target of a spawned child, for its signal handler. */
static struct target *spawned;

static void stop_spawned(int signal_number)
{
    (void)signal_number;
    target_stop(spawned);
}

/* A terminal sends its interrupt to the child as well, which has to serve on while the parent
 * drains: it is ended by the parent, or by the parent's death. */
static void set_signals(pid_t parent)
{
    struct sigaction action = { .sa_handler = SIG_DFL };
    sigset_t none;

    for (int i = 1; i < NSIG; i++) {
        (void)sigaction(i, &action, NULL);
    }
    action.sa_handler = SIG_IGN;
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGPIPE, &action, NULL);
    action.sa_handler = stop_spawned;
    (void)sigaction(SIGTERM, &action, NULL);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)prctl(PR_SET_PDEATHSIG, (unsigned long)SIGTERM);
    if (getppid() != parent) {
        _exit(0);
    }
}

static bool is_kept(const struct target *target, int fd)
{
    for (size_t i = 0; i < target->lane_count; i++) {
        if (target->listen_fds[i] == fd) {
            return true;
        }
    }
    return fd == target->setup.log_fd;
}

/* Nothing of the parent's stays open here: its sockets would outlive its close. */
static void close_inherited(const struct target *target)
{
    int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC), above = STDERR_FILENO;

    (void)dup2(null_fd, STDIN_FILENO);
    (void)dup2(null_fd, STDOUT_FILENO);
    for (size_t i = 0; i < target->lane_count; i++) {
        above = target->listen_fds[i] > above ? target->listen_fds[i] : above;
    }
    above = target->setup.log_fd > above ? target->setup.log_fd : above;
    for (int fd = STDERR_FILENO + 1; fd < above; fd++) {
        if (!is_kept(target, fd)) {
            (void)close(fd);
        }
    }
    (void)close_range((unsigned)above + 1, ~0U, 0);
}

static _Noreturn void serve_as_child(struct target *target, pid_t parent)
{
    struct err err;

    spawned = target;
    set_signals(parent);
    close_inherited(target);
    _exit(target_run(target, &err) ? 0 : 1);
}

bool target_spawn(const struct target_config *config, uint16_t *ret_port, int *ret_pid,
                  struct err *err)
{
    struct target *target = new_at(config, "127.0.0.1:0", err);
    pid_t parent = getpid(), child;
    struct address address;
    bool ok = false;

    if (target == NULL || !listen_address(target->listen_fds[0], &address, err)) {
        goto out;
    }
    child = fork();
    if (child == 0) {
        serve_as_child(target, parent);
    }
    if (child < 0) {
        err_set(err, ERR_SYSTEM, "cannot start the built-in target: %m");
        goto out;
    }
    *ret_port = listen_port(&address);
    *ret_pid = child;
    ok = true;
out:
    target_free(target);
    return ok;
}
