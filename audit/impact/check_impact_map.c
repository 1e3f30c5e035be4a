/* SPDX-License-Identifier: MIT */
/* Checks of an impact map on many impacts; each row reports the worst of them. */
#include "audit/impact/check_impact_map.h"
#include "audit/common/guarded.h"
#include "audit/common/tolerances.h"
#include "audit/impact/impact_evidence.h"
#include "audit/impact/impact_trials.h"
#include "core/numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Scales of the trials of invariance: powers of two, so that a result scales exactly. */
#define MASSES 1024.0
#define SLOW 0x1p-20

typedef struct map_check {
    ic_finding_writer *writer;
    const ic_impact_map *map;
    size_t refused, not_finite, damage;
    ic_impact_evidence evidence;
} map_check;

/* ---- calls of the map */

static ic_status call_map(map_check *s, ic_impact_result *result, const ic_impact *impact)
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

/* true: the map has a finite result. */
static bool solve_impact(map_check *s, ic_impact_result *result, const ic_impact *impact)
{
    const ic_status status = call_map(s, result, impact);
    s->refused += status != IC_OK;
    if (status != IC_OK) return false;
    const bool finite = ic_all_finite(result->v, 2) && ic_all_finite(result->P, 2);
    s->not_finite += !finite;
    return finite;
}

/* ---- one impact and its variations */

/* Difference of a result from the expected one, divided by the magnitude of the expected one. */
static double compare_results(const ic_impact_result *r, const ic_impact_result *expected, const ic_impact *p)
{
    const double speed = hypot(p->v[0], p->v[1]) + hypot(expected->v[0], expected->v[1]);
    return fmax(hypot(r->P[0] - expected->P[0], r->P[1] - expected->P[1]) / ic_impulse_scale(p, expected),
                hypot(r->v[0] - expected->v[0], r->v[1] - expected->v[1]) / speed);
}

static void check_invariance(map_check *s, size_t i, const ic_impact *p, const ic_impact_result *r)
{
    ic_impact_evidence *e = &s->evidence;
    ic_impact q = *p;
    ic_impact_result other, expected = *r;
    q.w_xx /= MASSES, q.w_xy /= MASSES, q.w_yy /= MASSES;
    expected.P[0] *= MASSES, expected.P[1] *= MASSES;
    if (solve_impact(s, &other, &q)) ic_impact_note(e, IC_OF_MASS, compare_results(&other, &expected, &q), i);
    q = *p, expected = *r;
    for (int k = 0; k < 2; k++) q.v[k] *= SLOW, expected.v[k] *= SLOW, expected.P[k] *= SLOW;
    if (solve_impact(s, &other, &q)) {
        ic_impact_note(e, IC_OF_SLOWNESS, compare_results(&other, &expected, &q), i);
        e->stopped_bouncing +=
            fabs(other.v[1]) <= ic_tolerance_impact_map.value * fabs(q.v[1]) && r->v[1] > 0.01 * fabs(p->v[1]);
    }
    q = *p, expected = *r;
    q.v[0] = -q.v[0], q.w_xy = -q.w_xy;
    expected.v[0] = -expected.v[0], expected.P[0] = -expected.P[0];
    if (solve_impact(s, &other, &q))
        ic_impact_note(e, IC_OF_REFLECTION, compare_results(&other, &expected, &q), i);
    q = *p;
    q.e = p->e > 0.5 ? 0.25 : 0.75;
    if (solve_impact(s, &other, &q))
        e->e_counts += fabs(other.v[1] - r->v[1]) > ic_tolerance_impact_map.value * fabs(p->v[1]);
    if (solve_impact(s, &other, p)) ic_impact_note(e, IC_OF_REPETITION, compare_results(&other, r, p), i);
}

static void run_trials(map_check *s)
{
    for (size_t i = 0; i < IC_IMPACT_TRIALS; i++) {
        const ic_impact p = ic_impact_trial(i);
        ic_impact_result r;
        if (!solve_impact(s, &r, &p)) continue;
        ic_impact_judge(&s->evidence, i, &p, &r);
        check_invariance(s, i, &p, &r);
    }
}

