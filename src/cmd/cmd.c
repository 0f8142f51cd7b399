/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/cmd.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cmd/explain.h"
#include "cmd/output.h"
#include "cmd/printable.h"

enum { COMMANDS_MAX = 32, LINE_MAX = 380 };

static const struct cmd *const commands[] = {
    &cmd_run, &cmd_curl, &cmd_serve, &cmd_ab, &cmd_help, NULL,
};

/* Of the design, for those who read it or a later manual. */
static const char *const later[] = {
    "sweep",  "find",  "compare", "watch", "host",   "record",
    "import", "check", "runs",    "show",  "report", "agent",
};

const struct cmd *const *cmd_table(void)
{
    return commands;
}

const struct cmd *cmd_find(const char *name)
{
    for (size_t i = 0; commands[i] != NULL; i++) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

bool cmd_parse(const struct cmd_line *line, const struct opt_set *sets, size_t set_count,
               const struct opt_habit *habits, struct opt_args *ret_args, struct err *err)
{
    struct opt_spec spec = { sets, set_count, habits };

    return opt_parse(&spec, line->argc - line->first, line->argv + line->first, ret_args, err);
}

int cmd_fail(const struct err *err)
{
    struct str text = str_of(err->text);
    struct buf line;

    buf_init(&line, (size_t)4 * ERR_TEXT_MAX);
    buf_puts(&line, "brunt: ");
    printable_add_line((struct str){ text.p, text.len > LINE_MAX ? LINE_MAX : text.len }, &line);
    buf_puts(&line, text.len > LINE_MAX ? "...\n" : "\n");
    (void)fputs(line.data, stderr);
    buf_fini(&line);
    return err->kind == ERR_USAGE ? EXIT_USAGE : EXIT_NOTHING;
}

/* A word that could only be a command: a host has a dot or a port, a URL a colon. */
static bool looks_like_command(const char *word)
{
    if (strcmp(word, "self") == 0 || strcmp(word, "localhost") == 0 || word[0] == '-') {
        return false;
    }
    return word[0] != '\0' && strspn(word, "abcdefghijklmnopqrstuvwxyz-") == strlen(word);
}

static int refuse_command(const char *word)
{
    struct opt names[COMMANDS_MAX] = { { .name = NULL } };
    struct opt_set set = { names, NULL };
    struct opt_spec spec = { &set, 1, NULL };
    struct err err;
    const char *near;

    for (size_t i = 0; i < COUNT_OF(later); i++) {
        if (strcmp(later[i], word) == 0) {
            (void)err_set(&err, ERR_USAGE, "'%s' is not in this version yet", word);
            return cmd_fail(&err);
        }
    }
    for (size_t i = 0; commands[i] != NULL && i + 1 < COMMANDS_MAX; i++) {
        names[i].name = commands[i]->name;
    }
    near = opt_nearest(&spec, str_of(word));
    if (near != NULL) {
        (void)err_set(&err, ERR_USAGE, "unknown command '%s': did you mean %s?", word, near);
    } else {
        (void)err_set(&err, ERR_USAGE,
                      "unknown command '%s': brunt help lists them; a host of this name is "
                      "http://%s/",
                      word, word);
    }
    return cmd_fail(&err);
}

/* -h and --help of every command, wherever they stand. */
static bool asks_for_help(const struct cmd_line *line)
{
    for (int i = line->first; i < line->argc; i++) {
        if (strcmp(line->argv[i], "--") == 0) {
            return false;
        }
        if (strcmp(line->argv[i], "--help") == 0 || strcmp(line->argv[i], "-h") == 0) {
            return true;
        }
    }
    return false;
}

static int run_command(const struct cmd *command, struct cmd_line line)
{
    char help[] = "help";
    char name[32];
    char *words[] = { line.argv[0], help, name, NULL };

    if (!asks_for_help(&line)) {
        return command->run(&line);
    }
    str_copy(name, sizeof(name), str_of(command->name));
    return cmd_help.run(&(struct cmd_line){ .argc = 3, .argv = words, .first = 2 });
}

static int print(struct str text)
{
    struct err err;

    if (!output_write("-", text, &err)) {
        (void)cmd_fail(&err);
        return EXIT_UNWRITTEN;
    }
    return EXIT_DONE;
}

int cmd_main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    const struct cmd *command = cmd_find(word);

    /* A reader that went away is a failed write, with an exit code of its own. */
    (void)signal(SIGPIPE, SIG_IGN);
    if (argc < 2) {
        (void)fputs("usage: brunt [run] TARGET [OPTION]...\n"
                    "       brunt help [COMMAND]\n"
                    "To see it work without a server at hand: brunt run\n",
                    stderr);
        return EXIT_USAGE;
    }
    if (command != NULL) {
        return run_command(command, (struct cmd_line){ argc, argv, 2 });
    }
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        return print(STR("brunt " BRUNT_VERSION "\n"));
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        return cmd_help.run(&(struct cmd_line){ argc > 2 ? 2 : argc, argv, 2 });
    }
    if (strcmp(word, "--explain") == 0 && argc == 2) {
        struct buf buf;
        int code;

        buf_init(&buf, 1 << 16);
        explain_text(&buf);
        code = print(buf_str(&buf));
        buf_fini(&buf);
        return code;
    }
    if (looks_like_command(word)) {
        return refuse_command(word);
    }
    return run_command(&cmd_run, (struct cmd_line){ argc, argv, 1 });
}
