/* SPDX-License-Identifier: MIT */
/* Checks of an impact map on many impacts; each row tells the worst of them. */
#include "audit/guarded.h"
#include "audit/impact_trials.h"
#include "audit/plugin.h"
#include "core/registry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A map that integrates numerically to six digits passes; a mistake is wrong in the first three. */
#define TOLERANCE 1e-6
static const char *const digits =
    "six digits: a map that integrates numerically passes, mistakes are wrong in the first three";
/* How much worse the runner-up among hypotheses must fit. */
#define APART 10
/* Scales of the trials of invariance: powers of two, so that an answer which scales does so exactly. */
#define MASSES 1024.0
#define SLOW 0x1p-20
/* A ratio of impulses is a power of ten where its logarithm is an integer up to this. */
#define POWER_OF_TEN 1e-6

/* The greatest of a measure, and the impact that it belongs to. */
typedef struct worst {
    double value;
    size_t trial;
} worst;

enum {
    MOMENTUM,
    CONE,
    SEPARATION,
    ENERGY,
    NORMAL_ENERGY,
    FRICTION,
    MASS,
    SLOWNESS,
    REFLECTION,
    PLASTIC,
    CENTRAL,
    SMOOTH,
    WORK,
    MEASURES
};
enum { NEWTON, POISSON, STRONGE, NO_FRICTION, HYPOTHESES };
static const char *const hypotheses[HYPOTHESES] = {"newton", "poisson", "stronge", "frictionless"};

typedef struct study {
    ic_sink *sink;
    const ic_impact_map *map;
    size_t refused, not_finite, damage;
    worst worst[MEASURES];
    double misfit[HYPOTHESES];        /* greatest deviation of P over the impulse */
    double factor_least, factor_most; /* impulse by velocities over the impulse told */
    size_t wrong_sticking, wrong_reversal, kept_sign_sticking, kept_sign_reversal, with_friction, without;
    size_t stopped_bouncing; /* slow impacts that end without rebound, and should not */
    size_t e_counts;         /* impacts in which e changes v_y' */
    bool work_told;
} study;

static void note(study *s, int measure, double value, size_t trial)
{
    if (!(value <= s->worst[measure].value)) s->worst[measure] = (worst){value, trial};
}

/* ---- calling it */

static bool is_finite(const ic_impact_result *r)
{
    return isfinite(r->v[0]) && isfinite(r->v[1]) && isfinite(r->P[0]) && isfinite(r->P[1]);
}

static ic_status call(study *s, ic_impact_result *result, const ic_impact *impact)
{
    ic_guarded in, out;
    ic_status status = IC_NO_MEMORY;
    const bool good = ic_guarded_open(&in, sizeof *impact, impact, true);
    if (good && ic_guarded_open(&out, sizeof *result, NULL, false)) {
        status = s->map->map(out.data, in.data);
        s->damage += ic_guarded_damage(&in) + ic_guarded_damage(&out);
        memcpy(result, out.data, sizeof *result);
        ic_guarded_close(&out);
    }
    if (good) ic_guarded_close(&in);
    return status;
}

/* An answer that can be judged. */
static bool answer(study *s, ic_impact_result *result, const ic_impact *impact)
{
    const ic_status status = call(s, result, impact);
    s->refused += status != IC_OK;
    if (status != IC_OK) return false;
    s->not_finite += !is_finite(result);
    return is_finite(result);
}

/* ---- one impact */

static double impulse_scale(const ic_impact *p, const ic_impact_result *r)
{
    return hypot(r->P[0], r->P[1]) + fabs(p->v[1]) / p->w_yy;
}

/* Change of an answer against the one expected from another, over the size of the latter. */
static double change(const ic_impact_result *r, const ic_impact_result *expected, const ic_impact *p)
{
    const double speed = hypot(p->v[0], p->v[1]) + hypot(expected->v[0], expected->v[1]);
    return fmax(hypot(r->P[0] - expected->P[0], r->P[1] - expected->P[1]) / impulse_scale(p, expected),
                hypot(r->v[0] - expected->v[0], r->v[1] - expected->v[1]) / speed);
}

