/* SPDX-License-Identifier: Apache-2.0 */
#include "trial/samples.h"

#include <errno.h>
#include <stdio.h>

#include "base/fail.h"
#include "base/mem.h"

struct samples {
    FILE *file;
    char *path;
    bool failed;
};

struct samples *samples_open(const char *path, struct err *err)
{
    struct samples *samples;
    FILE *file = fopen(path, "we");

    if (file == NULL) {
        err_set(err, ERR_SYSTEM, "cannot write '%s': %m", path);
        return NULL;
    }
    samples = mem_new(1, sizeof(*samples));
    samples->file = file;
    samples->path = mem_strdup(path);
    samples->failed = fprintf(file, "start_ns,response_ns,connect_ns,first_byte_ns,bytes_in,user,"
                                    "status,outcome,measured\n") < 0;
    return samples;
}

void samples_add(struct samples *samples, const struct row *row, int64_t t0_ns)
{
    char connect[24] = "", first_byte[24] = "";

    if (row->connect_ns >= 0) {
        (void)snprintf(connect, sizeof(connect), "%lld", (long long)row->connect_ns);
    }
    if (row->first_byte_ns >= 0) {
        (void)snprintf(first_byte, sizeof(first_byte), "%lld", (long long)row->first_byte_ns);
    }
    if (fprintf(samples->file, "%lld,%lld,%s,%s,%llu,%u,%u,%s,%d\n",
                (long long)(row->start_ns - t0_ns), (long long)row->response_ns, connect,
                first_byte, (unsigned long long)row->bytes_in, row->user, row->status,
                row->fail == FAIL_NONE ? "ok" : fail_word(row->fail), row->measured) < 0) {
        samples->failed = true;
    }
}

bool samples_close(struct samples *samples, uint64_t dropped, struct err *err)
{
    bool ok = fclose(samples->file) == 0 && !samples->failed;

    if (!ok) {
        err_set(err, ERR_SYSTEM, "cannot write '%s': %m", samples->path);
    } else if (dropped > 0) {
        ok = err_set(err, ERR_SYSTEM, "'%s' lacks %llu requests: the disk was slower than the load",
                     samples->path, (unsigned long long)dropped);
    }
    mem_free(samples->path);
    mem_free(samples);
    return ok;
}
