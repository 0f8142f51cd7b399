/* SPDX-License-Identifier: Apache-2.0 */
#include "proc/netunix.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/err.h"

static void a_listening_socket_has_its_path(UNUSED void **state)
{
    struct netunix socket;

    assert_true(netunix_parse(
        STR("0000000000000000: 00000002 00000000 00010000 0001 01 4321 /run/my app.sock\n"),
        &socket));
    assert_true(socket.listening);
    assert_int_equal(socket.inode, 4321);
    assert_true(str_eq(socket.path, STR("/run/my app.sock")));
}

static void a_connected_socket_may_have_none(UNUSED void **state)
{
    struct netunix socket;

    assert_true(
        netunix_parse(STR("0000000000000000: 00000003 00000000 00000000 0001 03 99"), &socket));
    assert_false(socket.listening);
    assert_int_equal(socket.inode, 99);
    assert_int_equal(socket.path.len, 0);
}

static void the_heading_and_broken_lines_are_refused(UNUSED void **state)
{
    static const char *const texts[] = { "Num       RefCount Protocol Flags    Type St Inode Path",
                                         "", "0: 2 0 10000 1 1", "0: 2 0 x 1 1 5 /p" };

    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct netunix socket;

        assert_false(netunix_parse(str_of(texts[i]), &socket));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_listening_socket_has_its_path),
        cmocka_unit_test(a_connected_socket_may_have_none),
        cmocka_unit_test(the_heading_and_broken_lines_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
