/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The built-in server behind `brunt serve`: fast answers, or answers with known delays and sizes.
 * resource.h says what it answers to which path.
 *
 * One thread has one loop and one listening socket; the kernel spreads connections over them. The
 * limit of workers holds for all threads together: one line, first come, first served. A request
 * takes a worker from when it is read until its answer is handed over.
 *
 * Times. A request *arrives* when its last byte is there to be read. Without a limit of workers its
 * delay counts from the arrival; with one, from when a worker takes it. CPU time is burnt first, on
 * the thread that serves, and counts as part of the delay. A freeze begins at every whole PERIOD
 * after the start, on all threads alike; what falls due meanwhile is late.
 *
 * The log has one line for each answer that was handed over whole, after one line of names that
 * begins with '#':
 *
 *     arrival_ns method path status body_bytes hold_ns connection
 *
 * A fault has its line whatever becomes of it: guest_fault.h says what is in it.
 *
 * arrival_ns is CLOCK_MONOTONIC, taken from the kernel's receive stamp of the request's last
 * segment (the clock after the read where there is none: unix sockets, a clock that was stepped).
 * hold_ns runs from there to just before the system call that handed the last byte of the answer to
 * the kernel: waiting in the loop, in line, the delay and the sending are all in it, the transport
 * is not. With TLS these are the stamp of the request's last record and the time before the last
 * record of the answer is encrypted. Requests that were read in one piece share one arrival.
 * Connections are numbered from 1 in the order of their acceptance. body_bytes is 0 for HEAD. What
 * was answered and not read as a request has "-" for what is not known of it. Lines of several
 * threads are not in order of time.
 */
#ifndef TARGET_TARGET_H
#define TARGET_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "net/tls.h"

/* What is wrong with the certificate that is made. */
enum target_flaw { TARGET_FLAW_NONE, TARGET_FLAW_EXPIRED, TARGET_FLAW_NOT_YET, TARGET_FLAW_HOST };

/* What a client gets in place of a handshake, once it has begun its own. */
enum target_tls_fault {
    TARGET_TLS_GOOD,
    TARGET_TLS_STALL, /* nothing, and the connection stays open */
    TARGET_TLS_CLOSE,
    TARGET_TLS_RESET,
    TARGET_TLS_ALERT, /* handshake_failure */
    TARGET_TLS_PLAIN, /* an answer of plain HTTP */
};

struct target_tls {
    bool on;
    char *cert, *key;         /* PEM files; NULL: a certificate is made, good for localhost */
    char *cert_out;           /* where the one that is made is written, before it is served */
    char *client_ca;          /* PEM file: who vouches for the certificate that clients need */
    enum tls_version version; /* the only one; ANY: 1.2 and 1.3 */
    bool no_tickets;
    enum target_flaw flaw;
    enum target_tls_fault fault;
};

struct target_config {
    char *listen;    /* "ADDR:PORT", "[ADDR]:PORT", "unix:PATH"; port 0: a free one */
    int64_t threads; /* 1 */
    int64_t workers; /* requests in work at once, the others wait in line; 0: no limit */
    int64_t cpu_ns;  /* CPU time burnt for each request */
    int64_t freeze_ns, freeze_period_ns; /* all stops for freeze in every period; 0: never */
    char *log; /* what came, when, and how long it was held; NULL: no log */
    struct target_tls tls;
    uint64_t seed;
};

struct target;
struct tls_cert;

enum { TARGET_THREADS_MAX = 256 };

/* Listens, and opens the log. NULL: err says why. The config must live as long as the target. The
 * address as text for people and scripts: target_address(). */
struct target *target_new(const struct target_config *config, struct err *err);
const char *target_address(const struct target *target); /* "127.0.0.1:8080", "unix:/path" */
/* The certificate that was made; NULL: none was. */
const struct tls_cert *target_cert(const struct target *target);
/* Serves until target_stop() (async-signal-safe) is called; once only. False: the log could not be
 * written, or there was no thread to be had. */
bool target_run(struct target *target, struct err *err) MUST_CHECK;
void target_stop(struct target *target);
void target_free(struct target *target);
/* Answers handed over, once target_run() returned. */
uint64_t target_served(const struct target *target);

/* `self`: serves in a child process that dies with the calling thread: call it on the main one.
 * ret_port: where, on 127.0.0.1 (config->listen is not read); ret_pid: end it with SIGTERM, which
 * completes the log. Interrupts from the terminal do not reach it. */
bool target_spawn(const struct target_config *config, uint16_t *ret_port, int *ret_pid,
                  struct err *err) MUST_CHECK;

#endif
