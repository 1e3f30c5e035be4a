/* SPDX-License-Identifier: MIT */
#include "bench/diagram.h"
#include "bench/floor.h"
#include "bench/statistics.h"
#include "bench/timing.h"
#include "core/system.h"
#include "sweep/distribution.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#define KEPT_PART (64 / IC_DIAGRAM_PERIODS)

/* A part has as many chunks for each of two threads as balances chunks of different cost. The whole
   diagram is measured as well if one thread would take less than this for it, s: the part alone
   would end before the threads are running. */
enum { PART_SETS = 512, PART_PERIODS = 200 };
#define SHORT 2.0

/* Number of timings. After this many seconds FEWEST suffice. */
enum { TIMINGS = 7, FEWEST = 3 };
#define ENOUGH 8.0

/* ---- one sweep of a diagram, assembled in memory */

static void encode_chunk(const void *self, const ic_chunk *chunk, ic_bytes *bytes)
{
    const ic_sweep *sweep = chunk->sweep;
    (void)self;
    ic_bytes_add(bytes, chunk->rows, chunk->n * sweep->n_rows * sweep->plan.n_columns * sizeof *chunk->rows);
    ic_bytes_add(bytes, chunk->modes, chunk->n * sweep->n_rows);
}

static bool append_chunk(void *self, const void *bytes, size_t n)
{
    (void)self, (void)bytes, (void)n;
    return true;
}

typedef struct timed_sweep {
    /* s */
    double clock, processor;

    ic_sweep_counts counts;
    char method[32], solver[32];
} timed_sweep;

static double elapsed_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* false: it could not be followed to its end. */
static bool distribute_sweep(timed_sweep *result, const ic_sweep *sweep, size_t threads)
{
    volatile sig_atomic_t stop = 0;
    const ic_sweep_writer sink = {.encode = encode_chunk, .append = append_chunk, .stop = &stop};
    const ic_ranks alone = {.size = 1};
    const double begin = elapsed_time(), processor = ic_time_now();
    const ic_sweep_outcome dealt = ic_sweep_distribute(sweep, &sink, &alone, threads, 0);
    result->clock = elapsed_time() - begin;
    result->processor = ic_time_now() - processor;
    result->counts = dealt.counts;
    snprintf(result->method, sizeof result->method, "%s", sweep->method->name);
    snprintf(result->solver, sizeof result->solver, "%s", sweep->plan.solver->name);
    return dealt.status == IC_OK && dealt.counts.by_status[IC_OK] == dealt.counts.sets;
}

static bool follow_diagram(timed_sweep *result, size_t sets, size_t periods, size_t threads)
{
    ic_sweep_request request = {.request = {.path = IC_DIAGRAM_PATH}, .record = "strobe"};
    ic_sweep sweep;
    ic_error error;
    char vary[64];
    const double kept = ceil(KEPT_PART * (double)periods);
    request.keep = (size_t)kept;
    request.skip = periods - request.keep;
    snprintf(vary, sizeof vary, IC_DIAGRAM_VARY ":%zu", sets);
    if (!ic_grid_add(&request.grid, vary, &error) || !ic_sweep_open(&sweep, &request, &error)) return false;
    const bool good = distribute_sweep(result, &sweep, threads);
    ic_sweep_close(&sweep);
    return good;
}

/* ---- several timings in turns */

/* One timing of everything that is compared. `two` is left alone without two threads. Sets followed for
   one period cost little more than their preparation (parameters, spectra, tables). false: a set could
   not be followed to its end. */
static bool time_once(timed_sweep *one, timed_sweep *two, timed_sweep *opening, const ic_cost_diagram *d)
{
    const size_t sets = (size_t)d->sets, periods = (size_t)d->periods;
    if (!follow_diagram(one, sets, periods, 1) || !follow_diagram(opening, sets, 1, 1)) return false;
    if (ic_processors() < 2) return true;
    return follow_diagram(two, sets, periods, 2) && two->counts.events == one->counts.events;
}

static void describe_sweep(ic_cost_diagram *d, const timed_sweep *one)
{
    d->left = (double)one->counts.left;
    d->events = one->counts.events;
    snprintf(d->method, sizeof d->method, "%s", one->method);
    snprintf(d->solver, sizeof d->solver, "%s", one->solver);
}

bool ic_diagram_time(ic_cost_diagram *d, ic_cost_floor *floor, size_t sets, size_t periods)
{
    double floors[TIMINGS], gains[TIMINGS];
    size_t n = 0;
    const double begin = elapsed_time();
    *d = ic_cost_diagram_none;
    d->sets = (double)sets;
    d->periods = (double)periods;
    for (; n < TIMINGS && (n < FEWEST || elapsed_time() - begin < ENOUGH); n++) {
        timed_sweep one, two = {.clock = NAN}, opening;
        ic_cost_floor now = ic_cost_floor_none;
        if (!time_once(&one, &two, &opening, d)) return false;
        ic_floor_measure(&now);
        ic_floor_measure(floor);
        describe_sweep(d, &one);
        floors[n] = (one.processor - opening.processor) / d->events / now.event;
        gains[n] = one.clock / two.clock;
        /* of NAN and a number, fmin returns the number */
        d->processor = fmin(d->processor, one.processor);
        d->opening = fmin(d->opening, opening.processor);
        d->one = fmin(d->one, one.clock);
        d->two = fmin(d->two, two.clock);
    }
    const ic_spread of_floors = ic_spread_of(floors, n), gain = ic_spread_of(gains, n);
    d->floors = of_floors.middle, d->floors_low = of_floors.low, d->floors_high = of_floors.high;
    d->gain = gain.middle, d->gain_low = gain.low, d->gain_high = gain.high;
    return true;
}

void ic_diagram_measure(ic_cost_diagram *diagram, ic_cost_floor *floor, bool whole)
{
    const double scale = IC_DIAGRAM_SETS * IC_DIAGRAM_PERIODS / ((double)PART_SETS * PART_PERIODS);
    bool good = whole || ic_diagram_time(diagram, floor, PART_SETS, PART_PERIODS);
    if (good && (whole || diagram->one * scale < SHORT))
        good = ic_diagram_time(diagram, floor, (size_t)IC_DIAGRAM_SETS, (size_t)IC_DIAGRAM_PERIODS);
    if (!good) *diagram = ic_cost_diagram_none;
}
