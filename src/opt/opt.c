/* SPDX-License-Identifier: Apache-2.0 */
#include "opt/opt.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "base/unit.h"

/* Where the parser stands in argv. */
struct cursor {
    const struct opt_spec *spec;
    struct opt_args *args;
    char *const *argv;
    int argc, at;
};

bool opt_takes_value(const struct opt *row)
{
    return row->type != OPT_SWITCH && row->type != OPT_VALUE && row->type != OPT_ALREADY;
}

static bool has_name(const struct opt *row, struct str name)
{
    struct str rest = str_of(row->aliases), alias;

    if (str_eq(str_of(row->name), name)) {
        return true;
    }
    while (str_cut(&rest, ',', &alias)) {
        if (str_eq(alias, name)) {
            return true;
        }
    }
    return false;
}

const struct opt *opt_find(const struct opt_spec *spec, struct str name,
                           const struct opt_set **ret_set)
{
    for (size_t s = 0; s < spec->set_count; s++) {
        for (const struct opt *row = spec->sets[s].rows; row->name != NULL; row++) {
            if (has_name(row, name)) {
                if (ret_set != NULL) {
                    *ret_set = &spec->sets[s];
                }
                return row;
            }
        }
    }
    return NULL;
}

const struct opt *opt_find_letter(const struct opt_spec *spec, char letter,
                                  const struct opt_set **ret_set)
{
    for (size_t s = 0; s < spec->set_count; s++) {
        for (const struct opt *row = spec->sets[s].rows; row->name != NULL; row++) {
            if (row->letters != NULL && strchr(row->letters, letter) != NULL) {
                if (ret_set != NULL) {
                    *ret_set = &spec->sets[s];
                }
                return row;
            }
        }
    }
    return NULL;
}

static bool within(const struct opt *row, int64_t value, struct str text, struct err *err)
{
    char low[UNIT_TEXT_MAX], high[UNIT_TEXT_MAX];

    if (value >= row->min && (row->max == 0 || value <= row->max)) {
        return true;
    }
    if (row->type == OPT_DURATION) {
        (void)unit_format_duration_option(row->min, low);
        (void)unit_format_duration_option(row->max, high);
    } else {
        (void)unit_format_count(row->min, low);
        (void)unit_format_count(row->max, high);
    }
    if (value < row->min) {
        return err_set(err, ERR_USAGE, "'%.*s' is too small: at least %s", STR_ARG(text), low);
    }
    return err_set(err, ERR_USAGE, "'%.*s' is too large: at most %s", STR_ARG(text), high);
}

static bool assign_number(const struct opt *row, void *field, struct str text, struct err *err)
{
    int64_t value;
    bool ok = row->type == OPT_DURATION ? unit_parse_duration(text, &value, err)
                                        : unit_parse_count(text, &value, err);

    if (!ok || !within(row, value, text, err)) {
        return false;
    }
    *(int64_t *)field = value;
    return true;
}

static bool assign_choice(const struct opt *row, void *field, struct str text, struct err *err)
{
    char list[200] = "";

    for (int i = 0; row->choices[i] != NULL; i++) {
        if (str_eq(str_of(row->choices[i]), text)) {
            memcpy(field, &i, sizeof(i));
            return true;
        }
    }
    for (int i = 0; row->choices[i] != NULL; i++) {
        size_t used = strlen(list);

        str_copy(list + used, sizeof(list) - used, str_of(i == 0 ? "" : ", "));
        used = strlen(list);
        str_copy(list + used, sizeof(list) - used, str_of(row->choices[i]));
    }
    return err_set(err, ERR_USAGE, "'%.*s' is not one of %s", STR_ARG(text), list);
}

static bool assign_text(const struct opt *row, void *field, struct str text, struct err *err)
{
    char **target = field;

    if (text.len == 0 && !row->empty_allowed) {
        return err_set(err, ERR_USAGE, "the value is empty: is a variable of the shell not set?");
    }
    if (row->type == OPT_TEXTS) {
        opt_texts_add(field, text);
        return true;
    }
    mem_free(*target);
    *target = mem_strndup(text.p, text.len);
    return true;
}

/* -4 -6: one of the two is a slip. */
static bool assign_value(const struct opt *row, void *field, struct err *err)
{
    int before;

    memcpy(&before, field, sizeof(before));
    if (before != 0 && before != row->value) {
        return err_set(err, ERR_USAGE, "it contradicts an option before it");
    }
    memcpy(field, &row->value, sizeof(row->value));
    return true;
}

