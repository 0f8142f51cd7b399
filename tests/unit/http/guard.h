/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text with an unreadable page right behind its last byte: a parser that looks one byte too far
 * ends the test.
 */
#ifndef TEST_GUARD_H
#define TEST_GUARD_H

#include <assert.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/str.h"

struct guard {
    char *pages;
    size_t size;
    struct str text;
};

static inline struct guard guard_put(struct str text)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t size = (text.len / page + 1) * page;
    char *pages =
        mmap(NULL, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *begin = pages + size - text.len;

    assert(pages != MAP_FAILED);
    if (text.len > 0) {
        memcpy(begin, text.p, text.len);
    }
    if (mprotect(pages + size, page, PROT_NONE) != 0) {
        assert(0);
    }
    return (struct guard){ pages, size + page, { begin, text.len } };
}

static inline void guard_drop(struct guard *guard)
{
    (void)munmap(guard->pages, guard->size);
}

#endif
