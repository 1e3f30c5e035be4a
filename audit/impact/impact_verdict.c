/* SPDX-License-Identifier: MIT */
#include "audit/impact/impact.h"

#include "audit/common/tolerances.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Few digits are off by half of the last one; differences of numbers by more. */
#define LOST_DIGITS 50

/* ---- answers that are near a rule */

/* P_y is near that of a rule, too great as well as too small: a root that is not found exactly. */
static bool is_root(const ic_impact_verdict *v)
{
    for (int rule = IC_RULE_NEWTON; rule <= IC_RULE_STRONGE; rule++) {
        ic_impact_model m = {.rule = (ic_impact_rule)rule};
        size_t more = 0, less = 0;
        for (size_t k = 0; k < v->found.n_changes; k++) m.changes[k] = v->found.changes[k].change;
        const ic_nearness near = ic_impact_nearness(v->samples, &m);
        for (size_t i = 0; i < IC_IMPACT_USUAL; i++) {
            ic_impact_result q;
            if (v->samples->state[i] != IC_ANSWERED || !ic_impact_model_solve(&q, &v->samples->p[i], 0, &m))
                continue;
            more += fabs(v->samples->r[i].P[1]) > q.P[1], less += fabs(v->samples->r[i].P[1]) < q.P[1];
        }
        if (near.within_hundredth >= 0.95 && near.median > 1e-9 && near.median < 0.003 && 10 * more > less &&
            10 * less > more)
            return true;
    }
    return false;
}

static void find_coarseness(ic_impact_verdict *v)
{
    if (v->found.good && v->found.rule != IC_RULE_OWN) return;
    const int steps = ic_impact_steps(v->samples);
    if (steps > 0) {
        v->coarse = IC_MISTAKE_COARSE_STEPS;
        snprintf(v->coarse_text, sizeof v->coarse_text, "P_y is a multiple of |v_y|/w_yy/%d", steps);
    } else if (v->found.good && is_root(v)) {
        v->coarse = IC_MISTAKE_ROOT_NOT_CONVERGED;
        snprintf(v->coarse_text, sizeof v->coarse_text, "P_y is off by a little, to both sides");
    }
}

/* Usual trials alone: in others rounding is enlarged. */
static void search_rounded(ic_impact_verdict *v, double unit)
{
    ic_impact_samples *usual = malloc(sizeof *usual);
    if (usual == NULL) return;
    memcpy(usual, v->samples, sizeof *usual);
    for (size_t j = IC_IMPACT_USUAL; j < IC_IMPACT_TRIALS; j++) usual->state[j] = IC_NOT_ASKED;
    ic_impact_search(&v->found, usual, fmax(LOST_DIGITS * unit, ic_tolerance_impact_map.value));
    free(usual);
}

static void search_changes(ic_impact_verdict *v)
{
    v->single = ic_impact_single(v->samples);
    const int digits = ic_impact_digits(v->samples);
    const bool single = v->single > ic_tolerance_map_precision.value;
    if (!single && digits == 0) {
        ic_impact_search(&v->found, v->samples, ic_tolerance_impact_map.value);
        find_coarseness(v);
        return;
    }
    v->coarse = IC_MISTAKE_SINGLE_PRECISION;
    if (single) snprintf(v->coarse_text, sizeof v->coarse_text, "numbers are of single precision");
    else
        v->few_digits = 1,
        snprintf(v->coarse_text, sizeof v->coarse_text, "all numbers have at most %d digits", digits);
    search_rounded(v, single ? 6e-8 : 0.5 * pow(10, 1 - digits));
}

/* ---- restitution alone, of impacts in which no hypothesis and no friction matters */

static bool explains_central(const ic_impact_samples *s, const ic_impact_change *change)
{
    const ic_impact_model m = {.changes = {*change}};
    size_t central = 0;
    for (size_t i = 0; i < IC_IMPACT_TRIALS; i++) {
        const ic_impact *p = &s->p[i];
        if (s->state[i] != IC_ANSWERED || p->w_xy != 0) continue;
        const ic_impact q = ic_impact_believed(p, &m);
        if (!(fabs(s->r[i].v[1] + q.e * p->v[1]) <= ic_tolerance_impact_map.value * fabs(p->v[1])))
            return false;
        central++;
    }
    return central > 0;
}