bool opt_assign(const struct opt *row, void *config, struct str value, struct err *err)
{
    void *field = (char *)config + row->offset;

    switch (row->type) {
    case OPT_SWITCH:
        *(bool *)field = true;
        return true;
    case OPT_VALUE:
        return assign_value(row, field, err);
    case OPT_ALREADY:
        return true;
    case OPT_COUNT:
    case OPT_DURATION:
        return assign_number(row, field, value, err);
    case OPT_U64:
        if (!str_u64(value, field)) {
            return err_set(err, ERR_USAGE, "'%.*s' is not a whole number: write 71",
                           STR_ARG(value));
        }
        return true;
    case OPT_TEXT:
    case OPT_TEXTS:
        return assign_text(row, field, value, err);
    case OPT_CHOICE:
        return assign_choice(row, field, value, err);
    case OPT_CUSTOM:
        return row->parse(value, field, err);
    }
    return true;
}

void opt_defaults(const struct opt_set *sets, size_t count)
{
    for (size_t s = 0; s < count; s++) {
        for (const struct opt *row = sets[s].rows; row->name != NULL; row++) {
            struct err err;
            bool ok = row->def == NULL || opt_assign(row, sets[s].config, str_of(row->def), &err);

            assert(ok);
            (void)ok;
        }
    }
}

void opt_fini(const struct opt_set *sets, size_t count)
{
    for (size_t s = 0; s < count; s++) {
        for (const struct opt *row = sets[s].rows; row->name != NULL; row++) {
            char *field = (char *)sets[s].config + row->offset;

            if (row->type == OPT_TEXT) {
                char **text = (char **)(void *)field;

                mem_free(*text);
                *text = NULL;
            } else if (row->type == OPT_TEXTS) {
                opt_texts_fini((struct opt_texts *)(void *)field);
            }
        }
    }
}

/* "--name=value" to "--name"; "-c" stays. */
static struct str word_name(const char *word)
{
    struct str text = str_of(word);

    return (struct str){ text.p, str_find(text, '=') };
}

/* The value of the option that the word under the cursor names, wherever it stands; p is NULL when
 * there is none. */
static struct str value_ahead(const struct cursor *cursor, struct str glued)
{
    if (glued.p != NULL) {
        return glued;
    }
    if (cursor->at + 1 < cursor->argc) {
        return str_of(cursor->argv[cursor->at + 1]);
    }
    return (struct str){ NULL, 0 };
}

static bool check_habits(const struct cursor *cursor, struct str option, struct str glued,
                         struct err *err)
{
    struct str value = value_ahead(cursor, glued);

    for (const struct opt_habit *habit = cursor->spec->habits;
         habit != NULL && habit->option != NULL; habit++) {
        if (str_eq(str_of(habit->option), option) && (habit->when == NULL || habit->when(value))) {
            return err_set(err, ERR_USAGE, "%.*s: %s", STR_ARG(option), habit->text);
        }
    }
    return true;
}

/* Whether a word would itself be taken for an option: then it is no value that somebody meant. */
static bool is_known_option(const struct opt_spec *spec, const char *word)
{
    struct str name = word_name(word);

    if (str_starts(name, STR("--")) && name.len > 2) {
        return opt_find(spec, str_from(name, 2), NULL) != NULL;
    }
    return word[0] == '-' && name.len == 2 && word[1] != '-' &&
           opt_find_letter(spec, word[1], NULL) != NULL;
}

static bool take_value(struct cursor *cursor, struct opt_use *use, struct str glued,
                       struct err *err)
{
    const struct opt *row = use->row;
    const char *next;

    use->glued = glued.p != NULL;
    if (use->glued) {
        use->value = glued;
        return true;
    }
    if (cursor->at + 1 >= cursor->argc) {
        return err_set(err, ERR_USAGE, "%s needs a value: %s %s", use->word, use->word, row->arg);
    }
    next = cursor->argv[cursor->at + 1];
    if (is_known_option(cursor->spec, next)) {
        return err_set(err, ERR_USAGE, "%s needs a value and '%s' is an option: %s %s", use->word,
                       next, use->word, row->arg);
    }
    cursor->at++;
    use->value = str_of(next);
    return true;
}

static bool apply(struct cursor *cursor, const struct opt_set *set, struct opt_use *use,
                  struct str option, struct str glued, struct err *err)
{
    cursor->args->options++;
    if (!opt_takes_value(use->row)) {
        if (glued.p != NULL) {
            return err_set(err, ERR_USAGE, "%.*s takes no value", STR_ARG(option));
        }
        return opt_assign(use->row, set->config, glued, err) ||
               err_prefix(err, "%.*s", STR_ARG(option));
    }
    if (!take_value(cursor, use, glued, err)) {
        return false;
    }
    if (!opt_assign(use->row, set->config, use->value, err)) {
        return err_prefix(err, "%.*s", STR_ARG(option));
    }
    cursor->args->uses[cursor->args->use_count++] = *use;
    return true;
}

