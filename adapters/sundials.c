/* SPDX-License-Identifier: MIT */
#include "adapters/sundials.h"
#include "core/model.h"
#include "core/numbers.h"
#include "core/step_events.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

/* The cubic in the state needs four values; a fifth serves guards that are not affine in it. */
enum { GUARD_NODES = 5 };

/*
 * After this many successive steps that do not advance the time, the run is given up; CVODE would
 * continue for ever.
 */
enum { MOST_STALLS = 100 };

/* The package refuses a step shorter than this many units in the last place of its end. */
#define SHORTEST_ULPS 8.0

static double *vector_data(N_Vector x)
{
    return N_VGetArrayPointer(x);
}

/* ---- the workspace */

/* Provide tables for n_guards guards; their contents are lost. */
static bool reserve_tables(ic_sundials *s, size_t n_guards)
{
    int **tables[] = {&s->mask, &s->turned, &s->directions, &s->found};
    if (s->mask != NULL && n_guards <= s->capacity) return true;
    int *larger = calloc(IC_COUNT(tables) * (n_guards + 1), sizeof *larger);
    if (larger == NULL) return false;
    free(s->mask);
    for (size_t i = 0; i < IC_COUNT(tables); i++) *tables[i] = larger + i * (n_guards + 1);
    s->capacity = n_guards;
    return true;
}

ic_status ic_sundials_open(ic_sundials *s, const ic_sundials_calls *calls, ic_log *log,
                           const ic_problem *problem, const ic_options *options)
{
    double **vectors[] = {&s->x0, &s->x1, &s->x_end, &s->f0, &s->f1, &s->scratch, &s->x_begin};
    const size_t n = problem->system->n_states;
    *s = (ic_sundials){.calls = calls, .log = log, .n = n, .options = ic_options_resolved(problem, options)};
    s->buffer = calloc(IC_COUNT(vectors) * n, sizeof *s->buffer);
    if (s->buffer == NULL || SUNContext_Create(NULL, &s->context) != 0) return IC_NO_MEMORY;
    s->x = N_VNew_Serial((sunindextype)n, s->context);
    s->absolute = N_VNew_Serial((sunindextype)n, s->context);
    if (s->x == NULL || s->absolute == NULL) return IC_NO_MEMORY;
    for (size_t i = 0; i < IC_COUNT(vectors); i++) *vectors[i] = s->buffer + i * n;
    N_VConst(0, s->x);
    ic_state_scales(problem, vector_data(s->absolute));
    for (size_t j = 0; j < n; j++) vector_data(s->absolute)[j] *= s->options.rtol;
    return IC_OK;
}

void ic_sundials_close(ic_sundials *s)
{
    if (s->memory != NULL) s->calls->release(&s->memory);
    SUNNonlinSolFree(s->nonlinear);
    SUNLinSolFree(s->linear);
    SUNMatDestroy(s->matrix);
    N_VDestroy(s->x);
    N_VDestroy(s->absolute);
    if (s->context != NULL) SUNContext_Free(&s->context);
    free(s->buffer);
    free(s->mask);
}

/* ---- functions that the package calls */

int ic_sundials_flow(realtype t, N_Vector x, N_Vector dxdt, void *self)
{
    const ic_sundials *s = self;
    ic_phase_flow(s->phase, vector_data(dxdt), t, vector_data(x));
    /* 1: the package tries a shorter step, which may stay inside the domain of the flow */
    return ic_all_finite(vector_data(dxdt), s->n) ? 0 : 1;
}

static int evaluate_guards(realtype t, N_Vector x, realtype *values, void *self)
{
    const ic_sundials *s = self;
    for (size_t i = 0; i < s->phase->n_watched; i++) {
        values[i] =
            s->mask[i] != 0 ? s->mask[i] : s->turned[i] * ic_phase_guard(s->phase, i, t, vector_data(x));
        if (!isfinite(values[i])) return -1;
    }
    return 0;
}

void ic_sundials_record_error(int code, const char *module, const char *function, char *message, void *self)
{
    ic_sundials *s = self;
    (void)module;
    snprintf(s->error_text, sizeof s->error_text, "%s (%d): %.200s", function, code, message);
}

/* ---- return values of the package */

static ic_status status_of_answer(int answer)
{
    switch (answer) {
    case CV_TOO_MUCH_WORK: return IC_TOO_MUCH_WORK;
    case CV_TOO_MUCH_ACC:
    case CV_ERR_FAILURE:
    case CV_CONV_FAILURE: return IC_STEP_TOO_SMALL;
    case CV_RHSFUNC_FAIL:
    case CV_FIRST_RHSFUNC_ERR:
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR:
    case CV_RTFUNC_FAIL: return IC_NOT_FINITE;
    case CV_MEM_FAIL: return IC_NO_MEMORY;
    case CV_ILL_INPUT: return IC_ROOT_LOST; /* "root found at and very near t" */
    default: return answer >= 0 ? IC_OK : IC_INVALID;
    }
}

