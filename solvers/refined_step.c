/* SPDX-License-Identifier: MIT */
/**
 * Fixed steps that are refined near a crossing, without locating it.
 *
 * A. S. Yigit, A. G. Ulsoy, R. A. Scott, Spring-dashpot models for the dynamics of a radially
 * rotating beam with impact (1990), section 3: "whenever [the distance] became smaller than 10 eps,
 * the integration time step was reduced to 1/100 [...] maintained until the beam separates from the
 * impact surface by the same amount". Their integrator is not named; here it is the classical
 * Runge-Kutta method of order 4. The purpose of this solver is a comparison of its cost and error
 * with those of solvers that locate events.
 *
 * A crossing is detected at the end of a step, and the jump is applied there. Event times are late
 * by up to a step, and the order is 1.
 *
 * The distance. A general solver does not know eps. A guard with the value g and the rate r crosses in,
 * or has crossed before, about |g/r|; steps are refined while that is less than NEAR steps. They
 * stay refined until, in the same mode, |g| exceeds the NEAR h |r| of the moment at which
 * refinement began, or a mode has no guard with this value. For the beam this is a distance d from
 * the stop of d = 10 h x_c' instead of 10 eps. The two agree for h = eps/x_c', 2.2 us at 2.3 m/s;
 * the default step is 3.5 us.
 *
 * The event contract: clauses 1, 5 and 9 to 11 are kept. The others:
 *
 *     2. a guard that starts at zero with no rate fires at the end of the first step;
 *     3. after its own jump, a guard is near zero, where the step has ended; this counts as its zero until it has passed zero;
 *     4. guards that cross within one step, refined or not, cross together, in table order;
 *     6. excursions shorter than a refined step are missed: accumulating impacts end as one impact at each step;
 *     7. two crossings inside one step are lost;
 *     8. a touch is no event, and no note is logged.
 */
#include "core/cubic.h"
#include "core/event_loop.h"
#include "core/model.h"
#include "core/numbers.h"
#include "impactcheck/impactcheck.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Number of steps before a crossing from which on steps are refined; number of parts of a refined
 * step.
 */
#define NEAR 10.0
#define PARTS 100.0

/* A step shorter than this fraction of h is a rounding error, and is joined to the one before. */
#define LEAST_STEP 1e-9

/* State of a guard since the beginning of the phase. */
typedef struct guard_side {
    double value;

    /* it has moved towards its side, but has not passed zero yet */
    bool left;
} guard_side;

typedef struct refined {
    const ic_phase *phase;
    size_t n;
    double t0, t1;
    double *x0, *x1, *f0, *f1;
    double *k[4], *stage;
    double *memory;

    /* one for each guard */
    guard_side *standing;

    /* the guard for which steps are refined; NULL: not refined */
    const ic_guard *near;

    /* the mode in which refinement began */
    int near_mode;

    /* in that mode, steps are refined until the magnitude of the guard exceeds this */
    double distance;
} refined;

