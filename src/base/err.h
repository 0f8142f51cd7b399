/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What went wrong on the control plane, ready to print.
 *
 * Functions that can fail return bool and fill a struct err; ret_ arguments are untouched then. The
 * text is one line in lower case without a full stop that says what, where and why, and what to do
 * about it when that is known. Only cmd prints it. On the data plane there is enum fail instead.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>

#define MUST_CHECK                      __attribute__((warn_unused_result))
#define UNUSED                          __attribute__((unused))
#define PRINTF_LIKE(fmt_arg, first_arg) __attribute__((format(printf, fmt_arg, first_arg)))
#define COUNT_OF(array)                 (sizeof(array) / sizeof((array)[0]))

/* What a caller can act on. */
enum err_kind {
    ERR_USAGE,   /* the user asked for something impossible: exit 2 */
    ERR_SYSTEM,  /* the operating system refused */
    ERR_PEER,    /* the server did not play along: exit 3 */
    ERR_CORRUPT, /* a file or message is not what it should be */
    ERR_LIMIT,   /* something is larger than its limit */
};

enum { ERR_TEXT_MAX = 1024 };

struct err {
    enum err_kind kind;
    int errno_code; /* 0 when no system call was involved */
    char text[ERR_TEXT_MAX];
};

/* Fills *err; "%m" in the format prints the current errno. Always returns false, so that
 * `return err_set(...)` reads as one thought. */
bool err_set(struct err *err, enum err_kind kind, const char *format, ...) PRINTF_LIKE(3, 4);

/* Puts "prefix: " before the text, for the caller that knows where it happened. Returns false. */
bool err_prefix(struct err *err, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
