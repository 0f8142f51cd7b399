/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Foreign bytes made fit for a terminal: what it would act on, and what is not UTF-8, becomes '?'.
 */
#ifndef CMD_PRINTABLE_H
#define CMD_PRINTABLE_H

#include "base/buf.h"
#include "base/str.h"

/* Line breaks and tabs stay; a carriage return before a line break goes. */
void printable_add(struct str text, struct buf *buf);
/* Line breaks and tabs become blanks: one line stays one. */
void printable_add_line(struct str text, struct buf *buf);

#endif