ic_status ic_sundials_check(const ic_sundials *s, const char *function, int answer)
{
    const ic_status status = status_of_answer(answer);
    if (status != IC_OK) {
        ic_log_message(s->log, "%s%s returned %d at t = %.17g: %s", s->calls->name, function, answer,
                       s->phase != NULL ? s->phase->t : NAN,
                       s->error_text[0] != '\0' ? s->error_text : ic_status_text(status));
    }
    return status;
}

/* ---- the start of a phase */

/* To the package, guards at their zero are constants until a step has left it. */
static bool mask_guards(ic_sundials *s, const ic_phase *phase)
{
    bool any = false;
    for (size_t i = 0; i < phase->n_watched; i++) {
        const ic_arming arming = phase->arming[i];
        s->mask[i] = arming.order == 0 ? 0 : arming.side != 0 ? arming.side : 1;
        s->turned[i] = 1;
        s->directions[i] = ic_phase_direction(phase, i);
        any = any || s->mask[i] != 0;
    }
    return any;
}

static ic_status begin_phase(void *self, ic_phase *phase)
{
    ic_sundials *s = self;
    const ic_sundials_calls *calls = s->calls;
    if (!reserve_tables(s, phase->n_watched)) return IC_NO_MEMORY;
    s->phase = phase;
    s->steps = s->rejected = 0;
    s->stalls = 0;
    s->t_begin = phase->t;
    memcpy(s->x_begin, phase->x, s->n * sizeof *s->x_begin);
    memcpy(vector_data(s->x), phase->x, s->n * sizeof(double));
    ic_status status = ic_sundials_check(s, "ReInit", calls->restart(s->memory, phase->t, s->x));
    if (status == IC_OK) {
        status = ic_sundials_check(s, "RootInit",
                                   calls->set_roots(s->memory, (int)phase->n_watched, evaluate_guards));
    }
    s->searched = mask_guards(s, phase);
    if (s->searched) {
        memcpy(s->x0, phase->x, s->n * sizeof *s->x0);
        ic_phase_flow(phase, s->f0, phase->t, s->x0);
    }
    if (status == IC_OK && phase->n_watched > 0) {
        status = ic_sundials_check(s, "SetRootDirection", calls->set_directions(s->memory, s->directions));
    }
    if (status == IC_OK)
        status = ic_sundials_check(s, "SetStopTime", calls->set_stop(s->memory, phase->t_stop));
    return status;
}

/* ---- steps */

static void interpolate_state(void *self, double t, double *x)
{
    ic_sundials *s = self;
    if (s->searched) {
        const ic_cubic cubic = {s->n, s->t0, s->t1, s->x0, s->f0, s->x1, s->f1};
        ic_cubic_state(&cubic, t, x);
        return;
    }
    if (s->calls->interpolate(s->memory, t, 0, s->x) == 0) memcpy(x, vector_data(s->x), s->n * sizeof *x);
    else
        for (size_t j = 0; j < s->n; j++) x[j] = NAN;
}

static void count_steps(ic_sundials *s, ic_work *work)
{
    long steps = s->steps, rejected = s->rejected;
    s->calls->get_steps(s->memory, &steps);
    s->calls->get_rejected(s->memory, &rejected);
    work->steps += (double)(steps - s->steps);
    work->rejected_steps += (double)(rejected - s->rejected);
    s->steps = steps;
    s->rejected = rejected;
}

/* Reach a t_stop that is so near that the package refuses the step. */
static void step_to_stop(ic_sundials *s, ic_phase *phase)
{
    ic_phase_flow(phase, s->scratch, phase->t, phase->x);
    for (size_t j = 0; j < s->n; j++) phase->x[j] += (phase->t_stop - phase->t) * s->scratch[j];
    phase->t = phase->t_stop;
}

/* ---- crossings */

/* Hand guards that have left their zero to the package. */
static ic_status unmask_guards(ic_sundials *s, const ic_phase *phase)
{
    bool any = false, turned = false;
    for (size_t i = 0; i < phase->n_watched; i++) {
        if (s->mask[i] == 0) continue;
        if (phase->arming[i].order > 0) {
            any = true;
            continue;
        }
        if (phase->arming[i].side != s->mask[i]) {
            s->turned[i] = -1;
            s->directions[i] = -s->directions[i];
            turned = true;
        }
        s->mask[i] = 0;
    }
    s->searched = any;
    return turned ? ic_sundials_check(s, "SetRootDirection", s->calls->set_directions(s->memory, s->directions))
                  : IC_OK;
}

