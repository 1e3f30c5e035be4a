/* SPDX-License-Identifier: MIT */
#include "adapters/gsl.h"
#include "core/cubic.h"
#include "core/model.h"
#include "core/numbers.h"
#include "core/step_events.h"

#include <float.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The cubic in the state needs four values; a fifth serves guards that are not affine in it. */
enum { CUBIC_NODES = 5, RETAKEN_NODES = IC_STEP_MOST_NODES };

/* Most Newton corrections of a landing; each roughly squares the error. */
enum { MOST_CORRECTIONS = 8 };
/* A correction of the location on the cubic by more than this fraction of the step is rejected. */
#define LONGEST_CORRECTION 0.25

/* The first step is this fraction of the typical time. */
#define FIRST_STEP 1e-3

typedef struct stepper {
    gsl_odeiv2_system system;
    gsl_odeiv2_step *step;
    gsl_odeiv2_control *control;
    gsl_odeiv2_evolve *evolve;
    ic_options options;
    const ic_phase *phase;
    size_t n;

    /* the next step; 0 if not known yet */
    double h;

    /* the last step */
    double t0, t1;

    double *x0, *f0, *x1, *f1, *error, *scratch;

    /* the state at t_at, by a repeated step */
    double *at, t_at;

    double *buffer;
} stepper;

/* ---- the workspace */

static int evaluate_flow(double t, const double *x, double *dxdt, void *self)
{
    const stepper *s = self;
    ic_phase_flow(s->phase, dxdt, t, x);
    /* the package then tries half the step */
    return ic_all_finite(dxdt, s->n) ? GSL_SUCCESS : GSL_EDOM;
}

static ic_status open_workspace(stepper *s, const ic_problem *problem, const ic_options *options,
                                const gsl_odeiv2_step_type *type, double relative, double rate)
{
    double **vectors[] = {&s->x0, &s->f0, &s->x1, &s->f1, &s->at, &s->error, &s->scratch};
    const size_t n = problem->system->n_states;
    *s = (stepper){.n = n, .options = ic_options_resolved(problem, options)};
    s->h = FIRST_STEP * ic_time_scale(problem);
    s->system = (gsl_odeiv2_system){.function = evaluate_flow, .dimension = n, .params = s};
    s->buffer = calloc(IC_COUNT(vectors) * n, sizeof *s->buffer);
    if (s->buffer == NULL) return IC_NO_MEMORY;
    for (size_t i = 0; i < IC_COUNT(vectors); i++) *vectors[i] = s->buffer + i * n;
    ic_state_scales(problem, s->scratch);
    s->step = gsl_odeiv2_step_alloc(type, n);
    s->control = gsl_odeiv2_control_scaled_new(s->options.rtol, s->options.rtol, relative, rate, s->scratch, n);
    s->evolve = gsl_odeiv2_evolve_alloc(n);
    return s->step != NULL && s->control != NULL && s->evolve != NULL ? IC_OK : IC_NO_MEMORY;
}

static void close_workspace(stepper *s)
{
    if (s->evolve != NULL) gsl_odeiv2_evolve_free(s->evolve);
    if (s->control != NULL) gsl_odeiv2_control_free(s->control);
    if (s->step != NULL) gsl_odeiv2_step_free(s->step);
    free(s->buffer);
}

/* ---- steps */

static ic_status take_step(stepper *s, const ic_phase *phase)
{
    double h = s->h;
    const unsigned long rejected = s->evolve->failed_steps;
    if (phase->options->step > 0) h = fmin(h, phase->options->step);
    const double t_stop =
        fmin(phase->t_stop, phase->options->step > 0 ? s->t0 + phase->options->step : INFINITY);
    s->t1 = s->t0;
    memcpy(s->x1, s->x0, s->n * sizeof *s->x1);
    const int answer =
        gsl_odeiv2_evolve_apply(s->evolve, s->control, s->step, &s->system, &s->t1, t_stop, &h, s->x1);
    phase->work->steps++;
    phase->work->rejected_steps += (double)(s->evolve->failed_steps - rejected);
    if (answer != GSL_SUCCESS) {
        ic_log_message(phase->log, "gsl_odeiv2_evolve_apply returned %d at t = %.17g: %s", answer, s->t0,
                       gsl_strerror(answer));
        if (answer == GSL_ENOMEM) return IC_NO_MEMORY;
        return answer == GSL_EDOM ? IC_NOT_FINITE : IC_STEP_TOO_SMALL;
    }
    /* a step cut short by t_stop must not lengthen the one proposed before it */
    if (!(s->t1 >= phase->t_stop && h < s->h)) s->h = h;
    memcpy(s->f0, s->evolve->dydt_in, s->n * sizeof *s->f0);
    memcpy(s->f1, s->evolve->dydt_out, s->n * sizeof *s->f1);
    return ic_all_finite(s->x1, s->n) && ic_all_finite(s->f1, s->n) ? IC_OK : IC_NOT_FINITE;
}

/* The state at t, by a step from the start of the last one. */
static const double *repeat_step(stepper *s, double t)
{
    if (t == s->t_at) return s->at;
    memcpy(s->at, s->x0, s->n * sizeof *s->at);
    const int answer =
        gsl_odeiv2_step_apply(s->step, s->t0, t - s->t0, s->at, s->error, s->f0, NULL, &s->system);
    for (size_t j = 0; j < s->n && answer != GSL_SUCCESS; j++) s->at[j] = NAN;
    s->t_at = t;
    return s->at;
}

static void state_by_cubic(void *self, double t, double *x)
{
    const stepper *s = self;
    const ic_cubic cubic = {s->n, s->t0, s->t1, s->x0, s->f0, s->x1, s->f1};
    ic_cubic_state(&cubic, t, x);
}

