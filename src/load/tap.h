/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For somebody who wants to see what servers send: the bytes of every answer as they are read,
 * heads and framing included. The first member of whoever takes them. With a tap every body is read
 * and none is discarded in the kernel.
 */
#ifndef LOAD_TAP_H
#define LOAD_TAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

struct tap {
    /* On a worker's thread; the bytes are gone after the call. begins: they are the first of an
     * answer of that user's, whatever became of the one before. */
    void (*take)(struct tap *tap, uint32_t user, bool begins, struct str bytes);
};

#endif
