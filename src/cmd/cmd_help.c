/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "cmd/cmd.h"
#include "cmd/output.h"

enum { TABLES_MAX = 4, COMMANDS_MAX = 32, TEXT_BYTES_MAX = 1 << 20 };

struct help_config {
    bool options;
    int completion; /* index of the shell; -1: none */
};

static const char *const shells[] = { "bash", NULL };

static const struct opt help_options[] = {
    { .name = "options",
      .type = OPT_SWITCH,
      .offset = offsetof(struct help_config, options),
      .group = "Options",
      .help = "every spelling of the command's options, one a line" },
    { .name = "completion",
      .type = OPT_CHOICE,
      .choices = shells,
      .offset = offsetof(struct help_config, completion),
      .arg = "SHELL",
      .group = "Options",
      .help = "a script that completes commands and options" },
    { .name = NULL },
};

/* A command's options as opt sees them, without a place to parse into. */
static struct opt_spec spec_of(const struct cmd *command, struct opt_set *sets)
{
    struct opt_spec spec = { .sets = sets };

    while (spec.set_count < TABLES_MAX && command->tables[spec.set_count] != NULL) {
        sets[spec.set_count] = (struct opt_set){ .rows = command->tables[spec.set_count] };
        spec.set_count++;
    }
    return spec;
}

static void write_overview(struct buf *buf)
{
    buf_puts(buf, "usage: brunt [run] TARGET [OPTION]...\n"
                  "       brunt COMMAND [OPTION]...\n\n"
                  "Loads a web server and says how it answers, and whether to trust the numbers.\n"
                  "\nCommands\n");
    for (const struct cmd *const *command = cmd_table(); *command != NULL; command++) {
        buf_printf(buf, "  %-10s %s\n", (*command)->name, (*command)->summary);
    }
    buf_puts(buf, "\nbrunt help COMMAND lists a command's options, brunt --explain says what each\n"
                  "number of a report is, brunt --version which brunt this is.\n");
}

static void write_command(const struct cmd *command, struct buf *buf)
{
    struct opt_set sets[TABLES_MAX];
    struct opt_spec spec = spec_of(command, sets);

    buf_printf(buf, "usage: brunt %s\n\n", command->synopsis);
    if (command->summary[0] >= 'a' && command->summary[0] <= 'z') {
        buf_putc(buf, (char)(command->summary[0] - ('a' - 'A')));
        buf_printf(buf, "%s.\n", command->summary + 1);
    } else {
        buf_printf(buf, "%s.\n", command->summary);
    }
    opt_help(&spec, buf);
}

static void write_completion(struct buf *buf)
{
    static struct opt_set sets[COMMANDS_MAX][TABLES_MAX];
    struct opt_command list[COMMANDS_MAX];
    size_t count = 0;

    for (const struct cmd *const *command = cmd_table(); *command != NULL && count < COMMANDS_MAX;
         command++) {
        list[count].name = (*command)->name;
        list[count].spec = spec_of(*command, sets[count]);
        count++;
    }
    opt_complete_bash("brunt", list, count, buf);
}

static bool write_help(const struct help_config *config, const struct opt_args *args,
                       struct buf *buf, struct err *err)
{
    const struct cmd *command = args->count > 0 ? cmd_find(args->items[0]) : NULL;
    struct opt_set sets[TABLES_MAX];
    struct opt_spec spec;

    if (args->count > 1) {
        return err_set(err, ERR_USAGE, "help on one command at a time, not also '%s'",
                       args->items[1]);
    }
    if (args->count == 1 && command == NULL) {
        return err_set(err, ERR_USAGE, "there is no command '%s': brunt help lists them",
                       args->items[0]);
    }
    if (config->completion >= 0) {
        write_completion(buf);
        return true;
    }
    if (config->options) {
        if (command == NULL) {
            return err_set(err, ERR_USAGE, "--options of which command? brunt help --options run");
        }
        spec = spec_of(command, sets);
        opt_list(&spec, buf);
        return true;
    }
    if (command == NULL) {
        write_overview(buf);
    } else {
        write_command(command, buf);
    }
    return true;
}

static int run(const struct cmd_line *line)
{
    struct help_config config = { .completion = -1 };
    struct opt_set set = { help_options, &config };
    struct opt_args args;
    struct err err;
    struct buf buf;
    int code = EXIT_DONE;

    if (!cmd_parse(line, &set, 1, NULL, &args, &err)) {
        return cmd_fail(&err);
    }
    buf_init(&buf, TEXT_BYTES_MAX);
    if (!write_help(&config, &args, &buf, &err)) {
        code = cmd_fail(&err);
    } else if (!output_write("-", buf_str(&buf), &err)) {
        (void)cmd_fail(&err);
        code = EXIT_UNWRITTEN;
    }
    buf_fini(&buf);
    opt_args_fini(&args);
    return code;
}

static const struct opt *const tables[] = { help_options, NULL };

const struct cmd cmd_help = {
    .name = "help",
    .synopsis = "help [COMMAND] [OPTION]...",
    .summary = "help on brunt and its commands",
    .tables = tables,
    .run = run,
};