static void state_by_step(void *self, double t, double *x)
{
    stepper *s = self;
    memcpy(x, repeat_step(s, t), s->n * sizeof *x);
}

/* ---- crossings */

static ic_status search_step(stepper *s, ic_phase *phase, ic_interpolant *state, int nodes, double *t)
{
    const ic_step step = {.t0 = s->t0,
                          .t1 = s->t1,
                          .x0 = s->x0,
                          .x1 = s->x1,
                          .interpolate = state,
                          .self = s,
                          .scratch = s->scratch,
                          .nodes = nodes,
                          .narrow = ic_narrow_by_itp};
    return ic_step_first_event(phase, &step, t);
}

/* Correct *t until a step ends on the guard that fires. false: this fails within the step. */
static bool land_on_guard(stepper *s, ic_phase *phase, double *t)
{
    const size_t fired = (size_t)phase->fired;
    const double located = *t, longest = LONGEST_CORRECTION * (s->t1 - s->t0);
    double correction = INFINITY;
    for (int attempt = 0; attempt < MOST_CORRECTIONS && !(fabs(correction) <= s->options.event_tol);
         attempt++) {
        const double *x = repeat_step(s, *t);
        const double g = ic_phase_guard(phase, fired, *t, x);
        correction = g == 0 ? 0 : -g / ic_phase_guard_rate(phase, fired, *t, x);
        phase->work->root_iterations++;
        if (!(fabs(*t + correction - located) <= longest) || !(*t + correction > s->t0)) return false;
        if (!(*t + correction <= s->t1)) return false;
        if (fabs(correction) > s->options.event_tol) *t += correction;
    }
    return fabs(correction) <= s->options.event_tol;
}

/*
 * Find the guards that are due together with the one that fires. false: another guard has crossed
 * before it, or it is disabled.
 */
static bool is_first_crossing(stepper *s, ic_phase *phase, double t)
{
    const double tie = ic_phase_instant_width(phase), *x = repeat_step(s, t);
    for (size_t i = 0; i < phase->n_watched; i++) {
        const ic_arming arming = phase->arming[i];
        /* <departures have been checked on the cubic */
        if ((int)i == phase->fired || arming.order > 0) continue;
        const double g = ic_phase_guard(phase, i, t, x), r = ic_phase_guard_rate(phase, i, t, x);
        const bool at_zero = fabs(g) <= tie * fabs(r);
        if (ic_sign(g) != arming.side && !at_zero && ic_fires(ic_phase_direction(phase, i), -arming.side)) {
            return false;
        }
        phase->due[i] =
            at_zero && ic_fires(ic_phase_direction(phase, i), ic_sign(r)) && ic_phase_enabled(phase, i, t, x);
        if (phase->due[i] && (int)i < phase->fired) phase->fired = (int)i;
    }
    return ic_phase_enabled(phase, (size_t)phase->fired, t, x);
}

static ic_status find_first_event(stepper *s, ic_phase *phase, double *t)
{
    phase->fired = -1;
    s->t_at = NAN;
    if (ic_guards_stay_clear(phase, s->t0, s->x0, s->t1, s->x1)) return IC_OK;
    ic_status status = search_step(s, phase, state_by_cubic, CUBIC_NODES, t);
    if (status != IC_OK || phase->fired < 0 || *t <= s->t0) return status;
    if (land_on_guard(s, phase, t) && is_first_crossing(s, phase, *t)) return IC_OK;
    return search_step(s, phase, state_by_step, RETAKEN_NODES, t);
}

/* ---- the method */

static ic_status begin_phase(void *self, ic_phase *phase)
{
    stepper *s = self;
    s->phase = phase;
    s->t0 = phase->t;
    memcpy(s->x0, phase->x, s->n * sizeof *s->x0);
    gsl_odeiv2_step_reset(s->step);
    gsl_odeiv2_evolve_reset(s->evolve);
    return IC_OK;
}

static ic_status advance_phase(void *self, ic_phase *phase)
{
    stepper *s = self;
    while (phase->t < phase->t_stop) {
        double t = 0;
        if (phase->work->steps + phase->work->rejected_steps > phase->options->max_steps)
            return IC_TOO_MUCH_WORK;
        ic_status status = take_step(s, phase);
        if (status == IC_OK) status = find_first_event(s, phase, &t);
        if (status != IC_OK || (phase->fired >= 0 && t <= s->t0)) return status;
        if (phase->fired < 0) t = s->t1;
        memcpy(phase->x, phase->fired >= 0 ? repeat_step(s, t) : s->x1, s->n * sizeof *phase->x);
        phase->t = t;
        status = ic_phase_observe(phase, s->t0, t, 2, state_by_step, s);
        if (status != IC_OK || phase->fired >= 0) return status;
        s->t0 = s->t1;
        memcpy(s->x0, s->x1, s->n * sizeof *s->x0);
    }
    phase->fired = -1;
    return IC_OK;
}

ic_status ic_gsl_solve(ic_log *log, const ic_problem *problem, const ic_options *options,
                       const gsl_odeiv2_step_type *type, double relative, double rate)
{
    static const ic_method method = {.begin = begin_phase, .advance = advance_phase, .observes = true};
    stepper workspace;
    /* its handler would end the program */
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    ic_status status = open_workspace(&workspace, problem, options, type, relative, rate);
    if (status == IC_OK) status = ic_event_loop(log, problem, &workspace.options, &method, &workspace);
    close_workspace(&workspace);
    gsl_set_error_handler(before);
    return status;
}
