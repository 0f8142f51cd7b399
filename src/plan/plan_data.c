/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/plan_data.h"

#include <sys/stat.h>

/* "body.json" where "@body.json" was meant: h2load's --data is a file, curl's is not. */
static bool is_name_of_file(const char *text)
{
    struct stat status;

    return text[0] != '\0' && stat(text, &status) == 0 && S_ISREG(status.st_mode);
}

bool plan_data_load(struct plan *plan, struct err *err)
{
    if (plan->data == NULL) {
        return true;
    }
    if (plan->data[0] == '@') {
        return plan_files_get(&plan->files, plan->data + 1, &plan->body, err);
    }
    if (is_name_of_file(plan->data)) {
        return err_set(err, ERR_USAGE,
                       "--data '%s' is the name of a file: --data @%s sends its contents",
                       plan->data, plan->data);
    }
    plan->body = str_of(plan->data);
    return true;
}