static void judge_balance(study *s, size_t i, const ic_impact *p, const ic_impact_result *r)
{
    const double scale = impulse_scale(p, r), before = ic_impact_energy(p, p->v);
    double P[2];
    ic_impulse_of_velocities(P, p, r->v);
    note(s, MOMENTUM, hypot(P[0] - r->P[0], P[1] - r->P[1]) / (scale + hypot(P[0], P[1])), i);
    const double told = hypot(r->P[0], r->P[1]), factor = told > 0 ? hypot(P[0], P[1]) / told : INFINITY;
    s->factor_least = fmin(s->factor_least, factor);
    s->factor_most = fmax(s->factor_most, factor);
    note(s, ENERGY, (ic_impact_energy(p, r->v) - before) / before, i);
    note(s, SEPARATION, -r->v[1] / fabs(p->v[1]), i);
    note(s, WORK, fabs(r->D_N + r->D_T - (before - ic_impact_energy(p, r->v))) / before, i);
    s->work_told |= r->D_N != 0 || r->D_T != 0;
}

static void judge_friction(study *s, size_t i, const ic_impact *p, const ic_impact_result *r)
{
    const double scale = impulse_scale(p, r), P_y = fmax(r->P[1], 0);
    ic_friction_end end;
    const double P_x = ic_coulomb_impulse(p, P_y, &end), off = fabs(r->P[0] - P_x) / scale;
    const double kept = p->v[0] > 0 ? -p->mu * P_y : p->mu * P_y; /* as if it slid on */
    const bool wrong = !(off <= TOLERANCE), keeps = fabs(r->P[0] - kept) <= TOLERANCE * scale;
    note(s, FRICTION, off, i);
    note(s, CONE, (fabs(r->P[0]) - p->mu * r->P[1]) / scale, i);
    if (p->mu == 0) note(s, SMOOTH, fabs(r->P[0]) / scale, i);
    if (wrong && p->v[0] != 0 && end == IC_STICKS) s->wrong_sticking++, s->kept_sign_sticking += keeps;
    if (wrong && p->v[0] != 0 && end == IC_SLIDES_BACK) s->wrong_reversal++, s->kept_sign_reversal += keeps;
    if (fabs(P_x) > TOLERANCE * scale) s->with_friction++, s->without += fabs(r->P[0]) <= TOLERANCE * scale;
    const double least = p->v[1] * p->v[1] / p->w_yy; /* twice the energy of compression without friction */
    if (!wrong) note(s, NORMAL_ENERGY, -2 * ic_normal_work(p, P_y) / least, i);
}

static void judge_restitution(study *s, size_t i, const ic_impact *p, const ic_impact_result *r)
{
    const double approach = fabs(p->v[1]);
    if (p->e == 0) note(s, PLASTIC, fabs(r->v[1]) / approach, i);
    if (p->w_xy == 0) note(s, CENTRAL, fabs(r->v[1] - p->e * approach) / approach, i);
}

static void judge_invariance(study *s, size_t i, const ic_impact *p, const ic_impact_result *r)
{
    ic_impact q = *p;
    ic_impact_result other, expected = *r;
    q.w_xx /= MASSES, q.w_xy /= MASSES, q.w_yy /= MASSES;
    expected.P[0] *= MASSES, expected.P[1] *= MASSES;
    if (answer(s, &other, &q)) note(s, MASS, change(&other, &expected, &q), i);
    q = *p, expected = *r;
    for (int k = 0; k < 2; k++) q.v[k] *= SLOW, expected.v[k] *= SLOW, expected.P[k] *= SLOW;
    if (answer(s, &other, &q)) {
        note(s, SLOWNESS, change(&other, &expected, &q), i);
        s->stopped_bouncing += fabs(other.v[1]) <= TOLERANCE * fabs(q.v[1]) && r->v[1] > 0.01 * fabs(p->v[1]);
    }
    q = *p, expected = *r;
    q.v[0] = -q.v[0], q.w_xy = -q.w_xy;
    expected.v[0] = -expected.v[0], expected.P[0] = -expected.P[0];
    if (answer(s, &other, &q)) note(s, REFLECTION, change(&other, &expected, &q), i);
    q = *p;
    q.e = p->e > 0.5 ? 0.25 : 0.75;
    if (answer(s, &other, &q)) s->e_counts += fabs(other.v[1] - r->v[1]) > TOLERANCE * fabs(p->v[1]);
}

static void compare(study *s, const ic_impact *p, const ic_impact_result *r)
{
    for (int h = 0; h < HYPOTHESES; h++) {
        ic_impact_result known = {.P = {0, (1 + p->e) * fabs(p->v[1]) / p->w_yy}};
        if (h != NO_FRICTION && ic_impact_map_find(hypotheses[h])->map(&known, p) != IC_OK) continue;
        const double off = hypot(r->P[0] - known.P[0], r->P[1] - known.P[1]) / impulse_scale(p, &known);
        s->misfit[h] = fmax(s->misfit[h], off);
    }
}

