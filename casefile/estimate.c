/* SPDX-License-Identifier: MIT */
#include "casefile/estimate.h"

#include "core/expression.h"
#include "core/model.h"

#include <math.h>
#include <string.h>

/* Evaluations of the flow after which the run ends; greatest and least step, relative to its length. */
enum { MOST_EVALUATIONS = 4000 };
#define LONGEST (1.0 / 64)
#define SHORTEST 1e-7

/* Relative error of a step: magnitudes are wanted, not answers. */
#define ROUGH 1e-2

typedef struct rough_run {
    const ic_problem *problem;
    size_t n;
    int mode;
    double t, x[IC_MAX_STATES], most[IC_MAX_STATES];

    /* the guard that fired last, and when */
    const ic_guard *last;
    double fired;

    /* shortest time in which a state's rate changes by the state's magnitude: 1/omega of an oscillation */
    double shortest;
} rough_run;

static bool is_finite(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i])) return false;
    }
    return true;
}

/* One step of Heun's method; returns its error, relative to the magnitudes so far. */
static double step_rough(const rough_run *r, double h, double *next, double *time)
{
    const ic_mode *mode = &r->problem->variant->modes[r->mode];
    double k1[IC_MAX_STATES], k2[IC_MAX_STATES], error = 0;
    *time = INFINITY;
    mode->flow(k1, r->t, r->x, r->problem->par);
    for (size_t i = 0; i < r->n; i++) next[i] = r->x[i] + h * k1[i];
    mode->flow(k2, r->t + h, next, r->problem->par);
    for (size_t i = 0; i < r->n; i++) {
        next[i] = r->x[i] + h / 2 * (k1[i] + k2[i]);
        const double size = fmax(fmax(r->most[i], fabs(next[i])), 1e-300);
        const double bend = fabs(k2[i] - k1[i]) / h;
        error = fmax(error, h * h / 2 * bend / size);
        if (bend > 0) *time = fmin(*time, sqrt(size / bend));
    }
    return is_finite(next, r->n) ? error : INFINITY;
}

/* The first guard that has crossed in its direction; NULL: none. */
static const ic_guard *crossed_guard(const rough_run *r, double h, const double *next)
{
    const ic_mode *mode = &r->problem->variant->modes[r->mode];
    const double *par = r->problem->par;
    for (size_t i = 0; i < mode->n_guards; i++) {
        const ic_guard *g = &mode->guards[i];
        const double before = g->value(r->t, r->x, par), after = g->value(r->t + h, next, par);
        const bool rises = before <= 0 && after > 0, falls = before >= 0 && after < 0;
        if (!(rises && g->direction >= 0) && !(falls && g->direction <= 0)) continue;
        if (g->enabled == NULL || g->enabled(r->t + h, next, par) > 0) return g;
    }
    return NULL;
}

static void accept_state(rough_run *r, const double *x)
{
    for (size_t i = 0; i < r->n; i++) {
        r->x[i] = x[i];
        r->most[i] = fmax(r->most[i], fabs(x[i]));
    }
}

/* Apply the jump of a guard that has fired, or, where events crowd, that at their limit. */
static bool jump_roughly(rough_run *r, const ic_guard *guard, double length)
{
    double after[IC_MAX_STATES];
    const bool crowds = guard == r->last && r->t - r->fired < length / 1000;
    const ic_jump *jump = crowds && guard->accumulation.apply != NULL ? &guard->accumulation : &guard->jump;
    const int branch = jump->apply(after, r->t, r->x, r->problem->par);
    if (branch < 0 || (size_t)branch >= jump->n_branches || !is_finite(after, r->n)) return false;
    if (jump->branches[branch].mode != IC_SAME_MODE) r->mode = jump->branches[branch].mode;
    r->last = guard;
    r->fired = r->t;
    accept_state(r, after);
    return !r->problem->variant->modes[r->mode].terminal;
}

static void run_roughly(rough_run *r)
{
    const double length = r->problem->t_end - r->problem->t_start;
    double h = length / 1000;
    for (int i = 0; i < MOST_EVALUATIONS / 2 && r->t < r->problem->t_end; i++) {
        double next[IC_MAX_STATES], time = INFINITY;
        const double error = step_rough(r, h, next, &time);
        if (error > ROUGH && h > SHORTEST * length) {
            h = fmax(h / 4, SHORTEST * length);
            continue;
        }
        if (!is_finite(next, r->n)) return;
        const ic_guard *guard = crossed_guard(r, h, next);
        if (guard != NULL && h > length / 1e5) {
            h /= 8;
            continue;
        }
        r->t += h;
        accept_state(r, next);
        if (r->t > length / 100) r->shortest = fmin(r->shortest, time); /* magnitudes are known by then */
        h = fmin(error < ROUGH / 4 ? 2 * h : h, LONGEST * length);
        if (guard != NULL && !jump_roughly(r, guard, length)) return;
    }
}

static bool start_roughly(rough_run *r)
{
    const ic_jump *start = &r->problem->variant->start;
    double x[IC_MAX_STATES];
    const int branch = start->apply(x, 0, NULL, r->problem->par);
    if (branch < 0 || (size_t)branch >= start->n_branches || !is_finite(x, r->n)) return false;
    r->mode = start->branches[branch].mode;
    accept_state(r, x);
    return true;
}

static bool is_lack_of_memory(const ic_error *why)
{
    ic_error lack;
    ic_error_no_memory(&lack);
    return strcmp(why->text, lack.text) == 0;
}

bool ic_estimate_scales(ic_case *system, ic_state *states, ic_arena *arena)
{
    bool wanted = system->time_scale == NULL;
    ic_setup setup;
    for (size_t i = 0; i < system->n_states; i++) wanted = wanted || strcmp(states[i].scale, "0") == 0;
    if (!wanted) return true;
    rough_run r = {.n = system->n_states, .shortest = INFINITY};
    double length = 1;
    ic_error why = {""};
    if (ic_setup_open_case(&setup, system, &(ic_request){.path = NULL}, &why)) {
        r.problem = &setup.problem;
        r.n = setup.problem.system->n_states; /* with the memory of a law */
        length = setup.problem.t_end;
        if (start_roughly(&r)) run_roughly(&r);
        ic_setup_close(&setup);
    } else if (is_lack_of_memory(&why)) {
        return false;
    }
    for (size_t i = 0; i < system->n_states; i++) {
        double most = r.most[i];
        if (strcmp(states[i].scale, "0") != 0) continue;
        for (size_t k = 0; k < system->n_states && !(most > 0); k++) { /* a velocity like the others */
            if (strcmp(states[k].unit, states[i].unit) == 0) most = fmax(most, r.most[k]);
        }
        states[i].scale = ic_arena_print(arena, "1e%d", most > 0 ? (int)lround(log10(most)) : 0);
        if (states[i].scale == NULL) return false;
    }
    if (system->time_scale != NULL) return true;
    const double period = 2 * 3.14159265358979323846 * r.shortest;
    system->time_scale = ic_arena_print(arena, "%.0e", fmax(fmin(period, length / 100), length * 1e-6));
    return system->time_scale != NULL;
}
