/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of TLS, shared by its files alone: tls_context.c sets a thread's context up,
 * tls_lower.c is what the library takes for the network, tls.c has the connections.
 */
#ifndef NET_TLS_STATE_H
#define NET_TLS_STATE_H

#include <openssl/ssl.h>

#include "net/tls.h"

enum {
    TLS_PULL_BYTES = 32 << 10,   /* received at once */
    TLS_RECORD_BYTES = 16 << 10, /* text in one record at most (RFC 8446 section 5.1) */
    /* As much text may come of a receive: it may complete a record that was begun before. */
    TLS_TEXT_BYTES = TLS_PULL_BYTES + TLS_RECORD_BYTES,
};

struct tls_context {
    SSL_CTX *ssl_context;
    BIO_METHOD *method;
    BIO *lower; /* one for all connections: it has no state of its own */
    bool server, verify, resume, no_sni;
    struct tls_counts counts;
    char reason[TLS_REASON_MAX];

    /* the call that is under way */
    struct stream *stream;
    struct str in;         /* received, not yet taken by the library */
    size_t room;           /* of the caller's buffer */
    bool starved;          /* more could be received, but there is no room for its text */
    bool drained;          /* nothing more is there now */
    bool end;              /* the peer's end of the stream was met */
    int64_t stamp_real_ns; /* of what was received last */
    char *buffer;
};

struct tls {
    SSL *ssl;
    struct tls_context *context;
    struct tls_peer *peer;
    char *spill; /* received with the end of the handshake and not yet wanted; rare */
    size_t spill_len;
    int64_t spill_stamp_ns; /* when it came; 0: without a stamp */
    bool done;              /* the handshake is */
    bool ended;             /* the peer has said that nothing more comes, or its stream has ended */
    bool failed;            /* nothing can be read any more */
};

/* The library's last word, and none is left for the next call. */
const char *tls_context_error(void);

/* Makes the context's method and lower end. */
bool tls_lower_make(struct tls_context *context);

#endif
