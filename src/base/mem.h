/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory. Running out ends the program with one message, so no caller has a branch for it.
 * Workers call these before the first request only.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

/* Zeroed memory for count objects of size bytes; free with mem_free. Size 0 gives a valid pointer.
 */
void *mem_new(size_t count, size_t size);

/* Grows or shrinks to count objects of size bytes; what is new is not zeroed. */
void *mem_resize(void *old, size_t count, size_t size);

/* A copy of the text; NULL stays NULL. */
char *mem_strdup(const char *text);

/* A copy of n bytes with a zero byte after them. */
char *mem_strndup(const char *bytes, size_t n);

/* Accepts NULL. */
void mem_free(void *memory);

/* Ends the program, for what a library could not allocate. */
_Noreturn void mem_exhausted(void);

#endif
