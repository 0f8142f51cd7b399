/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/err.h"
#include "opt/opt_texts.h"

static void texts_are_copied_in_order(UNUSED void **state)
{
    struct opt_texts texts = { 0 };
    char word[] = "abc";

    opt_texts_add(&texts, (struct str){ word, 2 });
    opt_texts_add(&texts, STR(""));
    word[0] = 'x';
    assert_int_equal(texts.count, 2);
    assert_string_equal(texts.items[0], "ab");
    assert_string_equal(texts.items[1], "");
    opt_texts_fini(&texts);
    assert_int_equal(texts.count, 0);
    assert_null(texts.items);
    opt_texts_fini(&texts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_copied_in_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
