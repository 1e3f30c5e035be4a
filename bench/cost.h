/* SPDX-License-Identifier: MIT */
/**
 * Cost of accuracy: a row for each problem, solver and setting, with its error and work, and their
 * file.
 *
 * The file is one JSON object with the members of these structs (reports/schema/bench.yaml). Values that were not
 * measured are null, and times are in s.
 *
 * `orders`, `targets` and the verdict of `load` follow from the rest and are not read back. What
 * older files do not have may be missing: `load`, `floor`, `diagram`, `pairs`, their calls, `class`, `disturbed`.
 * Middle values are medians, `low` and `high` are quartiles.
 */
#pragma once

#include "core/expression.h"
#include "impactcheck/impactcheck.h"

#include <stdio.h>

#define IC_COST_SCHEMA "impactcheck-bench/1"

/** Most repetitions of a row. */
#define IC_COST_MOST_TIMES 31

typedef struct ic_cost_row {
    char subject[64];
    char solver[32];

    /* ic_solver_class; "": an older file */
    char class[16];

    char control[8];

    /* rtol, or the step in s; 0: it has neither */
    double setting;

    /* claimed by the solver */
    int order;

    char status[24];

    /* origin of the answer */
    char truth[24];

    /* length of the run, s */
    double simulated;

    /* greatest error of an event's time, s; NAN: missing or wrong events */
    double error;

    double radius;

    /* an error below it is meaningless, s */
    double noise;

    double events;
    ic_work work;

    /* repetitions that were disturbed */
    double disturbed;

    size_t n_times;
    double seconds[IC_COST_MOST_TIMES];

    /* the same over the preceding calibration run */
    double relative[IC_COST_MOST_TIMES];
} ic_cost_row;

/** The machine and build of a measurement. */
typedef struct ic_cost_machine {
    char cpu[96];
    int cores;
    char compiler[96], flags[160], version[24], commit[48], date[32];

    /* a hash of some thousand sines, exponentials, powers and so on of the C library, which may use different code on
       processors with and without FMA; where it is the same, errors and work are identical */
    char arithmetic[24];
} ic_cost_machine;

/** Times of one roller run, s: medians; NAN where not measured. */
typedef struct ic_cost_overhead {
    double by_hand, registry, solver;

    /* the registry's times divided by the times by hand, measured alternately */
    double ratio, ratio_low, ratio_high;

    /* the solver's times likewise */
    double solver_ratio, solver_low, solver_high;
} ic_cost_overhead;

/** Load of the machine during the measurement (bench/load.h); NAN where it is not known. */
typedef struct ic_cost_load {
    /* load averages of one minute */
    double before, after;

    /* parts of the processors' time that other processes took, and that other virtual machines did */
    double others, stolen;

    /* number of timings, and of those that were disturbed */
    double timings, disturbed;
} ic_cost_load;

/** Two solvers at equal error, timed alternately (bench/pairs.h). */
typedef struct ic_cost_pair {
    char subject[64], solver[32], peer[32];

    /* setting of the peer beside its tolerance; "": its default */
    char with[32];

    /* wanted error of event times, s: level times unit; level 0: as accurate as the peer can be */
    double level, unit;

    /* cheapest setting, its error and the time of a run, s; NAN: no setting is as accurate */
    double setting, error, seconds;
    double peer_setting, peer_error, peer_seconds;

    /* calls of the flow in a run of each */
    double calls, peer_calls;

    /* time of one call, a mean over the states after events, s */
    double call_seconds;

    /* time of the peer divided by that of the solver: median and quartiles of the blocks */
    double factor, low, high;

    double blocks, disturbed;
} ic_cost_pair;

/**
 * Times of this machine's vector functions, s per element, and the least cost of an event that they
 * imply; NAN where not measured.
 */
typedef struct ic_cost_floor {
    /* "AVX-512", "AVX2", "SSE2", "none" */
    char vectors[16];

    /* doubles in a vector */
    int width;

    double exp, sin, cos;

    /* s */
    double event;
} ic_cost_floor;

/** Cost of a bifurcation diagram (bench/diagram.h); NAN where not measured. */
typedef struct ic_cost_diagram {
    char method[32], solver[32];

    /* parameter sets, and periods of each */
    double sets, periods;

    /* sets that the method left to the solver */
    double left;

    /* events of all sets */
    double events;

    /* processor time of the whole on one thread, s */
    double processor;

    /* processor time of the same sets followed for one period, which is that of their preparation,
       s */
    double opening;

    /* elapsed time on one thread and on two, s */
    double one, two;

    /* processor time of an event over the floor, and elapsed time of one thread over that of two */
    double floors, floors_low, floors_high;
    double gain, gain_low, gain_high;
} ic_cost_diagram;

/** Nothing is measured yet. */
extern const ic_cost_overhead ic_cost_overhead_none;
extern const ic_cost_load ic_cost_load_none;
extern const ic_cost_floor ic_cost_floor_none;
extern const ic_cost_diagram ic_cost_diagram_none;

typedef struct ic_cost_results {
    ic_cost_machine machine;

    /* s */
    double calibration;

    ic_cost_load load;
    ic_cost_overhead overhead;
    ic_cost_floor floor;
    ic_cost_diagram diagram;
    ic_cost_row *rows;
    size_t count, capacity;
    ic_cost_pair *pairs;
    size_t n_pairs, most_pairs;
} ic_cost_results;

ic_cost_machine ic_cost_this_machine(void);

/**
 * Returns whether times of two machines can be compared directly: same processor, compiler and
 * flags.
 */
bool ic_cost_same_machine(const ic_cost_machine *a, const ic_cost_machine *b);

/** Initialises empty results of this machine. */
ic_cost_results ic_cost_results_new(void);
void ic_cost_results_free(ic_cost_results *results);

/**
 * Adds a row, in which all is zero except numbers, which are NAN until measured; NULL: memory ran
 * out.
 */
ic_cost_row *ic_cost_results_add(ic_cost_results *results);

/** Adds a pair; false: memory ran out. */
bool ic_cost_add_pair(ic_cost_results *results, const ic_cost_pair *pair);

/** Returns whether more than a third of the timings of a row were disturbed. */
bool ic_cost_is_noisy(const ic_cost_row *row);

/** The row of the same problem, solver and setting, or NULL. */
const ic_cost_row *ic_cost_find(const ic_cost_results *results, const ic_cost_row *like);

/** The pair of the same problem, solvers and level, or NULL. */
const ic_cost_pair *ic_cost_find_pair(const ic_cost_results *results, const ic_cost_pair *like);

/** Medians, s: of a run, per simulated second, per event; NAN where not timed or without events. */
double ic_cost_seconds(const ic_cost_row *row);
double ic_cost_per_second(const ic_cost_row *row);
double ic_cost_per_event(const ic_cost_row *row);

/** Writes the file. false: out of memory or disk space. */
bool ic_cost_write(const ic_cost_results *results, FILE *stream);

/** Writes one line per row, for tables, after a line of column names. */
void ic_cost_write_csv(const ic_cost_results *results, FILE *stream);

/**
 * Reads a file; free `results` in either case. false: `error` states the mistake, as
 * file:line:column where known.
 */
bool ic_cost_read(ic_cost_results *results, const char *path, ic_error *error);

/** The same for an open stream; `path` is for messages. */
bool ic_cost_read_stream(ic_cost_results *results, FILE *stream, const char *path, ic_error *error);
