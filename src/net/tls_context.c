/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <openssl/err.h>
#include <string.h>

#include "base/mem.h"
#include "net/tls_cert.h"
#include "net/tls_memory.h"
#include "net/tls_state.h"

enum { ALPN_LEN = 9, TICKET_KEYS_BYTES = 80 };

static const unsigned char alpn_http[ALPN_LEN] = { 8, 'h', 't', 't', 'p', '/', '1', '.', '1' };

const char *tls_context_error(void)
{
    unsigned long code = ERR_peek_last_error();
    const char *reason = code != 0 ? ERR_reason_error_string(code) : NULL;

    if (reason == NULL && ERR_SYSTEM_ERROR(code)) {
        errno = ERR_GET_REASON(code);
        reason = strerrordesc_np(errno);
    }
    ERR_clear_error();
    return reason != NULL ? reason : "unknown error of the TLS library";
}

static bool refuse_file(struct err *err, const char *what, const char *path)
{
    return err_set(err, ERR_USAGE, "%s '%s': %s", what, path, tls_context_error());
}

static int accept_any(UNUSED X509_STORE_CTX *store, UNUSED void *self)
{
    return 1;
}

static bool trust(struct tls_context *context, const struct tls_options *options,
                  const struct tls_context *like, struct err *err)
{
    SSL_CTX *ssl_context = context->ssl_context;

    if (!options->verify) {
        SSL_CTX_set_verify(ssl_context, SSL_VERIFY_NONE, NULL);
        /* Otherwise the library verifies all the same, and then does not mind. */
        SSL_CTX_set_cert_verify_callback(ssl_context, accept_any, NULL);
        return true;
    }
    SSL_CTX_set_verify(ssl_context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
    if (like != NULL) {
        SSL_CTX_set1_cert_store(ssl_context, SSL_CTX_get_cert_store(like->ssl_context));
    } else if (options->cacert == NULL) {
        (void)SSL_CTX_set_default_verify_paths(ssl_context);
    } else if (SSL_CTX_load_verify_file(ssl_context, options->cacert) != 1) {
        return refuse_file(err, "cannot read the trusted certificates in", options->cacert);
    }
    if (options->server && options->cacert != NULL) {
        SSL_CTX_set_client_CA_list(ssl_context, SSL_load_client_CA_file(options->cacert));
    }
    return true;
}

static bool identify(struct tls_context *context, const struct tls_options *options,
                     struct err *err)
{
    SSL_CTX *ssl_context = context->ssl_context;
    const char *key = options->key != NULL ? options->key : options->cert;

    if (options->own != NULL) {
        return tls_cert_use(options->own, ssl_context) ||
               err_set(err, ERR_SYSTEM, "cannot use the certificate: %s", tls_context_error());
    }
    if (options->cert == NULL) {
        return true;
    }
    if (SSL_CTX_use_certificate_chain_file(ssl_context, options->cert) != 1) {
        return refuse_file(err, "cannot read a certificate in", options->cert);
    }
    if (SSL_CTX_use_PrivateKey_file(ssl_context, key, SSL_FILETYPE_PEM) != 1) {
        return refuse_file(err, "cannot read the key of the certificate in", key);
    }
    if (!options->server) {
        SSL_CTX_set_post_handshake_auth(ssl_context, 1);
    }
    return true;
}

static int number_of(enum tls_version version)
{
    switch (version) {
    case TLS_VERSION_ANY:
        break;
    case TLS_VERSION_1_2:
        return TLS1_2_VERSION;
    case TLS_VERSION_1_3:
        return TLS1_3_VERSION;
    }
    return 0;
}

/* A list may name ciphers of 1.2, suites of 1.3 (which begin with TLS_), or both. */
static bool set_ciphers(struct tls_context *context, const char *list, struct err *err)
{
    SSL_CTX *ssl_context = context->ssl_context;
    struct str rest = str_of(list), word;
    struct buf suites, ciphers;
    bool ok = true;

    buf_init(&suites, 4096);
    buf_init(&ciphers, 4096);
    while (str_cut(&rest, ':', &word)) {
        struct buf *buf = str_starts(word, STR("TLS_")) ? &suites : &ciphers;

        buf_puts(buf, buf->len > 0 ? ":" : "");
        buf_add_str(buf, word);
    }
    if (suites.len > 0) {
        buf_putc(&suites, '\0');
        ok = SSL_CTX_set_ciphersuites(ssl_context, suites.data) == 1;
    }
    if (ok && ciphers.len > 0) {
        buf_putc(&ciphers, '\0');
        ok = SSL_CTX_set_cipher_list(ssl_context, ciphers.data) == 1;
    }
    buf_fini(&suites);
    buf_fini(&ciphers);
    return ok || err_set(err, ERR_USAGE, "'%.200s' names no cipher that is known here: %s", list,
                         tls_context_error());
}

/* The newest session is the one to resume: a server may let each be used once. */
static int keep_session(SSL *ssl, SSL_SESSION *session)
{
    struct tls_peer *peer = SSL_get_app_data(ssl);

    if (peer == NULL) {
        return 0;
    }
    SSL_SESSION_free(peer->session);
    peer->session = session;
    return 1;
}

static void set_sessions(struct tls_context *context, const struct tls_options *options)
{
    SSL_CTX *ssl_context = context->ssl_context;
    static const unsigned char name[] = "brunt";

    if (options->server) {
        (void)SSL_CTX_set_session_id_context(ssl_context, name, sizeof(name) - 1);
        if (!options->resume) {
            (void)SSL_CTX_set_num_tickets(ssl_context, 0);
            (void)SSL_CTX_set_options(ssl_context, SSL_OP_NO_TICKET);
            (void)SSL_CTX_set_session_cache_mode(ssl_context, SSL_SESS_CACHE_OFF);
        }
    } else if (options->resume) {
        (void)SSL_CTX_set_session_cache_mode(ssl_context,
                                             SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
        SSL_CTX_sess_set_new_cb(ssl_context, keep_session);
    } else {
        (void)SSL_CTX_set_session_cache_mode(ssl_context, SSL_SESS_CACHE_OFF);
    }
}

/* A ticket of one thread is good for the others. */
static bool share_tickets(struct tls_context *context, const struct tls_context *like)
{
    unsigned char keys[TICKET_KEYS_BYTES];

    return SSL_CTX_get_tlsext_ticket_keys(like->ssl_context, keys, sizeof(keys)) == 1 &&
           SSL_CTX_set_tlsext_ticket_keys(context->ssl_context, keys, sizeof(keys)) == 1;
}

/* HTTP/1.1 is all we speak. */
static int choose_alpn(UNUSED SSL *ssl, const unsigned char **out, unsigned char *out_len,
                       const unsigned char *in, unsigned in_len, UNUSED void *self)
{
    unsigned char *chosen = NULL;

    if (SSL_select_next_proto(&chosen, out_len, alpn_http, ALPN_LEN, in, in_len) !=
        OPENSSL_NPN_NEGOTIATED) {
        return SSL_TLSEXT_ERR_NOACK;
    }
    *out = chosen;
    return SSL_TLSEXT_ERR_OK;
}

static bool set_up(struct tls_context *context, const struct tls_options *options,
                   const struct tls_context *like, struct err *err)
{
    SSL_CTX *ssl_context = SSL_CTX_new(options->server ? TLS_server_method() : TLS_client_method());

    context->ssl_context = ssl_context;
    if (ssl_context == NULL || !tls_lower_make(context)) {
        return err_set(err, ERR_SYSTEM, "cannot start TLS: %s", tls_context_error());
    }
    (void)SSL_CTX_set_mode(ssl_context, SSL_MODE_ENABLE_PARTIAL_WRITE |
                                            SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                            SSL_MODE_RELEASE_BUFFERS);
    (void)SSL_CTX_set_min_proto_version(ssl_context, options->least == TLS_VERSION_ANY
                                                         ? TLS1_2_VERSION
                                                         : number_of(options->least));
    (void)SSL_CTX_set_max_proto_version(ssl_context, number_of(options->most));
    set_sessions(context, options);
    if (options->server && like != NULL && !share_tickets(context, like)) {
        return err_set(err, ERR_SYSTEM, "cannot share tickets: %s", tls_context_error());
    }
    if (options->server) {
        SSL_CTX_set_alpn_select_cb(ssl_context, choose_alpn, NULL);
    } else {
        (void)SSL_CTX_set_alpn_protos(ssl_context, alpn_http, ALPN_LEN);
    }
    if (options->ciphers != NULL && !set_ciphers(context, options->ciphers, err)) {
        return false;
    }
    return trust(context, options, like, err) && identify(context, options, err);
}

struct tls_context *tls_context_new(const struct tls_options *options,
                                    const struct tls_context *like, struct err *err)
{
    struct tls_context *context = mem_new(1, sizeof(*context));

    tls_memory_init();
    context->server = options->server;
    context->verify = options->verify;
    context->resume = options->resume;
    context->no_sni = options->no_sni;
    context->buffer = mem_new(TLS_PULL_BYTES, 1);
    if (!set_up(context, options, like, err)) {
        tls_context_free(context);
        return NULL;
    }
    return context;
}

void tls_context_free(struct tls_context *context)
{
    if (context == NULL) {
        return;
    }
    SSL_CTX_free(context->ssl_context);
    (void)BIO_free(context->lower);
    BIO_meth_free(context->method);
    mem_free(context->buffer);
    mem_free(context);
}

const struct tls_counts *tls_context_counts(const struct tls_context *context)
{
    return &context->counts;
}

const char *tls_context_reason(const struct tls_context *context)
{
    return context->reason;
}
