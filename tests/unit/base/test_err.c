/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "base/err.h"

static void setting_one_answers_false_and_keeps_errno(UNUSED void **state)
{
    struct err err;

    errno = ENOENT;
    assert_false(err_set(&err, ERR_SYSTEM, "cannot open '%s': %m", "x"));
    assert_int_equal(err.kind, ERR_SYSTEM);
    assert_int_equal(err.errno_code, ENOENT);
    assert_string_equal(err.text, "cannot open 'x': No such file or directory");
}

static void a_prefix_says_where(UNUSED void **state)
{
    struct err err;

    (void)err_set(&err, ERR_USAGE, "'x' is not a time");
    assert_false(err_prefix(&err, "--timeout"));
    assert_string_equal(err.text, "--timeout: 'x' is not a time");
    assert_int_equal(err.kind, ERR_USAGE);
}

static void long_texts_are_cut_and_stay_ended(UNUSED void **state)
{
    struct err err;
    char text[2 * ERR_TEXT_MAX];

    memset(text, 'a', sizeof(text));
    text[sizeof(text) - 1] = '\0';
    (void)err_set(&err, ERR_USAGE, "%s", text);
    assert_int_equal(strlen(err.text), ERR_TEXT_MAX - 1);
    assert_false(err_prefix(&err, "where"));
    assert_int_equal(strlen(err.text), ERR_TEXT_MAX - 1);
    assert_memory_equal(err.text, "where: aaa", 10);
    assert_false(err_prefix(&err, "%s", text));
    assert_int_equal(strlen(err.text), ERR_TEXT_MAX - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(setting_one_answers_false_and_keeps_errno),
        cmocka_unit_test(a_prefix_says_where),
        cmocka_unit_test(long_texts_are_cut_and_stay_ended),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
