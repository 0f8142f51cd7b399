/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Base64 as RFC 4648 section 4 has it: the usual alphabet, padded, no line breaks.
 */
#ifndef BASE_BASE64_H
#define BASE_BASE64_H

#include "base/buf.h"
#include "base/str.h"

/* Appends the text form of the bytes. */
void base64_encode(struct str bytes, struct buf *buf);

#endif
