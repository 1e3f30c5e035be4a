/* SPDX-License-Identifier: MIT */
/**
 * States at which a case is examined. Statements that hold everywhere (a text equals its function)
 * are judged at random states. Statements that hold only at states which the case can reach
 * (energy, invariants, jumps) are judged at and near states of a short run.
 */
#include "core/names.h"
#include "validation/case/judge.h"

#include <math.h>
#include <string.h>

/* Random states reach this many scales, random times this many typical times. */
#define SCALES 2.0
#define TIMES 6.0
/* Size of the neighbourhood of a state of the run, relative to the scales. */
#define NEAR 0.5
/*
 * Residual of an invariant, in scales, at which a projection has converged: a hundred units in the
 * last place of each of some terms.
 */
#define ARRIVED 1e-12
enum { MOST_STEPS = 40, MOST_TRIES = 30 };
/* Number of first occurrences of a time event at whose times states are judged. */
enum { OCCURRENCES = 8 };
/* It has failed after some steps without progress: conditions contradict each other near here. */
#define PROGRESS 0.9
enum { IDLE_STEPS = 4 };

static double draw_uniform(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1; /* [-1, 1) */
}

static void random_point(ic_judge *judge, ic_point *point)
{
    for (size_t i = 0; i < judge->problem->system->n_states; i++)
        point->x[i] = SCALES * judge->scale[i] * draw_uniform(&judge->seed);
    point->t = judge->problem->t_start + TIMES / 2 * judge->time_scale * (1 + draw_uniform(&judge->seed));
}

/* A state without a rate on the whole run is set by jumps only, and is not perturbed. */
static void find_moving_states(ic_judge *judge)
{
    const size_t n = judge->problem->system->n_states;
    double f[IC_MAX_STATES];
    ic_point point;
    bool any = false;
    for (size_t m = 0; m < judge->problem->variant->n_modes; m++) {
        for (size_t k = 0; ic_point_seen(judge, (int)m, k, &point); k++) {
            judge->problem->variant->modes[m].flow(f, point.t, point.x, judge->problem->par);
            for (size_t i = 0; i < n; i++) judge->moves[i] = judge->moves[i] || f[i] != 0;
            any = true;
        }
    }
    for (size_t i = 0; i < n && !any; i++) judge->moves[i] = true;
}

void ic_judge_look_around(ic_judge *judge)
{
    judge->seed = 1;
    for (int k = 0; k < IC_JUDGE_POINTS; k++) random_point(judge, &judge->anywhere[k]);
    memset(judge->moves, 0, sizeof judge->moves);
    find_moving_states(judge);
}

/* ---- states of the run */

static void copy_point(const ic_judge *judge, double t, const double *x, ic_point *point)
{
    point->t = t;
    memcpy(point->x, x, judge->problem->system->n_states * sizeof *x);
}

bool ic_point_seen(const ic_judge *judge, int mode, size_t k, ic_point *point)
{
    const ic_log *log = judge->seen;
    for (size_t i = 0; log != NULL && i < ic_log_sample_count(log); i++) {
        const ic_sample s = ic_log_sample_at(log, i);
        if (s.mode != mode || k-- > 0) continue;
        return copy_point(judge, s.t, s.x, point), true;
    }
    for (size_t i = 0; log != NULL && i < ic_log_event_count(log); i++) {
        const ic_event e = ic_log_event_at(log, i);
        if (e.mode_from == mode && k-- == 0) return copy_point(judge, e.t, e.x_pre, point), true;
        if (e.mode_to == mode && k-- == 0) return copy_point(judge, e.t, e.x_post, point), true;
    }
    return false;
}

static size_t count_seen(const ic_judge *judge, int mode)
{
    size_t count = 0;
    for (size_t i = 0; judge->seen != NULL && i < ic_log_sample_count(judge->seen); i++)
        count += ic_log_sample_at(judge->seen, i).mode == mode;
    return count;
}

bool ic_point_fired(const ic_judge *judge, int mode, const ic_guard *guard, size_t k, ic_point *point)
{
    const ic_log *log = judge->seen;
    for (size_t i = 0; log != NULL && i < ic_log_event_count(log); i++) {
        const ic_event e = ic_log_event_at(log, i);
        if (e.kind != IC_EVENT_GUARD || e.mode_from != mode || e.name != guard->name || k-- > 0) continue;
        copy_point(judge, e.t, e.x_pre, point);
        /*
         * The value of a guard that depends on time alone is zero where it was located, so that no
         * state can be projected.
         */
        ic_point projected = *point;
        if (ic_point_project(judge, &judge->problem->variant->modes[mode], guard, &projected))
            *point = projected;
        return true;
    }
    return false;
}

/*
 * ---- projection: onto one condition after the other, by the shortest path in scales
 */

