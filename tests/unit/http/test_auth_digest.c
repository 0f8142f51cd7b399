/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "guard.h"
#include "http/auth_digest.h"

#define RFC_NONCE  "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
#define RFC_OPAQUE "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
#define RFC_CNONCE "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
#define RFC_REST   "qop=\"auth, auth-int\", nonce=\"" RFC_NONCE "\", opaque=\"" RFC_OPAQUE "\""

static struct auth_digest read_one(const char *value)
{
    struct guard guard = guard_put(str_of(value));
    struct auth_digest auth = { 0 };

    auth_digest_read(&auth, guard.text);
    guard_drop(&guard);
    return auth;
}

static void assert_answer(const struct auth_digest *auth, const struct auth_digest_request *request,
                          const char *answer)
{
    struct buf buf;

    buf_init(&buf, 4096);
    auth_digest_answer(auth, request, &buf);
    assert_string_equal(buf.data, answer);
    buf_fini(&buf);
}

static const struct auth_digest_request rfc_request = {
    .method = { "GET", 3 },
    .uri = { "/dir/index.html", 15 },
    .user = { "Mufasa", 6 },
    .password = { "Circle of Life", 14 },
    .cnonce = { RFC_CNONCE, sizeof(RFC_CNONCE) - 1 },
    .nc = 1,
};

#define RFC_ANSWER(response, algorithm)                                                            \
    "Digest username=\"Mufasa\", realm=\"http-auth@example.org\", nonce=\"" RFC_NONCE "\", "       \
    "uri=\"/dir/index.html\", response=\"" response "\", algorithm=" algorithm                     \
    ", opaque=\"" RFC_OPAQUE "\", qop=auth, nc=00000001, cnonce=\"" RFC_CNONCE "\""

static void the_examples_of_rfc_7616_come_out(UNUSED void **state)
{
    static const struct {
        const char *challenge, *answer;
    } rows[] = {
        { "Digest realm=\"http-auth@example.org\", algorithm=MD5, " RFC_REST,
          RFC_ANSWER("8ca523f5e9506fed4657c9700eebdbec", "MD5") },
        { "Digest realm=\"http-auth@example.org\", algorithm=SHA-256, " RFC_REST,
          RFC_ANSWER("753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1",
                     "SHA-256") },
        /* by an independent calculation */
        { "Digest realm=\"http-auth@example.org\", algorithm=MD5-sess, " RFC_REST,
          RFC_ANSWER("e783283f46242139c486a698fec7211d", "MD5-sess") },
        { "Digest realm=\"http-auth@example.org\", algorithm=\"sha-256-SESS\", " RFC_REST,
          RFC_ANSWER("2fd51b3a77ad75bad6afad6003e818d767133c46d9e2749e7f5232ae1ea3efd7",
                     "SHA-256-sess") },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct auth_digest auth = read_one(rows[i].challenge);

        assert_int_equal(auth.state, AUTH_DIGEST_READY);
        assert_answer(&auth, &rfc_request, rows[i].answer);
    }
}

static void a_user_name_is_hashed_when_asked(UNUSED void **state)
{
    /* RFC 7616 section 3.9.2, as its erratum 4897 corrects it. */
    struct auth_digest auth =
        read_one("Digest realm=\"api@example.org\", qop=\"auth\", algorithm=SHA-512-256, "
                 "nonce=\"5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK\", "
                 "opaque=\"HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDssOS\", "
                 "charset=UTF-8, userhash=true");
    struct auth_digest_request request = {
        .method = STR("GET"),
        .uri = STR("/doe.json"),
        .user = STR("J\xc3\xa4s\xc3\xb8n Doe"),
        .password = STR("Secret, or not?"),
        .cnonce = STR("NTg6RKcb9boFIAS3KrFK9BGeh+niz/sm"),
        .nc = 1,
    };

    assert_answer(&auth, &request,
                  "Digest "
                  "username=\"793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b\", "
                  "realm=\"api@example.org\", "
                  "nonce=\"5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK\", uri=\"/doe.json\", "
                  "response=\"7a4e1192babbba02e91182d2895bfdbf7adafc6e48d4e517ca301974843d840c\", "
                  "algorithm=SHA-512-256, opaque=\"HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDssOS\", "
                  "qop=auth, nc=00000001, cnonce=\"NTg6RKcb9boFIAS3KrFK9BGeh+niz/sm\", "
                  "userhash=true");
}

