/* SPDX-License-Identifier: MIT */
#include "casefile/estimate.h"

#include "core/expression.h"
#include "core/model.h"
#include "core/numbers.h"

#include <math.h>
#include <string.h>

/*
 * Number of evaluations of the flow after which the run ends; greatest and least step as fractions
 * of the length of the run.
 */
enum { MOST_EVALUATIONS = 4000 };
#define LONGEST (1.0 / 64)
#define SHORTEST 1e-7

/*
 * Least scale of a state, as a fraction of the largest magnitude among the states with its unit. A
 * ball at rest in a row of balls thus gets a scale from the velocities of the others.
 */
#define LEAST_SHARE 1e-4

/* Accepted relative error of a step: only magnitudes are needed. */
#define ROUGH 1e-2

/*
 * Bins of a histogram of the rates at which rates change, in units per s^2: powers of 2 from
 * 2^LEAST_BEND on.
 */
enum { BENDS = 192, LEAST_BEND = -64 };

/*
 * Fraction of a state's changes that is ignored because its rate changes fastest there: the first
 * instants of contacts.
 */
#define HASTY 0.02

/* Later time events of a file do not happen in the rough run. */
enum { MOST_TIMES = 16 };

/* A state that changes in fewer steps, before a body comes to rest, shows no typical time. */
enum { FEWEST = 3 };

typedef struct rough_run {
    const ic_problem *problem;
    size_t n;
    int mode;
    double t, x[IC_MAX_STATES], most[IC_MAX_STATES];

    /* By time event: how often it has happened. */
    int happened[MOST_TIMES];

    /* The last guard that fired, and its time. */
    const ic_guard *last;
    double fired;

    /*
     * By state and bin: how much the state changed while its rate changed as fast as the bin
     * states.
     */
    double changed[IC_MAX_STATES][BENDS];

    /* By state: number of these steps. */
    int steps[IC_MAX_STATES];
} rough_run;

/* Takes one step of Heun's method. Returns its error relative to the magnitudes so far. */
static double step_rough(const rough_run *r, double h, double *next, double *bend)
{
    const ic_mode *mode = &r->problem->variant->modes[r->mode];
    double k1[IC_MAX_STATES], k2[IC_MAX_STATES], error = 0;
    mode->flow(k1, r->t, r->x, r->problem->par);
    for (size_t i = 0; i < r->n; i++) next[i] = r->x[i] + h * k1[i];
    mode->flow(k2, r->t + h, next, r->problem->par);
    for (size_t i = 0; i < r->n; i++) {
        next[i] = r->x[i] + h / 2 * (k1[i] + k2[i]);
        const double size = fmax(fmax(r->most[i], fabs(next[i])), 1e-300);
        bend[i] = fabs(k2[i] - k1[i]) / h;
        error = fmax(error, h * h / 2 * bend[i] / size);
    }
    return ic_all_finite(next, r->n) ? error : INFINITY;
}

/* The first guard that crossed zero in its direction, or, of a stop or kink, moves on beyond it; NULL: none. */
static const ic_guard *crossed_guard(const rough_run *r, double h, const double *next)
{
    const ic_mode *mode = &r->problem->variant->modes[r->mode];
    const double *par = r->problem->par;
    for (size_t i = 0; i < mode->n_guards; i++) {
        const ic_guard *g = &mode->guards[i];
        const double before = g->value(r->t, r->x, par), after = g->value(r->t + h, next, par);
        const bool near = g->onset == IC_ONSET_NEAR;
        const bool rises = after > 0 && (before <= 0 || (near && after > before));
        const bool falls = after < 0 && (before >= 0 || (near && after < before));
        if (!(rises && g->direction >= 0) && !(falls && g->direction <= 0)) continue;
        if (g->enabled == NULL || g->enabled(r->t + h, next, par) > 0) return g;
    }
    return NULL;
}

/* Adds the changes of a step to the bins. */
static void count_changes(rough_run *r, const double *next, const double *bend)
{
    for (size_t i = 0; i < r->n; i++) {
        if (!(bend[i] > 0)) continue;
        const int power = ilogb(bend[i]) - LEAST_BEND, bin = power < 0 ? 0 : power < BENDS ? power : BENDS - 1;
        r->changed[i][bin] += fabs(next[i] - r->x[i]);
        r->steps[i] += next[i] != r->x[i];
    }
}

static void accept_state(rough_run *r, const double *x)
{
    for (size_t i = 0; i < r->n; i++) {
        r->x[i] = x[i];
        r->most[i] = fmax(r->most[i], fabs(x[i]));
    }
}

/* Time of the next time event and its number. INFINITY: there is none. */
static double next_due(const rough_run *r, size_t *event)
{
    const ic_variant *variant = r->problem->variant;
    double next = INFINITY;
    for (size_t i = 0; i < variant->n_time_events && i < MOST_TIMES; i++) {
        const double due = variant->time_events[i].when(r->happened[i], r->problem->par);
        if (!(due < next)) continue;
        next = due;
        *event = i;
    }
    return next;
}

/* false: the run ends. */
static bool jump_roughly(rough_run *r, const ic_jump *jump)
{
    double after[IC_MAX_STATES];
    const int branch = jump->apply(after, r->t, r->x, r->problem->par);
    if (branch < 0 || (size_t)branch >= jump->n_branches || !ic_all_finite(after, r->n)) return false;
    if (jump->branches[branch].mode != IC_SAME_MODE) r->mode = jump->branches[branch].mode;
    accept_state(r, after);
    return !r->problem->variant->modes[r->mode].terminal;
}

