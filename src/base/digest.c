/* SPDX-License-Identifier: Apache-2.0 */
#include "base/digest.h"

#include <assert.h>
#include <openssl/evp.h>
#include <pthread.h>

#include "base/err.h"
#include "base/mem.h"

static const char *const names[] = {
    [DIGEST_MD5] = "MD5",
    [DIGEST_SHA256] = "SHA2-256",
    [DIGEST_SHA512_256] = "SHA2-512/256",
};
static_assert(COUNT_OF(names) == DIGEST_KIND_COUNT, "every kind has a name");

static EVP_MD *algorithms[DIGEST_KIND_COUNT];
static pthread_once_t fetched = PTHREAD_ONCE_INIT;

/* A look-up by name at each use would cost more than the digest of a line of text. */
static void fetch(void)
{
    for (size_t kind = 0; kind < DIGEST_KIND_COUNT; kind++) {
        algorithms[kind] = EVP_MD_fetch(NULL, names[kind], NULL);
    }
}

static const EVP_MD *algorithm_of(enum digest_kind kind)
{
    (void)pthread_once(&fetched, fetch);
    return algorithms[kind];
}

bool digest_available(enum digest_kind kind)
{
    return algorithm_of(kind) != NULL;
}

/* Of what is available only memory can fail. */
static void check(int done)
{
    if (done != 1) {
        mem_exhausted();
    }
}

static void begin(struct digest *digest)
{
    check(EVP_DigestInit_ex(digest->state, algorithm_of(digest->kind), NULL));
}

void digest_init(struct digest *digest, enum digest_kind kind)
{
    assert(digest_available(kind));
    *digest = (struct digest){ .kind = kind, .state = EVP_MD_CTX_new() };
    check(digest->state != NULL);
    begin(digest);
}

void digest_fini(struct digest *digest)
{
    EVP_MD_CTX_free(digest->state);
    *digest = (struct digest){ 0 };
}

void digest_add(struct digest *digest, struct str bytes)
{
    check(EVP_DigestUpdate(digest->state, bytes.p, bytes.len));
}

const char *digest_end(struct digest *digest, char *text)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char value[EVP_MAX_MD_SIZE];
    unsigned size = 0;

    check(EVP_DigestFinal_ex(digest->state, value, &size));
    assert(2 * size < DIGEST_TEXT_MAX);
    for (unsigned i = 0; i < size; i++) {
        text[2 * i] = digits[value[i] >> 4];
        text[2 * i + 1] = digits[value[i] & 15];
    }
    text[2 * size] = '\0';
    begin(digest);
    return text;
}

const char *digest_text(enum digest_kind kind, struct str bytes, char *text)
{
    struct digest digest;

    digest_init(&digest, kind);
    digest_add(&digest, bytes);
    (void)digest_end(&digest, text);
    digest_fini(&digest);
    return text;
}
