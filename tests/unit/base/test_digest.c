/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/digest.h"
#include "base/err.h"

static const char zeros[1000] = { 0 };

/* RFC 1321 appendix A.5, FIPS 180-4's examples; the empty text. */
static const struct {
    enum digest_kind kind;
    struct str bytes;
    const char *text;
} rows[] = {
    { DIGEST_MD5, { "", 0 }, "d41d8cd98f00b204e9800998ecf8427e" },
    { DIGEST_MD5, { "abc", 3 }, "900150983cd24fb0d6963f7d28e17f72" },
    { DIGEST_MD5, { "message digest", 14 }, "f96b697d7cb7938d525a2f31aaf161d0" },
    { DIGEST_MD5, { "abcdefghijklmnopqrstuvwxyz", 26 }, "c3fcd3d76192e4007dfb496cca67e13b" },
    { DIGEST_SHA256,
      { "", 0 },
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
    { DIGEST_SHA256,
      { "abc", 3 },
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
    { DIGEST_SHA256,
      { "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56 },
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
    { DIGEST_SHA512_256,
      { "", 0 },
      "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a" },
    { DIGEST_SHA512_256,
      { "abc", 3 },
      "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23" },
};

static void digests_are_those_of_their_standards(UNUSED void **state)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[DIGEST_TEXT_MAX];

        assert_true(digest_available(rows[i].kind));
        assert_ptr_equal(digest_text(rows[i].kind, rows[i].bytes, text), text);
        assert_string_equal(text, rows[i].text);
    }
}

static void bytes_may_come_one_by_one_and_a_digest_is_used_again(UNUSED void **state)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct digest digest;
        char text[DIGEST_TEXT_MAX];

        digest_init(&digest, rows[i].kind);
        for (unsigned round = 0; round < 3; round++) {
            for (size_t at = 0; at < rows[i].bytes.len; at++) {
                digest_add(&digest, (struct str){ rows[i].bytes.p + at, 1 });
            }
            digest_add(&digest, (struct str){ NULL, 0 });
            assert_string_equal(digest_end(&digest, text), rows[i].text);
        }
        digest_fini(&digest);
        digest_fini(&digest);
    }
}

static void many_bytes_have_a_digest_too(UNUSED void **state)
{
    struct digest digest;
    char text[DIGEST_TEXT_MAX];

    digest_init(&digest, DIGEST_SHA256);
    for (unsigned i = 0; i < 1000; i++) {
        digest_add(&digest, (struct str){ zeros, sizeof(zeros) });
    }
    assert_string_equal(digest_end(&digest, text),
                        "d29751f2649b32ff572b5e0a9f541ea660a50f94ff0beedfb0b692b924cc8025");
    digest_fini(&digest);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(digests_are_those_of_their_standards),
        cmocka_unit_test(bytes_may_come_one_by_one_and_a_digest_is_used_again),
        cmocka_unit_test(many_bytes_have_a_digest_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
