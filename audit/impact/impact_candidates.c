/* SPDX-License-Identifier: MIT */
/*
 * The number of a change is taken from impacts that show it alone: the coefficient of friction from
 * those that slide on to the end, that of restitution from central ones. What is common to many of
 * them, and is not what it should be, is a candidate.
 */
#include "audit/impact/impact_candidates.h"

#include "audit/impact/published_rules.h"

#include <math.h>
#include <stdlib.h>

/* Numbers that differ by less, relative to them, are the same. */
#define SAME 1e-6
/* Impacts that must show a number. */
enum { SHOWN_LEAST = 3 };
/* The most frequent numbers that are tried. */
enum { NUMBERS_MOST = 2 };

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
    if (t->tried->count < IC_CHANGES_TRIED_MOST && isfinite(change.by))
        t->tried->of[t->tried->count++] = change;
}

static void try_change(search *t, ic_change_kind kind, double by)
{
    const bool factor = kind == IC_W_SCALED || kind == IC_W_XX_SCALED || kind == IC_W_YY_SCALED ||
                        kind == IC_MU_SCALED || kind == IC_P_X_SCALED || kind == IC_OUT_V_SCALED ||
                        kind == IC_OUT_V_X_SCALED || kind == IC_OUT_V_Y_SCALED || kind == IC_END_SCALED;
    if (factor && !(by > SAME && by < 1 / SAME)) return;
    add_change(t, (ic_impact_change){.kind = kind, .by = by});
}

static void try_both_velocities(search *t, ic_change_kind kind, double by)
{
    try_change(t, kind, by);
    add_change(t, (ic_impact_change){.kind = kind, .by = by, .true_velocity = true});
}

/* ---- frequent numbers */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The numbers but `usual` that are most frequent; how many. */
static size_t find_frequent(numbers *n, double usual, double found[NUMBERS_MOST])
{
    for (size_t k = 0; k < NUMBERS_MOST; k++) found[k] = NAN;
    size_t shown[NUMBERS_MOST] = {0}, many = 0;
    qsort(n->of, n->count, sizeof *n->of, compare);
    for (size_t i = 0, next; i < n->count; i = next) {
        for (next = i + 1; next < n->count && n->of[next] - n->of[i] <= SAME * fabs(n->of[i]); next++) continue;
        const double value = n->of[i + (next - i) / 2];
        if (next - i < SHOWN_LEAST || fabs(value - usual) <= SAME * fmax(fabs(usual), fabs(value))) continue;
        size_t at = many;
        while (at > 0 && shown[at - 1] < next - i) at--;
        for (size_t k = NUMBERS_MOST - 1; k > at; k--) shown[k] = shown[k - 1], found[k] = found[k - 1];
        if (at < NUMBERS_MOST) shown[at] = next - i, found[at] = value;
        many += many < NUMBERS_MOST;
    }
    return many;
}

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

/* ---- what impacts show; NAN: nothing */

static double central(const ic_impact *p, double x)
{
    return p->w_xy == 0 ? x : NAN;
}

static double slid(const ic_impact *p, const ic_impact_result *r, double x)
{
    return p->mu > 0 && r->P[1] != 0 && r->v[0] * p->v[0] > SAME * p->v[0] * p->v[0] ? x : NAN;
}

static double mu_shown(const ic_impact *p, const ic_impact_result *r)
{
    return slid(p, r, fabs(r->P[0] / r->P[1]));
}

static double mu_factor(const ic_impact *p, const ic_impact_result *r)
{
    return mu_shown(p, r) / p->mu;
}

static double mu_wrong(const ic_impact *p, const ic_impact_result *r)
{
    const double mu = r->P[1] > 0 ? fabs(r->P[0]) / r->P[1] : NAN;
    return fabs(mu - p->mu) > SAME ? mu : NAN;
}

static double e_of_v(const ic_impact *p, const ic_impact_result *r)
{
    return central(p, -r->v[1] / p->v[1]);
}

static double e_of_P(const ic_impact *p, const ic_impact_result *r)
{
    return central(p, -r->P[1] * p->w_yy / p->v[1] - 1);
}

static double e_wrong(const ic_impact *p, double e)
{
    return fabs(e - p->e) > SAME ? e : NAN;
}

