/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "cmd/cmd.h"

/* For the help: it is read with curl's options, by plan. */
static const struct opt curl_own_options[] = {
    { .name = "from",
      .type = OPT_TEXT,
      .arg = "FILE",
      .group = "Besides curl's options and the long ones of brunt run",
      .help = "read the pasted command from FILE; - is standard input" },
    { .name = NULL },
};

static const struct opt *const tables[] = { curl_own_options, NULL };

const struct cmd cmd_curl = {
    .name = "curl",
    .synopsis = "curl CURL-ARGUMENTS... [--OPTION]...",
    .summary = "load what a pasted curl command asks for",
    .tables = tables,
    .run = cmd_run_curl,
};
