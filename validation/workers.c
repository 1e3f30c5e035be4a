/* SPDX-License-Identifier: MIT */
#include "validation/workers.h"
#include "core/system.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A process ends after so many parts, so that it frees what it has kept of them. */
enum { MOST_PARTS = 6 };

/* Exit status of a process that has reported its failure on standard error, as the command does. */
enum { HAS_SAID_WHY = 3 };

/* Memory shared by all processes. */
struct ic_workers_board {
    atomic_size_t done;
    atomic_ulong cost_done;

    /* by part: 0 if nobody has taken it, otherwise the number of the process */
    atomic_size_t taken[];
};

struct ic_worker {
    struct ic_workers_board *board;

    /* from 1 */
    size_t number;

    int answers;
    bool busy;

    /* parts begun so far, and whether another process is to do the others */
    size_t begun;
    bool spent;

    /* the part in progress, and its cost */
    size_t part;
    unsigned cost;
};

/* Begins each message. A process closes with END or, where parts may be left, SPENT: nothing is lost unnoticed. */
enum { MESSAGE, END, SPENT, NO_MEMORY };

/* without room between its members, which would be written as it is */
typedef struct header {
    size_t kind, size;
} header;

/* A process, as it is seen here. */
typedef struct process {
    pid_t id;

    /* from 1; no two have the same */
    size_t number;

    /* -1: it has closed */
    int answers;

    /* END or SPENT was received */
    bool ended, spent;
} process;

/* The processes that run now. */
typedef struct crew {
    ic_workers *workers;
    process *all;
    struct pollfd *waiting;
    size_t jobs, started;

    /* of the message being read */
    char *bytes;
    size_t capacity;

    bool stopped;
} crew;

/* For signal handlers: the processes that run now. */
static process *volatile running;
static volatile sig_atomic_t running_count;

double ic_processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- a process that works */

static void finish_part(ic_worker *w)
{
    if (!w->busy) return;
    atomic_fetch_add(&w->board->done, 1);
    atomic_fetch_add(&w->board->cost_done, w->cost);
    w->busy = false;
}

bool ic_worker_take(ic_worker *w, size_t part, unsigned cost)
{
    size_t nobody = 0;
    finish_part(w);
    w->spent |= w->begun >= MOST_PARTS;
    if (w->spent || !atomic_compare_exchange_strong(&w->board->taken[part], &nobody, w->number)) return false;
    w->busy = true;
    w->begun++;
    w->part = part;
    w->cost = cost;
    return true;
}

static bool write_all(int to, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        const ssize_t written = write(to, at, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        at += written;
        size -= (size_t)written;
    }
    return true;
}

/* The reader may have ended. */
static void send_message(const ic_worker *w, const header *head, const void *bytes)
{
    if (!write_all(w->answers, head, sizeof *head) || !write_all(w->answers, bytes, head->size))
        _exit(EXIT_FAILURE);
}

void ic_worker_send(ic_worker *w, const void *bytes, size_t size)
{
    send_message(w, &(header){MESSAGE, size}, bytes);
}

_Noreturn void ic_worker_lacks_memory(ic_worker *w)
{
    send_message(w, &(header){NO_MEMORY, 0}, NULL);
    _exit(EXIT_SUCCESS);
}

/* The process ends with its parent, and leaves signals to it. */
static void become_worker(pid_t parent)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ};
    running_count = 0;
    ic_end_with_parent(parent);
    for (size_t i = 0; i < IC_COUNT(signals); i++) signal(signals[i], SIG_DFL);
}

static _Noreturn void run_worker(const ic_workers *workers, size_t number, int answers)
{
    ic_worker w = {.board = workers->board, .number = number, .answers = answers};
    workers->work(&w, workers->context);
    finish_part(&w);
    send_message(&w, &(header){w.spent ? SPENT : END, 0}, NULL);
    _exit(EXIT_SUCCESS);
}

/* ---- the process that distributes */

static bool start_process(crew *c, process *p, ic_error *error)
{
    int fds[2];
    const pid_t parent = getpid();
    if (pipe(fds) != 0) {
        ic_error_set(error, "cannot make a pipe to a process: %s", strerror(errno));
        return false;
    }
    fflush(NULL); /* Otherwise the child would write it again. */
    *p = (process){.number = ++c->started, .answers = fds[0]};
    p->id = fork();
    if (p->id == 0) {
        close(fds[0]);
        become_worker(parent);
        run_worker(c->workers, p->number, fds[1]);
    }
    close(fds[1]);
    if (p->id > 0) return true;
    ic_error_set(error, "cannot start a process: %s", strerror(errno));
    close(fds[0]);
    p->answers = -1;
    return false;
}

/* false: the pipe is closed. */
static bool read_all(int from, void *bytes, size_t size)
{
    char *at = bytes;
    while (size > 0) {
        const ssize_t got = read(from, at, size);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
        size -= (size_t)got;
    }
    return true;
}

