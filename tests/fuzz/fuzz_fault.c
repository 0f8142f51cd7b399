/* SPDX-License-Identifier: Apache-2.0 */
/* The faults of the built-in server: whatever the name and the query say, the script is refused
 * with a reason, or walks on within its limits, and says nothing behind the head of an answer to
 * HEAD. */
#include "fuzz.h"
#include "http/h1_request_parse.h"
#include "target/fault.h"

enum { MOVES_MAX = 200 };

static void walk(struct fault *fault)
{
    enum fault_move move = FAULT_GO_ON;

    for (int i = 0; i < MOVES_MAX && move <= FAULT_RENEW; i++) {
        bool was_in_body = fault->in_body && fault->ready_at == fault->ready.len;
        struct str bytes;

        move = fault_next(fault, &bytes);
        FUZZ_CHECK(bytes.len <= fault->ready.len);
        FUZZ_CHECK(!fault->ready.overflow);
        FUZZ_CHECK(!was_in_body || !fault->in_body || !fault->scene.is_head || bytes.len == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t choice = fuzz_take_byte(&data, &size);
    struct answer_pages pages;
    struct fault fault;
    struct err err = { .text = "" };
    int status = 0;

    /* As the parser of requests would have it. */
    size = size < H1_REQUEST_TARGET_BYTES_MAX ? size : H1_REQUEST_TARGET_BYTES_MAX;
    if (!fault_parse(fuzz_text(data, size), &fault, &status, &err)) {
        FUZZ_CHECK(status == 400 || status == 404);
        FUZZ_CHECK(err.text[0] != '\0');
        return 0;
    }
    answer_pages_init(&pages);
    fault_begin(&fault, &(struct fault_scene){
                            .pages = &pages,
                            .target = fuzz_text(data, size),
                            .answer = 1U + (choice >> 4),
                            .serial = 1U + (choice >> 4),
                            .in_work = choice >> 4,
                            .is_head = (choice & 1) != 0,
                            .connection = (choice >> 1) % ANSWER_CONNECTION_COUNT,
                        });
    walk(&fault);
    fault_fini(&fault);
    answer_pages_fini(&pages);
    return 0;
}
