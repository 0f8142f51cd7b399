/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A wire of a known length: carries Ethernet frames between two interfaces, each so long after it
 * came as was asked for, in both directions and in order.
 *
 *     relay INTERFACE INTERFACE MICROSECONDS
 *
 * Each direction is a queue. A frame came when the kernel stamped it, not when it was read, and is
 * due that much later; the relay sleeps until shortly before and then looks at the clock, so that
 * no wake-up is in the delay. What it kept each frame for is what it measures: on SIGTERM it
 * prints, a line for each direction,
 *
 *     FROM TO frames dropped p50_ns p99_ns max_ns
 *
 * A queue that is full drops. Both interfaces must have their offloads off: a frame is what fits
 * the wire, and carries its checksum.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { FRAME_BYTES_MAX = 2048, FRAMES_MAX = 8192, DELAYS_MAX = 1 << 20, READS_TURN = 64 };

static const int64_t sec_ns = 1000000000;
/* A sleep ends so long before the moment: longer than waking up takes on an idle virtual CPU. */
static const int64_t early_ns = 150000;

struct frame {
    int64_t came_ns;
    size_t len;
    unsigned char bytes[FRAME_BYTES_MAX];
};

struct way {
    const char *from_name, *to_name;
    int from, to;
    struct frame *frames; /* a ring: taken counts those that came, sent those that left */
    uint64_t taken, sent, dropped;
    int64_t *delays; /* of the frames that left, up to DELAYS_MAX of them */
};

static volatile sig_atomic_t ended;

static void end(int signal_number)
{
    (void)signal_number;
    ended = 1;
}

static void die(const char *what)
{
    (void)fprintf(stderr, "relay: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* Receive stamps are of this clock. */
static int64_t now_ns(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * sec_ns + now.tv_nsec;
}

static int open_interface(const char *name)
{
    struct sockaddr_ll address = { .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL) };
    int fd = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;

    address.sll_ifindex = (int)if_nametoindex(name);
    if (fd < 0 || address.sll_ifindex == 0 ||
        setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on)) < 0 ||
        setsockopt(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &on, sizeof(on)) < 0 ||
        bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0) {
        die(name);
    }
    return fd;
}

static void open_way(struct way *way, const char *from_name, const char *to_name, int from, int to)
{
    *way = (struct way){ from_name, to_name, .from = from, .to = to };
    way->frames = calloc(FRAMES_MAX, sizeof(*way->frames));
    way->delays = calloc(DELAYS_MAX, sizeof(*way->delays));
    if (way->frames == NULL || way->delays == NULL) {
        die("memory");
    }
}

/* The kernel's stamp of what was received, or the time now when there is none. */
static int64_t stamp_of(struct msghdr *message)
{
    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part != NULL;
         part = CMSG_NXTHDR(message, part)) {
        if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_TIMESTAMPNS) {
            struct timespec stamp;

            memcpy(&stamp, CMSG_DATA(part), sizeof(stamp));
            return stamp.tv_sec * sec_ns + stamp.tv_nsec;
        }
    }
    return now_ns();
}

/* false: nothing is there. */
static bool take_frame(struct way *way)
{
    static struct frame spare;
    bool full = way->taken - way->sent == FRAMES_MAX;
    struct frame *frame = full ? &spare : &way->frames[way->taken % FRAMES_MAX];
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(struct timespec))];
    struct iovec piece = { frame->bytes, sizeof(frame->bytes) };
    struct msghdr message = { .msg_iov = &piece,
                              .msg_iovlen = 1,
                              .msg_control = control,
                              .msg_controllen = sizeof(control) };
    ssize_t len = recvmsg(way->from, &message, MSG_TRUNC);

    if (len < 0) {
        return false;
    }
    if ((size_t)len > sizeof(frame->bytes)) {
        (void)fprintf(stderr, "relay: a frame of %zd bytes: are the offloads off?\n", len);
        exit(1);
    }
    frame->len = (size_t)len;
    frame->came_ns = stamp_of(&message);
    way->taken += !full;
    way->dropped += full;
    return true;
}

static void send_frame(struct way *way)
{
    struct frame *frame = &way->frames[way->sent % FRAMES_MAX];

    if (way->sent < DELAYS_MAX) {
        way->delays[way->sent] = now_ns() - frame->came_ns;
    }
    if (send(way->to, frame->bytes, frame->len, 0) < 0) {
        way->dropped++;
    }
    way->sent++;
}

/* The way whose oldest frame is the oldest, or NULL. */
static struct way *oldest(struct way ways[2])
{
    struct way *first = NULL;

    for (struct way *way = ways; way < ways + 2; way++) {
        if (way->taken == way->sent) {
            continue;
        }
        if (first == NULL || way->frames[way->sent % FRAMES_MAX].came_ns <
                                 first->frames[first->sent % FRAMES_MAX].came_ns) {
            first = way;
        }
    }
    return first;
}

static void carry(struct way ways[2], int64_t delay_ns)
{
    while (!ended) {
        struct pollfd both[2] = { { .fd = ways[0].from, .events = POLLIN },
                                  { .fd = ways[1].from, .events = POLLIN } };
        struct timespec wait = { .tv_sec = 1 };
        struct way *way;

        for (int i = 0; i < READS_TURN && take_frame(&ways[0]); i++) {
        }
        for (int i = 0; i < READS_TURN && take_frame(&ways[1]); i++) {
        }
        way = oldest(ways);
        if (way != NULL) {
            int64_t due_ns = way->frames[way->sent % FRAMES_MAX].came_ns + delay_ns;
            int64_t left_ns = due_ns - now_ns() - early_ns;

            if (left_ns <= 0) {
                while (now_ns() < due_ns) {
                }
                send_frame(way);
                continue;
            }
            wait = (struct timespec){ left_ns / sec_ns, left_ns % sec_ns };
        }
        if (ppoll(both, 2, &wait, NULL) < 0 && errno != EINTR) {
            die("ppoll");
        }
    }
}

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static void report(struct way *way)
{
    size_t count = way->sent < DELAYS_MAX ? way->sent : DELAYS_MAX;

    qsort(way->delays, count, sizeof(*way->delays), compare);
    printf("%s %s %" PRIu64 " %" PRIu64, way->from_name, way->to_name, way->sent, way->dropped);
    if (count > 0) {
        printf(" %" PRId64 " %" PRId64 " %" PRId64, way->delays[count / 2],
               way->delays[count * 99 / 100], way->delays[count - 1]);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    struct sigaction action = { .sa_handler = end };
    struct way ways[2];
    int64_t delay_ns;
    int fds[2];

    if (argc != 4) {
        (void)fprintf(stderr, "usage: relay INTERFACE INTERFACE MICROSECONDS\n");
        return 2;
    }
    delay_ns = strtoll(argv[3], NULL, 10) * 1000;
    fds[0] = open_interface(argv[1]);
    fds[1] = open_interface(argv[2]);
    open_way(&ways[0], argv[1], argv[2], fds[0], fds[1]);
    open_way(&ways[1], argv[2], argv[1], fds[1], fds[0]);
    /* Before all others, where that is allowed: a wire does not wait for a CPU. */
    (void)sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = 10 });
    (void)prctl(PR_SET_TIMERSLACK, 1UL);
    (void)sigaction(SIGTERM, &action, NULL);
    printf("ready\n");
    (void)fflush(stdout);
    carry(ways, delay_ns);
    report(&ways[0]);
    report(&ways[1]);
    for (int i = 0; i < 2; i++) {
        free(ways[i].frames);
        free(ways[i].delays);
    }
    return 0;
}
