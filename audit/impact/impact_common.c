/* SPDX-License-Identifier: MIT */
#include "audit/impact/impact_common.h"

#include <math.h>
#include <stdio.h>

/*
 * A property ("v_x = 0") is told of the chosen trials if at least this part of all trials that have it is chosen, and if
 * at least this part of all trials does not have it.
 */
#define MEMBERS_LEAST 0.5
#define OTHERS_LEAST 0.1

/* ---- properties that hold or do not */

static ic_friction_end end_of(const ic_impact *p)
{
    ic_friction_end end;
    ic_coulomb_impulse(p, -p->v[1] * (1 + p->e) / p->w_yy, &end);
    return end;
}

static bool no_slip(const ic_impact *p)
{
    return p->v[0] == 0;
}
static bool slips_right(const ic_impact *p)
{
    return p->v[0] > 0;
}
static bool slips_left(const ic_impact *p)
{
    return p->v[0] < 0;
}
static bool is_central(const ic_impact *p)
{
    return p->w_xy == 0;
}
static bool coupling_positive(const ic_impact *p)
{
    return p->w_xy > 0;
}
static bool coupling_negative(const ic_impact *p)
{
    return p->w_xy < 0;
}
static bool is_smooth(const ic_impact *p)
{
    return p->mu == 0;
}
static bool is_plastic(const ic_impact *p)
{
    return p->e == 0;
}
static bool is_elastic(const ic_impact *p)
{
    return p->e == 1;
}
static bool slides_on(const ic_impact *p)
{
    return end_of(p) == IC_SLIDES_ON;
}
static bool sticks(const ic_impact *p)
{
    return end_of(p) == IC_STICKS;
}
static bool slides_back(const ic_impact *p)
{
    return end_of(p) == IC_SLIDES_BACK;
}

static const struct {
    bool (*holds)(const ic_impact *p);
    ic_common_kind kind;
    const char *text;
} properties[] = {
    {no_slip, IC_COMMON_NO_SLIP, "v_x = 0"},
    {is_smooth, IC_COMMON_SMALL_MU, "mu = 0"},
    {is_plastic, IC_COMMON_OTHER, "e = 0"},
    {is_elastic, IC_COMMON_OTHER, "e = 1"},
    {is_central, IC_COMMON_OTHER, "w_xy = 0"},
    {slips_right, IC_COMMON_SIDE, "v_x > 0"},
    {slips_left, IC_COMMON_SIDE, "v_x < 0"},
    {coupling_positive, IC_COMMON_SIDE, "w_xy > 0"},
    {coupling_negative, IC_COMMON_SIDE, "w_xy < 0"},
    {slides_on, IC_COMMON_OTHER, "the slip lasts to the end"},
    {sticks, IC_COMMON_OTHER, "the slip stops and the contact sticks"},
    {slides_back, IC_COMMON_OTHER, "the slip stops and reverses"},
};

/* ---- numbers beyond a bound */

static double slip_of(const ic_impact *p)
{
    return p->v[0] != 0 ? fabs(p->v[0]) : NAN; /* no slip is not slow slip */
}
static double approach_of(const ic_impact *p)
{
    return fabs(p->v[1]);
}
static double speed_of(const ic_impact *p)
{
    return fmax(fabs(p->v[0]), fabs(p->v[1]));
}
static double mu_of(const ic_impact *p)
{
    return p->mu > 0 ? p->mu : NAN;
}
static double e_of(const ic_impact *p)
{
    return p->e;
}
static double w_yy_of(const ic_impact *p)
{
    return p->w_yy;
}
static double ratio_of(const ic_impact *p)
{
    return p->w_xx / p->w_yy;
}
static double coupling_of(const ic_impact *p)
{
    return fabs(p->w_xy) / sqrt(p->w_xx * p->w_yy);
}
static double determinant_of(const ic_impact *p)
{
    return p->w_xx * p->w_yy - p->w_xy * p->w_xy;
}

