/* SPDX-License-Identifier: MIT */
#include "core/one_step.h"
#include "core/cubic.h"
#include "core/numbers.h"

#include <stdlib.h>
#include <string.h>

double *ic_one_step_open(ic_one_step *s, const ic_one_step_method *method, size_t n, size_t more)
{
    double **vectors[] = {&s->x0, &s->x1, &s->f0, &s->f1, &s->stage, &s->scratch};
    *s = (ic_one_step){
        .method = method, .n = n, .memory = calloc((IC_COUNT(vectors) + more) * n, sizeof(double))};
    if (s->memory == NULL) return NULL;
    for (size_t i = 0; i < IC_COUNT(vectors); i++) *vectors[i] = s->memory + i * n;
    return s->memory + IC_COUNT(vectors) * n;
}

static ic_status begin_phase(void *self, ic_phase *phase)
{
    ic_one_step *s = self;
    s->phase = phase;
    s->t0 = phase->t;
    memcpy(s->x0, phase->x, s->n * sizeof *s->x0);
    ic_phase_flow(phase, s->f0, s->t0, s->x0);
    if (s->method->begin != NULL) s->method->begin(s, phase);
    return IC_OK;
}

static ic_status advance_phase(void *self, ic_phase *phase)
{
    ic_one_step *s = self;
    const ic_one_step_method *method = s->method;
    while (phase->t < phase->t_stop) {
        double t = 0;
        ic_status status = method->take(s, phase);
        if (status == IC_OK) status = method->find_event(s, phase, &t);
        if (status != IC_OK) return status;
        if (phase->fired >= 0 && method->land != NULL) {
            if (t <= s->t0) return IC_OK; /* at the start of the step: the state does not change */
            status = method->land(s, phase, t);
            if (status != IC_OK) return status;
        }
        phase->work->steps++;
        phase->t = s->t1;
        memcpy(phase->x, s->x1, s->n * sizeof *s->x1);
        status = ic_phase_observe(phase, s->t0, s->t1, method->parts, method->interpolate, s);
        if (status != IC_OK || phase->fired >= 0) return status;
        s->t0 = s->t1;
        memcpy(s->x0, s->x1, s->n * sizeof *s->x0);
        memcpy(s->f0, s->f1, s->n * sizeof *s->f0);
    }
    phase->fired = -1;
    return IC_OK;
}

ic_status ic_one_step_run(ic_one_step *s, ic_log *log, const ic_problem *problem, const ic_options *options)
{
    const ic_method method = {.begin = begin_phase, .advance = advance_phase, .observes = s->method->observes};
    const ic_status status = ic_event_loop(log, problem, options, &method, s);
    free(s->memory);
    return status;
}

ic_status ic_one_step_first_event(void *self, ic_phase *phase, double *t)
{
    const ic_one_step *s = self;
    const ic_step step = {.t0 = s->t0,
                          .t1 = s->t1,
                          .x0 = s->x0,
                          .x1 = s->x1,
                          .interpolate = s->method->interpolate,
                          .self = self,
                          .scratch = s->scratch,
                          .nodes = s->method->nodes,
                          .narrow = s->method->narrow};
    return ic_step_first_event(phase, &step, t);
}

ic_status ic_one_step_land(void *self, ic_phase *phase, double t)
{
    ic_one_step *s = self;
    const ic_status status = ic_land_by_steps(phase, s->t0, s->t1 - s->t0, &t, s->method->retake, self);
    s->t1 = t;
    return status;
}

void ic_one_step_classical(ic_one_step *s, double *const k[4], double h)
{
    static const double part[4] = {0, 0.5, 0.5, 1};
    for (int i = 1; i < 4; i++) {
        for (size_t j = 0; j < s->n; j++) s->stage[j] = s->x0[j] + h * part[i] * k[i - 1][j];
        ic_phase_flow(s->phase, k[i], s->t0 + part[i] * h, s->stage);
    }
    for (size_t j = 0; j < s->n; j++)
        s->x1[j] = s->x0[j] + h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
    s->t1 = s->t0 + h;
}

ic_status ic_one_step_fixed(ic_one_step *s, double *const k[4], double t1)
{
    const ic_phase *phase = s->phase;
    if (!(phase->work->steps < phase->options->max_steps)) return IC_TOO_MUCH_WORK;
    ic_one_step_classical(s, k, t1 - s->t0);
    s->t1 = t1;
    ic_phase_flow(phase, s->f1, t1, s->x1);
    return ic_all_finite(s->x1, s->n) && ic_all_finite(s->f1, s->n) ? IC_OK : IC_NOT_FINITE;
}

void ic_one_step_cubic(void *self, double t, double *x)
{
    const ic_one_step *s = self;
    const ic_cubic cubic = {s->n, s->t0, s->t1, s->x0, s->f0, s->x1, s->f1};
    ic_cubic_state(&cubic, t, x);
}