static void without_qop_the_form_is_that_of_rfc_2069(UNUSED void **state)
{
    struct auth_digest auth = read_one("Digest realm=\"testrealm@host.com\",\r\n"
                                       "\tnonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\",\r\n"
                                       " opaque=\"\"");
    struct auth_digest_request request = rfc_request;

    request.password = STR("CircleOfLife");
    assert_answer(&auth, &request,
                  "Digest username=\"Mufasa\", realm=\"testrealm@host.com\", "
                  "nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\", uri=\"/dir/index.html\", "
                  "response=\"1949323746fe6a43ef61f9606e7febea\", opaque=\"\"");
}

static void quotes_are_taken_off_and_put_back(UNUSED void **state)
{
    struct auth_digest auth =
        read_one("dIGEST REALM = \"x \\\"y\\\" \\\\z\" ,,NONCE=n , qop=auth,x=\",\\\",realm=1\",y");
    struct auth_digest_request request = {
        .method = STR("POST"),
        .uri = STR("/?q"),
        .user = STR("a\"b\\c"),
        .password = STR("p:q"),
        .cnonce = STR("c"),
        .nc = 0xab00ff,
    };

    assert_int_equal(auth.state, AUTH_DIGEST_READY);
    assert_string_equal(auth.realm, "x \"y\" \\z");
    assert_answer(&auth, &request,
                  "Digest username=\"a\\\"b\\\\c\", realm=\"x \\\"y\\\" \\\\z\", nonce=\"n\", "
                  "uri=\"/?q\", response=\"10020958eef5fd7e1e61abd50b92b4ed\", qop=auth, "
                  "nc=00ab00ff, cnonce=\"c\"");
}

