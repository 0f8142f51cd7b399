/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Encoded bodies: however they are split, the same comes out and the same end. Of the first byte
 * the low three bits choose the coding and the others are a seed of the split.
 */
#include "base/digest.h"
#include "base/mem.h"
#include "base/rng.h"
#include "fuzz.h"
#include "http/decode.h"

enum { LIMIT_BYTES = 1 << 20 };

struct outcome {
    struct body_sink sink;
    enum decode_end end;
    bool trailing;
    uint64_t bytes;
    struct digest digest;
    char text[DIGEST_TEXT_MAX];
};

static void take(struct body_sink *sink, struct str bytes)
{
    struct outcome *outcome = (struct outcome *)sink;

    FUZZ_CHECK(bytes.len > 0);
    outcome->bytes += bytes.len;
    digest_add(&outcome->digest, bytes);
}

/* One piece in a block of its own, so that nothing behind it is readable. */
static void feed(struct decode *decode, struct str piece)
{
    char *copy = mem_resize(NULL, piece.len, 1);

    memcpy(copy, piece.p, piece.len);
    decode->sink.take(&decode->sink, (struct str){ copy, piece.len });
    mem_free(copy);
}

static void drive(struct decode *decode, const char *coding, struct str in, struct rng *rng,
                  struct outcome *outcome)
{
    *outcome = (struct outcome){ .sink.take = take };
    digest_init(&outcome->digest, DIGEST_MD5);
    decode_begin(decode, &outcome->sink, LIMIT_BYTES);
    decode_coding(decode, str_of(coding));
    while (in.len > 0) {
        size_t n = rng == NULL ? in.len : 1 + rng_u64(rng) % (rng_u64(rng) % 4 == 0 ? 64 : 5);

        n = n < in.len ? n : in.len;
        feed(decode, (struct str){ in.p, n });
        in = str_from(in, n);
    }
    outcome->end = decode_finish(decode);
    outcome->trailing = decode_trailing(decode);
    (void)digest_end(&outcome->digest, outcome->text);
    digest_fini(&outcome->digest);
    FUZZ_CHECK(outcome->bytes == decode->bytes_out && outcome->bytes <= LIMIT_BYTES);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const codings[] = {
        "gzip", "deflate",       "br", "gzip, br", "gzip, br, deflate", "identity",
        "zstd", "deflate, gzip",
    };
    uint8_t choice = fuzz_take_byte(&data, &size);
    struct str in = fuzz_text(data, size);
    struct decode decode = { 0 };
    struct outcome whole, pieces;
    struct rng rng;

    drive(&decode, codings[choice & 7], in, NULL, &whole);
    rng_init(&rng, choice >> 3, 1);
    /* The second round is on used decoders. */
    drive(&decode, codings[choice & 7], in, &rng, &pieces);
    FUZZ_CHECK(whole.end == pieces.end && whole.trailing == pieces.trailing);
    if (whole.end == DECODE_OK) {
        FUZZ_CHECK(whole.bytes == pieces.bytes && strcmp(whole.text, pieces.text) == 0);
    }
    decode_fini(&decode);
    return 0;
}
