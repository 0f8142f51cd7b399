/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The budget of local ports. A connection that this side closes first holds its port for a minute
 * in TIME_WAIT, for one server address; when none is left, connect() does not fail but gets slow,
 * and a tool that does not know it takes that for the server's speed.
 */
#ifndef PROBE_PORTS_H
#define PROBE_PORTS_H

#include <stdbool.h>
#include <stdint.h>

/* How many ports of low..high connections may take: without those that
 * net.ipv4.ip_local_reserved_ports keeps back. */
unsigned ports_usable(unsigned low, unsigned high);

/* Connections in TIME_WAIT to that port of any address, both families; -1 unknown. On loopback
 * those that the server closed first stand at its end and are not counted. Reading takes some 1 us
 * a socket. */
int ports_time_wait(uint16_t remote_port);

/*
 * The short connections a second that can be kept up if this side closes first: ports times source
 * addresses over the time a port stays taken. tw_reuse is net.ipv4.tcp_tw_reuse: 0 never, 1 again
 * after a second, 2 (and -1, unknown) that on loopback only.
 */
double ports_ceiling(unsigned low, unsigned high, unsigned source_addresses, int tw_reuse,
                     bool loopback);

#endif
