/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/curl_word.h"
#include "cmd/run_outputs.h"
#include "plan/plan_options.h"

enum { WORDS_MAX = 8 };

static void the_word_is_found_where_it_is_the_target(UNUSED void **state)
{
    static const struct {
        const char *words[WORDS_MAX];
        int at;
    } cases[] = {
        { { "curl", "http://a/" }, 0 },
        { { "-c", "100", "-d30s", "curl", "-d", "x" }, 3 },
        { { "--connections=5", "--close", "curl" }, 2 },
        { { "--duration", "5s", "-qv", "curl", "curl" }, 3 },
        { { "-qc", "5", "curl" }, 2 },
        { { "--name", "curl", "http://a/" }, -1 },
        { { "-H", "curl", "curl" }, 2 },
        { { "http://a/", "curl" }, -1 },
        { { "--", "curl" }, -1 },
        { { "-", "curl" }, -1 },
        { { "-c", "5" }, -1 },
        { { NULL }, -1 },
    };
    struct opt_set sets[] = { { plan_options, NULL }, { run_outputs_options, NULL } };
    struct opt_spec spec = { .sets = sets, .set_count = 2 };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char *argv[WORDS_MAX + 1] = { NULL };
        int argc = 0;

        for (; argc < WORDS_MAX && cases[i].words[argc] != NULL; argc++) {
            argv[argc] = strdup(cases[i].words[argc]);
        }
        assert_int_equal(curl_word_find(&spec, 0, argc, argv), cases[i].at);
        while (argc > 0) {
            free(argv[--argc]);
        }
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_word_is_found_where_it_is_the_target),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
