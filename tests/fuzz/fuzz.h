/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a fuzz target is: it takes any bytes and returns 0. It crashes when something is wrong: by
 * a sanitizer, an assert() in the program, or FUZZ_CHECK() on what must hold for every input.
 */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_CHECK(what)                                                                           \
    do {                                                                                           \
        if (!(what)) {                                                                             \
            __builtin_trap();                                                                      \
        }                                                                                          \
    } while (0)

static inline struct str fuzz_text(const uint8_t *data, size_t size)
{
    return (struct str){ (const char *)data, size };
}

/* Takes the first byte of the input off it; 0 when there is none. */
static inline uint8_t fuzz_take_byte(const uint8_t **data, size_t *size)
{
    if (*size == 0) {
        return 0;
    }
    (*size)--;
    return *(*data)++;
}

#endif
