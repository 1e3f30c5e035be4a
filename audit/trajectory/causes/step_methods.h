/* SPDX-License-Identifier: MIT */
/**
 * Integration methods of order 1 and 2 as single steps along the flow of one mode, by which rows of
 * a correct but coarse integrator are recognised. Hairer, Norsett & Wanner, Solving Ordinary
 * Differential Equations I, II.1 and II.14; Hairer, Lubich & Wanner, Geometric Numerical
 * Integration, I.1.
 */
#ifndef IC_AUDIT_TRAJECTORY_CAUSES_STEP_METHODS_H
#define IC_AUDIT_TRAJECTORY_CAUSES_STEP_METHODS_H

#include "impactcheck/impactcheck.h"

/** The flow of one mode, and which states are positions. */
typedef struct ic_step_field {
    const ic_mode *mode;
    const double *par;

    /* states */
    size_t n;

    /* whether its rate is another state, a velocity */
    bool is_position[IC_MAX_STATES];
} ic_step_field;

typedef enum ic_step_kind {
    IC_STEP_EXPLICIT,

    /* one kind of states by a part of the step, the other by all of it, the first one by the rest */
    IC_STEP_VELOCITIES_FIRST,
    IC_STEP_POSITIONS_FIRST,
    IC_STEP_IMPLICIT,
    IC_STEP_IMPLICIT_MIDPOINT
} ic_step_kind;

typedef struct ic_step_method {
    /* "explicit Euler" */
    const char *name;

    int order;
    ic_step_kind kind;

    /* place of the second stage, or part of the step, or weight of the end in an implicit one */
    double at;

    /* of the second stage of an explicit one */
    double weight;
} ic_step_method;

extern const ic_step_method ic_step_methods[];
extern const size_t ic_step_method_count;

/** The field of a mode of a problem's variant. */
ic_step_field ic_step_field_of(const ic_problem *problem, size_t mode);

/**
 * Advance x, of the field's n states, in place by `steps` equal steps from t0 to t1, s. false: a
 * step failed, or x is not finite.
 */
bool ic_take_steps(const ic_step_method *method, const ic_step_field *field, double t0, double t1, size_t steps,
                   double *x);

#endif