static const struct {
    double (*of)(const ic_impact *p);

    /* of small and of great numbers */
    ic_common_kind small, great;

    const char *name;
} numbers[] = {
    {mu_of, IC_COMMON_SMALL_MU, IC_COMMON_OTHER, "mu"},
    {e_of, IC_COMMON_OTHER, IC_COMMON_OTHER, "e"},
    {approach_of, IC_COMMON_SLOW, IC_COMMON_SIZE, "|v_y|"},
    {slip_of, IC_COMMON_SLOW_SLIP, IC_COMMON_SIZE, "|v_x|"},
    {speed_of, IC_COMMON_SLOW, IC_COMMON_SIZE, "the greater of |v_x| and |v_y|"},
    {w_yy_of, IC_COMMON_SIZE, IC_COMMON_SIZE, "w_yy"},
    {ratio_of, IC_COMMON_OTHER, IC_COMMON_OTHER, "w_xx/w_yy"},
    {coupling_of, IC_COMMON_OTHER, IC_COMMON_OTHER, "|w_xy|/sqrt(w_xx w_yy)"},
    {determinant_of, IC_COMMON_SIZE, IC_COMMON_SIZE, "w_xx w_yy - w_xy^2"},
};

/* ---- the property that tells most */

typedef struct choice {
    const bool *chosen, *among;
    ic_impact p[IC_IMPACT_TRIALS];
    size_t n_chosen, n_among;
    ic_common best;
} choice;

static bool tells_more(const choice *c, size_t members)
{
    return (double)c->n_chosen >= MEMBERS_LEAST * (double)members &&
           (double)(c->n_among - members) >= OTHERS_LEAST * (double)c->n_among &&
           (c->best.kind == IC_COMMON_NOTHING || members < c->best.members);
}

static void try_property(choice *c, size_t k)
{
    size_t members = 0;
    for (size_t i = 0; i < IC_IMPACT_TRIALS; i++) {
        const bool holds = properties[k].holds(&c->p[i]);
        if (c->chosen[i] && !holds) return;
        members += c->among[i] && holds;
    }
    if (!tells_more(c, members)) return;
    c->best = (ic_common){.kind = properties[k].kind, .members = members};
    snprintf(c->best.text, sizeof c->best.text, "%s", properties[k].text);
}

static void try_bounds(choice *c, size_t k)
{
    double least = INFINITY, most = -INFINITY, next = INFINITY, last = -INFINITY;
    size_t below = 0, above = 0;
    for (size_t i = 0; i < IC_IMPACT_TRIALS; i++) {
        const double x = numbers[k].of(&c->p[i]);
        if (c->chosen[i] && isnan(x)) return;
        if (c->chosen[i]) least = fmin(least, x), most = fmax(most, x);
    }
    for (size_t i = 0; i < IC_IMPACT_TRIALS; i++) {
        const double x = numbers[k].of(&c->p[i]);
        below += c->among[i] && x <= most, above += c->among[i] && x >= least;
        if (c->among[i] && x > most) next = fmin(next, x);
        if (c->among[i] && x < least) last = fmax(last, x);
    }
    if (tells_more(c, below)) {
        c->best = (ic_common){.kind = numbers[k].small, .members = below};
        snprintf(c->best.text, sizeof c->best.text, "%s <= %.4g (not at %.4g)", numbers[k].name, most, next);
    }
    if (tells_more(c, above)) {
        c->best = (ic_common){.kind = numbers[k].great, .members = above};
        snprintf(c->best.text, sizeof c->best.text, "%s >= %.4g (not at %.4g)", numbers[k].name, least, last);
    }
}

ic_common ic_impact_common(const bool chosen[IC_IMPACT_TRIALS], const bool among[IC_IMPACT_TRIALS])
{
    choice c = {.chosen = chosen, .among = among};
    for (size_t i = 0; i < IC_IMPACT_TRIALS; i++) {
        c.p[i] = ic_impact_trial(i);
        c.n_chosen += chosen[i], c.n_among += among[i];
    }
    if (c.n_chosen == 0) return c.best;
    for (size_t k = 0; k < IC_COUNT(properties); k++) try_property(&c, k);
    for (size_t k = 0; k < IC_COUNT(numbers); k++) try_bounds(&c, k);
    return c.best;
}
