/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void mem_exhausted(void)
{
    static const char text[] = "brunt: out of memory\n";

    (void)!write(STDERR_FILENO, text, sizeof(text) - 1);
    _exit(3);
}

void *mem_new(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size > 0 ? size : 1);

    if (memory == NULL) {
        mem_exhausted();
    }
    return memory;
}

void *mem_resize(void *old, size_t count, size_t size)
{
    void *memory;
    size_t bytes;

    if (__builtin_mul_overflow(count, size, &bytes)) {
        mem_exhausted();
    }
    memory = realloc(old, bytes > 0 ? bytes : 1);
    if (memory == NULL) {
        mem_exhausted();
    }
    return memory;
}

char *mem_strdup(const char *text)
{
    return text == NULL ? NULL : mem_strndup(text, strlen(text));
}

char *mem_strndup(const char *bytes, size_t n)
{
    char *copy = mem_new(n + 1, 1);

    memcpy(copy, bytes, n);
    return copy;
}

void mem_free(void *memory)
{
    free(memory);
}
