/* SPDX-License-Identifier: Apache-2.0 */
/* A command line, one word a line, through the options of a load: no word breaks the parser. */
#include "base/mem.h"
#include "fuzz.h"
#include "plan/plan_args.h"
#include "plan/plan_options.h"

enum { WORDS_MAX = 32, CPUS = 4 };

static int split_words(struct str text, char **words)
{
    struct str line;
    int count = 0;

    while (count < WORDS_MAX && str_cut(&text, '\n', &line)) {
        words[count++] = mem_strndup(line.p, line.len);
    }
    words[count] = NULL;
    return count;
}

/* Everything that args points at lies within the words. */
static void check_args(const struct opt_args *args, int argc)
{
    FUZZ_CHECK(args->count <= (size_t)argc);
    FUZZ_CHECK(args->use_count <= args->options);
    for (size_t i = 0; i < args->count; i++) {
        FUZZ_CHECK(strlen(args->items[i]) < SIZE_MAX);
    }
    for (size_t i = 0; i < args->use_count; i++) {
        FUZZ_CHECK(opt_takes_value(args->uses[i].row));
        FUZZ_CHECK(args->uses[i].value.p != NULL);
    }
}

static void check_plan(const struct plan *plan)
{
    FUZZ_CHECK(plan->connections >= 0);
    FUZZ_CHECK(plan->duration_ns >= 0 && plan->timeout_ns >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *words[WORDS_MAX + 1];
    int argc = split_words(fuzz_text(data, size), words);
    struct plan plan;
    struct opt_set set = { plan_options, &plan };
    struct opt_spec spec = { .sets = &set, .set_count = 1 };
    struct opt_args args;
    struct err err;

    plan_init(&plan);
    if (opt_parse(&spec, argc, words, &args, &err)) {
        check_args(&args, argc);
        check_plan(&plan);
        if (!plan_take_args(&plan, &args, CPUS, &err)) {
            FUZZ_CHECK(err.text[0] != '\0');
        } else {
            FUZZ_CHECK(plan.self || (plan.target != NULL && plan.target[0] != '\0'));
        }
        opt_args_fini(&args);
    } else {
        FUZZ_CHECK(err.kind == ERR_USAGE && err.text[0] != '\0');
    }
    plan_fini(&plan);
    for (int i = 0; i < argc; i++) {
        mem_free(words[i]);
    }
    return 0;
}
