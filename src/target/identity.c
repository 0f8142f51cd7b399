/* SPDX-License-Identifier: Apache-2.0 */
#include "target/identity.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "net/tls.h"
#include "net/tls_cert.h"

enum { DAY_S = 24 * 60 * 60, YEAR_S = 365 * DAY_S, PEM_BYTES_MAX = 64 << 10 };

bool identity_check(const struct target_tls *config, struct err *err)
{
    bool is_described = config->cert != NULL || config->key != NULL || config->cert_out != NULL ||
                        config->client_ca != NULL || config->version != TLS_VERSION_ANY ||
                        config->no_tickets || config->flaw != TARGET_FLAW_NONE ||
                        config->fault != TARGET_TLS_GOOD;

    if (!config->on && is_described) {
        return err_set(err, ERR_USAGE, "what is said of TLS needs --tls");
    }
    if (config->key != NULL && config->cert == NULL) {
        return err_set(err, ERR_USAGE, "the key '%s' needs its certificate, with --tls-cert",
                       config->key);
    }
    if (config->cert != NULL && (config->flaw != TARGET_FLAW_NONE || config->cert_out != NULL)) {
        return err_set(err, ERR_USAGE,
                       "--tls-bad and --tls-ca-out are for a certificate that is made, and '%s' is "
                       "given",
                       config->cert);
    }
    return true;
}

static struct tls_cert *make_cert(enum target_flaw flaw, struct err *err)
{
    static const char *const local[] = { "localhost", "127.0.0.1", "::1" };
    static const char *const other[] = { "wrong.example" };
    int64_t now_s = clock_real_ns() / SEC_NS;
    struct tls_cert_options options = {
        .names = local,
        .name_count = COUNT_OF(local),
        .from_s = now_s - DAY_S,
        .until_s = now_s + YEAR_S,
    };

    switch (flaw) {
    case TARGET_FLAW_NONE:
        break;
    case TARGET_FLAW_EXPIRED:
        options.from_s = now_s - YEAR_S;
        options.until_s = now_s - DAY_S;
        break;
    case TARGET_FLAW_NOT_YET:
        options.from_s = now_s + DAY_S;
        break;
    case TARGET_FLAW_HOST:
        options.names = other;
        options.name_count = COUNT_OF(other);
        break;
    }
    return tls_cert_make(&options, err);
}

static bool write_cert(const struct tls_cert *cert, const char *path, struct err *err)
{
    struct buf pem;
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool ok;

    if (fd < 0) {
        return err_set(err, ERR_SYSTEM, "cannot open '%s' for the certificate: %m", path);
    }
    buf_init(&pem, PEM_BYTES_MAX);
    tls_cert_pem(cert, &pem);
    ok = write(fd, pem.data, pem.len) == (ssize_t)pem.len ||
         err_set(err, ERR_SYSTEM, "cannot write the certificate to '%s': %m", path);
    buf_fini(&pem);
    (void)close(fd);
    return ok;
}

static bool open_contexts(struct identity *identity, const struct target_tls *config, size_t count,
                          struct err *err)
{
    struct tls_options options = {
        .server = true,
        .verify = config->client_ca != NULL,
        .cacert = config->client_ca,
        .cert = config->cert,
        .key = config->key,
        .own = identity->cert,
        .least = config->version,
        .most = config->version,
        .resume = !config->no_tickets,
    };

    identity->contexts = mem_new(count, sizeof(struct tls_context *));
    while (identity->count < count) {
        const struct tls_context *first = identity->count > 0 ? identity->contexts[0] : NULL;
        struct tls_context *context = tls_context_new(&options, first, err);

        if (context == NULL) {
            return false;
        }
        identity->contexts[identity->count++] = context;
    }
    return true;
}

bool identity_open(struct identity *identity, const struct target_tls *config, size_t count,
                   struct err *err)
{
    bool ok = true;

    *identity = (struct identity){ 0 };
    if (!config->on) {
        return true;
    }
    if (config->cert == NULL) {
        identity->cert = make_cert(config->flaw, err);
        ok = identity->cert != NULL &&
             (config->cert_out == NULL || write_cert(identity->cert, config->cert_out, err));
    }
    if (!ok || !open_contexts(identity, config, count, err)) {
        identity_close(identity);
        return false;
    }
    return true;
}

void identity_close(struct identity *identity)
{
    while (identity->count > 0) {
        tls_context_free(identity->contexts[--identity->count]);
    }
    mem_free(identity->contexts);
    tls_cert_free(identity->cert);
    *identity = (struct identity){ 0 };
}
