/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The form of a file of URLs that has a JSON object a line, as vegeta has it: see plan/url_file.h.
 */
#ifndef PLAN_URL_OBJECTS_H
#define PLAN_URL_OBJECTS_H

#include "plan/url_reader.h"

void url_objects_read(struct url_reader *reader);

#endif
