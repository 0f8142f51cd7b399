/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes of a head, many at a time. Sixteen are looked at with SSE2 where it is there, and as two
 * words of eight elsewhere; both give the same bits, the lowest for the first byte.
 */
#ifndef HTTP_H1_SCAN_H
#define HTTP_H1_SCAN_H

#include <endian.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#    include <emmintrin.h>
#endif

#include "http/h1_state.h"

enum { SCAN_BYTES = 16 };

#define EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

static inline uint64_t h1_load8(const unsigned char *p)
{
    uint64_t word;

    memcpy(&word, p, sizeof(word));
    return le64toh(word);
}

/* One bit for the top bit of each of eight bytes, the others being zero. */
static inline unsigned h1_pack(uint64_t tops)
{
    return (unsigned)((tops >> 7) * UINT64_C(0x0102040810204080) >> 56);
}

static inline unsigned h1_odd_bits_of_word(uint64_t word)
{
    uint64_t low = word & EACH_BYTE(0x7f);
    uint64_t from_20 = low + EACH_BYTE(0x60), is_7f = low + EACH_BYTE(0x01);

    return h1_pack((~from_20 | is_7f | word) & EACH_BYTE(0x80));
}

static inline unsigned h1_colon_bits_of_word(uint64_t word)
{
    uint64_t other = word ^ EACH_BYTE(':');

    return h1_pack(~(((other & EACH_BYTE(0x7f)) + EACH_BYTE(0x7f)) | other) & EACH_BYTE(0x80));
}

static inline unsigned h1_odd_bits_of_words(const unsigned char *p)
{
    return h1_odd_bits_of_word(h1_load8(p)) | h1_odd_bits_of_word(h1_load8(p + 8)) << 8;
}

static inline unsigned h1_colon_bits_of_words(const unsigned char *p)
{
    return h1_colon_bits_of_word(h1_load8(p)) | h1_colon_bits_of_word(h1_load8(p + 8)) << 8;
}

/* Which of sixteen bytes are not printable ASCII: controls, tabs, 0x7f and all from 0x80 on; and in
 * *ret_colons which are colons. */
static inline unsigned h1_odd_bits(const unsigned char *p, unsigned *ret_colons)
{
#ifdef __SSE2__
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)p);
    /* As signed numbers the odd ones, one added, are those below 0x21: the sign of a difference
     * that does not wrap. */
    __m128i sign = _mm_subs_epi8(_mm_add_epi8(bytes, _mm_set1_epi8(1)), _mm_set1_epi8(0x21));

    *ret_colons = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(':')));
    return (unsigned)_mm_movemask_epi8(sign);
#else
    *ret_colons = h1_colon_bits_of_words(p);
    return h1_odd_bits_of_words(p);
#endif
}

/* The first control byte, tabs left out, or end. */
static inline const unsigned char *h1_find_control(const unsigned char *p, const unsigned char *end)
{
    while (end - p >= SCAN_BYTES) {
        unsigned colons, odd = h1_odd_bits(p, &colons);

        if (odd == 0) {
            p += SCAN_BYTES;
            continue;
        }
        p += __builtin_ctz(odd);
        if (is_control(*p)) {
            return p;
        }
        p++;
    }
    while (p < end && !is_control(*p)) {
        p++;
    }
    return p;
}

static inline bool h1_is_crlf(const unsigned char *p)
{
    uint16_t two;

    memcpy(&two, p, sizeof(two));
    return two == htole16(0x0a0d);
}

/* Whether eight bytes are these (in lower case), letters in any case. Letters alone have bit 0x40
 * set among the bytes used here, and their case is bit 0x20. */
static inline bool h1_same8(const unsigned char *p, const char *want)
{
    uint64_t word = h1_load8((const unsigned char *)want);

    return ((h1_load8(p) ^ word) & ~((word & EACH_BYTE(0x40)) >> 1)) == 0;
}

#endif
