/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_stdout(const char *path)
{
    return strcmp(path, "-") == 0;
}

bool output_check(const char *path, struct err *err)
{
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX];
    struct stat status;

    if (is_stdout(path)) {
        return true;
    }
    if (stat(path, &status) == 0) {
        return !S_ISDIR(status.st_mode) ||
               err_set(err, ERR_USAGE, "cannot write '%s': it is a folder", path);
    }
    str_copy(folder, sizeof(folder),
             slash == NULL ? STR(".") : (struct str){ path, (size_t)(slash - path) });
    if (folder[0] == '\0') {
        str_copy(folder, sizeof(folder), STR("/"));
    }
    if (stat(folder, &status) != 0) {
        return err_set(err, ERR_USAGE, "cannot write '%s': its folder: %m", path);
    }
    return S_ISDIR(status.st_mode) ||
           err_set(err, ERR_USAGE, "cannot write '%s': '%s' is no folder", path, folder);
}

static bool write_all(int fd, struct str text)
{
    while (text.len > 0) {
        ssize_t n = write(fd, text.p, text.len);

        if (n < 0 && errno != EINTR) {
            return false;
        }
        text = str_from(text, n > 0 ? (size_t)n : 0);
    }
    return true;
}

static bool write_to(int fd, const char *path, struct str text, struct err *err)
{
    bool ok = write_all(fd, text);
    int code = errno;

    /* Some file systems only say at the end that there was no room. */
    if (close(fd) != 0 && ok) {
        ok = false;
        code = errno;
    }
    errno = code;
    return ok || err_set(err, ERR_SYSTEM, "cannot write '%s': %m", path);
}

static bool write_directly(const char *path, struct str text, struct err *err)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);

    if (fd < 0) {
        return err_set(err, ERR_SYSTEM, "cannot write '%s': %m", path);
    }
    return write_to(fd, path, text, err);
}

static bool write_beside(const char *path, mode_t mode, struct str text, struct err *err)
{
    char beside[PATH_MAX];
    int length = snprintf(beside, sizeof(beside), "%s.%ld.part", path, (long)getpid());
    int fd;

    if (length < 0 || (size_t)length >= sizeof(beside)) {
        return err_set(err, ERR_SYSTEM, "cannot write '%s': the name is too long", path);
    }
    fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd < 0) {
        return err_set(err, ERR_SYSTEM, "cannot write '%s': %m", path);
    }
    if (!write_to(fd, path, text, err)) {
        (void)unlink(beside);
        return false;
    }
    if (rename(beside, path) != 0) {
        (void)err_set(err, ERR_SYSTEM, "cannot write '%s': %m", path);
        (void)unlink(beside);
        return false;
    }
    return true;
}

bool output_write(const char *path, struct str text, struct err *err)
{
    char place[PATH_MAX];
    struct stat status;

    if (is_stdout(path)) {
        return write_all(STDOUT_FILENO, text) ||
               err_set(err, ERR_SYSTEM, "cannot write to standard output: %m");
    }
    /* A link stays a link: what it points to is replaced. */
    if (realpath(path, place) == NULL) {
        return write_beside(path, 0666, text, err);
    }
    if (stat(place, &status) == 0 && !S_ISREG(status.st_mode)) {
        return write_directly(place, text, err);
    }
    return write_beside(place, status.st_mode & 0777, text, err);
}
