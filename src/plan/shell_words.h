/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pasted command line as the words that a shell would make of it. Opens and runs nothing.
 *
 * Two forms: a POSIX shell's with '...', "...", $'...' (with the escapes of bash), backslashes and
 * lines continued by one; and that of Windows' cmd, with ^ before what it would take for its own
 * and at the end of continued lines, which is known by its ^" or such an end. What a shell would
 * fill in or start ($VARIABLE, `command`, |, >, ;) is refused, for it is not known here.
 */
#ifndef PLAN_SHELL_WORDS_H
#define PLAN_SHELL_WORDS_H

#include "base/err.h"
#include "base/str.h"
#include "opt/opt_texts.h"

enum { SHELL_WORDS_BYTES_MAX = 16 << 20, SHELL_WORDS_COUNT_MAX = 10000 };

/* ERR_USAGE, without the words: there may be secrets in them. */
bool shell_words_split(struct str text, struct opt_texts *ret_words, struct err *err) MUST_CHECK;

#endif
