/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"

bool err_set(struct err *err, enum err_kind kind, const char *format, ...)
{
    int code = errno;
    va_list args;

    err->kind = kind;
    err->errno_code = code;
    va_start(args, format);
    errno = code;
    (void)vsnprintf(err->text, sizeof(err->text), format, args);
    va_end(args);
    return false;
}

bool err_prefix(struct err *err, const char *format, ...)
{
    char text[ERR_TEXT_MAX];
    va_list args;
    size_t used;

    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    used = strlen(text);
    str_copy(text + used, sizeof(text) - used, STR(": "));
    used = strlen(text);
    str_copy(text + used, sizeof(text) - used, (struct str){ err->text, strlen(err->text) });
    memcpy(err->text, text, sizeof(text));
    return false;
}
