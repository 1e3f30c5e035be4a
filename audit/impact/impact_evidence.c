/* SPDX-License-Identifier: MIT */
#include "audit/impact/impact.h"

#include "audit/common/tolerances.h"

#include <math.h>

/* ---- one result */

static void measure_balance(double *m, const ic_impact *p, const ic_impact_result *r)
{
    const double before = ic_impact_energy(p, p->v), lost = before - ic_impact_energy(p, r->v);
    const double v[2] = {p->v[0] + p->w_xx * r->P[0] + p->w_xy * r->P[1],
                         p->v[1] + p->w_xy * r->P[0] + p->w_yy * r->P[1]};
    for (int k = 0; k < 2; k++)
        m[IC_OF_MOMENTUM] = fmax(m[IC_OF_MOMENTUM], fabs(r->v[k] - v[k]) / ic_velocity_scale(p, r->P, r->v, k));
    m[IC_OF_ENERGY] = -lost / before;
    m[IC_OF_SEPARATION] = -r->v[1] / fabs(p->v[1]);
    m[IC_OF_WORK] = fabs(r->D_N + r->D_T - lost) / (2 * before - lost);
}

static void measure_friction(double *m, const ic_impact *p, const ic_impact_result *r)
{
    const double scale = ic_impulse_scale(p, r), P_y = fmax(r->P[1], 0);
    ic_friction_end end;
    m[IC_OF_FRICTION] = fabs(r->P[0] - ic_coulomb_impulse(p, P_y, &end)) / scale;
    m[IC_OF_CONE] = (fabs(r->P[0]) - p->mu * r->P[1]) / scale;
    if (p->mu == 0) m[IC_OF_SMOOTH] = fabs(r->P[0]) / scale;
    if (!(m[IC_OF_FRICTION] <= ic_tolerance_impact_map.value)) return;
    /* twice the energy of compression without friction */
    const double least = p->v[1] * p->v[1] / p->w_yy, D_N = ic_normal_work(p, P_y);
    m[IC_OF_NORMAL_ENERGY] = -2 * D_N / least;
    m[IC_OF_NORMAL_WORK] = fabs(r->D_N - D_N) / ic_impact_energy(p, p->v);
}

static void measure_restitution(double *m, const ic_impact *p, const ic_impact_result *r)
{
    const double approach = fabs(p->v[1]);
    if (p->e == 0) m[IC_OF_PLASTIC] = fabs(r->v[1]) / approach;
    if (p->w_xy == 0) m[IC_OF_CENTRAL] = fabs(r->v[1] - p->e * approach) / approach;
}

/* ---- a result and those of its variants */

static bool is_answered(const ic_impact_samples *s, size_t trial, ic_impact_variant variant)
{
    return trial < IC_IMPACT_USUAL && s->state[ic_impact_sample_of(trial, variant)] == IC_ANSWERED;
}

ic_impact_result ic_impact_carried_over(const ic_impact_result *r, ic_impact_variant variant)
{
    ic_impact_result q = *r;
    if (variant == IC_HEAVIER) q.P[0] *= IC_HEAVIER_BY, q.P[1] *= IC_HEAVIER_BY;
    if (variant == IC_REFLECTED) q.v[0] = -q.v[0], q.P[0] = -q.P[0];
    for (int k = 0; k < 2 && variant == IC_SLOWER; k++) q.v[k] *= IC_SLOWER_BY, q.P[k] *= IC_SLOWER_BY;
    return q;
}

ic_impact_variant ic_impact_measured_on(ic_impact_measure measure)
{
    switch (measure) {
    case IC_OF_MASS: return IC_HEAVIER;
    case IC_OF_SLOWNESS: return IC_SLOWER;
    case IC_OF_REFLECTION: return IC_REFLECTED;
    default: return IC_AS_GIVEN;
    }
}

