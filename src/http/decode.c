/* SPDX-License-Identifier: Apache-2.0 */
#include "http/decode.h"

#include <assert.h>

#include "base/err.h"

static const struct coding {
    const char *name;
    enum inflate_format format;
} codings[] = {
    { "gzip", INFLATE_GZIP },
    { "x-gzip", INFLATE_GZIP },
    { "deflate", INFLATE_DEFLATE },
    { "br", INFLATE_BROTLI },
};

/* To the next sink: false when that is more than wanted. */
static bool hand_on(struct decode *decode, struct str bytes)
{
    uint64_t left = decode->limit - decode->bytes_out;

    if (decode->limit > 0 && bytes.len > left) {
        decode->over_limit = true;
        bytes.len = (size_t)left;
    }
    decode->bytes_out += bytes.len;
    if (decode->next != NULL && bytes.len > 0) {
        decode->next->take(decode->next, bytes);
    }
    return !decode->over_limit;
}

static bool take_decoded(void *user, struct str bytes)
{
    struct decode_stage *stage = user;
    struct decode *decode = stage->decode;

    if (stage == decode->stages) {
        return hand_on(decode, bytes);
    }
    inflate_feed(&stage[-1].inflate, bytes);
    return !decode->over_limit;
}

static void take_encoded(struct body_sink *sink, struct str bytes)
{
    struct decode *decode = (struct decode *)sink;

    if (decode->unknown || decode->over_limit) {
        return;
    }
    if (decode->count == 0) {
        (void)hand_on(decode, bytes);
    } else {
        inflate_feed(&decode->stages[decode->count - 1].inflate, bytes);
    }
}

void decode_begin(struct decode *decode, struct body_sink *next, uint64_t limit_bytes)
{
    decode->sink.take = take_encoded;
    decode->next = next;
    decode->limit = limit_bytes;
    decode->bytes_out = 0;
    decode->unknown = false;
    decode->over_limit = false;
    decode->count = 0;
}

void decode_fini(struct decode *decode)
{
    for (size_t i = 0; i < DECODE_CODINGS_MAX; i++) {
        inflate_fini(&decode->stages[i].inflate);
    }
    *decode = (struct decode){ 0 };
}

static void add_coding(struct decode *decode, struct str name)
{
    size_t i = 0;

    while (i < COUNT_OF(codings) && !str_eq_nocase(name, str_of(codings[i].name))) {
        i++;
    }
    if (i == COUNT_OF(codings) || decode->count == DECODE_CODINGS_MAX) {
        decode->unknown = true;
        return;
    }
    decode->stages[decode->count].decode = decode;
    inflate_begin(&decode->stages[decode->count].inflate, codings[i].format, take_decoded,
                  &decode->stages[decode->count]);
    decode->count++;
}

void decode_coding(struct decode *decode, struct str value)
{
    struct str name;

    while (str_cut(&value, ',', &name)) {
        name = str_trim(name);
        if (name.len > 0 && !str_eq_nocase(name, STR("identity"))) {
            add_coding(decode, name);
        }
    }
}

enum decode_end decode_finish(const struct decode *decode)
{
    if (decode->unknown) {
        return DECODE_UNKNOWN;
    }
    if (decode->over_limit) {
        return DECODE_TOO_LARGE;
    }
    for (size_t i = decode->count; i > 0; i--) {
        switch (inflate_finish(&decode->stages[i - 1].inflate)) {
        case INFLATE_OK:
            break;
        case INFLATE_TRUNCATED:
            return DECODE_TRUNCATED;
        case INFLATE_CORRUPT:
            return DECODE_CORRUPT;
        case INFLATE_STOPPED:
            return DECODE_TOO_LARGE;
        }
    }
    return DECODE_OK;
}

bool decode_trailing(const struct decode *decode)
{
    for (size_t i = 0; i < decode->count; i++) {
        if (decode->stages[i].inflate.trailing) {
            return true;
        }
    }
    return false;
}

const char *decode_end_word(enum decode_end end)
{
    static const char *const words[] = {
#define DECODE_END_WORD(name, word, text) word,
        DECODE_END_LIST(DECODE_END_WORD)
#undef DECODE_END_WORD
    };
    static_assert(COUNT_OF(words) == DECODE_END_COUNT, "every end has its word");

    return words[end];
}

const char *decode_end_text(enum decode_end end)
{
    static const char *const texts[] = {
#define DECODE_END_TEXT(name, word, text) text,
        DECODE_END_LIST(DECODE_END_TEXT)
#undef DECODE_END_TEXT
    };
    static_assert(COUNT_OF(texts) == DECODE_END_COUNT, "every end has its text");

    return texts[end];
}
