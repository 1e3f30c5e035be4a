/* SPDX-License-Identifier: MIT */
/*
 * A law under a registered name must have the force of that law with the same parameters (law_samples.h). If it has
 * not, the changes of the registered law that give its forces are its mistakes (law_search.h). One row is written for
 * the elastic force and one for the drag; one more for a second mistake in the same part.
 */
#include "audit/law/law.h"

#include "audit/common/tolerances.h"
#include "registry/registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Digits to which forces agree where nothing is wrong. A smooth deviation is seen to begin below it. */
#define EXACT 1e-11
/* Differences by single precision are smaller, relative to the whole force. */
#define SINGLE 1e-5

typedef struct claim {
    ic_law_pair pair;
    ic_force_found found;
} claim;

/* ---- what can be seen if no known mistake explains a part */

typedef double key(const ic_force_sample *s);

static double force_of(const ic_force_sample *s)
{
    return fabs(s->theirs);
}

static double depth_of(const ic_force_sample *s)
{
    return s->d;
}

/* The value of the key up to which forces at the defaults are exact, and from which on they differ; NAN: none. */
static double exact_up_to(const ic_force_samples *s, key *of)
{
    double right = -INFINITY, wrong = INFINITY;
    for (size_t i = 0; i < s->n; i++) {
        const ic_force_sample *at = &s->list[i];
        if (at->setting != 0) continue;
        if (ic_force_off(at) <= EXACT) right = fmax(right, of(at));
        else wrong = fmin(wrong, of(at));
    }
    return right < wrong && isfinite(right) && isfinite(wrong) ? right : NAN;
}

static bool differs_by_rounding(const ic_force_samples *s)
{
    bool small = true;
    for (size_t i = 0; i < s->n; i++)
        small = small && fabs(s->list[i].mine - s->list[i].theirs) <= SINGLE * fabs(s->list[i].whole);
    return small;
}

/* Whether the drag is off as the elastic force is: then one mistake explains both. */
static bool follows_elastic(const ic_law_pair *c)
{
    const ic_force_samples *e = &c->part[IC_ELASTIC], *s = &c->part[IC_DRAG];
    for (size_t i = 0, k = 0; i < s->n; i++) {
        const ic_force_sample *at = &s->list[i];
        if (at->d < 0) continue;
        while (k < e->n &&
               (e->list[k].setting != at->setting || e->list[k].v0 != at->v0 || e->list[k].d != at->d))
            k++;
        if (k == e->n) return false;
        const double ratio = e->list[k].mine / e->list[k].theirs;
        if (!(fabs(at->mine - ratio * at->theirs) <=
              ic_tolerance_law_formula.value * at->size * fmax(fabs(ratio), 1)))
            return false;
    }
    return true;
}

/* The least and the greatest ratio of the forces at the defaults. */
static void find_ratios(const ic_force_samples *s, double ratio[2])
{
    ratio[0] = INFINITY, ratio[1] = -INFINITY;
    for (size_t i = 0; i < s->n; i++) {
        const ic_force_sample *at = &s->list[i];
        if (at->setting != 0 || fabs(at->theirs) < at->size) continue;
        ratio[0] = fmin(ratio[0], at->mine / at->theirs), ratio[1] = fmax(ratio[1], at->mine / at->theirs);
    }
}

static ic_mistake_id unexplained_cause(const claim *c, ic_force_part part, const ic_law_claim_causes *known)
{
    const ic_force_samples *s = &c->pair.part[part];
    if (!isnan(exact_up_to(s, force_of)) || !isnan(exact_up_to(s, depth_of))) return IC_MISTAKE_FORCE_LIMITED;
    if (known->fits != NULL) return IC_MISTAKE_MISLABELLED;
    if (known->shape != IC_NO_MISTAKE) return known->shape;
    return part == IC_ELASTIC ? IC_MISTAKE_STIFFNESS_WRONG : IC_MISTAKE_DAMPING_WRONG;
}

/* ---- rows */

/* What is said of a part: its mistakes, at most two, and their words. */
typedef struct sentence {
    ic_mistake_id cause[IC_MOST_FORCE_CHANGES];
    char words[IC_MOST_FORCE_CHANGES][IC_FORCE_WORDS];
    size_t n;
} sentence;

static void add_words(sentence *t, ic_mistake_id cause, const char *words)
{
    if (t->n == IC_MOST_FORCE_CHANGES) return;
    t->cause[t->n] = cause;
    snprintf(t->words[t->n++], IC_FORCE_WORDS, "%.*s", IC_FORCE_WORDS - 1, words);
}

