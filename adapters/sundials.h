/* SPDX-License-Identifier: MIT */
/**
 * SUNDIALS' integrators as their users run them: internal steps up to a stop time, with the root
 * finding of the package on the guards, and a restart after each event. Jumps, and everything else
 * at one instant, are handled by the common event loop.
 *
 * A guard is a root function with a direction. The package checks the sign of each root function at
 * the end of each internal step, locates a change of sign on its interpolant of the step to 100
 * units in the last place of t + h (by the Illinois method), and returns the interpolant there.
 * Therefore, of the event contract it does not keep
 *
 *     6. in CVODE, excursions that are smaller than the absolute tolerance, since after a restart it steps with order 1
 *        and errors as large as that; where events accumulate, the limit is off by the duration of such excursions,
 *        about sqrt(rtol);
 *     7. two crossings of one guard inside one step, which are lost (and hence 8: they count as a touch, without a note).
 *
 * Guards at their zero (clauses 2 and 3). After a restart, a guard that has just fired is within
 * rounding of zero, on either side, and the package ignores roots at the start of a step only if
 * they are exactly zero. Users of the package mask such guards by hand. Here a guard that the event
 * loop calls disarmed is the constant +1 or -1 to the package, until a step has left its zero.
 * Those first steps, of order 1 in CVODE, are searched by core/step_events.h for all guards, along
 * the cubic through the states and slopes at both ends, which costs two calls of the flow per
 * phase. Without this, on a hop shorter than the first step, whose interpolant is a straight line,
 * a ball would fall through the floor.
 *
 * Tolerances: rtol relative, and rtol times the case's scale of each state absolute. The error of a
 * step is the root mean square over all states, and errors accumulate. For a given error over a
 * run, the section "General advice on choice of tolerances" of the manuals recommends a hundredth
 * of it (CVODE) or a tenth (ARKODE).
 */
#pragma once

#include "core/cubic.h"
#include "core/event_loop.h"
#include "core/tunings.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>

#define IC_CVODE_RTOL_PER_ERROR 0.01
#define IC_ARKODE_RTOL_PER_ERROR 0.1

/**
 * The functions of one integrator. CVODE and ARKODE agree on the arguments of all of them, and on
 * the numbers that they return.
 */
typedef struct ic_sundials_calls {
    /* prefix of its functions: "CVode" */
    const char *name;

    int (*restart)(void *memory, realtype t, N_Vector x);
    int (*step)(void *memory, realtype t_out, N_Vector x, realtype *t, int task);
    int (*interpolate)(void *memory, realtype t, int derivative, N_Vector x);
    int (*set_stop)(void *memory, realtype t);
    int (*set_roots)(void *memory, int count, CVRootFn roots);
    int (*set_directions)(void *memory, int *directions);
    int (*get_roots)(void *memory, int *found);
    int (*get_steps)(void *memory, long *count);
    int (*get_rejected)(void *memory, long *count);
    void (*release)(void **memory);
} ic_sundials_calls;

typedef struct ic_sundials {
    const ic_sundials_calls *calls;
    SUNContext context;

    /* memory of the integrator */
    void *memory;

    N_Vector x, absolute;

    /* of CVODE only, otherwise NULL */
    SUNNonlinearSolver nonlinear;

    SUNMatrix matrix;
    SUNLinearSolver linear;
    ic_options options;
    ic_log *log;
    const ic_phase *phase;
    size_t n;

    /* memory of the vectors below */
    double *buffer;

    /* the last step, and its event or its end */
    double t0, t1, t_end;

    double *x0, *x1, *x_end, *f0, *f1, *scratch;

    /* start of the phase */
    double t_begin, *x_begin;

    /* for each guard: the constant that replaces it, or 0 */
    int *mask;

    /*
     * for each guard: -1 if the package is given its negative, so that the mask is continuous with
     * it; otherwise 1
     */
    int *turned;

    int *directions, *found;

    /* number of guards for which these tables have capacity */
    size_t capacity;

    /* counts of the package so far */
    long steps, rejected;

    /* successive steps that have not advanced the time */
    int stalls;

    /* a guard is masked: steps are searched by core/step_events.h */
    bool searched;

    /* last error message of the package */
    char error_text[256];
} ic_sundials;

/**
 * Open a workspace for a problem, without the memory of the integrator. It must be closed for every
 * status.
 */
ic_status ic_sundials_open(ic_sundials *s, const ic_sundials_calls *calls, ic_log *log,
                           const ic_problem *problem, const ic_options *options);
void ic_sundials_close(ic_sundials *s);

/**
 * The status for the return value of a function of the package. An error is reported to the log,
 * with the name of the function.
 */
ic_status ic_sundials_check(const ic_sundials *s, const char *function, int answer);

/** Run an integrator that has been made and whose tolerances have been set. */
ic_status ic_sundials_run(ic_sundials *s, const ic_problem *problem);

/**
 * Solve by CVODE: CV_ADAMS with fixed-point iteration, or CV_BDF with Newton's method and a dense
 * Jacobian by finite differences. `most_order` 0: the greatest order of the method.
 */
ic_status ic_cvode_solve(ic_log *log, const ic_problem *problem, const ic_options *options, int method,
                         int most_order);

/* Functions that the package calls, with the workspace as user data. */
int ic_sundials_flow(realtype t, N_Vector x, N_Vector dxdt, void *self);
void ic_sundials_record_error(int code, const char *module, const char *function, char *message, void *self);

/** A solver by CVODE with a method of the greatest order order_. */
#define IC_CVODE_SOLVER(name_, title_, order_, method_)                                                        \
    static ic_status solve_##name_(ic_log *log, const ic_problem *problem, const ic_options *options)          \
    {                                                                                                          \
        return ic_cvode_solve(log, problem, options, method_, 0);                                              \
    }                                                                                                          \
    const ic_solver ic_solver_##name_ = {IC_ABI(ic_solver),                                                    \
                                         .name = #name_,                                                       \
                                         .title = (title_),                                                    \
                                         .source = "Hindmarsh et al. 2005",                                    \
                                         .needs = IC_NEEDS_FLOW | IC_NEEDS_GUARD_RATE,                         \
                                         .order = (order_),                                                    \
                                         .control = IC_CONTROL_RTOL,                                           \
                                         .clauses_not_kept = IC_CLAUSE(6) | IC_CLAUSE(7) | IC_CLAUSE(8),       \
                                         .rtol_per_error = IC_CVODE_RTOL_PER_ERROR,                            \
                                         .solve = solve_##name_};
