/* SPDX-License-Identifier: MIT */
/*
 * The elastic force is explained first, by one change or by two; then the drag, by the same changes, by those and
 * one more, by those and two more. A change of the elastic force may act on the drag as well, or not. Factors that
 * depend on the parameters explain much, and are tried last. A model is given up at the first force that it does not
 * give.
 */
#include "audit/law/law_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Accepted relative difference of a force; of single precision, of the whole force. */
#define SAME 2e-6
#define ROUNDING 4e-12
#define ROUNDING_SINGLE 1e-6

/* Explanations of the elastic force that are tried with the drag. */
enum { EXPLANATIONS = 4 };
/* Evaluations of changed laws after which a search ends: a few tenths of a second. */
#define CALLS_MOST 400000L
/* A prime above any number of samples: steps of it visit each of them. */
enum { STRIDE = 65537 };

typedef struct search {
    ic_force_found *found;
    const ic_law_pair *pair;
    bool single, defaults_only;
    ic_fit_samples samples[IC_FORCE_PARTS];

    /* indices of samples, those that are wrong first */
    size_t *order[IC_FORCE_PARTS], n[IC_FORCE_PARTS];

    /* models of the elastic force, all on both parts */
    ic_force_model elastic[EXPLANATIONS];
    size_t n_elastic;

    /* the elastic force is explained */
    bool elastic_known;

    /* one that a vague change more completes; n = 0: none */
    ic_force_model vague;

    /* fitted changes of the outer and of the inner loop */
    ic_fitted_changes *outer, *inner;

    long left;
} search;

/* ---- whether a model gives the forces */

/* Whether nothing is known of this setting, where the law has no force that a factor could act on. */
static bool lacks_factor(const ic_force_model *m, size_t setting)
{
    bool lacks = false;
    for (size_t k = 0; k < m->n; k++)
        lacks = lacks || (m->of[k].table != NULL && isnan(m->of[k].table[setting]));
    return lacks;
}

static bool gives(search *s, const ic_force_model *m, ic_force_part part, const ic_force_sample *at)
{
    s->left -= 2;
    const double theirs = ic_force_model_sample(m, part, at);
    if (!isfinite(theirs)) return !isfinite(at->mine) || lacks_factor(m, at->setting);
    const double rounding = (s->single ? ROUNDING_SINGLE : ROUNDING) * fmax(fabs(at->whole), fabs(theirs));
    if (fabs(theirs - at->mine) <= SAME * fmax(fabs(theirs), fabs(at->mine)) + rounding) return true;
    /* where both pull, the contact is over, and laws cut their force or not */
    return part == IC_DRAG && at->d > 0 && at->whole <= 0 && s->pair->known.law->condition != IC_CONDITION_A &&
           ic_force_model_whole(m, at->setting, at->d, at->v, at->v0) <= 0;
}

static bool explains(search *s, const ic_force_model *m, ic_force_part part)
{
    for (size_t i = 0; i < s->n[part]; i++) {
        if (s->left <= 0 || !gives(s, m, part, &s->pair->part[part].list[s->order[part][i]])) return false;
    }
    return true;
}

static bool order_samples(search *s, ic_force_part part)
{
    const ic_force_samples *of = &s->pair->part[part];
    size_t *order = s->order[part] = calloc(of->n + 1, sizeof *order);
    s->n[part] = 0;
    if (order == NULL) return false;
    for (int wrong = 1; wrong >= 0; wrong--) {
        for (size_t i = 0; i < of->n; i++) {
            const size_t j = i * STRIDE % of->n;
            if (s->defaults_only && of->list[j].setting != 0) continue;
            if (ic_force_right(&of->list[j]) == (wrong == 0)) order[s->n[part]++] = j;
        }
    }
    return true;
}

static ic_force_model with(const ic_force_model *base, const ic_force_change *change)
{
    ic_force_model m = *base;
    if (m.n < IC_FORCE_CHANGES_MOST) m.of[m.n++] = *change;
    return m;
}

/* ---- the elastic force */

/* What acts on the elastic force acts on the drag, too, until the drag says otherwise. */
static ic_force_model on_both(ic_force_model m)
{
    for (size_t i = 0; i < m.n; i++) m.of[i].on = IC_ON_BOTH;
    return m;
}

static void fit_changes(search *s, ic_fitted_changes *out, const ic_force_model *base, ic_force_part part)
{
    ic_force_fit(out, base, &s->samples[part], &s->found->others, s->defaults_only);
    s->left -= out->calls;
}