static void the_strongest_of_several_challenges_is_taken(UNUSED void **state)
{
    static const struct {
        const char *values[4];
        enum auth_digest_state state;
        const char *realm;
        bool basic, stale;
    } rows[] = {
        { { "Basic realm=\"b\"" }, AUTH_DIGEST_ABSENT, "", true, false },
        { { "Digest realm=d, nonce=n" }, AUTH_DIGEST_READY, "d", false, false },
        { { "Basic realm=\"b\", Digest realm=d, nonce=n" }, AUTH_DIGEST_READY, "d", true, false },
        { { "Digest realm=d, nonce=n, basic", "Negotiate" }, AUTH_DIGEST_READY, "d", true, false },
        { { "Digest realm=1,nonce=n,algorithm=MD5", "Digest realm=2,nonce=n,algorithm=SHA-256",
            "Digest realm=3,nonce=n,algorithm=SHA-256-sess", "Basic" },
          AUTH_DIGEST_READY,
          "2",
          true,
          false },
        { { "Digest realm=1,nonce=n,algorithm=MD5, Digest realm=2,nonce=n,algorithm=SHA-512-256, "
            "Digest realm=3,nonce=n,algorithm=SHA-256" },
          AUTH_DIGEST_READY,
          "2",
          false,
          false },
        { { "Digest realm=1,nonce=n,algorithm=SHA-3", "Digest realm=2,nonce=n" },
          AUTH_DIGEST_READY,
          "2",
          false,
          false },
        { { "Digest realm=1,nonce=n", "Digest realm=2,nonce=n,qop=auth-int,algorithm=SHA-256" },
          AUTH_DIGEST_READY,
          "1",
          false,
          false },
        { { "Digest realm=1,nonce=n,stale=TRUE" }, AUTH_DIGEST_READY, "1", false, true },
        { { "Digest realm=1,nonce=n,stale=\"false\"" }, AUTH_DIGEST_READY, "1", false, false },
        { { "NTLM, Negotiate YII/=+abc==, Digest realm=d,nonce=n" },
          AUTH_DIGEST_READY,
          "d",
          false,
          false },
        { { "Negotiate Digest, X a=\"Digest realm=no, nonce=no\", Digest realm=d,nonce=n" },
          AUTH_DIGEST_READY,
          "d",
          false,
          false },
        { { ", ,Digest realm=d,nonce=n" }, AUTH_DIGEST_READY, "d", false, false },
        { { "Digest realm=d,nonce=n,qop=\"\"" }, AUTH_DIGEST_READY, "d", false, false },
        { { "" }, AUTH_DIGEST_ABSENT, "", false, false },
        { { "Digested realm=d,nonce=n" }, AUTH_DIGEST_ABSENT, "", false, false },
        /* why not */
        { { "Digest" }, AUTH_DIGEST_NO_NONCE, "", false, false },
        { { "Digest realm=d, nonce=\"\"" }, AUTH_DIGEST_NO_NONCE, "", false, false },
        { { "Digest realm=d, nonce=\"n" }, AUTH_DIGEST_UNREADABLE, "", false, false },
        { { "Digest realm=d, nonce=\"n\\" }, AUTH_DIGEST_UNREADABLE, "", false, false },
        { { "Digest realm=\"a\x01\", nonce=n" }, AUTH_DIGEST_UNREADABLE, "", false, false },
        { { "Digest realm=d, nonce=n, algorithm=SHA-3" }, AUTH_DIGEST_ALGORITHM, "", false, false },
        { { "Digest realm=d, nonce=n, qop=\"auth-int,x\"" }, AUTH_DIGEST_QOP, "", false, false },
        { { "Digest realm=d, nonce=n, qop=auth-int", "Digest" },
          AUTH_DIGEST_QOP,
          "",
          false,
          false },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct auth_digest auth = { 0 };

        for (size_t j = 0; j < COUNT_OF(rows[i].values) && rows[i].values[j] != NULL; j++) {
            struct guard guard = guard_put(str_of(rows[i].values[j]));

            auth_digest_read(&auth, guard.text);
            guard_drop(&guard);
        }
        if (auth.state != rows[i].state || strcmp(auth.realm, rows[i].realm) != 0) {
            fail_msg("'%s': %s (realm '%s')", rows[i].values[0], auth_digest_text(auth.state),
                     auth.realm);
        }
        assert_int_equal(auth.basic, rows[i].basic);
        assert_int_equal(auth.stale, rows[i].stale);
    }
}

static void what_does_not_fit_is_refused(UNUSED void **state)
{
    static const struct {
        const char *name;
        size_t max;
    } rows[] = {
        { "realm", AUTH_DIGEST_REALM_MAX },
        { "nonce", AUTH_DIGEST_NONCE_MAX },
        { "opaque", AUTH_DIGEST_OPAQUE_MAX },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        for (size_t more = 0; more < 2; more++) {
            struct auth_digest auth;
            struct buf buf;

            buf_init(&buf, 4096);
            buf_printf(&buf, "Digest nonce=n, %s=\"", rows[i].name);
            for (size_t n = 0; n < rows[i].max + more; n++) {
                buf_puts(&buf, "\\x");
            }
            buf_puts(&buf, "\"");
            auth = read_one(buf.data);
            assert_int_equal(auth.state, more == 0 ? AUTH_DIGEST_READY : AUTH_DIGEST_TOO_LONG);
            buf_fini(&buf);
        }
    }
}

static void every_state_has_a_sentence(UNUSED void **state)
{
    for (unsigned i = 0; i < AUTH_DIGEST_STATE_COUNT; i++) {
        assert_true(strlen(auth_digest_text((enum auth_digest_state)i)) > 10);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_examples_of_rfc_7616_come_out),
        cmocka_unit_test(a_user_name_is_hashed_when_asked),
        cmocka_unit_test(without_qop_the_form_is_that_of_rfc_2069),
        cmocka_unit_test(quotes_are_taken_off_and_put_back),
        cmocka_unit_test(the_strongest_of_several_challenges_is_taken),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(every_state_has_a_sentence),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
