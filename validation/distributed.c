/* SPDX-License-Identifier: MIT */
#include "validation/distributed.h"
#include "core/expression.h"

#include <errno.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Exit status of a process that has reported its failure on standard error, as the command does. */
enum { HAS_SAID_WHY = 3 };

/* Memory shared by all processes. */
typedef struct board {
    atomic_size_t done;
    atomic_ulong cost_done;

    /* by part */
    atomic_bool taken[];
} board;

struct ic_distribution {
    /* NULL: parts are only counted */
    board *board;

    /* announced so far */
    size_t parts;

    /* of those parts */
    unsigned long cost;

    /* cost of the part in progress here */
    unsigned under_way;

    bool busy;
    size_t all_parts;
    unsigned long all_cost;
};

/* One write to a pipe. A process closes with END, so that no row is lost unnoticed. */
typedef struct message {
    enum { ROW, END, NO_MEMORY } kind;
    ic_result row;
} message;

/* A process that works. */
typedef struct worker {
    pid_t pid;

    /* -1: it has closed */
    int answers;

    /* END was received */
    bool ended;
} worker;

size_t ic_processors(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (size_t)CPU_COUNT(&set) : 1;
}

/* ---- parts */

/* Return the memory of a part before the next one begins: the processes together need no more than
   their largest parts. */
static void finish_part(struct ic_distribution *distributed)
{
    if (!distributed->busy) return;
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
    atomic_fetch_add(&distributed->board->done, 1);
    atomic_fetch_add(&distributed->board->cost_done, distributed->under_way);
    distributed->busy = false;
}

static bool take_part(struct ic_distribution *distributed, unsigned cost)
{
    const size_t part = distributed->parts++;
    distributed->cost += cost;
    if (distributed->board == NULL) return false;
    finish_part(distributed);
    if (atomic_exchange(&distributed->board->taken[part], true)) return false;
    distributed->under_way = cost;
    distributed->busy = true;
    return true;
}

ic_distributed_progress ic_distributed_progress_of(const ic_results *results)
{
    const struct ic_distribution *d = results->distributed;
    if (d == NULL || d->board == NULL) return (ic_distributed_progress){0, 0, 0};
    const double all = d->all_cost > 0 ? (double)d->all_cost : 1;
    return (ic_distributed_progress){atomic_load(&d->board->done), d->all_parts,
                                     (double)atomic_load(&d->board->cost_done) / all};
}

/* ---- a process that works */

static bool send_message(int answers, const message *sent)
{
    const char *at = (const char *)sent;
    for (size_t left = sizeof *sent; left > 0;) {
        const ssize_t written = write(answers, at, left);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        at += written;
        left -= (size_t)written;
    }
    return true;
}

/* Rows that were sent are not kept. */
typedef struct sender {
    ic_results results;
    int answers;
} sender;

static void send_row(const ic_result *row, void *context)
{
    sender *s = context;
    const message sent = {.kind = ROW, .row = *row};
    if (!send_message(s->answers, &sent)) _exit(EXIT_FAILURE); /* The reader has ended. */
    s->results.count = 0;
}

/* The process ends with its parent, and leaves signals to it. */
static void become_worker(pid_t parent)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(EXIT_FAILURE);
    for (size_t i = 0; i < IC_COUNT(signals); i++) signal(signals[i], SIG_DFL);
}