static void search_restitution(ic_impact_verdict *v)
{
    ic_changes_tried *tried = &v->found.tried;
    if ((v->found.good && v->found.rule != IC_RULE_OWN) || !ic_impact_fails(&v->evidence, IC_OF_CENTRAL))
        return;
    ic_impact_candidates(tried, v->samples, ic_tolerance_impact_map.value);
    for (size_t k = 0; k < tried->count; k++) {
        if (ic_change_group_of(tried->of[k].kind) != ic_change_group_of(IC_E_SCALED)) continue;
        if (!explains_central(v->samples, &tried->of[k])) continue;
        v->restitution = tried->of[k];
        return;
    }
}

/* ---- the mistakes of changes */

/* Trials in which the change of a model acts, if these are not all. */
static ic_common where_it_acts(const ic_impact_verdict *v)
{
    bool acts[IC_IMPACT_TRIALS], among[IC_IMPACT_TRIALS];
    for (size_t i = 0; i < IC_IMPACT_TRIALS; i++) {
        among[i] = v->samples->state[i] == IC_ANSWERED;
        acts[i] = among[i] && v->found.acts[i];
    }
    return ic_impact_common(v->samples->p, acts, among);
}

static bool is_of(ic_change_kind kind, ic_change_kind of)
{
    return ic_change_group_of(kind) == ic_change_group_of(of);
}

/* A change of coefficients or of the path that acts by speeds, masses or sides. */
static ic_mistake_id mistake_where(const ic_impact_change *c, ic_common_kind where)
{
    const bool smooth = c->kind == IC_MU_ZERO, plastic = c->kind == IC_E_CONSTANT && c->by == 0;
    if (smooth && where == IC_COMMON_NO_SLIP) return IC_MISTAKE_NO_FRICTION_AT_REST;
    if (smooth && where == IC_COMMON_SMALL_MU) return IC_MISTAKE_FRICTION_LIMITED;
    if (smooth && where == IC_COMMON_SLOW_SLIP) return IC_MISTAKE_SLIP_THRESHOLD;
    if (plastic && where == IC_COMMON_SLOW) return IC_MISTAKE_RESTITUTION_THRESHOLD;
    const bool may_depend = (is_of(c->kind, IC_W_UNCOUPLED) && where == IC_COMMON_SIZE) ||
                            c->kind == IC_V_LIMITED || is_of(c->kind, IC_P_X_SCALED) ||
                            is_of(c->kind, IC_OUT_V_SIGN);
    const bool by_size = where == IC_COMMON_SIDE || where == IC_COMMON_SLOW || where == IC_COMMON_SIZE ||
                         where == IC_COMMON_SLOW_SLIP;
    const ic_mistake_id own = ic_change_mistake(c);
    return by_size && !may_depend && own != IC_MISTAKE_SLIP_THRESHOLD && own != IC_MISTAKE_SLIP_DIRECTION_WRONG
               ? IC_MISTAKE_NOT_INVARIANT
               : own;
}

static void name_changes(ic_impact_verdict *v)
{
    for (size_t k = 0; k < v->found.n_changes; k++) {
        const ic_found_change *c = &v->found.changes[k];
        if (c->conditional) v->where[k] = where_it_acts(v);
        v->mistakes[k] =
            c->conditional ? mistake_where(&c->change, v->where[k].kind) : ic_change_mistake(&c->change);
        /* slip is not neglected if it is always */
        if (v->mistakes[k] == IC_MISTAKE_SLIP_THRESHOLD && !c->conditional) v->mistakes[k] = IC_NO_MISTAKE;
    }
}

/* ---- work and path of the found model */

