/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "opt/opt.h"

enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
enum family { FAMILY_ANY, FAMILY_FOUR, FAMILY_SIX };

struct config {
    bool close, quiet, verbose;
    enum family family;
    enum color color;
    int64_t connections, timeout_ns;
    uint64_t seed;
    char *name, *data;
    struct opt_texts headers;
    int level;
};

static bool parse_level(struct str text, void *field, struct err *err)
{
    if (!str_eq(text, STR("high"))) {
        return err_set(err, ERR_USAGE, "'%.*s' is no level: write high", STR_ARG(text));
    }
    *(int *)field = 9;
    return true;
}

static const char *const colors[] = { "auto", "always", "never", NULL };

#define AT(field) offsetof(struct config, field)

static const struct opt rows[] = {
    { .name = "connections",
      .letters = "c",
      .type = OPT_COUNT,
      .offset = AT(connections),
      .arg = "N",
      .def = "50",
      .min = 1,
      .max = 1000000,
      .group = "Load",
      .help = "users" },
    { .name = "timeout",
      .type = OPT_DURATION,
      .offset = AT(timeout_ns),
      .arg = "T",
      .def = "30s",
      .min = 1,
      .group = "Load",
      .help = "limit" },
    { .name = "close", .type = OPT_SWITCH, .offset = AT(close), .group = "Load", .help = "short" },
    { .name = "seed",
      .type = OPT_U64,
      .offset = AT(seed),
      .arg = "N",
      .group = "Load",
      .help = "seed" },
    { .name = NULL },
};

static const struct opt more_rows[] = {
    { .name = "quiet",
      .letters = "q",
      .type = OPT_SWITCH,
      .offset = AT(quiet),
      .group = "Output",
      .help = "less" },
    { .name = "verbose",
      .letters = "v",
      .type = OPT_SWITCH,
      .offset = AT(verbose),
      .group = "Output",
      .help = "more" },
    { .name = "ipv4",
      .letters = "4",
      .type = OPT_VALUE,
      .value = FAMILY_FOUR,
      .offset = AT(family),
      .group = "Output",
      .help = "four" },
    { .name = "ipv6",
      .letters = "6",
      .type = OPT_VALUE,
      .value = FAMILY_SIX,
      .offset = AT(family),
      .group = "Output",
      .help = "six" },
    { .name = "color",
      .type = OPT_CHOICE,
      .choices = colors,
      .offset = AT(color),
      .arg = "WHEN",
      .def = "auto",
      .group = "Output",
      .help = "color" },
    { .name = "name",
      .type = OPT_TEXT,
      .offset = AT(name),
      .arg = "TEXT",
      .group = "Output",
      .help = "name" },
    { .name = "data",
      .aliases = "body,payload",
      .type = OPT_TEXT,
      .empty_allowed = true,
      .offset = AT(data),
      .arg = "DATA",
      .group = "Output",
      .help = "data" },
    { .name = "header",
      .letters = "HJ",
      .type = OPT_TEXTS,
      .offset = AT(headers),
      .arg = "LINE",
      .group = "Output",
      .help = "header" },
    { .name = "level",
      .letters = "l",
      .type = OPT_CUSTOM,
      .parse = parse_level,
      .offset = AT(level),
      .arg = "LEVEL",
      .group = "Output",
      .help = "level" },
    { .name = "no-store", .type = OPT_ALREADY, .group = "Output", .help = "nothing is kept" },
    { .name = NULL },
};

static bool is_number(struct str value)
{
    return value.len > 0 && value.p[0] >= '0' && value.p[0] <= '9';
}

static const struct opt_habit habits[] = {
    { "-k", NULL, "keep-alive is the default" },
    { "-q", is_number, "a rate is --rate" },
    { "--vus", NULL, "users are -c" },
    { "-cpus", NULL, "threads are --threads" },
    { NULL, NULL, NULL },
};

struct parsed {
    struct config config;
    struct opt_args args;
    struct err err;
    bool ok;
    char *words; /* argv points into it */
};

/* Words are separated by '|'. */
static struct parsed parse(const char *line)
{
    static char *argv[32];
    struct parsed parsed = { .words = strdup(line) };
    struct opt_set sets[] = { { rows, &parsed.config }, { more_rows, &parsed.config } };
    struct opt_spec spec = { sets, 2, habits };
    int argc = 0;

