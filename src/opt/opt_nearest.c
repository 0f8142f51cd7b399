/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "opt/opt.h"

enum { NAME_MAX_LENGTH = 40 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Insertions, deletions, replacements and swapped neighbours, one row at a time. */
static size_t distance(struct str a, struct str b)
{
    size_t before[NAME_MAX_LENGTH + 1] = { 0 }, last[NAME_MAX_LENGTH + 1], now[NAME_MAX_LENGTH + 1];

    for (size_t j = 0; j <= b.len; j++) {
        last[j] = j;
    }
    for (size_t i = 1; i <= a.len; i++) {
        now[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            size_t replaced = last[j - 1] + (a.p[i - 1] != b.p[j - 1]);

            now[j] = least(replaced, least(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a.p[i - 1] == b.p[j - 2] && a.p[i - 2] == b.p[j - 1]) {
                now[j] = least(now[j], before[j - 2] + 1);
            }
        }
        memcpy(before, last, sizeof(before));
        memcpy(last, now, sizeof(last));
    }
    return last[b.len];
}

/* How far a name is from what was typed; a beginning of a name is near to it. */
static size_t remoteness(struct str typed, struct str name)
{
    if (name.len > NAME_MAX_LENGTH) {
        return SIZE_MAX;
    }
    if (typed.len >= 3 && str_starts(name, typed)) {
        return 0;
    }
    return distance(typed, name);
}

const char *opt_nearest(const struct opt_spec *spec, struct str name)
{
    /* A third of the letters may be wrong; more is another word. */
    size_t best = name.len / 3 + 1;
    const char *near = NULL;

    if (name.len < 2 || name.len > NAME_MAX_LENGTH) {
        return NULL;
    }
    for (size_t s = 0; s < spec->set_count; s++) {
        for (const struct opt *row = spec->sets[s].rows; row->name != NULL; row++) {
            struct str rest = str_of(row->aliases), alias = str_of(row->name);

            do {
                size_t far = remoteness(name, alias);

                if (far < best) {
                    best = far;
                    near = row->name;
                }
            } while (str_cut(&rest, ',', &alias));
        }
    }
    return near;
}
