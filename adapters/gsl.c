/* SPDX-License-Identifier: MIT */
#include "adapters/gsl.h"
#include "adapters/cubic.h"
#include "core/model.h"
#include "core/step_events.h"

#include <float.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The cubic in the state needs four; a fifth follows a guard that is not affine in it. */
enum { CUBIC_NODES = 5, RETAKEN_NODES = IC_STEP_MOST_NODES };

/* Corrections of a landing; each roughly squares the error. One longer than this part of the step is not believed. */
enum { MOST_CORRECTIONS = 8 };
#define LONGEST_CORRECTION 0.25

/* The first step is this part of the typical time. */
#define FIRST_STEP 1e-3

typedef struct stepper {
    gsl_odeiv2_system system;
    gsl_odeiv2_step *step;
    gsl_odeiv2_control *control;
    gsl_odeiv2_evolve *evolve;
    ic_options options;
    const ic_phase *phase;
    size_t n;
    double h;      /* the next step; 0: not known yet */
    double t0, t1; /* the step taken */
    double *x0, *f0, *x1, *f1, *at, *error,
        *scratch; /* at: the state of a step that was taken anew, for t_at */
    double t_at;
    double *buffer;
} stepper;

static int sign(double value)
{
    return (value > 0) - (value < 0);
}

static bool is_finite(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i])) return false;
    }
    return true;
}

/* ---- the workspace */

static int flow(double t, const double *x, double *dxdt, void *self)
{
    const stepper *s = self;
    ic_phase_flow(s->phase, dxdt, t, x);
    return is_finite(dxdt, s->n) ? GSL_SUCCESS : GSL_EDOM; /* the package then tries half the step */
}

static ic_status open_workspace(stepper *s, const ic_problem *problem, const ic_options *options,
                                const gsl_odeiv2_step_type *type)
{
    double **vectors[] = {&s->x0, &s->f0, &s->x1, &s->f1, &s->at, &s->error, &s->scratch};
    const size_t n = problem->system->n_states;
    *s = (stepper){.n = n, .options = ic_options_resolved(problem, options)};
    s->h = FIRST_STEP * ic_time_scale(problem);
    s->system = (gsl_odeiv2_system){.function = flow, .dimension = n, .params = s};
    s->buffer = calloc(IC_COUNT(vectors) * n, sizeof *s->buffer);
    if (s->buffer == NULL) return IC_NO_MEMORY;
    for (size_t i = 0; i < IC_COUNT(vectors); i++) *vectors[i] = s->buffer + i * n;
    ic_state_scales(problem, s->scratch);
    s->step = gsl_odeiv2_step_alloc(type, n);
    s->control = gsl_odeiv2_control_scaled_new(s->options.rtol, s->options.rtol, 1, 0, s->scratch, n);
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
    /* a step cut short by t_stop proposes nothing longer than what was proposed before it */
    if (!(s->t1 >= phase->t_stop && h < s->h)) s->h = h;
    memcpy(s->f0, s->evolve->dydt_in, s->n * sizeof *s->f0);
    memcpy(s->f1, s->evolve->dydt_out, s->n * sizeof *s->f1);
    return is_finite(s->x1, s->n) && is_finite(s->f1, s->n) ? IC_OK : IC_NOT_FINITE;
}

/* The state at t by a step of its own. */
static const double *retake(stepper *s, double t)
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
    memcpy(x, retake(s, t), s->n * sizeof *x);
}

/* ---- crossings */

static ic_status search(stepper *s, ic_phase *phase, ic_interpolant *state, int nodes, double *t)
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

