/* SPDX-License-Identifier: MIT */
/** Results of checks: one row for each comparison. */
#pragma once

#include "impactcheck/impactcheck.h"
#include "reports/result_columns.h"
#include "validation/kinds.h"
#include "validation/tolerance.h"

#include <jansson.h>

typedef enum ic_verdict {
    IC_PASS,
    IC_FAIL,

    /*
     * The published value does not hold; the row's detail gives the right one. This is not a
     * failure of impactcheck.
     */
    IC_ERRATUM,

    /* The values cannot be compared; the row's detail gives the reason. */
    IC_SKIPPED,
} ic_verdict;

/** "pass", "FAIL", "erratum", "skipped". */
const char *ic_verdict_text(ic_verdict verdict);

/**
 * One row: a member for each column of reports/result_columns.def, which gives its meaning. Texts
 * are copied (and cut) by ic_results_add.
 */
typedef struct ic_result {
#define IC_RESULT_TEXT(name_, size_, ...) char name_[size_];
#define IC_RESULT_NUMBER(name_, ...) double name_;
#define IC_RESULT_VERDICT(name_, ...) ic_verdict name_;
#include "reports/result_columns.def"

    /* the part of the work that the row belongs to; set by ic_results_add, like `seconds` */
    unsigned part;
} ic_result;

/**
 * A row of a check on a subject, which fails until it is judged. `solver`: NULL where none is under
 * test.
 */
ic_result ic_row(const char *check, const char *subject, const ic_solver *solver, const char *unit);

/** Set the tolerance of a row, and with it the origin. */
void ic_row_accept(ic_result *row, const ic_tolerance *tolerance);

/** The text of a row in a column of ic_result_columns; of a verdict, its name. */
const char *ic_result_text(const ic_result *row, int column);

/** The number of a row in a column. */
double ic_result_number(const ic_result *row, int column);

struct ic_distribution;

typedef struct ic_results {
    ic_result *rows;
    size_t count, capacity;
    bool out_of_memory;
    /* called after each row, for progress; may be NULL */
    void (*watch)(const ic_result *row, void *context);
    void *context;

    /* parts of the work (validation/distributed.h) */

    /* NULL: all parts are done here */
    struct ic_distribution *distributed;

    /* whether the next part, of about `cost` ms, is done by this process */
    bool (*take)(struct ic_distribution *distributed, unsigned cost);

    /* number of the part, by which rows are ordered, and its approximate time, ms */
    unsigned part, cost;

    /* the part is done elsewhere: its rows are not kept */
    bool elsewhere;

    /* processor time at which the last row was added or the part began, s */
    double since;
} ic_results;

void ic_results_free(ic_results *results);

/**
 * Begin the next part of the work; true if it is done here. Every process visits all parts in the
 * same order, so code between parts must be fast and the same in all processes.
 */
bool ic_results_part(ic_results *results);

/**
 * Add a row of the present part, if that is done here. Running out of memory is remembered in
 * `out_of_memory`. A row that does not pass gives the reason in `detail`; if the check left that
 * empty, the row becomes a failure that reports it.
 */
void ic_results_add(ic_results *results, const ic_result *row);

/** Add an unchanged row from another process. */
void ic_results_append(ic_results *results, const ic_result *row);

/**
 * Add a row whose verdict is error + radius <= tolerance; NAN fails. An empty detail is replaced by
 * those numbers.
 */
void ic_results_compare(ic_results *results, ic_result row);

size_t ic_results_with(const ic_results *results, ic_verdict verdict);

/** Rows of a kind with a verdict. */
size_t ic_results_of_kind(const ic_results *results, ic_kind kind, ic_verdict verdict);

/**
 * The rows and their summary as JSON, by the schema of `verify --schema`; with the time that each
 * row took, if `times`. NULL: memory ran out.
 */
json_t *ic_results_json(const ic_results *results, bool times);
