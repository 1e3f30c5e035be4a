/* SPDX-License-Identifier: MIT */
/**
 * The course that a case takes from its start: events by the most accurate solver, and the state at
 * any time between them.
 */
#ifndef IC_AUDIT_COURSE_H
#define IC_AUDIT_COURSE_H

#include "audit/trajectory/predict.h"
#include "core/expression.h"

typedef struct ic_course {
    ic_log *log;
    ic_predictor predictor;
    double x_start[IC_MAX_STATES];
    int mode_start;
} ic_course;

/**
 * Follow a problem, which must outlive the course, to its end. false: `error` says why that is not
 * possible. Close it in either case.
 */
bool ic_course_open(ic_course *course, const ic_problem *problem, ic_error *error);
void ic_course_close(ic_course *course);

/**
 * The state at a time within the run, after the events of that instant. false: there is none; the
 * run is over.
 */
bool ic_course_state(const ic_course *course, double t, double *x);

/** When a guard first fires after the start, s; INFINITY: none does. */
double ic_course_first_guard(const ic_course *course);

/** When the next event of any kind comes after a time, s; where none does, the end. */
double ic_course_next(const ic_course *course, double t);

/** Where it ends, s: the problem's end, or where a terminal mode is entered. */
double ic_course_end(const ic_course *course);

#endif