static bool work_follows(const ic_impact_verdict *v, const ic_impact_samples *all)
{
    for (size_t i = 0; i < IC_IMPACT_TRIALS; i++) {
        const ic_impact *p = &v->samples->p[i];
        const ic_impact_result *r = &v->samples->r[i], *q = &all->r[i];
        if (v->samples->state[i] != IC_ANSWERED) continue;
        const double off = fmax(fabs(r->D_N - q->D_N), fabs(r->D_T - q->D_T));
        const double size = ic_impact_energy(p, p->v) + fabs(q->D_N) + fabs(q->D_T);
        if (!(off <= ic_tolerance_impact_map.value * size)) return false;
    }
    return true;
}

/* A wrong path has the modes of its own wrong friction. */
static bool has_own_path(const ic_impact_verdict *v)
{
    for (size_t k = 0; k < v->found.n_changes; k++) {
        if (is_of(v->found.changes[k].change.kind, IC_PATH_NO_STOP)) return true;
    }
    return false;
}

static bool path_follows(const ic_impact_verdict *v)
{
    for (size_t i = 0; i < IC_IMPACT_TRIALS; i++) {
        const ic_impact_model m = ic_impact_model_of(&v->found, i, ~0u);
        ic_impact_result r = v->samples->r[i];
        if (v->samples->state[i] != IC_ANSWERED || r.n_path < 2 || r.n_path > IC_IMPACT_CORNERS) continue;
        /* the path leads to its own end, which the answer need not be */
        const ic_impact_point *last = &r.path[r.n_path - 1];
        const ic_impact p = ic_impact_believed(&v->samples->p[i], &m);
        r.P[0] = last->P[0], r.P[1] = last->P[1], r.v[0] = last->v[0], r.v[1] = last->v[1], r.D_N = last->D_N;
        if (!(ic_impact_path_off(&p, &r, !has_own_path(v)) <= ic_tolerance_impact_map.value)) return false;
    }
    return true;
}

/* Whether another rule on the path explains the answers as well. */
static bool is_any_rule(const ic_impact_verdict *v)
{
    for (int rule = IC_RULE_NEWTON; rule <= IC_RULE_STRONGE; rule++) {
        bool all = rule != (int)v->found.rule && ic_impact_rule_on_path(v->found.rule);
        for (size_t j = 0; j < IC_IMPACT_SAMPLES && all; j++) {
            ic_impact_model m = ic_impact_model_of(&v->found, j, ~0u);
            bool undefined = false;
            m.rule = (ic_impact_rule)rule;
            all = v->samples->state[j] != IC_ANSWERED ||
                  ic_impact_matches(v->samples, j, &m, ic_tolerance_impact_map.value, &undefined) || undefined;
        }
        if (all) return true;
    }
    return false;
}

static void simulate(ic_impact_verdict *v)
{
    ic_impact_samples *s = malloc(sizeof *s);
    if (s == NULL) {
        v->found.good = false;
        return;
    }
    for (unsigned k = 0; k < v->found.n_changes; k++) {
        ic_impact_simulate(s, v->samples, &v->found, 1u << k);
        ic_impact_measure_all(&v->alone[k], s);
    }
    ic_impact_simulate(s, v->samples, &v->found, 0);
    ic_impact_measure_all(&v->none, s);
    ic_impact_simulate(s, v->samples, &v->found, ~0u);
    ic_impact_measure_all(&v->all, s);
    v->work_follows = ic_impact_rule_on_path(v->found.rule) && work_follows(v, s);
    v->path_follows = path_follows(v);
    v->any_rule = v->found.n_changes > 0 && is_any_rule(v);
    free(s);
}

void ic_impact_judge(ic_impact_verdict *v, const ic_impact_samples *samples, const ic_impact_calls *calls)
{
    v->samples = samples;
    v->calls = calls;
    ic_impact_measure_all(&v->evidence, samples);
    /* of answers that mostly change nothing can be said */
    if (2 * calls->changed < IC_IMPACT_ASKED) {
        search_changes(v);
        search_restitution(v);
    }
    name_changes(v);
    if (v->found.good) simulate(v);
}

