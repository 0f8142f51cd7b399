/* SPDX-License-Identifier: Apache-2.0 */
#include "net/tls_memory.h"

#include <openssl/crypto.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "base/err.h"
#include "base/mem.h"

enum {
    BLOCK_LEAST = 8 << 10,  /* smaller ones are malloc's */
    BLOCK_BYTES = 20 << 10, /* whole pages; takes a record, and a handshake's message */
};

/* Address space, not memory: for some 50,000 blocks. */
#define REGION_BYTES ((size_t)1 << 30)

struct block {
    struct block *next;
};

static char *region; /* NULL: there is none, and all is malloc's */
static atomic_size_t region_used;
static _Thread_local struct block *free_blocks;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool is_block(const void *memory)
{
    const char *byte = memory;

    return region != NULL && byte >= region && byte < region + REGION_BYTES;
}

/* NULL: the region is full. */
static void *take_block(void)
{
    struct block *block = free_blocks;
    size_t at;

    if (block != NULL) {
        free_blocks = block->next;
        return block;
    }
    at = atomic_fetch_add_explicit(&region_used, BLOCK_BYTES, memory_order_relaxed);
    return at + BLOCK_BYTES <= REGION_BYTES ? region + at : NULL;
}

static void *library_malloc(size_t size, UNUSED const char *file, UNUSED int line)
{
    void *memory = NULL;

    if (size == 0) {
        return NULL;
    }
    if (size > BLOCK_LEAST && size <= BLOCK_BYTES && region != NULL) {
        memory = take_block();
    }
    return memory != NULL ? memory : mem_resize(NULL, 1, size);
}

static void library_free(void *memory, UNUSED const char *file, UNUSED int line)
{
    struct block *block = memory;

    if (!is_block(memory)) {
        mem_free(memory);
        return;
    }
    block->next = free_blocks;
    free_blocks = block;
}

static void *library_realloc(void *old, size_t size, const char *file, int line)
{
    void *memory;

    if (!is_block(old)) {
        if (size == 0) {
            mem_free(old);
            return NULL;
        }
        return mem_resize(old, 1, size);
    }
    if (size > BLOCK_LEAST && size <= BLOCK_BYTES) {
        return old;
    }
    memory = library_malloc(size, file, line);
    if (memory != NULL) {
        memcpy(memory, old, size < BLOCK_BYTES ? size : BLOCK_BYTES);
    }
    library_free(old, file, line);
    return memory;
}

static void take_over(void)
{
    void *memory = mmap(NULL, REGION_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (memory == MAP_FAILED) {
        return;
    }
    /* A huge page would be touched whole. */
    (void)madvise(memory, REGION_BYTES, MADV_NOHUGEPAGE);
    region = memory;
    if (CRYPTO_set_mem_functions(library_malloc, library_realloc, library_free) != 1) {
        (void)munmap(memory, REGION_BYTES);
        region = NULL;
    }
}

void tls_memory_init(void)
{
    (void)pthread_once(&once, take_over);
}