/* The part that a process has not finished: the last that it took. SIZE_MAX: none. */
static size_t unfinished_part(const crew *c, const process *p)
{
    for (size_t i = c->workers->parts; i-- > 0;) {
        if (atomic_load(&c->workers->board->taken[i]) == p->number) return i;
    }
    return SIZE_MAX;
}

/* How a process ended, which has closed its pipe. */
static int await_end(process *p)
{
    int state = 0;
    while (waitpid(p->id, &state, 0) == -1 && errno == EINTR) {
    }
    p->id = -1;
    return state;
}

/* A process has closed its pipe before the end. true: the work goes on without it. */
static bool handle_loss(crew *c, process *p, ic_error *error)
{
    char how[96];
    const int state = await_end(p);
    if (WIFSIGNALED(state))
        snprintf(how, sizeof how, "was ended by signal %d (%s)", WTERMSIG(state), strsignal(WTERMSIG(state)));
    else snprintf(how, sizeof how, "ended with status %d", WEXITSTATUS(state));
    if (WIFEXITED(state) && WEXITSTATUS(state) == HAS_SAID_WHY) return false;
    const size_t part = unfinished_part(c, p);
    if (c->workers->lost == NULL || part == SIZE_MAX) {
        ic_error_set(error, "a process %s: its results are lost", how);
        return false;
    }
    c->stopped = !c->workers->lost(part, how, c->workers->context);
    return c->stopped || start_process(c, p, error);
}

static bool reserve_bytes(crew *c, size_t size)
{
    if (size <= c->capacity) return true;
    char *bytes = realloc(c->bytes, size);
    if (bytes == NULL) return false;
    c->bytes = bytes;
    c->capacity = size;
    return true;
}

/* Handle one message; false with `error`. */
static bool handle_message(crew *c, process *p, ic_error *error)
{
    header head;
    bool whole = read_all(p->answers, &head, sizeof head);
    const bool room = !whole || reserve_bytes(c, head.size);
    whole = whole && room && read_all(p->answers, c->bytes, head.size);
    if (!room || (whole && head.kind == NO_MEMORY)) return ic_error_no_memory(error);
    if (!whole) {
        close(p->answers);
        p->answers = -1;
        if (!p->ended) return handle_loss(c, p, error);
        if (!p->spent) return true;
        (void)await_end(p);
        return start_process(c, p, error);
    }
    if (head.kind == MESSAGE) c->stopped = !c->workers->read(c->bytes, head.size, c->workers->context);
    p->spent = head.kind == SPENT;
    p->ended = head.kind == END || p->spent;
    return true;
}

static bool read_messages(crew *c, ic_error *error)
{
    while (!c->stopped) {
        size_t open = 0;
        for (size_t i = 0; i < c->jobs; i++) {
            c->waiting[i] = (struct pollfd){.fd = c->all[i].answers, .events = POLLIN};
            open += c->all[i].answers >= 0;
        }
        if (open == 0) return true;
        const int ready = poll(c->waiting, (nfds_t)c->jobs, -1);
        if (ready < 0 && errno != EINTR) {
            ic_error_set(error, "waiting for processes: %s", strerror(errno));
            return false;
        }
        for (size_t i = 0; i < c->jobs && ready > 0 && !c->stopped; i++) {
            if (c->waiting[i].revents != 0 && !handle_message(c, &c->all[i], error)) return false;
        }
    }
    return true;
}

/* Children of a killed process become children of this one, and end by themselves soon: their end is awaited
   here, so that none is left. */
static void wait_for_orphans(void)
{
    enum { MOST_ROUNDS = 1000 };
    static const struct timespec round_length = {.tv_nsec = 2000000};
    for (int i = 0; i < MOST_ROUNDS; i++) {
        const pid_t ended = waitpid(-1, NULL, WNOHANG);
        if (ended == -1) return;
        if (ended == 0) nanosleep(&round_length, NULL);
    }
}

static void end_processes(crew *c, bool at_once)
{
    for (size_t i = 0; i < c->jobs; i++) {
        if (c->all[i].id <= 0) continue;
        if (at_once) kill(c->all[i].id, SIGKILL);
        (void)await_end(&c->all[i]);
        if (c->all[i].answers >= 0) close(c->all[i].answers);
    }
    if (at_once) wait_for_orphans();
}

static bool run_crew(crew *c, ic_error *error)
{
    bool good = true;
    ic_adopt_orphans();
    running = c->all;
    running_count = (sig_atomic_t)c->jobs;
    for (size_t i = 0; i < c->jobs && good; i++) good = start_process(c, &c->all[i], error);
    good = good && read_messages(c, error);
    end_processes(c, !good || c->stopped);
    running_count = 0;
    return good;
}