    opt_defaults(sets, 2);
    for (char *word = parsed.words; word != NULL && *line != '\0';) {
        char *end = strchr(word, '|');

        if (end != NULL) {
            *end++ = '\0';
        }
        argv[argc++] = word;
        word = end;
    }
    parsed.ok = opt_parse(&spec, argc, argv, &parsed.args, &parsed.err);
    return parsed;
}

static void done(struct parsed *parsed)
{
    struct opt_set sets[] = { { rows, &parsed->config }, { more_rows, &parsed->config } };

    opt_fini(sets, 2);
    if (parsed->ok) {
        opt_args_fini(&parsed->args);
    }
    free(parsed->words);
}

static void defaults_go_through_the_parser(UNUSED void **state)
{
    struct parsed parsed = parse("");

    assert_true(parsed.ok);
    assert_int_equal(parsed.config.connections, 50);
    assert_int_equal(parsed.config.timeout_ns, INT64_C(30000000000));
    assert_int_equal(parsed.config.color, COLOR_AUTO);
    assert_null(parsed.config.name);
    assert_int_equal(parsed.args.count, 0);
    assert_int_equal(parsed.args.options, 0);
    done(&parsed);
}

static void a_value_may_be_glued_or_apart(UNUSED void **state)
{
    static const char *const lines[] = {
        "-c|7", "-c7", "-c=7", "--connections|7", "--connections=7", "-qc7", "-qvc|7", "x|-c7|y"
    };

    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        struct parsed parsed = parse(lines[i]);

        assert_true(parsed.ok);
        assert_int_equal(parsed.config.connections, 7);
        done(&parsed);
    }
}

static void every_type_fills_its_field(UNUSED void **state)
{
    struct parsed parsed = parse("--close|-6|--ipv6|--color|never|--name=a|--name|b|-H|A: 1|-JB: 2|"
                                 "--header=C: 3|--seed|18446744073709551615|-lhigh|--timeout|25ms|"
                                 "--body=|--no-store");
    const struct config *config = &parsed.config;

    assert_true(parsed.ok);
    assert_true(config->close);
    assert_int_equal(config->family, FAMILY_SIX);
    assert_int_equal(config->color, COLOR_NEVER);
    assert_string_equal(config->name, "b");
    assert_int_equal(config->headers.count, 3);
    assert_string_equal(config->headers.items[1], "B: 2");
    assert_string_equal(config->headers.items[2], "C: 3");
    assert_true(config->seed == UINT64_MAX);
    assert_int_equal(config->level, 9);
    assert_int_equal(config->timeout_ns, 25000000);
    assert_string_equal(config->data, "");
    done(&parsed);
}

static void a_switch_is_turned_off_by_no(UNUSED void **state)
{
    struct parsed parsed = parse("--close|--no-close|-v|--no-verbose|--verbose");

    assert_true(parsed.ok);
    assert_false(parsed.config.close);
    assert_true(parsed.config.verbose);
    assert_int_equal(parsed.args.options, 5);
    done(&parsed);
}

static void options_may_follow_positionals_until_two_dashes(UNUSED void **state)
{
    struct parsed parsed = parse("url|-q|-|--|-c|--x");

    assert_true(parsed.ok);
    assert_true(parsed.config.quiet);
    assert_int_equal(parsed.args.count, 4);
    assert_string_equal(parsed.args.items[0], "url");
    assert_string_equal(parsed.args.items[1], "-");
    assert_string_equal(parsed.args.items[2], "-c");
    assert_string_equal(parsed.args.items[3], "--x");
    done(&parsed);
}

static void uses_remember_how_an_option_was_spelt(UNUSED void **state)
{
    struct parsed parsed = parse("-qc7|--name|http://x/|-v");

    assert_true(parsed.ok);
    assert_int_equal(parsed.args.use_count, 2);
    assert_true(parsed.args.uses[0].by_letter);
    assert_true(parsed.args.uses[0].glued);
    assert_string_equal(parsed.args.uses[0].row->name, "connections");
    assert_false(parsed.args.uses[1].by_letter);
    assert_false(parsed.args.uses[1].glued);
    assert_true(str_eq(parsed.args.uses[1].value, STR("http://x/")));
    assert_string_equal(parsed.args.uses[1].word, "--name");
    assert_int_equal(parsed.args.options, 4);
    done(&parsed);
}