/* Search a step at whose start a guard is at its zero. */
static ic_status search_first_step(ic_sundials *s, ic_phase *phase, double *t)
{
    ic_phase_flow(phase, s->f1, s->t1, s->x1);
    if (!ic_all_finite(s->f1, s->n)) return IC_NOT_FINITE;
    const ic_step step = {.t0 = s->t0,
                          .t1 = s->t1,
                          .x0 = s->x0,
                          .x1 = s->x1,
                          .interpolate = interpolate_state,
                          .self = s,
                          .scratch = s->scratch,
                          .nodes = GUARD_NODES,
                          .narrow = ic_narrow_by_itp};
    return ic_step_first_event(phase, &step, t);
}

/* Whether guard i, which has not crossed for the package, is due at the same instant. */
static bool is_due_at_same_instant(const ic_phase *phase, size_t i, double t, const double *x)
{
    const double g = ic_phase_guard(phase, i, t, x), rate = ic_phase_guard_rate(phase, i, t, x);
    const double left = -g / rate;
    return left > 0 && left <= ic_phase_instant_width(phase) &&
           ic_fires(ic_phase_direction(phase, i), ic_sign(rate));
}

/* Find the guards that are due, when the package has found roots at (t1, x1). */
static ic_status find_due_guards(ic_sundials *s, ic_phase *phase)
{
    const size_t n_guards = phase->n_watched;
    const ic_status status = ic_sundials_check(s, "GetRootInfo", s->calls->get_roots(s->memory, s->found));
    if (status != IC_OK) return status;
    for (size_t i = 0; i < n_guards; i++) {
        const bool crosses = s->mask[i] == 0 && s->found[i] != 0;
        phase->due[i] = crosses && ic_phase_enabled(phase, i, s->t1, s->x1);
        if (phase->due[i] && phase->fired < 0) phase->fired = (int)i;
    }
    for (size_t i = 0; i < n_guards && phase->fired >= 0; i++) {
        if (phase->due[i] || s->mask[i] != 0 || !is_due_at_same_instant(phase, i, s->t1, s->x1)) continue;
        phase->due[i] = ic_phase_enabled(phase, i, s->t1, s->x1);
        if (phase->due[i] && (int)i < phase->fired) phase->fired = (int)i;
    }
    return IC_OK;
}

/* Find the first event of the step, if any; the step then ends there. */
static ic_status find_first_event(ic_sundials *s, ic_phase *phase, bool has_roots)
{
    double t = s->t1;
    phase->fired = -1;
    const ic_status status = s->searched ? search_first_step(s, phase, &t) : IC_OK;
    s->t_end = phase->fired >= 0 ? t : s->t1;
    memcpy(s->x_end, s->x1, s->n * sizeof *s->x_end);
    if (status != IC_OK) return status;
    if (phase->fired >= 0 && t < s->t1) interpolate_state(s, t, s->x_end);
    return phase->fired < 0 && has_roots ? find_due_guards(s, phase) : IC_OK;
}

/*
 * Fire at the start of the phase: a guard has left a zero without rate to its firing side. Some
 * steps may have passed before it exceeded its rounding error.
 */
static ic_status fire_at_start(const ic_sundials *s, ic_phase *phase)
{
    phase->t = s->t_begin;
    memcpy(phase->x, s->x_begin, s->n * sizeof *phase->x);
    return IC_OK;
}

/* ---- the method */

static ic_status take_step(ic_sundials *s, ic_phase *phase)
{
    realtype t = phase->t;
    const int answer = s->calls->step(s->memory, phase->t_stop, s->x, &t, CV_ONE_STEP);
    count_steps(s, phase->work);
    if (answer < 0) return ic_sundials_check(s, "", answer);
    s->t0 = phase->t;
    s->t1 = t;
    s->stalls = t > phase->t ? 0 : s->stalls + 1;
    if (s->stalls > MOST_STALLS) return IC_STEP_TOO_SMALL;
    memcpy(s->x1, vector_data(s->x), s->n * sizeof *s->x1);
    return find_first_event(s, phase, answer == CV_ROOT_RETURN);
}