static void run_trials(study *s)
{
    for (size_t i = 0; i < IC_IMPACT_TRIALS; i++) {
        const ic_impact p = ic_impact_trial(i);
        ic_impact_result r;
        if (!answer(s, &r, &p)) continue;
        judge_balance(s, i, &p, &r);
        judge_friction(s, i, &p, &r);
        judge_restitution(s, i, &p, &r);
        judge_invariance(s, i, &p, &r);
        compare(s, &p, &r);
    }
}

/* Impacts that are none: they separate, gain, pull, or have a mass that is not positive. */
static size_t count_faults_taken(study *s)
{
    const ic_impact good = ic_impact_trial(1);
    ic_impact faulty[] = {good, good, good, good};
    size_t taken = 0;
    faulty[0].v[1] = 1;
    faulty[1].e = 1.5;
    faulty[2].mu = -0.5;
    faulty[3].w_xy = 2 * sqrt(good.w_xx * good.w_yy);
    for (size_t i = 0; i < IC_COUNT(faulty); i++) {
        ic_impact_result result;
        taken += call(s, &result, &faulty[i]) == IC_OK;
    }
    return taken;
}

/* ---- what it is */

static int classify(study *s)
{
    ic_classification c = {.question = "impact hypothesis", .count = HYPOTHESES};
    for (size_t h = 0; h < HYPOTHESES; h++)
        c.candidates[h] = (ic_candidate){hypotheses[h], s->misfit[h] / TOLERANCE};
    ic_classification_decide(&c, 1, APART);
    if (c.decided)
        snprintf(c.detail, sizeof c.detail, "%d impacts; misfit 1 is a deviation of 1e-6 of the impulse",
                 IC_IMPACT_TRIALS);
    else
        snprintf(c.detail, sizeof c.detail,
                 "none of these: the nearest is off by %.2g of the impulse in the worst of %d impacts",
                 c.candidates[0].misfit * TOLERANCE, IC_IMPACT_TRIALS);
    ic_sink_classify(s->sink, &c);
    for (int h = 0; c.decided && h < HYPOTHESES; h++) {
        if (strcmp(c.candidates[0].name, hypotheses[h]) == 0) return h;
    }
    return HYPOTHESES;
}

/* ---- likely causes */

static ic_mistake_id momentum_cause(const study *s)
{
    const double power = log10(s->factor_most);
    const bool constant = s->factor_most - s->factor_least <= TOLERANCE * s->factor_most;
    const bool of_ten = fabs(power) > 0.5 && fabs(power - round(power)) <= POWER_OF_TEN;
    return constant && of_ten ? IC_MISTAKE_UNITS_MIXED : IC_NO_MISTAKE;
}

static ic_mistake_id friction_cause(const study *s)
{
    if (momentum_cause(s) != IC_NO_MISTAKE) return momentum_cause(s);
    if (s->worst[CONE].value > TOLERANCE) return IC_MISTAKE_OUTSIDE_CONE;
    if (s->with_friction > 0 && s->without == s->with_friction) return IC_MISTAKE_FRICTIONLESS;
    if (s->wrong_sticking > 0 && s->kept_sign_sticking == s->wrong_sticking)
        return IC_MISTAKE_FRICTION_REVERSES_SLIP;
    if (s->wrong_reversal > 0 && s->kept_sign_reversal == s->wrong_reversal)
        return IC_MISTAKE_REVERSE_SLIDING_SIGN;
    return IC_NO_MISTAKE;
}

static ic_mistake_id energy_cause(const study *s, int hypothesis)
{
    if (hypothesis == NEWTON) return IC_MISTAKE_NEWTON_ENERGY_GAIN;
    const ic_mistake_id friction = friction_cause(s);
    return friction != IC_NO_MISTAKE ? friction : IC_MISTAKE_ENERGY_APPEARS;
}

static ic_mistake_id slow_cause(const study *s)
{
    return s->stopped_bouncing > 0 ? IC_MISTAKE_RESTITUTION_THRESHOLD : IC_MISTAKE_NOT_INVARIANT;
}

/* ---- the rows */

static void tell(study *s, ic_plugin_check check, int measure, ic_mistake_id cause)
{
    const worst *w = &s->worst[measure];
    const ic_impact p = ic_impact_trial(w->trial);
    const ic_measured measured = {w->value, TOLERANCE, digits, cause};
    ic_sink_measure(s->sink, check, &measured,
                    "worst of %d impacts: v = (%.4g, %.4g) m/s, W = (%.4g, %.4g, %.4g)/kg, mu = %.3g, e = %.3g",
                    IC_IMPACT_TRIALS, p.v[0], p.v[1], p.w_xx, p.w_xy, p.w_yy, p.mu, p.e);
}

