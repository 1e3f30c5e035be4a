/* SPDX-License-Identifier: MIT */
#include "sweep/distribution.h"
#include "core/array.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/*
 * Number of encoded chunks by which a rank may be ahead, for each thread: one chunk may take as
 * long as four others.
 */
enum { RING_PER_THREAD = 4 };
/* Pause between two checks for work, ns. */
enum { PAUSE = 100000 };

/* ---- bytes */

void ic_bytes_add(ic_bytes *bytes, const void *data, size_t n)
{
    if (bytes->failed) return;
    char *grown = ic_array_reserve(bytes->data, &bytes->capacity, bytes->n + n, 1);
    bytes->failed = grown == NULL;
    if (bytes->failed) return;
    bytes->data = grown;
    memcpy(bytes->data + bytes->n, data, n);
    bytes->n += n;
}

/* ---- messages between ranks: a head, then an encoded chunk */

typedef enum message_kind { CHUNK, STOPPED, FAILED, FAREWELL } message_kind;

typedef struct message_head {
    message_kind kind;
    ic_sweep_counts counts;
} message_head;

typedef struct chunk_slot {
    /* head and chunk */
    ic_bytes bytes;

    bool done;

    /* while the message is being sent */
    void *request;
} chunk_slot;

typedef struct distribution {
    const ic_sweep *sweep;
    const ic_sweep_writer *sink;
    const ic_ranks *ranks;
    size_t n_threads;
    pthread_mutex_t lock;
    size_t first_chunk;
    chunk_slot *ring;
    size_t n_ring;
    /* this rank's own chunks: total, taken by threads, passed on for good, and begun to be sent */
    size_t n_own, taken, passed, sending;

    /* rank 0: index of the next chunk to append */
    size_t appended;

    ic_bytes incoming;
    ic_sweep_outcome outcome;

    /* no work is left, or an error makes further work useless */
    bool over;
} distribution;

static void set_failure(distribution *d, ic_status status)
{
    if (d->outcome.status == IC_OK) d->outcome.status = status;
    d->over = true;
}

/* ---- rank 0 appends chunks in order */

static void append_message(distribution *d, const ic_bytes *bytes)
{
    message_head head;
    memcpy(&head, bytes->data, sizeof head);
    if (head.kind != CHUNK) {
        if (head.kind == STOPPED) *d->sink->stop = 1;
        else set_failure(d, IC_NO_MEMORY);
        return;
    }
    if (!d->sink->append(d->sink->self, bytes->data + sizeof head, bytes->n - sizeof head)) {
        set_failure(d, IC_IO);
        return;
    }
    ic_sweep_counts_add(&d->outcome.counts, &head.counts);
    d->appended++;
    if (d->sink->progress != NULL) d->sink->progress(d->sink->self, &d->outcome.counts);
}

static bool receive_message(distribution *d, int from)
{
    const ic_ranks_module *module = d->ranks->module;
    size_t n = 0;
    if (!module->ready(from, &n)) return false;
    d->incoming.n = 0;
    if (n > d->incoming.capacity) {
        char *grown = realloc(d->incoming.data, n);
        if (grown == NULL) module->give_up(EXIT_FAILURE);
        d->incoming.data = grown;
        d->incoming.capacity = n;
    }
    d->incoming.n = n;
    return d->incoming.data != NULL && module->receive(from, d->incoming.data, n);
}

static void append_available(distribution *d)
{
    while (!d->over && d->appended < d->sweep->n_chunks) {
        const int owner = (int)((d->appended - d->first_chunk) % (size_t)d->ranks->size);
        if (owner != 0) {
            if (!receive_message(d, owner)) return;
            append_message(d, &d->incoming);
            if (*d->sink->stop != 0) return;
            continue;
        }
        chunk_slot *next = &d->ring[d->passed % d->n_ring];
        if (d->passed == d->taken || !next->done) return;
        append_message(d, &next->bytes);
        next->done = false;
        d->passed++;
    }
    d->over = true;
}

/* ---- other ranks send to rank 0, in order */

static void send_done_chunks(distribution *d)
{
    const ic_ranks_module *module = d->ranks->module;
    size_t n = 0;
    while (d->sending < d->taken && d->ring[d->sending % d->n_ring].done) {
        chunk_slot *next = &d->ring[d->sending % d->n_ring];
        next->request = module->send(0, next->bytes.data, next->bytes.n);
        if (next->request == NULL) module->give_up(EXIT_FAILURE);
        d->sending++;
    }
    while (d->passed < d->sending && module->sent(d->ring[d->passed % d->n_ring].request)) {
        d->ring[d->passed % d->n_ring].done = false;
        d->passed++;
    }
    /* rank 0 sends a message only at the end */
    if (d->passed == d->n_own || module->ready(0, &n)) d->over = true;
}

/* ---- threads */

typedef enum next_step { SOLVE, WAIT, LEAVE } next_step;

static next_step choose_step(distribution *d, size_t *own)
{
    if (d->ranks->rank == 0) append_available(d);
    else send_done_chunks(d);
    if (d->over || *d->sink->stop != 0) return LEAVE;
    if (d->taken == d->n_own || d->taken - d->passed == d->n_ring) return WAIT;
    *own = d->taken++;
    return SOLVE;
}

