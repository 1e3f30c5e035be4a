/* SPDX-License-Identifier: MIT */
/**
 * Studies: tables of our own beyond those of the papers. A study asks a question; its rows, and
 * findings that state them in words, are computed when it is run.
 *
 * Each file validation/studies/study_NAME.c exports one constant ic_study_NAME, named by a line in
 * validation/studies/studies.def.
 */
#pragma once

#include "core/expression.h"

#include <stdbool.h>
#include <stddef.h>

/** A column of a study's table. */
typedef struct ic_study_column {
    /* "kappa" */
    const char *name;

    /* SI, "1" where dimensionless; NULL: the column holds text */
    const char *unit;

    /* one line */
    const char *meaning;
} ic_study_column;

/** A cell: a number, or a text. */
typedef struct ic_study_cell {
    /* NAN if there is none. */
    double number;

    /* a constant of the program; NULL: a number */
    const char *text;
} ic_study_cell;

/** The results of a study; initialise with {0}. */
typedef struct ic_study_data {
    const struct ic_study *study;

    /* row by row */
    ic_study_cell *cells;

    size_t n_cells, cell_capacity;
    char **findings;
    size_t n_findings, finding_capacity;
    bool failed;

    /* Reason of the failure. */
    ic_error error;
} ic_study_data;

/** A study. */
typedef struct ic_study {
    /* "rigid-limit" */
    const char *name;

    /* one line */
    const char *title;

    /* the question that it answers */
    const char *question;

    const ic_study_column *columns;
    size_t n_columns;

    /* adds rows cell by cell, then findings */
    void (*run)(ic_study_data *data);
} ic_study;

/** The study of a file, with `columns` and `run_study`. */
#define IC_STUDY_TABLE(id_, name_, title_, question_)                                                          \
    const ic_study ic_study_##id_ = {name_, title_, question_, columns, IC_COUNT(columns), run_study}

extern const ic_study *const ic_studies[];
extern const size_t ic_study_count;

/** By name, or NULL. */
const ic_study *ic_study_find(const char *name);

/**
 * Run a study. false: `data->error` gives the reason. Release what it holds with ic_study_clear in
 * either case.
 */
bool ic_study_run(ic_study_data *data, const ic_study *study);
void ic_study_clear(ic_study_data *data);

/* Called by studies. After a failure nothing is added. */
void ic_study_number(ic_study_data *data, double number);
void ic_study_numbers(ic_study_data *data, const double *numbers, size_t n);
#define IC_STUDY_NUMBERS(data_, ...)                                                                           \
    ic_study_numbers(data_, (const double[]){__VA_ARGS__},                                                     \
                     sizeof((const double[]){__VA_ARGS__}) / sizeof(double))
void ic_study_text(ic_study_data *data, const char *text);
__attribute__((format(printf, 2, 3))) void ic_study_finding(ic_study_data *data, const char *format, ...);
__attribute__((format(printf, 2, 3))) void ic_study_fail(ic_study_data *data, const char *format, ...);

/* Called by readers of the results. */
size_t ic_study_rows(const ic_study_data *data);
const ic_study_cell *ic_study_at(const ic_study_data *data, size_t row, size_t column);