static double e_of_v_wrong(const ic_impact *p, const ic_impact_result *r)
{
    return e_wrong(p, e_of_v(p, r));
}

static double e_of_P_wrong(const ic_impact *p, const ic_impact_result *r)
{
    return e_wrong(p, e_of_P(p, r));
}

static double e_factor_v(const ic_impact *p, const ic_impact_result *r)
{
    return e_of_v(p, r) / p->e;
}

static double e_factor_P(const ic_impact *p, const ic_impact_result *r)
{
    return e_of_P(p, r) / p->e;
}

static double e_more_v(const ic_impact *p, const ic_impact_result *r)
{
    return e_of_v_wrong(p, r) - p->e;
}

static double e_more_P(const ic_impact *p, const ic_impact_result *r)
{
    return e_of_P_wrong(p, r) - p->e;
}

static double W_P(const ic_impact *p, const ic_impact_result *r, int k)
{
    return k == 0 ? p->w_xx * r->P[0] + p->w_xy * r->P[1] : p->w_xy * r->P[0] + p->w_yy * r->P[1];
}

static double factor_of_change(const ic_impact *p, const ic_impact_result *r)
{
    return (r->v[1] - p->v[1]) / W_P(p, r, 1);
}

static double inverse_of_change(const ic_impact *p, const ic_impact_result *r)
{
    return 1 / factor_of_change(p, r);
}

static double factor_of_w_xx(const ic_impact *p, const ic_impact_result *r)
{
    return central(p, (r->v[0] - p->v[0]) / (p->w_xx * r->P[0]));
}

static double factor_of_w_xy(const ic_impact *p, const ic_impact_result *r)
{
    return (r->v[1] - p->v[1] - p->w_yy * r->P[1]) / (p->w_xy * r->P[0]);
}

/* the same if velocities are right: by the impulse of a central impact, and of one that sticks */
static double factor_of_impulse(const ic_impact *p, const ic_impact_result *r)
{
    return central(p, -(1 + p->e) * p->v[1] / (p->w_yy * r->P[1]));
}

static double factor_of_stop(const ic_impact *p, const ic_impact_result *r)
{
    return central(p, -p->v[0] / (p->w_xx * r->P[0]));
}

static double more_of_w_yy(const ic_impact *p, const ic_impact_result *r)
{
    return central(p, (r->v[1] - p->v[1]) / r->P[1] - p->w_yy);
}

static double more_of_w_yy_by_impulse(const ic_impact *p, const ic_impact_result *r)
{
    return central(p, -(1 + p->e) * p->v[1] / r->P[1] - p->w_yy);
}

static double v_x_believed(const ic_impact *p, const ic_impact_result *r)
{
    const double v = fabs(r->v[0] - W_P(p, r, 0));
    return fabs(v - fabs(p->v[0])) > SAME * ic_velocity_scale(p, r->P, r->v, 0) ? v : NAN;
}

static double v_y_believed(const ic_impact *p, const ic_impact_result *r)
{
    const double v = fabs(r->v[1] - W_P(p, r, 1));
    return fabs(v - fabs(p->v[1])) > SAME * ic_velocity_scale(p, r->P, r->v, 1) ? v : NAN;
}

static double v_y_by_impulse(const ic_impact *p, const ic_impact_result *r)
{
    const double v = r->P[1] * p->w_yy / (1 + p->e);
    return central(p, fabs(v + p->v[1]) > SAME * v ? v : NAN);
}

static double minus_v_x_after(const ic_impact *p, const ic_impact_result *r)
{
    (void)p;
    return r->v[0] != 0 ? -r->v[0] : NAN;
}

static double return_of_slip(const ic_impact *p, const ic_impact_result *r)
{
    return -r->v[0] / p->v[0];
}

static double return_by_e(const ic_impact *p, const ic_impact_result *r)
{
    return p->e > 0 ? return_of_slip(p, r) / p->e : NAN;
}

/* v_x/|v_y| that is found in v' where there is none, by the sign of w_xy */
static double slip_at_rest(const ic_impact *p, const ic_impact_result *r)
{
    const double v = (r->v[0] - W_P(p, r, 0)) / fabs(p->v[1]);
    return p->v[0] == 0 && fabs(v) > SAME ? v * copysign(1, p->w_xy) : NAN;
}

