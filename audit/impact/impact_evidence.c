/* SPDX-License-Identifier: MIT */
#include "audit/impact/impact_evidence.h"

#include "audit/common/tolerances.h"
#include "audit/impact/impact_trials.h"

#include <math.h>
#include <string.h>

/* A ratio of impulses is a power of ten if its logarithm is an integer within this difference. */
#define POWER_OF_TEN 1e-6

void ic_impact_evidence_begin(ic_impact_evidence *e)
{
    *e = (ic_impact_evidence){.factor_least = INFINITY, .slide_least = INFINITY, .e_least = INFINITY};
}

void ic_impact_note(ic_impact_evidence *e, ic_impact_measure measure, double value, size_t trial)
{
    if (value <= e->worst[measure].value) return;
    e->worst[measure].value = value;
    e->worst[measure].trial = trial;
}

double ic_impulse_scale(const ic_impact *p, const ic_impact_result *r)
{
    return hypot(r->P[0], r->P[1]) + fabs(p->v[1]) / p->w_yy;
}

/* ---- one result */

static void measure_balance(ic_impact_evidence *e, size_t i, const ic_impact *p, const ic_impact_result *r)
{
    const double scale = ic_impulse_scale(p, r), before = ic_impact_energy(p, p->v);
    const double lost = before - ic_impact_energy(p, r->v);
    double P[2];
    ic_impulse_of_velocities(P, p, r->v);
    ic_impact_note(e, IC_OF_MOMENTUM, hypot(P[0] - r->P[0], P[1] - r->P[1]) / (scale + hypot(P[0], P[1])), i);
    const double own = hypot(r->P[0], r->P[1]), factor = own > 0 ? hypot(P[0], P[1]) / own : INFINITY;
    e->factor_least = fmin(e->factor_least, factor);
    e->factor_most = fmax(e->factor_most, factor);
    ic_impact_note(e, IC_OF_ENERGY, -lost / before, i);
    ic_impact_note(e, IC_OF_SEPARATION, -r->v[1] / fabs(p->v[1]), i);
    ic_impact_note(e, IC_OF_WORK, fabs(r->D_N + r->D_T - lost) / before, i);
    e->has_work |= r->D_N != 0 || r->D_T != 0;
}

static void note_wrong_friction(ic_impact_evidence *e, const ic_impact *p, const ic_impact_result *r,
                                double P_x, ic_friction_end end)
{
    const double small = ic_tolerance_impact_map.value * ic_impulse_scale(p, r), P_y = fmax(r->P[1], 0);
    /* the sign of P_x from friction of the first slip */
    const double on = p->v[0] > 0 ? -1 : 1;
    e->wrong_friction++;
    e->stuck += fabs(r->P[0] - ic_sticking_impulse(p, P_y)) <= small;
    if (p->v[0] == 0) return;
    if (end == IC_STICKS) e->wrong_sticking++, e->through += r->v[0] * p->v[0] < 0;
    if (end == IC_SLIDES_BACK) e->wrong_reversal++, e->kept_sign += on * (r->P[0] - P_x) > 0;
}

static void measure_friction(ic_impact_evidence *e, size_t i, const ic_impact *p, const ic_impact_result *r)
{
    const double scale = ic_impulse_scale(p, r), P_y = fmax(r->P[1], 0);
    ic_friction_end end;
    const double P_x = ic_coulomb_impulse(p, P_y, &end), off = fabs(r->P[0] - P_x) / scale;
    ic_impact_note(e, IC_OF_FRICTION, off, i);
    ic_impact_note(e, IC_OF_CONE, (fabs(r->P[0]) - p->mu * r->P[1]) / scale, i);
    if (p->mu == 0) ic_impact_note(e, IC_OF_SMOOTH, fabs(r->P[0]) / scale, i);
    if (fabs(P_x) > ic_tolerance_impact_map.value * scale)
        e->with_friction++, e->without += fabs(r->P[0]) <= ic_tolerance_impact_map.value * scale;
    e->reversals += p->v[0] != 0 && end == IC_SLIDES_BACK;
    if (p->mu > 0 && P_y > 0 && p->v[0] != 0 &&
        r->v[0] * copysign(1, p->v[0]) > ic_tolerance_impact_map.value * fabs(p->v[0])) {
        const double ratio = fabs(r->P[0]) / (p->mu * P_y);
        e->slide_least = fmin(e->slide_least, ratio), e->slide_most = fmax(e->slide_most, ratio);
    }
    if (!(off <= ic_tolerance_impact_map.value)) {
        note_wrong_friction(e, p, r, P_x, end);
        return;
    }
    /* twice the energy of compression without friction */
    const double least = p->v[1] * p->v[1] / p->w_yy;
    const double D_N = ic_normal_work(p, P_y);
    ic_impact_note(e, IC_OF_NORMAL_ENERGY, -2 * D_N / least, i);
    ic_impact_note(e, IC_OF_NORMAL_WORK, fabs(r->D_N - D_N) / ic_impact_energy(p, p->v), i);
}

