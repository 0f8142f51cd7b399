/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The options of curl and what becomes of each.
 */
#ifndef PLAN_CURL_OPTIONS_H
#define PLAN_CURL_OPTIONS_H

#include <stdbool.h>

#include "base/str.h"

enum curl_kind {
    CURL_OPTION_IGNORED, /* changes nothing of the requests */
    CURL_OPTION_REFUSED, /* `as` is the reason */
    CURL_OPTION_PLAN,    /* is brunt's option `as`, or with a fixed value "as=value" */
    CURL_OPTION_URL,
    CURL_OPTION_METHOD,
    CURL_OPTION_HEADER,
    CURL_OPTION_FIELD, /* a header of the name `as` */
    CURL_OPTION_COOKIE,
    CURL_OPTION_DATA,
    CURL_OPTION_DATA_RAW,
    CURL_OPTION_DATA_BINARY,
    CURL_OPTION_DATA_URLENCODE,
    CURL_OPTION_JSON,
    CURL_OPTION_FORM,
    CURL_OPTION_FORM_STRING,
    CURL_OPTION_UPLOAD,
    CURL_OPTION_GET,
    CURL_OPTION_HEAD,
    CURL_OPTION_GLOB_OFF,
    CURL_OPTION_FROM, /* brunt's own: where the command line is */
};

struct curl_option {
    char letter; /* '\0': none */
    const char *name;
    bool value; /* takes one */
    enum curl_kind kind;
    const char *as;
};

/* NULL when there is none of that name, or letter. */
const struct curl_option *curl_options_find(struct str name);
const struct curl_option *curl_options_find_letter(char letter);

#endif
