/* SPDX-License-Identifier: MIT */
/*
 * The elastic force is explained first, by one change or by two; then the drag, by the same changes, by those and
 * one more, by those and two more. A change of the elastic force may act on the drag as well, or not. Factors that
 * depend on the parameters explain much, and are tried last. A model is given up at the first force that it does not
 * give.
 */
#include "audit/law/law.h"

#include "audit/common/explain.h"

#include <stdlib.h>
#include <string.h>

/* Accepted relative difference of a force; of single precision, of the whole force. */
#define SAME_FORCE 2e-6
#define ROUNDING 4e-12
#define ROUNDING_SINGLE 1e-6

/* Explanations of the elastic force that are tried with the drag. */
enum { EXPLANATIONS = 4, VARIANTS = EXPLANATIONS << IC_MOST_FORCE_CHANGES / 2 };
/* Evaluations of changed laws after which a search ends: a few tenths of a second. */
#define MOST_CALLS 400000L
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

    /* the part that is explained now */
    ic_force_part part;

    /* the changes fitted to this part, of the first and of the second more */
    ic_fitted_changes *fitted[2];

    /* index of the first one more, of the hypothesis at hand */
    size_t first;

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
    if (fabs(theirs - at->mine) <= SAME_FORCE * fmax(fabs(theirs), fabs(at->mine)) + rounding) return true;
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
    if (m.n < IC_MOST_FORCE_CHANGES) m.of[m.n++] = *change;
    return m;
}

/* ---- the changes of a part */

static size_t list_changes(void *of, const void *hypothesis, int added)
{
    search *s = of;
    ic_fitted_changes *fitted = s->fitted[added];
    if (s->left <= 0) return 0;
    ic_force_fit(fitted, hypothesis, &s->samples[s->part], &s->found->others, s->defaults_only);
    s->left -= fitted->calls;
    return fitted->n;
}

static bool add_change(void *of, void *more, const void *hypothesis, size_t change, int added)
{
    search *s = of;
    *(ic_force_model *)more = with(hypothesis, &s->fitted[added]->of[change]);
    if (added == 0) s->first = change;
    return true;
}

static bool is_exact(void *of, const void *hypothesis)
{
    search *s = of;
    return explains(s, hypothesis, s->part) &&
           (s->part == IC_ELASTIC || !s->elastic_known || explains(s, hypothesis, IC_ELASTIC));
}

/* ---- the elastic force */

static bool take_elastic(void *of, const void *hypothesis, int added)
{
    search *s = of;
    ic_force_model *m = &s->elastic[s->n_elastic++];
    *m = *(const ic_force_model *)hypothesis;
    /* what acts on the elastic force acts on the drag, too, until the drag says otherwise */
    for (size_t i = 0; i < m->n; i++) m->of[i].on = IC_ON_BOTH;
    return added != 1 || s->n_elastic == EXPLANATIONS;
}

static bool has_elastic(void *of, int added)
{
    (void)added;
    return ((const search *)of)->n_elastic > 0;
}

static bool explain(search *s, ic_force_part part, const ic_force_model *bases, size_t n);

static void explain_elastic(search *s)
{
    const ic_force_model plain = {.pair = s->pair};
    ic_force_change factors;
    if (explain(s, IC_ELASTIC, &plain, 1) || s->defaults_only ||
        !ic_force_fit_factors(&factors, s->found->tables[IC_ELASTIC], &plain, IC_ELASTIC))
        return;
    const ic_force_model one = with(&plain, &factors);
    if (explains(s, &one, IC_ELASTIC)) take_elastic(s, &one, 1);
}

/* ---- the drag */

/* Each explanation of the elastic force, with and without an effect of its changes on the drag. */
static size_t list_variants(const search *s, ic_force_model variants[VARIANTS])
{
    size_t n = 0;
    for (size_t i = 0; i < s->n_elastic; i++) {
        for (unsigned mask = 0; mask < 1U << s->elastic[i].n; mask++) {
            ic_force_model *m = &variants[n++];
            *m = s->elastic[i];
            for (size_t k = 0; k < m->n; k++) {
                if ((mask >> k & 1U) != 0 && m->of[k].kind != IC_FORCE_LIMIT) m->of[k].on = IC_ON_ELASTIC;
            }
        }
    }
    return n;
}

static bool keep(search *s, const ic_force_model *m, int added)
{
    s->found->explained[IC_DRAG] = true;
    s->found->model = *m, s->found->n_elastic = m->n - (size_t)added;
    return true;
}

