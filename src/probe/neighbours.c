/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/neighbours.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "probe/file.h"
#include "probe/sockets.h"

/* What is beyond is not looked at. */
enum { PROCESSES_MAX = 65536, PROCESSES_FIRST = 256 };

struct usage {
    int pid;
    int64_t cpu_ns;
};

struct neighbours {
    int64_t at_ns;
    struct usage *before; /* by pid */
    size_t count;
};

static int order_by_pid(const void *a, const void *b)
{
    const struct usage *left = a, *right = b;

    return (left->pid > right->pid) - (left->pid < right->pid);
}

/* All processes, by pid; to be freed. */
static struct usage *usage_of_all(size_t *ret_count)
{
    size_t count = 0, room = PROCESSES_FIRST;
    struct usage *all = mem_new(room, sizeof(*all));
    DIR *folder = opendir("/proc");
    struct dirent *entry;

    /* NOLINTNEXTLINE(concurrency-mt-unsafe): nobody else has this stream */
    while (folder != NULL && count < PROCESSES_MAX && (entry = readdir(folder)) != NULL) {
        uint64_t pid;
        int64_t cpu_ns;

        if (!str_u64(str_of(entry->d_name), &pid)) {
            continue;
        }
        cpu_ns = clock_pid_cpu_ns((int)pid);
        if (cpu_ns < 0) {
            continue;
        }
        if (count == room) {
            room *= 2;
            all = mem_resize(all, room, sizeof(*all));
        }
        all[count++] = (struct usage){ (int)pid, cpu_ns };
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
    qsort(all, count, sizeof(*all), order_by_pid);
    *ret_count = count;
    return all;
}

struct neighbours *neighbours_new(void)
{
    struct neighbours *neighbours = mem_new(1, sizeof(*neighbours));

    neighbours->at_ns = clock_now_ns();
    neighbours->before = usage_of_all(&neighbours->count);
    return neighbours;
}

void neighbours_free(struct neighbours *neighbours)
{
    if (neighbours != NULL) {
        mem_free(neighbours->before);
        mem_free(neighbours);
    }
}

static int64_t usage_since(const struct neighbours *neighbours, const struct usage *now)
{
    const struct usage *then =
        bsearch(now, neighbours->before, neighbours->count, sizeof(*now), order_by_pid);

    /* Less than before is a new process that got the number of an old one. */
    return then == NULL || then->cpu_ns > now->cpu_ns ? now->cpu_ns : now->cpu_ns - then->cpu_ns;
}

static bool is_wanted(const char *link, const uint64_t *inodes, size_t count)
{
    struct str text = str_of(link), prefix = STR("socket:[");
    uint64_t inode;

    if (!str_starts(text, prefix) || !str_ends(text, STR("]"))) {
        return false;
    }
    text = str_from(text, prefix.len);
    text.len--;
    if (!str_u64(text, &inode)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (inodes[i] == inode) {
            return true;
        }
    }
    return false;
}

/* Looks through the descriptors of a process for one of the sockets. */
static void find_listening(struct neighbour *process, const uint64_t *inodes, size_t count)
{
    char path[64], link[64];
    struct dirent *entry;
    DIR *folder;

    (void)snprintf(path, sizeof(path), "/proc/%d/fd", process->pid);
    folder = opendir(path);
    if (folder == NULL) {
        process->closed = errno == EACCES || errno == EPERM;
        return;
    }
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): nobody else has this stream */
    while (!process->listens && (entry = readdir(folder)) != NULL) {
        ssize_t length = readlinkat(dirfd(folder), entry->d_name, link, sizeof(link) - 1);

        link[length > 0 ? length : 0] = '\0';
        process->listens = is_wanted(link, inodes, count);
    }
    (void)closedir(folder);
}

static bool describe(int pid, struct neighbour *ret_process)
{
    char path[64], memory[1024];
    struct pidstat stat;
    struct str text;

    (void)snprintf(path, sizeof(path), "/proc/%d/stat", pid);
    if (!file_read(path, memory, sizeof(memory), &text) || !pidstat_parse(text, &stat)) {
        return false;
    }
    *ret_process = (struct neighbour){ .pid = pid, .ppid = stat.ppid, .kernel = stat.kernel };
    str_copy(ret_process->name, sizeof(ret_process->name), str_of(stat.name));
    return true;
}

