/* SPDX-License-Identifier: Apache-2.0 */
/* A file of URLs in any form: items are whole, problems are lines that name theirs. */
#include "fuzz.h"
#include "plan/url_file.h"

static void check_item(const struct plan_item *item)
{
    FUZZ_CHECK(item->url.host != NULL && item->url.target != NULL && item->line > 0);
    FUZZ_CHECK(item->method == NULL || item->method[0] != '\0');
    FUZZ_CHECK(item->body_path == NULL || item->body_path[0] != '\0');
    FUZZ_CHECK(item->body_path == NULL || item->body.p == NULL);
    FUZZ_CHECK(item->body_text == NULL || item->body.p == item->body_text);
    for (size_t i = 0; i < item->headers.count; i++) {
        FUZZ_CHECK(item->headers.items[i] != NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct url_file file;
    bool ok = url_file_parse(fuzz_text(data, size), "name", &file);
    struct str rest = buf_str(&file.problems), line;
    size_t told = 0;

    FUZZ_CHECK(ok == (file.problem_count == 0));
    FUZZ_CHECK(!ok || file.count > 0);
    for (size_t i = 0; i < file.count; i++) {
        check_item(&file.items[i]);
    }
    while (str_cut(&rest, '\n', &line) && line.len > 0) {
        FUZZ_CHECK(str_starts(line, STR("name:")));
        told++;
    }
    FUZZ_CHECK(told == (file.problem_count < URL_FILE_PROBLEMS_MAX ? file.problem_count
                                                                   : URL_FILE_PROBLEMS_MAX));
    url_file_fini(&file);
    return 0;
}
