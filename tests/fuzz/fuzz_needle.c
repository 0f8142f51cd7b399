/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The search in pieces: however the text is cut, the answer is that of a search over the whole. The
 * first byte is the needle's length, the second a seed of the cuts; of both texts one bit a byte
 * is kept when the seed is odd, so that matches and near misses are frequent.
 */
#include "base/mem.h"
#include "base/rng.h"
#include "fuzz.h"
#include "http/needle.h"

static void check_cuts(const struct needle *needle, struct str text, uint8_t seed)
{
    bool whole = memmem(text.p, text.len, needle->text.p, needle->text.len) != NULL;

    for (uint64_t round = 0; round < 4; round++) {
        struct needle_search search = { 0 };
        struct str rest = text;
        struct rng rng;

        rng_init(&rng, seed, round);
        while (rest.len > 0) {
            size_t most = round == 0 ? rest.len : 1 + rng_u64(&rng) % (round * needle->text.len);
            struct str piece = { rest.p, most < rest.len ? most : rest.len };
            char *tight = mem_resize(mem_strndup(piece.p, piece.len), piece.len, 1);

            needle_look(needle, &search, (struct str){ tight, piece.len });
            mem_free(tight);
            rest = str_from(rest, piece.len);
        }
        FUZZ_CHECK(search.found == whole);
        FUZZ_CHECK(search.found || search.matched < needle->text.len);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t length = fuzz_take_byte(&data, &size);
    uint8_t seed = fuzz_take_byte(&data, &size);
    char *bytes = mem_strndup((const char *)data, size);
    struct needle needle;

    length = length < size ? length : size;
    for (size_t i = 0; i < size && (seed & 1) != 0; i++) {
        bytes[i] &= 1;
    }
    if (length > 0) {
        needle_init(&needle, (struct str){ bytes, length });
        for (size_t i = 0; i < length; i++) {
            FUZZ_CHECK(needle.borders[i] <= i);
        }
        check_cuts(&needle, (struct str){ bytes + length, size - length }, seed);
        needle_fini(&needle);
    }
    mem_free(bytes);
    return 0;
}