static void try_elastic(search *s, const ic_force_model *m)
{
    if (s->n_elastic < EXPLANATIONS && explains(s, m, IC_ELASTIC)) s->elastic[s->n_elastic++] = on_both(*m);
}

static void explain_elastic(search *s)
{
    const ic_force_model plain = {.pair = s->pair};
    try_elastic(s, &plain);
    if (s->n_elastic > 0) return;
    fit_changes(s, s->outer, &plain, IC_ELASTIC);
    for (size_t a = 0; a < s->outer->n; a++) {
        const ic_force_model one = with(&plain, &s->outer->of[a]);
        try_elastic(s, &one);
    }
    for (size_t a = 0; a < s->outer->n && s->n_elastic == 0; a++) {
        const ic_force_model one = with(&plain, &s->outer->of[a]);
        fit_changes(s, s->inner, &one, IC_ELASTIC);
        for (size_t b = 0; b < s->inner->n && s->n_elastic == 0; b++) {
            const ic_force_model two = with(&one, &s->inner->of[b]);
            try_elastic(s, &two);
        }
    }
    ic_force_change factors;
    if (s->n_elastic == 0 && !s->defaults_only &&
        ic_force_fit_factors(&factors, s->found->tables[IC_ELASTIC], &plain, IC_ELASTIC)) {
        const ic_force_model one = with(&plain, &factors);
        try_elastic(s, &one);
    }
}

/* ---- the drag */

/* The explanation number i of the elastic force, with those changes on the drag, too, that `mask` does not name. */
static ic_force_model variant(const search *s, size_t i, unsigned mask)
{
    ic_force_model m = s->elastic[i];
    for (size_t k = 0; k < m.n; k++) {
        if ((mask >> k & 1U) != 0 && m.of[k].kind != IC_FORCE_LIMIT) m.of[k].on = IC_ON_ELASTIC;
    }
    return m;
}

static unsigned n_variants(const search *s, size_t i)
{
    return 1U << s->elastic[i].n;
}

static bool is_vague(const search *s, const ic_force_model *m, size_t n_elastic)
{
    bool vague = false;
    for (size_t k = n_elastic; k < m->n; k++) {
        const ic_mistake_id mistake = ic_force_change_mistake(s->pair, &m->of[k], IC_DRAG);
        vague = vague || mistake == IC_MISTAKE_DAMPING_WRONG || mistake == IC_MISTAKE_PARAMETER_WRONG;
    }
    return vague;
}

static bool keep(search *s, const ic_force_model *m, size_t n_elastic)
{
    s->found->explained[IC_DRAG] = true;
    s->found->model = *m, s->found->n_elastic = n_elastic;
    return true;
}

static bool explains_all(search *s, const ic_force_model *m)
{
    return explains(s, m, IC_DRAG) && (!s->elastic_known || explains(s, m, IC_ELASTIC));
}

static bool try_none_more(search *s, const ic_force_model *base)
{
    return explains(s, base, IC_DRAG) && keep(s, base, base->n);
}

/* One change more than `base`; a specific one rather than a vague one. */
static bool try_one_more(search *s, const ic_force_model *base)
{
    fit_changes(s, s->outer, base, IC_DRAG);
    for (size_t a = 0; a < s->outer->n; a++) {
        const ic_force_model m = with(base, &s->outer->of[a]);
        if (!explains_all(s, &m)) continue;
        if (!is_vague(s, &m, base->n)) {
            keep(s, &m, base->n);
            for (a++; a < s->outer->n; a++) {
                const ic_force_model other = with(base, &s->outer->of[a]);
                if (s->outer->of[a].kind == IC_FORCE_OTHER_LAW && explains_all(s, &other))
                    s->found->also = s->outer->of[a].other->law;
            }
            return true;
        }
        if (s->vague.n == 0) s->vague = m;
    }
    return false;
}

static bool try_two_more(search *s, const ic_force_model *base)
{
    fit_changes(s, s->outer, base, IC_DRAG);
    for (size_t a = 0; a < s->outer->n && s->left > 0; a++) {
        const ic_force_model one = with(base, &s->outer->of[a]);
        fit_changes(s, s->inner, &one, IC_DRAG);
        for (size_t b = 0; b < s->inner->n; b++) {
            const ic_force_model two = with(&one, &s->inner->of[b]);
            if (explains_all(s, &two)) return keep(s, &two, base->n);
        }
    }
    return false;
}

