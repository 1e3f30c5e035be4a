/* SPDX-License-Identifier: MIT */
/** Machines of tests. What is refused is printed, and ends the test, but for ic_tests_refused. */
#pragma once

#include "casefile/casefile.h"
#include "core/model.h"
#include "reference/flow/certify.h"
#include "tests/tests.h"
#include "validation/results.h"
#include "validation/truth.h"

IC_OWNED_POINTER(ic_casefile, ic_casefile_free)
IC_OWNED(ic_certificate, ic_certificate_clear)
IC_OWNED(ic_results, ic_results_free)
IC_OWNED(ic_setup, ic_setup_close)
IC_OWNED(ic_truth, ic_truth_clear)

/** Write a file that consists of a text. */
void ic_tests_write(const char *path, const char *text);

/** The case file of a text. */
ic_casefile *ic_tests_read(const char *text);

/** The problem of a request, or of a case of a file; `request`: NULL: its first preset. */
ic_setup ic_tests_setup(const ic_request *request);
ic_setup ic_tests_setup_of(const ic_casefile *file, const ic_request *request);

/** The same problem in exact numbers. */
ic_setup ic_tests_exact(const ic_setup *setup);

/** The certified answer of a problem that has one. */
ic_truth ic_tests_truth(const ic_problem *problem, int digits);

/** A case, or a machine of a text, with a run. */
typedef struct ic_machine {
    /* NULL: a case */
    ic_casefile *file;

    ic_setup setup;

    /* empty unless it is set */
    ic_setup exact;

    /* NULL: no run */
    ic_log *log;
    ic_status status;
} ic_machine;

/** Open a machine: `text`: NULL: a case; `request`: NULL: the first preset of the text. Close releases all that is set. */
ic_machine ic_tests_open(const char *text, const ic_request *request);
void ic_tests_close(ic_machine *m);
IC_OWNED(ic_machine, ic_tests_close)

/** Whether a text is refused at a place (LINE, or LINE:COLUMN) with a message that contains `says`; if not, prints why. */
bool ic_tests_refused(const char *text, const char *place, const char *says);

/** The log of a run that ends well. */
ic_log *ic_tests_solve(const char *solver, const ic_problem *problem, const ic_options *options);

/** Run a solver on a problem one of whose parameters is another one by a factor: for planted wrong solvers. */
ic_status ic_tests_solve_changed(ic_log *log, const ic_problem *problem, const ic_options *options,
                                 const char *solver, size_t parameter, double factor);

/** The certifier as a solver: `undecided` where something cannot be proved. */
ic_status ic_tests_certify_into_log(ic_log *log, const ic_problem *problem, const ic_options *options);

/** Whether event i of a log has this name, time, within a tolerance, and number. */
bool ic_tests_event_is(const ic_log *log, size_t i, const char *name, double t, double tolerance, int sequence);

/**
 * Whether events, samples, extremes and ends of two runs of one problem agree within a part of the states' scales,
 * of 1 for times and outputs, or of a number that is greater.
 */
bool ic_tests_same_run(const ic_log *a, const ic_log *b, double tolerance);

/** Greatest error of the event times, s; INFINITY where the events differ. */
double ic_tests_worst_time(const ic_log *log, const ic_truth *truth);

/** One step of the classical method of Runge and Kutta with a flow of n states. */
void ic_tests_step(void (*flow)(double *f, double t, const double *x, const double *par), const double *par,
                   size_t n, double t, double h, double *x);

/** Print what a run gave: a title, status, end and the first events. */
void ic_tests_print_run(const char *title, ic_status status, const ic_log *log, const ic_variant *variant);