static double mu_factor_at_rest(const ic_impact *p, const ic_impact_result *r)
{
    const double small = SAME * ic_velocity_scale(p, r->P, r->v, 0);
    return p->v[0] == 0 && p->mu > 0 && fabs(r->v[0]) > small ? fabs(r->P[0] / r->P[1]) / p->mu : NAN;
}

static double factor_of_P_y(const ic_impact *p, const ic_impact_result *r)
{
    return central(p, -r->P[1] * p->w_yy / ((1 + p->e) * p->v[1]));
}

/* Sweeps after which Gauss-Seidel is there where it has not converged. */
static double sweeps_to(const ic_impact *p, const ic_impact_result *r, bool x_first)
{
    double P[2];
    const double near = SAME * ic_impulse_scale(p, r);
    if (!ic_rule_at_once(P, p) || hypot(r->P[0] - P[0], r->P[1] - P[1]) <= near) return NAN;
    const int sweeps = ic_rule_sweeps_to(r->P, p, x_first, near);
    return sweeps > 0 ? (double)sweeps : NAN;
}

static double sweeps_x_first(const ic_impact *p, const ic_impact_result *r)
{
    return sweeps_to(p, r, true);
}

static double sweeps_y_first(const ic_impact *p, const ic_impact_result *r)
{
    return sweeps_to(p, r, false);
}

static double v_y_after_plastic(const ic_impact *p, const ic_impact_result *r)
{
    return p->e == 0 && fabs(r->v[1]) > SAME * fabs(p->v[1]) ? r->v[1] : NAN;
}

static double normal_impulse(const ic_impact *p, const ic_impact_result *r)
{
    (void)p;
    return r->P[1];
}

static double P_x_without_friction(const ic_impact *p, const ic_impact_result *r)
{
    return p->mu == 0 && fabs(r->P[0]) > 0 ? r->P[0] : NAN;
}

static double factor_of_v_y(const ic_impact *p, const ic_impact_result *r)
{
    const double v = p->v[1] + W_P(p, r, 1);
    return fabs(v) > SAME * ic_velocity_scale(p, r->P, r->v, 1) ? r->v[1] / v : NAN;
}

static double factor_of_v_x(const ic_impact *p, const ic_impact_result *r)
{
    const double v = p->v[0] + W_P(p, r, 0);
    return fabs(v) > SAME * ic_velocity_scale(p, r->P, r->v, 0) ? r->v[0] / v : NAN;
}

/* ---- the candidates */

static void try_numbers(search *t, measure *m, double usual, const ic_change_kind *kinds, size_t n, bool both)
{
    double found[NUMBERS_MOST];
    collect(t, m);
    const size_t many = find_frequent(t->numbers, usual, found);
    for (size_t i = 0; i < many; i++) {
        for (size_t k = 0; k < n; k++) {
            if (both) try_both_velocities(t, kinds[k], found[i]);
            else try_change(t, kinds[k], found[i]);
        }
    }
}

#define TRY(t, m, usual, both, ...)                                                                            \
    do {                                                                                                       \
        static const ic_change_kind kinds_[] = {__VA_ARGS__};                                                  \
        try_numbers(t, m, usual, kinds_, IC_COUNT(kinds_), both);                                              \
    } while (0)

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
            whole += fabs(x - round(x)) <= SAME * fmax(1, fabs(x));
        }
        if (whole < SHOWN_LEAST || 10 * whole < 9 * t->numbers->count) continue;
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
        if (fabs(r->v[0]) <= SAME * ic_velocity_scale(p, r->P, r->v, 0)) sticks = fmax(sticks, needed);
        else if (r->v[0] * p->v[0] <= 0) slides = fmin(slides, needed);
    }
    if (sticks > 0 && sticks < slides && isfinite(slides) && (sticks > 1 || slides < 1))
        try_change(t, IC_PATH_STATIC_MORE, 0.5 * (sticks + slides));
}

