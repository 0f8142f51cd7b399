/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/url_reader.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/mem.h"

enum { FIRST_ROOM = 64, PROBLEM_BYTES_MAX = 400, METHOD_BYTES_MAX = 64 };

static bool stop(struct url_reader *reader)
{
    reader->rest = (struct str){ NULL, 0 };
    return false;
}

/* The next line as it is; false after the last, and when it is over a limit. */
static bool cut_line(struct url_reader *reader, struct str *ret_line)
{
    struct str line;

    if (!str_cut(&reader->rest, '\n', &line)) {
        return false;
    }
    if (reader->line == URL_FILE_LINES_MAX) {
        /* A last line break is no line. */
        if (reader->rest.p != NULL || line.len > 0) {
            (void)url_reader_refuse(reader, "the file has more than %d lines", URL_FILE_LINES_MAX);
        }
        return stop(reader);
    }
    reader->line++;
    line = str_trim(line);
    if (line.len > URL_FILE_LINE_MAX) {
        (void)url_reader_refuse(reader, "the line is longer than %d KiB", URL_FILE_LINE_MAX >> 10);
        return stop(reader);
    }
    *ret_line = line;
    return true;
}

bool url_reader_next(struct url_reader *reader, struct str *ret_line)
{
    struct str line;

    while (cut_line(reader, &line)) {
        if (str_find(line, '\0') == line.len) {
            *ret_line = line;
            return true;
        }
        (void)url_reader_refuse(reader, "there is a zero byte in the line: is the file a text?");
    }
    return false;
}

bool url_reader_is_idle(struct str line)
{
    return line.len == 0 || line.p[0] == '#';
}

struct plan_item *url_reader_add(struct url_reader *reader, struct str text)
{
    struct url_file *file = &reader->file;
    struct plan_item *item;
    struct url url;
    struct err err;

    if (!url_parse(text, &url, &err)) {
        (void)url_reader_refuse(reader, "%s", err.text);
        return NULL;
    }
    if (file->count == reader->room) {
        reader->room = reader->room == 0 ? FIRST_ROOM : 2 * reader->room;
        file->items = mem_resize(file->items, reader->room, sizeof(*file->items));
    }
    item = &file->items[file->count++];
    *item = (struct plan_item){ .url = url, .line = reader->line };
    return item;
}

bool url_reader_set_method(struct url_reader *reader, struct plan_item *item, struct str method)
{
    if (method.len == 0 || method.len > METHOD_BYTES_MAX) {
        return url_reader_refuse(reader, "the method is %s",
                                 method.len == 0 ? "empty" : "longer than 64 bytes");
    }
    mem_free(item->method);
    item->method = mem_strndup(method.p, method.len);
    return true;
}

bool url_reader_refuse(struct url_reader *reader, const char *format, ...)
{
    struct buf *problems = &reader->file.problems;
    char text[PROBLEM_BYTES_MAX];
    va_list arguments;

    reader->file.problem_count++;
    if (reader->file.problem_count > URL_FILE_PROBLEMS_MAX) {
        return false;
    }
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    buf_printf(problems, "%.256s:%u: ", reader->name, reader->line == 0 ? 1 : reader->line);
    for (const char *at = text; *at != '\0'; at++) {
        buf_putc(problems, *at == '\n' ? ' ' : *at);
    }
    buf_putc(problems, '\n');
    return false;
}
