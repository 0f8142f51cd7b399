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
    STEP_BYTES = 16, /* sizes of small pieces, and how they are aligned */
    SMALL_BYTES = 1 << 10,
    CLASS_SMALL_COUNT = SMALL_BYTES / STEP_BYTES,
    CLASS_RECORD = CLASS_SMALL_COUNT, /* for a record's buffer, or a handshake's message */
    CLASS_COUNT,
    RECORD_LEAST = 8 << 10,
    RECORD_BYTES = 20 << 10, /* whole pages */
    SLAB_SHIFT = 16,         /* pieces of one slab are of one class */
    SLAB_BYTES = 1 << SLAB_SHIFT,
    SLAB_COUNT = 1 << 14,
};

/* Address space, not memory. */
#define REGION_BYTES ((size_t)SLAB_COUNT << SLAB_SHIFT)

struct piece {
    struct piece *next;
};

static char *region; /* NULL: there is none, and all is malloc's */
static atomic_uint slabs_used;
static uint8_t class_of_slab[SLAB_COUNT];

/* Of this thread. */
static _Thread_local struct piece *free_pieces[CLASS_COUNT];
static _Thread_local char *fresh[CLASS_COUNT], *fresh_end[CLASS_COUNT];
static _Thread_local bool known;

/* What threads that have ended left. */
static struct piece *left_pieces[CLASS_COUNT];
static pthread_mutex_t left_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t thread_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static size_t class_bytes(unsigned class)
{
    return class == CLASS_RECORD ? RECORD_BYTES : (class + 1U) * STEP_BYTES;
}

/* CLASS_COUNT: malloc's. */
static unsigned class_of(size_t size)
{
    if (size <= SMALL_BYTES) {
        return (unsigned)((size - 1) / STEP_BYTES);
    }
    return size > RECORD_LEAST && size <= RECORD_BYTES ? (unsigned)CLASS_RECORD
                                                       : (unsigned)CLASS_COUNT;
}

static bool is_piece(const void *memory)
{
    return region != NULL && (uintptr_t)memory - (uintptr_t)region < REGION_BYTES;
}

static unsigned class_of_piece(const void *memory)
{
    return class_of_slab[((uintptr_t)memory - (uintptr_t)region) >> SLAB_SHIFT];
}

/* A thread's free pieces are its heirs'. */
static void leave_pieces(UNUSED void *self)
{
    (void)pthread_mutex_lock(&left_lock);
    for (unsigned class = 0; class < CLASS_COUNT; class ++) {
        struct piece *last = free_pieces[class];

        while (last != NULL && last->next != NULL) {
            last = last->next;
        }
        if (last != NULL) {
            last->next = left_pieces[class];
            left_pieces[class] = free_pieces[class];
            free_pieces[class] = NULL;
        }
    }
    (void)pthread_mutex_unlock(&left_lock);
}

/* The free ones of a class that threads left; NULL: none. */
static struct piece *take_left(unsigned class)
{
    struct piece *left;

    (void)pthread_mutex_lock(&left_lock);
    left = left_pieces[class];
    left_pieces[class] = NULL;
    (void)pthread_mutex_unlock(&left_lock);
    return left;
}

static bool take_slab(unsigned class)
{
    unsigned slab = atomic_fetch_add_explicit(&slabs_used, 1, memory_order_relaxed);

    if (slab >= SLAB_COUNT) {
        atomic_store_explicit(&slabs_used, SLAB_COUNT, memory_order_relaxed);
        return false;
    }
    class_of_slab[slab] = (uint8_t) class;
    fresh[class] = region + ((size_t)slab << SLAB_SHIFT);
    fresh_end[class] = fresh[class] + SLAB_BYTES / class_bytes(class) * class_bytes(class);
    return true;
}

/* No piece of the class is free here: an heir's, or one that was never used. NULL: the region is
 * full. */
static void *take_more(unsigned class)
{
    struct piece *left;
    char *piece;

    if (!known) {
        known = true;
        (void)pthread_setspecific(thread_end, &known);
    }
    if (fresh[class] == fresh_end[class]) {
        left = take_left(class);
        if (left != NULL) {
            free_pieces[class] = left->next;
            return left;
        }
        if (!take_slab(class)) {
            return NULL;
        }
    }
    piece = fresh[class];
    fresh[class] += class_bytes(class);
    return piece;
}

static void *library_malloc(size_t size, UNUSED const char *file, UNUSED int line)
{
    unsigned class;
    struct piece *piece;
    void *memory = NULL;

    if (size == 0) {
        return NULL;
    }
    class = class_of(size);
    if (class < CLASS_COUNT && region != NULL) {
        piece = free_pieces[class];
        if (piece != NULL) {
            free_pieces[class] = piece->next;
            return piece;
        }
        memory = take_more(class);
    }
    return memory != NULL ? memory : mem_resize(NULL, 1, size);
}

static void library_free(void *memory, UNUSED const char *file, UNUSED int line)
{
    struct piece *piece = memory;
    unsigned class;

    if (!is_piece(memory)) {
        mem_free(memory);
        return;
    }
    class = class_of_piece(memory);
    piece->next = free_pieces[class];
    free_pieces[class] = piece;
}

static void *library_realloc(void *old, size_t size, const char *file, int line)
{
    void *memory;
    size_t room;

    if (!is_piece(old)) {
        if (size == 0) {
            mem_free(old);
            return NULL;
        }
        return old == NULL ? library_malloc(size, file, line) : mem_resize(old, 1, size);
    }
    room = class_bytes(class_of_piece(old));
    if (size > 0 && size <= room && class_of(size) == class_of_piece(old)) {
        return old;
    }
    memory = library_malloc(size, file, line);
    if (memory != NULL) {
        memcpy(memory, old, size < room ? size : room);
    }
    library_free(old, file, line);
    return memory;
}

/* The sanitizers' own malloc sees more. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#    define SANITIZED true
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#        define SANITIZED true
#    endif
#endif
#ifndef SANITIZED
#    define SANITIZED false
#endif

static void take_over(void)
{
    void *memory;

    if (SANITIZED) {
        return;
    }
    memory = mmap(NULL, REGION_BYTES, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        return;
    }
    /* A huge page would be touched whole. */
    (void)madvise(memory, REGION_BYTES, MADV_NOHUGEPAGE);
    region = memory;
    if (pthread_key_create(&thread_end, leave_pieces) != 0 ||
        CRYPTO_set_mem_functions(library_malloc, library_realloc, library_free) != 1) {
        (void)munmap(memory, REGION_BYTES);
        region = NULL;
    }
}

void tls_memory_init(void)
{
    (void)pthread_once(&once, take_over);
}
