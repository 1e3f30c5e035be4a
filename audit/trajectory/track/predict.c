/* SPDX-License-Identifier: MIT */
#include "audit/common/tolerances.h"
#include "audit/trajectory/track/track.h"
#include "core/linear_view.h"
#include "registry/registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative tolerance: the error of an interval is far below ic_tolerance_accuracy_sharpened. */
#define RTOL 1e-10

/* Greatest number of steps. A start that needs more is not a state of the case. */
#define MOST_STEPS 1000

/*
 * The solver for short intervals. It must start cheaply: it takes a fifth of the time of the closed
 * form, which computes its tables for each run.
 */
static const ic_solver *fast_solver(const ic_variant *variant)
{
    const ic_solver *solver = ic_solver_find("dop853");
    return solver != NULL ? solver : ic_accurate_solver(variant);
}

double *ic_own_parameters(ic_problem *problem)
{
    const size_t size = problem->system->n_parameters * sizeof(double);
    double *par = malloc(size + 1);
    if (par == NULL) return NULL;
    memcpy(par, problem->par, size);
    problem->par = par;
    return par;
}

bool ic_predictor_open(ic_predictor *p, const ic_problem *problem, const ic_variant *variant)
{
    if (variant->n_modes > IC_PREDICT_MODES) return false;
    p->guarded = *problem;
    p->with_guards = *variant;
    p->with_guards.modes = p->guarded_modes;
    p->guarded.variant = &p->with_guards;
    p->guarded.t_end_text = NULL;
    p->without_guards = *variant;
    for (size_t i = 0; i < variant->n_modes; i++) {
        p->modes[i] = p->guarded_modes[i] = variant->modes[i];
        p->guarded_modes[i].terminal = false;
        p->modes[i].n_guards = 0;
        p->modes[i].terminal = false;
    }
    p->without_guards.modes = p->modes;
    p->without_guards.n_time_events = 0;
    p->smooth = p->guarded;
    p->smooth.variant = &p->without_guards;
    p->solver = fast_solver(variant);
    p->rtol = RTOL;
    return true;
}

static double energy_taken(const ic_variant *variant, const ic_event *event, const double *par)
{
    const ic_mode *from = &variant->modes[event->mode_from], *to = &variant->modes[event->mode_to];
    if (from->stored_energy == NULL || to->stored_energy == NULL) return 0;
    return from->stored_energy(event->t, event->x_pre, par) - to->stored_energy(event->t, event->x_post, par);
}

void ic_predict(ic_prediction *prediction, const ic_predictor *p, bool guards, double t0, const double *x,
                int mode, double t1)
{
    const ic_options options = {.rtol = p->rtol, .max_steps = MOST_STEPS};
    ic_problem problem = guards ? p->guarded : p->smooth;
    problem.t_start = t0;
    problem.t_end = t1;
    problem.x_start = x;
    problem.mode_start = mode;
    *prediction = (ic_prediction){.t_event = NAN};
    ic_log *log = ic_log_new(&problem);
    if (log == NULL) return;
    const ic_status status = p->solver->solve(log, &problem, &options);
    const ic_sample end = ic_log_end(log);
    prediction->good = status == IC_OK && end.mode >= 0;
    prediction->gave_up = status == IC_TOO_MUCH_WORK;
    prediction->events = ic_log_event_count(log);
    for (size_t i = 0; i < prediction->events; i++) {
        const ic_event event = ic_log_event_at(log, i);
        if (i == 0) {
            prediction->t_event = event.t;
            snprintf(prediction->event, sizeof prediction->event, "%s", event.name);
        }
        prediction->energy_taken += energy_taken(problem.variant, &event, problem.par);
    }
    if (prediction->good) {
        prediction->mode = end.mode;
        memcpy(prediction->x, end.x, problem.system->n_states * sizeof *prediction->x);
    }
    ic_log_free(log);
}
