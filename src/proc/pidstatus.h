/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The amounts of memory in /proc/<pid>/status.
 */
#ifndef PROC_PIDSTATUS_H
#define PROC_PIDSTATUS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* "VmHWM" of "VmHWM:     1692 kB", in bytes. */
bool pidstatus_bytes(struct str text, struct str name, int64_t *ret_bytes);

#endif
