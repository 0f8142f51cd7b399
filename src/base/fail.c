/* SPDX-License-Identifier: Apache-2.0 */
#include "base/fail.h"

struct fail_row {
    const char *word;
    const char *text;
    char side;
};

static const struct fail_row fail_rows[FAIL_COUNT + 1] = {
#define FAIL_ROW(name, word, side, text) [FAIL_##name] = { word, text, side },
    FAIL_LIST(FAIL_ROW)
#undef FAIL_ROW
        [FAIL_NONE] = { "none", "no failure", 'e' },
};

const char *fail_word(enum fail fail)
{
    return fail_rows[fail].word;
}

const char *fail_text(enum fail fail)
{
    return fail_rows[fail].text;
}

bool fail_is_local(enum fail fail)
{
    return fail_rows[fail].side == 'l';
}
