/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/url_file.h"

#include "base/mem.h"
#include "plan/url_blocks.h"
#include "plan/url_lines.h"
#include "plan/url_objects.h"
#include "plan/url_reader.h"

enum { PROBLEM_LINES_BYTES = 1 << 20 };

/* The first line that says something; empty when none does. */
static struct str first_line(struct str text)
{
    struct str line;

    while (str_cut(&text, '\n', &line)) {
        line = str_trim(line);
        if (!url_reader_is_idle(line)) {
            return line;
        }
    }
    return (struct str){ "", 0 };
}

bool url_file_parse(struct str text, const char *name, struct url_file *ret_file)
{
    struct url_reader reader = { .name = name };
    struct str line;

    if (str_starts(text, STR("\xef\xbb\xbf"))) {
        text = str_from(text, 3);
    }
    reader.rest = text;
    buf_init(&reader.file.problems, PROBLEM_LINES_BYTES);
    line = first_line(text);
    if (str_starts(line, STR("{"))) {
        url_objects_read(&reader);
    } else if (url_blocks_begin(line)) {
        url_blocks_read(&reader);
    } else {
        url_lines_read(&reader);
    }
    if (reader.file.count == 0 && reader.file.problem_count == 0) {
        reader.line = 1;
        (void)url_reader_refuse(&reader, "there is no URL in it");
    }
    *ret_file = reader.file;
    return reader.file.problem_count == 0;
}

void url_file_fini(struct url_file *file)
{
    for (size_t i = 0; i < file->count; i++) {
        plan_item_fini(&file->items[i]);
    }
    mem_free(file->items);
    buf_fini(&file->problems);
    *file = (struct url_file){ 0 };
}
