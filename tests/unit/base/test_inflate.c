/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <brotli/encode.h>
#include <cmocka.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/inflate.h"
#include "base/mem.h"
#include "base/rng.h"

enum { PLAIN_BYTES = 200000, ENCODED_BYTES_MAX = 2 * PLAIN_BYTES };

/* What each way of encoding is called by its decoder. */
static const struct way {
    const char *name;
    enum inflate_format format;
    int zlib_bits; /* 0: brotli */
} ways[] = {
    { "gzip", INFLATE_GZIP, MAX_WBITS + 16 },
    { "zlib", INFLATE_DEFLATE, MAX_WBITS },
    { "zlib with a small window", INFLATE_DEFLATE, 9 },
    { "raw deflate", INFLATE_DEFLATE, -MAX_WBITS },
    { "brotli", INFLATE_BROTLI, 0 },
};

/* Half of it compresses, the other half does not. */
static struct str plain_text(char *bytes)
{
    struct rng rng;

    rng_init(&rng, 1, 1);
    for (size_t i = 0; i < PLAIN_BYTES; i++) {
        bytes[i] = (char)(i / 5000 % 2 == 0 ? "a line of text\n"[i % 15] : (char)rng_u64(&rng));
    }
    return (struct str){ bytes, PLAIN_BYTES };
}

static void encode(const struct way *way, struct str plain, struct buf *ret_buf)
{
    unsigned char *out = mem_new(ENCODED_BYTES_MAX, 1);
    size_t size = ENCODED_BYTES_MAX;
    z_stream zlib = { 0 };

    if (way->zlib_bits == 0) {
        assert_true(BrotliEncoderCompress(5, 20, BROTLI_MODE_GENERIC, plain.len,
                                          (const uint8_t *)plain.p, &size, out));
    } else {
        assert_int_equal(deflateInit2(&zlib, 6, Z_DEFLATED, way->zlib_bits, 8, Z_DEFAULT_STRATEGY),
                         Z_OK);
        zlib.next_in = (Bytef *)(uintptr_t)plain.p;
        zlib.avail_in = (unsigned)plain.len;
        zlib.next_out = out;
        zlib.avail_out = ENCODED_BYTES_MAX;
        assert_int_equal(deflate(&zlib, Z_FINISH), Z_STREAM_END);
        size = ENCODED_BYTES_MAX - zlib.avail_out;
        (void)deflateEnd(&zlib);
    }
    buf_add(ret_buf, out, size);
    mem_free(out);
}

static bool collect(void *user, struct str bytes)
{
    assert_true(bytes.len > 0);
    buf_add_str(user, bytes);
    return true;
}

/* In pieces of so many bytes, each in memory of its own size. */
static void feed(struct inflate *inflate, struct str in, size_t piece)
{
    for (size_t at = 0; at < in.len; at += piece) {
        size_t n = in.len - at < piece ? in.len - at : piece;
        char *copy = mem_resize(NULL, n, 1);

        memcpy(copy, in.p + at, n);
        inflate_feed(inflate, (struct str){ copy, n });
        mem_free(copy);
    }
}

static void assert_decodes(struct inflate *inflate, enum inflate_format format, struct str in,
                           struct str plain, enum inflate_end end)
{
    static const size_t pieces[] = { 1, 2, 3, 7, 1000, 65536, SIZE_MAX / 2 };

    for (size_t i = 0; i < COUNT_OF(pieces); i++) {
        struct buf out;

        buf_init(&out, 4 * PLAIN_BYTES);
        inflate_begin(inflate, format, collect, &out);
        feed(inflate, in, pieces[i]);
        assert_int_equal(inflate_finish(inflate), end);
        assert_true(str_eq(buf_str(&out), plain));
        assert_int_equal(inflate->bytes_in, in.len);
        assert_int_equal(inflate->bytes_out, plain.len);
        buf_fini(&out);
    }
}

static void what_was_encoded_comes_out_however_it_is_split(UNUSED void **state)
{
    char *bytes = mem_new(PLAIN_BYTES, 1);
    struct str plain = plain_text(bytes);
    struct inflate inflate = { 0 };

    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        struct buf encoded;

        buf_init(&encoded, ENCODED_BYTES_MAX);
        encode(&ways[i], plain, &encoded);
        assert_decodes(&inflate, ways[i].format, buf_str(&encoded), plain, INFLATE_OK);
        assert_false(inflate.trailing);
        buf_fini(&encoded);
    }
    inflate_fini(&inflate);
    inflate_fini(&inflate);
    mem_free(bytes);
}

static void whatever_is_cut_off_is_missed(UNUSED void **state)
{
    struct str plain = STR("a text, and a text, and a text that is longer");
    struct inflate inflate = { 0 };

    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        struct buf encoded;

        buf_init(&encoded, ENCODED_BYTES_MAX);
        encode(&ways[i], plain, &encoded);
        for (size_t n = 0; n < encoded.len; n++) {
            struct buf out;

            buf_init(&out, PLAIN_BYTES);
            inflate_begin(&inflate, ways[i].format, collect, &out);
            feed(&inflate, (struct str){ encoded.data, n }, 1);
            assert_int_equal(inflate_finish(&inflate), n == 0 ? INFLATE_OK : INFLATE_TRUNCATED);
            assert_true(str_starts(plain, buf_str(&out)));
            buf_fini(&out);
        }
        buf_fini(&encoded);
    }
    inflate_fini(&inflate);
}

