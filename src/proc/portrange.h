/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The local ports that connections may take, as net.ipv4.ip_local_port_range has them.
 */
#ifndef PROC_PORTRANGE_H
#define PROC_PORTRANGE_H

#include <stdbool.h>

#include "base/str.h"

/* First and last port; low <= high. */
bool portrange_parse(struct str text, unsigned *ret_low, unsigned *ret_high);

#endif
