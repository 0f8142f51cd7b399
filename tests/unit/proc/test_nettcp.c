/* SPDX-License-Identifier: Apache-2.0 */
#include "proc/nettcp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/err.h"

static void a_socket_of_ipv4_is_read(UNUSED void **state)
{
    static const uint8_t loopback[] = { 127, 0, 0, 1 }, peer[] = { 10, 1, 2, 3 };
    struct nettcp socket;

    assert_true(nettcp_parse(
        STR("   1: 0100007F:1F90 0302010A:0050 01 00000000:00000000 00:00000000 00000000  1000"
            "        0 20511 1 0000000000000000 100 0 0 10 0"),
        &socket));
    assert_int_equal(socket.address_bytes, 4);
    assert_memory_equal(socket.local, loopback, sizeof(loopback));
    assert_memory_equal(socket.remote, peer, sizeof(peer));
    assert_int_equal(socket.local_port, 8080);
    assert_int_equal(socket.remote_port, 80);
    assert_int_equal(socket.state, NETTCP_ESTABLISHED);
    assert_int_equal(socket.inode, 20511);
}

static void a_socket_of_ipv6_is_read(UNUSED void **state)
{
    static const uint8_t loopback[16] = { [15] = 1 };
    struct nettcp socket;

    assert_true(nettcp_parse(
        STR("   0: 00000000000000000000000001000000:0016 00000000000000000000000000000000:0000 0A "
            "00000000:00000000 00:00000000 00000000     0        0 17 1 0 100 0 0 10 0"),
        &socket));
    assert_int_equal(socket.address_bytes, 16);
    assert_memory_equal(socket.local, loopback, sizeof(loopback));
    assert_int_equal(socket.local_port, 22);
    assert_int_equal(socket.state, NETTCP_LISTEN);
    assert_int_equal(socket.inode, 17);
}

static void what_waits_out_its_time_has_no_owner(UNUSED void **state)
{
    struct nettcp socket;

    assert_true(nettcp_parse(STR("  12: 0100007F:C001 0100007F:1F90 06 00000000:00000000 "
                                 "03:00001770 00000000     0        0 0 3 0000000000000000"),
                             &socket));
    assert_int_equal(socket.state, NETTCP_TIME_WAIT);
    assert_int_equal(socket.inode, 0);
}

static void the_heading_and_broken_lines_are_refused(UNUSED void **state)
{
    static const char *const texts[] = {
        "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid",
        "",
        "1:",
        "1: 0100007F:1F90",
        "1: 0100007F:1F90 0302010A:0050 01 0:0 0:0 0 0 0",
        "1: 0100007F 0302010A:0050 01 0:0 0:0 0 0 0 5",
        "1: 0100007:1F90 0302010A:0050 01 0:0 0:0 0 0 0 5",
        "1: 0100007F:11F90 0302010A:0050 01 0:0 0:0 0 0 0 5",
        "1: 0100007F: 0302010A:0050 01 0:0 0:0 0 0 0 5",
        "1: 0100007F:1F90 0302010A:0050 101 0:0 0:0 0 0 0 5",
        "1: 0100007F:1F90 0302010A:0050 01 0:0 0:0 0 0 0 x",
        "1: 0100007F:1F90 00000000000000000000000000000000:0050 01 0:0 0:0 0 0 0 5",
    };

    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct nettcp socket;

        assert_false(nettcp_parse(str_of(texts[i]), &socket));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_socket_of_ipv4_is_read),
        cmocka_unit_test(a_socket_of_ipv6_is_read),
        cmocka_unit_test(what_waits_out_its_time_has_no_owner),
        cmocka_unit_test(the_heading_and_broken_lines_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
