/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every parser of /proc and of control groups on the same bytes: whatever they say, they stay
 * within them and answer within what their headers promise.
 */
#include "proc/cgroup.h"
#include "proc/cpustat.h"
#include "proc/nettcp.h"
#include "proc/netunix.h"
#include "proc/pidstat.h"
#include "proc/pidstatus.h"
#include "proc/portrange.h"
#include "proc/ranges.h"
#include "proc/schedstat.h"
#include "proc/words.h"

#include "fuzz.h"

static void within(struct str piece, struct str text)
{
    FUZZ_CHECK(piece.len <= text.len);
    FUZZ_CHECK(piece.len == 0 || (piece.p >= text.p && piece.p + piece.len <= text.p + text.len));
}

static void cpu_lines(struct str text)
{
    struct cpu_times times;
    int cpu;

    while (cpustat_next(&text, &cpu, &times)) {
        FUZZ_CHECK(cpu >= CPUSTAT_ALL);
    }
}

static void process(struct str text)
{
    int64_t run_ns, wait_ns, bytes;
    struct pidstat stat;

    if (pidstat_parse(text, &stat)) {
        FUZZ_CHECK(stat.pid >= 0 && strnlen(stat.name, PIDSTAT_NAME_MAX) < PIDSTAT_NAME_MAX);
    }
    if (schedstat_parse(text, &run_ns, &wait_ns)) {
        FUZZ_CHECK(run_ns >= 0 && wait_ns >= 0);
    }
    if (pidstatus_bytes(text, STR("VmHWM"), &bytes)) {
        FUZZ_CHECK(bytes >= 0);
    }
}

static void socket_line(struct str line)
{
    struct nettcp tcp;
    struct netunix local;

    if (nettcp_parse(line, &tcp)) {
        FUZZ_CHECK(tcp.address_bytes == 4 || tcp.address_bytes == 16);
    }
    if (netunix_parse(line, &local)) {
        within(local.path, line);
    }
}

static void socket_lines(struct str text)
{
    struct str line;

    while (str_cut(&text, '\n', &line)) {
        socket_line(line);
    }
}

static void limits(struct str text)
{
    unsigned low, high;
    struct str path;
    uint64_t n;
    double cpus;

    if (portrange_parse(text, &low, &high)) {
        FUZZ_CHECK(low <= high && high <= UINT16_MAX);
    }
    if (cgroup_path(text, STR("cpu"), &path) || cgroup_path(text, STR(""), &path)) {
        within(path, text);
        FUZZ_CHECK(path.len > 0 && path.p[0] == '/');
    }
    if (cgroup_cpu_max(text, &cpus) || cgroup_cpu_quota(text, STR("100000"), &cpus)) {
        FUZZ_CHECK(cpus > 0);
    }
    (void)ranges_count(text, 1024, 60999, &n);
    (void)ranges_count(text, 0, UINT64_MAX, &n);
    (void)words_hex(text, &n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = fuzz_text(data, size);

    cpu_lines(text);
    process(text);
    socket_lines(text);
    limits(text);
    return 0;
}
