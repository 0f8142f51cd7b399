/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/neighbours.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"

enum { SELF = 500, PROCESSES_MAX = 8 };

/* In order of pid; the busiest is named by its pid, 0 for none. */
static const struct scene {
    const char *what;
    bool sought;
    int busiest;
    struct neighbour processes[PROCESSES_MAX];
} scenes[] = {
    { "the busiest other process",
      false,
      30,
      { { .pid = 20, .ppid = 1, .cpu_ns = 5, .name = "a" },
        { .pid = 30, .ppid = 1, .cpu_ns = 7, .name = "b" },
        { .pid = 40, .ppid = 1, .cpu_ns = 6, .name = "c" } } },
    { "never this process nor a thread of the kernel's",
      false,
      40,
      { { .pid = 30, .ppid = 2, .cpu_ns = 90, .kernel = true, .name = "kworker" },
        { .pid = 40, .ppid = 1, .cpu_ns = 1, .name = "c" },
        { .pid = SELF, .ppid = 1, .cpu_ns = 99, .name = "brunt" } } },
    { "nobody when all were idle",
      false,
      0,
      { { .pid = 30, .ppid = 1, .name = "b" }, { .pid = SELF, .cpu_ns = 99, .name = "brunt" } } },
    { "not the server: holder, children of any name, parent of the same name",
      true,
      60,
      { { .pid = 1, .name = "init", .cpu_ns = 1 },
        { .pid = 10, .ppid = 1, .cpu_ns = 50, .name = "nginx" },
        { .pid = 11, .ppid = 10, .cpu_ns = 60, .name = "nginx", .listens = true },
        { .pid = 12, .ppid = 10, .cpu_ns = 55, .name = "nginx-cache" },
        { .pid = 13, .ppid = 11, .cpu_ns = 57, .name = "php" },
        { .pid = 14, .ppid = 13, .cpu_ns = 58, .name = "convert" },
        { .pid = 60, .ppid = 1, .cpu_ns = 2, .name = "gcc" } } },
    { "but the shell that started the server",
      true,
      10,
      { { .pid = 10, .ppid = 1, .cpu_ns = 50, .name = "sh" },
        { .pid = 11, .ppid = 10, .cpu_ns = 60, .name = "serve", .listens = true } } },
    { "children with lower numbers than their parents",
      true,
      60,
      { { .pid = 10, .ppid = 11, .cpu_ns = 70, .name = "grandchild" },
        { .pid = 11, .ppid = 12, .cpu_ns = 70, .name = "child" },
        { .pid = 12, .ppid = 1, .cpu_ns = 60, .name = "serve", .listens = true },
        { .pid = 60, .ppid = 1, .cpu_ns = 2, .name = "gcc" } } },
    { "a listening first process makes not the whole machine the server",
      true,
      60,
      { { .pid = 1, .cpu_ns = 70, .name = "systemd", .listens = true },
        { .pid = 12, .ppid = 1, .cpu_ns = 60, .name = "app", .listens = true },
        { .pid = 60, .ppid = 1, .cpu_ns = 2, .name = "gcc" } } },
    { "with a hidden holder nobody who is closed to us",
      true,
      60,
      { { .pid = 12, .ppid = 1, .cpu_ns = 60, .name = "nginx", .closed = true },
        { .pid = 60, .ppid = 1, .cpu_ns = 2, .name = "gcc" } } },
    { "with a known holder also those who are closed to us",
      true,
      60,
      { { .pid = 12, .ppid = 1, .cpu_ns = 60, .name = "serve", .listens = true },
        { .pid = 60, .ppid = 1, .cpu_ns = 2, .name = "backup", .closed = true } } },
    { "without a server here also those who are closed to us",
      false,
      60,
      { { .pid = 60, .ppid = 1, .cpu_ns = 2, .name = "backup", .closed = true } } },
};

static void the_busiest_neighbour_is_neither_us_nor_the_server(UNUSED void **state)
{
    for (size_t i = 0; i < COUNT_OF(scenes); i++) {
        struct neighbour processes[PROCESSES_MAX];
        const struct neighbour *busiest;
        size_t count = 0;

        memcpy(processes, scenes[i].processes, sizeof(processes));
        while (count < PROCESSES_MAX && processes[count].pid != 0) {
            count++;
        }
        busiest = neighbours_busiest(processes, count, SELF, scenes[i].sought);
        if ((busiest == NULL ? 0 : busiest->pid) != scenes[i].busiest) {
            fail_msg("%s: got %d", scenes[i].what, busiest == NULL ? 0 : busiest->pid);
        }
    }
}

static void a_measurement_takes_place_on_this_machine(UNUSED void **state)
{
    struct neighbours *neighbours = neighbours_new();
    char name[NEIGHBOUR_NAME_MAX];
    double cores = -1.0;

    neighbours_measure(neighbours, SEC_NS, 0, &cores, name);
    assert_true(cores >= 0.0);
    assert_int_equal(cores > 0.0, name[0] != '\0');
    neighbours_measure_unix(neighbours, SEC_NS, "/nonexistent.sock", &cores, name);
    assert_true(cores >= 0.0);
    neighbours_free(neighbours);
}

static void without_time_it_is_not_known(UNUSED void **state)
{
    struct neighbours *neighbours = neighbours_new();
    char name[NEIGHBOUR_NAME_MAX] = "x";
    double cores = 0.0;

    neighbours_measure(neighbours, 0, 0, &cores, name);
    assert_true(isnan(cores));
    assert_string_equal(name, "");
    neighbours_free(neighbours);
}

static void nothing_to_free_is_fine(UNUSED void **state)
{
    neighbours_free(NULL);
}

static void the_clock_of_a_process_is_its_own(UNUSED void **state)
{
    int64_t self = clock_pid_cpu_ns(getpid());

    assert_true(self > 0);
    assert_true(clock_process_cpu_ns() >= self);
    assert_int_equal(clock_pid_cpu_ns(0), -1);
    assert_int_equal(clock_pid_cpu_ns(-1), -1);
    assert_int_equal(clock_pid_cpu_ns(0x7fffffff), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_busiest_neighbour_is_neither_us_nor_the_server),
        cmocka_unit_test(a_measurement_takes_place_on_this_machine),
        cmocka_unit_test(without_time_it_is_not_known),
        cmocka_unit_test(nothing_to_free_is_fine),
        cmocka_unit_test(the_clock_of_a_process_is_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