bool ic_workers_run(ic_workers *w, ic_error *error)
{
    crew c = {.workers = w, .jobs = w->jobs < w->parts ? w->jobs : w->parts};
    const size_t size = sizeof *w->board + w->parts * sizeof w->board->taken[0];
    error->text[0] = '\0';
    if (c.jobs == 0) return true;
    void *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    c.all = calloc(c.jobs, sizeof *c.all);
    c.waiting = calloc(c.jobs, sizeof *c.waiting);
    bool good = shared != MAP_FAILED && c.all != NULL && c.waiting != NULL;
    for (size_t i = 0; i < c.jobs && c.all != NULL; i++) c.all[i].answers = -1;
    w->board = good ? shared : NULL;
    good = good ? run_crew(&c, error) : ic_error_no_memory(error);
    w->board = NULL;
    if (shared != MAP_FAILED) munmap(shared, size);
    free(c.all);
    free(c.waiting);
    free(c.bytes);
    return good;
}

ic_workers_progress ic_workers_progress_of(const ic_workers *w)
{
    if (w == NULL || w->board == NULL) return (ic_workers_progress){0, 0, 0};
    const size_t done = atomic_load(&w->board->done);
    return (ic_workers_progress){done, w->parts,
                                 w->cost > 0 ? (double)atomic_load(&w->board->cost_done) / (double)w->cost
                                             : (double)done / (double)w->parts};
}

void ic_workers_interrupt(void)
{
    if (running_count == 0) return;
    for (sig_atomic_t i = 0; i < running_count; i++) {
        if (running[i].id > 0) kill(running[i].id, SIGKILL);
    }
    wait_for_orphans();
}

/* ---- answers in order */

typedef struct answer {
    char *bytes;
    size_t size;
    bool lost;
} answer;

typedef struct ordered {
    const ic_ordered_work *work;

    /* of the parts from work->first on */
    answer *answers;

    /* the next one to be taken */
    size_t next;

    bool out_of_memory;
} ordered;

static void work_in_order(ic_worker *worker, void *context)
{
    const ordered *o = context;
    for (size_t i = o->work->first; i < o->work->parts; i++) {
        if (!ic_worker_take(worker, i - o->work->first, 1)) continue;
        char *bytes = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&bytes, &size);
        bool good = false;
        if (stream != NULL) {
            fwrite(&i, sizeof i, 1, stream); /* a message begins with the number of its part */
            o->work->work(stream, i, o->work->context);
            good = ferror(stream) == 0;
            /* glibc: fclose succeeds without bytes if it cannot give back what is too much of them */
            good = fclose(stream) == 0 && good && bytes != NULL;
        }
        if (!good) ic_worker_lacks_memory(worker);
        ic_worker_send(worker, bytes, size);
        free(bytes);
    }
}

/* Passes on what has no gap before it. false: no later answer is needed. */
static bool take_in_order(ordered *o)
{
    const ic_ordered_work *work = o->work;
    for (; o->next < work->parts; o->next++) {
        answer *a = &o->answers[o->next - work->first];
        if (a->bytes == NULL) return true;
        const bool more = a->lost ? work->lost(a->bytes, o->next, work->context)
                                  : work->take(a->bytes, a->size, o->next, work->context);
        free(a->bytes);
        a->bytes = NULL;
        if (!more) return false;
    }
    return true;
}

static bool keep_answer(ordered *o, size_t part, const char *bytes, size_t size, bool lost)
{
    answer *a = &o->answers[part - o->work->first];
    *a = (answer){malloc(size + 1), size, lost};
    o->out_of_memory |= a->bytes == NULL;
    if (a->bytes == NULL) return false;
    if (size > 0) memcpy(a->bytes, bytes, size);
    return take_in_order(o);
}

static bool read_in_order(const void *bytes, size_t size, void *context)
{
    size_t part;
    memcpy(&part, bytes, sizeof part);
    return keep_answer(context, part, (const char *)bytes + sizeof part, size - sizeof part, false);
}

static bool lose_in_order(size_t part, const char *how, void *context)
{
    ordered *o = context;
    return keep_answer(o, part + o->work->first, how, strlen(how) + 1, true);
}

bool ic_workers_run_ordered(const ic_ordered_work *work, ic_error *error)
{
    const size_t parts = work->parts - work->first;
    ordered o = {.work = work, .answers = calloc(parts + 1, sizeof *o.answers), .next = work->first};
    ic_workers workers = {.jobs = work->jobs,
                          .parts = parts,
                          .work = work_in_order,
                          .read = read_in_order,
                          .lost = work->lost != NULL ? lose_in_order : NULL,
                          .context = &o};
    bool good = o.answers != NULL && ic_workers_run(&workers, error);
    if (o.answers == NULL || o.out_of_memory) good = ic_error_no_memory(error);
    for (size_t i = 0; i < parts && o.answers != NULL; i++) free(o.answers[i].bytes);
    free(o.answers);
    return good;
}
