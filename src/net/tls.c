/* SPDX-License-Identifier: Apache-2.0 */
#include "net/tls.h"

#include <arpa/inet.h>
#include <errno.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "net/tls_state.h"

void tls_peer_init(struct tls_peer *peer, const char *name)
{
    struct in6_addr address;

    *peer = (struct tls_peer){ .name = mem_strdup(name) };
    peer->is_literal =
        inet_pton(AF_INET, name, &address) == 1 || inet_pton(AF_INET6, name, &address) == 1;
}

void tls_peer_fini(struct tls_peer *peer)
{
    mem_free(peer->name);
    SSL_SESSION_free(peer->session);
    *peer = (struct tls_peer){ 0 };
}

static void ask_for(SSL *ssl, const struct tls_context *context, const struct tls_peer *peer)
{
    if (peer->is_literal) {
        if (context->verify) {
            (void)X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), peer->name);
        }
        return; /* RFC 6066 section 3: no literal is sent */
    }
    if (!context->no_sni) {
        (void)SSL_set_tlsext_host_name(ssl, peer->name);
    }
    if (context->verify) {
        (void)SSL_set1_host(ssl, peer->name);
    }
}

void tls_start(struct stream *stream, struct tls_context *context, struct tls_peer *peer)
{
    struct tls *tls = mem_new(1, sizeof(*tls));

    tls->context = context;
    tls->peer = peer;
    tls->ssl = SSL_new(context->ssl_context);
    if (tls->ssl == NULL) {
        mem_exhausted();
    }
    (void)BIO_up_ref(context->lower);
    SSL_set_bio(tls->ssl, context->lower, context->lower);
    (void)SSL_set_app_data(tls->ssl, peer);
    if (context->server) {
        SSL_set_accept_state(tls->ssl);
    } else {
        SSL_set_connect_state(tls->ssl);
        ask_for(tls->ssl, context, peer);
        if (context->resume && peer->session != NULL) {
            (void)SSL_set_session(tls->ssl, peer->session);
        }
    }
    stream->tls = tls;
}

/* Before a call into the library: whose it is, and what has come already. */
static struct tls *enter(struct stream *stream, size_t room)
{
    struct tls *tls = stream->tls;
    struct tls_context *context = tls->context;

    context->stream = stream;
    context->in = (struct str){ tls->spill, tls->spill_len };
    context->room = room;
    context->starved = false;
    context->drained = false;
    context->end = false;
    context->stamp_real_ns = tls->spill_stamp_ns;
    stream->wants_write = false;
    stream->error = 0;
    return tls;
}

/* After it: nothing of the context's buffer may be needed any more. */
static void leave(struct tls *tls)
{
    struct tls_context *context = tls->context;
    char *old = tls->spill;

    tls->spill = NULL;
    tls->spill_len = context->in.len;
    tls->spill_stamp_ns = context->in.len > 0 ? context->stamp_real_ns : 0;
    if (context->in.len > 0) {
        tls->spill = mem_strndup(context->in.p, context->in.len);
        context->in.len = 0;
    }
    mem_free(old);
}

/* What the library says of a call that did not succeed. */
static enum io io_of_error(struct tls *tls, int code)
{
    struct tls_context *context = tls->context;
    struct stream *stream = context->stream;

    switch (code) {
    case SSL_ERROR_WANT_READ:
        return IO_WAIT;
    case SSL_ERROR_WANT_WRITE:
        stream->wants_write = true;
        return IO_WAIT;
    case SSL_ERROR_ZERO_RETURN:
        tls->ended = true;
        return IO_EOF;
    default:
        break;
    }
    if (context->end) {
        ERR_clear_error();
        tls->ended = true;
        stream->unclean = true;
        return IO_EOF;
    }
    /* When the socket took no more, what the peer had said before may still be read. */
    tls->failed = stream->error == 0;
    if (stream->error != 0) {
        ERR_clear_error();
        (void)snprintf(context->reason, sizeof(context->reason), "%s",
                       strerrordesc_np(stream->error));
        return IO_FAIL;
    }
    stream->error = EPROTO;
    (void)snprintf(context->reason, sizeof(context->reason), "%s", tls_context_error());
    return IO_FAIL;
}

/* A refused certificate has a better word than "certificate verify failed". */
static void explain_handshake(struct tls *tls, enum io io)
{
    struct tls_context *context = tls->context;
    long verdict = SSL_get_verify_result(tls->ssl);

    if (io == IO_EOF) {
        (void)snprintf(context->reason, sizeof(context->reason),
                       "the peer closed the connection in the handshake");
    } else if (context->verify && verdict != X509_V_OK && context->stream->error == EPROTO) {
        (void)snprintf(context->reason, sizeof(context->reason), "the certificate is refused: %s",
                       X509_verify_cert_error_string(verdict));
    } else if (strcmp(context->reason, "wrong version number") == 0 ||
               strcmp(context->reason, "http request") == 0) {
        (void)snprintf(context->reason, sizeof(context->reason),
                       "the peer does not answer with TLS: does it speak plain http?");
    }
}

enum io tls_handshake(struct stream *stream)
{
    struct tls *tls;
    struct tls_context *context;
    enum io io = IO_DONE;
    int result;