/* Whether a change may be an effect of a memory that is not reset: a value of an earlier call is used. */
static bool may_be_memory(const ic_force_change *c)
{
    return c->kind == IC_FORCE_FIXED || c->kind == IC_FORCE_FACTORS || c->kind == IC_FORCE_SPEED_FIXED ||
           c->kind == IC_FORCE_SPEED_POWER || c->kind == IC_FORCE_SPEED_LEAST || c->kind == IC_FORCE_SPEED_MOST;
}

/* The changes that act on a part: on the drag, those that do not act on the elastic force come first, or alone. */
static void describe_changes(sentence *t, const claim *c, ic_force_part part, ic_mistake_id whole)
{
    const ic_force_model *m = &c->found.model;
    const size_t first = part == IC_DRAG && m->n > c->found.n_elastic ? c->found.n_elastic : 0,
                 end = part == IC_ELASTIC ? c->found.n_elastic : m->n;
    for (size_t k = first; k < end; k++) {
        char words[IC_FORCE_WORDS];
        /* what acts on both is a mistake of the elastic force */
        const ic_force_part of = (m->of[k].on & IC_ON_ELASTIC) != 0 ? IC_ELASTIC : part;
        ic_force_change_words(words, &c->pair, &m->of[k], of);
        if (part == IC_DRAG && c->found.also != NULL && k + 1 == end)
            ic_text_append(words, sizeof words, ", which gives the drag of '%.40s'", c->found.also->name);
        const bool memory = whole != IC_NO_MISTAKE && may_be_memory(&m->of[k]);
        add_words(t, memory ? whole : ic_force_change_mistake(&c->pair, &m->of[k], of), words);
    }
}

static void describe_unexplained(sentence *t, const claim *c, ic_force_part part,
                                 const ic_law_claim_causes *known)
{
    double ratio[2];
    char words[IC_FORCE_WORDS];
    const bool follows =
        part == IC_DRAG && !ic_forces_right(&c->pair.part[IC_ELASTIC]) && follows_elastic(&c->pair);
    find_ratios(&c->pair.part[part], ratio);
    snprintf(words, sizeof words,
             "no known mistake explains this: %.6g to %.6g times the law's at the defaults%s", ratio[0],
             ratio[1], follows ? ", as the elastic force" : "");
    add_words(t, unexplained_cause(c, follows ? IC_ELASTIC : part, known), words);
}

/* Forces that depend on memory alone can be searched for other mistakes; those of undefined behaviour cannot. */
static bool is_searched(const ic_law_claim_causes *known)
{
    return known->whole == IC_NO_MISTAKE || known->whole == IC_MISTAKE_MEMORY_NOT_RESET;
}

static void describe(sentence *t, const claim *c, ic_force_part part, const ic_law_claim_causes *known)
{
    t->n = 0;
    if (known->whole != IC_NO_MISTAKE && !(is_searched(known) && c->found.explained[part]))
        add_words(t, known->whole, "");
    else if (known->single && differs_by_rounding(&c->pair.part[part]))
        add_words(t, IC_MISTAKE_SINGLE_PRECISION, "the forces have the digits of single precision");
    else if (c->found.explained[part]) describe_changes(t, c, part, known->whole);
    else describe_unexplained(t, c, part, known);
}

/* The sample that is shown: the worst at the defaults, or, if those are right, of all. */
static const ic_force_sample *find_worst(const ic_force_samples *s, size_t *wrong)
{
    const ic_force_sample *worst = &s->list[0];
    bool at_defaults = false;
    *wrong = 0;
    for (size_t i = 0; i < s->n; i++) {
        const ic_force_sample *at = &s->list[i];
        const bool is_wrong = !ic_force_right(at);
        *wrong += is_wrong;
        if (at_defaults && at->setting != 0) continue;
        const bool first = is_wrong && at->setting == 0 && !at_defaults;
        if (first || !(ic_force_off(at) <= ic_force_off(worst))) worst = at;
        at_defaults = at_defaults || first;
    }
    return worst;
}

