/* SPDX-License-Identifier: MIT */
/**
 * Fixed steps that are refined near a crossing; no crossing is located.
 *
 * A. S. Yigit, A. G. Ulsoy, R. A. Scott, Spring-dashpot models for the dynamics of a radially rotating beam with impact (1990),
 * section 3: "whenever [the distance] became smaller than 10 eps, the integration time step was reduced to 1/100 [...] maintained
 * until the beam separates from the impact surface by the same amount". Their integrator is not named; here it is the classical
 * Runge-Kutta method of order 4. It is here for its cost and error to be compared with those of solvers that locate events.
 *
 * A crossing is noticed at the end of a step, and the jump is applied there: event times are late by up to a step, and the order is 1.
 *
 * The distance. A general solver knows no eps. A guard with the value g and the rate r crosses in about |g/r|, or has crossed that long ago:
 * steps are refined while one is within NEAR steps of its zero. They stay so until, in that mode again, its magnitude
 * exceeds the NEAR h |r| of the moment at which that began, or a mode has no guard of this value. For the beam that is a distance d
 * from the stop, d = 10 h x_c', in place of 10 eps: the two are the same for h = eps/x_c', 2.2 us at 2.3 m/s; the default step
 * is 3.5 us.
 *
 * Of the event contract it keeps clauses 1, 5 and 9 to 11. Of the others:
 *   2. a guard that starts at zero with no rate fires at the end of the first step;
 *   3. after its own jump a guard stands beside zero, where the step has put it; that counts as its zero until it has passed it;
 *   4. what crosses within one step, refined or not, crosses together, in table order;
 *   6. excursions shorter than a refined step are not seen: impacts that accumulate end in one at each step;
 *   7. two crossings inside one step are lost;
 *   8. a touch is no event, and is not noted.
 */
#include "core/event_loop.h"
#include "core/model.h"
#include "impactcheck/impactcheck.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps before a crossing from which on they are refined, and into how many parts. */
#define NEAR 10.0
#define PARTS 100.0

/* A step shorter than this part of one is joined to the one before: it is rounding error. */
#define LEAST_STEP 1e-9

/* How a guard began the phase. */
typedef struct standing {
    double value;
    bool left; /* it has moved off to its side, though not past zero yet */
} standing;

typedef struct refined {
    const ic_phase *phase;
    size_t n;
    double t0, t1;
    double *x0, *x1, *f0, *f1;
    double *k[4], *stage;
    double *memory;
    standing *standing;   /* one for each guard */
    const ic_guard *near; /* refined because of this one; NULL: not refined */
    int near_mode;        /* and since this mode */
    double distance;      /* until its magnitude exceeds this, in that mode */
} refined;

static size_t most_guards(const ic_variant *variant)
{
    size_t most = 1;
    for (size_t i = 0; i < variant->n_modes; i++) {
        if (variant->modes[i].n_guards > most) most = variant->modes[i].n_guards;
    }
    return most;
}

static ic_status open_workspace(refined *s, const ic_problem *problem)
{
    double **vectors[] = {&s->x0, &s->x1, &s->f0, &s->f1, &s->k[1], &s->k[2], &s->k[3], &s->stage};
    s->n = problem->system->n_states;
    s->memory = calloc(IC_COUNT(vectors) * s->n, sizeof(double));
    s->standing = calloc(most_guards(problem->variant), sizeof *s->standing);
    if (s->memory == NULL || s->standing == NULL) return IC_NO_MEMORY;
    for (size_t i = 0; i < IC_COUNT(vectors); i++) *vectors[i] = s->memory + i * s->n;
    s->k[0] = s->f0;
    return IC_OK;
}

/* ---- a step */

static void take_step(refined *s)
{
    static const double part[4] = {0, 0.5, 0.5, 1};
    const double h = s->t1 - s->t0;
    for (int i = 1; i < 4; i++) {
        for (size_t j = 0; j < s->n; j++) s->stage[j] = s->x0[j] + h * part[i] * s->k[i - 1][j];
        ic_phase_flow(s->phase, s->k[i], s->t0 + part[i] * h, s->stage);
    }
    for (size_t j = 0; j < s->n; j++)
        s->x1[j] = s->x0[j] + h / 6 * (s->k[0][j] + 2 * s->k[1][j] + 2 * s->k[2][j] + s->k[3][j]);
    ic_phase_flow(s->phase, s->f1, s->t1, s->x1);
}

/* The cubic through both ends, for samples and extremes. */
static void interpolate(void *self, double t, double *x)
{
    const refined *s = self;
    const double h = s->t1 - s->t0, p = h > 0 ? (t - s->t0) / h : 0, q = 1 - p;
    for (size_t j = 0; j < s->n; j++) {
        const double difference = s->x1[j] - s->x0[j];
        x[j] = q * s->x0[j] + p * s->x1[j] +
               p * q * (q * (h * s->f0[j] - difference) + p * (difference - h * s->f1[j]));
    }
}

static bool is_finite(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i])) return false;
    }
    return true;
}

/* ---- how long a step */

/* The mode's guard of the value that steps are refined for; NULL: it has none. */
static const ic_guard *watched(const refined *s)
{
    const ic_mode *mode = s->phase->mode;
    for (size_t i = 0; i < mode->n_guards && s->near != NULL; i++) {
        if (mode->guards[i].value == s->near->value) return &mode->guards[i];
    }
    return NULL;
}

