/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/curl_word.h"

/* Whether the last letter of "-qc" is of an option whose value is the next word. */
static bool short_takes_next(const struct opt_spec *spec, const char *word)
{
    for (const char *at = word + 1; *at != '\0'; at++) {
        const struct opt *row = opt_find_letter(spec, *at, NULL);

        if (row != NULL && opt_takes_value(row)) {
            return at[1] == '\0';
        }
    }
    return false;
}

static bool takes_next(const struct opt_spec *spec, const char *word)
{
    struct str name = str_of(word);
    const struct opt *row;

    if (!str_starts(name, STR("--"))) {
        return short_takes_next(spec, word);
    }
    if (str_find(name, '=') < name.len) {
        return false;
    }
    row = opt_find(spec, str_from(name, 2), NULL);
    return row != NULL && opt_takes_value(row);
}

int curl_word_find(const struct opt_spec *spec, int first, int argc, char *const *argv)
{
    for (int i = first; i < argc; i++) {
        struct str word = str_of(argv[i]);

        if (word.len < 2 || word.p[0] != '-') {
            return str_eq(word, STR("curl")) ? i : -1;
        }
        if (str_eq(word, STR("--"))) {
            return -1;
        }
        i += takes_next(spec, argv[i]) ? 1 : 0;
    }
    return -1;
}