/* Of one change, a specific one rather than a vague one. */
static bool take_drag(void *of, const void *hypothesis, int added)
{
    search *s = of;
    const ic_force_model *m = hypothesis;
    if (added != 1) return keep(s, m, added);
    const ic_mistake_id mistake = ic_force_change_mistake(s->pair, &m->of[m->n - 1], IC_DRAG);
    if (mistake != IC_MISTAKE_DAMPING_WRONG && mistake != IC_MISTAKE_PARAMETER_WRONG) return keep(s, m, added);
    if (s->vague.n == 0) s->vague = *m;
    return false;
}

static bool is_vague_enough(void *of, int added)
{
    search *s = of;
    return added == 1 && s->vague.n > 0 && keep(s, &s->vague, added);
}

/* Another registered law with the same drag, among the changes that come after the one that was taken. */
static void find_also(search *s)
{
    ic_force_model base = s->found->model;
    if (s->vague.n > 0 || base.n != s->found->n_elastic + 1) return;
    base.n--;
    for (size_t a = s->first + 1; a < s->fitted[0]->n; a++) {
        const ic_force_model other = with(&base, &s->fitted[0]->of[a]);
        if (s->fitted[0]->of[a].kind == IC_FORCE_OTHER_LAW && is_exact(s, &other))
            s->found->also = s->fitted[0]->of[a].other->law;
    }
}

/* A factor that depends on the parameters, and one change more or none. */
static bool try_factors(search *s, const ic_force_model *base)
{
    ic_force_change factors;
    list_changes(s, base, 0);
    for (size_t a = 0; a <= s->fitted[0]->n && s->left > 0; a++) {
        const ic_force_model one = a > 0 ? with(base, &s->fitted[0]->of[a - 1]) : *base;
        if (!ic_force_fit_factors(&factors, s->found->tables[IC_DRAG], &one, IC_DRAG)) continue;
        const ic_force_model two = with(&one, &factors);
        if (is_exact(s, &two)) return keep(s, &two, (int)(two.n - base->n));
    }
    return false;
}

static void explain_drag(search *s)
{
    ic_force_model variants[VARIANTS];
    const size_t n = list_variants(s, variants);
    s->vague.n = 0;
    if (explain(s, IC_DRAG, variants, n)) {
        find_also(s);
        return;
    }
    s->left = MOST_CALLS / 2;
    for (size_t i = 0; i < n && !s->defaults_only; i++) {
        if (try_factors(s, &variants[i])) return;
    }
}

/* ---- the search */

static bool explain(search *s, ic_force_part part, const ic_force_model *bases, size_t n)
{
    ic_force_model room[2];
    const ic_explainer e = {.of = s,
                            .size = sizeof *room,
                            .room = room,
                            .list = list_changes,
                            .add = add_change,
                            .is_exact = is_exact,
                            .take = part == IC_ELASTIC ? take_elastic : take_drag,
                            .settle = part == IC_ELASTIC ? has_elastic : is_vague_enough};
    s->part = part;
    return ic_explain(&e, bases, n, 0, 2);
}

static void search_once(search *s)
{
    const ic_force_model plain = {.pair = s->pair};
    ic_force_found *found = s->found;
    s->n_elastic = 0, s->left = MOST_CALLS;
    if (order_samples(s, IC_ELASTIC) && order_samples(s, IC_DRAG)) {
        explain_elastic(s);
        s->elastic_known = found->explained[IC_ELASTIC] = s->n_elastic > 0;
        if (s->n_elastic == 0) s->elastic[s->n_elastic++] = plain;
        found->model = s->elastic[0], found->n_elastic = found->model.n;
        s->left = MOST_CALLS;
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
    if (found->explained[IC_ELASTIC] + found->explained[IC_DRAG] > explained[IC_ELASTIC] + explained[IC_DRAG])
        return;
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
    for (int i = 0; i < 2; i++) s->fitted[i] = calloc(1, sizeof *s->fitted[i]);
    if (s->fitted[0] != NULL && s->fitted[1] != NULL) {
        ic_other_laws_find(&found->others, pair);
        for (int part = 0; part < IC_FORCE_PARTS; part++)
            ic_fit_samples_choose(&s->samples[part], pair, (ic_force_part)part);
        search_both(s);
    }
    free(s->fitted[0]);
    free(s->fitted[1]);
    free(s);
}
