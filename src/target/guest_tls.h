/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A guest that comes over TLS: the handshake, or what is done in its place when it is to fail.
 */
#ifndef TARGET_GUEST_TLS_H
#define TARGET_GUEST_TLS_H

#include "target/guest.h"

/* A new guest of a server with TLS: it shakes hands before it reads. */
void guest_tls_welcome(struct guest *guest);
/* Something came, or there is room to send. It goes on to read once hands are shaken. */
void guest_tls_shake(struct guest *guest);

#endif
