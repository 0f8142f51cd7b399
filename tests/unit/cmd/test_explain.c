/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/fail.h"
#include "cmd/explain.h"
#include "result/result.h"

static void every_time_and_every_cause_has_its_sentence(UNUSED void **state)
{
    struct buf buf;

    buf_init(&buf, 1 << 16);
    explain_text(&buf);
    assert_false(buf.overflow);
    for (enum latency latency = 0; latency < LATENCY_COUNT; latency++) {
        assert_non_null(strstr(buf.data, latency_word(latency)));
        assert_non_null(strstr(buf.data, latency_text(latency)));
    }
    for (enum fail fail = 0; fail < FAIL_COUNT; fail++) {
        assert_non_null(strstr(buf.data, fail_word(fail)));
        assert_non_null(strstr(buf.data, fail_text(fail)));
    }
    buf_fini(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_time_and_every_cause_has_its_sentence),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
