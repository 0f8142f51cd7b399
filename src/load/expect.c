/* SPDX-License-Identifier: Apache-2.0 */
#include "load/expect.h"

#include <stdio.h>

#include "base/mem.h"

enum { SHOWN_BYTES_MAX = 60 };

void expect_init(struct expect *expect, const struct plan *plan)
{
    *expect = (struct expect){
        .statuses = &plan->expect_status,
        .of_body = plan->expect_length >= 0 || plan->expect_body != NULL,
        .length = plan->expect_length,
    };
    needle_init(&expect->text, str_of(plan->expect_body));
}

void expect_fini(struct expect *expect)
{
    needle_fini(&expect->text);
}

/* What was written, if it is encoded or not. */
static void take_plain(struct body_sink *sink, struct str bytes)
{
    struct expect_look *look =
        (struct expect_look *)((char *)sink - offsetof(struct expect_look, plain));

    needle_look(look->text, &look->search, bytes);
}

/* The head has come: it says how the body is encoded. */
static void begin_body(struct expect_look *look)
{
    struct str rest = h1_final_head(*look->heads), coding;

    look->begun = true;
    while (h1_head_next(&rest, STR("content-encoding"), &coding)) {
        if (look->decode == NULL) {
            look->decode = mem_new(1, sizeof(*look->decode));
        }
        if (!look->encoded) {
            decode_begin(look->decode, &look->plain, EXPECT_DECODED_MAX);
        }
        look->encoded = true;
        decode_coding(look->decode, coding);
    }
}

static void take(struct body_sink *sink, struct str bytes)
{
    struct expect_look *look = (struct expect_look *)sink;
    struct body_sink *next = &look->plain;

    if (!look->begun) {
        begin_body(look);
    }
    if (look->encoded) {
        next = &look->decode->sink;
    }
    next->take(next, bytes);
}

void expect_watch(const struct expect *expect, struct expect_look *look, const struct str *heads,
                  struct exchange *exchange)
{
    *look = (struct expect_look){ .sink = { take },
                                  .plain = { take_plain },
                                  .text = &expect->text,
                                  .heads = heads,
                                  .decode = look->decode };
    exchange->sink = &look->sink;
}

void expect_look_fini(struct expect_look *look)
{
    if (look->decode != NULL) {
        decode_fini(look->decode);
        mem_free(look->decode);
        look->decode = NULL;
    }
}

uint64_t expect_decoded(const struct expect_look *look, const struct h1_parse *answer)
{
    return look->encoded ? look->decode->bytes_out : answer->body_bytes;
}

static bool length_holds(const struct expect *expect, const struct h1_parse *answer)
{
    return expect->length < 0 || answer->body_bytes == (uint64_t)expect->length;
}

enum fail expect_judge_body(const struct expect *expect, const struct expect_look *look,
                            const struct h1_parse *answer)
{
    enum decode_end end = look->encoded ? decode_finish(look->decode) : DECODE_OK;

    if (end == DECODE_TRUNCATED) {
        return FAIL_TRUNCATED;
    }
    if (!length_holds(expect, answer) || end != DECODE_OK) {
        return FAIL_CHECK;
    }
    return expect->text.text.len == 0 || look->search.found ? FAIL_NONE : FAIL_CHECK;
}

/* Not more of the text than a line takes, and no part of a letter. */
static struct str shown(struct str text)
{
    if (text.len > SHOWN_BYTES_MAX) {
        text.len = SHOWN_BYTES_MAX;
        while (text.len > 0 && ((unsigned char)text.p[text.len] & 0xc0) == 0x80) {
            text.len--;
        }
    }
    return text;
}

void expect_explain(const struct expect *expect, const struct expect_look *look,
                    const struct h1_parse *answer, char *text, size_t size)
{
    struct str part = shown(expect->text.text);

    if (!length_holds(expect, answer)) {
        (void)snprintf(text, size, "%llu body bytes, not %lld",
                       (unsigned long long)answer->body_bytes, (long long)expect->length);
        return;
    }
    if (look->encoded && decode_finish(look->decode) != DECODE_OK) {
        (void)snprintf(text, size, "%s", decode_end_text(decode_finish(look->decode)));
        return;
    }
    (void)snprintf(text, size, "'%.*s'%s is not in the body of %llu bytes", STR_ARG(part),
                   part.len < expect->text.text.len ? "..." : "",
                   (unsigned long long)answer->body_bytes);
}
