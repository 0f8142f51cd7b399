/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the person's terminal can show, as far as the environment says.
 */
#ifndef REPORT_LOCALE_H
#define REPORT_LOCALE_H

#include <stdbool.h>

/* By the first of LC_ALL, LC_CTYPE and LANG that is set and not empty. */
bool locale_is_utf8(void);
/* Columns of the terminal behind fd: COLUMNS, else what the terminal says, else 0. */
unsigned locale_columns(int fd);

#endif
