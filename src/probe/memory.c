/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/memory.h"

#include "probe/file.h"
#include "proc/pidstatus.h"

int64_t memory_peak_bytes(void)
{
    char memory[FILE_BYTES_MAX];
    struct str text;
    int64_t bytes;

    if (!file_read("/proc/self/status", memory, sizeof(memory), &text) ||
        !pidstatus_bytes(text, STR("VmHWM"), &bytes)) {
        return -1;
    }
    return bytes;
}
