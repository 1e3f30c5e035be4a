/* SPDX-License-Identifier: MIT */
/**
 * SUNDIALS' integrators as their users run them: internal steps up to a stop time, with the package's own root finding on
 * the guards, and a restart after each event. The jump, and what else happens at one instant, is the common event loop's.
 *
 * A guard is a root function with its direction. The package looks at the sign of each root function at the end of each of its
 * internal steps, locates a change of sign on its interpolant of the step to 100 units in the last place of t + h (by the Illinois
 * method), and returns the interpolant there. So of the event contract it does not keep
 *
 *   6. in CVODE, excursions that are smaller than the absolute tolerance: after a restart it steps with order 1 and errors as large as that.
 *      Where events accumulate, the limit is off by the duration of such excursions, about sqrt(rtol);
 *   7. two crossings of one guard inside one step are lost (and with them 8: they are taken for a touch without a note).
 *
 * Guards at their zero (clauses 2 and 3). A restart finds the guards that have just fired within rounding of zero, on either side, and
 * roots at the start of a step are ignored by the package only where they are exactly zero. Users
 * of the package mask them by hand; here a guard that the event loop calls disarmed is the constant +1 or -1 to the package until a
 * step has left its zero. Those first steps, of order 1 in CVODE, are searched by core/step_events.h for all guards, along
 * the cubic through the states and slopes at both ends, which costs two calls of the flow per phase: a hop shorter than
 * the first step, whose interpolant is a straight line, would let a ball fall through the floor.
 *
 * Tolerances: rtol relative, and rtol times the case's scale of each state absolute. The error of a step is measured in the
 * root mean square over all states, and errors add up. What to ask for, for a given error over a run, is said by each manual in "General
 * advice on choice of tolerances": a hundredth of it by that of CVODE, a tenth by that of ARKODE.
 */
#ifndef IC_ADAPTERS_SUNDIALS_H
#define IC_ADAPTERS_SUNDIALS_H

#include "adapters/cubic.h"
#include "core/event_loop.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>

#define IC_CVODE_RTOL_PER_ERROR 0.01
#define IC_ARKODE_RTOL_PER_ERROR 0.1

/** The functions of one integrator. CVODE and ARKODE agree on all of their arguments, and on the numbers of their answers. */
typedef struct ic_sundials_calls {
    const char *name; /* of its functions: "CVode" */
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
    void *memory; /* of the integrator */
    N_Vector x, absolute;
    SUNNonlinearSolver nonlinear; /* CVODE's, and what it needs; or NULL */
    SUNMatrix matrix;
    SUNLinearSolver linear;
    ic_options options;
    ic_log *log;
    const ic_phase *phase;
    size_t n;
    double *buffer;       /* of the vectors below */
    double t0, t1, t_end; /* a step, and its event or its end */
    double *x0, *x1, *x_end, *f0, *f1, *scratch;
    double t_begin, *x_begin; /* of the phase */
    int *mask;                /* of each guard: the constant that stands for it, or 0 */
    int *
        turned; /* of each guard: -1 where the package is given its negative, so that a mask leads into it; else 1 */
    int *directions, *found;
    size_t room;          /* guards that these tables have room for */
    long steps, rejected; /* counted by the package up to now */
    int stalls;           /* steps in a row that have not moved the time */
    bool searched;        /* a guard is masked: steps are searched by the common code */
    char said[256];       /* by the package, last */
} ic_sundials;

/** Workspace for a problem, without the integrator's memory; to be closed whatever the status. */
ic_status ic_sundials_open(ic_sundials *s, const ic_sundials_calls *calls, ic_log *log,
                           const ic_problem *problem, const ic_options *options);
void ic_sundials_close(ic_sundials *s);

/** Status of what a function of the package answers; where that is an error, the log gets a message with its name. */
ic_status ic_sundials_judge(const ic_sundials *s, const char *function, int answer);

/** Run, with the integrator made and its tolerances set. */
ic_status ic_sundials_run(ic_sundials *s, const ic_problem *problem);

/** Solve by CVODE: CV_ADAMS with fixed-point iteration, or CV_BDF with Newton's and a dense Jacobian by differences. */
ic_status ic_cvode_solve(ic_log *log, const ic_problem *problem, const ic_options *options, int method);

/* What the package calls, with the workspace as user data. */
int ic_sundials_flow(realtype t, N_Vector x, N_Vector dxdt, void *self);
void ic_sundials_hear(int code, const char *module, const char *function, char *message, void *self);

#endif