static int order_of_process(const void *pid, const void *process)
{
    int left = *(const int *)pid, right = ((const struct neighbour *)process)->pid;

    return (left > right) - (left < right);
}

static struct neighbour *process_of(struct neighbour *processes, size_t count, int pid)
{
    return bsearch(&pid, processes, count, sizeof(*processes), order_of_process);
}

/* The first process of the machine starts all others and may listen for them: neither makes it, or
 * what it started, the server. */
static bool is_first(const struct neighbour *process)
{
    return process->pid == 1;
}

static void mark_upwards(struct neighbour *processes, size_t count, struct neighbour *from)
{
    struct neighbour *parent = process_of(processes, count, from->ppid);

    while (parent != NULL && !parent->server && strcmp(parent->name, from->name) == 0) {
        parent->server = true;
        parent = process_of(processes, count, parent->ppid);
    }
}

static void mark_downwards(struct neighbour *processes, size_t count)
{
    bool changed = true;

    while (changed) {
        changed = false;
        for (size_t i = 0; i < count; i++) {
            const struct neighbour *parent =
                processes[i].server ? NULL : process_of(processes, count, processes[i].ppid);

            if (parent != NULL && parent->server && !is_first(parent)) {
                processes[i].server = changed = true;
            }
        }
    }
}

const struct neighbour *neighbours_busiest(struct neighbour *processes, size_t count, int self_pid,
                                           bool server_sought)
{
    const struct neighbour *busiest = NULL;
    bool found = false;

    for (size_t i = 0; i < count; i++) {
        if (processes[i].listens) {
            processes[i].server = found = true;
            mark_upwards(processes, count, &processes[i]);
        }
    }
    if (found) {
        mark_downwards(processes, count);
    }
    for (size_t i = 0; i < count; i++) {
        const struct neighbour *process = &processes[i];

        if (process->pid == self_pid || process->kernel || process->server ||
            (server_sought && !found && process->closed) || process->cpu_ns <= 0) {
            continue;
        }
        if (busiest == NULL || process->cpu_ns > busiest->cpu_ns) {
            busiest = process;
        }
    }
    return busiest;
}

static void measure(struct neighbours *neighbours, int64_t wall_ns, const uint64_t *inodes,
                    size_t inode_count, double *ret_cores, char *ret_name)
{
    size_t count, described = 0;
    struct usage *now = usage_of_all(&count);
    int64_t seen_ns = clock_now_ns() - neighbours->at_ns;
    struct neighbour *processes = mem_new(count, sizeof(*processes));
    const struct neighbour *busiest;

    for (size_t i = 0; i < count; i++) {
        struct neighbour *process = &processes[described];

        if (!describe(now[i].pid, process)) {
            continue;
        }
        process->cpu_ns = usage_since(neighbours, &now[i]);
        if (inode_count > 0 && !process->kernel) {
            find_listening(process, inodes, inode_count);
        }
        described++;
    }
    busiest = neighbours_busiest(processes, described, (int)getpid(), inode_count > 0);
    *ret_cores = busiest == NULL
                     ? 0.0
                     : (double)busiest->cpu_ns / (double)(wall_ns > seen_ns ? wall_ns : seen_ns);
    str_copy(ret_name, NEIGHBOUR_NAME_MAX, str_of(busiest == NULL ? "" : busiest->name));
    if (described == 0 || neighbours->count == 0 || wall_ns <= 0) {
        *ret_cores = NAN;
        ret_name[0] = '\0';
    }
    mem_free(processes);
    mem_free(now);
}

void neighbours_measure(struct neighbours *neighbours, int64_t wall_ns, uint16_t server_port,
                        double *ret_cores, char *ret_name)
{
    uint64_t inodes[SOCKETS_LISTENING_MAX];
    size_t count = server_port == 0 ? 0 : sockets_listening_tcp(server_port, inodes);

    measure(neighbours, wall_ns, inodes, count, ret_cores, ret_name);
}

void neighbours_measure_unix(struct neighbours *neighbours, int64_t wall_ns, const char *path,
                             double *ret_cores, char *ret_name)
{
    uint64_t inodes[SOCKETS_LISTENING_MAX];
    size_t count = sockets_listening_unix(path, inodes);

    measure(neighbours, wall_ns, inodes, count, ret_cores, ret_name);
}