static _Noreturn void run_worker(const struct ic_distribution *all, ic_distributed_walk *walk,
                                 const void *context, int answers)
{
    struct ic_distribution distributed = {
        .board = all->board, .all_parts = all->all_parts, .all_cost = all->all_cost};
    sender s = {.results = {.watch = send_row, .distributed = &distributed, .take = take_part},
                .answers = answers};
    s.results.context = &s;
    walk(&s.results, context);
    finish_part(&distributed);
    const message end = {.kind = s.results.out_of_memory ? NO_MEMORY : END};
    _exit(send_message(answers, &end) ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* ---- the process that distributes */

static bool start_worker(worker *w, const struct ic_distribution *distributed, ic_distributed_walk *walk,
                         const void *context, ic_error *error)
{
    int fds[2];
    const pid_t parent = getpid();
    if (pipe(fds) != 0) {
        ic_error_set(error, "cannot make a pipe to a process: %s", strerror(errno));
        return false;
    }
    fflush(NULL); /* Otherwise the child would write it again. */
    w->pid = fork();
    if (w->pid == 0) {
        close(fds[0]);
        become_worker(parent);
        run_worker(distributed, walk, context, fds[1]);
    }
    close(fds[1]);
    w->answers = fds[0];
    if (w->pid > 0) return true;
    ic_error_set(error, "cannot start a process: %s", strerror(errno));
    close(fds[0]);
    w->answers = -1;
    return false;
}

/* false: the pipe is closed. */
static bool receive_message(int answers, message *heard)
{
    char *at = (char *)heard;
    for (size_t left = sizeof *heard; left > 0;) {
        const ssize_t got = read(answers, at, left);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
        left -= (size_t)got;
    }
    return true;
}

/* Reason for which a process has closed its pipe before the end. */
static void explain_end(worker *w, ic_error *error)
{
    int state = 0;
    while (waitpid(w->pid, &state, 0) == -1 && errno == EINTR) {
    }
    w->pid = -1;
    if (WIFSIGNALED(state)) {
        ic_error_set(error, "a process was ended by signal %d (%s): its results are lost", WTERMSIG(state),
                     strsignal(WTERMSIG(state)));
    } else if (WEXITSTATUS(state) != HAS_SAID_WHY) {
        ic_error_set(error, "a process ended with status %d: its results are lost", WEXITSTATUS(state));
    }
}

/* Handle one message; false with `error`. */
static bool handle_message(ic_results *results, worker *w, ic_error *error)
{
    message heard;
    if (!receive_message(w->answers, &heard)) {
        close(w->answers);
        w->answers = -1;
        if (!w->ended) explain_end(w, error);
        return w->ended;
    }
    if (heard.kind == ROW) ic_results_append(results, &heard.row);
    w->ended = heard.kind == END;
    if (heard.kind != NO_MEMORY && !results->out_of_memory) return true;
    ic_error_set(error, "memory ran out");
    return false;
}

static bool collect_rows(ic_results *results, worker *workers, struct pollfd *waiting, size_t jobs,
                         ic_error *error)
{
    for (;;) {
        size_t open = 0;
        for (size_t i = 0; i < jobs; i++) {
            waiting[i] = (struct pollfd){.fd = workers[i].answers, .events = POLLIN};
            open += workers[i].answers >= 0;
        }
        if (open == 0) return true;
        if (poll(waiting, (nfds_t)jobs, -1) < 0 && errno != EINTR) {
            ic_error_set(error, "waiting for processes: %s", strerror(errno));
            return false;
        }
        for (size_t i = 0; i < jobs; i++) {
            if (waiting[i].revents != 0 && !handle_message(results, &workers[i], error)) return false;
        }
    }
}

static void end_workers(worker *workers, size_t jobs, bool at_once)
{
    for (size_t i = 0; i < jobs; i++) {
        if (workers[i].pid <= 0) continue;
        if (at_once) kill(workers[i].pid, SIGKILL);
        while (waitpid(workers[i].pid, NULL, 0) == -1 && errno == EINTR) {
        }
        if (workers[i].answers >= 0) close(workers[i].answers);
    }
}

static bool run_workers(ic_results *results, const struct ic_distribution *distributed,
                        ic_distributed_walk *walk, const void *context, size_t jobs, ic_error *error)
{
    worker *workers = calloc(jobs, sizeof *workers);
    struct pollfd *waiting = calloc(jobs, sizeof *waiting);
    bool good = workers != NULL && waiting != NULL;
    if (!good) ic_error_set(error, "memory ran out");
    for (size_t i = 0; workers != NULL && i < jobs; i++) workers[i].answers = -1;
    for (size_t i = 0; i < jobs && good; i++)
        good = start_worker(&workers[i], distributed, walk, context, error);
    good = good && collect_rows(results, workers, waiting, jobs, error);
    if (workers != NULL) end_workers(workers, jobs, !good);
    free(workers);
    free(waiting);
    return good;
}

/* ---- the order of rows */

/* Rows of one part come from one process in order: their addresses keep that order. */
static int compare_rows(const void *a, const void *b)
{
    const ic_result *one = *(ic_result *const *)a, *two = *(ic_result *const *)b;
    if (one->part != two->part) return one->part < two->part ? -1 : 1;
    return (one > two) - (one < two);
}

static bool sort_rows(ic_results *results, size_t first)
{
    const size_t n = results->count - first;
    ic_result *ordered = calloc(n + 1, sizeof *ordered);
    const ic_result **rows = calloc(n + 1, sizeof(const ic_result *));
    const bool good = ordered != NULL && rows != NULL;
    if (good) {
        for (size_t i = 0; i < n; i++) rows[i] = &results->rows[first + i];
        qsort(rows, n, sizeof(const ic_result *), compare_rows);
        for (size_t i = 0; i < n; i++) ordered[i] = *rows[i];
        memcpy(results->rows + first, ordered, n * sizeof *ordered);
    }
    free(ordered);
    free(rows);
    return good;
}

bool ic_distribute(ic_results *results, ic_distributed_walk *walk, const void *context, size_t jobs,
                   ic_error *error)
{
    const size_t first = results->count;
    struct ic_distribution distributed = {.board = NULL};
    ic_results counting = {.distributed = &distributed, .take = take_part};
    error->text[0] = '\0';
    walk(&counting, context);
    const size_t parts = distributed.parts, size = sizeof(board) + parts * sizeof(atomic_bool);
    if (jobs > parts) jobs = parts;
    if (jobs == 0) return true;
    void *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        ic_error_set(error, "memory ran out");
        return false;
    }
    distributed = (struct ic_distribution){.board = shared, .all_parts = parts, .all_cost = distributed.cost};
    results->distributed = &distributed;
    results->take = take_part;
    bool good = run_workers(results, &distributed, walk, context, jobs, error);
    results->distributed = NULL;
    munmap(shared, size);
    if (good && !sort_rows(results, first)) {
        ic_error_set(error, "memory ran out");
        good = false;
    }
    return good;
}
