/* SPDX-License-Identifier: MIT */
#include "audit/process.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ms; how long one wait may last, so that int holds it */
#define LONGEST_WAIT 1e6

double ic_process_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

pid_t ic_process_start(int *answer, ic_process_body *body, void *context)
{
    const struct rlimit none = {0, 0};
    int fds[2];
    if (pipe(fds) != 0) return -1;
    fflush(NULL); /* or the child would write it again */
    const pid_t child = fork();
    const int why = errno;
    if (child == 0) {
        close(fds[0]);
        setrlimit(RLIMIT_CORE, &none);
        setpgid(0, 0); /* what it starts is ended with it */
        signal(SIGPIPE, SIG_DFL);
        _exit(body(fds[1], context));
    }
    close(fds[1]);
    if (child > 0) {
        setpgid(child, child); /* whoever comes first */
        *answer = fds[0];
    } else {
        close(fds[0]);
        errno = why;
    }
    return child;
}

ssize_t ic_process_read(int answer, void *bytes, size_t size, double deadline)
{
    for (;;) {
        struct pollfd waiting = {.fd = answer, .events = POLLIN};
        const double wait = 1e3 * (deadline - ic_process_now());
        if (wait <= 0) return -1;
        const int ready = poll(&waiting, 1, (int)fmin(ceil(wait), LONGEST_WAIT));
        if (ready == 0 || (ready == -1 && errno == EINTR)) continue;
        const ssize_t got = ready > 0 ? read(answer, bytes, size) : 0;
        if (got == -1 && errno == EINTR) continue;
        return got > 0 ? got : 0;
    }
}

bool ic_process_finish(pid_t child, bool at_once, int *state, double deadline)
{
    const struct timespec pause = {.tv_nsec = 2000000};
    bool in_time = true;
    if (at_once) kill(-child, SIGKILL);
    for (;;) {
        const pid_t ended = waitpid(child, state, WNOHANG);
        if (ended == child || (ended == -1 && errno != EINTR)) break;
        if (in_time && ic_process_now() > deadline) {
            in_time = false;
            kill(-child, SIGKILL);
        }
        nanosleep(&pause, NULL);
    }
    kill(-child, SIGKILL); /* what it has left behind */
    return in_time;
}
