/* SPDX-License-Identifier: Apache-2.0 */
#include "report/locale.h"

#include <stdlib.h>
#include <sys/ioctl.h>

#include "base/err.h"
#include "base/str.h"

bool locale_is_utf8(void)
{
    static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct str value = str_of(getenv(names[i]));

        if (value.len == 0) {
            continue;
        }
        for (size_t at = 0; at < value.len; at++) {
            struct str rest = str_from(value, at);

            if (str_starts_nocase(rest, STR("utf-8")) || str_starts_nocase(rest, STR("utf8"))) {
                return true;
            }
        }
        return false;
    }
    return false;
}

unsigned locale_columns(int fd)
{
    struct winsize size = { 0 };
    uint64_t columns;

    if (str_u64(str_of(getenv("COLUMNS")), &columns) && columns > 0 && columns < 10000) {
        return (unsigned)columns;
    }
    return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
