/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The values of a plan's options that are more than a number, a time or a text: what the option
 * table's rows of type OPT_CUSTOM name. ERR_USAGE says what is wrong and what to write; the field
 * is the row's, or the whole plan for a row with offset 0.
 */
#ifndef PLAN_PLAN_VALUES_H
#define PLAN_PLAN_VALUES_H

#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"

/* A year: a limit against slips, not against patience. */
#define PLAN_VALUES_LONGEST_NS (365 * 24 * 3600 * SEC_NS)

bool plan_values_measured(struct str text, void *field, struct err *err);
bool plan_values_warmup(struct str text, void *field, struct err *err);
bool plan_values_threads(struct str text, void *field, struct err *err);
bool plan_values_http(struct str text, void *field, struct err *err);
bool plan_values_expect_status(struct str text, void *field, struct err *err);
bool plan_values_expect_length(struct str text, void *field, struct err *err);
bool plan_values_slo(struct str text, void *field, struct err *err);
bool plan_values_seed(struct str text, void *field, struct err *err);
bool plan_values_tag(struct str text, void *field, struct err *err);
bool plan_values_connect_to(struct str text, void *field, struct err *err);
bool plan_values_resolve(struct str text, void *field, struct err *err);
bool plan_values_server(struct str text, void *field, struct err *err);
bool plan_values_on_off(struct str text, void *field, struct err *err);
bool plan_values_tls_version(struct str text, void *field, struct err *err);

#endif
