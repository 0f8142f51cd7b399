/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/file.h"

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

bool file_read(const char *path, char *memory, size_t room, struct str *ret_text)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t used = 0;
    ssize_t n;

    if (fd < 0) {
        return false;
    }
    do {
        n = read(fd, memory + used, room - used);
        used += n > 0 ? (size_t)n : 0;
    } while (n > 0 && used < room);
    (void)close(fd);
    if (n < 0 && used == 0) {
        return false;
    }
    *ret_text = (struct str){ memory, used };
    return true;
}