static void write_row(ic_finding_writer *writer, const claim *c, ic_force_part part, const sentence *t)
{
    static const ic_plugin_check checks[IC_FORCE_PARTS] = {IC_CHECK_LAW_STIFFNESS, IC_CHECK_LAW_DAMPING};
    const ic_law_pair *pair = &c->pair;
    const ic_force_samples *s = &pair->part[part];
    size_t wrong;
    if (s->n == 0) return;
    const ic_force_sample *at = find_worst(s, &wrong);
    for (size_t k = 0; k < (t->n > 0 ? t->n : 1); k++) {
        const ic_judged_value m =
            IC_JUDGED(ic_force_off(at), ic_tolerance_law_formula, t->n > 0 ? t->cause[k] : IC_NO_MISTAKE);
        const char *words = t->n > 0 ? t->words[k] : "";
        ic_writer_set_place(writer, "impact at %g m/s%.50s", at->v0,
                            ic_law_setting_text(pair->p->law, &pair->settings[at->setting]).text);
        char against[96] = "where there is none in";
        if (at->theirs != 0)
            snprintf(against, sizeof against, "%.6g times the %.9g N of", at->mine / at->theirs, at->theirs);
        ic_writer_explain(writer, words);
        ic_write_measured(
            writer, checks[part], &m,
            "%.200s%s%s%zu of %zu forces differ; %s at d = %.6g m, v = %.6g m/s: %.9g N, %s the registered '%.40s'",
            words, c->found.defaults_only && words[0] != '\0' ? ", at the defaults" : "",
            words[0] != '\0' ? "; " : "", wrong, s->n,
            at->setting == 0 && wrong > 0 ? "worst at the defaults" : "worst", at->d, at->v, at->mine, against,
            pair->known.law->name);
    }
    ic_writer_set_place(writer, "%s", "");
}

/* One force may have several laws, each for a condition. */
static bool check_condition(ic_finding_writer *writer, const ic_law *known, const ic_law *mine)
{
    bool differs = false;
    for (size_t i = 0; i < ic_law_count; i++)
        differs |= ic_laws[i]->force == known->force && ic_laws[i]->condition != known->condition;
    if (!differs) return true;
    const ic_judged_value measured = {mine->condition != known->condition, 0, "public header, ic_condition",
                                      IC_MISTAKE_ANOTHER_CONDITION};
    ic_write_measured(writer, IC_CHECK_LAW_CONDITION, &measured, "laws with this force differ in it");
    return mine->condition == known->condition;
}

static bool compare(ic_law_claim_result *result, ic_finding_writer *writer, claim *c,
                    const ic_law_claim_causes *known)
{
    bool good = true;
    ic_law_claim_causes causes = *known;
    const ic_law *fits = causes.fits, *own = c->pair.known.law;
    if (fits != NULL && fits->force == own->force && fits->remember == own->remember) causes.fits = NULL;
    for (int part = 0; part < IC_FORCE_PARTS; part++) good = good && ic_forces_right(&c->pair.part[part]);
    if (!good && is_searched(known)) ic_force_search(&c->found, &c->pair, known->single);
    for (int part = 0; part < IC_FORCE_PARTS; part++) {
        sentence t = {.n = 0};
        if (!ic_forces_right(&c->pair.part[part])) describe(&t, c, (ic_force_part)part, &causes);
        write_row(writer, c, (ic_force_part)part, &t);
        for (size_t k = 0; k < t.n; k++) result->named[t.cause[k]] = true;
    }
    result->explained = !good && c->found.explained[IC_ELASTIC] && c->found.explained[IC_DRAG];
    return good;
}

bool ic_law_check_claim(ic_law_claim_result *result, ic_finding_writer *writer, ic_law_probe *p,
                        const ic_law_claim_causes *causes)
{
    const ic_law *known = ic_law_claimed(p->law);
    *result = (ic_law_claim_result){.explained = false};
    if (known == NULL || known->n_parameters > IC_MOST_LAW_PARAMETERS) return true;
    claim *c = calloc(1, sizeof *c);
    if (c == NULL) return true;
    bool good = check_condition(writer, known, p->law);
    const size_t not_finite = p->not_finite;
    result->missing = ic_law_pair_open(&c->pair, p, known);
    if (result->missing != NULL) {
        ic_write_open(
            writer, IC_CHECK_LAW_STIFFNESS, NAN,
            "'%s' has a parameter '%s', and this law has none of this name: give it one, or another name to the law",
            known->name, result->missing);
    } else if (ic_law_pair_collect(&c->pair)) {
        good = compare(result, writer, c, causes) && good;
    }
    p->not_finite = not_finite; /* places that no contact reaches */
    ic_law_pair_close(&c->pair);
    free(c);
    return good;
}
