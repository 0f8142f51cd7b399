/* SPDX-License-Identifier: Apache-2.0 */
#include "result/redact.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/err.h"

struct line {
    const char *in[3];
    const char *out;
};

static const struct line lines[] = {
    { { "-u", "anna:secret" }, "-u ***" },
    { { "-uanna:secret" }, "-u***" },
    { { "-u=anna:secret" }, "-u=***" },
    { { "-qu", "anna:secret" }, "-qu ***" },
    { { "--user", "anna:secret" }, "--user ***" },
    { { "--user=anna:secret" }, "--user=***" },
    { { "-H", "Authorization: Bearer abc" }, "-H Authorization: ***" },
    { { "-HAuthorization: Bearer abc" }, "-HAuthorization: ***" },
    { { "-H=authorization:abc" }, "-H=authorization: ***" },
    { { "-qHCookie: a=b" }, "-qHCookie: ***" },
    { { "--header", "COOKIE: a=b" }, "--header COOKIE: ***" },
    { { "--header=Proxy-Authorization: Basic x" }, "--header=Proxy-Authorization: ***" },
    { { "-H", "X-Api-Key: 12" }, "-H X-Api-Key: ***" },
    { { "-H", "Accept: text/html" }, "-H Accept: text/html" },
    { { "-H", "Referer: http://u:p@h/x" }, "-H Referer: http://***@h/x" },
    { { "--data", "pin=1234" }, "--data ***" },
    { { "--data=pin=1234" }, "--data=***" },
    { { "--data-raw", "pin=1234" }, "--data-raw ***" },
    { { "--data", "@body.json" }, "--data @body.json" },
    { { "--body", "pin=1234" }, "--body ***" },
    { { "--body=pin=1234" }, "--body=***" },
    { { "http://anna:secret@host/a?b=c@d" }, "http://***@host/a?b=c@d" },
    { { "http://an@na:sec@ret@host" }, "http://***@host" },
    { { "anna:secret@host:80/x" }, "***@host:80/x" },
    { { "-x", "http://u:p@proxy:3128" }, "-x http://***@proxy:3128" },
    { { "-xhttp://u:p@proxy" }, "-xhttp://***@proxy" },
    { { "--proxy=http://u:p@proxy" }, "--proxy=http://***@proxy" },
    { { "--proxy", "u:p@proxy:3128" }, "--proxy ***@proxy:3128" },
    { { "-xu:p@proxy:3128" }, "-x***@proxy:3128" },
    { { "http://h/?back=http://u:p@i/" }, "http://h/?back=http://***@i/" },
    { { "http://host/p@th" }, "http://host/p@th" },
    { { "-c50", "-d", "10s" }, "-c50 -d 10s" },
    { { "-" }, "-" },
    { { "" }, "" },
    { { "-u" }, "-u" },
};

static void secrets_become_stars(UNUSED void **state)
{
    struct buf buf;

    buf_init(&buf, 1000);
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        enum redact_next next = REDACT_NEXT_FREE;

        buf_reset(&buf);
        for (size_t j = 0; j < COUNT_OF(lines[i].in) && lines[i].in[j] != NULL; j++) {
            if (j > 0) {
                buf_putc(&buf, ' ');
            }
            next = redact_argument(str_of(lines[i].in[j]), next, &buf);
        }
        assert_string_equal(buf_str(&buf).p, lines[i].out);
    }
    buf_fini(&buf);
}

static void a_secret_that_looks_like_an_option_is_still_one(UNUSED void **state)
{
    struct buf buf;
    enum redact_next next;

    buf_init(&buf, 1000);
    next = redact_argument(STR("-u"), REDACT_NEXT_FREE, &buf);
    next = redact_argument(STR("--header"), next, &buf);
    assert_int_equal(next, REDACT_NEXT_FREE);
    assert_string_equal(buf_str(&buf).p, "-u***");
    buf_fini(&buf);
}

static void curls_options_have_secrets_of_their_own(UNUSED void **state)
{
    static const struct {
        const char *in[4], *out;
    } cases[] = {
        { { "-d", "a=b" }, "-d ***" },
        { { "-sSLda=b", "x" }, "-sSLd*** x" },
        { { "-d", "@file" }, "-d @file" },
        { { "-b", "sid=1", "-k" }, "-b *** -k" },
        { { "--cookie=sid=1" }, "--cookie=***" },
        { { "-F", "p=1" }, "-F ***" },
        { { "-u", "a:b", "-d", "c" }, "-u *** -d ***" },
        { { "-U", "a:b" }, "-U ***" },
        { { "-E", "cert:pass" }, "-E ***" },
        { { "--json", "{}" }, "--json ***" },
        { { "--oauth2-bearer", "x" }, "--oauth2-bearer ***" },
        { { "--data-urlencode", "a=b" }, "--data-urlencode ***" },
        { { "-H", "Cookie: a", "-H", "A: b" }, "-H Cookie: *** -H A: b" },
        { { "-HAuthorization: x" }, "-HAuthorization: ***" },
        { { "-o", "file", "-X", "PUT" }, "-o file -X PUT" },
        { { "http://a:b@h/", "-xhttp://c:d@p:1" }, "http://***@h/ -xhttp://***@p:1" },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        enum redact_next next = REDACT_NEXT_FREE;
        struct buf buf;

        buf_init(&buf, 1000);
        for (size_t j = 0; j < COUNT_OF(cases[i].in) && cases[i].in[j] != NULL; j++) {
            if (j > 0) {
                buf_putc(&buf, ' ');
            }
            next = redact_curl_argument(str_of(cases[i].in[j]), next, &buf);
        }
        assert_string_equal(buf_str(&buf).p, cases[i].out);
        buf_fini(&buf);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(secrets_become_stars),
        cmocka_unit_test(a_secret_that_looks_like_an_option_is_still_one),
        cmocka_unit_test(curls_options_have_secrets_of_their_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
