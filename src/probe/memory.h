/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of this process.
 */
#ifndef PROBE_MEMORY_H
#define PROBE_MEMORY_H

#include <stdint.h>

/* The largest resident size so far; -1 when it is not known. */
int64_t memory_peak_bytes(void);

#endif
