/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The form of a file of URLs that has one a line: see plan/url_file.h.
 */
#ifndef PLAN_URL_LINES_H
#define PLAN_URL_LINES_H

#include "plan/url_reader.h"

enum { URL_LINES_VARIABLES_MAX = 1000 };

void url_lines_read(struct url_reader *reader);

#endif