static void rubbish_behind_the_end_is_flagged(UNUSED void **state)
{
    static const struct str tails[] = {
        { "\0\0", 2 }, { "\x1f", 1 }, { "\x1f\x8a", 2 }, { "x", 1 }
    };
    struct str plain = STR("a text");
    struct inflate inflate = { 0 };

    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        for (size_t j = 0; j < COUNT_OF(tails); j++) {
            struct buf encoded;
            /* One byte that could begin a member is not yet rubbish. */
            bool half =
                ways[i].format == INFLATE_GZIP && tails[j].len == 1 && tails[j].p[0] == '\x1f';

            buf_init(&encoded, ENCODED_BYTES_MAX);
            encode(&ways[i], plain, &encoded);
            buf_add_str(&encoded, tails[j]);
            assert_decodes(&inflate, ways[i].format, buf_str(&encoded), plain, INFLATE_OK);
            assert_int_equal(inflate.trailing, !half);
            buf_fini(&encoded);
        }
    }
    inflate_fini(&inflate);
}

static void gzip_members_follow_one_another(UNUSED void **state)
{
    struct inflate inflate = { 0 };
    struct buf encoded;

    buf_init(&encoded, ENCODED_BYTES_MAX);
    encode(&ways[0], STR("one, "), &encoded);
    encode(&ways[0], STR(""), &encoded);
    encode(&ways[0], STR("two"), &encoded);
    assert_decodes(&inflate, INFLATE_GZIP, buf_str(&encoded), STR("one, two"), INFLATE_OK);
    assert_false(inflate.trailing);
    encoded.len -= 3;
    assert_decodes(&inflate, INFLATE_GZIP, buf_str(&encoded), STR("one, two"), INFLATE_TRUNCATED);
    buf_fini(&encoded);
    inflate_fini(&inflate);
}

static void a_wrong_checksum_is_seen(UNUSED void **state)
{
    struct inflate inflate = { 0 };

    /* gzip ends with checksum and length, zlib with the checksum. */
    for (size_t i = 0; i < 3; i++) {
        struct buf encoded;

        buf_init(&encoded, ENCODED_BYTES_MAX);
        encode(&ways[i], STR("a text"), &encoded);
        encoded.data[encoded.len - 4] ^= 1;
        assert_decodes(&inflate, ways[i].format, buf_str(&encoded), STR("a text"), INFLATE_CORRUPT);
        buf_fini(&encoded);
    }
    inflate_fini(&inflate);
}

static void what_is_not_of_the_format_is_corrupt(UNUSED void **state)
{
    static const struct {
        enum inflate_format format;
        struct str in;
    } rows[] = {
        { INFLATE_GZIP, { "plain text", 10 } },
        { INFLATE_GZIP, { "\x1f\x8b\x07\x00", 4 } },
        { INFLATE_DEFLATE, { "plain text, as some servers do it", 33 } },
        { INFLATE_DEFLATE, { "\x78\xbb", 2 } }, /* a dictionary that nobody has */
        { INFLATE_DEFLATE, { "\x07", 1 } },
        { INFLATE_BROTLI, { "\xff\xff\xff\xff\xff\xff", 6 } },
    };
    struct inflate inflate = { 0 };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct buf out;

        buf_init(&out, PLAIN_BYTES);
        inflate_begin(&inflate, rows[i].format, collect, &out);
        feed(&inflate, rows[i].in, 1);
        if (i == 3) {
            /* zlib asks for the dictionary behind its number. */
            feed(&inflate, STR("\1\2\3\4"), 1);
        }
        if (inflate_finish(&inflate) != INFLATE_CORRUPT) {
            fail_msg("row %zu", i);
        }
        buf_fini(&out);
    }
    inflate_fini(&inflate);
}

static bool enough(void *user, struct str bytes)
{
    *(size_t *)user += bytes.len;
    return *(size_t *)user < 50000;
}

static void a_taker_that_had_enough_gets_no_more(UNUSED void **state)
{
    static char zeros[PLAIN_BYTES];
    struct inflate inflate = { 0 };

    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        struct buf encoded;
        size_t taken = 0, then;

        buf_init(&encoded, ENCODED_BYTES_MAX);
        encode(&ways[i], (struct str){ zeros, sizeof(zeros) }, &encoded);
        inflate_begin(&inflate, ways[i].format, enough, &taken);
        inflate_feed(&inflate, buf_str(&encoded));
        assert_int_equal(inflate_finish(&inflate), INFLATE_STOPPED);
        assert_true(taken >= 50000);
        then = taken;
        inflate_feed(&inflate, buf_str(&encoded));
        assert_int_equal(taken, then);
        buf_fini(&encoded);
    }
    inflate_fini(&inflate);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_encoded_comes_out_however_it_is_split),
        cmocka_unit_test(whatever_is_cut_off_is_missed),
        cmocka_unit_test(rubbish_behind_the_end_is_flagged),
        cmocka_unit_test(gzip_members_follow_one_another),
        cmocka_unit_test(a_wrong_checksum_is_seen),
        cmocka_unit_test(what_is_not_of_the_format_is_corrupt),
        cmocka_unit_test(a_taker_that_had_enough_gets_no_more),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
