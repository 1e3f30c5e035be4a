/* SPDX-License-Identifier: MIT */
/*
 * The number of a change is taken from impacts that show it alone: the coefficient of friction from
 * those that slide on to the end, that of restitution from central ones. What is common to many of
 * them, and is not what it should be, is a candidate.
 */
#include "audit/impact/impact.h"

#include "audit/common/explain.h"

#include <stdlib.h>

/* Impacts that must show a number. */
enum { LEAST_SHOWN = 3 };
/* The most frequent numbers that are tried. */
enum { MOST_NUMBERS = 2 };

typedef struct numbers {
    double of[IC_IMPACT_SAMPLES];
    size_t count;
} numbers;

typedef struct search {
    ic_changes_tried *tried;
    const ic_impact_samples *s;
    numbers *numbers;
} search;

static void add_change(search *t, ic_impact_change change)
{
    if (t->tried->keep_momentum && ic_change_breaks_momentum(&change)) return;
    if (t->tried->count < IC_MOST_CHANGES_TRIED && isfinite(change.by))
        t->tried->of[t->tried->count++] = change;
}

static void try_change(search *t, ic_change_kind kind, double by)
{
    const bool factor = kind == IC_W_SCALED || kind == IC_W_XX_SCALED || kind == IC_W_YY_SCALED ||
                        kind == IC_MU_SCALED || kind == IC_P_X_SCALED || kind == IC_OUT_V_SCALED ||
                        kind == IC_OUT_V_X_SCALED || kind == IC_OUT_V_Y_SCALED || kind == IC_END_SCALED;
    if (factor && !(by > IC_SAME_NUMBER && by < 1 / IC_SAME_NUMBER)) return;
    add_change(t, (ic_impact_change){.kind = kind, .by = by});
}

static void try_both_velocities(search *t, ic_change_kind kind, double by)
{
    try_change(t, kind, by);
    add_change(t, (ic_impact_change){.kind = kind, .by = by, .true_velocity = true});
}

/* ---- frequent numbers */

typedef double measure(const ic_impact *p, const ic_impact_result *r);

/* Numbers of all answers of which the measure is one. */
static void collect(search *t, measure *m)
{
    t->numbers->count = 0;
    for (size_t j = 0; j < IC_IMPACT_SAMPLES; j++) {
        const double x = t->s->state[j] == IC_ANSWERED ? m(&t->s->p[j], &t->s->r[j]) : NAN;
        if (isfinite(x)) t->numbers->of[t->numbers->count++] = x;
    }
}

static size_t find_frequent(search *t, double usual, double found[MOST_NUMBERS])
{
    return ic_frequent_numbers(found, MOST_NUMBERS, t->numbers->of, t->numbers->count, LEAST_SHOWN, usual);
}

/* ---- what impacts show; NAN: nothing */

static double central(const ic_impact *p, double x)
{
    return p->w_xy == 0 ? x : NAN;
}

/* A number, unless it is the right one. */
static double unless(double x, double right, double scale)
{
    return fabs(x - right) > IC_SAME_NUMBER * scale ? x : NAN;
}

static double v_scale(const ic_impact *p, const ic_impact_result *r, int k)
{
    return ic_velocity_scale(p, r->P, r->v, k);
}

static bool slips(const ic_impact *p, const ic_impact_result *r)
{
    return fabs(r->v[0]) > IC_SAME_NUMBER * v_scale(p, r, 0);
}

static double mu_shown(const ic_impact *p, const ic_impact_result *r)
{
    const bool slid = p->mu > 0 && r->P[1] != 0 && r->v[0] * p->v[0] > IC_SAME_NUMBER * p->v[0] * p->v[0];
    return slid ? fabs(r->P[0] / r->P[1]) : NAN;
}

static double e_of_v(const ic_impact *p, const ic_impact_result *r)
{
    return central(p, -r->v[1] / p->v[1]);
}

static double e_of_P(const ic_impact *p, const ic_impact_result *r)
{
    return central(p, -r->P[1] * p->w_yy / p->v[1] - 1);
}

static double W_P(const ic_impact *p, const ic_impact_result *r, int k)
{
    return k == 0 ? p->w_xx * r->P[0] + p->w_xy * r->P[1] : p->w_xy * r->P[0] + p->w_yy * r->P[1];
}

