/* SPDX-License-Identifier: MIT */
/**
 * What accuracy costs: a row for each problem, solver and setting, with its error and its work, and the file that holds them.
 *
 * The file is one JSON object. What was not measured is null, and times are in s:
 *
 *     {"schema": "impactcheck-bench/1",
 *      "machine": {"cpu", "cores", "compiler", "flags", "version", "commit", "date",
 *                  "arithmetic": of the C library, see ic_cost_same_arithmetic},
 *      "calibration": median of the time of one calibration run (bench/timing.h),
 *      "overhead": {"by_hand", "registry", "solver"} (bench/overhead.h), or null,
 *      "floor": {"vectors", "width", "exp", "sin", "cos", "event"} (bench/floor.h), or null,
 *      "diagram": {"engine", "solver", "sets", "periods", "left", "events", "processor", "opening", "one", "two"} (bench/diagram.h),
 *                 or null,
 *      "rows": [{"subject": "roller/III/C", "solver", "control": "rtol" | "step" | "none", "setting", "order": as claimed,
 *                "status", "truth": where the answer comes from, "events", "simulated": s that were run,
 *                "error": greatest error of an event's time; null where events are missing or others, "radius": of the answer,
 *                "noise": below it an error says nothing,
 *                "work": {"flow_calls", "guard_calls", "steps", "rejected_steps", "root_iterations"},
 *                "seconds": [time of one run, for each repetition],
 *                "relative": [the same over the calibration run just before]}],
 *      "orders": [{"subject", "solver", "claimed", "shown", "points", "residual"}],
 *      "targets": [{"name", "ratio", "bound", "verdict", "detail"}]}
 *
 * `orders` and `targets` follow from the rest and are not read back. A file without `floor` and `diagram` is one that has not measured them.
 */
#ifndef IC_BENCH_COST_H
#define IC_BENCH_COST_H

#include "core/expression.h"
#include "impactcheck/impactcheck.h"

#include <stdio.h>

#define IC_COST_SCHEMA "impactcheck-bench/1"

/** Most repetitions of a row. */
#define IC_COST_MOST_TIMES 31

typedef struct ic_cost_row {
    char subject[64];
    char solver[32];
    char control[8];
    double setting; /* rtol, or the step in s; 0: none */
    int order;
    char status[24];
    char truth[24];
    double events, simulated, error, radius, noise;
    ic_work work;
    size_t n_times;
    double seconds[IC_COST_MOST_TIMES], relative[IC_COST_MOST_TIMES];
} ic_cost_row;

/** Where rows were measured. */
typedef struct ic_cost_machine {
    char cpu[96];
    int cores;
    char compiler[96], flags[160], version[24], commit[48], date[32];
    char arithmetic[24];
} ic_cost_machine;

/** Times of one roller, s: medians; NAN where not measured. */
typedef struct ic_cost_overhead {
    double by_hand, registry, solver;
    double ratio; /* median of registry over by_hand, measured in turns */
} ic_cost_overhead;

/** The vector functions of this machine, in s for one element, and what an event costs at least by them; NAN where not measured. */
typedef struct ic_cost_floor {
    char vectors[16]; /* "AVX-512", "AVX2", "SSE2", "none" */
    int width;        /* doubles in a vector */
    double exp, sin, cos;
    double event; /* s */
} ic_cost_floor;

/** What a bifurcation diagram costs (bench/diagram.h); NAN where not measured. */
typedef struct ic_cost_diagram {
    char engine[32], solver[32];
    double sets, periods; /* parameter sets, and periods that each was followed */
    double left;          /* sets that the engine left to the solver */
    double events;        /* of all sets */
    double processor;     /* processor time of the whole, on one thread, s */
    double opening;       /* of sets that are followed for one period: what it takes to prepare them, s */
    double one, two;      /* time by the clock on one thread and on two, s */
} ic_cost_diagram;

typedef struct ic_cost_results {
    ic_cost_machine machine;
    double calibration; /* s */
    ic_cost_overhead overhead;
    ic_cost_floor floor;
    ic_cost_diagram diagram;
    ic_cost_row *rows;
    size_t count, capacity;
} ic_cost_results;

/** This machine and this build. */
ic_cost_machine ic_cost_this_machine(void);

/** Whether times of two machines can be compared directly: the same processor, compiler and flags. */
bool ic_cost_same_machine(const ic_cost_machine *a, const ic_cost_machine *b);

/**
 * Whether two C libraries round alike: they gave the same sines, exponentials, powers and so on, bit for bit, at some thousand
 * arguments (`arithmetic` is a hash of them). One library takes other ways on processors with and without FMA. Where they round alike,
 * errors and work are the same bit for bit.
 */
bool ic_cost_same_arithmetic(const ic_cost_machine *a, const ic_cost_machine *b);

/** Empty results of this machine. */
ic_cost_results ic_cost_results_new(void);
void ic_cost_results_free(ic_cost_results *results);

/** A new row, zeroed but for numbers that are NAN until measured; NULL: no memory. */
ic_cost_row *ic_cost_results_add(ic_cost_results *results);

/** The row of the same problem, solver and setting, or NULL. */
const ic_cost_row *ic_cost_find(const ic_cost_results *results, const ic_cost_row *like);

/** Medians, s: of a run, over a simulated second, for an event; NAN where it was not timed or had no event. */
double ic_cost_seconds(const ic_cost_row *row);
double ic_cost_per_second(const ic_cost_row *row);
double ic_cost_per_event(const ic_cost_row *row);

/** Write the file. false: memory or the disk ran out. */
bool ic_cost_write(const ic_cost_results *results, FILE *stream);

/** A row each, for gnuplot and tables. Columns are named in the first line. */
void ic_cost_write_csv(const ic_cost_results *results, FILE *stream);

/** Read a file; `results` is to be freed in either case. false: `error` says what is wrong, as file:line:column where that is known. */
bool ic_cost_read(ic_cost_results *results, const char *path, ic_error *error);

/** The same of an open stream; `path` is for messages. */
bool ic_cost_read_stream(ic_cost_results *results, FILE *stream, const char *path, ic_error *error);

#endif
