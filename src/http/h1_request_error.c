/* SPDX-License-Identifier: Apache-2.0 */
#include "http/h1_request_error.h"

#include <assert.h>

#include "base/err.h"

static const struct {
    int status;
    const char *text;
} errors[] = {
#define ERROR_ROW(name, status, text) { status, text },
    H1_REQUEST_ERROR_LIST(ERROR_ROW)
#undef ERROR_ROW
};

static_assert(COUNT_OF(errors) == H1_REQUEST_ERROR_COUNT, "every error has its words");

const char *h1_request_error_text(enum h1_request_error error)
{
    return errors[error].text;
}

int h1_request_error_status(enum h1_request_error error)
{
    return errors[error].status;
}
