/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Digest authentication (RFC 7616): the challenges of an answer, and what to say to them.
 *
 * Life cycle: a zeroed struct; auth_digest_read() with the value of each WWW-Authenticate (or
 * Proxy-Authenticate) header of one answer, in order; when the state is AUTH_DIGEST_READY,
 * auth_digest_answer() for each request from then on. A new answer to be read, be it for a stale
 * nonce, begins with a zeroed struct again. Holds no heap and may be copied.
 *
 * Of several challenges the one with the strongest hash is kept, of equal ones the first:
 * SHA-512-256, SHA-256, MD5, each also as -sess. Quality of protection is "auth", or none at all
 * (RFC 2069); "auth-int" is not supported, since its hash would have to go over the body first.
 * Other schemes, unknown parameters and white space of any kind are passed over; a quoted string is
 * hashed as what it means, without its backslashes.
 */
#ifndef HTTP_AUTH_DIGEST_H
#define HTTP_AUTH_DIGEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

/* Longer ones are refused: AUTH_DIGEST_TOO_LONG. */
enum { AUTH_DIGEST_REALM_MAX = 256, AUTH_DIGEST_NONCE_MAX = 512, AUTH_DIGEST_OPAQUE_MAX = 256 };

/* What the headers read so far come to. When no challenge can be answered: why not the first. */
#define AUTH_DIGEST_LIST(X)                                                                        \
    X(ABSENT, "the server does not ask for digest authentication")                                 \
    X(UNREADABLE, "the digest challenge cannot be read")                                           \
    X(NO_NONCE, "the digest challenge has no nonce")                                               \
    X(TOO_LONG, "realm, nonce or opaque of the digest challenge are too long")                     \
    X(ALGORITHM, "the digest algorithm is none of MD5, SHA-256 and SHA-512-256")                   \
    X(QOP, "the server wants digests over bodies (auth-int), which are not supported")             \
    X(READY, "the digest challenge can be answered")

enum auth_digest_state {
#define AUTH_DIGEST_ENUM(name, text) AUTH_DIGEST_##name,
    AUTH_DIGEST_LIST(AUTH_DIGEST_ENUM)
#undef AUTH_DIGEST_ENUM
        AUTH_DIGEST_STATE_COUNT
};

struct auth_digest {
    uint8_t state;     /* enum auth_digest_state */
    bool basic;        /* Basic is offered, too */
    bool stale;        /* only the nonce was wrong: the name and the password need no doubt */
    bool with_qop;     /* else as RFC 2069 has it */
    bool userhash;     /* the name is sent as a hash */
    bool with_opaque;  /* there was one, maybe empty */
    uint8_t algorithm; /* a row of the file's table */
    bool named;        /* the challenge named its algorithm */
    char realm[AUTH_DIGEST_REALM_MAX + 1];
    char nonce[AUTH_DIGEST_NONCE_MAX + 1];
    char opaque[AUTH_DIGEST_OPAQUE_MAX + 1];
};

void auth_digest_read(struct auth_digest *auth, struct str value);

struct auth_digest_request {
    struct str method;
    struct str uri; /* as in the request line */
    struct str user, password;
    struct str cnonce; /* the client's own: any text without a quote or backslash, new at will */
    uint32_t nc;       /* how often the nonce was used, this request included; from 1 */
};

/* Appends the value of Authorization (or Proxy-Authorization). The state must be READY. */
void auth_digest_answer(const struct auth_digest *auth, const struct auth_digest_request *request,
                        struct buf *buf);

/* One sentence for people. */
const char *auth_digest_text(enum auth_digest_state state);

#endif
