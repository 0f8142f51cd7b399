/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "guard.h"
#include "http/decode.h"

#define PLAIN "hello hello hello hello, body\n"

/* PLAIN as Python's zlib and libbrotlienc have it; "gzip, br" and "gzip, br, deflate" of it, and
 * 100,000 zero bytes. */
#define GZIP_BYTES                                                                                 \
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\x48\xcd\xc9\xc9\x57\xc8\x40\x27\x75\x14\x92\xf2" \
    "\x53\x2a\xb9\x00\x8c\x77\x84\xf0\x1e\x00\x00\x00"
#define ZLIB_BYTES                                                                                 \
    "\x78\xda\xcb\x48\xcd\xc9\xc9\x57\xc8\x40\x27\x75\x14\x92\xf2\x53\x2a\xb9\x00\xac\x9c\x0a\xb5"
#define RAW_BYTES "\xcb\x48\xcd\xc9\xc9\x57\xc8\x40\x27\x75\x14\x92\xf2\x53\x2a\xb9\x00"
#define BR_BYTES                                                                                   \
    "\x13\x1d\x00\x00\x04\x1c\x72\x9e\xd0\xe7\x29\xb5\x3c\x2e\x07\x91\x45\x99\x3a\x3c\xa7\x1f\x35" \
    "\x59\x2f"
#define GZIP_BR_BYTES                                                                              \
    "\x03\x11\x80\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\x48\xcd\xc9\xc9\x57\xc8\x40\x27\x75" \
    "\x14\x92\xf2\x53\x2a\xb9\x00\x8c\x77\x84\xf0\x1e\x00\x00\x00\x03"
#define THREE_BYTES                                                                                \
    "\x78\xda\x63\x16\x6c\x90\xef\xe6\x60\x00\x01\x26\xe6\xd3\x1e\x67\x4f\x9e\x0c\x3f\xe1\xa0\x5e" \
    "\x2a\x32\xe9\x53\xb0\xd6\x4e\x86\x9e\xf2\x96\x0f\x72\x40\x29\x66\x00\xde\x76\x0c\x1f"
#define BOMB_BYTES                                                                                 \
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xed\xc1\x31\x01\x00\x00\x00\xc2\xa0\xf5\x4f\x6d\x0d" \
    "\x0f\xa0\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" \
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" \
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" \
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" \
    "\x00\x00\x00\x00\x00\x00\x80\x57\x03\x7d\x95\x11\xd4\xa0\x86\x01\x00"

#define BYTES(literal)                                                                             \
    {                                                                                              \
        (literal), sizeof(literal) - 1                                                             \
    }

/* Where the decoded bytes go. */
struct keep {
    struct body_sink sink;
    struct buf bytes;
};

static void keep_take(struct body_sink *sink, struct str bytes)
{
    assert_true(bytes.len > 0);
    buf_add_str(&((struct keep *)sink)->bytes, bytes);
}

static enum decode_end run(struct decode *decode, const char *coding, struct str in, size_t piece,
                           struct keep *keep)
{
    struct guard guard = guard_put(in);

    keep->sink.take = keep_take;
    buf_reset(&keep->bytes);
    decode_begin(decode, &keep->sink, 0);
    decode_coding(decode, str_of(coding));
    for (size_t at = 0; at < in.len; at += piece) {
        struct str part = str_from(guard.text, at);

        part.len = part.len < piece ? part.len : piece;
        decode->sink.take(&decode->sink, part);
    }
    guard_drop(&guard);
    assert_int_equal(decode->bytes_out, keep->bytes.len);
    return decode_finish(decode);
}

