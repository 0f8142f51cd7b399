/* SPDX-License-Identifier: Apache-2.0 */
/* Temporary: serve until cmd lands. */
#include "base/unit.h"
#include "target/target.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
static struct target *t;
static void on(int s)
{
    (void)s;
    target_stop(t);
}
int main(int argc, char **argv)
{
    struct target_config c = { .listen = (char *)(uintptr_t) "127.0.0.1:0",
                               .threads = 1,
                               .seed = 1 };
    struct err err;
    int64_t n;
    for (int i = argc > 1 && argv[1][0] != '-' ? 2 : 1; i + 1 < argc; i += 2) {
        struct str o = str_of(argv[i]), v = str_of(argv[i + 1]);
        if (str_eq(o, STR("--listen")))
            c.listen = argv[i + 1];
        else if (str_eq(o, STR("--threads"))) {
            if (!unit_parse_count(v, &c.threads, &err))
                return 2;
        } else if (str_eq(o, STR("--workers"))) {
            if (!unit_parse_count(v, &c.workers, &err))
                return 2;
        } else if (str_eq(o, STR("--cpu"))) {
            if (!unit_parse_duration(v, &c.cpu_ns, &err))
                return 2;
        } else if (str_eq(o, STR("--log")))
            c.log = argv[i + 1];
        else if (str_eq(o, STR("--freeze"))) {
            struct str a;
            str_cut(&v, '/', &a);
            if (!unit_parse_duration(a, &c.freeze_ns, &err) || !unit_parse_duration(v, &n, &err))
                return 2;
            c.freeze_period_ns = n;
        } else
            return 2;
    }
    t = target_new(&c, &err);
    if (!t) {
        fprintf(stderr, "brunt: %s\n", err.text);
        return err.kind == ERR_USAGE ? 2 : 1;
    }
    signal(SIGINT, on);
    signal(SIGTERM, on);
    fprintf(stderr, "brunt serve: listening on http://%s/\n", target_address(t));
    fflush(stderr);
    if (!target_run(t, &err)) {
        fprintf(stderr, "brunt: %s\n", err.text);
        return 1;
    }
    fprintf(stderr, "brunt serve: %llu requests served\n", (unsigned long long)target_served(t));
    target_free(t);
    return 0;
}
