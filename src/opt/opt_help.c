/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "opt/opt.h"

enum { COLUMNS = 80, TEXT_COLUMN = 27, SPELLING_MAX = 200, TEXT_MAX = 1000 };

/* "  -c, --connections N" */
static void write_spelling(const struct opt *row, struct buf *buf)
{
    const char *separator = "  ";

    for (const char *letter = row->letters; letter != NULL && *letter != '\0'; letter++) {
        buf_printf(buf, "%s-%c", separator, *letter);
        separator = ", ";
    }
    if (row->letters == NULL) {
        separator = "      ";
    }
    buf_printf(buf, "%s--%s", separator, row->name);
    if (opt_takes_value(row)) {
        buf_printf(buf, " %s", row->arg);
    }
}

static void write_text(const struct opt *row, struct buf *buf)
{
    const char *without = row->without != NULL ? row->without : row->def;
    struct str rest = str_of(row->aliases), alias;

    buf_puts(buf, row->help);
    while (str_cut(&rest, ',', &alias)) {
        buf_printf(buf, "; also --%.*s", STR_ARG(alias));
    }
    if (row->type == OPT_CHOICE) {
        for (int i = 0; row->choices[i] != NULL; i++) {
            buf_printf(buf, "%s%s", i == 0 ? ": " : ", ", row->choices[i]);
        }
    }
    if (without != NULL) {
        buf_printf(buf, " (%s)", without);
    }
}

static void write_wrapped(struct str text, size_t column, struct buf *buf)
{
    struct str rest = text, word;

    while (str_cut(&rest, ' ', &word)) {
        if (column > TEXT_COLUMN && column + 1 + word.len > COLUMNS) {
            buf_printf(buf, "\n%*s", TEXT_COLUMN, "");
            column = TEXT_COLUMN;
        } else if (column > TEXT_COLUMN) {
            buf_putc(buf, ' ');
            column++;
        }
        buf_add_str(buf, word);
        column += word.len;
    }
    buf_putc(buf, '\n');
}

static void write_row(const struct opt *row, struct buf *buf)
{
    struct buf spelling, text;

    buf_init(&spelling, SPELLING_MAX);
    buf_init(&text, TEXT_MAX);
    write_spelling(row, &spelling);
    write_text(row, &text);
    buf_add_str(buf, buf_str(&spelling));
    if (spelling.len + 2 > TEXT_COLUMN) {
        buf_printf(buf, "\n%*s", TEXT_COLUMN, "");
    } else {
        buf_printf(buf, "%*s", (int)(TEXT_COLUMN - spelling.len), "");
    }
    write_wrapped(buf_str(&text), TEXT_COLUMN, buf);
    buf_fini(&spelling);
    buf_fini(&text);
}

static bool same_group(const struct opt *a, const struct opt *b)
{
    return strcmp(a->group, b->group) == 0;
}

/* Whether an earlier row of any set has opened this row's group. */
static bool group_seen(const struct opt_spec *spec, const struct opt *row)
{
    for (size_t s = 0; s < spec->set_count; s++) {
        for (const struct opt *other = spec->sets[s].rows; other->name != NULL; other++) {
            if (other == row) {
                return false;
            }
            if (same_group(other, row)) {
                return true;
            }
        }
    }
    return false;
}

static void write_group(const struct opt_spec *spec, const struct opt *first, struct buf *buf)
{
    buf_printf(buf, "\n%s\n", first->group);
    for (size_t s = 0; s < spec->set_count; s++) {
        for (const struct opt *row = spec->sets[s].rows; row->name != NULL; row++) {
            if (same_group(row, first)) {
                write_row(row, buf);
            }
        }
    }
}

void opt_help(const struct opt_spec *spec, struct buf *buf)
{
    for (size_t s = 0; s < spec->set_count; s++) {
        for (const struct opt *row = spec->sets[s].rows; row->name != NULL; row++) {
            if (!group_seen(spec, row)) {
                write_group(spec, row, buf);
            }
        }
    }
}

static void list_row(const struct opt *row, const char *end, struct buf *buf)
{
    struct str rest = str_of(row->aliases), alias;

    buf_printf(buf, "--%s%s", row->name, end);
    for (const char *letter = row->letters; letter != NULL && *letter != '\0'; letter++) {
        buf_printf(buf, "-%c%s", *letter, end);
    }
    while (str_cut(&rest, ',', &alias)) {
        buf_printf(buf, "--%.*s%s", STR_ARG(alias), end);
    }
}

static void list_rows(const struct opt_spec *spec, const char *end, struct buf *buf)
{
    for (size_t s = 0; s < spec->set_count; s++) {
        for (const struct opt *row = spec->sets[s].rows; row->name != NULL; row++) {
            list_row(row, end, buf);
        }
    }
}

void opt_list(const struct opt_spec *spec, struct buf *buf)
{
    list_rows(spec, "\n", buf);
}

/* After an option with choices only they are offered. */
static void complete_choices(const struct opt_spec *spec, struct buf *buf)
{
    for (size_t s = 0; s < spec->set_count; s++) {
        for (const struct opt *row = spec->sets[s].rows; row->name != NULL; row++) {
            if (row->type != OPT_CHOICE) {
                continue;
            }
            buf_printf(buf, "        --%s) files=no words='", row->name);
            for (int i = 0; row->choices[i] != NULL; i++) {
                buf_printf(buf, "%s%s", i == 0 ? "" : " ", row->choices[i]);
            }
            buf_puts(buf, "' ;;\n");
        }
    }
}

static void complete_command(const struct opt_command *command, const char *pattern,
                             struct buf *buf)
{
    buf_printf(buf, "    %s)\n        case $last in\n", pattern);
    complete_choices(&command->spec, buf);
    buf_puts(buf, "        *) words='");
    list_rows(&command->spec, " ", buf);
    buf_puts(buf, "' ;;\n        esac ;;\n");
}

void opt_complete_bash(const char *program, const struct opt_command *commands, size_t count,
                       struct buf *buf)
{
    buf_printf(buf, "_%s() {\n", program);
    buf_puts(buf, "    local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD-1]}\n"
                  "    local words= names= files=yes\n"
                  "    case ${COMP_WORDS[1]} in\n");
    for (size_t i = 1; i < count; i++) {
        complete_command(&commands[i], commands[i].name, buf);
    }
    complete_command(&commands[0], "*", buf);
    buf_puts(buf, "    esac\n    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        files=no names='");
    for (size_t i = 0; i < count; i++) {
        buf_printf(buf, "%s%s", i == 0 ? "" : " ", commands[i].name);
    }
    buf_puts(buf, "'\n    fi\n"
                  "    if [ $files = no ] || [[ $word == -* ]]; then\n"
                  "        mapfile -t COMPREPLY < <(compgen -W \"${names:-$words}\" -- \"$word\")\n"
                  "        [[ $word == -* ]] && mapfile -t COMPREPLY < <(compgen -W \"$words\" -- "
                  "\"$word\")\n"
                  "    else\n"
                  "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
                  "    fi\n");
    buf_printf(buf, "}\ncomplete -F _%s %s\n", program, program);
}
