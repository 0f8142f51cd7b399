/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compressed bytes that arrive in pieces, made plain: gzip, deflate (RFC 1950 to 1952) and brotli
 * (RFC 7932), by zlib and libbrotlidec.
 *
 * Life cycle: inflate_begin() on a zeroed or used struct, inflate_feed() with whatever arrived,
 * inflate_finish() at its end; inflate_fini() frees the libraries' memory, which begin keeps where
 * it can. What comes out goes to a function slice by slice and is not kept: memory is about 45 KB
 * for gzip and deflate and at most 17 MB for brotli, by the window that the sender chose; nothing
 * before the first byte.
 *
 * Tolerated, since servers do it: "deflate" without the zlib header that it should have (told by
 * the first two bytes), several gzip members one behind the other, and rubbish behind the end,
 * which is flagged. No byte at all is an empty text.
 *
 * A few bytes can stand for gigabytes: how much is enough is decided by whoever takes the slices.
 */
#ifndef BASE_INFLATE_H
#define BASE_INFLATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

enum inflate_format { INFLATE_GZIP, INFLATE_DEFLATE, INFLATE_BROTLI };

enum inflate_end {
    INFLATE_OK,
    INFLATE_TRUNCATED, /* more should have come */
    INFLATE_CORRUPT,   /* not of the format, or a checksum is wrong */
    INFLATE_STOPPED,   /* the taker had enough */
};

/* A slice that is never empty and gone after the call; false when it was enough, and then nothing
 * more comes. */
typedef bool inflate_take(void *user, struct str bytes);

struct inflate {
    enum inflate_format format;
    uint64_t bytes_in, bytes_out; /* so far */
    bool trailing;                /* something came behind the end and was dropped */
    /* the state: the decoder's own business */
    uint8_t state, held;
    inflate_take *take;
    void *user;
    void *zlib, *brotli;
};

void inflate_begin(struct inflate *inflate, enum inflate_format format, inflate_take *take,
                   void *user);
void inflate_fini(struct inflate *inflate); /* accepts a zeroed one */

void inflate_feed(struct inflate *inflate, struct str in);

/* What it came to, if that was all. */
enum inflate_end inflate_finish(const struct inflate *inflate);

#endif
