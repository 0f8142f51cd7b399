/* SPDX-License-Identifier: Apache-2.0 */
#include "net/tls_cert.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <string.h>

#include "base/mem.h"
#include "net/tls_memory.h"

struct tls_cert {
    X509 *x509;
    EVP_PKEY *key;
};

enum { NAMES_MAX = 4096 };

static bool is_literal(const char *name)
{
    struct in6_addr address;

    return inet_pton(AF_INET, name, &address) == 1 || inet_pton(AF_INET6, name, &address) == 1;
}

static bool add_extension(X509 *x509, int nid, const char *value)
{
    X509V3_CTX context;
    X509_EXTENSION *extension;
    bool ok;

    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, x509, x509, NULL, NULL, 0);
    extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
    ok = extension != NULL && X509_add_ext(x509, extension, -1) == 1;
    X509_EXTENSION_free(extension);
    return ok;
}

static bool add_names(X509 *x509, const struct tls_cert_options *options)
{
    struct buf text;
    bool ok;

    buf_init(&text, NAMES_MAX);
    for (size_t i = 0; i < options->name_count; i++) {
        buf_printf(&text, "%s%s:%s", i > 0 ? "," : "", is_literal(options->names[i]) ? "IP" : "DNS",
                   options->names[i]);
    }
    buf_putc(&text, '\0');
    ok = !text.overflow && add_extension(x509, NID_subject_alt_name, text.data);
    buf_fini(&text);
    return ok;
}

static bool add_subject(X509 *x509, const char *name)
{
    X509_NAME *subject = X509_get_subject_name(x509);

    return X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, (const unsigned char *)name, -1,
                                      -1, 0) == 1 &&
           X509_set_issuer_name(x509, subject) == 1;
}

static bool add_serial(X509 *x509)
{
    BIGNUM *number = BN_new();
    bool ok = number != NULL && BN_rand(number, 63, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) == 1 &&
              BN_to_ASN1_INTEGER(number, X509_get_serialNumber(x509)) != NULL;

    BN_free(number);
    return ok;
}

static bool fill(struct tls_cert *cert, const struct tls_cert_options *options)
{
    X509 *x509 = cert->x509;

    return X509_set_version(x509, X509_VERSION_3) == 1 && add_serial(x509) &&
           ASN1_TIME_set(X509_getm_notBefore(x509), options->from_s) != NULL &&
           ASN1_TIME_set(X509_getm_notAfter(x509), options->until_s) != NULL &&
           X509_set_pubkey(x509, cert->key) == 1 && add_subject(x509, options->names[0]) &&
           add_names(x509, options) &&
           add_extension(x509, NID_basic_constraints, "critical,CA:TRUE") &&
           X509_sign(x509, cert->key, EVP_sha256()) > 0;
}

struct tls_cert *tls_cert_make(const struct tls_cert_options *options, struct err *err)
{
    struct tls_cert *cert = mem_new(1, sizeof(*cert));

    tls_memory_init();
    cert->key = EVP_EC_gen("P-256");
    cert->x509 = X509_new();
    if (cert->key == NULL || cert->x509 == NULL || !fill(cert, options)) {
        const char *reason = ERR_reason_error_string(ERR_peek_last_error());

        err_set(err, ERR_SYSTEM, "cannot make a certificate: %s",
                reason != NULL ? reason : "unknown error of the TLS library");
        ERR_clear_error();
        tls_cert_free(cert);
        return NULL;
    }
    return cert;
}

void tls_cert_free(struct tls_cert *cert)
{
    if (cert != NULL) {
        X509_free(cert->x509);
        EVP_PKEY_free(cert->key);
        mem_free(cert);
    }
}

void tls_cert_pem(const struct tls_cert *cert, struct buf *buf)
{
    BIO *memory = BIO_new(BIO_s_mem());
    char *bytes = NULL;
    long len;

    if (memory == NULL || PEM_write_bio_X509(memory, cert->x509) != 1) {
        mem_exhausted();
    }
    len = BIO_get_mem_data(memory, &bytes);
    buf_add(buf, bytes, (size_t)len);
    (void)BIO_free(memory);
}

void tls_cert_sha256(const struct tls_cert *cert, char hex[TLS_CERT_SHA256_HEX])
{
    unsigned char sum[EVP_MAX_MD_SIZE];
    unsigned len = 0;

    (void)X509_digest(cert->x509, EVP_sha256(), sum, &len);
    for (unsigned i = 0; i < len; i++) {
        hex[2 * i] = "0123456789abcdef"[sum[i] >> 4];
        hex[2 * i + 1] = "0123456789abcdef"[sum[i] & 15];
    }
    hex[2 * (size_t)len] = '\0';
}

bool tls_cert_use(const struct tls_cert *cert, struct ssl_ctx_st *ssl_context)
{
    return SSL_CTX_use_certificate(ssl_context, cert->x509) == 1 &&
           SSL_CTX_use_PrivateKey(ssl_context, cert->key) == 1;
}
