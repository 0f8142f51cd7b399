/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether the numbers of a result add up: what is counted in two places must be the same in both.
 * A result that fails here is wrong by a mistake of this program, whatever the server did.
 */
#ifndef VERDICT_AUDIT_H
#define VERDICT_AUDIT_H

#include <stddef.h>

#include "result/result.h"

/* How many laws were broken; *ret_first is one of them in words, or NULL. */
size_t audit_broken(const struct result *result, const char **ret_first);

#endif
