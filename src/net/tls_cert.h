/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A certificate of one's own making, signed by itself: for `serve --tls` and for tests. P-256, with
 * the names it is to be good for.
 */
#ifndef NET_TLS_CERT_H
#define NET_TLS_CERT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

struct tls_cert;
struct ssl_ctx_st;

enum { TLS_CERT_SHA256_HEX = 65 };

struct tls_cert_options {
    const char *const *names; /* DNS names and address literals; the first is the subject too */
    size_t name_count;
    int64_t from_s, until_s; /* validity, in seconds of 1970 */
};

struct tls_cert *tls_cert_make(const struct tls_cert_options *options, struct err *err);
void tls_cert_free(struct tls_cert *cert); /* accepts NULL */

/* The certificate as PEM: what a client is given to trust (--cacert). */
void tls_cert_pem(const struct tls_cert *cert, struct buf *buf);
/* Its SHA-256 in hexadecimal, as `openssl x509 -fingerprint -sha256` has it without colons. */
void tls_cert_sha256(const struct tls_cert *cert, char hex[TLS_CERT_SHA256_HEX]);

/* For net/tls: makes it the context's own. */
bool tls_cert_use(const struct tls_cert *cert, struct ssl_ctx_st *ssl_context);

#endif
