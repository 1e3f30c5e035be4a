/* SPDX-License-Identifier: MIT */
#include "audit/common/explain.h"
#include "audit/common/tolerances.h"
#include "audit/impact/impact.h"

#include <math.h>
#include <stdio.h>

/* v = v(0) + W P at each corner, D_N by trapezia, from the start to the result, in modes that agree with the slip. */

/* The mode says that the points slip as they do between two corners, or that they do not. */
static bool has_mode(const ic_impact *p, const ic_impact_result *r, const ic_impact_point *from,
                     const ic_impact_point *to)
{
    const double twice = from->v[0] + to->v[0], small = ic_tolerance_impact_map.value;
    /* two corners at one place, as without restitution */
    if (to->P[1] - from->P[1] <= small * ic_impulse_scale(p, r)) return true;
    if (fabs(twice) <= small * ic_velocity_scale(p, r->P, r->v, 0)) return true;
    return from->mode == (twice > 0 ? IC_IMPACT_RIGID_PLUS : IC_IMPACT_RIGID_MINUS);
}

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

double ic_impact_path_off(const ic_impact *p, const ic_impact_result *r, bool with_modes)
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
    for (size_t k = 1; with_modes && k < r->n_path; k++)
        worst = has_mode(p, r, &r->path[k - 1], &r->path[k]) ? worst : 1;
    return worst;
}

static const char frictionless[] = "frictionless";

double ic_impact_misfit(const ic_impact_samples *s, const ic_impact_model *model)
{
    double most = 0;
    size_t compared = 0;
    for (size_t i = 0; i < IC_IMPACT_TRIALS; i++) {
        const ic_impact *p = &s->p[i];
        ic_impact_result q;
        if (s->state[i] != IC_ANSWERED || !ic_impact_model_solve(&q, p, fabs(s->r[i].P[1]), model)) continue;
        const double off = hypot(s->r[i].P[0] - q.P[0], s->r[i].P[1] - q.P[1]) / ic_impulse_scale(p, &q);
        most = off <= most ? most : off;
        compared++;
    }
    return compared > 0 ? most : INFINITY;
}

void ic_impact_classify(ic_finding_writer *writer, const ic_impact_verdict *v)
{
    const double tolerance = ic_tolerance_impact_map.value;
    const ic_impact_model smooth = {.rule = IC_RULE_NEWTON, .changes = {{.kind = IC_MU_ZERO}}};
    ic_classification c = {.question = "impact hypothesis"};
    char what[320];
    for (int rule = IC_RULE_NEWTON; rule <= IC_RULE_SMITH; rule++) {
        const ic_impact_model m = {.rule = (ic_impact_rule)rule};
        const double misfit = ic_impact_misfit(v->samples, &m) / tolerance;
        /* where they have an answer at all, some hypotheses for the whole impulse are the same */
        const bool same = v->found.good && v->found.n_changes == 0 && v->found.rule != m.rule && misfit <= 1 &&
                          v->found.rule >= IC_RULE_AT_ONCE;
        if (!same) ic_classification_add(&c, ic_impact_rule_name(m.rule), misfit);
    }
    ic_classification_add(&c, frictionless, ic_impact_misfit(v->samples, &smooth) / tolerance);
    ic_classification_decide(&c, 1, IC_APART);
    ic_impact_describe(what, sizeof what, v, ~0u);
    if (!c.decided && v->found.good && v->found.rule != IC_RULE_OWN) {
        /* its misfit is that of a map with these mistakes */
        snprintf(c.candidates[0].name, sizeof c.candidates[0].name, "%.16s%s",
                 v->any_rule ? "any hypothesis" : ic_impact_rule_name(v->found.rule),
                 v->found.n_changes == 0   ? ""
                 : v->found.n_changes == 1 ? " with a mistake"
                                           : " with mistakes");
        if (v->found.n_changes > 0) c.candidates[0].misfit = 0, c.margin = INFINITY;
        c.decided = true;
    }
    if (c.decided && v->found.n_changes + (size_t)(v->coarse != IC_NO_MISTAKE) > 0)
        snprintf(c.detail, sizeof c.detail, "%.340s; %d impacts", what, IC_IMPACT_TRIALS);
    else if (c.decided)
        snprintf(c.detail, sizeof c.detail, "%d impacts; misfit 1 is a deviation of %g of the impulse",
                 IC_IMPACT_TRIALS, tolerance);
    else
        snprintf(
            c.detail, sizeof c.detail,
            "none of these%s%.250s; the nearest deviates by %.2g of the impulse in the worst of %d impacts",
            what[0] != '\0' ? ": " : "", what, c.candidates[0].misfit * tolerance, IC_IMPACT_TRIALS);
    ic_write_classification(writer, &c);
}
