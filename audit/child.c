/* SPDX-License-Identifier: MIT */
#include "audit/child.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ms; how long one wait may last, so that int holds it */
#define LONGEST_WAIT 1e6

double ic_child_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* In the child: no core files, nothing on standard output, which is the report's. */
static void be_child(ic_child_work *work, void *context, int fd)
{
    ic_sink sink = {.fd = fd};
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere != -1) dup2(nowhere, STDOUT_FILENO);
    signal(SIGPIPE, SIG_DFL);
    setpgid(0, 0); /* what it starts is ended with it */
    work(&sink, context);
    ic_sink_record(&sink, IC_RECORD_END, 0, "");
    _exit(0);
}

/* One record, or what there is until the deadline. 1: a record; 0: the end; -1: too late. */
static int receive(int fd, ic_record *record, double deadline)
{
    char *at = (char *)record;
    size_t left = sizeof *record;
    while (left > 0) {
        struct pollfd waiting = {.fd = fd, .events = POLLIN};
        const double wait = 1e3 * (deadline - ic_child_now());
        if (wait <= 0) return -1;
        const int ready = poll(&waiting, 1, (int)fmin(ceil(wait), LONGEST_WAIT));
        if (ready == 0 || (ready == -1 && errno == EINTR)) continue;
        const ssize_t got = ready > 0 ? read(fd, at, left) : 0;
        if (got == -1 && errno == EINTR) continue;
        if (got <= 0) return 0;
        at += got;
        left -= (size_t)got;
    }
    return 1;
}

void ic_child_listen(ic_child_end *end, int fd, ic_child_reader *reader, void *context, double deadline)
{
    ic_record record;
    int got = 0;
    while (!end->whole && (got = receive(fd, &record, deadline)) == 1) {
        ic_record_make_printable(&record);
        if (record.kind == IC_RECORD_END) end->whole = true;
        else if (record.kind == IC_RECORD_EXCUSED) end->excused = true;
        else if (record.kind == IC_RECORD_DOING) {
            memcpy(end->doing, record.text, sizeof end->doing);
            end->excused = false;
        } else reader(&record, context);
    }
    end->late = got == -1;
}

bool ic_child_wait(pid_t child, int *state, double deadline)
{
    const struct timespec pause = {.tv_nsec = 2000000};
    bool in_time = true;
    for (;;) {
        const pid_t ended = waitpid(child, state, WNOHANG);
        if (ended == child || (ended == -1 && errno != EINTR)) return in_time;
        if (in_time && ic_child_now() > deadline) {
            in_time = false;
            kill(-child, SIGKILL);
        }
        nanosleep(&pause, NULL);
    }
}

ic_child_end ic_child_run(ic_child_work *work, ic_child_reader *reader, void *context, double seconds)
{
    ic_child_end end = {0};
    const double deadline = ic_child_now() + seconds;
    int fds[2], state = 0;
    if (pipe(fds) != 0) return end;
    fflush(NULL); /* or the child would write it again */
    const pid_t child = fork();
    if (child == 0) {
        close(fds[0]);
        be_child(work, context, fds[1]);
    }
    close(fds[1]);
    end.started = child > 0;
    if (end.started) {
        setpgid(child, child); /* whoever comes first */
        ic_child_listen(&end, fds[0], reader, context, deadline);
        /* it has said all, or is dead, or is late; one that only hides its end must not be waited for */
        if (end.late || end.whole) kill(-child, SIGKILL);
        if (!ic_child_wait(child, &state, deadline)) end.late = true;
        kill(-child, SIGKILL);
        if (!end.late && WIFSIGNALED(state)) end.signal = WTERMSIG(state);
        if (WIFEXITED(state)) end.status = WEXITSTATUS(state);
    }
    close(fds[0]);
    return end;
}