static ic_status advance_phase(void *self, ic_phase *phase)
{
    ic_sundials *s = self;
    phase->fired = -1;
    if (phase->t_stop - phase->t <= SHORTEST_ULPS * DBL_EPSILON * fabs(phase->t_stop)) step_to_stop(s, phase);
    while (phase->t < phase->t_stop) {
        if (phase->work->steps + phase->work->rejected_steps > phase->options->max_steps)
            return IC_TOO_MUCH_WORK;
        ic_status status = take_step(s, phase);
        if (status != IC_OK) return status;
        if (phase->fired >= 0 && s->t_end <= s->t0) return fire_at_start(s, phase);
        status = ic_phase_observe(phase, s->t0, s->t_end, 2, interpolate_state, s);
        phase->t = s->t_end;
        memcpy(phase->x, s->x_end, s->n * sizeof *s->x_end);
        if (status != IC_OK || phase->fired >= 0) return status;
        if (s->searched) {
            status = unmask_guards(s, phase);
            if (status != IC_OK) return status;
            memcpy(s->x0, s->x1, s->n * sizeof *s->x0);
            memcpy(s->f0, s->f1, s->n * sizeof *s->f0);
        }
    }
    return IC_OK;
}

ic_status ic_sundials_run(ic_sundials *s, const ic_problem *problem)
{
    static const ic_method method = {.begin = begin_phase, .advance = advance_phase, .observes = true};
    ic_log_work(s->log)->root_iterations = NAN; /* the package does not count them */
    return ic_event_loop(s->log, problem, &s->options, &method, s);
}

/* ---- CVODE */

static const ic_sundials_calls cvode = {.name = "CVode",
                                        .restart = CVodeReInit,
                                        .step = CVode,
                                        .interpolate = CVodeGetDky,
                                        .set_stop = CVodeSetStopTime,
                                        .set_roots = CVodeRootInit,
                                        .set_directions = CVodeSetRootDirection,
                                        .get_roots = CVodeGetRootInfo,
                                        .get_steps = CVodeGetNumSteps,
                                        .get_rejected = CVodeGetNumErrTestFails,
                                        .release = CVodeFree};

/* Attach the solver of the equation of an implicit step. */
static ic_status attach_implicit_solver(ic_sundials *s, int method)
{
    if (method == CV_ADAMS) {
        s->nonlinear = SUNNonlinSol_FixedPoint(s->x, 0, s->context);
        if (s->nonlinear == NULL) return IC_NO_MEMORY;
        return ic_sundials_check(s, "SetNonlinearSolver", CVodeSetNonlinearSolver(s->memory, s->nonlinear));
    }
    const sunindextype n = (sunindextype)s->n;
    s->matrix = SUNDenseMatrix(n, n, s->context);
    if (s->matrix == NULL) return IC_NO_MEMORY;
    s->linear = SUNLinSol_Dense(s->x, s->matrix, s->context);
    if (s->linear == NULL) return IC_NO_MEMORY;
    return ic_sundials_check(s, "SetLinearSolver", CVodeSetLinearSolver(s->memory, s->linear, s->matrix));
}

static ic_status set_up_cvode(ic_sundials *s, const ic_problem *problem, int method)
{
    s->memory = CVodeCreate(method, s->context);
    if (s->memory == NULL) return IC_NO_MEMORY;
    ic_status status =
        ic_sundials_check(s, "SetErrHandlerFn", CVodeSetErrHandlerFn(s->memory, ic_sundials_record_error, s));
    if (status == IC_OK) {
        status = ic_sundials_check(s, "Init", CVodeInit(s->memory, ic_sundials_flow, problem->t_start, s->x));
    }
    if (status == IC_OK) {
        status =
            ic_sundials_check(s, "SVtolerances", CVodeSVtolerances(s->memory, s->options.rtol, s->absolute));
    }
    if (status == IC_OK) status = ic_sundials_check(s, "SetUserData", CVodeSetUserData(s->memory, s));
    if (status == IC_OK && s->options.step > 0) {
        status = ic_sundials_check(s, "SetMaxStep", CVodeSetMaxStep(s->memory, s->options.step));
    }
    return status == IC_OK ? attach_implicit_solver(s, method) : status;
}

ic_status ic_cvode_solve(ic_log *log, const ic_problem *problem, const ic_options *options, int method,
                         int most_order)
{
    ic_sundials workspace;
    ic_status status = ic_sundials_open(&workspace, &cvode, log, problem, options);
    if (status == IC_OK) status = set_up_cvode(&workspace, problem, method);
    if (status == IC_OK && most_order > 0)
        status = ic_sundials_check(&workspace, "SetMaxOrd", CVodeSetMaxOrd(workspace.memory, most_order));
    if (status == IC_OK) status = ic_sundials_run(&workspace, problem);
    ic_sundials_close(&workspace);
    return status;
}
