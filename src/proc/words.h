/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of a text of /proc: what stands between blanks, tabs and ends of lines.
 */
#ifndef PROC_WORDS_H
#define PROC_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Takes the next word off *rest; false when there is none left. */
bool words_next(struct str *rest, struct str *ret_word);
/* The same, leaving out `count` words first. */
bool words_skip_next(struct str *rest, unsigned count, struct str *ret_word);
/* A next word that is a decimal number without a sign. */
bool words_next_u64(struct str *rest, uint64_t *ret_value);
/* Hexadecimal digits of either case, the whole word, at most 16. */
bool words_hex(struct str word, uint64_t *ret_value);

#endif
