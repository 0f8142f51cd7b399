/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/plan_data.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

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
                           PLAN_DATA_BYTES_MAX >> 20);
        }
    }
}

static bool load_file(struct plan *plan, const char *path, struct err *err)
{
    bool input = str_eq(str_of(path), STR("-"));
    int fd = input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    struct buf buf;
    bool ok;

    if (fd < 0) {
        return err_set(err, ERR_USAGE, "cannot open the data file '%s': %m", path);
    }
    buf_init(&buf, PLAN_DATA_BYTES_MAX);
    ok = read_all(fd, &buf, input ? "standard input" : path, err);
    if (!input) {
        (void)close(fd);
    }
    if (!ok) {
        buf_fini(&buf);
        return false;
    }
    mem_free(plan->file_bytes);
    plan->file_bytes = buf.data;
    plan->body = (struct str){ buf.data == NULL ? "" : buf.data, buf.len };
    return true;
}

/* "body.json" where "@body.json" was meant: h2load's --data is a file, curl's is not. */
static bool is_name_of_file(const char *text)
{
    struct stat status;

    return text[0] != '\0' && stat(text, &status) == 0 && S_ISREG(status.st_mode);
}

bool plan_data_load(struct plan *plan, struct err *err)
{
    if (plan->data == NULL) {
        return true;
    }
    if (plan->data[0] == '@') {
        /* Read once only: standard input cannot be read again. */
        return plan->file_bytes != NULL || load_file(plan, plan->data + 1, err);
    }
    if (is_name_of_file(plan->data)) {
        return err_set(err, ERR_USAGE,
                       "--data '%s' is the name of a file: --data @%s sends its contents",
                       plan->data, plan->data);
    }
    plan->body = str_of(plan->data);
    return true;
}
