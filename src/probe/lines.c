/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/lines.h"

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

bool lines_open(struct lines *lines, const char *path)
{
    lines->start = lines->end = 0;
    lines->fd = open(path, O_RDONLY | O_CLOEXEC);
    return lines->fd >= 0;
}

static bool read_more(struct lines *lines)
{
    size_t kept = lines->end - lines->start;
    ssize_t n;

    memmove(lines->memory, lines->memory + lines->start, kept);
    lines->start = 0;
    lines->end = kept;
    n = read(lines->fd, lines->memory + kept, sizeof(lines->memory) - kept);
    if (n <= 0) {
        return false;
    }
    lines->end += (size_t)n;
    return true;
}

bool lines_next(struct lines *lines, struct str *ret_line)
{
    for (;;) {
        struct str kept = { lines->memory + lines->start, lines->end - lines->start };
        size_t length = str_find(kept, '\n');

        if (length < kept.len) {
            *ret_line = (struct str){ kept.p, length };
            lines->start += length + 1;
            return true;
        }
        if (kept.len < sizeof(lines->memory) && read_more(lines)) {
            continue;
        }
        *ret_line = kept;
        lines->start = lines->end;
        return kept.len > 0;
    }
}

void lines_close(struct lines *lines)
{
    if (lines->fd >= 0) {
        (void)close(lines->fd);
    }
    lines->fd = -1;
}
