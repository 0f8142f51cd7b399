/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A guest that asked for /fault/NAME: makes the moves that fault_next() names.
 *
 * A fault that was begun has its line in the log, and counts as served, whatever becomes of it:
 * with the status and the body bytes that were sent, and held until the last send (or until now,
 * when nothing was).
 */
#ifndef TARGET_GUEST_FAULT_H
#define TARGET_GUEST_FAULT_H

#include <stdint.h>

#include "base/str.h"
#include "target/guest.h"

/* The head is known: the fault it asks for, or the text that says why there is none. */
void guest_fault_take(struct guest *guest, struct str text);
/* Now it is answered; delays count from start_ns. */
void guest_fault_begin(struct guest *guest, int64_t start_ns);
/* A pause is over. */
void guest_fault_go_on(struct guest *guest);
/* There is room to send again. */
void guest_fault_resume(struct guest *guest);
/* From now on it hears and says nothing; also without a fault. */
void guest_fault_fall_silent(struct guest *guest);
/* Log and memory; the guest has no fault from now on. */
void guest_fault_end(struct guest *guest);

#endif