static void measure_restitution(ic_impact_evidence *e, size_t i, const ic_impact *p, const ic_impact_result *r)
{
    const double approach = fabs(p->v[1]);
    if (p->e == 0) ic_impact_note(e, IC_OF_PLASTIC, fabs(r->v[1]) / approach, i);
    if (p->w_xy == 0 && p->e > 0) {
        e->e_least = fmin(e->e_least, r->v[1] / approach / p->e);
        e->e_most = fmax(e->e_most, r->v[1] / approach / p->e);
    }
    if (p->w_xy == 0) ic_impact_note(e, IC_OF_CENTRAL, fabs(r->v[1] - p->e * approach) / approach, i);
}

/* ---- the path: v = v(0) + W P at each corner, D_N by trapezia, from the start to the result */

static double measure_corner(const ic_impact *p, const ic_impact_result *r, const ic_impact_point *from,
                             const ic_impact_point *to)
{
    const double scale = ic_impulse_scale(p, r), speed = hypot(p->v[0], p->v[1]) + hypot(r->v[0], r->v[1]);
    const double v_x = p->v[0] + p->w_xx * to->P[0] + p->w_xy * to->P[1];
    const double v_y = p->v[1] + p->w_xy * to->P[0] + p->w_yy * to->P[1];
    const double D_N = from->D_N - 0.5 * (from->v[1] + to->v[1]) * (to->P[1] - from->P[1]);
    const double backwards = fmax(0, from->P[1] - to->P[1]) / scale;
    return fmax(fmax(hypot(to->v[0] - v_x, to->v[1] - v_y) / speed, backwards),
                fabs(to->D_N - D_N) / ic_impact_energy(p, p->v));
}

static double measure_path(const ic_impact *p, const ic_impact_result *r)
{
    if (r->n_path < 2 || r->n_path > IC_IMPACT_CORNERS) return INFINITY;
    const ic_impact_point *first = &r->path[0], *last = &r->path[r->n_path - 1];
    const double scale = ic_impulse_scale(p, r), speed = hypot(p->v[0], p->v[1]) + hypot(r->v[0], r->v[1]);
    if (last->mode != IC_IMPACT_LIFTED_OFF) return INFINITY;
    double worst = hypot(first->P[0], first->P[1]) / scale;
    worst = fmax(worst, hypot(first->v[0] - p->v[0], first->v[1] - p->v[1]) / speed);
    worst = fmax(worst, hypot(last->P[0] - r->P[0], last->P[1] - r->P[1]) / scale);
    worst = fmax(worst, fabs(last->D_N - r->D_N) / ic_impact_energy(p, p->v));
    for (size_t k = 1; k < r->n_path; k++)
        worst = fmax(worst, measure_corner(p, r, &r->path[k - 1], &r->path[k]));
    return worst;
}

void ic_impact_judge(ic_impact_evidence *e, size_t i, const ic_impact *p, const ic_impact_result *r)
{
    ic_impact_keep(&e->answers, i, r);
    measure_balance(e, i, p, r);
    measure_friction(e, i, p, r);
    measure_restitution(e, i, p, r);
    ic_hypotheses_compare(&e->fits, p, r->P);
    if (r->n_path == 0) return;
    e->has_path = true;
    ic_impact_note(e, IC_OF_PATH, measure_path(p, r), i);
}

/* ---- likely causes */

bool ic_impact_fails(const ic_impact_evidence *e, ic_impact_measure measure)
{
    return !(e->worst[measure].value <= ic_tolerance_impact_map.value);
}

static bool in_other_units(const ic_impact_evidence *e)
{
    const double power = log10(e->factor_most);
    const bool constant = e->factor_most - e->factor_least <= ic_tolerance_impact_map.value * e->factor_most;
    return constant && fabs(power) > 0.5 && fabs(power - round(power)) <= POWER_OF_TEN;
}

/* The rebound of central impacts, which is e by every hypothesis, is e times a constant factor. */
static bool scales_restitution(const ic_impact_evidence *e)
{
    return e->e_most > 0 && e->e_most - e->e_least <= ic_tolerance_impact_map.value * e->e_most &&
           fabs(e->e_most - 1) > ic_tolerance_impact_map.value;
}

