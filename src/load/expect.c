/* SPDX-License-Identifier: Apache-2.0 */
#include "load/expect.h"

#include <stdio.h>

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

static void take(struct body_sink *sink, struct str bytes)
{
    struct expect_look *look = (struct expect_look *)sink;

    needle_look(look->text, &look->search, bytes);
}

void expect_watch(const struct expect *expect, struct expect_look *look, struct exchange *exchange)
{
    *look = (struct expect_look){ .sink = { take }, .text = &expect->text };
    exchange->sink = &look->sink;
}

static bool length_holds(const struct expect *expect, const struct h1_parse *answer)
{
    return expect->length < 0 || answer->body_bytes == (uint64_t)expect->length;
}

enum fail expect_judge_body(const struct expect *expect, const struct expect_look *look,
                            const struct h1_parse *answer)
{
    if (!length_holds(expect, answer)) {
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

void expect_explain(const struct expect *expect, const struct h1_parse *answer, char *text,
                    size_t size)
{
    struct str part = shown(expect->text.text);

    if (!length_holds(expect, answer)) {
        (void)snprintf(text, size, "%llu body bytes, not %lld",
                       (unsigned long long)answer->body_bytes, (long long)expect->length);
        return;
    }
    (void)snprintf(text, size, "'%.*s'%s is not in the body of %llu bytes", STR_ARG(part),
                   part.len < expect->text.text.len ? "..." : "",
                   (unsigned long long)answer->body_bytes);
}