    if (stream->tls->done) {
        return IO_DONE;
    }
    tls = enter(stream, SIZE_MAX);
    context = tls->context;
    result = SSL_do_handshake(tls->ssl);
    if (result == 1) {
        tls->done = true;
        context->counts.handshakes++;
        context->counts.resumed += SSL_session_reused(tls->ssl) == 1;
    } else {
        io = io_of_error(tls, SSL_get_error(tls->ssl, result));
        if (io != IO_WAIT) {
            explain_handshake(tls, io);
            stream->error = io == IO_EOF ? EPROTO : stream->error;
            io = IO_FAIL;
        }
    }
    leave(tls);
    return io;
}

/* Whether another call could bring more text, and there is room for it. */
static bool read_on(struct tls *tls, size_t room)
{
    const struct tls_context *context = tls->context;

    if (room == 0) {
        return false;
    }
    return context->in.len > 0 || SSL_pending(tls->ssl) > 0 ||
           (!context->drained && room >= TLS_TEXT_BYTES);
}

struct stream_read tls_read(struct stream *stream, void *buffer, size_t max)
{
    struct stream_read read = { .io = IO_WAIT };
    struct tls *tls = enter(stream, max);
    struct tls_context *context = tls->context;

    if (tls->failed || tls->ended) {
        stream->error = tls->failed ? EPROTO : 0;
        read.io = tls->failed ? IO_FAIL : IO_EOF;
        leave(tls);
        return read;
    }
    do {
        size_t n = 0;

        context->room = max - read.n;
        if (SSL_read_ex(tls->ssl, (char *)buffer + read.n, max - read.n, &n) == 1) {
            read.n += n;
            continue;
        }
        read.io = io_of_error(tls, SSL_get_error(tls->ssl, 0));
        break;
    } while (read_on(tls, max - read.n));
    /* Else: the socket is empty and so is the library, or the caller has to come again. */
    read.drained = context->drained && context->in.len == 0 && SSL_pending(tls->ssl) == 0 &&
                   !context->starved && !tls->ended && !tls->failed;
    read.stamp_real_ns = context->stamp_real_ns;
    if (read.n > 0) {
        read.io = IO_DONE;
    }
    leave(tls);
    return read;
}

enum io tls_write(struct stream *stream, struct str bytes, size_t *ret_n)
{
    struct tls *tls = enter(stream, SIZE_MAX);
    size_t sent = 0;
    enum io io = IO_DONE;

    /* A record a call: until the socket takes no more. */
    while (sent < bytes.len && io == IO_DONE) {
        size_t n = 0;

        if (SSL_write_ex(tls->ssl, bytes.p + sent, bytes.len - sent, &n) == 1) {
            sent += n;
        } else {
            io = io_of_error(tls, SSL_get_error(tls->ssl, 0));
        }
    }
    leave(tls);
    if (io == IO_EOF) {
        stream->error = ECONNRESET;
        io = IO_FAIL;
    }
    if (sent > 0) {
        *ret_n = sent;
        io = IO_DONE;
    }
    return io;
}

bool tls_renew(struct stream *stream)
{
    SSL *ssl = enter(stream, SIZE_MAX)->ssl;
    bool ok = SSL_version(ssl) == TLS1_3_VERSION
                  ? SSL_key_update(ssl, SSL_KEY_UPDATE_REQUESTED) == 1
                  : SSL_renegotiate(ssl) == 1 && SSL_do_handshake(ssl) == 1;

    ERR_clear_error();
    leave(stream->tls);
    return ok;
}

void tls_facts(const struct stream *stream, struct tls_facts *ret_facts)
{
    SSL *ssl = stream->tls->ssl;
    X509 *certificate = SSL_get0_peer_certificate(ssl);
    EVP_PKEY *key = NULL;
    size_t len = 0;

    *ret_facts = (struct tls_facts){ .resumed = SSL_session_reused(ssl) == 1 };
    str_copy(ret_facts->version, sizeof(ret_facts->version), str_of(SSL_get_version(ssl)));
    str_copy(ret_facts->cipher, sizeof(ret_facts->cipher), str_of(SSL_get_cipher_name(ssl)));
    ret_facts->cipher_bits = SSL_CIPHER_get_bits(SSL_get_current_cipher(ssl), NULL);
    if (certificate != NULL) {
        ret_facts->key_bits = EVP_PKEY_get_bits(X509_get0_pubkey(certificate));
    }
    if (SSL_get_peer_tmp_key(ssl, &key) != 1) {
        return;
    }
    ret_facts->group_bits = EVP_PKEY_get_bits(key);
    if (EVP_PKEY_get_group_name(key, ret_facts->group, sizeof(ret_facts->group), &len) != 1) {
        str_copy(ret_facts->group, sizeof(ret_facts->group), str_of(EVP_PKEY_get0_type_name(key)));
    }
    EVP_PKEY_free(key);
}

bool tls_over(const struct stream *stream)
{
    return stream->tls->ended || stream->tls->failed;
}

void tls_end(struct stream *stream, bool notify)
{
    struct tls *tls = enter(stream, 0);

    if (notify && tls->done && !tls->failed && !tls->ended) {
        (void)SSL_shutdown(tls->ssl);
        ERR_clear_error();
    }
    /* A session that was not shut down is taken for a bad one. */
    SSL_set_shutdown(tls->ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
    SSL_free(tls->ssl);
    mem_free(tls->spill);
    mem_free(tls);
    stream->tls = NULL;
}