/* Applies the jump of a guard that has fired. Where its firings follow closely, its accumulation jump is applied. */
static bool fire_roughly(rough_run *r, const ic_guard *guard, double length)
{
    const bool crowds = guard == r->last && r->t - r->fired < length / 1000;
    r->last = guard;
    r->fired = r->t;
    return jump_roughly(r, crowds && guard->accumulation.apply != NULL ? &guard->accumulation : &guard->jump);
}

static void run_roughly(rough_run *r)
{
    const double length = r->problem->t_end - r->problem->t_start;
    double h = length / 1000;
    for (int i = 0; i < MOST_EVALUATIONS / 2 && r->t < r->problem->t_end; i++) {
        double next[IC_MAX_STATES], bend[IC_MAX_STATES] = {0};
        size_t event = 0;
        const double due = next_due(r, &event);
        if (due <= r->t) {
            r->happened[event]++;
            if (!jump_roughly(r, &r->problem->variant->time_events[event].jump)) return;
            continue;
        }
        const double step = fmin(h, due - r->t), error = step_rough(r, step, next, bend);
        if (error > ROUGH && h > SHORTEST * length) {
            h = fmax(step / 4, SHORTEST * length);
            continue;
        }
        if (!ic_all_finite(next, r->n)) return;
        const ic_guard *guard = crossed_guard(r, step, next);
        if (guard != NULL && step > length / 1e5) {
            h = step / 8;
            continue;
        }
        r->t = step < h ? due : r->t + h;
        if (guard == NULL) {
            count_changes(r, next, bend);
            accept_state(r, next);
        } else { /* How far the step goes beyond the guard says nothing of the motion. */
            memcpy(r->x, next, r->n * sizeof *next);
        }
        h = fmin(error < ROUGH / 4 ? 2 * h : h, LONGEST * length);
        if (guard != NULL && !fire_roughly(r, guard, length)) return;
    }
}

/* Typical rate of change of a state's rate, without the fastest part of its changes. */
static double typical_bend(const double changed[BENDS])
{
    double total = 0, faster = 0;
    int bin = BENDS;
    for (int i = 0; i < BENDS; i++) total += changed[i];
    if (!(total > 0)) return 0;
    while (bin > 0 && !(faster > HASTY * total)) faster += changed[--bin];
    return ldexp(1.4, bin + LEAST_BEND);
}

/*
 * The least of sqrt(magnitude of a state / rate at which its rate changes), which is 1/omega for an
 * oscillation. Magnitudes are those of the whole run, because a body at rest has none until it is
 * hit.
 */
static double shortest_time(const rough_run *r)
{
    double shortest = INFINITY;
    for (size_t i = 0; i < r->n; i++) {
        const double bend = typical_bend(r->changed[i]);
        if (bend > 0 && r->most[i] > 0 && r->steps[i] >= FEWEST)
            shortest = fmin(shortest, sqrt(r->most[i] / bend));
    }
    return shortest;
}

static bool start_roughly(rough_run *r)
{
    const ic_jump *start = &r->problem->variant->start;
    double x[IC_MAX_STATES];
    const int branch = start->apply(x, 0, NULL, r->problem->par);
    if (branch < 0 || (size_t)branch >= start->n_branches || !ic_all_finite(x, r->n)) return false;
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

static double greatest_of_unit(const rough_run *r, const ic_case *system, const char *unit)
{
    double greatest = 0;
    for (size_t k = 0; k < system->n_states; k++) {
        if (strcmp(system->states[k].unit, unit) == 0) greatest = fmax(greatest, r->most[k]);
    }
    return greatest;
}

bool ic_estimate_scales(ic_case *system, ic_state *states, ic_arena *arena)
{
    bool wanted = system->time_scale == NULL;
    ic_setup setup;
    for (size_t i = 0; i < system->n_states; i++) wanted = wanted || strcmp(states[i].scale, "0") == 0;
    if (!wanted) return true;
    rough_run r = {.n = system->n_states};
    double length = 1;
    ic_error why = {""};
    if (ic_setup_open_case(&setup, system, &(ic_request){.path = NULL}, &why)) {
        r.problem = &setup.problem;
        r.n = setup.problem.system->n_states; /* The count includes the memory of a law. */
        length = setup.problem.t_end;
        if (start_roughly(&r)) run_roughly(&r);
        ic_setup_close(&setup);
    } else if (is_lack_of_memory(&why)) {
        return false;
    }
    for (size_t i = 0; i < system->n_states; i++) {
        if (strcmp(states[i].scale, "0") != 0) continue;
        const double most = fmax(r.most[i], LEAST_SHARE * greatest_of_unit(&r, system, states[i].unit));
        states[i].scale = ic_arena_print(arena, "1e%d", most > 0 ? (int)lround(log10(most)) : 0);
        if (states[i].scale == NULL) return false;
    }
    if (system->time_scale != NULL) return true;
    const double period = 2 * 3.14159265358979323846 * shortest_time(&r);
    system->time_scale = ic_arena_print(arena, "%.0e", fmax(fmin(period, length / 100), length * 1e-6));
    return system->time_scale != NULL;
}
