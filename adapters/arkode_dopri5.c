/* SPDX-License-Identifier: MIT */
/**
 * Dormand-Prince 5(4) by ARKODE's stepper for explicit Runge-Kutta methods.
 *
 * D. R. Reynolds et al., ARKODE: a flexible IVP solver infrastructure for one-step methods, ACM
 * Trans. Math. Softw. 49 (2023) 19. See adapters/sundials.h for its use, and the clauses of the
 * event contract that it does not keep.
 *
 * Its interpolant, on which roots are located and whose value is the state at an event, is
 * Hermite's of degree 4, one less than the order of the method. The package allows no higher degree
 * (with 5 its results are the same bit for bit), so events are less accurate than steps. Each
 * evaluation of the interpolant takes further calls of the flow. An rtol of a tenth of the required
 * error, as the manual advises, is sufficient for events as well: with it, all requirements of
 * verify are met.
 *
 * A stage at which the flow is not finite ends the run (ARK_UNREC_RHSFUNC_ERR), since the package
 * does not try a shorter step.
 */
#include "adapters/sundials.h"

#include <arkode/arkode_erkstep.h>

static int restart_erkstep(void *memory, realtype t, N_Vector x)
{
    return ERKStepReInit(memory, ic_sundials_flow, t, x);
}

static const ic_sundials_calls erkstep = {.name = "ERKStep",
                                          .step = ERKStepEvolve,
                                          .restart = restart_erkstep,
                                          .interpolate = ERKStepGetDky,
                                          .set_stop = ERKStepSetStopTime,
                                          .set_roots = ERKStepRootInit,
                                          .set_directions = ERKStepSetRootDirection,
                                          .get_roots = ERKStepGetRootInfo,
                                          .get_steps = ERKStepGetNumSteps,
                                          .get_rejected = ERKStepGetNumErrTestFails,
                                          .release = ERKStepFree};

static ic_status set_up_erkstep(ic_sundials *s, const ic_problem *problem)
{
    s->memory = ERKStepCreate(ic_sundials_flow, problem->t_start, s->x, s->context);
    if (s->memory == NULL) return IC_NO_MEMORY;
    ic_status status =
        ic_sundials_check(s, "SetErrHandlerFn", ERKStepSetErrHandlerFn(s->memory, ic_sundials_record_error, s));
    if (status == IC_OK) {
        status =
            ic_sundials_check(s, "SetTableNum", ERKStepSetTableNum(s->memory, ARKODE_DORMAND_PRINCE_7_4_5));
    }
    if (status == IC_OK) {
        status =
            ic_sundials_check(s, "SVtolerances", ERKStepSVtolerances(s->memory, s->options.rtol, s->absolute));
    }
    if (status == IC_OK) status = ic_sundials_check(s, "SetUserData", ERKStepSetUserData(s->memory, s));
    if (status == IC_OK && s->options.step > 0) {
        status = ic_sundials_check(s, "SetMaxStep", ERKStepSetMaxStep(s->memory, s->options.step));
    }
    return status;
}

static ic_status solve_erkstep(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    ic_sundials workspace;
    ic_status status = ic_sundials_open(&workspace, &erkstep, log, problem, options);
    if (status == IC_OK) status = set_up_erkstep(&workspace, problem);
    if (status == IC_OK) status = ic_sundials_run(&workspace, problem);
    ic_sundials_close(&workspace);
    return status;
}

const ic_solver ic_solver_arkode_dopri5 = {
    IC_ABI(ic_solver),
    .name = "arkode_dopri5",
    .title = "SUNDIALS ARKODE: Dormand-Prince 5(4), Hermite interpolant of degree 5, its own root finding",
    .source = "Reynolds et al. 2023; Dormand & Prince 1980",
    .needs = IC_NEEDS_FLOW | IC_NEEDS_GUARD_RATE,
    .order = 5,
    .control = IC_CONTROL_RTOL,
    .clauses_not_kept = IC_CLAUSE(7) | IC_CLAUSE(8),
    .rtol_per_error = IC_ARKODE_RTOL_PER_ERROR,
    .solve = solve_erkstep,
};

const ic_tuning ic_tunings_arkode_dopri5[] = {{NULL, NULL}};