static bool parse_long(struct cursor *cursor, const char *word, struct err *err)
{
    struct str option = word_name(word), name = str_from(option, 2);
    struct str glued =
        word[option.len] == '=' ? str_of(word + option.len + 1) : (struct str){ NULL, 0 };
    struct opt_use use = { .word = word };
    const struct opt_set *set;
    const char *near;

    if (!check_habits(cursor, option, glued, err)) {
        return false;
    }
    use.row = opt_find(cursor->spec, name, &set);
    if (use.row != NULL) {
        return apply(cursor, set, &use, option, glued, err);
    }
    if (str_starts(name, STR("no-"))) {
        const struct opt *row = opt_find(cursor->spec, str_from(name, 3), &set);

        if (row != NULL && row->type == OPT_SWITCH && glued.p == NULL) {
            cursor->args->options++;
            *((bool *)((char *)set->config + row->offset)) = false;
            return true;
        }
    }
    near = opt_nearest(cursor->spec, name);
    if (near != NULL) {
        return err_set(err, ERR_USAGE, "unknown option %.*s: did you mean --%s?", STR_ARG(option),
                       near);
    }
    return err_set(err, ERR_USAGE, "unknown option %.*s: --help lists the options",
                   STR_ARG(option));
}

static bool refuse_letter(const char *word, char letter, struct err *err)
{
    if (word[2] == '\0') {
        return err_set(err, ERR_USAGE, "unknown option -%c: --help lists the options", letter);
    }
    return err_set(err, ERR_USAGE, "unknown option -%c in '%s': --help lists the options", letter,
                   word);
}

/* "-qvc50": switches in a row, the last one may take a value. */
static bool parse_short(struct cursor *cursor, const char *word, struct err *err)
{
    struct str whole = word_name(word);
    struct str none = { NULL, 0 };

    /* "-disable-keepalive" and the like, which would otherwise be read as -d "isable-keepalive". */
    if (whole.len > 2 &&
        !check_habits(cursor, whole, word[whole.len] == '=' ? str_of(word + whole.len + 1) : none,
                      err)) {
        return false;
    }
    for (const char *at = word + 1; *at != '\0'; at++) {
        char text[3] = { '-', *at, '\0' };
        struct str option = str_of(text);
        struct opt_use use = { .word = word, .by_letter = true };
        struct str glued = at[1] == '\0' ? none : str_of(at[1] == '=' ? at + 2 : at + 1);
        const struct opt_set *set;

        if (!check_habits(cursor, option, glued, err)) {
            return false;
        }
        use.row = opt_find_letter(cursor->spec, *at, &set);
        if (use.row == NULL) {
            return refuse_letter(word, *at, err);
        }
        if (opt_takes_value(use.row)) {
            return apply(cursor, set, &use, option, glued, err);
        }
        if (!apply(cursor, set, &use, option, at[1] == '=' ? glued : none, err)) {
            return false;
        }
    }
    return true;
}

/* A dash that a word processor or a web page made of "-" or "--". */
static bool is_typeset_dash(const char *word)
{
    return str_starts(str_of(word), STR("\xe2\x80\x93")) ||
           str_starts(str_of(word), STR("\xe2\x80\x94")) ||
           str_starts(str_of(word), STR("\xe2\x88\x92"));
}

static bool parse_word(struct cursor *cursor, struct err *err)
{
    const char *word = cursor->argv[cursor->at];

    if (word[0] == '-' && word[1] == '-' && word[2] == '\0') {
        while (++cursor->at < cursor->argc) {
            cursor->args->items[cursor->args->count++] = cursor->argv[cursor->at];
        }
        return true;
    }
    if (word[0] == '-' && word[1] == '-') {
        return parse_long(cursor, word, err);
    }
    if (word[0] == '-' && word[1] != '\0') {
        return parse_short(cursor, word, err);
    }
    if (is_typeset_dash(word)) {
        return err_set(err, ERR_USAGE, "'%s' begins with a typeset dash: type it with -", word);
    }
    cursor->args->items[cursor->args->count++] = word;
    return true;
}

bool opt_parse(const struct opt_spec *spec, int argc, char *const *argv, struct opt_args *ret_args,
               struct err *err)
{
    size_t room = argc > 0 ? (size_t)argc : 1;
    struct opt_args args = {
        .items = mem_new(room, sizeof(*args.items)),
        .uses = mem_new(room, sizeof(*args.uses)),
    };
    struct cursor cursor = { .spec = spec, .args = &args, .argv = argv, .argc = argc };

    for (; cursor.at < argc; cursor.at++) {
        if (!parse_word(&cursor, err)) {
            opt_args_fini(&args);
            return false;
        }
    }
    *ret_args = args;
    return true;
}

void opt_args_fini(struct opt_args *args)
{
    mem_free(args->items);
    mem_free(args->uses);
    *args = (struct opt_args){ 0 };
}
