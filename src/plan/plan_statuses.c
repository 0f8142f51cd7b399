/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/plan.h"

enum { STATUS_LOW = 100, STATUS_HIGH = 599 };

bool plan_status_good(const struct plan_statuses *statuses, unsigned status)
{
    return status >= STATUS_LOW && status <= STATUS_HIGH &&
           (statuses->bits[status / 64] >> (status % 64) & 1) != 0;
}

static bool parse_status(struct str text, unsigned *ret_status)
{
    uint64_t status;

    if (text.len != 3 || !str_u64(text, &status) || status < STATUS_LOW || status > STATUS_HIGH) {
        return false;
    }
    *ret_status = (unsigned)status;
    return true;
}

/* "200", "300-399" or "2xx" */
static bool parse_range(struct str text, unsigned *ret_low, unsigned *ret_high)
{
    struct str rest = text, low, high;

    if (text.len == 3 && text.p[0] >= '1' && text.p[0] <= '5' &&
        str_eq_nocase(str_from(text, 1), STR("xx"))) {
        *ret_low = (unsigned)(text.p[0] - '0') * 100;
        *ret_high = *ret_low + 99;
        return true;
    }
    (void)str_cut(&rest, '-', &low);
    high = rest.p == NULL ? low : rest;
    return parse_status(low, ret_low) && parse_status(high, ret_high) && *ret_low <= *ret_high;
}

bool plan_statuses_parse(struct str text, struct plan_statuses *ret_statuses, struct err *err)
{
    struct plan_statuses statuses = { 0 };
    struct str rest = { text.p == NULL ? "" : text.p, text.len }, piece;

    while (str_cut(&rest, ',', &piece)) {
        unsigned low, high;

        if (!parse_range(str_trim(piece), &low, &high)) {
            return err_set(err, ERR_USAGE,
                           "'%.*s' is not a status from 100 to 599: write 200,204,300-399 or 2xx",
                           STR_ARG(piece));
        }
        for (unsigned status = low; status <= high; status++) {
            statuses.bits[status / 64] |= UINT64_C(1) << (status % 64);
        }
    }
    *ret_statuses = statuses;
    return true;
}
