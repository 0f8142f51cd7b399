/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gives every file of the folders named as arguments to the fuzz target, as TAP. An input that
 * fails ends the program by a signal.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "fuzz.h"

enum { INPUT_BYTES_MAX = 16 << 20 };

static bool read_file(const char *path, struct buf *buf)
{
    FILE *file = fopen(path, "rb");
    char piece[4096];
    size_t n;

    if (file == NULL) {
        return false;
    }
    while ((n = fread(piece, 1, sizeof(piece), file)) > 0) {
        buf_add(buf, piece, n);
    }
    n = (size_t)ferror(file);
    (void)fclose(file);
    return n == 0 && !buf->overflow;
}

/* The input in a block of its own size, so that a sanitizer sees the first byte behind it. */
static void run(struct str input)
{
    uint8_t *data = mem_new(input.len, 1);

    if (input.len > 0) {
        memcpy(data, input.p, input.len);
    }
    (void)LLVMFuzzerTestOneInput(data, input.len);
    mem_free(data);
}

static bool replay(const char *folder, const char *name)
{
    struct buf path, input;
    bool ok;

    buf_init(&path, 4096);
    buf_init(&input, INPUT_BYTES_MAX);
    buf_printf(&path, "%s/%s", folder, name);
    ok = read_file(path.data, &input);
    if (ok) {
        /* Said before it runs, for the case that it does not come back. */
        (void)printf("# %s, %zu bytes\n", name, input.len);
        (void)fflush(stdout);
        run(buf_str(&input));
    }
    buf_fini(&input);
    buf_fini(&path);
    return ok;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static bool replay_folder(const char *folder, unsigned *count)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, is_visible, alphasort);
    bool ok = n > 0;

    for (int i = 0; i < n; i++) {
        bool good = replay(folder, entries[i]->d_name);

        (void)printf("%sok %u - %s\n", good ? "" : "not ", ++*count, entries[i]->d_name);
        ok = ok && good;
        free(entries[i]);
    }
    if (n >= 0) {
        free(entries);
    }
    return ok;
}

int main(int argc, char **argv)
{
    unsigned count = 0;
    bool ok = true;

    run(STR(""));
    for (int i = 1; i < argc; i++) {
        ok = replay_folder(argv[i], &count) && ok;
    }
    (void)printf("1..%u\n", count);
    return ok && count > 0 ? 0 : 1;
}
