/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/buf.h"
#include "plan/shell_words.h"

static void a_pasted_line_becomes_the_words_of_a_shell(UNUSED void **state)
{
    static const struct {
        const char *text, *words; /* each ended by | */
    } cases[] = {
        { "", "" },
        { " curl  a\tb \n", "curl|a|b|" },
        { "curl 'a b' \"c d\" e\\ f", "curl|a b|c d|e f|" },
        { "curl 'a'\"b\"c ''", "curl|abc||" },
        { "curl \\\n  -H 'x: y' \\\r\n  'z'\n\n", "curl|-H|x: y|z|" },
        { "curl 'it'\\''s'", "curl|it's|" },
        { "curl \"a\\\"b\\\\c\\d$\"", "curl|a\"b\\c\\d$|" },
        { "curl $'a\\'b\\n\\t\\\\\\x41\\101\\u0021\\u00fc'", "curl|a'b\n\t\\AA!\xc3\xbc|" },
        { "curl $'\\ud83d\\ude00' $'\\U0001F600' $'\\u20ac'",
          "curl|\xf0\x9f\x98\x80|\xf0\x9f\x98\x80|\xe2\x82\xac|" },
        { "curl $'\\q\\e' $\"a\"", "curl|\\q\033|a|" },
        { "curl 'http://a/?x=1&y=$z' # done", "curl|http://a/?x=1&y=$z|" },
        { "curl a#b ^ 5$", "curl|a#b|^|5$|" },
        { "curl 'a\nb'", "curl|a\nb|" },
        { "curl ^\"http://a/?x=1^&y=2^\" ^\n  -H ^\"a: b^\" ^\n  --data-raw "
          "^\"^{^\\^\"a^\\^\":1^}^\"",
          "curl|http://a/?x=1&y=2|-H|a: b|--data-raw|{\"a\":1}|" },
        { "curl ^\"a^\" ^\r\n  --data-raw ^\"x^\n\ny^%^41^\"", "curl|a|--data-raw|x\ny%41|" },
        { "curl \"http://a/?x=1&y=^2\" ^\n -H \"a: \\\"b\\\\\"",
          "curl|http://a/?x=1&y=^2|-H|a: \"b\\|" },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct opt_texts words;
        struct buf buf;
        struct err err;
        bool ok = shell_words_split(str_of(cases[i].text), &words, &err);

        if (!ok) {
            fail_msg("%s: %s", cases[i].text, err.text);
        }
        buf_init(&buf, 4096);
        buf_puts(&buf, "");
        for (size_t k = 0; k < words.count; k++) {
            buf_printf(&buf, "%s|", words.items[k]);
        }
        if (!str_eq(buf_str(&buf), str_of(cases[i].words))) {
            fail_msg("%s: %s", cases[i].text, buf.data);
        }
        buf_fini(&buf);
        opt_texts_fini(&words);
    }
}

static void what_only_a_shell_can_do_is_refused(UNUSED void **state)
{
    static const struct {
        const char *text, *hint;
    } cases[] = {
        { "curl 'a", "the quote ' of word 2 has no end" },
        { "curl \"a", "quote \"" },
        { "curl $'a\\'", "quote $'" },
        { "curl ^\"a", "quote \"" },
        { "curl $URL", "word 2 has a part that only a shell" },
        { "curl \"http://$HOST/\"", "only a shell" },
        { "curl ${X}", "only a shell" },
        { "curl $(cat x)", "only a shell" },
        { "curl `cat x`", "only a shell" },
        { "curl a | jq .", "| after word 2" },
        { "curl http://a/?x=1&y=2", "& after word 2" },
        { "curl a > b", "> after word 2" },
        { "curl a; ls", "; after word 2" },
        { "curl a\nls", "a second command begins after word 2" },
        { "curl $'a\\x00b'", "zero byte in word 2" },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct opt_texts words;
        struct err err = { 0 };

        if (shell_words_split(str_of(cases[i].text), &words, &err)) {
            fail_msg("'%s' was taken", cases[i].text);
        }
        assert_int_equal(err.kind, ERR_USAGE);
        if (strstr(err.text, cases[i].hint) == NULL) {
            fail_msg("'%s' does not say '%s'", err.text, cases[i].hint);
        }
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pasted_line_becomes_the_words_of_a_shell),
        cmocka_unit_test(what_only_a_shell_can_do_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