static void tell_claim(study *s, int hypothesis)
{
    for (int h = 0; h < NO_FRICTION; h++) {
        if (strcmp(s->map->name, hypotheses[h]) != 0) continue;
        const ic_mistake_id cause = hypothesis == NEWTON        ? IC_MISTAKE_NEWTON_ENERGY_GAIN
                                    : hypothesis == NO_FRICTION ? IC_MISTAKE_FRICTIONLESS
                                                                : friction_cause(s);
        const ic_measured measured = {s->misfit[h], TOLERANCE, digits, cause};
        ic_sink_measure(s->sink, IC_CHECK_MAP_CLAIM, &measured, "its name is '%s', and it is %s", hypotheses[h],
                        hypothesis < HYPOTHESES ? hypotheses[hypothesis] : "none that is known");
    }
}

static void tell_basics(study *s, size_t faults_taken)
{
    const ic_measured damage = {(double)s->damage, 0, "none may change", IC_MISTAKE_WRITES_OUT_OF_BOUNDS};
    const ic_measured finite = {(double)s->not_finite, 0, "none", IC_MISTAKE_NOT_FINITE};
    const ic_measured refused = {(double)(s->refused + faults_taken), 0, "none", IC_NO_MISTAKE};
    ic_sink_measure(s->sink, IC_CHECK_BOUNDS, &damage,
                    "bytes around the result, and of the impact it is given");
    ic_sink_measure(s->sink, IC_CHECK_FINITE, &finite,
                    "answers with IC_OK and a velocity or impulse that is none");
    ic_sink_measure(
        s->sink, IC_CHECK_MAP_ANSWERS, &refused,
        "%zu good impacts refused; %zu of 4 faulty ones (v_y > 0, e > 1, mu < 0, W indefinite) taken",
        s->refused, faults_taken);
}

static void tell_all(study *s)
{
    const int hypothesis = classify(s);
    const ic_mistake_id friction = friction_cause(s);
    const ic_mistake_id ignored = s->e_counts == 0 ? IC_MISTAKE_RESTITUTION_IGNORED : IC_NO_MISTAKE;
    tell(s, IC_CHECK_MAP_MOMENTUM, MOMENTUM, momentum_cause(s));
    tell(s, IC_CHECK_MAP_CONE, CONE, IC_MISTAKE_OUTSIDE_CONE);
    tell(s, IC_CHECK_MAP_FRICTION, FRICTION, friction);
    tell(s, IC_CHECK_MAP_FRICTIONLESS, SMOOTH, IC_MISTAKE_OUTSIDE_CONE);
    tell(s, IC_CHECK_MAP_SEPARATION, SEPARATION, IC_MISTAKE_PENETRATES);
    tell(s, IC_CHECK_MAP_ENERGY, ENERGY, energy_cause(s, hypothesis));
    tell(s, IC_CHECK_MAP_NORMAL_ENERGY, NORMAL_ENERGY,
         hypothesis == POISSON ? IC_MISTAKE_POISSON_NORMAL_GAIN : energy_cause(s, hypothesis));
    tell(s, IC_CHECK_MAP_PLASTIC, PLASTIC, ignored);
    tell(s, IC_CHECK_MAP_RESTITUTION, CENTRAL, ignored);
    tell(s, IC_CHECK_MAP_UNITS_OF_MASS, MASS, IC_MISTAKE_NOT_INVARIANT);
    tell(s, IC_CHECK_MAP_SLOW, SLOWNESS, slow_cause(s));
    tell(s, IC_CHECK_MAP_REFLECTION, REFLECTION, IC_MISTAKE_NOT_INVARIANT);
    if (s->work_told) tell(s, IC_CHECK_MAP_WORK, WORK, IC_NO_MISTAKE);
    else ic_sink_open(s->sink, IC_CHECK_MAP_WORK, NAN, "it tells neither D_N nor D_T");
    tell_claim(s, hypothesis);
}

void ic_audit_impact_map(ic_sink *sink, const ic_impact_map *map)
{
    study s = {.sink = sink, .map = map, .factor_least = INFINITY, .factor_most = 0};
    ic_sink_doing(sink, "an impact");
    run_trials(&s);
    ic_sink_doing(sink, "an impact that is none");
    tell_basics(&s, count_faults_taken(&s));
    if (s.refused + s.not_finite < IC_IMPACT_TRIALS) tell_all(&s);
}
