/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host names beyond ASCII (internationalised domain names): "münchen.example" as resolvers and
 * servers know it, "xn--mnchen-3ya.example". Text in, text out.
 *
 * Capital letters of the Latin, Greek, Cyrillic and Armenian alphabets become small ones, the wide
 * forms of ASCII become ASCII and the dots of East Asian writing dots (the part of UTS 46 that
 * people type); then each label beyond ASCII becomes its punycode (RFC 3492). Other letters are
 * taken as they are: this is no judge of what a registry would allow. What would silently name
 * another host is refused: letters followed by a mark of their own, which have a composed form, and
 * what cannot be seen.
 */
#ifndef HTTP_IDN_H
#define HTTP_IDN_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

/* Whether it holds a byte beyond ASCII. */
bool idn_needed(struct str host);

/* Appends the name in ASCII. Fails on what is not UTF-8 and on what is refused: ERR_USAGE. The
 * ASCII letters in it are not looked at. */
bool idn_encode(struct str host, struct buf *buf, struct err *err);

/* Whether the name, as a person types it, is that of the host, which is in ASCII. */
bool idn_same(struct str name, struct str host);

#endif
