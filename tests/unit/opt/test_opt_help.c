/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "opt/opt.h"

static const char *const colors[] = { "auto", "never", NULL };

static const struct opt load_rows[] = {
    { .name = "connections",
      .letters = "c",
      .type = OPT_COUNT,
      .arg = "N",
      .def = "50",
      .group = "Load",
      .help = "users, each with its own connection" },
    { .name = "drain",
      .type = OPT_DURATION,
      .arg = "T",
      .without = "min(timeout, 5s)",
      .group = "Time",
      .help = "wait at the end" },
    { .name = NULL },
};

static const struct opt output_rows[] = {
    { .name = "close", .type = OPT_SWITCH, .group = "Load", .help = "short connections" },
    { .name = "color",
      .type = OPT_CHOICE,
      .choices = colors,
      .arg = "WHEN",
      .def = "auto",
      .group = "Output",
      .help = "colors" },
    { .name = "data",
      .letters = "dD",
      .aliases = "body",
      .type = OPT_TEXT,
      .arg = "DATA|@FILE",
      .group = "Output",
      .help = "a text that is long enough to need a second line of its own, twice even" },
    { .name = NULL },
};

static const struct opt_set sets[] = { { load_rows, NULL }, { output_rows, NULL } };
static const struct opt_spec spec = { sets, 2, NULL };

static void help_is_grouped_and_wrapped(UNUSED void **state)
{
    struct buf buf;

    buf_init(&buf, 10000);
    opt_help(&spec, &buf);
    assert_string_equal(
        buf.data, "\nLoad\n"
                  "  -c, --connections N      users, each with its own connection (50)\n"
                  "      --close              short connections\n"
                  "\nTime\n"
                  "      --drain T            wait at the end (min(timeout, 5s))\n"
                  "\nOutput\n"
                  "      --color WHEN         colors: auto, never (auto)\n"
                  "  -d, -D, --data DATA|@FILE\n"
                  "                           a text that is long enough to need a second line of\n"
                  "                           its own, twice even; also --body\n");
    buf_fini(&buf);
}

static void the_list_has_every_spelling_on_a_line(UNUSED void **state)
{
    struct buf buf;

    buf_init(&buf, 10000);
    opt_list(&spec, &buf);
    assert_string_equal(buf.data, "--connections\n-c\n--drain\n--close\n--color\n"
                                  "--data\n-d\n-D\n--body\n");
    buf_fini(&buf);
}

static void completion_offers_commands_options_and_choices(UNUSED void **state)
{
    const struct opt_command commands[] = { { "run", spec }, { "help", { NULL, 0, NULL } } };
    struct buf buf;

    buf_init(&buf, 10000);
    opt_complete_bash("brunt", commands, 2, &buf);
    assert_non_null(strstr(buf.data, "names='run help'"));
    assert_non_null(strstr(buf.data, "--color) files=no words='auto never' ;;"));
    assert_non_null(strstr(buf.data, "--connections -c --drain --close"));
    assert_non_null(strstr(buf.data, "complete -F _brunt brunt\n"));
    buf_fini(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help_is_grouped_and_wrapped),
        cmocka_unit_test(the_list_has_every_spelling_on_a_line),
        cmocka_unit_test(completion_offers_commands_options_and_choices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
