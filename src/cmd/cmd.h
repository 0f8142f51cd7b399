/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The commands of brunt. Each is one const object in a file of its own; this module alone prints
 * and decides how the program ends.
 *
 * To add a command `x`: cmd_x.c with `const struct cmd cmd_x`; its row in the table in cmd.c and
 * its line in cmd.h and meson.build; doc/brunt-x.1.scd with a paragraph for each option;
 * tests/it/test_x.py. Nothing else: help, completion and lints walk the table.
 */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include "base/err.h"
#include "opt/opt.h"

/* architecture.md; the first that applies, in this order: 128 + signal, 2, 3, 5, 4, 1, 0. */
enum cmd_exit {
    EXIT_DONE = 0,
    EXIT_MISSED = 1,
    EXIT_USAGE = 2,
    EXIT_NOTHING = 3,
    EXIT_UNDECIDED = 4,
    EXIT_UNWRITTEN = 5,
};

struct cmd_line {
    int argc;
    char **argv; /* the whole line, as the program got it */
    int first;   /* argv[first] is the first word after the command's name */
};

struct cmd {
    const char *name;
    const char *synopsis;            /* without the program's name: "run [TARGET] [OPTION]..." */
    const char *summary;             /* of `brunt help`: half a line, lower case */
    const struct opt *const *tables; /* ended by NULL */
    int (*run)(const struct cmd_line *line); /* gives the exit code */
};

extern const struct cmd cmd_run, cmd_curl, cmd_serve, cmd_ab, cmd_help;

/* A line of `brunt curl`: what follows is curl's from the first word on. */
int cmd_run_curl(const struct cmd_line *line);

/* All of main(). */
int cmd_main(int argc, char **argv);

/* The commands in the order of the help; ended by NULL. */
const struct cmd *const *cmd_table(void);
/* NULL when there is none of that name. */
const struct cmd *cmd_find(const char *name);

/* Parses the words after the command's name; habits may be NULL. On success args need
 * opt_args_fini(). */
bool cmd_parse(const struct cmd_line *line, const struct opt_set *sets, size_t set_count,
               const struct opt_habit *habits, struct opt_args *ret_args,
               struct err *err) MUST_CHECK;

/* Prints "brunt: text" on stderr, in one printable line, and gives the exit code of its kind. */
int cmd_fail(const struct err *err);

#endif
