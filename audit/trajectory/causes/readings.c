/* SPDX-License-Identifier: MIT */
/*
 * How rows may have been written that the case does not explain: each hypothesis has one number,
 * which is fitted to intervals between rows without events, and is judged by the intervals that it
 * then explains. The case with one other parameter competes on the same terms.
 */
#include "audit/trajectory/checks/checks.h"
#include "core/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ASKED = 80, FEW = 12, LEAST = 8, ROUNDS = 5, GROUP_POSITIONS = IC_MAX_STATES, GROUP_VELOCITIES };

/* Least defect that is explained, in the accuracy of the rows. */
#define SHOWS 10.0
/* Part of the defect that a hypothesis may leave, in the median and in each of nearly all intervals. */
#define LEFT 0.05
#define LEFT_IN_EACH 0.2
#define NEARLY_ALL 0.85
/* A first step that leaves more in a few intervals is not followed further. */
#define PROMISING 0.5
/* A hypothesis must leave less than this part of what the best parameter leaves. */
#define LEFT_BY_READING 0.5
/* Least accuracy of rows, relative to the ranges. */
#define EXACT 1e-10
/* Lags within this part of a row are whole rows. */
#define A_ROW 0.02

typedef enum kind { CLOCK, SCALE, LAG, EARLY, LATE, DRAG, DRAG_OF_SQUARE, PARAMETER } kind;

typedef struct hypothesis {
    kind kind;

    /* State, group of states, or parameter. */
    size_t which;

    double value;
} hypothesis;

typedef struct search {
    const ic_tracking *k;

    /* Intervals, and the mode of each. */
    size_t asked[MOST_ASKED], n;
    int mode[MOST_ASKED];

    /* Position of each velocity; n_states: it is none. */
    size_t position[IC_MAX_STATES];

    /* The case with parameters of its own. */
    ic_problem problem;

    double *par;
    ic_predictor predictor;

    /* Defects of the unchanged case. */
    double before[MOST_ASKED];
} search;

/* ---- one interval */

static bool is_in_group(const search *s, size_t which, size_t j)
{
    const size_t n = s->k->trajectory->n_states;
    if (s->k->trajectory->source[j] != IC_FROM_FILE) return false;
    if (which < IC_MAX_STATES) return which == j;
    if (which == GROUP_VELOCITIES) return s->position[j] < n;
    for (size_t i = 0; i < n; i++) {
        if (s->position[i] == j) return true;
    }
    return false;
}

/* Advances the states of a group by a time along the flow of a mode, by the midpoint rule. */
static void advance(const search *s, const hypothesis *h, int mode, double t, double *x)
{
    const size_t n = s->k->trajectory->n_states;
    double f[IC_MAX_STATES] = {0}, middle[IC_MAX_STATES];
    const ic_mode *m = &s->problem.variant->modes[mode];
    m->flow(f, t, x, s->par);
    for (size_t j = 0; j < n; j++) middle[j] = x[j] + (is_in_group(s, h->which, j) ? 0.5 * h->value * f[j] : 0);
    m->flow(f, t, middle, s->par);
    for (size_t j = 0; j < n; j++) x[j] += is_in_group(s, h->which, j) ? h->value * f[j] : 0;
}

/* Time and state of a row as the hypothesis reads it. */
static void read_row(const search *s, const hypothesis *h, int mode, size_t row, double *t, double *x)
{
    const ic_trajectory *tr = s->k->trajectory;
    const size_t n = tr->n_states;
    const ptrdiff_t shift = h->kind == LATE ? (ptrdiff_t)n : -(ptrdiff_t)n;
    switch (h->kind) {
    case CLOCK: *t = tr->t[0] + (*t - tr->t[0]) * (1 + h->value); break;
    case SCALE: x[h->which] *= 1 + h->value; break;
    case LAG: advance(s, h, mode, *t, x); break;
    case EARLY:
    case LATE:
        if (row == 0 || row + 1 >= tr->n) return;
        for (size_t j = 0; j < n; j++) {
            if (is_in_group(s, h->which, j)) x[j] = *(&tr->x[row * n + j] + shift);
        }
        break;
    case DRAG:
    case DRAG_OF_SQUARE:
    case PARAMETER: break;
    }
}

