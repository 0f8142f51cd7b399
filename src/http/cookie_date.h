/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The date of a cookie's Expires, in any of the forms that servers write (RFC 6265 section 5.1.1):
 * the parts are told by their looks and not by their place, and the day of the week and the time
 * zone are not looked at.
 */
#ifndef HTTP_COOKIE_DATE_H
#define HTTP_COOKIE_DATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Seconds since 1970, negative before it. False when a part is missing or out of its range. */
bool cookie_date_parse(struct str text, int64_t *ret_s);

#endif