static double factor_of_v(const ic_impact *p, const ic_impact_result *r, int k)
{
    const double v = p->v[k] + W_P(p, r, k);
    return fabs(v) > IC_SAME_NUMBER * v_scale(p, r, k) ? r->v[k] / v : NAN;
}

/* Sweeps after which Gauss-Seidel is there where it has not converged. */
static double sweeps_to(const ic_impact *p, const ic_impact_result *r, bool x_first)
{
    double P[2];
    const double near = IC_SAME_NUMBER * ic_impulse_scale(p, r);
    if (!ic_rule_at_once(P, p) || hypot(r->P[0] - P[0], r->P[1] - P[1]) <= near) return NAN;
    const int sweeps = ic_rule_sweeps_to(r->P, p, x_first, near);
    return sweeps > 0 ? (double)sweeps : NAN;
}

#define IC_NUMBER(group_, name_, usual_, velocities_, expression_, ...)                                        \
    static double name_(const ic_impact *p, const ic_impact_result *r)                                         \
    {                                                                                                          \
        (void)p;                                                                                               \
        return expression_;                                                                                    \
    }
#include "audit/impact/impact_numbers.def"

typedef enum number_group { FRICTION, STEPS, RESTITUTION, ANSWERS, MASSES } number_group;

static const struct {
    number_group group;
    measure *measure;
    double usual;
    bool velocities;

    /* IC_CHANGE_NONE: no more */
    ic_change_kind kinds[4];
} shown[] = {
#define IC_NUMBER(group_, name_, usual_, velocities_, expression_, ...)                                        \
    {group_, name_, usual_, velocities_, {__VA_ARGS__}},
#include "audit/impact/impact_numbers.def"
};

/* ---- the candidates */

static void try_numbers(search *t, number_group group)
{
    for (size_t n = 0; n < IC_COUNT(shown); n++) {
        double found[MOST_NUMBERS];
        if (shown[n].group != group) continue;
        collect(t, shown[n].measure);
        const size_t many = find_frequent(t, shown[n].usual, found);
        for (size_t i = 0; i < many; i++) {
            for (const ic_change_kind *kind = shown[n].kinds; *kind != IC_CHANGE_NONE; kind++) {
                if (shown[n].velocities) try_both_velocities(t, *kind, found[i]);
                else try_change(t, *kind, found[i]);
            }
        }
    }
}

/* The coarsest of some units of which all numbers shown are multiples. */
static void try_rounding(search *t, measure *m, ic_change_kind kind)
{
    static const double units[] = {1,    0.5,   0.25, 0.2,  0.125, 0.1,   0.05,
                                   0.04, 0.025, 0.02, 0.01, 0.005, 0.002, 0.001};
    collect(t, m);
    for (size_t u = 0; u < IC_COUNT(units); u++) {
        size_t whole = 0;
        for (size_t i = 0; i < t->numbers->count; i++) {
            const double x = t->numbers->of[i] / units[u];
            whole += fabs(x - round(x)) <= IC_SAME_NUMBER * fmax(1, fabs(x));
        }
        if (whole < LEAST_SHOWN || 10 * whole < 9 * t->numbers->count) continue;
        try_change(t, kind, units[u]);
        try_change(t, kind, -units[u]);
        return;
    }
}

/* Impacts that have stopped and stick although mu is too small, or slide although it is not. */
static void try_static_bound(search *t)
{
    double sticks = 0, slides = INFINITY;
    for (size_t j = 0; j < IC_IMPACT_TRIALS; j++) {
        const ic_impact *p = &t->s->p[j];
        const ic_impact_result *r = &t->s->r[j];
        if (t->s->state[j] != IC_ANSWERED || p->mu == 0 || p->w_xy == 0) continue;
        const double needed = fabs(p->w_xy) / (p->mu * p->w_xx);
        if (fabs(r->v[0]) <= IC_SAME_NUMBER * ic_velocity_scale(p, r->P, r->v, 0))
            sticks = fmax(sticks, needed);
        else if (r->v[0] * p->v[0] <= 0) slides = fmin(slides, needed);
    }
    if (sticks > 0 && sticks < slides && isfinite(slides) && (sticks > 1 || slides < 1))
        try_change(t, IC_PATH_STATIC_MORE, 0.5 * (sticks + slides));
}

