/* SPDX-License-Identifier: MIT */
#include "audit/common/process.h"
#include "core/system.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* longest wait that fits an int, ms */
#define LONGEST_WAIT 1e6
/* a process that waits for processors may take this many times its limit; and its least respite, s */
#define LONGEST_DELAY 20.0
#define LEAST_RESPITE 0.01
/* time after which a supervisor is killed, s */
#define GRACE 3.0
/*
 * Numbers of rounds: of killing the orphans of a lost supervisor, and of waiting for an interrupted
 * one.
 */
enum { MOST_ROUNDS = 1000 };
/* bytes read at once; reads at the end, which empty a pipe; the first non-standard descriptor */
enum { ROOM = 1 << 16, LAST_READS = 4, FIRST_OWN = 3, HANDING = 4 };
static const struct timespec round_length = {.tv_nsec = 2000000};

/* For signal handlers. */
static volatile sig_atomic_t running_supervisor, running_line;

double ic_process_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- starting */

typedef struct ends {
    /* [0] is ours */
    int answer[2], errors[2], line[2];
} ends;

static void close_end(int *fd)
{
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

static void close_ends(ends *e, int side)
{
    close_end(&e->answer[side]);
    close_end(&e->errors[side]);
    close_end(&e->line[side]);
}

/* Packets cannot be opened through /proc, as a pipe can. */
static bool open_ends(ends *e, bool prints)
{
    *e = (ends){{-1, -1}, {-1, -1}, {-1, -1}};
    if ((prints ? pipe(e->answer) : socketpair(AF_UNIX, SOCK_SEQPACKET, 0, e->answer)) == 0 &&
        pipe(e->errors) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, e->line) == 0) {
        if (!prints) shutdown(e->answer[0], SHUT_WR);
        return true;
    }
    const int why = errno;
    close_ends(e, 0);
    close_ends(e, 1);
    errno = why;
    return false;
}

/* An unguessable name. */
static void name_folder(char *folder)
{
    unsigned long long number = 0;
    const char *where = getenv("TMPDIR");
    if (where == NULL || where[0] != '/') where = "/tmp";
    if (getentropy(&number, sizeof number) != 0) return;
    const int length = snprintf(folder, IC_PROCESS_FOLDER, "%s/impactcheck-%016llx", where, number);
    if (length >= IC_PROCESS_FOLDER) folder[0] = '\0';
}

/* A copy above the standard descriptors. */
static int lift_descriptor(int fd)
{
    return fcntl(fd, F_DUPFD, FIRST_OWN + 1);
}