/* Difference of the result of a variant from the expected one, divided by the magnitude of that. */
static double compare_variant(const ic_impact_samples *s, size_t i, ic_impact_variant variant)
{
    const size_t j = ic_impact_sample_of(i, variant);
    const ic_impact *p = &s->p[j];
    const ic_impact_result *r = &s->r[j];
    const ic_impact_result expected = ic_impact_carried_over(&s->r[i], variant);
    if (!is_answered(s, i, variant)) return 0;
    const double speed = hypot(p->v[0], p->v[1]) + hypot(expected.v[0], expected.v[1]);
    return fmax(hypot(r->P[0] - expected.P[0], r->P[1] - expected.P[1]) / ic_impulse_scale(p, &expected),
                hypot(r->v[0] - expected.v[0], r->v[1] - expected.v[1]) / speed);
}

static void measure_trial(double *m, const ic_impact_samples *s, size_t i)
{
    const ic_impact *p = &s->p[i];
    const ic_impact_result *r = &s->r[i];
    for (int k = 0; k < IC_IMPACT_MEASURES; k++) m[k] = 0;
    if (s->state[i] != IC_ANSWERED) return;
    measure_balance(m, p, r);
    measure_friction(m, p, r);
    measure_restitution(m, p, r);
    m[IC_OF_MASS] = compare_variant(s, i, IC_HEAVIER);
    m[IC_OF_SLOWNESS] = compare_variant(s, i, IC_SLOWER);
    m[IC_OF_REFLECTION] = compare_variant(s, i, IC_REFLECTED);
    if (r->n_path > 0) m[IC_OF_PATH] = ic_impact_path_off(p, r, true);
}

double ic_impact_measured(const ic_impact_samples *samples, size_t trial, ic_impact_measure measure)
{
    double m[IC_IMPACT_MEASURES];
    measure_trial(m, samples, trial);
    return m[measure];
}

ic_common ic_impact_common_failures(const ic_impact_samples *samples, ic_impact_measure measure, size_t *count)
{
    bool failing[IC_IMPACT_TRIALS], among[IC_IMPACT_TRIALS];
    *count = 0;
    for (size_t i = 0; i < IC_IMPACT_TRIALS; i++) {
        among[i] = samples->state[i] == IC_ANSWERED;
        failing[i] = !(ic_impact_measured(samples, i, measure) <= ic_tolerance_impact_map.value);
        *count += failing[i];
    }
    return ic_impact_common(samples->p, failing, among);
}

/* ---- all of them */

static void count(ic_impact_evidence *e, const ic_impact_samples *s, size_t i)
{
    const double small = ic_tolerance_impact_map.value;
    const ic_impact *p = &s->p[i];
    const ic_impact_result *r = &s->r[i];
    ic_friction_end end;
    const double P_x = ic_coulomb_impulse(p, fmax(r->P[1], 0), &end), scale = small * ic_impulse_scale(p, r);
    if (fabs(P_x) > scale) e->with_friction++, e->without += fabs(r->P[0]) <= scale;
    e->has_D_N |= r->D_N != 0, e->has_D_T |= r->D_T != 0;
    e->has_path |= r->n_path > 0;
    if (is_answered(s, i, IC_OTHER_E))
        e->e_counts += fabs(s->r[ic_impact_sample_of(i, IC_OTHER_E)].v[1] - r->v[1]) > small * fabs(p->v[1]);
    if (is_answered(s, i, IC_SLOWER)) {
        const size_t j = ic_impact_sample_of(i, IC_SLOWER);
        e->stopped_bouncing +=
            fabs(s->r[j].v[1]) <= small * fabs(s->p[j].v[1]) && r->v[1] > 0.01 * fabs(p->v[1]);
    }
}

void ic_impact_measure_all(ic_impact_evidence *e, const ic_impact_samples *s)
{
    *e = (ic_impact_evidence){.has_path = false};
    for (size_t i = 0; i < IC_IMPACT_TRIALS; i++) {
        double m[IC_IMPACT_MEASURES];
        if (s->state[i] != IC_ANSWERED) continue;
        measure_trial(m, s, i);
        count(e, s, i);
        for (int k = 0; k < IC_IMPACT_MEASURES; k++) {
            e->worst[k].failing += !(m[k] <= ic_tolerance_impact_map.value);
            if (!(m[k] <= e->worst[k].value)) e->worst[k].value = m[k], e->worst[k].trial = i;
        }
    }
}

bool ic_impact_fails(const ic_impact_evidence *e, ic_impact_measure measure)
{
    return !(e->worst[measure].value <= ic_tolerance_impact_map.value);
}
