/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A guest's way out: what the kernel does not take at once waits in `unsent`, and a guest that
 * could go on for ever lets the others go first.
 */
#ifndef TARGET_GUEST_SEND_H
#define TARGET_GUEST_SEND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "target/guest.h"

/* Sends the bytes, which are either all that is unsent or not in `unsent` at all, and the block
 * behind them, as far as the kernel takes them. True: all, handed_ns says when. False: the guest is
 * resumed when there is room again, or it left. */
bool guest_send(struct guest *guest, struct str bytes);
/* Whether what became ready lets a guest that waits to send go on. */
bool guest_send_may(const struct guest *guest, uint32_t ready);
/* It is resumed after the others had their turn. */
void guest_send_later(struct guest *guest);
/* It leaves, and is not resumed. */
void guest_send_forget(struct guest *guest);

#endif
