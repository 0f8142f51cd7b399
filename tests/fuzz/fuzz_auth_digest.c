/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Digest challenges, a header a line: what is kept fits, and the answer to it, which has the syntax
 * of a challenge, reads back to the same.
 */
#include "base/buf.h"
#include "fuzz.h"
#include "http/auth_digest.h"

static void check_answer(const struct auth_digest *auth, uint32_t nc)
{
    struct auth_digest_request request = {
        .method = STR("GET"),
        .uri = STR("/a?b"),
        .user = STR("u\"\\"),
        .password = STR("p"),
        .cnonce = STR("c0ffee"),
        .nc = nc,
    };
    struct auth_digest again = { 0 };
    struct buf buf;

    buf_init(&buf, 16 << 10);
    auth_digest_answer(auth, &request, &buf);
    FUZZ_CHECK(!buf.overflow);
    auth_digest_read(&again, buf_str(&buf));
    FUZZ_CHECK(again.state == AUTH_DIGEST_READY);
    FUZZ_CHECK(again.algorithm == auth->algorithm && again.named == auth->named);
    FUZZ_CHECK(again.with_qop == auth->with_qop && again.userhash == auth->userhash);
    FUZZ_CHECK(again.with_opaque == auth->with_opaque && !again.basic && !again.stale);
    FUZZ_CHECK(strcmp(again.realm, auth->realm) == 0);
    FUZZ_CHECK(strcmp(again.nonce, auth->nonce) == 0);
    FUZZ_CHECK(strcmp(again.opaque, auth->opaque) == 0);
    buf_fini(&buf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str rest = fuzz_text(data, size), line;
    struct auth_digest auth = { 0 };

    while (str_cut(&rest, '\n', &line)) {
        bool was_ready = auth.state == AUTH_DIGEST_READY;

        auth_digest_read(&auth, line);
        FUZZ_CHECK(auth.state < AUTH_DIGEST_STATE_COUNT);
        FUZZ_CHECK(!was_ready || auth.state == AUTH_DIGEST_READY);
        FUZZ_CHECK(strlen(auth.realm) <= AUTH_DIGEST_REALM_MAX);
        FUZZ_CHECK(strlen(auth.nonce) <= AUTH_DIGEST_NONCE_MAX);
        FUZZ_CHECK(strlen(auth.opaque) <= AUTH_DIGEST_OPAQUE_MAX);
    }
    if (auth.state == AUTH_DIGEST_READY) {
        FUZZ_CHECK(auth.nonce[0] != '\0');
        check_answer(&auth, (uint32_t)size);
    }
    return 0;
}