/* Adds the effect of a drag to the end of an interval, from the mean velocities at both ends. */
static void add_drag(const search *s, const hypothesis *h, double dt, const double *x, double *end)
{
    const size_t n = s->k->trajectory->n_states;
    for (size_t j = 0; j < n; j++) {
        if (s->position[j] == n) continue;
        const double a = x[j], b = end[j];
        const double mean =
            h->kind == DRAG ? 0.5 * (a + b) : (a * fabs(a) + b * fabs(b) + (a + b) * fabs(a + b)) / 6;
        end[j] -= h->value * mean * dt;
        end[s->position[j]] -= 0.5 * h->value * mean * dt * dt;
    }
}

/* Row minus prediction, in the accuracy of the rows. false: no prediction. */
static bool find_errors(double *error, search *s, const hypothesis *h, size_t i)
{
    const ic_tracking *k = s->k;
    const ic_trajectory *tr = k->trajectory;
    const ic_interval *interval = &k->intervals[s->asked[i]];
    double t0 = tr->t[interval->from], t1 = tr->t[interval->to], x[IC_MAX_STATES], goal[IC_MAX_STATES];
    ic_prediction p;
    ic_interval_state_in(x, k, interval, s->mode[i]);
    memcpy(goal, &tr->x[interval->to * tr->n_states], tr->n_states * sizeof *goal);
    read_row(s, h, s->mode[i], interval->from, &t0, x);
    read_row(s, h, s->mode[i], interval->to, &t1, goal);
    if (!(t1 > t0)) return false;
    if (h->kind == PARAMETER) s->par[h->which] += h->value;
    ic_predict(&p, &s->predictor, false, t0, x, s->mode[i], t1);
    if (h->kind == PARAMETER) s->par[h->which] = k->problem->par[h->which];
    if (!p.good) return false;
    if (h->kind == DRAG || h->kind == DRAG_OF_SQUARE) add_drag(s, h, t1 - t0, x, p.x);
    for (size_t j = 0; j < tr->n_states; j++) {
        const double scale = h->kind == SCALE && h->which == j ? fabs(1 + h->value) : 1;
        const double known = fmax(k->noise[j], EXACT * k->range[j]) * scale;
        error[j] = tr->source[j] == IC_FROM_FILE && known > 0 ? (goal[j] - p.x[j]) / known : 0;
    }
    return true;
}

static double defect(search *s, const hypothesis *h, size_t i)
{
    double error[IC_MAX_STATES], greatest = 0;
    if (!find_errors(error, s, h, i)) return INFINITY;
    for (size_t j = 0; j < s->k->trajectory->n_states; j++) greatest = fmax(greatest, fabs(error[j]));
    return greatest;
}

/* ---- choice of intervals */

/* The mode whose flow is nearest to the rows. */
static int nearest_mode(search *s, size_t i)
{
    const hypothesis none = {.kind = SCALE, .which = 0, .value = 0};
    int best = s->k->intervals[s->asked[i]].mode;
    double least = INFINITY;
    for (size_t m = 0; m < s->problem.variant->n_modes; m++) {
        if (!s->k->reached[m] || s->problem.variant->modes[m].terminal) continue;
        s->mode[i] = (int)m;
        const double d = defect(s, &none, i);
        if (d < least) least = d, best = (int)m;
    }
    return best;
}

/* Whether no event is near: neither in the interval nor in those beside it. */
static bool is_smooth(const search *s, size_t i)
{
    const ic_tracking *k = s->k;
    ic_prediction p;
    for (size_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < k->n_intervals; j++) {
        if (ic_interval_has_event(&k->intervals[j])) return false;
    }
    ic_interval_predict(&p, k, &k->intervals[i], s->mode[s->n], true);
    return p.good && p.events == 0;
}