/* Counts the accepted inputs that are not impacts: v_y > 0, e > 1, mu < 0, indefinite W. */
static size_t count_accepted_faults(map_check *s)
{
    const ic_impact good = ic_impact_trial(1);
    ic_impact faulty[] = {good, good, good, good};
    size_t accepted = 0;
    faulty[0].v[1] = 1;
    faulty[1].e = 1.5;
    faulty[2].mu = -0.5;
    faulty[3].w_xy = 2 * sqrt(good.w_xx * good.w_yy);
    for (size_t i = 0; i < IC_COUNT(faulty); i++) {
        ic_impact_result result;
        accepted += call_map(s, &result, &faulty[i]) == IC_OK;
    }
    return accepted;
}

/* ---- the rows */

static void add_row(map_check *s, ic_plugin_check check, ic_impact_measure measure)
{
    const ic_impact_evidence *e = &s->evidence;
    const ic_impact p = ic_impact_trial(e->worst[measure].trial);
    const ic_judged_value measured = {e->worst[measure].value, ic_tolerance_impact_map.value,
                                      ic_tolerance_impact_map.derivation, ic_impact_cause(e, measure)};
    ic_writer_set_place(s->writer, "impact %zu of %d", e->worst[measure].trial + 1, IC_IMPACT_TRIALS);
    ic_write_measured(s->writer, check, &measured,
                      "worst there: v = (%.4g, %.4g) m/s, W = (%.4g, %.4g, %.4g)/kg, mu = %.3g, e = %.3g",
                      p.v[0], p.v[1], p.w_xx, p.w_xy, p.w_yy, p.mu, p.e);
    ic_writer_set_place(s->writer, "%s", "");
}

/*
 * By Poisson's hypothesis, restitution may return more energy than compression has absorbed. This
 * is not a mistake of the map.
 */
static void add_normal_energy(map_check *s)
{
    const double gain = s->evidence.worst[IC_OF_NORMAL_ENERGY].value;
    if (gain > ic_tolerance_impact_map.value && ic_impact_gain_is_poissons(&s->evidence, s->map->name))
        ic_write_open(
            s->writer, IC_CHECK_MAP_NORMAL_ENERGY, gain,
            "the map is Poisson's hypothesis, by which the normal motion may gain energy while friction takes "
            "more; Stronge's hypothesis excludes that");
    else add_row(s, IC_CHECK_MAP_NORMAL_ENERGY, IC_OF_NORMAL_ENERGY);
}

static void add_claim(map_check *s)
{
    const ic_hypothesis_found *found = &s->evidence.found;
    for (int h = 0; h < IC_NEWTON_AT_ONCE; h++) {
        if (strcmp(s->map->name, ic_hypothesis_name((ic_hypothesis)h)) != 0) continue;
        const bool another = found->hypothesis != IC_HYPOTHESES && found->fault == IC_NO_FAULT;
        const ic_mistake_id cause = found->hypothesis == IC_FRICTIONLESS ? IC_MISTAKE_FRICTIONLESS
                                    : another                            ? IC_MISTAKE_MISLABELLED
                                              : ic_impact_cause(&s->evidence, IC_OF_FRICTION);
        const ic_judged_value measured = {s->evidence.fits.misfit[h][IC_NO_FAULT],
                                          ic_tolerance_impact_map.value, ic_tolerance_impact_map.derivation,
                                          cause};
        ic_write_measured(s->writer, IC_CHECK_MAP_CLAIM, &measured, "its name is '%s', and it is %s",
                          s->map->name, ic_hypothesis_name(found->hypothesis));
    }
}

