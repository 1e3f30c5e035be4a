/* SPDX-License-Identifier: MIT */
#include "audit/common/process.h"
#include "core/system.h"

#include <errno.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Time limit: killed processes end within milliseconds unless they hang in the kernel. */
enum { MOST_ROUNDS = 500, FOLDERS_OPEN = 16 };
static const struct timespec round_length = {.tv_nsec = 2000000};

/*
 * Signals that end or stop a process. A supervisor ignores them; it ends only when its line is
 * closed.
 */
static const int ignored[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1,
                              SIGUSR2, SIGTSTP, SIGTTIN, SIGTTOU, SIGXFSZ, SIGXCPU};

static void set_signals(void (*action)(int))
{
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++) signal(ignored[i], action);
}

static void note_child(int signal_number)
{
    (void)signal_number; /* it interrupts the wait for the line */
}

static void block_signals(bool all)
{
    sigset_t set;
    if (all) sigfillset(&set);
    else sigemptyset(&set);
    sigprocmask(SIG_SETMASK, &set, NULL);
}

void ic_supervise_begin(void)
{
    set_signals(SIG_IGN);
    block_signals(true);
    signal(SIGCHLD, note_child);
    setpgid(0, 0); /* ^C is for the foreground */
    ic_adopt_orphans();
}

void ic_supervise_child(pid_t supervisor)
{
    ic_end_with_parent(supervisor);
    setpgid(0, 0);
    set_signals(SIG_DFL);
    signal(SIGCHLD, SIG_DFL);
    block_signals(false);
}

/* ---- a descriptor that the process hands over */

typedef struct handed_message {
    char byte;
    struct iovec part;

    _Alignas(struct cmsghdr) char room[CMSG_SPACE(sizeof(int))];

    struct msghdr header;
} handed_message;

static void make_message(handed_message *m)
{
    memset(m, 0, sizeof *m);
    m->part = (struct iovec){&m->byte, 1};
    m->header = (struct msghdr){
        .msg_iov = &m->part, .msg_iovlen = 1, .msg_control = m->room, .msg_controllen = sizeof m->room};
}

void ic_descriptor_send(int socket, int fd)
{
    handed_message m;
    make_message(&m);
    struct cmsghdr *head = CMSG_FIRSTHDR(&m.header);
    *head =
        (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof fd), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(head), &fd, sizeof fd);
    sendmsg(socket, &m.header, MSG_NOSIGNAL);
}

static int take_descriptor(int socket)
{
    int fd = -1;
    handed_message m;
    make_message(&m);
    if (recvmsg(socket, &m.header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) <= 0) return -1;
    const struct cmsghdr *head = CMSG_FIRSTHDR(&m.header);
    if (head != NULL && head->cmsg_type == SCM_RIGHTS) memcpy(&fd, CMSG_DATA(head), sizeof fd);
    return fd;
}

/* ---- watching */

typedef struct child_watch {
    pid_t child;

    /* the socket by which the listener to refused calls comes, and the listener; -1: none */
    int handed, listener;

    bool ended;
    ic_supervised said;
} child_watch;

static double seconds_of(const struct timeval *t)
{
    return (double)t->tv_sec + 1e-6 * (double)t->tv_usec;
}

/* Reap all that have ended. false: none is left. */
static bool reap_children(child_watch *w)
{
    struct rusage used;
    for (;;) {
        int state = 0;
        const pid_t ended = wait4(-1, &state, WNOHANG, &used);
        if (ended == 0) return true;
        if (ended == -1 && errno == EINTR) continue;
        if (ended == -1) return false;
        if (ended != w->child) continue;
        w->ended = true;
        w->said.state = state;
        w->said.processor = seconds_of(&used.ru_utime) + seconds_of(&used.ru_stime);
        w->said.memory = 1024.0 * (double)used.ru_maxrss;
    }
}

static void take_listener(child_watch *w)
{
    w->listener = take_descriptor(w->handed);
    close(w->handed);
    w->handed = -1;
}

/* Waits until the process ends or the line is closed, and answers calls that it is refused. */
static void wait_for_end(child_watch *w, int line)
{
    sigset_t none;
    sigemptyset(&none);
    for (;;) {
        struct pollfd waiting[] = {{.fd = line, .events = POLLIN},
                                   {.fd = w->handed, .events = POLLIN},
                                   {.fd = w->listener, .events = POLLIN}};
        reap_children(w);
        if (w->ended) return;
        if (ppoll(waiting, 3, NULL, &none) <= 0) continue;
        if (waiting[0].revents != 0) return;
        if (waiting[1].revents != 0) take_listener(w);
        if ((waiting[2].revents & POLLIN) != 0) w->said.attempts |= ic_attempt_refuse(w->listener);
        else if (waiting[2].revents != 0) w->listener = -1; /* nobody is left who could ask */
    }
}

static void kill_children(child_watch *w)
{
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    kill(-w->child, SIGKILL);
    for (int i = 0; i < MOST_ROUNDS && reap_children(w); i++) {
        ic_descendants_kill(getpid(), 0);
        sigtimedwait(&child, NULL, &round_length);
    }
}

void ic_supervise(int line, int handed, pid_t child, const char *folder)
{
    child_watch w = {.child = child, .handed = handed, .listener = -1, .said.refused = child == -1 ? errno : 0};
    if (child > 0) {
        wait_for_end(&w, line);
        kill_children(&w);
    }
    if (folder[0] != '\0') ic_folder_remove(folder);
    send(line, &w.said, sizeof w.said, MSG_NOSIGNAL);
    _exit(0);
}

/* ---- its folder */

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    remove(path);
    return 0;
}

void ic_folder_remove(const char *path)
{
    if (rmdir(path) == -1 && errno != ENOENT) nftw(path, remove_entry, FOLDERS_OPEN, FTW_DEPTH | FTW_PHYS);
}
