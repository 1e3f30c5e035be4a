/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/track/track.h"

#include "audit/common/tolerances.h"
#include "core/names.h"

#include <math.h>
#include <string.h>

/* Least uncertainty of a row relative to a state's range: the rounding of a file with 9 digits. */
#define ROUNDING 1e-9

/*
 * Distances in deviations, closely spaced since beyond a guard the case has no start; the last is
 * the greatest that tolerances include.
 */
enum { DISTANCES = 5 };
static double distance_at(size_t i)
{
    static const double nearer[DISTANCES - 1] = {1, 1.4, 2, 3};
    return i < DISTANCES - 1 ? nearer[i] : ic_tolerance_noise.value;
}

/*
 * Only a few directions sample the joint effect of noise in many states. The effect may be larger
 * by this factor.
 */
#define OF_MANY 2.0

/*
 * Directions: first each state alone, up and down, then all states together with signs of Walsh's
 * functions, which are balanced.
 */
enum { TOGETHER = 16 };

static double sign_of(size_t direction, size_t state, size_t n_states)
{
    if (direction < 2 * n_states) return direction / 2 != state ? 0 : direction % 2 == 0 ? 1 : -1;
    unsigned bits = (unsigned)(direction - 2 * n_states) & (unsigned)(state + 1), parity = 0;
    for (; bits != 0; bits >>= 1) parity ^= bits & 1;
    return parity == 0 ? 1 : -1;
}

static double sigma_of(const ic_tracking *k, size_t j, double middle)
{
    const bool is_known = ic_is_memory(k, j) || ic_is_whole(k, j, middle);
    return is_known ? 0 : fmax(k->noise[j], ROUNDING * k->range[j]);
}

/*
 * The most likely start at which a guard is about to fire: bodies may move by less than the noise until it fires again.
 * false: it is beyond the noise.
 */
static bool move_to_guard(double *x, const ic_tracking *k, const ic_interval *from, const double *middle,
                          const ic_guard *guard)
{
    const size_t n = k->trajectory->n_states;
    const double t = k->trajectory->t[from->from], *par = k->problem->par, near = 1e-3;
    const double value = guard->value(t, middle, par);
    double rise[IC_MAX_STATES], square = 0;
    memcpy(x, middle, n * sizeof *x);
    for (size_t j = 0; j < n; j++) {
        x[j] = middle[j] + sigma_of(k, j, middle[j]);
        rise[j] = guard->value(t, x, par) - value;
        square += rise[j] * rise[j];
        x[j] = middle[j];
    }
    const double off = -near * guard->direction * sqrt(square) - value;
    if (!(fabs(off) <= ic_tolerance_noise.value * sqrt(square))) return false;
    for (size_t j = 0; j < n; j++) x[j] += off / square * rise[j] * sigma_of(k, j, middle[j]);
    return true;
}

/* The start moved by `distance` deviations in a direction. */
static void move_start(double *x, const ic_tracking *k, const double *middle, double distance, size_t direction)
{
    const size_t n = k->trajectory->n_states;
    const double each = direction < 2 * n ? distance : distance / sqrt((double)n);
    for (size_t j = 0; j < n; j++)
        x[j] = middle[j] + each * sigma_of(k, j, middle[j]) * sign_of(direction, j, n);
}

/* Predict from that start. */
static void predict_from(ic_prediction *end, const ic_tracking *k, const ic_interval *interval,
                         const double *middle, double distance, size_t direction)
{
    double x[IC_MAX_STATES];
    move_start(x, k, middle, distance, direction);
    ic_predict(end, &k->predictor, true, k->trajectory->t[interval->from], x, interval->mode,
               k->trajectory->t[interval->to]);
}

/* Whether the moved start is beyond a guard of its mode, farther than the row: the case has no such state. */
static bool is_beyond_guards(const ic_tracking *k, const ic_interval *from, const double *middle,
                             double distance, size_t direction)
{
    const ic_mode *mode = &k->predictor.guarded.variant->modes[from->mode];
    const double t = k->trajectory->t[from->from], *par = k->problem->par;
    double x[IC_MAX_STATES];
    move_start(x, k, middle, distance, direction);
    for (size_t g = 0; g < mode->n_guards; g++) {
        const ic_guard *guard = &mode->guards[g];
        if (ic_guard_is_passed(guard, t, x, par, 0) &&
            guard->direction * (guard->value(t, x, par) - guard->value(t, middle, par)) > 0)
            return true;
    }
    return false;
}