static void what_is_wrong_is_one_line_that_names_it(UNUSED void **state)
{
    static const struct {
        const char *line, *text;
    } cases[] = {
        { "-c", "-c needs a value: -c N" },
        { "--timeout", "--timeout needs a value: --timeout T" },
        { "--name|--close", "--name needs a value and '--close' is an option: --name TEXT" },
        { "--name|-q", "--name needs a value and '-q' is an option: --name TEXT" },
        { "-c|x", "-c: 'x' is not a whole number: write 100, 10k or 2M" },
        { "-c|0", "-c: '0' is too small: at least 1" },
        { "-c|2M", "-c: '2M' is too large: at most 1,000,000" },
        { "-c|-5", "-c: '-5' is not a whole number: write 100, 10k or 2M" },
        { "--timeout=0", "--timeout: '0' is too small: at least 0.001us" },
        { "--seed|-1", "--seed: '-1' is not a whole number: write 71" },
        { "--color|red", "--color: 'red' is not one of auto, always, never" },
        { "--name=", "--name: the value is empty: is a variable of the shell not set?" },
        { "-H|", "-H: the value is empty: is a variable of the shell not set?" },
        { "-l|low", "-l: 'low' is no level: write high" },
        { "--close=no", "--close takes no value" },
        { "-v=1", "-v takes no value" },
        { "--no-store=1", "--no-store takes no value" },
        { "--no-name", "unknown option --no-name: --help lists the options" },
        { "--conections|5", "unknown option --conections: did you mean --connections?" },
        { "--xyzzy", "unknown option --xyzzy: --help lists the options" },
        { "-Z", "unknown option -Z: --help lists the options" },
        { "-qZ", "unknown option -Z in '-qZ': --help lists the options" },
        { "---", "unknown option ---: --help lists the options" },
        { "\xe2\x80\x93\x63|5", "'\xe2\x80\x93\x63' begins with a typeset dash: type it with -" },
        { "-4|-6", "-6: it contradicts an option before it" },
        { "-k", "-k: keep-alive is the default" },
        { "-qk", "-k: keep-alive is the default" },
        { "--vus|5", "--vus: users are -c" },
        { "--vus=5", "--vus: users are -c" },
        { "-cpus|4", "-cpus: threads are --threads" },
        { "-cpus=4", "-cpus: threads are --threads" },
        { "-q|50|url", "-q: a rate is --rate" },
        { "-q50", "-q: a rate is --rate" },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct parsed parsed = parse(cases[i].line);

        assert_false(parsed.ok);
        assert_string_equal(parsed.err.text, cases[i].text);
        assert_int_equal(parsed.err.kind, ERR_USAGE);
        done(&parsed);
    }
}

static void a_habit_that_does_not_apply_changes_nothing(UNUSED void **state)
{
    static const char *const lines[] = { "-q", "-q|url", "-qv", "--quiet" };

    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        struct parsed parsed = parse(lines[i]);

        assert_true(parsed.ok);
        assert_true(parsed.config.quiet);
        done(&parsed);
    }
}

static void a_value_that_only_looks_like_an_option_is_a_value(UNUSED void **state)
{
    struct parsed parsed = parse("--data|-1|--name|-|-H|--unknown");

    assert_true(parsed.ok);
    assert_string_equal(parsed.config.data, "-1");
    assert_string_equal(parsed.config.name, "-");
    assert_string_equal(parsed.config.headers.items[0], "--unknown");
    done(&parsed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_go_through_the_parser),
        cmocka_unit_test(a_value_may_be_glued_or_apart),
        cmocka_unit_test(every_type_fills_its_field),
        cmocka_unit_test(a_switch_is_turned_off_by_no),
        cmocka_unit_test(options_may_follow_positionals_until_two_dashes),
        cmocka_unit_test(uses_remember_how_an_option_was_spelt),
        cmocka_unit_test(what_is_wrong_is_one_line_that_names_it),
        cmocka_unit_test(a_habit_that_does_not_apply_changes_nothing),
        cmocka_unit_test(a_value_that_only_looks_like_an_option_is_a_value),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