/* ---- causes */

/* Nothing more is known than what the row itself says. */
static ic_mistake_id say_what_fails(const ic_impact_verdict *v, ic_impact_measure measure)
{
    const ic_impact_evidence *e = &v->evidence;
    switch (measure) {
    case IC_OF_MOMENTUM: return IC_MISTAKE_MOMENTUM_BROKEN;
    case IC_OF_FRICTION:
        return e->with_friction > 0 && e->without == e->with_friction ? IC_MISTAKE_FRICTIONLESS : IC_NO_MISTAKE;
    case IC_OF_SEPARATION: return IC_MISTAKE_PENETRATES;
    case IC_OF_PLASTIC:
    case IC_OF_CENTRAL: return e->e_counts == 0 ? IC_MISTAKE_RESTITUTION_IGNORED : IC_NO_MISTAKE;
    case IC_OF_SLOWNESS:
        return e->stopped_bouncing > 0 ? IC_MISTAKE_RESTITUTION_THRESHOLD : IC_MISTAKE_NOT_INVARIANT;
    case IC_OF_WORK:
    case IC_OF_NORMAL_WORK: return IC_MISTAKE_ENERGY_MISTOLD;
    case IC_OF_PATH: return IC_MISTAKE_PATH_MISTOLD;
    case IC_OF_MASS:
    case IC_OF_REFLECTION: return IC_MISTAKE_NOT_INVARIANT;
    default: return IC_NO_MISTAKE; /* what cone and energies show, a wrong answer of any kind shows */
    }
}

/* Whether a row fails on one side only, or by size only, and that is not as it is by any law. */
static bool depends_on_frame(const ic_impact_verdict *v, ic_impact_measure measure)
{
    size_t count;
    const ic_common common = ic_impact_common_failures(v->samples, measure, &count);
    return (common.kind == IC_COMMON_SIDE && ic_impact_fails(&v->evidence, IC_OF_REFLECTION)) ||
           common.kind == IC_COMMON_SLOW;
}

/* The mistake of the rule itself. */
static ic_mistake_id find_rule_cause(const ic_impact_verdict *v, ic_impact_measure measure)
{
    const bool of_energy = measure == IC_OF_ENERGY || measure == IC_OF_NORMAL_ENERGY;
    switch (v->found.rule) {
    case IC_RULE_NEWTON: return of_energy ? IC_MISTAKE_NEWTON_ENERGY_GAIN : IC_NO_MISTAKE;
    case IC_RULE_POISSON: return of_energy ? IC_MISTAKE_POISSON_NORMAL_GAIN : IC_NO_MISTAKE;
    case IC_RULE_FRICTION_BOUND: return IC_MISTAKE_FRICTION_BOUND;
    case IC_RULE_STRONGE:
    case IC_RULE_OWN: return IC_NO_MISTAKE;
    default: return IC_MISTAKE_FRICTION_AT_ONCE;
    }
}

/* Whether the nearest model gives most of the answers by which a row fails. */
static bool is_explained(const ic_impact_verdict *v, ic_impact_measure measure)
{
    const ic_impact_change *c = &v->found.nearest.changes[0];
    size_t failing = 0, exact = 0;
    for (size_t i = 0; i < IC_IMPACT_TRIALS && c->kind != IC_CHANGE_NONE; i++) {
        bool undefined;
        if (ic_impact_measured(v->samples, i, measure) <= ic_tolerance_impact_map.value) continue;
        failing++;
        exact += ic_impact_matches(v->samples, i, &v->found.nearest, ic_tolerance_impact_map.value, &undefined);
    }
    return 3 * exact >= 2 * failing && exact > 0;
}

/* Rounding to seven digits, after some steps of calculation. */
#define MOST_SINGLE 1e-4