static bool same_way(const ic_prediction *a, const ic_prediction *b)
{
    return a->good && b->good && a->mode == b->mode && a->events == b->events;
}

/*
 * Whether growth of noise explains the row: the noise may grow more here than where tolerances were
 * probed. Contributions of the states add as squares.
 */
static bool grows_enough(const ic_tracking *k, const ic_interval *interval, const double *middle,
                         const ic_prediction *plain)
{
    const ic_trajectory *tr = k->trajectory;
    const double *goal = &tr->x[interval->to * tr->n_states];
    double square[IC_MAX_STATES] = {0}, tolerance[IC_MAX_STATES];
    ic_interval_tolerances(tolerance, k, interval, plain);
    for (size_t direction = 0; direction < 2 * tr->n_states; direction += 2) {
        ic_prediction up, down;
        predict_from(&up, k, interval, middle, 1, direction);
        predict_from(&down, k, interval, middle, 1, direction + 1);
        /* Another sequence of events is not growth of noise. */
        if (!same_way(&up, plain) || !same_way(&down, plain)) continue;
        for (size_t i = 0; i < tr->n_states; i++) {
            const double part = fmax(fabs(up.x[i] - plain->x[i]), fabs(down.x[i] - plain->x[i]));
            square[i] += part * part;
        }
    }
    for (size_t i = 0; i < tr->n_states; i++) {
        const double own = sqrt(square[i] + k->noise[i] * k->noise[i]) - k->deviation[i];
        if (tr->source[i] == IC_FROM_TRACKING) continue;
        if (fabs(plain->x[i] - goal[i]) > tolerance[i] + ic_tolerance_noise.value * fmax(0, own)) return false;
    }
    return true;
}

bool ic_noisy_start(ic_prediction *end, const ic_tracking *k, const ic_interval *interval, int mode)
{
    const size_t n = k->trajectory->n_states;
    double middle[IC_MAX_STATES];
    ic_prediction plain;
    ic_interval from = *interval;
    size_t worst;
    from.mode = mode;
    ic_interval_state(middle, k, &from);
    predict_from(&plain, k, &from, middle, 0, 0);
    *end = plain;
    if (plain.good && grows_enough(k, &from, middle, &plain)) return true;
    for (size_t d = 0; d < DISTANCES; d++) {
        for (size_t direction = 0; direction < 2 * n + TOGETHER; direction++) {
            if (is_beyond_guards(k, &from, middle, distance_at(d), direction)) continue;
            predict_from(end, k, &from, middle, distance_at(d), direction);
            /*
             * The same sequence of events has the same defect within the tolerance. Moving its
             * start would count the noise twice.
             */
            if (plain.good && same_way(end, &plain)) continue;
            if (ic_interval_defect(k, interval, end, &worst) <= 1) return true;
        }
    }
    return false;
}

/* Whether the jump of a guard, taken at a row, changes only what the rows do not show; the state after it. */
static bool changes_memory_alone(double *post, const ic_tracking *k, const ic_guard *guard, double t,
                                 const double *pre)
{
    const int taken = guard->jump.apply(post, t, pre, k->problem->par);
    bool alone = taken != IC_NO_START && guard->jump.branches[taken].mode == IC_SAME_MODE;
    for (size_t j = 0; j < k->trajectory->n_states; j++) alone &= ic_is_memory(k, j) || post[j] == pre[j];
    return alone;
}

