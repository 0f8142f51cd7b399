/* SPDX-License-Identifier: Apache-2.0 */
#include "verdict/judge.h"

#include "verdict/slo.h"
#include "verdict/validity.h"

enum { EXIT_DONE = 0, EXIT_SLO_MISSED = 1, EXIT_NOTHING_MEASURED = 3, EXIT_NOT_CARRIED = 4 };

/* SLOs that the user gave; the errors<1% that they imply counts with them but not alone. */
static bool slo_given(const struct plan *plan)
{
    for (size_t i = 0; i < plan->slo_count; i++) {
        if (!plan->slos[i].implied) {
            return true;
        }
    }
    return false;
}

static bool slo_any(const struct result *result, enum slo_state state)
{
    for (size_t i = 0; i < result->plan->slo_count; i++) {
        if (result->slo[i].state == state) {
            return true;
        }
    }
    return false;
}

static int exit_code(const struct result *result)
{
    bool given = slo_given(result->plan);

    /* An answer to the ramp alone measured nothing. */
    if (result->counts.ok == 0) {
        return EXIT_NOTHING_MEASURED;
    }
    if ((given || result->plan->strict) && !result->valid) {
        return EXIT_NOT_CARRIED;
    }
    if (given && slo_any(result, SLO_MISSED)) {
        return EXIT_SLO_MISSED;
    }
    /* A promise that nothing was measured for is not kept either. */
    return given && slo_any(result, SLO_NO_DATA) ? EXIT_NOT_CARRIED : EXIT_DONE;
}

void judge_result(struct result *result)
{
    result_add_paced(result);
    slo_judge(result);
    validity_judge(result);
    result->exit_code = exit_code(result);
}