static void choose_intervals(search *s)
{
    const ic_tracking *k = s->k;
    const size_t stride = k->n_intervals / MOST_ASKED + 1;
    for (size_t i = 0; i < k->n_intervals && s->n < MOST_ASKED; i += stride) {
        s->asked[s->n] = i;
        s->mode[s->n] = nearest_mode(s, s->n);
        if (is_smooth(s, i)) s->n++;
    }
}

static bool open_search(search *s, const ic_tracking *k)
{
    const hypothesis none = {.kind = SCALE, .which = 0, .value = 0};
    *s = (search){.k = k, .problem = *k->problem};
    s->par = ic_own_parameters(&s->problem);
    if (s->par == NULL) return false;
    for (size_t j = 0; j < k->trajectory->n_states; j++) s->position[j] = ic_position_of(k->problem, j);
    if (!ic_predictor_open(&s->predictor, &s->problem, s->problem.variant)) return false;
    s->predictor.rtol = 1e-13;
    choose_intervals(s);
    for (size_t i = 0; i < s->n; i++) s->before[i] = defect(s, &none, i);
    return s->n >= LEAST;
}

/* ---- one hypothesis */

/* Number i of n intervals: of all; of a clock, whose error grows with the time, the first. */
static size_t place(const search *s, const hypothesis *h, size_t i, size_t n)
{
    return h->kind == CLOCK ? i : i * s->n / n;
}

static double typical(search *s, const hypothesis *h, const hypothesis *of, size_t n)
{
    double values[MOST_ASKED];
    for (size_t i = 0; i < n; i++) values[i] = defect(s, h, place(s, of, i, n));
    return ic_audit_median(values, n);
}

static double typical_before(const search *s)
{
    double values[MOST_ASKED];
    memcpy(values, s->before, s->n * sizeof *values);
    return ic_audit_median(values, s->n);
}

/* The size of a change of the number that moves the rows a little. */
static double small_change(const search *s, const hypothesis *h)
{
    const double part = 1e-4, length = fmax(s->k->range[0], 1e-12);
    switch (h->kind) {
    case LAG: return part * s->k->spacing;
    case DRAG: return part / s->k->time_scale;
    case DRAG_OF_SQUARE: return part / length;
    case PARAMETER: return part * fmax(fabs(s->par[h->which]), 1e-3);
    default: return part;
    }
}

/* The change of the number that n intervals propose; 0: none depends on it. */
static double propose(search *s, hypothesis *h, size_t n)
{
    ic_weighted proposals[MOST_ASKED * 4];
    size_t count = 0;
    const double kept = h->value, delta = small_change(s, h);
    for (size_t i = 0; i < n; i++) {
        double here[IC_MAX_STATES] = {0}, moved[IC_MAX_STATES] = {0};
        const size_t at = place(s, h, i, n);
        bool good = find_errors(here, s, h, at);
        h->value = kept + delta;
        good = good && find_errors(moved, s, h, at);
        h->value = kept;
        for (size_t j = 0; good && j < s->k->trajectory->n_states && count < IC_COUNT(proposals); j++) {
            const double slope = (moved[j] - here[j]) / delta;
            /* The rounding of predictions is no slope. */
            if (fabs(slope * delta) > 0.01) proposals[count++] = (ic_weighted){-here[j] / slope, fabs(slope)};
        }
    }
    return count > 0 ? ic_weighted_median(proposals, count) : 0;
}

static bool fit(search *s, hypothesis *h)
{
    for (int round = 0; round < ROUNDS && h->kind != EARLY && h->kind != LATE; round++) {
        const size_t few = h->kind == CLOCK ? (size_t)FEW << round : round == 0 ? (size_t)FEW : s->n;
        const double change = propose(s, h, few < s->n ? few : s->n);
        if (change == 0 || !isfinite(change)) return h->value != 0;
        h->value += change;
        if (round == 0 && s->n > FEW) {
            const hypothesis none = {.kind = SCALE, .which = 0, .value = 0};
            if (typical(s, h, h, FEW) > PROMISING * typical(s, &none, h, FEW)) return false;
        }
        if (fabs(change) < 1e-3 * small_change(s, h) && few >= s->n) break;
    }
    return true;
}

