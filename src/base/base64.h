/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Base64 as RFC 4648 section 4 has it: the usual alphabet, padded, no line breaks.
 */
#ifndef BASE_BASE64_H
#define BASE_BASE64_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/str.h"

/* Appends the text form of the bytes. */
void base64_encode(struct str bytes, struct buf *buf);
/* Appends the bytes of the text form, on failure perhaps some of them. false when it is not one:
 * another byte, no or wrong padding, bits behind the last byte. */
bool base64_decode(struct str text, struct buf *buf) MUST_CHECK;

#endif