static ic_status open_workspace(refined *s, const ic_problem *problem)
{
    double **vectors[] = {&s->x0, &s->x1, &s->f0, &s->f1, &s->k[1], &s->k[2], &s->k[3], &s->stage};
    size_t most_guards = 1;
    s->n = problem->system->n_states;
    s->memory = calloc(IC_COUNT(vectors) * s->n, sizeof(double));
    for (size_t i = 0; i < problem->variant->n_modes; i++) {
        if (problem->variant->modes[i].n_guards > most_guards)
            most_guards = problem->variant->modes[i].n_guards;
    }
    s->standing = calloc(most_guards, sizeof *s->standing);
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
static void interpolate_state(void *self, double t, double *x)
{
    const refined *s = self;
    const ic_cubic cubic = {s->n, s->t0, s->t1, s->x0, s->f0, s->x1, s->f1};
    ic_cubic_state(&cubic, t, x);
}

/* ---- the length of a step */

/* The guard of the mode with the value for which steps are refined; NULL if it has none. */
static const ic_guard *find_refining_guard(const refined *s)
{
    const ic_mode *mode = s->phase->mode;
    for (size_t i = 0; i < mode->n_guards && s->near != NULL; i++) {
        if (mode->guards[i].value == s->near->value) return &mode->guards[i];
    }
    return NULL;
}

static void update_refinement(refined *s, double h)
{
    const ic_phase *phase = s->phase;
    s->near = find_refining_guard(s);
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
    update_refinement(s, h);
    const double next = s->t0 + (s->near != NULL ? h / PARTS : h);
    return next > s->phase->t_stop - LEAST_STEP * h ? s->phase->t_stop : next;
}

/* ---- crossings, at the end of a step */

/* Whether guard i has crossed to the side `now` and fires. */
static bool guard_crosses(const refined *s, ic_phase *phase, size_t i, int now)
{
    phase->arming[i] = (ic_arming){.side = now};
    return ic_fires(ic_phase_direction(phase, i), now) && ic_phase_enabled(phase, i, s->t1, s->x1);
}

/*
 * Whether a guard that began the phase at or near its zero fires again. Once it has passed that
 * zero, it is treated like any other.
 */
static bool guard_fires_again(const refined *s, ic_phase *phase, size_t i, double g)
{
    guard_side *at = &s->standing[i];
    const int side = phase->arming[i].side, moved = ic_sign(g - at->value);
    if (side == 0) return ic_sign(g) != 0 && guard_crosses(s, phase, i, ic_sign(g));
    if (ic_sign(g) == side) phase->arming[i].order = 0;
    else if (moved == side) at->left = true;
    /* a stop or a kink from which the flight was shorter than a step is met again */
    else if (moved == -side && (at->left || phase->mode->guards[i].onset == IC_ONSET_NEAR))
        return guard_crosses(s, phase, i, moved);
    else if (moved == -side) phase->arming[i] = (ic_arming){.side = moved};
    return false;
}

/* Whether guard i fires at the end of the step. */
static bool guard_fires(const refined *s, ic_phase *phase, size_t i)
{
    const double g = ic_phase_guard(phase, i, s->t1, s->x1);
    if (phase->arming[i].order > 0) return guard_fires_again(s, phase, i, g);
    return ic_sign(g) != 0 && ic_sign(g) != phase->arming[i].side && guard_crosses(s, phase, i, ic_sign(g));
}

/* ---- the method */

static ic_status begin_phase(void *self, ic_phase *phase)
{
    refined *s = self;
    s->phase = phase;
    s->t0 = phase->t;
    memcpy(s->x0, phase->x, s->n * sizeof *s->x0);
    ic_phase_flow(phase, s->f0, s->t0, s->x0);
    for (size_t i = 0; i < phase->mode->n_guards; i++)
        s->standing[i] = (guard_side){.value = ic_phase_guard(phase, i, s->t0, s->x0)};
    return IC_OK;
}

static ic_status advance_phase(void *self, ic_phase *phase)
{
    refined *s = self;
    while (phase->t < phase->t_stop) {
        s->t1 = step_end(s);
        if (ic_has_to_end(phase->options, ++phase->work->steps)) return IC_TOO_MUCH_WORK;
        take_step(s);
        if (!ic_all_finite(s->x1, s->n) || !ic_all_finite(s->f1, s->n)) return IC_NOT_FINITE;
        phase->fired = -1;
        for (size_t i = 0; i < phase->mode->n_guards; i++) {
            phase->due[i] = guard_fires(s, phase, i);
            if (phase->due[i] && phase->fired < 0) phase->fired = (int)i;
        }
        const ic_status status = ic_phase_observe(phase, s->t0, s->t1, 1, interpolate_state, s);
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

static ic_status solve_refined_step(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    static const ic_method method = {.begin = begin_phase, .advance = advance_phase};
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
    .solve = solve_refined_step,
};
