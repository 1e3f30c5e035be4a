/* SPDX-License-Identifier: MIT */
#include "solvers/runge_kutta/embedded.h"

#include <stdlib.h>
#include <string.h>

/* Vectors of states that follow the slopes and the interpolant in the workspace; the probes come last. */
enum { X0, X1, SCALE, STAGE, SCRATCH, SINGLE };

static ic_status open_workspace(ic_embedded *s, const ic_embedded_method *method, size_t n)
{
    const size_t stride = ic_stride_of(n), slopes = (size_t)method->slopes, degree = (size_t)method->degree;
    *s = (ic_embedded){.method = method,
                       .n = n,
                       .stride = stride,
                       .control =
                           ic_step_control_of_order(method->order, method->least_factor, method->most_factor),
                       .clearance = method->clearance};
    s->k = ic_vectors_take(slopes + degree + SINGLE + (size_t)method->clearance.n_probes, stride);
    if (s->k == NULL) return IC_NO_MEMORY;
    s->d = s->k + slopes * stride;
    double *const single = s->d + degree * stride;
    s->x0 = single + X0 * stride;
    s->x1 = single + X1 * stride;
    s->scale = single + SCALE * stride;
    s->stage = single + STAGE * stride;
    s->scratch = single + SCRATCH * stride;
    s->at_probe = single + SINGLE * stride;
    s->clearance.x = s->at_probe;
    s->clearance.stride = stride;
    s->scale[n - 1 + n % 2] = 1; /* of the number beyond an odd n, which must not be 0/0 */
    return IC_OK;
}

/* ---- a step */

void ic_embedded_step(ic_embedded *s, double h)
{
    s->h = h;
    s->t1 = s->t0 + h;
    s->has_end_slope = s->has_interpolant = false;
    s->method->take_stages(s);
}

void ic_embedded_need_end_slope(ic_embedded *s)
{
    if (!s->has_end_slope) ic_phase_flow(s->phase, ic_embedded_end_slope(s), s->t1, s->x1);
    s->has_end_slope = true;
}

static const double *repeat_step(void *self, double h)
{
    ic_embedded *s = self;
    ic_embedded_step(s, h);
    return s->x1;
}

/* Moves the end of the step by d. The last slope before the end shows the curvature. */
static const double *slide_end(void *self, double d)
{
    ic_embedded *s = self;
    const ic_embedded_method *m = s->method;
    ic_embedded_need_end_slope(s);
    if (!ic_slide_state(s->phase, d, s->k + (size_t)m->before_end * s->stride, ic_embedded_end_slope(s),
                        (1 - m->node[m->before_end]) * s->h, s->x1))
        return NULL;
    s->t1 += d;
    return s->x1;
}

/* ---- events */

/* The step as the search for events sees it. */
static ic_step search_of(ic_embedded *s)
{
    return (ic_step){.t0 = s->t0,
                     .t1 = s->t1,
                     .x0 = s->x0,
                     .x1 = s->x1,
                     .interpolate = s->method->interpolate,
                     .self = s,
                     .scratch = s->scratch,
                     .nodes = s->method->degree + 1,
                     .narrow = s->method->narrow,
                     .is_polynomial = true};
}

/* Whether the state at the event at *t follows from slopes; it is then in `stage`. Corrects *t. */
static bool lands_by_slopes(ic_embedded *s, ic_phase *phase, const ic_step *step, double *t)
{
    return ic_land_by_slopes(phase, step, s->k, ic_embedded_end_slope(s), s->method->has_many_slopes, t,
                             s->stage);
}

/* ---- phases */

static ic_status begin_phase(void *self, ic_phase *phase)
{
    ic_embedded *s = self;
    s->phase = phase;
    s->flow = phase->mode->flow;
    s->par = phase->problem->par;
    s->t0 = phase->t;
    memcpy(s->x0, phase->x, s->n * sizeof *s->x0);
    memcpy(s->scale, phase->scale, s->n * sizeof *s->scale);
    ic_phase_flow(phase, s->k, s->t0, s->x0);
    ic_step_control_begin(&s->control, phase, s->k);
    return IC_OK;
}

static ic_status advance_phase(void *self, ic_phase *phase)
{
    ic_embedded *s = self;
    const ic_embedded_method *m = s->method;
    while (phase->t < phase->t_stop) {
        double t = 0;
        s->control.aim = ic_step_expected_event(phase, s->t0, s->control.h);
        ic_status status = ic_step_control_accept(&s->control, phase, s->t0, s->k, m->try_step, s, &s->t1);
        const ic_step step = search_of(s);
        if (status == IC_OK) status = ic_step_find_event(phase, &step, &s->clearance, &t);
        if (status != IC_OK) return status;
        ic_step_control_learn(&s->control, phase);
        const bool fired = phase->fired >= 0;
        if (fired && t <= s->t0) return IC_OK; /* at the start of the step: the state does not change */
        const bool by_slopes = fired && lands_by_slopes(s, phase, &step, &t);
        if (fired && !by_slopes) {
            status = ic_land_by_steps(phase, s->t0, s->t1 - s->t0, &t, repeat_step, slide_end, s);
            if (status != IC_OK) return status;
            if (ic_step_control_refuses(&s->control, phase, t - s->t0, m->estimate_error(s))) continue;
            s->t1 = t;
        }
        phase->work->steps++;
        phase->t = by_slopes ? t : s->t1;
        memcpy(phase->x, by_slopes ? s->stage : s->x1, s->n * sizeof *s->x1);
        status = ic_phase_observe(phase, s->t0, phase->t, m->degree - 2, m->interpolate, s);
        if (status != IC_OK || fired) return status;
        s->t0 = s->t1;
        ic_copy_states(s->x0, s->x1, s->n);
        ic_copy_states(s->k, ic_embedded_end_slope(s), s->n); /* first same as last */
    }
    phase->fired = -1;
    return IC_OK;
}

ic_status ic_embedded_solve(ic_log *log, const ic_problem *problem, const ic_options *options,
                            const ic_embedded_method *method)
{
    static const ic_method phases = {.begin = begin_phase, .advance = advance_phase, .observes = true};
    ic_embedded workspace;
    ic_status status = open_workspace(&workspace, method, problem->system->n_states);
    if (status == IC_OK) status = ic_event_loop(log, problem, options, &phases, &workspace);
    free(workspace.k);
    return status;
}