static void add_basics(map_check *s, size_t accepted)
{
    const ic_judged_value damage = {(double)s->damage, 0, "none may change", IC_MISTAKE_WRITES_OUT_OF_BOUNDS};
    const ic_judged_value finite = {(double)s->not_finite, 0, "none", IC_MISTAKE_NOT_FINITE};
    const ic_judged_value refused = {(double)(s->refused + accepted), 0, "none",
                                     accepted > 0 ? IC_MISTAKE_FAULTY_ACCEPTED : IC_NO_MISTAKE};
    ic_write_measured(s->writer, IC_CHECK_BOUNDS, &damage, "bytes around the result, and in the given impact");
    ic_write_measured(s->writer, IC_CHECK_FINITE, &finite,
                      "results with IC_OK and a velocity or impulse that is not finite");
    ic_write_measured(
        s->writer, IC_CHECK_MAP_ANSWERS, &refused,
        "%zu good impacts refused; %zu of 4 faulty ones (v_y > 0, e > 1, mu < 0, W indefinite) accepted",
        s->refused, accepted);
}

static void add_rows(map_check *s)
{
    static const struct {
        ic_plugin_check check;
        ic_impact_measure measure;
    } rows[] = {
        {IC_CHECK_MAP_MOMENTUM, IC_OF_MOMENTUM},
        {IC_CHECK_MAP_CONE, IC_OF_CONE},
        {IC_CHECK_MAP_FRICTION, IC_OF_FRICTION},
        {IC_CHECK_MAP_FRICTIONLESS, IC_OF_SMOOTH},
        {IC_CHECK_MAP_SEPARATION, IC_OF_SEPARATION},
        {IC_CHECK_MAP_ENERGY, IC_OF_ENERGY},
        {IC_CHECK_MAP_NORMAL_ENERGY, IC_OF_NORMAL_ENERGY},
        {IC_CHECK_MAP_PLASTIC, IC_OF_PLASTIC},
        {IC_CHECK_MAP_RESTITUTION, IC_OF_CENTRAL},
        {IC_CHECK_MAP_UNITS_OF_MASS, IC_OF_MASS},
        {IC_CHECK_MAP_SLOW, IC_OF_SLOWNESS},
        {IC_CHECK_MAP_REFLECTION, IC_OF_REFLECTION},
    };
    ic_impact_evidence *e = &s->evidence;
    e->found = ic_hypotheses_classify(s->writer, &e->fits, ic_tolerance_impact_map.value, IC_IMPACT_TRIALS);
    if (ic_impact_fails(e, IC_OF_FRICTION)) e->explained = ic_friction_explained(&e->answers);
    const ic_judged_value repeated = {e->worst[IC_OF_REPETITION].value, 0, "the same impact, the same result",
                                      IC_MISTAKE_MEMORY_NOT_RESET};
    ic_write_measured(s->writer, IC_CHECK_MAP_REPEATS, &repeated, "%d impacts, each repeated after four others",
                      IC_IMPACT_TRIALS);
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        if (rows[i].measure == IC_OF_NORMAL_ENERGY) add_normal_energy(s);
        else add_row(s, rows[i].check, rows[i].measure);
    }
    /* D_N alone is known if friction follows Coulomb's path */
    const bool normal = !ic_impact_fails(e, IC_OF_FRICTION) && !ic_impact_fails(e, IC_OF_WORK);
    if (!e->has_work) ic_write_open(s->writer, IC_CHECK_MAP_WORK, NAN, "the map reports neither D_N nor D_T");
    else add_row(s, IC_CHECK_MAP_WORK, normal ? IC_OF_NORMAL_WORK : IC_OF_WORK);
    if (e->has_path) add_row(s, IC_CHECK_MAP_PATH, IC_OF_PATH);
    add_claim(s);
}

void ic_audit_impact_map(ic_finding_writer *writer, const ic_impact_map *map)
{
    map_check s = {.writer = writer, .map = map};
    ic_impact_evidence_begin(&s.evidence);
    ic_announce_operation(writer, "an impact");
    run_trials(&s);
    ic_announce_operation(writer, "an input that is not an impact");
    add_basics(&s, count_accepted_faults(&s));
    if (s.refused + s.not_finite < IC_IMPACT_TRIALS) add_rows(&s);
}