static void look_ahead(refined *s, double h)
{
    const ic_phase *phase = s->phase;
    s->near = watched(s);
    if (s->near != NULL) {
        const size_t i = (size_t)(s->near - phase->mode->guards);
        if (phase->mode_index != s->near_mode) return;
        if (fabs(ic_phase_guard(phase, i, s->t0, s->x0)) <= s->distance) return;
        s->near = NULL;
    }
    for (size_t i = 0; i < phase->mode->n_guards; i++) {
        const double g = ic_phase_guard(phase, i, s->t0, s->x0),
                     r = ic_phase_guard_rate(phase, i, s->t0, s->x0);
        if (!(fabs(g) < NEAR * h * fabs(r))) continue;
        s->near = &phase->mode->guards[i];
        s->near_mode = phase->mode_index;
        s->distance = NEAR * h * fabs(r);
        return;
    }
}

static double step_end(refined *s)
{
    const ic_options *options = s->phase->options;
    const double h = options->step > 0 ? options->step : ic_default_step(s->phase->problem);
    look_ahead(s, h);
    const double next = s->t0 + (s->near != NULL ? h / PARTS : h);
    return next > s->phase->t_stop - LEAST_STEP * h ? s->phase->t_stop : next;
}

/* ---- crossings, at the end of a step */

static int sign(double value)
{
    return (value > 0) - (value < 0);
}

/* Whether guard i has crossed to the side `now` and fires. */
static bool crosses(const refined *s, ic_phase *phase, size_t i, int now)
{
    phase->arming[i] = (ic_arming){.side = now};
    return ic_fires(ic_phase_direction(phase, i), now) && ic_phase_enabled(phase, i, s->t1, s->x1);
}

/* Of a guard that began the phase at its zero, or beside it: past that, it is as any other. */
static bool fires_again(const refined *s, ic_phase *phase, size_t i, double g)
{
    standing *at = &s->standing[i];
    const int side = phase->arming[i].side, moved = sign(g - at->value);
    if (side == 0) return sign(g) != 0 && crosses(s, phase, i, sign(g));
    if (sign(g) == side) phase->arming[i].order = 0;
    else if (moved == side) at->left = true;
    else if (moved == -side && at->left) return crosses(s, phase, i, moved);
    else if (moved == -side) phase->arming[i] = (ic_arming){.side = moved};
    return false;
}

static bool fires(const refined *s, ic_phase *phase, size_t i)
{
    const double g = ic_phase_guard(phase, i, s->t1, s->x1);
    if (phase->arming[i].order > 0) return fires_again(s, phase, i, g);
    return sign(g) != 0 && sign(g) != phase->arming[i].side && crosses(s, phase, i, sign(g));
}

/* phase->fired and phase->due */
static void look_back(const refined *s, ic_phase *phase)
{
    phase->fired = -1;
    for (size_t i = 0; i < phase->mode->n_guards; i++) {
        phase->due[i] = fires(s, phase, i);
        if (phase->due[i] && phase->fired < 0) phase->fired = (int)i;
    }
}

/* ---- the method */

static ic_status begin(void *self, ic_phase *phase)
{
    refined *s = self;
    s->phase = phase;
    s->t0 = phase->t;
    memcpy(s->x0, phase->x, s->n * sizeof *s->x0);
    ic_phase_flow(phase, s->f0, s->t0, s->x0);
    for (size_t i = 0; i < phase->mode->n_guards; i++)
        s->standing[i] = (standing){.value = ic_phase_guard(phase, i, s->t0, s->x0)};
    return IC_OK;
}

static ic_status advance(void *self, ic_phase *phase)
{
    refined *s = self;
    while (phase->t < phase->t_stop) {
        s->t1 = step_end(s);
        if (++phase->work->steps > phase->options->max_steps) return IC_TOO_MUCH_WORK;
        take_step(s);
        if (!is_finite(s->x1, s->n) || !is_finite(s->f1, s->n)) return IC_NOT_FINITE;
        look_back(s, phase);
        const ic_status status = ic_phase_observe(phase, s->t0, s->t1, 1, interpolate, s);
        phase->t = s->t1;
        memcpy(phase->x, s->x1, s->n * sizeof *s->x1);
        if (status != IC_OK || phase->fired >= 0) return status;
        s->t0 = s->t1;
        memcpy(s->x0, s->x1, s->n * sizeof *s->x0);
        memcpy(s->f0, s->f1, s->n * sizeof *s->f0);
    }
    phase->fired = -1;
    return IC_OK;
}

static ic_status solve(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    static const ic_method method = {.begin = begin, .advance = advance};
    refined workspace = {0};
    ic_status status = open_workspace(&workspace, problem);
    if (status == IC_OK) status = ic_event_loop(log, problem, options, &method, &workspace);
    free(workspace.memory);
    free(workspace.standing);
    return status;
}

const ic_solver ic_solver_refined_step = {
    IC_ABI(ic_solver),
    .name = "refined_step",
    .title = "fixed-step RK4, a hundredth of the step near a crossing; steps over events",
    .source = "Yigit, Ulsoy & Scott 1990, section 3",
    .needs = IC_NEEDS_FLOW | IC_NEEDS_GUARD_RATE,
    .order = 1,
    .control = IC_CONTROL_STEP,
    .steps_over_events = true,
    .clauses_not_kept = IC_CLAUSE(2) | IC_CLAUSE(3) | IC_CLAUSE(4) | IC_CLAUSE(6) | IC_CLAUSE(7) | IC_CLAUSE(8),
    .solve = solve,
};
