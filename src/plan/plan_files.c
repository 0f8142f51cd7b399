/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/plan_files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"

enum { MAPPED_MIN = (64 << 10) + 1, FIRST_SLOTS = 64 };

static void free_file(struct plan_file *file)
{
    mem_free(file->path);
    mem_free(file->read);
    if (file->mapped != NULL) {
        (void)munmap(file->mapped, file->len);
    }
}

void plan_files_fini(struct plan_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free_file(&files->items[i]);
    }
    mem_free(files->items);
    mem_free(files->slots);
    *files = (struct plan_files){ 0 };
}

/* FNV-1a: the paths are the user's own, nobody looks for collisions. */
static size_t hash(const char *path)
{
    uint64_t value = UINT64_C(14695981039346656037);

    for (const char *at = path; *at != '\0'; at++) {
        value = (value ^ (unsigned char)*at) * UINT64_C(1099511628211);
    }
    return (size_t)value;
}

/* The slot of the path, or the free one where it belongs; there is always a free one. */
static uint32_t *find_slot(const struct plan_files *files, const char *path)
{
    size_t at = hash(path) & (files->slot_count - 1);

    while (files->slots[at] != 0 && strcmp(files->items[files->slots[at] - 1].path, path) != 0) {
        at = (at + 1) & (files->slot_count - 1);
    }
    return &files->slots[at];
}

/* Twice as many slots as files at least. */
static void grow(struct plan_files *files)
{
    if (files->count == files->room) {
        files->room = files->room == 0 ? FIRST_SLOTS / 2 : 2 * files->room;
        files->items = mem_resize(files->items, files->room, sizeof(*files->items));
        mem_free(files->slots);
        files->slot_count = 2 * files->room;
        files->slots = mem_new(files->slot_count, sizeof(*files->slots));
        for (size_t i = 0; i < files->count; i++) {
            *find_slot(files, files->items[i].path) = (uint32_t)i + 1;
        }
    }
}

static bool read_all(int fd, struct buf *buf, const char *path, struct err *err)
{
    char chunk[1 << 16];

    for (;;) {
        ssize_t n = read(fd, chunk, sizeof(chunk));

        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return err_set(err, ERR_USAGE, "cannot read the data in '%s': %m", path);
        }
        if (n == 0) {
            return true;
        }
        buf_add(buf, chunk, (size_t)n);
        if (buf->overflow) {
            return err_set(err, ERR_USAGE, "the data in '%s' is over the limit of %d MiB", path,
                           PLAN_FILES_READ_MAX >> 20);
        }
    }
}

static bool read_file(int fd, const char *path, struct plan_file *file, struct err *err)
{
    struct buf buf;

    buf_init(&buf, PLAN_FILES_READ_MAX);
    if (!read_all(fd, &buf, path, err)) {
        buf_fini(&buf);
        return false;
    }
    file->read = buf.data;
    file->len = buf.len;
    return true;
}

static bool load(int fd, const char *path, struct plan_file *file, struct err *err)
{
    struct stat status;
    void *mapped;

    if (fd == STDIN_FILENO || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) ||
        status.st_size < MAPPED_MIN) {
        return read_file(fd, fd == STDIN_FILENO ? "standard input" : path, file, err);
    }
    mapped = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (mapped == MAP_FAILED) {
        return err_set(err, ERR_USAGE, "cannot map the data in '%s': %m", path);
    }
    file->mapped = mapped;
    file->len = (size_t)status.st_size;
    return true;
}

static struct str contents(const struct plan_file *file)
{
    const char *bytes = file->mapped != NULL ? file->mapped : file->read;

    return (struct str){ bytes != NULL ? bytes : "", file->len };
}

bool plan_files_get(struct plan_files *files, const char *path, struct str *ret_bytes,
                    struct err *err)
{
    struct plan_file file = { 0 };
    uint32_t *slot;
    bool ok;
    int fd;

    grow(files);
    slot = find_slot(files, path);
    if (*slot != 0) {
        *ret_bytes = contents(&files->items[*slot - 1]);
        return true;
    }
    if (files->count == PLAN_FILES_COUNT_MAX) {
        return err_set(err, ERR_USAGE, "more than %d files of data", PLAN_FILES_COUNT_MAX);
    }
    fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return err_set(err, ERR_USAGE, "cannot open the data file '%s': %m", path);
    }
    ok = load(fd, path, &file, err);
    if (fd != STDIN_FILENO) {
        (void)close(fd);
    }
    if (!ok) {
        return false;
    }
    file.path = mem_strdup(path);
    files->items[files->count++] = file;
    *slot = (uint32_t)files->count;
    *ret_bytes = contents(&file);
    return true;
}