/* The mistake from which all other failures follow. */
static ic_mistake_id find_root(const ic_impact_evidence *e)
{
    if (e->worst[IC_OF_REPETITION].value > 0) return IC_MISTAKE_MEMORY_NOT_RESET;
    if (in_other_units(e)) return IC_MISTAKE_UNITS_MIXED;
    if (e->found.mistake != IC_NO_MISTAKE) return e->found.mistake;
    if (ic_impact_fails(e, IC_OF_MOMENTUM)) {
        const ic_mistake_id known = ic_momentum_explained(&e->answers);
        if (known != IC_NO_MISTAKE) return known;
        return ic_impact_fails(e, IC_OF_REFLECTION) ? IC_MISTAKE_NOT_INVARIANT : IC_MISTAKE_MOMENTUM_BROKEN;
    }
    if (ic_impact_fails(e, IC_OF_REFLECTION)) return IC_MISTAKE_NOT_INVARIANT;
    if (e->explained != IC_NO_MISTAKE) return e->explained;
    if (ic_impact_fails(e, IC_OF_MASS)) return IC_MISTAKE_NOT_INVARIANT;
    if (scales_restitution(e)) return IC_MISTAKE_RESTITUTION_WRONG;
    return ic_impact_fails(e, IC_OF_SLOWNESS) && e->stopped_bouncing == 0 ? IC_MISTAKE_NOT_INVARIANT
                                                                          : IC_NO_MISTAKE;
}

static ic_mistake_id find_friction_cause(const ic_impact_evidence *e)
{
    const double spread = e->slide_most - e->slide_least;
    if (find_root(e) != IC_NO_MISTAKE) return find_root(e);
    if (e->wrong_friction == 0) return IC_NO_MISTAKE;
    if (e->without == e->with_friction) return IC_MISTAKE_FRICTIONLESS;
    if (e->found.hypothesis == IC_NEWTON_AT_ONCE) return IC_MISTAKE_FRICTION_AT_ONCE;
    if (spread >= 0 && spread <= ic_tolerance_impact_map.value * e->slide_most &&
        fabs(e->slide_most - 1) > ic_tolerance_impact_map.value)
        return IC_MISTAKE_FRICTION_FACTOR;
    if (e->wrong_friction == e->stuck && e->wrong_reversal == e->reversals)
        return IC_MISTAKE_NO_REVERSE_SLIDING;
    if (ic_impact_fails(e, IC_OF_CONE)) return IC_MISTAKE_OUTSIDE_CONE;
    if (e->wrong_sticking > 0 && e->through == e->wrong_sticking) return IC_MISTAKE_FRICTION_REVERSES_SLIP;
    return e->wrong_reversal > 0 && e->kept_sign == e->wrong_reversal ? IC_MISTAKE_REVERSE_SLIDING_SIGN
                                                                      : IC_NO_MISTAKE;
}

static ic_mistake_id find_energy_cause(const ic_impact_evidence *e)
{
    if (find_root(e) != IC_NO_MISTAKE) return find_root(e);
    if (e->found.hypothesis == IC_NEWTON) return IC_MISTAKE_NEWTON_ENERGY_GAIN;
    const ic_mistake_id friction = find_friction_cause(e);
    return friction != IC_NO_MISTAKE ? friction : IC_MISTAKE_ENERGY_APPEARS;
}

static ic_mistake_id or_else(ic_mistake_id cause, ic_mistake_id other)
{
    return cause != IC_NO_MISTAKE ? cause : other;
}

ic_mistake_id ic_impact_cause(const ic_impact_evidence *e, ic_impact_measure measure)
{
    const ic_mistake_id ignored = e->e_counts == 0 ? IC_MISTAKE_RESTITUTION_IGNORED : IC_NO_MISTAKE;
    const ic_mistake_id threshold =
        e->stopped_bouncing > 0 ? IC_MISTAKE_RESTITUTION_THRESHOLD : IC_MISTAKE_NOT_INVARIANT;
    switch (measure) {
    case IC_OF_MOMENTUM: return find_root(e);
    case IC_OF_CONE:
    case IC_OF_SMOOTH: return or_else(find_friction_cause(e), IC_MISTAKE_OUTSIDE_CONE);
    case IC_OF_FRICTION: return find_friction_cause(e);
    case IC_OF_SEPARATION: return or_else(find_friction_cause(e), IC_MISTAKE_PENETRATES);
    case IC_OF_ENERGY: return find_energy_cause(e);
    case IC_OF_NORMAL_ENERGY:
        return e->found.hypothesis == IC_POISSON ? IC_MISTAKE_POISSON_NORMAL_GAIN : find_energy_cause(e);
    case IC_OF_PLASTIC:
    case IC_OF_CENTRAL: return or_else(ignored, find_root(e));
    case IC_OF_SLOWNESS: return or_else(e->stopped_bouncing > 0 ? IC_NO_MISTAKE : find_root(e), threshold);
    case IC_OF_WORK:
    case IC_OF_NORMAL_WORK:
    case IC_OF_PATH: return or_else(find_root(e), IC_MISTAKE_ENERGY_MISTOLD);
    default: return find_root(e); /* invariance and repetition */
    }
}

bool ic_impact_gain_is_poissons(const ic_impact_evidence *e, const char *name)
{
    return e->found.hypothesis == IC_POISSON && strcmp(name, ic_hypothesis_name(IC_STRONGE)) != 0;
}
