/* SPDX-License-Identifier: MIT */
/**
 * Methods of order 1 and 2 that simulations take steps by, as one step along the flow of one mode:
 * what rows of a right but coarse integrator are recognised by. Hairer, Norsett & Wanner, Solving
 * Ordinary Differential Equations I, II.1 and II.14; Hairer, Lubich & Wanner, Geometric Numerical
 * Integration, I.1.
 */
#ifndef IC_AUDIT_TRAJECTORY_STEP_METHODS_H
#define IC_AUDIT_TRAJECTORY_STEP_METHODS_H

#include "impactcheck/impactcheck.h"

/** What is followed: one mode, and which states are positions. */
typedef struct ic_step_field {
    const ic_mode *mode;
    const double *par;

    /* states */
    size_t n;

    /* its rate is another state, a velocity */
    bool is_position[IC_MAX_STATES];
} ic_step_field;

typedef struct ic_step_method {
    /* "explicit Euler" */
    const char *name;

    int order;
    /* x, of n states, from t to t + h, s. false: an implicit equation has not been solved */
    bool (*step)(const ic_step_field *field, double t, double h, double *x);
} ic_step_method;

extern const ic_step_method ic_step_methods[];
extern const size_t ic_step_method_count;

/** The field of a mode of a problem's variant. */
ic_step_field ic_step_field_of(const ic_problem *problem, size_t mode);

/**
 * `steps` equal steps from t0 to t1, s; x, of the field's n states, is changed in place. false: it
 * fails or is not finite.
 */
bool ic_take_steps(const ic_step_method *method, const ic_step_field *field, double t0, double t1, size_t steps,
                   double *x);

#endif
