/* SPDX-License-Identifier: Apache-2.0 */
#include "base/inflate.h"

#include <brotli/decode.h>
#define ZLIB_CONST
#include <zlib.h>

#include "base/mem.h"

enum {
    OUT_BYTES = 16 << 10,
    PIECE_BYTES_MAX = 1 << 30, /* zlib counts in unsigned int */
    BITS_RAW = -MAX_WBITS,
    BITS_ZLIB = MAX_WBITS,
    BITS_GZIP = MAX_WBITS + 16,
};

enum state {
    STATE_START,
    STATE_START_HELD, /* one byte is held until the next one tells which kind of deflate it is */
    STATE_BODY,
    STATE_MEMBER_END,  /* behind a gzip member: another may follow */
    STATE_MEMBER_HELD, /* the first byte of a member, or of rubbish, is held */
    STATE_END,
    STATE_CORRUPT,
    STATE_STOPPED
};

static const unsigned char gzip_magic[] = { 0x1f, 0x8b };

static void *zlib_alloc(void *user, unsigned count, unsigned size)
{
    (void)user;
    return mem_resize(NULL, count, size);
}

static void *brotli_alloc(void *user, size_t size)
{
    (void)user;
    return mem_resize(NULL, size, 1);
}

static void library_free(void *user, void *memory)
{
    (void)user;
    mem_free(memory);
}

/* Where zlib's function is not hidden by a variable of its name. */
static int zlib_step(z_stream *zlib)
{
    return inflate(zlib, Z_NO_FLUSH);
}

static void zlib_begin(struct inflate *inflate, int bits)
{
    z_stream *zlib = inflate->zlib;
    int code;

    if (zlib == NULL) {
        zlib = mem_new(1, sizeof(*zlib));
        zlib->zalloc = zlib_alloc;
        zlib->zfree = library_free;
        inflate->zlib = zlib;
        code = inflateInit2(zlib, bits);
    } else {
        code = inflateReset2(zlib, bits);
    }
    inflate->state = code == Z_OK ? STATE_BODY : STATE_CORRUPT;
}

/* Brotli has no way to begin again. */
static void brotli_begin(struct inflate *inflate)
{
    BrotliDecoderDestroyInstance(inflate->brotli);
    inflate->brotli = BrotliDecoderCreateInstance(brotli_alloc, library_free, NULL);
    if (inflate->brotli == NULL) {
        mem_exhausted();
    }
    inflate->state = STATE_BODY;
}

static void give(struct inflate *inflate, const void *bytes, size_t n)
{
    if (n == 0) {
        return;
    }
    inflate->bytes_out += n;
    if (!inflate->take(inflate->user, (struct str){ bytes, n })) {
        inflate->state = STATE_STOPPED;
    }
}

/* The first bytes say what it is. */
static struct str start(struct inflate *inflate, struct str in)
{
    unsigned first = (unsigned char)in.p[0];

    switch (inflate->format) {
    case INFLATE_GZIP:
        zlib_begin(inflate, BITS_GZIP);
        return in;
    case INFLATE_BROTLI:
        brotli_begin(inflate);
        return in;
    case INFLATE_DEFLATE:
        break;
    }
    if ((first & 0x0f) != Z_DEFLATED || first >> 4 > MAX_WBITS - 8) {
        zlib_begin(inflate, BITS_RAW);
        return in;
    }
    inflate->held = (uint8_t)first;
    inflate->state = STATE_START_HELD;
    return str_from(in, 1);
}

static struct str body(struct inflate *inflate, struct str in);

/* The byte that was held goes first. */
static void release_held(struct inflate *inflate, int bits)
{
    char held = (char)inflate->held;

    zlib_begin(inflate, bits);
    (void)body(inflate, (struct str){ &held, 1 });
}

static struct str start_held(struct inflate *inflate, struct str in)
{
    unsigned header = inflate->held * 256U + (unsigned char)in.p[0];

    release_held(inflate, header % 31 == 0 ? BITS_ZLIB : BITS_RAW);
    return in;
}

static struct str zlib_body(struct inflate *inflate, struct str in)
{
    z_stream *zlib = inflate->zlib;
    unsigned char out[OUT_BYTES];
    size_t size = in.len < PIECE_BYTES_MAX ? in.len : PIECE_BYTES_MAX;
    int code = Z_OK;