bool ic_start_at_guard(ic_mode_trial *h, const ic_tracking *k, const ic_interval *interval, bool is_passed)
{
    const ic_mode *mode = &k->predictor.guarded.variant->modes[interval->tracked];
    const double from = k->trajectory->t[interval->from], to = k->trajectory->t[interval->to];
    double middle[IC_MAX_STATES], start[IC_MAX_STATES];
    ic_interval_state_in(middle, k, interval, interval->tracked);
    for (size_t g = 0; g < mode->n_guards; g++) {
        const ic_guard *guard = &mode->guards[g];
        ic_mode_trial other = {.mode = interval->tracked, .guards = true};
        if (is_passed && !ic_guard_is_passed(guard, from, middle, k->problem->par, 0)) continue;
        if (!move_to_guard(start, k, interval, middle, guard)) continue;
        if (is_passed && !changes_memory_alone(start, k, guard, from, middle)) continue;
        ic_predict(&other.end, &k->predictor, true, from, start, interval->tracked, to);
        other.end.events += is_passed;
        other.defect = ic_interval_defect(k, interval, &other.end, &other.worst);
        if (!other.end.good || other.end.events == 0 || !(other.defect <= 1)) continue;
        *h = other;
        return true;
    }
    return false;
}

/*
 * Ends of runs of the case that start within the noise: extremes over moves of single states and of
 * several states, and sums of squares.
 */
typedef struct reach {
    double least[IC_MAX_STATES], most[IC_MAX_STATES], square[IC_MAX_STATES];
} reach;

static void extend_reach(reach *r, const ic_tracking *k, const ic_interval *from, const double *middle,
                         const ic_prediction *plain, size_t direction)
{
    const size_t n = k->trajectory->n_states;
    double off[IC_MAX_STATES] = {0};
    for (size_t d = 0; d < DISTANCES; d++) {
        ic_prediction end;
        predict_from(&end, k, from, middle, distance_at(d), direction);
        for (size_t j = 0; j < n && end.good; j++) {
            r->least[j] = fmin(r->least[j], end.x[j]);
            r->most[j] = fmax(r->most[j], end.x[j]);
            if (plain->good) off[j] = fmax(off[j], fabs(end.x[j] - plain->x[j]));
        }
    }
    /* each of the two directions of a state adds half of its square */
    for (size_t j = 0; j < n && direction < 2 * n; j++) r->square[j] += 0.5 * off[j] * off[j];
}

/* Whether starts within the noise around one, from which the case goes on in one way, reach the row. */
static bool reaches_around(const ic_tracking *k, const ic_interval *from, const double *middle, bool at_guard)
{
    const ic_trajectory *tr = k->trajectory;
    const size_t n = tr->n_states;
    const double *goal = &tr->x[from->to * n], more = ic_has_many_states(k) ? OF_MANY : 1;
    double tolerance[IC_MAX_STATES];
    reach r = {.square = {0}};
    ic_prediction plain;
    predict_from(&plain, k, from, middle, 0, 0);
    ic_interval_tolerances(tolerance, k, from, &plain);
    for (size_t j = 0; j < n; j++) r.least[j] = INFINITY, r.most[j] = -INFINITY;
    for (size_t direction = 0; direction < 2 * n + TOGETHER; direction++)
        extend_reach(&r, k, from, middle, &plain, direction);
    for (size_t j = 0; j < n; j++) {
        const double t = tolerance[j], all = sqrt(r.square[j]);
        if (tr->source[j] == IC_FROM_TRACKING) continue;
        if (at_guard && ic_state_is_discrete(k->problem->system, j)) continue;
        const bool in_box = goal[j] >= r.least[j] - t && goal[j] <= r.most[j] + t;
        if (!in_box && !(plain.good && fabs(goal[j] - plain.x[j]) <= more * (t + all))) return false;
    }
    return true;
}

bool ic_noise_may_explain(const ic_tracking *k, const ic_interval *interval, int mode)
{
    const ic_mode *m = &k->predictor.guarded.variant->modes[mode];
    double middle[IC_MAX_STATES], moved[IC_MAX_STATES];
    ic_interval from = *interval;
    from.mode = mode;
    ic_interval_state(middle, k, &from);
    /* where a guard is 0 within the noise, how often it fires is unknown, and what only events change */
    bool at_guard = false;
    for (size_t g = 0; g < m->n_guards; g++) at_guard |= move_to_guard(moved, k, &from, middle, &m->guards[g]);
    bool may = reaches_around(k, &from, middle, at_guard);
    for (size_t g = 0; g < m->n_guards && at_guard && !may; g++)
        may =
            move_to_guard(moved, k, &from, middle, &m->guards[g]) && reaches_around(k, &from, moved, at_guard);
    return may;
}
