/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a request knows the name and the password that a fault asks for: Basic (RFC 7617) and
 * Digest (RFC 7616, quality of protection "auth", or none). The nonce is always the same one, so
 * that a client may use it as often as it likes.
 */
#ifndef TARGET_FAULT_AUTH_H
#define TARGET_FAULT_AUTH_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/str.h"

struct fault_auth {
    struct str method, target;            /* of the request */
    struct str user, password, algorithm; /* as in the query, percent-encoded */
};

/* Appends what the percent-encoded text means; what is no code stays as it is. */
void fault_auth_decode(struct str text, struct buf *out);
/* Appends the value of WWW-Authenticate: "Digest realm=...". */
void fault_auth_challenge(struct str algorithm, struct buf *out);

/* authorization: the header's value, or empty. */
bool fault_auth_basic(const struct fault_auth *auth, struct str authorization);
bool fault_auth_digest(const struct fault_auth *auth, struct str authorization);

#endif