    zlib->next_in = (const unsigned char *)in.p;
    zlib->avail_in = (unsigned)size;
    do {
        zlib->next_out = out;
        zlib->avail_out = sizeof(out);
        code = zlib_step(zlib);
        give(inflate, out, sizeof(out) - zlib->avail_out);
    } while (code == Z_OK && inflate->state == STATE_BODY &&
             (zlib->avail_in > 0 || zlib->avail_out == 0));
    if (inflate->state == STATE_STOPPED) {
        return in;
    }
    if (code == Z_STREAM_END) {
        inflate->state = inflate->format == INFLATE_GZIP ? STATE_MEMBER_END : STATE_END;
    } else if (code != Z_OK && code != Z_BUF_ERROR) {
        inflate->state = STATE_CORRUPT;
    }
    return str_from(in, size - zlib->avail_in);
}

static struct str brotli_body(struct inflate *inflate, struct str in)
{
    const uint8_t *next_in = (const uint8_t *)in.p;
    size_t left = in.len, no_room = 0;
    BrotliDecoderResult result;

    do {
        result =
            BrotliDecoderDecompressStream(inflate->brotli, &left, &next_in, &no_room, NULL, NULL);
        while (inflate->state == STATE_BODY && BrotliDecoderHasMoreOutput(inflate->brotli)) {
            size_t n = 0;
            const uint8_t *out = BrotliDecoderTakeOutput(inflate->brotli, &n);

            give(inflate, out, n);
        }
    } while (result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT && inflate->state == STATE_BODY);
    if (inflate->state == STATE_STOPPED) {
        return in;
    }
    if (result == BROTLI_DECODER_RESULT_SUCCESS) {
        inflate->state = STATE_END;
    } else if (result == BROTLI_DECODER_RESULT_ERROR) {
        inflate->state = STATE_CORRUPT;
    }
    return str_from(in, in.len - left);
}

static struct str body(struct inflate *inflate, struct str in)
{
    return inflate->format == INFLATE_BROTLI ? brotli_body(inflate, in) : zlib_body(inflate, in);
}

static struct str member_end(struct inflate *inflate, struct str in)
{
    bool begins = (unsigned char)in.p[0] == gzip_magic[0];

    inflate->held = gzip_magic[0];
    inflate->state = begins ? STATE_MEMBER_HELD : STATE_END;
    return str_from(in, begins);
}

static struct str member_held(struct inflate *inflate, struct str in)
{
    if ((unsigned char)in.p[0] == gzip_magic[1]) {
        release_held(inflate, BITS_GZIP);
    } else {
        inflate->state = STATE_END;
    }
    return in;
}

void inflate_begin(struct inflate *inflate, enum inflate_format format, inflate_take *take,
                   void *user)
{
    *inflate = (struct inflate){
        .format = format,
        .take = take,
        .user = user,
        .zlib = inflate->zlib,
        .brotli = inflate->brotli,
    };
}

void inflate_fini(struct inflate *inflate)
{
    if (inflate->zlib != NULL) {
        (void)inflateEnd(inflate->zlib);
        mem_free(inflate->zlib);
    }
    BrotliDecoderDestroyInstance(inflate->brotli);
    *inflate = (struct inflate){ 0 };
}

void inflate_feed(struct inflate *inflate, struct str in)
{
    inflate->bytes_in += in.len;
    while (in.len > 0) {
        switch ((enum state)inflate->state) {
        case STATE_START:
            in = start(inflate, in);
            break;
        case STATE_START_HELD:
            in = start_held(inflate, in);
            break;
        case STATE_BODY:
            in = body(inflate, in);
            break;
        case STATE_MEMBER_END:
            in = member_end(inflate, in);
            break;
        case STATE_MEMBER_HELD:
            in = member_held(inflate, in);
            break;
        case STATE_END:
            inflate->trailing = true;
            return;
        case STATE_CORRUPT:
        case STATE_STOPPED:
            return;
        }
    }
}

enum inflate_end inflate_finish(const struct inflate *inflate)
{
    switch ((enum state)inflate->state) {
    case STATE_START:
    case STATE_MEMBER_END:
    case STATE_MEMBER_HELD:
    case STATE_END:
        return INFLATE_OK;
    case STATE_START_HELD:
    case STATE_BODY:
        return INFLATE_TRUNCATED;
    case STATE_CORRUPT:
        return INFLATE_CORRUPT;
    case STATE_STOPPED:
        return INFLATE_STOPPED;
    }
    return INFLATE_CORRUPT;
}
