/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Digests of bytes, as lower-case hexadecimal text: MD5 and the two SHA-2 that HTTP's digest
 * authentication knows.
 *
 * Life cycle: digest_init(), digest_add() as often as needed, digest_end(), which begins anew;
 * digest_fini(). digest_text() does all of it for bytes that lie together. The algorithms are
 * looked up once in a process, by whichever thread comes first. OpenSSL keeps the state on the
 * heap: one struct digest used again and again allocates no more.
 */
#ifndef BASE_DIGEST_H
#define BASE_DIGEST_H

#include <stdbool.h>

#include "base/str.h"

enum digest_kind { DIGEST_MD5, DIGEST_SHA256, DIGEST_SHA512_256, DIGEST_KIND_COUNT };

/* The longest text, with its zero byte. */
enum { DIGEST_TEXT_MAX = 65 };

struct digest {
    enum digest_kind kind;
    void *state; /* OpenSSL's */
};

/* A machine may forbid MD5 (FIPS). What is not available must not be used. */
bool digest_available(enum digest_kind kind);

void digest_init(struct digest *digest, enum digest_kind kind);
void digest_fini(struct digest *digest); /* accepts a zeroed one */

void digest_add(struct digest *digest, struct str bytes);

/* Writes the text (DIGEST_TEXT_MAX bytes are enough) and returns it; the digest is empty again. */
const char *digest_end(struct digest *digest, char *text);

const char *digest_text(enum digest_kind kind, struct str bytes, char *text);

#endif
