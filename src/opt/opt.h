/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Options as rows of a table. One row drives parsing, defaults, help, completion and the checks of
 * the man pages, so that they cannot drift apart. This module knows no option.
 *
 * A command has one or more sets: a table of rows and the struct they fill. Life cycle of a set's
 * struct: zeroed by its owner, opt_defaults(), opt_parse(), use, opt_fini(). Texts are owned
 * copies.
 *
 * The words of a command line: `--name value`, `--name=value`, `-c 50`, `-c50`, `-c=50`, switches
 * in a row (`-qv`), options after positional arguments, `--` ends the options, `-` is positional.
 * A switch is turned off again by `--no-name`. The last of several values counts, but for texts.
 *
 * To add an option: one row in a table, one field in its struct, one paragraph in the man page.
 */
#ifndef OPT_OPT_H
#define OPT_OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "opt/opt_texts.h"

enum opt_type {
    OPT_SWITCH,   /* bool, takes no value */
    OPT_VALUE,    /* an enum or int set to row->value, once: takes no value */
    OPT_ALREADY,  /* asks for what is so anyway: takes no value, has no field */
    OPT_COUNT,    /* int64_t: 100, 10k, 2M */
    OPT_DURATION, /* int64_t ns */
    OPT_U64,      /* uint64_t, plain digits */
    OPT_TEXT,     /* char *, owned */
    OPT_TEXTS,    /* struct opt_texts */
    OPT_CHOICE,   /* an enum: the index into row->choices */
    OPT_CUSTOM,   /* whatever row->parse makes of it */
};

struct opt {
    const char *name;    /* long name without dashes; NULL in the row that ends a table */
    const char *letters; /* "rR": each is a short form; NULL: none */
    const char *aliases; /* further long names, separated by commas; NULL: none */
    enum opt_type type;
    size_t offset;              /* of the field in the set's struct */
    const char *arg;            /* the value's name in the help: "N", "T", "FILE" */
    const char *def;            /* the default, through the same parser; NULL: zero */
    const char *without;        /* what holds without it, as text for the help; def when NULL */
    int64_t min, max;           /* of COUNT and DURATION; max 0: no limit but the type's */
    const char *const *choices; /* ended by NULL */
    int value;
    bool empty_allowed; /* TEXT, TEXTS: otherwise "" is refused, it is an unset "$VAR" */
    /* field points into the set's struct; the text need not outlive the call */
    bool (*parse)(struct str text, void *field, struct err *err);
    const char *group; /* heading in the help */
    const char *help;  /* lower case, no full stop */
};

struct opt_set {
    const struct opt *rows; /* ended by a row without a name */
    void *config;           /* NULL where nothing is parsed: help, completion */
};

/*
 * What hands that learnt another tool type. Looked at before the tables, so that a spelling which
 * is also an option of ours can be caught by its value.
 */
struct opt_habit {
    const char *option;             /* "-k", "--vus", "-disable-keepalive" */
    bool (*when)(struct str value); /* NULL: always; value.p is NULL when there is none */
    const char *text;               /* what to write instead */
};

struct opt_spec {
    const struct opt_set *sets;
    size_t set_count;
    const struct opt_habit *habits; /* ended by a row without an option; NULL: none */
};

/* An option with a value as it was given. */
struct opt_use {
    const struct opt *row;
    const char *word; /* the argument that named it: "-t", "--threads=4" */
    bool by_letter;
    bool glued; /* the value was part of the word */
    struct str value;
};

/* What remains of a command line. Points into argv. */
struct opt_args {
    const char **items; /* positional arguments */
    size_t count;
    struct opt_use *uses; /* of options with a value, in order */
    size_t use_count;
    size_t options; /* all options, with a value or without */
};

/* Fills the sets' structs with the rows' defaults, which must parse. */
void opt_defaults(const struct opt_set *sets, size_t count);
/* Frees what the parser allocated in them. */
void opt_fini(const struct opt_set *sets, size_t count);

/* argv without the program's and the command's name. On failure (ERR_USAGE) some fields may be set
 * and opt_fini() is still needed, opt_args_fini() not. */
bool opt_parse(const struct opt_spec *spec, int argc, char *const *argv, struct opt_args *ret_args,
               struct err *err) MUST_CHECK;
void opt_args_fini(struct opt_args *args);

/* One value through a row's parser: for plan files and the like. */
bool opt_assign(const struct opt *row, void *config, struct str value, struct err *err) MUST_CHECK;

/* The row of a long name or alias, or of a letter; *ret_set is where it was found and may be NULL.
 */
const struct opt *opt_find(const struct opt_spec *spec, struct str name,
                           const struct opt_set **ret_set);
const struct opt *opt_find_letter(const struct opt_spec *spec, char letter,
                                  const struct opt_set **ret_set);
bool opt_takes_value(const struct opt *row);

/* The long name that is nearest to a misspelt one, or NULL. */
const char *opt_nearest(const struct opt_spec *spec, struct str name);

/* The options by group, for people, 80 columns wide. */
void opt_help(const struct opt_spec *spec, struct buf *buf);
/* Every spelling, one a line: "--connections", "-c". For lints and completion. */
void opt_list(const struct opt_spec *spec, struct buf *buf);

/* A bash function that completes a program's commands and their options; the first command is also
 * what a line without one means. */
struct opt_command {
    const char *name;
    struct opt_spec spec;
};
void opt_complete_bash(const char *program, const struct opt_command *commands, size_t count,
                       struct buf *buf);

#endif