static void try_numbers_of_friction(search *t)
{
    TRY(t, mu_factor, 1, false, IC_MU_SCALED, IC_P_X_SCALED);
    TRY(t, mu_shown, NAN, false, IC_MU_MOST, IC_MU_LEAST, IC_MU_CONSTANT);
    TRY(t, mu_wrong, NAN, false, IC_MU_MOST, IC_MU_LEAST);
    TRY(t, P_x_without_friction, 0, false, IC_P_X_MORE);
    try_rounding(t, mu_shown, IC_MU_ROUNDED);
    TRY(t, mu_factor_at_rest, 1, false, IC_PATH_STATIC_BACK, IC_PATH_STATIC_LEG, IC_PATH_STATIC_MORE);
    try_static_bound(t);
    TRY(t, sweeps_x_first, NAN, false, IC_WHOLE_SWEEPS_X);
    TRY(t, sweeps_y_first, NAN, false, IC_WHOLE_SWEEPS_Y);
}

static void try_numbers_of_restitution(search *t)
{
    TRY(t, e_of_v_wrong, NAN, false, IC_E_CONSTANT, IC_E_MOST, IC_E_LEAST);
    TRY(t, e_of_P_wrong, NAN, false, IC_E_CONSTANT, IC_E_MOST, IC_E_LEAST);
    TRY(t, e_factor_v, 1, false, IC_E_SCALED);
    TRY(t, e_factor_P, 1, false, IC_E_SCALED);
    TRY(t, e_more_v, 0, false, IC_E_SHIFTED);
    TRY(t, e_more_P, 0, false, IC_E_SHIFTED);
    TRY(t, v_y_after_plastic, 0, false, IC_END_SPEED_MORE);
    TRY(t, normal_impulse, NAN, false, IC_END_IMPULSE_LIMITED);
    TRY(t, factor_of_P_y, 1, false, IC_END_SCALED);
    try_rounding(t, e_of_v, IC_E_ROUNDED);
    try_rounding(t, e_of_P, IC_E_ROUNDED);
}

static void try_numbers_of_masses(search *t)
{
    TRY(t, factor_of_change, 1, false, IC_W_SCALED, IC_W_YY_SCALED);
    TRY(t, factor_of_w_xx, 1, false, IC_W_XX_SCALED);
    TRY(t, factor_of_w_xy, 1, false, IC_W_XY_SCALED);
    TRY(t, factor_of_impulse, 1, true, IC_W_SCALED, IC_W_YY_SCALED);
    TRY(t, factor_of_stop, 1, true, IC_W_XX_SCALED);
    TRY(t, more_of_w_yy, 0, false, IC_W_DIAGONAL_MORE);
    TRY(t, more_of_w_yy_by_impulse, 0, true, IC_W_DIAGONAL_MORE);
    TRY(t, v_x_believed, 0, true, IC_V_LIMITED);
    TRY(t, v_y_believed, 0, true, IC_V_LIMITED);
    TRY(t, v_y_by_impulse, 0, true, IC_V_LIMITED);
    TRY(t, minus_v_x_after, 0, false, IC_V_SHIFTED_X);
    TRY(t, return_of_slip, 0, true, IC_V_X_RETURNED);
    TRY(t, return_by_e, 0, true, IC_V_X_RETURNED_E);
    TRY(t, slip_at_rest, 0, false, IC_V_REST_SLIPS);
}

/* An impulse in other units, by a power of ten; another factor is one of masses. */
static void try_units(search *t)
{
    double found[NUMBERS_MOST];
    collect(t, inverse_of_change);
    const size_t many = find_frequent(t->numbers, 1, found);
    for (size_t i = 0; i < many; i++) {
        const double power = log10(found[i]);
        if (fabs(power - round(power)) <= SAME) try_change(t, IC_P_SCALED, found[i]);
    }
}

static void try_numbers_of_answers(search *t)
{
    try_units(t);
    TRY(t, factor_of_v_y, 1, false, IC_OUT_V_SCALED, IC_OUT_V_Y_SCALED);
    TRY(t, factor_of_v_x, 1, false, IC_OUT_V_X_SCALED);
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
    try_numbers_of_friction(&t);
    try_numbers_of_restitution(&t);
    try_curves(&t);
    try_kinds(&t, IC_V_LIMITED, IC_V_SLIP_HELD);
    try_numbers_of_answers(&t);
    try_kinds(&t, IC_W_UNCOUPLED, IC_W_DIAGONAL_MORE);
    try_numbers_of_masses(&t);
    try_kinds(&t, IC_P_X_SCALED, IC_OUT_V_CHANGE);
    free(t.numbers);
}
