/* SPDX-License-Identifier: MIT */
/**
 * The modes of a problem as linear systems in ball arithmetic,
 *
 *     z' = M z,   z = (x, 1, cos w t, sin w t),
 *
 * which is autonomous: zero eigenvalues, repeated eigenvalues and resonance need no special
 * treatment.
 */
#ifndef IC_REFERENCE_SYSTEM_H
#define IC_REFERENCE_SYSTEM_H

#include "impactcheck/impactcheck.h"
#include "reference/ball.h"
#include "reference/expression.h"

/** A row over z with the frequency of its forcing (0 if none): the first elements of a form. */
typedef arb_ptr ic_ball_row;

typedef struct ic_ball_mode {
    const ic_mode *mode;

    /* M, dim x dim, row-major */
    arb_ptr matrix;

    /* w */
    arb_t frequency;

    /* one for each guard */
    ic_ball_row *guards;

    /* one for each guard; NULL where always enabled */
    ic_ball_row *enabled;

    /* guards whose condition is a constant that is not positive */
    bool *never;

    /* |M|, dim x dim */
    mag_ptr magnitude;

    /* estimate (not a bound) of the spectral radius of |M|, 1/s */
    double growth;
} ic_ball_mode;

typedef struct ic_ball_system {
    const ic_problem *problem;
    slong n, dim, prec;
    arb_ptr par;

    /* n_modes of the variant, compiled by open */
    ic_ball_mode *modes;

    size_t n_modes;

    /* why open or a row failed */
    char message[256];
} ic_ball_system;

/**
 * Encloses all parameters of a problem: exact from problem->par_text where present, otherwise the
 * doubles problem->par. false: `message` states the error.
 */
bool ic_ball_parameters(arb_ptr par, const ic_problem *problem, slong prec, char *message, size_t size);

/**
 * Compiles all modes of the problem's variant at a precision. false: there is no linear view, or an
 * expression is malformed; `message` states which. Close in any case.
 */
bool ic_ball_system_open(ic_ball_system *system, const ic_problem *problem, slong prec);
void ic_ball_system_close(ic_ball_system *system);

/**
 * Row of an expression in t, parameters and (if `states`) states; release it with
 * ic_ball_row_clear. NULL: `message` states the error.
 */
ic_ball_row ic_ball_system_row(ic_ball_system *system, const char *text, bool states);
void ic_ball_row_clear(const ic_ball_system *system, ic_ball_row row);

/** value = row . z */
void ic_ball_row_value(arb_t value, const ic_ball_system *system, arb_srcptr row, arb_srcptr z);

/** Sets the last three elements of z for time t and frequency w. */
void ic_ball_anchor(arb_ptr z, const ic_ball_system *system, const arb_t frequency, const arb_t t);

/**
 * Encloses an exact parameter expression (end of a run, times of events, scales). n may be NULL.
 */
bool ic_ball_system_number(arb_t value, ic_ball_system *system, const char *text, const long *n);

/**
 * Typical magnitude that the case states in parameters, as an estimate; 1 where it states none or
 * 0.
 */
double ic_ball_system_scale(ic_ball_system *system, const char *text);

#endif