/* The part of the case's defect that is left; INFINITY: not nearly all intervals are explained. */
static double part_left(search *s, const hypothesis *h)
{
    double values[MOST_ASKED];
    size_t explained = 0;
    for (size_t i = 0; i < s->n; i++) {
        values[i] = defect(s, h, i);
        explained += values[i] <= fmax(SHOWS, LEFT_IN_EACH * s->before[i]);
    }
    if ((double)explained < NEARLY_ALL * (double)s->n) return INFINITY;
    return fmax(1, ic_audit_median(values, s->n)) / typical_before(s);
}

/* ---- the best one */

static void try_one(search *s, hypothesis h, hypothesis *best, double *least)
{
    if (!fit(s, &h)) return;
    const double left = part_left(s, &h);
    if (left < *least) *best = h, *least = left;
}

/* Whether the first row is the start of the case as it is written, and not as a lag reads it. */
static bool starts_as_written(search *s, const hypothesis *h)
{
    const ic_trajectory *tr = s->k->trajectory;
    double start[IC_MAX_STATES] = {0}, scale[IC_MAX_STATES], x[IC_MAX_STATES], t = tr->t[0], off = 0, read = 0;
    if (h->kind != LAG || s->problem.variant->start.apply(start, s->problem.t_start, NULL, s->par) < 0)
        return false;
    ic_state_scales(&s->problem, scale);
    memcpy(x, tr->x, tr->n_states * sizeof *x);
    read_row(s, h, s->mode[0], 0, &t, x);
    for (size_t j = 0; j < tr->n_states; j++) {
        if (tr->source[j] != IC_FROM_FILE) continue;
        off = fmax(off, fabs(tr->x[j] - start[j]) / scale[j]);
        read = fmax(read, fabs(x[j] - start[j]) / scale[j]);
    }
    /* A lag does not move a row at rest; then a method whose steps start there is the simpler reason. */
    return off <= fmax(0.1 * read, 1e-9);
}

static const char *group_name(const search *s, size_t which)
{
    if (which == GROUP_POSITIONS) return "The positions";
    return which == GROUP_VELOCITIES ? "The velocities" : s->problem.system->states[which].name;
}

/* Whether a hypothesis is about several columns. */
static bool is_group(const hypothesis *h)
{
    return h->which == GROUP_POSITIONS || h->which == GROUP_VELOCITIES;
}

static ic_mistake_id describe(const search *s, const hypothesis *h, char *detail, size_t size)
{
    const char *name = h->kind == CLOCK || h->kind >= DRAG ? "" : group_name(s, h->which);
    const double lag = h->value / s->k->spacing, rows = s->k->spacing;
    switch (h->kind) {
    case CLOCK:
        snprintf(detail, size, "With times multiplied by %.9g the rows are explained", 1 + h->value);
        return IC_MISTAKE_CLOCK_WRONG;
    case SCALE:
        snprintf(detail, size, "%s multiplied by %.6g explains the rows", name, 1 + h->value);
        return h->value < -1.5 ? IC_MISTAKE_SIGN_REVERSED : IC_MISTAKE_UNITS_MIXED;
    case EARLY:
    case LATE:
        snprintf(detail, size, "%s %s the row %s: read from there, %s the rows", name,
                 is_group(h) ? "belong to" : "belongs to", h->kind == LATE ? "before" : "after",
                 is_group(h) ? "they explain" : "it explains");
        return IC_MISTAKE_STALE_STATE;
    case LAG:
        snprintf(detail, size,
                 "%s %s those of a time %.6g s %s that of the row, %.3g of the %.3g s between rows", name,
                 is_group(h) ? "are" : "has values that are", fabs(h->value), h->value > 0 ? "before" : "after",
                 fabs(lag), rows);
        return fabs(fabs(lag) - 1) < A_ROW ? IC_MISTAKE_STALE_STATE : IC_MISTAKE_VELOCITY_STAGGERED;
    case DRAG:
    case DRAG_OF_SQUARE:
        snprintf(detail, size, "A drag of %.4g times the %s of the velocity per unit mass explains the rows",
                 h->value, h->kind == DRAG ? "first power" : "square");
        return h->value > 0 ? IC_MISTAKE_DRAG_ADDED : IC_MISTAKE_ENERGY_APPEARS;
    case PARAMETER: break;
    }
    return IC_NO_MISTAKE;
}