/* A factor that depends on the parameters, and one change more or none. */
static bool try_factors(search *s, const ic_force_model *base)
{
    ic_force_change factors;
    const ic_force_model *of = base;
    fit_changes(s, s->outer, base, IC_DRAG);
    for (size_t a = 0; a <= s->outer->n && s->left > 0; a++) {
        const ic_force_model one = a > 0 ? with(base, &s->outer->of[a - 1]) : *of;
        if (!ic_force_fit_factors(&factors, s->found->tables[IC_DRAG], &one, IC_DRAG)) continue;
        const ic_force_model two = with(&one, &factors);
        if (explains_all(s, &two)) return keep(s, &two, base->n);
    }
    return false;
}

typedef bool try_more(search *s, const ic_force_model *base);

/* Each explanation of the elastic force, with and without an effect of its changes on the drag, and more changes. */
static bool try_all(search *s, try_more *more)
{
    for (size_t i = 0; i < s->n_elastic; i++) {
        for (unsigned v = 0; v < n_variants(s, i); v++) {
            const ic_force_model m = variant(s, i, v);
            if (more(s, &m)) return true;
        }
    }
    return false;
}

static void explain_drag(search *s)
{
    s->vague.n = 0;
    if (try_all(s, try_none_more) || try_all(s, try_one_more)) return;
    if (s->vague.n > 0) {
        keep(s, &s->vague, s->vague.n - 1);
        return;
    }
    if (try_all(s, try_two_more) || s->defaults_only) return;
    s->left = CALLS_MOST / 2;
    try_all(s, try_factors);
}

/* ---- the search */

static void search_once(search *s)
{
    const ic_force_model plain = {.pair = s->pair};
    ic_force_found *found = s->found;
    s->n_elastic = 0, s->left = CALLS_MOST;
    if (order_samples(s, IC_ELASTIC) && order_samples(s, IC_DRAG)) {
        explain_elastic(s);
        s->elastic_known = found->explained[IC_ELASTIC] = s->n_elastic > 0;
        if (s->n_elastic == 0) s->elastic[s->n_elastic++] = plain;
        found->model = s->elastic[0], found->n_elastic = found->model.n;
        s->left = CALLS_MOST;
        explain_drag(s);
    }
    for (int part = 0; part < IC_FORCE_PARTS; part++) {
        free(s->order[part]);
        s->order[part] = NULL;
    }
}

static bool is_right_at_defaults(const ic_force_samples *of)
{
    bool right = true;
    for (size_t i = 0; i < of->n; i++)
        right = right && (of->list[i].setting != 0 || ic_force_right(&of->list[i]));
    return right;
}

static int n_explained(const ic_force_found *found)
{
    return (found->explained[IC_ELASTIC] ? 1 : 0) + (found->explained[IC_DRAG] ? 1 : 0);
}

/* Forces at the defaults are explained if those at all settings are not. */
static void search_both(search *s)
{
    ic_force_found *found = s->found;
    bool wrong = false;
    search_once(s);
    for (int part = 0; part < IC_FORCE_PARTS; part++)
        wrong = wrong || (!found->explained[part] && !is_right_at_defaults(&s->pair->part[part]));
    if (!wrong) return;
    const ic_force_model model = found->model;
    const size_t n_elastic = found->n_elastic;
    const bool explained[] = {found->explained[IC_ELASTIC], found->explained[IC_DRAG]};
    found->explained[IC_ELASTIC] = found->explained[IC_DRAG] = false;
    found->defaults_only = s->defaults_only = true;
    search_once(s);
    if (n_explained(found) > (explained[IC_ELASTIC] ? 1 : 0) + (explained[IC_DRAG] ? 1 : 0)) return;
    found->model = model, found->n_elastic = n_elastic, found->defaults_only = false;
    memcpy(found->explained, explained, sizeof explained);
}

void ic_force_search(ic_force_found *found, const ic_law_pair *pair, bool single)
{
    search *s = calloc(1, sizeof *s);
    memset(found, 0, sizeof *found);
    found->model.pair = pair;
    if (s == NULL) return;
    s->pair = pair, s->single = single, s->found = found;
    s->outer = calloc(1, sizeof *s->outer), s->inner = calloc(1, sizeof *s->inner);
    if (s->outer != NULL && s->inner != NULL) {
        ic_other_laws_find(&found->others, pair);
        for (int part = 0; part < IC_FORCE_PARTS; part++)
            ic_fit_samples_choose(&s->samples[part], pair, (ic_force_part)part);
        search_both(s);
    }
    free(s->outer);
    free(s->inner);
    free(s);
}