/* Solves into the slot of an own chunk, which belongs to this thread until it is done. */
static ic_status solve_chunk(distribution *d, ic_chunk *chunk, size_t own)
{
    ic_bytes *bytes = &d->ring[own % d->n_ring].bytes;
    const size_t index = d->first_chunk + own * (size_t)d->ranks->size + (size_t)d->ranks->rank;
    const ic_status status = ic_chunk_solve(chunk, index);
    if (status != IC_OK || *d->sink->stop != 0) return status;
    message_head head;
    memset(&head, 0, sizeof head); /* clears padding too, because it is sent */
    head.kind = CHUNK;
    head.counts = chunk->counts;
    bytes->n = 0;
    ic_bytes_add(bytes, &head, sizeof head);
    d->sink->encode(d->sink->self, chunk, bytes);
    return bytes->failed ? IC_NO_MEMORY : IC_OK;
}

static void pause_briefly(void)
{
    nanosleep(&(const struct timespec){.tv_nsec = PAUSE}, NULL);
}

/* One thread's share. State shared by threads is accessed only while the lock is held. */
static void *run_thread(void *context)
{
    distribution *d = context;
    ic_chunk chunk;
    bool good = ic_chunk_open(&chunk, d->sweep);
    for (;;) {
        size_t own = 0;
        pthread_mutex_lock(&d->lock);
        if (!good) set_failure(d, IC_NO_MEMORY);
        const next_step step = choose_step(d, &own);
        pthread_mutex_unlock(&d->lock);
        if (step == LEAVE) break;
        if (step == WAIT) {
            pause_briefly();
            continue;
        }
        good = solve_chunk(d, &chunk, own) == IC_OK;
        pthread_mutex_lock(&d->lock);
        d->ring[own % d->n_ring].done = good && *d->sink->stop == 0;
        pthread_mutex_unlock(&d->lock);
    }
    ic_chunk_close(&chunk);
    return NULL;
}

/* Runs without the threads that the system does not provide: the result does not depend on their
   number. */
static void run_threads(distribution *d, pthread_t *others)
{
    size_t n_others = 0;
    while (n_others + 1 < d->n_threads && pthread_create(&others[n_others], NULL, run_thread, d) == 0)
        n_others++;
    run_thread(d);
    for (size_t i = 0; i < n_others; i++) pthread_join(others[i], NULL);
}

/* ---- the end, with several ranks: rank 0 announces it, receives what is still under way, and
   waits for a farewell of each rank */

static void wait_until_sent(const distribution *d, void *request)
{
    if (request == NULL) d->ranks->module->give_up(EXIT_FAILURE);
    while (!d->ranks->module->sent(request)) pause_briefly();
}

static void send_head(distribution *d, int to, message_kind kind)
{
    message_head head;
    memset(&head, 0, sizeof head);
    head.kind = kind;
    wait_until_sent(d, d->ranks->module->send(to, &head, sizeof head));
}

static void await_farewell(distribution *d, int from)
{
    message_head head = {.kind = CHUNK};
    while (head.kind != FAREWELL) {
        if (receive_message(d, from) && d->incoming.data != NULL) memcpy(&head, d->incoming.data, sizeof head);
        else pause_briefly();
    }
}

static void finish_rank_0(distribution *d)
{
    for (int rank = 1; rank < d->ranks->size; rank++) {
        message_head head;
        memset(&head, 0, sizeof head);
        head.kind = FAREWELL;
        void *request = d->ranks->module->send(rank, &head, sizeof head);
        await_farewell(d, rank);
        wait_until_sent(d, request);
    }
}

static void finish_other_rank(distribution *d)
{
    size_t n = 0;
    if (d->outcome.status != IC_OK) send_head(d, 0, FAILED);
    else if (*d->sink->stop != 0) send_head(d, 0, STOPPED);
    for (; d->passed < d->sending; d->passed++) wait_until_sent(d, d->ring[d->passed % d->n_ring].request);
    while (!d->ranks->module->ready(0, &n)) pause_briefly();
    receive_message(d, 0);
    send_head(d, 0, FAREWELL);
}

ic_sweep_outcome ic_sweep_distribute(const ic_sweep *sweep, const ic_sweep_writer *sink, const ic_ranks *ranks,
                                     size_t n_threads, size_t first_chunk)
{
    distribution d = {.sweep = sweep,
                      .sink = sink,
                      .ranks = ranks,
                      .n_threads = n_threads,
                      .lock = PTHREAD_MUTEX_INITIALIZER,
                      .first_chunk = first_chunk,
                      .appended = first_chunk};
    const size_t n = sweep->n_chunks - first_chunk, rank = (size_t)ranks->rank;
    d.n_own = n > rank ? (n - rank - 1) / (size_t)ranks->size + 1 : 0;
    d.n_ring = d.n_threads * RING_PER_THREAD;
    d.ring = calloc(d.n_ring, sizeof *d.ring);
    pthread_t *others = calloc(n_threads, sizeof *others);
    if (d.ring == NULL || others == NULL) d.outcome.status = IC_NO_MEMORY;
    else run_threads(&d, others);
    free(others);
    if (ranks->rank == 0 && d.outcome.status == IC_OK) append_available(&d);
    d.outcome.stopped = d.appended < sweep->n_chunks && d.outcome.status == IC_OK;
    if (ranks->size > 1 && ranks->rank == 0) finish_rank_0(&d);
    if (ranks->size > 1 && ranks->rank > 0) finish_other_rank(&d);
    for (size_t i = 0; i < d.n_ring && d.ring != NULL; i++) free(d.ring[i].bytes.data);
    free(d.ring);
    free(d.incoming.data);
    return d.outcome;
}