/* These causes are named only if nothing else explains the rows. */
static ic_mistake_id find_rest(const ic_impact_verdict *v, ic_impact_measure measure)
{
    const bool of_e = measure == IC_OF_PLASTIC || measure == IC_OF_CENTRAL;
    const bool of_answer = measure != IC_OF_PATH && measure != IC_OF_WORK && measure != IC_OF_NORMAL_WORK;
    if (measure == IC_OF_MOMENTUM && v->found.of_momentum.kind != IC_CHANGE_NONE)
        return ic_change_mistake(&v->found.of_momentum);
    if (of_answer && is_explained(v, measure)) return ic_change_mistake(&v->found.nearest.changes[0]);
    if (of_e && v->restitution.kind != IC_CHANGE_NONE) return ic_change_mistake(&v->restitution);
    if (v->coarse == IC_MISTAKE_SINGLE_PRECISION) {
        if (v->evidence.worst[measure].value <= MOST_SINGLE || v->few_digits > 0) return v->coarse;
        return v->found.good && v->found.n_changes == 1 ? v->mistakes[0] : IC_NO_MISTAKE;
    }
    if (v->coarse != IC_NO_MISTAKE && measure != IC_OF_PATH && measure != IC_OF_WORK) return v->coarse;
    if ((!v->found.good || v->found.rule == IC_RULE_OWN) && v->calls->changed > 0) return v->calls->changed_by;
    if (!of_e && depends_on_frame(v, measure)) return IC_MISTAKE_NOT_INVARIANT;
    return say_what_fails(v, measure);
}

/* With some changes all hypotheses are the same. */
static bool rule_matters(const ic_impact_verdict *v)
{
    for (size_t k = 0; k < v->found.n_changes; k++) {
        const ic_found_change *c = &v->found.changes[k];
        if (!c->conditional && (c->change.kind == IC_MU_INFINITE || c->change.kind == IC_MU_ZERO)) return false;
    }
    return !v->any_rule;
}

static ic_mistake_id find_path_cause(const ic_impact_verdict *v)
{
    if (!v->path_follows) return IC_MISTAKE_PATH_MISTOLD;
    if (v->found.n_changes > 0) return v->mistakes[0];
    /* a path that ends at another D_N than the reported one is right */
    const bool mistold = ic_impact_fails(&v->evidence, IC_OF_WORK) && !v->work_follows;
    return mistold ? IC_MISTAKE_ENERGY_MISTOLD : IC_MISTAKE_PATH_MISTOLD;
}

ic_mistake_id ic_impact_cause(const ic_impact_verdict *v, ic_impact_measure measure)
{
    const bool of_work = measure == IC_OF_WORK || measure == IC_OF_NORMAL_WORK;
    if (!v->found.good) return find_rest(v, measure);
    if (of_work && !v->work_follows)
        return v->coarse == IC_MISTAKE_SINGLE_PRECISION ? v->coarse : IC_MISTAKE_ENERGY_MISTOLD;
    if (measure == IC_OF_PATH) return find_path_cause(v);
    /* A hypothesis of its own is judged by its changes if it has any. */
    if (ic_impact_fails(&v->none, measure) &&
        !(v->found.n_changes > 0 && v->found.rule >= IC_RULE_AT_ONCE && v->found.rule <= IC_RULE_SMITH)) {
        const ic_mistake_id rule = rule_matters(v) ? find_rule_cause(v, measure) : IC_NO_MISTAKE;
        if (rule != IC_NO_MISTAKE) return rule;
        if (v->found.rule == IC_RULE_OWN) return find_rest(v, measure);
    }
    for (size_t k = 0; k < v->found.n_changes; k++) {
        if (ic_impact_fails(&v->alone[k], measure)) return v->mistakes[k];
    }
    if (v->found.n_changes > 0 && ic_impact_fails(&v->all, measure)) return v->mistakes[0];
    return find_rest(v, measure);
}

/* ---- words */