/* An impulse in other units, by a power of ten; another factor is one of masses. */
static void try_units(search *t)
{
    double found[MOST_NUMBERS];
    collect(t, factor_of_change);
    const size_t many = find_frequent(t, 1, found);
    for (size_t i = 0; i < many; i++) {
        const double power = log10(found[i]);
        if (fabs(power - round(power)) <= IC_SAME_NUMBER) try_change(t, IC_P_SCALED, 1 / found[i]);
    }
}

static void try_kinds(search *t, ic_change_kind from, ic_change_kind to)
{
    for (int k = (int)from; k <= (int)to; k++) {
        if (ic_change_has_number((ic_change_kind)k)) continue;
        if (k <= IC_V_SLIP_HELD) try_both_velocities(t, (ic_change_kind)k, 0);
        else try_change(t, (ic_change_kind)k, 0);
    }
}

/* ---- functions */

static void try_curve(search *t, size_t at, ic_change_kind kind, measure *shown, ic_curve_argument argument)
{
    ic_impact_curve *c = &t->tried->curves[at];
    c->argument = argument;
    c->count = 0;
    for (size_t j = 0; j < IC_IMPACT_SAMPLES; j++) {
        const ic_impact *p = &t->s->p[j];
        const double given = kind == IC_MU_CURVE ? p->mu : p->e,
                     x = ic_impact_curve_argument(argument, p, given);
        const double value = t->s->state[j] == IC_ANSWERED ? shown(p, &t->s->r[j]) : NAN;
        const double y = argument == IC_CURVE_OF_COEFFICIENT ? value : value / given;
        if (isfinite(x) && isfinite(y)) c->x[c->count] = x, c->y[c->count++] = y;
    }
    if (ic_impact_curve_fit(c)) add_change(t, (ic_impact_change){.kind = kind, .curve = c});
}

static void try_curves(search *t)
{
    for (int k = 0; k < IC_CURVE_ARGUMENTS; k++) {
        try_curve(t, (size_t)k, IC_MU_CURVE, mu_shown, (ic_curve_argument)k);
        if (k != IC_CURVE_OF_SLIP)
            try_curve(t, (size_t)IC_CURVE_ARGUMENTS + (size_t)k, IC_E_CURVE, e_of_P, (ic_curve_argument)k);
    }
}

static bool keeps_momentum(const ic_impact_samples *s, double tolerance)
{
    for (size_t j = 0; j < IC_IMPACT_SAMPLES; j++) {
        const ic_impact *p = &s->p[j];
        const ic_impact_result *r = &s->r[j];
        for (int k = 0; k < 2 && s->state[j] == IC_ANSWERED; k++) {
            if (!(fabs(r->v[k] - p->v[k] - W_P(p, r, k)) <= tolerance * ic_velocity_scale(p, r->P, r->v, k)))
                return false;
        }
    }
    return true;
}

void ic_impact_candidates(ic_changes_tried *tried, const ic_impact_samples *samples, double tolerance)
{
    search t = {tried, samples, malloc(sizeof(numbers))};
    tried->count = 0;
    tried->keep_momentum = keeps_momentum(samples, tolerance);
    if (t.numbers == NULL) return;
    /* friction and restitution first: some changes of W have the same effect in some impacts */
    try_kinds(&t, IC_MU_ZERO, IC_WHOLE_BOUND_PLASTIC);
    try_change(&t, IC_PATH_NEVER_STICKS, 1);
    try_change(&t, IC_PATH_NEVER_STICKS, -1);
    /* made plastic or elastic where nothing shows it alone */
    try_change(&t, IC_E_CONSTANT, 0);
    try_change(&t, IC_E_CONSTANT, 1);
    try_numbers(&t, FRICTION);
    try_rounding(&t, mu_shown, IC_MU_ROUNDED);
    try_static_bound(&t);
    try_numbers(&t, STEPS);
    try_numbers(&t, RESTITUTION);
    try_rounding(&t, e_of_v, IC_E_ROUNDED);
    try_rounding(&t, e_of_P, IC_E_ROUNDED);
    try_curves(&t);
    try_kinds(&t, IC_V_LIMITED, IC_V_SLIP_HELD);
    try_units(&t);
    try_numbers(&t, ANSWERS);
    try_kinds(&t, IC_W_UNCOUPLED, IC_W_DIAGONAL_MORE);
    try_numbers(&t, MASSES);
    try_kinds(&t, IC_P_X_SCALED, IC_OUT_V_CHANGE);
    free(t.numbers);
}