/* Correct *t until a step ends on the guard that fires, and no other has crossed before it. */
static bool lands(stepper *s, ic_phase *phase, double *t)
{
    const size_t fired = (size_t)phase->fired;
    const double located = *t, longest = LONGEST_CORRECTION * (s->t1 - s->t0);
    double correction = INFINITY;
    for (int attempt = 0; attempt < MOST_CORRECTIONS && !(fabs(correction) <= s->options.event_tol);
         attempt++) {
        const double *x = retake(s, *t);
        const double g = ic_phase_guard(phase, fired, *t, x);
        correction = g == 0 ? 0 : -g / ic_phase_guard_rate(phase, fired, *t, x);
        phase->work->root_iterations++;
        if (!(fabs(*t + correction - located) <= longest) || !(*t + correction > s->t0)) return false;
        if (!(*t + correction <= s->t1)) return false;
        if (fabs(correction) > s->options.event_tol) *t += correction;
    }
    return fabs(correction) <= s->options.event_tol;
}

/* Guards that are due with the one landed on, and none that has crossed long before. */
static bool is_first(stepper *s, ic_phase *phase, double t)
{
    const double tie = ic_phase_tie(phase), *x = retake(s, t);
    for (size_t i = 0; i < phase->n_watched; i++) {
        const ic_arming arming = phase->arming[i];
        if ((int)i == phase->fired || arming.order > 0) continue; /* of departures, what the cubic says */
        const double g = ic_phase_guard(phase, i, t, x), r = ic_phase_guard_rate(phase, i, t, x);
        const bool at_zero = fabs(g) <= tie * fabs(r);
        if (sign(g) != arming.side && !at_zero && ic_fires(ic_phase_direction(phase, i), -arming.side)) {
            return false;
        }
        phase->due[i] =
            at_zero && ic_fires(ic_phase_direction(phase, i), sign(r)) && ic_phase_enabled(phase, i, t, x);
        if (phase->due[i] && (int)i < phase->fired) phase->fired = (int)i;
    }
    return ic_phase_enabled(phase, (size_t)phase->fired, t, x);
}

static ic_status first_event(stepper *s, ic_phase *phase, double *t)
{
    phase->fired = -1;
    s->t_at = NAN;
    if (ic_guards_keep_clear(phase, s->t0, s->x0, s->t1, s->x1)) return IC_OK;
    ic_status status = search(s, phase, state_by_cubic, CUBIC_NODES, t);
    if (status != IC_OK || phase->fired < 0 || *t <= s->t0) return status;
    if (lands(s, phase, t) && is_first(s, phase, *t)) return IC_OK;
    return search(s, phase, state_by_step, RETAKEN_NODES, t);
}

/* ---- the method */

static ic_status begin(void *self, ic_phase *phase)
{
    stepper *s = self;
    s->phase = phase;
    s->t0 = phase->t;
    memcpy(s->x0, phase->x, s->n * sizeof *s->x0);
    gsl_odeiv2_step_reset(s->step);
    gsl_odeiv2_evolve_reset(s->evolve);
    return IC_OK;
}

static ic_status advance(void *self, ic_phase *phase)
{
    stepper *s = self;
    while (phase->t < phase->t_stop) {
        double t = 0;
        if (phase->work->steps + phase->work->rejected_steps > phase->options->max_steps)
            return IC_TOO_MUCH_WORK;
        ic_status status = take_step(s, phase);
        if (status == IC_OK) status = first_event(s, phase, &t);
        if (status != IC_OK || (phase->fired >= 0 && t <= s->t0)) return status;
        if (phase->fired < 0) t = s->t1;
        memcpy(phase->x, phase->fired >= 0 ? retake(s, t) : s->x1, s->n * sizeof *phase->x);
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
                       const gsl_odeiv2_step_type *type)
{
    static const ic_method method = {.begin = begin, .advance = advance, .observes = true};
    stepper workspace;
    gsl_error_handler_t *before = gsl_set_error_handler_off(); /* it would end the program */
    ic_status status = open_workspace(&workspace, problem, options, type);
    if (status == IC_OK) status = ic_event_loop(log, problem, &workspace.options, &method, &workspace);
    close_workspace(&workspace);
    gsl_set_error_handler(before);
    return status;
}