/* No descriptor of ours stays open in the child, but for `handing`, which becomes HANDING until it is confined. */
static int set_descriptors(const ends *e, int handing, const ic_process_settings *settings)
{
    const int kept = handing >= 0 ? fcntl(handing, F_DUPFD, HANDING + 1) : -1;
    const int answer = lift_descriptor(e->answer[1]), errors = lift_descriptor(e->errors[1]);
    const int nowhere = lift_descriptor(open("/dev/null", O_RDWR));
    const int input = settings->input >= 0 ? lift_descriptor(settings->input) : nowhere;
    dup2(input, STDIN_FILENO);
    dup2(settings->prints ? answer : nowhere, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    if (!settings->prints) dup2(answer, FIRST_OWN);
    if (kept >= 0) dup2(kept, HANDING);
    ic_close_from(kept >= 0 ? HANDING + 1 : settings->prints ? FIRST_OWN : FIRST_OWN + 1);
    return settings->prints ? STDOUT_FILENO : FIRST_OWN;
}

typedef struct plan {
    ic_process_body *body;
    void *context;
    const ic_process_settings *settings;
    const char *folder;
} plan;

static noreturn void be_child(const plan *p, const ends *e, int handing, pid_t supervisor)
{
    ic_supervise_child(supervisor);
    const int answer = set_descriptors(e, handing, p->settings);
    ic_limit_use(p->settings->seconds, p->settings->confined);
    if (p->settings->confined) {
        if (p->folder[0] != '\0') setenv("TMPDIR", p->folder, 1);
        const int listener = ic_confine(p->folder);
        if (listener >= 0) ic_descriptor_send(HANDING, listener), close(listener);
        close(HANDING);
    }
    _exit(p->body(answer, p->context));
}

static noreturn void be_supervisor(const plan *p, const ends *e)
{
    ic_supervise_begin();
    /* The parent creates the folder, because it also removes it, whatever happens to the child. */
    if (p->folder[0] != '\0') mkdir(p->folder, 0700);
    int handed[2] = {-1, -1};
    if (p->settings->confined && socketpair(AF_UNIX, SOCK_STREAM, 0, handed) == -1) _exit(1);
    const pid_t self = getpid(), child = fork();
    if (child == 0) be_child(p, e, handed[1], self);
    const int why = errno;
    /* The supervisor keeps only the line, and the way of the listener. Otherwise a reader of our output would wait. */
    const int line = lift_descriptor(e->line[1]), way = handed[0] >= 0 ? lift_descriptor(handed[0]) : -1;
    dup2(line, STDIN_FILENO);
    if (way >= 0) dup2(way, STDOUT_FILENO);
    ic_close_from(way >= 0 ? STDOUT_FILENO + 1 : STDIN_FILENO + 1);
    errno = why;
    ic_supervise(STDIN_FILENO, way >= 0 ? STDOUT_FILENO : -1, child, p->folder);
}

/* Signals are blocked until the handler knows the supervisor. */
static bool start_supervisor(ic_process *process, const plan *p, ends *e)
{
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    process->supervisor = fork();
    if (process->supervisor == 0) {
        close_ends(e, 0);
        be_supervisor(p, e);
    }
    const int why = errno;
    if (process->supervisor > 0) {
        process->answer = e->answer[0], process->errors = e->errors[0], process->line = e->line[0];
        running_line = process->line, running_supervisor = process->supervisor;
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = why;
    return process->supervisor > 0;
}

bool ic_process_start(ic_process *process, ic_process_body *body, void *context,
                      const ic_process_settings *settings)
{
    ends e;
    const double now = ic_process_now();
    *process = (ic_process){.deadline = now + settings->seconds,
                            .latest = now + LONGEST_DELAY * settings->seconds,
                            .seconds = settings->seconds};
    const plan p = {body, context, settings, process->folder};
    if (!open_ends(&e, settings->prints)) return false;
    if (settings->confined) name_folder(process->folder);
    /* Orphans of a killed supervisor become children of this process. */
    ic_adopt_orphans();
    fflush(NULL); /* Otherwise the child would write it again. */
    const bool started = start_supervisor(process, &p, &e);
    const int why = errno;
    close_ends(&e, 1);
    if (!started) close_ends(&e, 0);
    errno = why;
    return started;
}

/* ---- while it runs */

static void keep_tail(ic_process *p, const char *bytes, size_t length)
{
    const size_t added = length < sizeof p->tail ? length : sizeof p->tail;
    const size_t kept = p->tail_length + added <= sizeof p->tail ? p->tail_length : sizeof p->tail - added;
    memmove(p->tail, p->tail + p->tail_length - kept, kept);
    memcpy(p->tail + kept, bytes + length - added, added);
    p->tail_length = kept + added;
}

/* Reads standard error so that no writer blocks; only its tail is kept. */
static void take_errors(ic_process *p)
{
    static char room[ROOM];
    const ssize_t got = read(p->errors, room, sizeof room);
    if (got > 0) keep_tail(p, room, (size_t)got);
    else if (got == 0 || errno != EINTR) close_end(&p->errors);
}

static void take_report(ic_process *p)
{
    const ssize_t got = recv(p->line, &p->supervised, sizeof p->supervised, 0);
    if (got == -1 && errno == EINTR) return;
    p->over = true;
    p->lost = got != (ssize_t)sizeof p->supervised;
    if (!p->lost) return;
    /* the orphans of a killed supervisor */
    const unsigned long long since = ic_process_start_time(p->supervisor);
    for (int i = 0; i < MOST_ROUNDS && ic_descendants_kill(getpid(), since) > 0; i++)
        nanosleep(&round_length, NULL);
    if (p->folder[0] != '\0') ic_folder_remove(p->folder);
}

/*
 * Waits for input and handles everything except answers. 1: an answer; 0: none yet; -1: the
 * deadline has passed.
 */
static int attend_process(ic_process *p, int answer, double deadline)
{
    struct pollfd waiting[] = {{.fd = answer, .events = POLLIN},
                               {.fd = p->errors, .events = POLLIN},
                               {.fd = p->over ? -1 : p->line, .events = POLLIN}};
    const double wait = 1e3 * (deadline - ic_process_now());
    if (wait <= 0) return -1;
    if (poll(waiting, 3, (int)fmin(ceil(wait), LONGEST_WAIT)) <= 0) return 0;
    if (waiting[1].revents != 0) take_errors(p);
    if (waiting[2].revents != 0) take_report(p);
    return waiting[0].revents != 0;
}

/* Puts off the deadline of a process that has not had its processor time yet, and wants it. */
static bool put_off(ic_process *p)
{
    const double now = ic_process_now();
    if (p->over || now >= p->latest) return false;
    const ic_descendants_use use = ic_descendants_measure(p->supervisor);
    if (!use.runs || use.processor >= p->seconds) return false;
    p->deadline = fmin(p->latest, now + fmax(LEAST_RESPITE, p->seconds - use.processor));
    return true;
}

void ic_process_allow(ic_process *p, double seconds)
{
    const double now = ic_process_now();
    p->deadline = now + seconds;
    p->latest = now + LONGEST_DELAY * seconds;
    p->seconds = ic_descendants_measure(p->supervisor).processor + seconds;
}

ssize_t ic_process_read(ic_process *p, void *bytes, size_t size)
{
    for (;;) {
        const int ready = attend_process(p, p->answer, p->deadline);
        if (ready < 0 && put_off(p)) continue;
        if (ready < 0) return -1;
        if (ready == 0) continue;
        const ssize_t got = read(p->answer, bytes, size);
        if (got == -1 && errno == EINTR) continue;
        return got > 0 ? got : 0;
    }
}

/* ---- its end */

/* The process may have stopped its supervisor. */
static void ask_to_end(pid_t supervisor, int line)
{
    shutdown(line, SHUT_WR);
    kill(supervisor, SIGCONT);
}

static void forget_process(ic_process *p)
{
    running_supervisor = 0;
    for (int i = 0; i < LAST_READS && p->errors >= 0; i++) {
        struct pollfd waiting = {.fd = p->errors, .events = POLLIN};
        if (poll(&waiting, 1, 0) > 0) take_errors(p);
    }
    close_end(&p->answer);
    close_end(&p->errors);
    close_end(&p->line);
}

ic_process_end ic_process_finish(ic_process *p, bool at_once)
{
    bool in_time = true, asked = at_once;
    double deadline = at_once ? ic_process_now() + GRACE : p->deadline;
    if (at_once) ask_to_end(p->supervisor, p->line);
    while (!p->over) {
        if (attend_process(p, -1, deadline) >= 0) continue;
        if (!asked && put_off(p)) {
            deadline = p->deadline;
            continue;
        }
        if (asked) {
            kill(p->supervisor, SIGKILL); /* its end of the line closes */
        } else {
            in_time = false;
            ask_to_end(p->supervisor, p->line);
        }
        asked = true;
        deadline = ic_process_now() + GRACE;
    }
    while (waitpid(p->supervisor, NULL, 0) == -1 && errno == EINTR) continue;
    while (p->lost && waitpid(-1, NULL, WNOHANG) > 0) continue; /* its orphans */
    forget_process(p);
    return (ic_process_end){in_time, p->lost, p->supervised};
}

void ic_process_last_words(const ic_process *p, char *words, size_t size)
{
    size_t end = p->tail_length, begin;
    while (end > 0 && strchr(" \t\r\n", p->tail[end - 1]) != NULL) end--;
    for (begin = end; begin > 0 && p->tail[begin - 1] != '\n' && end - begin + 1 < size;) begin--;
    for (size_t i = begin; i < end; i++) {
        const unsigned char c = (unsigned char)p->tail[i];
        words[i - begin] = (char)(c < ' ' ? ' ' : c > '~' ? '?' : c);
    }
    words[end - begin] = '\0';
}

void ic_process_interrupt(void)
{
    const pid_t supervisor = (pid_t)running_supervisor;
    if (supervisor <= 0) return;
    ask_to_end(supervisor, (int)running_line);
    for (int i = 0; i < MOST_ROUNDS; i++) {
        if (waitpid(supervisor, NULL, WNOHANG) != 0) return;
        nanosleep(&round_length, NULL);
    }
    kill(supervisor, SIGKILL);
}