unsigned ic_impact_explaining(const ic_impact_verdict *v, ic_impact_measure measure)
{
    unsigned which = 0;
    for (unsigned k = 0; k < v->found.n_changes; k++)
        which |= (unsigned)ic_impact_fails(&v->alone[k], measure) << k;
    return which != 0 ? which : ~0u;
}

/* The changes alone: "mu is at most 4"; "": none. */
static void describe_changes(char *text, size_t size, const ic_impact_verdict *v, unsigned which)
{
    text[0] = '\0';
    for (size_t k = 0; v->found.good && k < v->found.n_changes; k++) {
        char what[160];
        if ((which >> k & 1) == 0) continue;
        ic_change_describe(what, sizeof what, &v->found.changes[k].change);
        ic_text_append(text, size, "%s%s", text[0] != '\0' ? "; and " : "", what);
        if (v->where[k].kind != IC_COMMON_NOTHING) ic_text_append(text, size, " where %s", v->where[k].text);
        else if (v->found.changes[k].conditional) ic_text_append(text, size, " in some impacts");
    }
}

static void describe_nearest(char *text, size_t size, const ic_impact_verdict *v)
{
    const ic_impact_model *m = &v->found.nearest;
    char what[160];
    if (v->found.exact == 0) return;
    ic_text_append(text, size, "%zu of %d impacts are exactly %s", v->found.exact, IC_IMPACT_TRIALS,
                   ic_impact_rule_name(m->rule));
    if (m->changes[0].kind == IC_CHANGE_NONE) return;
    ic_change_describe(what, sizeof what, &m->changes[0]);
    ic_text_append(text, size, " with a mistake: %s", what);
}

void ic_impact_describe(char *text, size_t size, const ic_impact_verdict *v, unsigned which)
{
    const ic_impact_found *f = &v->found;
    char what[300];
    text[0] = '\0';
    if (f->good) {
        ic_text_append(text, size, "%s",
                       f->rule == IC_RULE_OWN ? "Coulomb's path with an unknown end"
                       : v->any_rule          ? "any hypothesis"
                                              : ic_impact_rule_name(f->rule));
        describe_changes(what, sizeof what, v, which);
        if (what[0] != '\0') ic_text_append(text, size, " with a mistake: %s", what);
    } else if (f->of_momentum.kind != IC_CHANGE_NONE) {
        ic_change_describe(what, sizeof what, &f->of_momentum);
        ic_text_append(text, size, "%s, or v' = v + W P would not hold with it", what);
    }
    if (!f->good && v->restitution.kind != IC_CHANGE_NONE) {
        ic_change_describe(what, sizeof what, &v->restitution);
        ic_text_append(text, size, "%sin central impacts %.150s", text[0] != '\0' ? "; " : "", what);
    }
    if (!f->good || f->rule == IC_RULE_OWN) {
        what[0] = '\0';
        describe_nearest(what, sizeof what, v);
        if (what[0] != '\0') ic_text_append(text, size, "%s%s", text[0] != '\0' ? "; " : "", what);
    }
    if (v->coarse != IC_NO_MISTAKE)
        ic_text_append(text, size, "%s%s", text[0] != '\0' ? "; " : "", v->coarse_text);
}

/* The words of a cause: those of the changes that have it. */
void ic_impact_because(char *text, size_t size, const ic_impact_verdict *v, ic_mistake_id cause)
{
    const ic_impact_change *others[] = {&v->found.of_momentum, &v->found.nearest.changes[0], &v->restitution};
    unsigned which = 0;
    text[0] = '\0';
    for (unsigned k = 0; v->found.good && k < v->found.n_changes; k++)
        which |= (unsigned)(v->mistakes[k] == cause) << k;
    describe_changes(text, size, v, which);
    for (size_t i = 0; i < IC_COUNT(others) && text[0] == '\0'; i++) {
        if (others[i]->kind != IC_CHANGE_NONE && ic_change_mistake(others[i]) == cause)
            ic_change_describe(text, size, others[i]);
    }
    if (text[0] == '\0' && v->coarse == cause) ic_text_append(text, size, "%s", v->coarse_text);
}