/* The correction that undoes a hypothesis; none for lags within a row and for drags. */
static void correct(ic_correction *c, const search *s, const hypothesis *h)
{
    *c = ic_correction_by_factors();
    switch (h->kind) {
    case CLOCK: c->time_factor = 1 + h->value; return;
    case SCALE: c->factor[h->which] = 1 + h->value; return;
    case EARLY:
    case LATE:
        c->kind = h->kind == LATE ? IC_CORRECT_FROM_NEXT : IC_CORRECT_FROM_PREVIOUS;
        for (size_t j = 0; j < s->k->trajectory->n_states; j++) c->column[j] = is_in_group(s, h->which, j);
        return;
    default: c->kind = IC_CORRECT_NOTHING;
    }
}

static double best_parameter(search *s)
{
    const ic_case *system = s->problem.system;
    hypothesis best = {.kind = PARAMETER};
    double least = INFINITY;
    for (size_t p = 0; p < system->n_parameters; p++) {
        if (system->parameters[p].range[0] == '{' || ic_parameter_repeats(system->parameters, p)) continue;
        try_one(s, (hypothesis){.kind = PARAMETER, .which = p}, &best, &least);
    }
    return least;
}

static ic_mistake_id find_best(search *s, char *detail, size_t size, double *left, ic_correction *correction)
{
    static const kind of_groups[] = {LATE, EARLY, LAG};
    const ic_trajectory *tr = s->k->trajectory;
    const size_t n = tr->n_states;
    const bool many = ic_has_many_states(s->k);
    hypothesis best = {.kind = PARAMETER};
    double least = LEFT;
    for (size_t g = 0; g < IC_COUNT(of_groups); g++) {
        for (size_t j = 0; j < n && !many; j++) {
            if (tr->source[j] == IC_FROM_FILE) try_one(s, (hypothesis){of_groups[g], j, 0}, &best, &least);
        }
        try_one(s, (hypothesis){of_groups[g], GROUP_VELOCITIES, 0}, &best, &least);
        try_one(s, (hypothesis){of_groups[g], GROUP_POSITIONS, 0}, &best, &least);
    }
    /* A lag that is not better than whole rows is found first. */
    try_one(s, (hypothesis){CLOCK, 0, 0}, &best, &least);
    for (size_t j = 0; j < n && !many; j++) {
        if (tr->source[j] == IC_FROM_FILE) try_one(s, (hypothesis){SCALE, j, 0}, &best, &least);
    }
    try_one(s, (hypothesis){DRAG, 0, 0}, &best, &least);
    try_one(s, (hypothesis){DRAG_OF_SQUARE, 0, 0}, &best, &least);
    if (best.kind == PARAMETER || starts_as_written(s, &best)) return IC_NO_MISTAKE;
    if (!(least < LEFT_BY_READING * best_parameter(s))) return IC_NO_MISTAKE;
    *left = least;
    correct(correction, s, &best);
    return describe(s, &best, detail, size);
}

ic_mistake_id ic_find_reading(const ic_tracking *k, char *detail, size_t size, double *left,
                              ic_correction *correction)
{
    search s;
    ic_mistake_id mistake = IC_NO_MISTAKE;
    if (open_search(&s, k) && typical_before(&s) > SHOWS)
        mistake = find_best(&s, detail, size, left, correction);
    free(s.par);
    return mistake;
}
