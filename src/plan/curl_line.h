/* SPDX-License-Identifier: Apache-2.0 */
/*
 * curl's command line, taken apart. Opens nothing.
 *
 * Options that mean the same to a plan go into it through its own table, so one that the plan does
 * not have yet is refused as such. A long option that curl does not have is looked for among those
 * of brunt. What changes nothing of the requests (-s, -o) is ignored; what would change them and
 * cannot be done is an error with the reason; an unknown option is an error that names it.
 */
#ifndef PLAN_CURL_LINE_H
#define PLAN_CURL_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "opt/opt.h"

enum { CURL_LINE_PIECES_MAX = 1000 };

/* Of the body, or with -G of the query. */
enum curl_piece_kind {
    CURL_TEXT,         /* --data, --data-raw: as it is */
    CURL_FILE,         /* --data-binary @FILE: its contents */
    CURL_FILE_LINES,   /* --data @FILE: without line ends and zero bytes */
    CURL_ENCODED,      /* --data-urlencode: name= (or nothing), and the text to encode */
    CURL_FILE_ENCODED, /* --data-urlencode [NAME]@FILE */
    CURL_JSON,         /* --json; CURL_FILE for @FILE */
    CURL_FORM,         /* -F NAME=CONTENT */
    CURL_FORM_STRING,  /* --form-string */
};

struct curl_piece {
    enum curl_piece_kind kind;
    char *name; /* of the encoded kinds, with its =; NULL: none */
    char *text; /* or the name of the file */
};

/* What a command line of curl says beside what went into the plan. */
struct curl_line {
    struct opt_texts urls, headers;
    char *method;    /* -X, or NULL */
    char *cookie;    /* all of -b, or NULL */
    char *upload;    /* -T */
    char *from;      /* --from: the file that holds the command line, "-": standard input */
    bool get, head;  /* -G, -I */
    bool json, form; /* some piece is --json, is -F */
    bool glob_off;   /* -g */
    struct curl_piece *pieces;
    size_t piece_count;
};

/* The words after "curl". The sets of the spec are brunt's options; the first has the plan as its
 * config. On failure (ERR_USAGE) the line still needs curl_line_fini(). */
bool curl_line_parse(const struct opt_spec *spec, int argc, char *const *argv,
                     struct curl_line *line, struct err *err) MUST_CHECK;
void curl_line_fini(struct curl_line *line); /* accepts a zeroed one, which is empty */

#endif
