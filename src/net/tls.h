/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TLS 1.2 and 1.3 over a connected stream, by OpenSSL: the handshake, and what stream_read(),
 * stream_write() and stream_close() do once a stream has TLS on it.
 *
 * A context belongs to one thread: its trust, certificate and buffer serve all connections of that
 * thread, and nothing is shared with other threads but the trust store, which is read only. Between
 * calls a connection holds no buffer (OpenSSL releases its own when they are empty): what arrives
 * is received into the context's buffer and decrypted from there into the caller's at once, so
 * nothing that has come ever waits inside the library.
 *
 * A peer is whom a connection is to reach: the name to ask for and to verify, and the session that
 * the next connection to it may resume. It belongs to one thread as well.
 *
 * Life cycle: tls_context_new(), tls_peer_init(); per connection tls_start() on a stream whose
 * connect has begun, tls_handshake() whenever the loop says so until it is IO_DONE, then the
 * stream's own functions; stream_close() frees. OpenSSL allocates in a handshake: these are the
 * only allocations of a worker under load.
 *
 * An end without close_notify is an end (IO_EOF) with stream->unclean set: whether the body was
 * whole is then the business of who knows its length.
 */
#ifndef NET_TLS_H
#define NET_TLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "net/stream.h"

enum tls_version { TLS_VERSION_ANY, TLS_VERSION_1_2, TLS_VERSION_1_3 };

/* A read wants room for so many bytes. */
enum { TLS_READ_BYTES_MIN = 64 << 10, TLS_REASON_MAX = 256 };

struct tls_options {
    bool server;
    bool verify;            /* the other side must have a certificate that is trusted; of a server
                               its name must fit too */
    const char *cacert;     /* PEM file of who is trusted; NULL: whom this system trusts */
    const char *cert, *key; /* PEM files of the own certificate (chain) and key, or NULL; the key
                               may be in the first file */
    struct tls_cert *own;   /* instead of files, or NULL: see net/tls_cert.h */
    enum tls_version least, most;
    const char *ciphers; /* of TLS 1.2 and, as far as it names any, 1.3; NULL: the library's */
    bool resume;         /* sessions are resumed (client), tickets are given (server) */
    bool no_sni;         /* the name is not sent */
};

struct tls_context;

struct tls_counts {
    uint64_t handshakes, resumed; /* that were completed; of those with a session of before */
};

/* What a connection agreed on. Texts are empty when unknown. */
struct tls_facts {
    char version[16], cipher[64];          /* "TLSv1.3", "TLS_AES_256_GCM_SHA384" */
    char group[32];                        /* of the key exchange: "X25519" */
    int cipher_bits, group_bits, key_bits; /* key: of the peer's certificate; 0 when unknown */
    bool resumed;
};

struct tls_peer {
    char *name; /* host name or address literal */
    bool is_literal;
    void *session; /* to be resumed, or NULL */
};

/* like: a context of the same options whose trust store is used too, and whose tickets (server), or
 * NULL. ERR_USAGE with the file and what is wrong with it. */
struct tls_context *tls_context_new(const struct tls_options *options,
                                    const struct tls_context *like, struct err *err);
void tls_context_free(struct tls_context *context); /* accepts NULL; after its connections */
const struct tls_counts *tls_context_counts(const struct tls_context *context);
/* Why the last handshake or read of this context failed, for people; empty when none did. */
const char *tls_context_reason(const struct tls_context *context);

void tls_peer_init(struct tls_peer *peer, const char *name);
void tls_peer_fini(struct tls_peer *peer); /* accepts a zeroed one */

/* Lays TLS over the stream. A server has no peer. The context, and the peer, must outlive it. */
void tls_start(struct stream *stream, struct tls_context *context, struct tls_peer *peer);

/*
 * As far as it goes now. IO_WAIT: for the peer, or with stream->wants_write for room to send (also:
 * the connection does not stand yet). IO_FAIL: tls_context_reason() says why; stream->error is
 * the errno when the connection failed below, EPROTO otherwise.
 */
enum io tls_handshake(struct stream *stream);

/* After the handshake, the next write is preceded by the wish for other keys (RFC 8446 section
 * 4.6.3), or in TLS 1.2 for another handshake (RFC 5246 section 7.4.1.1): what makes the peer's
 * read send. False: the library does not want to. */
bool tls_renew(struct stream *stream);

/* After the handshake. */
void tls_facts(const struct stream *stream, struct tls_facts *ret_facts);

/* For net/stream alone. The buffer takes at least TLS_READ_BYTES_MIN. */
struct stream_read tls_read(struct stream *stream, void *buffer, size_t max);
enum io tls_write(struct stream *stream, struct str bytes, size_t *ret_n);
bool tls_over(const struct stream *stream);
/* notify: the peer is told, if it has not said so itself. */
void tls_end(struct stream *stream, bool notify);

#endif
