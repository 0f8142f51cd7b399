/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of whole numbers as the kernel writes them: "0-3,8,10-11". CPU sets and reserved ports are
 * such lists.
 */
#ifndef PROC_RANGES_H
#define PROC_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* How many numbers of the list lie in low..high. An empty list is one of none. */
bool ranges_count(struct str list, uint64_t low, uint64_t high, uint64_t *ret_count);

#endif
