/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/machine.h"

#include <limits.h>
#include <math.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/str.h"
#include "probe/file.h"
#include "probe/quota.h"
#include "proc/portrange.h"

enum { CPU_SET_MAX = 8192 };

static unsigned cpus_online(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);

    return count > 0 ? (unsigned)count : 1;
}

/* CPUs that the scheduler may put this process on. */
static unsigned cpus_in_mask(unsigned otherwise)
{
    cpu_set_t *set = CPU_ALLOC(CPU_SET_MAX);
    size_t bytes = CPU_ALLOC_SIZE(CPU_SET_MAX);
    unsigned count = otherwise;

    if (set == NULL) {
        return otherwise;
    }
    if (sched_getaffinity(0, bytes, set) == 0) {
        count = (unsigned)CPU_COUNT_S(bytes, set);
    }
    CPU_FREE(set);
    return count;
}

static unsigned cpus_allowed(unsigned online)
{
    unsigned allowed = cpus_in_mask(online);
    double quota = ceil(quota_cpus());

    if (quota < allowed) {
        allowed = (unsigned)quota;
    }
    return allowed > 0 ? allowed : 1;
}

static int64_t descriptors_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return -1;
    }
    return limit.rlim_cur > INT64_MAX ? INT64_MAX : (int64_t)limit.rlim_cur;
}

static void read_word(const char *path, char *to, size_t size)
{
    char memory[MACHINE_FIELD_MAX];
    struct str text;

    if (file_read(path, memory, sizeof(memory), &text)) {
        str_copy(to, size, str_trim(text));
    }
}

static int read_tw_reuse(void)
{
    char text[8] = "";
    uint64_t value;

    read_word("/proc/sys/net/ipv4/tcp_tw_reuse", text, sizeof(text));
    return str_u64(str_of(text), &value) && value <= INT_MAX ? (int)value : -1;
}

void machine_read(struct machine *ret_machine)
{
    struct machine machine = { .ports_used = NAN, .neighbour_cores = NAN };
    struct utsname name;
    char range[64] = "";

    machine.cpus = cpus_online();
    machine.allowed_cpus = cpus_allowed(machine.cpus);
    if (uname(&name) == 0) {
        str_copy(machine.kernel, sizeof(machine.kernel), str_of(name.release));
    }
    machine.descriptors = descriptors_limit();
    read_word("/proc/sys/net/ipv4/ip_local_port_range", range, sizeof(range));
    (void)portrange_parse(str_of(range), &machine.port_low, &machine.port_high);
    read_word("/proc/sys/net/ipv4/tcp_congestion_control", machine.congestion,
              sizeof(machine.congestion));
    machine.tw_reuse = read_tw_reuse();
    read_word("/sys/devices/system/clocksource/clocksource0/current_clocksource",
              machine.clocksource, sizeof(machine.clocksource));
    *ret_machine = machine;
}
