/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/err.h"
#include "target/fault_auth.h"

static struct fault_auth asks(const char *user, const char *password, const char *algorithm)
{
    return (struct fault_auth){
        .method = STR("GET"),
        .target = STR("/fault/digest"),
        .user = str_of(user),
        .password = str_of(password),
        .algorithm = str_of(algorithm),
    };
}

static void percent_codes_are_decoded_where_they_are_whole(UNUSED void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        { "a%20b", "a b" }, { "%c3%A4", "\xc3\xa4" }, { "%2", "%2" },
        { "%zz%", "%zz%" }, { "%2f", "/" },           { "%\x10\x10", "%\x10\x10" },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct buf out;

        buf_init(&out, 64);
        fault_auth_decode(str_of(cases[i].text), &out);
        assert_string_equal(out.data, cases[i].want);
        buf_fini(&out);
    }
}

static void basic_wants_the_name_and_the_password(UNUSED void **state)
{
    static const struct {
        const char *user, *password, *authorization;
        bool want;
    } cases[] = {
        { "u", "p", "Basic dTpw", true },
        { "u", "p", "basic   dTpw ", true },
        { "u", "p", "", false },
        { "u", "p", "Basic", false },
        { "u", "p", "Basic dTpx", false },
        { "u", "p", "Basic dTp", false },
        { "u", "p", "Digest dTpw", false },
        { "m%c3%a4x", "a:b", "Basic bcOkeDphOmI=", true },
        { "m%c3%a4x", "", "Basic bcOkeDo=", true },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fault_auth auth = asks(cases[i].user, cases[i].password, "");

        assert_int_equal(fault_auth_basic(&auth, str_of(cases[i].authorization)), cases[i].want);
    }
}

#define NONCE "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
#define SAID(user, nonce, uri, nc, response)                                                       \
    "Digest username=\"" user "\", realm=\"brunt\", nonce=\"" nonce "\", uri=\"" uri               \
    "\", algorithm=MD5, response=\"" response "\", opaque=\"brunt\", qop=auth, nc=" nc             \
    ", cnonce=\"abc\""

/* Worked out by another program. */
#define MD5    "3a33ca4e93c3ad54283953f7ab71b7cc"
#define SHA256 "389d776cba097cc11934c2bfcb02f7dcd5b3bd77559a066b0d59454ad5d4be4d"
#define ODD    "1e176c3e8ba52286d4b4405ce95fc9ce"

static void digest_wants_the_right_answer_to_its_challenge(UNUSED void **state)
{
    static const struct {
        const char *user, *password, *algorithm, *authorization;
        bool want;
    } cases[] = {
        { "u", "p", "MD5", SAID("u", NONCE, "/fault/digest", "00000001", MD5), true },
        { "u", "p", "", SAID("u", NONCE, "/fault/digest", "00000001", MD5), true },
        { "u", "p", "SHA-256", SAID("u", NONCE, "/fault/digest", "00000001", SHA256), true },
        { "m%c3%a4x", "a%3ab", "MD5", SAID("max", NONCE, "/fault/digest", "00000001", ODD), true },
        { "u", "x", "MD5", SAID("u", NONCE, "/fault/digest", "00000001", MD5), false },
        { "u", "p", "MD5", SAID("u", NONCE, "/fault/digest", "00000002", MD5), false },
        { "u", "p", "MD5", SAID("u", NONCE, "/fault/digest", "1", MD5), false },
        { "u", "p", "MD5", SAID("u", NONCE, "/other", "00000001", MD5), false },
        { "u", "p", "MD5", SAID("u", "0f1e", "/fault/digest", "00000001", MD5), false },
        { "u", "p", "MD5", SAID("u", NONCE, "/fault/digest", "00000001", SHA256), false },
        { "u", "p", "ROT13", SAID("u", NONCE, "/fault/digest", "00000001", MD5), false },
        { "u", "p", "MD5", "Digest", false },
        { "u", "p", "MD5", "", false },
        { "u", "p", "MD5", "Basic dTpw", false },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fault_auth auth = asks(cases[i].user, cases[i].password, cases[i].algorithm);

        assert_int_equal(fault_auth_digest(&auth, str_of(cases[i].authorization)), cases[i].want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(percent_codes_are_decoded_where_they_are_whole),
        cmocka_unit_test(basic_wants_the_name_and_the_password),
        cmocka_unit_test(digest_wants_the_right_answer_to_its_challenge),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
