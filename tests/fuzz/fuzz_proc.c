/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every parser of /proc and of control groups on the same bytes: whatever they say, they stay
 * within them and answer within what their headers promise.
 */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

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

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void within(struct str piece, struct str text)
{
    assert(piece.len <= text.len);
    assert(piece.len == 0 || (piece.p >= text.p && piece.p + piece.len <= text.p + text.len));
}

static void cpu_lines(struct str text)
{
    struct cpu_times times;
    int cpu;

    while (cpustat_next(&text, &cpu, &times)) {
        assert(cpu >= CPUSTAT_ALL);
    }
}

static void process(struct str text)
{
    int64_t run_ns, wait_ns, bytes;
    struct pidstat stat;

    if (pidstat_parse(text, &stat)) {
        assert(stat.pid >= 0 && stat.ppid >= 0);
        assert(strnlen(stat.name, PIDSTAT_NAME_MAX) < PIDSTAT_NAME_MAX);
    }
    if (schedstat_parse(text, &run_ns, &wait_ns)) {
        assert(run_ns >= 0 && wait_ns >= 0);
    }
    if (pidstatus_bytes(text, STR("VmHWM"), &bytes)) {
        assert(bytes >= 0 && bytes % 1024 == 0);
    }
}

static void socket_lines(struct str text)
{
    struct str rest = text, line;
    struct nettcp tcp;
    struct netunix local;

    while (str_cut(&rest, '\n', &line)) {
        if (nettcp_parse(line, &tcp)) {
            assert(tcp.address_bytes == 4 || tcp.address_bytes == 16);
            assert(tcp.state <= UINT8_MAX);
        }
        if (netunix_parse(line, &local)) {
            within(local.path, line);
        }
    }
}

static void limits(struct str text)
{
    unsigned low, high;
    struct str path;
    uint64_t n;
    double cpus;

    if (portrange_parse(text, &low, &high)) {
        assert(low <= high && high <= UINT16_MAX);
    }
    if (cgroup_path(text, STR("cpu"), &path) || cgroup_path(text, STR(""), &path)) {
        within(path, text);
        assert(path.len > 0 && path.p[0] == '/');
    }
    if (cgroup_cpu_max(text, &cpus) || cgroup_cpu_quota(text, STR("100000"), &cpus)) {
        assert(cpus > 0);
    }
    (void)ranges_count(text, 1024, 60999, &n);
    (void)ranges_count(text, 0, UINT64_MAX, &n);
    (void)words_hex(text, &n);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    struct str text = { (const char *)bytes, count };

    cpu_lines(text);
    process(text);
    socket_lines(text);
    limits(text);
    return 0;
}