static void a_body_is_decoded_as_its_head_says(UNUSED void **state)
{
    static const struct {
        const char *coding;
        struct str in;
        const char *out;
        enum decode_end end;
        bool trailing;
    } rows[] = {
        { "", BYTES("as it is"), "as it is", DECODE_OK, false },
        { "identity", BYTES("as it is"), "as it is", DECODE_OK, false },
        { "gzip", BYTES(GZIP_BYTES), PLAIN, DECODE_OK, false },
        { "x-gzip", BYTES(GZIP_BYTES), PLAIN, DECODE_OK, false },
        { " GZip ,identity,", BYTES(GZIP_BYTES), PLAIN, DECODE_OK, false },
        { "br", BYTES(BR_BYTES), PLAIN, DECODE_OK, false },
        /* case 7: both forms of deflate, and gzip with rubbish behind it */
        { "deflate", BYTES(ZLIB_BYTES), PLAIN, DECODE_OK, false },
        { "deflate", BYTES(RAW_BYTES), PLAIN, DECODE_OK, false },
        { "gzip", BYTES(GZIP_BYTES "rubbish"), PLAIN, DECODE_OK, true },
        { "gzip", BYTES(GZIP_BYTES GZIP_BYTES), PLAIN PLAIN, DECODE_OK, false },
        { "gzip, br", BYTES(GZIP_BR_BYTES), PLAIN, DECODE_OK, false },
        { "gzip, br, deflate", BYTES(THREE_BYTES), PLAIN, DECODE_OK, false },
        { "gzip", BYTES(""), "", DECODE_OK, false },
        { "gzip, br", BYTES(""), "", DECODE_OK, false },
        /* faults */
        { "gzip", BYTES("\x1f\x8b\x08"), "", DECODE_TRUNCATED, false },
        { "gzip", BYTES("no gzip"), "", DECODE_CORRUPT, false },
        { "br, gzip", BYTES(GZIP_BR_BYTES), "", DECODE_CORRUPT, false },
        { "compress", BYTES("x"), "", DECODE_UNKNOWN, false },
        { "gzip, zstd", BYTES(GZIP_BYTES), "", DECODE_UNKNOWN, false },
        { "gzip br", BYTES(GZIP_BYTES), "", DECODE_UNKNOWN, false },
        { "gzip, gzip, gzip, gzip", BYTES(GZIP_BYTES), "", DECODE_UNKNOWN, false },
    };
    struct decode decode = { 0 };
    struct keep keep;

    buf_init(&keep.bytes, 1 << 20);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        for (size_t piece = 1; piece < 100; piece++) {
            enum decode_end end = run(&decode, rows[i].coding, rows[i].in, piece, &keep);

            if (end != rows[i].end || !str_eq(buf_str(&keep.bytes), str_of(rows[i].out))) {
                fail_msg("row %zu by %zu: %s", i, piece, decode_end_word(end));
            }
            assert_int_equal(decode_trailing(&decode), rows[i].trailing);
        }
    }
    decode_fini(&decode);
    decode_fini(&decode);
    buf_fini(&keep.bytes);
}

static void codings_may_come_in_several_headers(UNUSED void **state)
{
    struct decode decode = { 0 };
    struct str in = BYTES(GZIP_BR_BYTES);

    decode_begin(&decode, NULL, 0);
    assert_false(decode_needed(&decode));
    decode_coding(&decode, STR("gzip"));
    assert_true(decode_needed(&decode));
    decode_coding(&decode, STR("br"));
    decode.sink.take(&decode.sink, in);
    assert_int_equal(decode_finish(&decode), DECODE_OK);
    assert_int_equal(decode.bytes_out, sizeof(PLAIN) - 1);
    decode_fini(&decode);
}

static void a_cut_body_gives_what_there_was(UNUSED void **state)
{
    struct decode decode = { 0 };
    struct str in = BYTES(GZIP_BYTES);
    struct keep keep;

    buf_init(&keep.bytes, 1 << 20);
    in.len -= 8;
    assert_int_equal(run(&decode, "gzip", in, 5, &keep), DECODE_TRUNCATED);
    assert_string_equal(keep.bytes.data, PLAIN);
    decode_fini(&decode);
    buf_fini(&keep.bytes);
}

static void a_bomb_stops_at_the_limit(UNUSED void **state)
{
    static const struct {
        uint64_t limit;
        enum decode_end end;
        uint64_t bytes;
    } rows[] = {
        { 0, DECODE_OK, 200000 },
        { 200000, DECODE_OK, 200000 },
        { 199999, DECODE_TOO_LARGE, 199999 },
        { 1, DECODE_TOO_LARGE, 1 },
    };
    struct decode decode = { 0 };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct keep keep = { .sink.take = keep_take };
        struct str in = BYTES(BOMB_BYTES);

        buf_init(&keep.bytes, 1 << 20);
        decode_begin(&decode, &keep.sink, rows[i].limit);
        decode_coding(&decode, STR("gzip"));
        /* twice: two members */
        decode.sink.take(&decode.sink, in);
        decode.sink.take(&decode.sink, in);
        assert_int_equal(decode_finish(&decode), rows[i].end);
        assert_int_equal(keep.bytes.len, rows[i].bytes);
        buf_fini(&keep.bytes);
    }
    decode_begin(&decode, NULL, 4);
    decode.sink.take(&decode.sink, STR("12345"));
    assert_int_equal(decode_finish(&decode), DECODE_TOO_LARGE);
    assert_int_equal(decode.bytes_out, 4);
    decode_fini(&decode);
}

static void every_end_has_its_word(UNUSED void **state)
{
    assert_string_equal(decode_end_word(DECODE_TRUNCATED), "truncated");
    assert_string_equal(decode_end_word(DECODE_UNKNOWN), "unknown-coding");
    for (unsigned i = 0; i < DECODE_END_COUNT; i++) {
        assert_true(strlen(decode_end_text((enum decode_end)i)) > 6);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_is_decoded_as_its_head_says),
        cmocka_unit_test(codings_may_come_in_several_headers),
        cmocka_unit_test(a_cut_body_gives_what_there_was),
        cmocka_unit_test(a_bomb_stops_at_the_limit),
        cmocka_unit_test(every_end_has_its_word),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