/* One step. Returns the distance from the condition, in scales; NAN if no state changes it. */
static double step_to_zero(const ic_judge *judge, ic_state_function *function, ic_point *point)
{
    double by_scale[IC_MAX_STATES], square = 0;
    const double value = function(point->t, point->x, judge->problem->par);
    const size_t n = judge->problem->system->n_states;
    if (value == 0) return 0;
    ic_changes_by_scale(by_scale, judge, function, point);
    for (size_t i = 0; i < n; i++) square += by_scale[i] * by_scale[i];
    if (!(square > 0)) return NAN;
    for (size_t i = 0; i < n; i++) point->x[i] -= value * by_scale[i] / square * judge->scale[i];
    return fabs(value) / sqrt(square);
}

bool ic_point_project(const ic_judge *judge, const ic_mode *mode, const ic_guard *on, ic_point *point)
{
    double best = INFINITY;
    for (int step = 0, idle = 0; step < MOST_STEPS && idle < IDLE_STEPS; step++) {
        double worst = 0;
        for (size_t i = 0; i < mode->n_invariants; i++) {
            if (mode->invariants[i].side != 0) continue;
            const double off = step_to_zero(judge, mode->invariants[i].value, point);
            if (isnan(off)) return false;
            worst = fmax(worst, off);
        }
        if (on != NULL) {
            const double off = step_to_zero(judge, on->value, point);
            if (isnan(off)) return false;
            worst = fmax(worst, off);
        }
        if (worst <= ARRIVED) return true;
        idle = worst < PROGRESS * best ? 0 : idle + 1;
        best = fmin(best, worst);
    }
    return false;
}

/* ---- states that a mode may have */

static bool is_enabled(const ic_judge *judge, const ic_guard *guard, const ic_point *at)
{
    return guard->enabled == NULL || guard->enabled(at->t, at->x, judge->problem->par) > 0;
}

/* Whether invariants hold and no guard has fired already; `on` is about to fire. */
static bool is_possible(const ic_judge *judge, const ic_mode *mode, const ic_guard *on, const ic_point *at)
{
    const double *par = judge->problem->par;
    for (size_t i = 0; i < mode->n_invariants; i++) {
        const ic_invariant *invariant = &mode->invariants[i];
        if (invariant->side != 0 && !(invariant->side * invariant->value(at->t, at->x, par) >= 0)) return false;
    }
    for (size_t i = 0; i < mode->n_guards; i++) {
        const ic_guard *guard = &mode->guards[i];
        if (guard == on || guard->direction == 0 || !is_enabled(judge, guard, at)) continue;
        if (on != NULL && guard->value == on->value) continue;
        if (!(guard->direction * guard->value(at->t, at->x, par) <= 0)) return false;
    }
    if (on == NULL) return true;
    const double rate = on->rate(at->t, at->x, par);
    return is_enabled(judge, on, at) && (on->direction == 0 ? rate != 0 : on->direction * rate > 0);
}

/*
 * A state before an occurrence of a time event on the run in this mode, chosen at random; the time of an
 * occurrence alone if the run has none.
 */
static void move_to_occurrence(ic_judge *judge, int mode, const ic_time_event *due, ic_point *point)
{
    size_t n = 0;
    for (size_t i = 0; judge->seen != NULL && i < ic_log_event_count(judge->seen); i++) {
        const ic_event e = ic_log_event_at(judge->seen, i);
        if (e.kind != IC_EVENT_TIME || e.mode_from != mode || strcmp(e.name, due->name) != 0) continue;
        if ((1 + draw_uniform(&judge->seed)) / 2 * (double)++n < 1) copy_point(judge, e.t, e.x_pre, point);
    }
    const double t = due->when((int)((1 + draw_uniform(&judge->seed)) / 2 * OCCURRENCES), judge->problem->par);
    if (n == 0 && isfinite(t)) point->t = t;
}

bool ic_point_of_mode(ic_judge *judge, int mode, const ic_guard *on, const ic_time_event *due, ic_point *point)
{
    const ic_mode *of = &judge->problem->variant->modes[mode];
    const size_t n_seen = count_seen(judge, mode);
    for (int try = 0; try < MOST_TRIES; try++) {
        random_point(judge, point);
        if (n_seen > 0) {
            const double place = (1 + draw_uniform(&judge->seed)) / 2 * (double)n_seen;
            ic_point_seen(judge, mode, (size_t)place, point);
        }
        if (due != NULL) move_to_occurrence(judge, mode, due, point);
        if (n_seen > 0) {
            for (size_t i = 0; i < judge->problem->system->n_states; i++)
                point->x[i] += judge->moves[i] ? NEAR * judge->scale[i] * draw_uniform(&judge->seed) : 0;
        }
        /*
         * States that only jumps set are not changed by the projection, so a disabled guard is
         * noticed before it.
         */
        if (on != NULL && !is_enabled(judge, on, point)) continue;
        if (ic_point_project(judge, of, on, point) && is_possible(judge, of, on, point)) return true;
    }
    return false;
}
