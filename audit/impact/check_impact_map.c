/* SPDX-License-Identifier: MIT */
/* Checks of an impact map on many impacts; each row reports the worst of them. */
#include "audit/common/plugin_load.h"
#include "audit/common/tolerances.h"
#include "audit/impact/impact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- inputs that are not impacts, which a map must refuse */

enum { FAULTY = 15 };

typedef struct faulty_impacts {
    size_t count;

    /* "v_y > 0, e > 1" */
    char text[200];
} faulty_impacts;

static const char *make_faulty(ic_impact *p, int fault)
{
    switch (fault) {
    case 0: return p->v[1] = 1, "v_y > 0";
    case 1: return p->v[1] = 0, "v_y = 0";
    case 2: return p->e = 1.5, "e > 1";
    case 3: return p->e = -0.5, "e < 0";
    case 4: return p->mu = -0.5, "mu < 0";
    case 5: return p->w_xy = 2 * sqrt(p->w_xx * p->w_yy), "W indefinite";
    case 6: return p->w_xx = -p->w_xx, "w_xx < 0";
    case 7: return p->w_yy = 0, "w_yy = 0";
    case 8: return p->w_xx = -p->w_xx, p->w_yy = -p->w_yy, "W negative";
    case 9: return p->v[1] = NAN, "v_y not a number";
    case 10: return p->w_xx = NAN, "w_xx not a number";
    case 11: return p->w_xy = NAN, "w_xy not a number";
    case 12: return p->w_yy = NAN, "w_yy not a number";
    case 13: return p->mu = NAN, "mu not a number";
    default: return p->e = NAN, "e not a number";
    }
}

/* Those of them that the map accepts. */
static faulty_impacts find_accepted(ic_impact_calls *calls)
{
    faulty_impacts a = {.count = 0};
    for (int k = 0; k < FAULTY; k++) {
        ic_impact p = calls->samples->p[1];
        ic_impact_result r;
        const char *text = make_faulty(&p, k);
        if (ic_impact_call(calls, &r, &p, 0) != IC_OK) continue;
        ic_text_append(a.text, sizeof a.text, "%s%s", a.count++ > 0 ? ", " : "", text);
    }
    return a;
}

enum { DESCRIPTION = 400, IMPACT_TEXT = 600 };

typedef struct map_check {
    ic_finding_writer *writer;
    const ic_impact_map *map;
    ic_impact_calls calls;
    ic_impact_verdict verdict;

    /* The finding in words. */
    char description[DESCRIPTION];

    /* A row on the answers fails. */
    bool failed;

    /* the only cause of rows on the answers, if these follow no hypothesis; IC_NO_MISTAKE: none is known */
    ic_mistake_id blamed;
} map_check;

/* ---- words */

static void describe_impact(char *text, size_t size, const ic_impact *p)
{
    snprintf(text, size, "v = (%.17g, %.17g) m/s, W = (%.17g, %.17g, %.17g)/kg, mu = %.17g, e = %.17g", p->v[0],
             p->v[1], p->w_xx, p->w_xy, p->w_yy, p->mu, p->e);
}

/* The rule that a map says it follows, by `implements` or by its name; IC_IMPACT_RULES: none. */
static ic_impact_rule claimed_rule(const map_check *s)
{
    const char *implements = IC_IMPLEMENTS(s->map);
    return ic_impact_rule_named(implements != NULL ? implements : s->map->name);
}

/* Whether all answers are those of the rule. */
static bool follows(const map_check *s, ic_impact_rule rule)
{
    const ic_impact_model m = {.rule = rule};
    return ic_impact_misfit(s->verdict.samples, &m) <= ic_tolerance_impact_map.value;
}

/* Whether it is a hypothesis without a mistake, and does not say that it is another one. */
static bool is_hypothesis(const map_check *s)
{
    const ic_impact_found *f = &s->verdict.found;
    const ic_impact_rule claimed = claimed_rule(s);
    return f->good && f->n_changes == 0 && f->rule <= IC_RULE_SMITH &&
           (claimed == IC_IMPACT_RULES || claimed == f->rule || follows(s, claimed));
}

/* The rule with which a map is compared: that of its name, that it follows but for changes, or the nearest. */
static ic_impact_rule expected_rule(const map_check *s)
{
    double least = INFINITY;
    ic_impact_rule nearest = IC_RULE_STRONGE;
    const ic_impact_rule named = claimed_rule(s);
    if (named != IC_IMPACT_RULES) return named;
    if (s->verdict.found.good && s->verdict.found.rule != IC_RULE_OWN) return s->verdict.found.rule;
    for (int rule = IC_RULE_NEWTON; rule <= IC_RULE_STRONGE; rule++) {
        const ic_impact_model m = {.rule = (ic_impact_rule)rule};
        const double median = ic_impact_nearness(s->verdict.samples, &m).median;
        if (median < least) least = median, nearest = m.rule;
    }
    return nearest;
}

/* What the measure compares, with what it should be: by a rule, or by the answer to the impact as it was given. */
static void describe_answer(char *text, size_t size, const map_check *s, size_t trial,
                            ic_impact_measure measure)
{
    const ic_impact_samples *samples = s->verdict.samples;
    const ic_impact_variant variant = ic_impact_measured_on(measure);
    const size_t j = ic_impact_sample_of(trial, variant);
    const ic_impact_result *r = &samples->r[j];
    const ic_impact_model m = {.rule = expected_rule(s)};
    char impact[IMPACT_TEXT], expected[200] = "";
    ic_impact_result q = ic_impact_carried_over(&samples->r[trial], variant);
    const bool by_rule = variant == IC_AS_GIVEN;
    static const char *const copies[] = {[IC_HEAVIER] = "its answer to bodies of a thousandth of the mass",
                                         [IC_SLOWER] = "its answer at 2^20 times the speed",
                                         [IC_REFLECTED] = "its answer in a mirror"};
    describe_impact(impact, sizeof impact, &samples->p[j]);
    if (!by_rule || ic_impact_model_solve(&q, &samples->p[j], 0, &m))
        snprintf(expected, sizeof expected, "; by %s: v' = (%.17g, %.17g), P = (%.17g, %.17g)",
                 by_rule ? ic_impact_rule_name(m.rule) : copies[variant], q.v[0], q.v[1], q.P[0], q.P[1]);
    snprintf(text, size, "worst there: %s; answer: v' = (%.17g, %.17g) m/s, P = (%.17g, %.17g) N s%s", impact,
             r->v[0], r->v[1], r->P[0], r->P[1], expected);
}

/* "12 trials fail; all have v_x = 0, like 30 others" */
static void describe_failures(char *text, size_t size, const map_check *s, ic_impact_measure measure)
{
    size_t count;
    const ic_common common = ic_impact_common_failures(s->verdict.samples, measure, &count);
    snprintf(text, size, "%zu impact%s", count, count == 1 ? " fails" : "s fail");
    if (common.kind != IC_COMMON_NOTHING)
        ic_text_append(text, size, ", all where %s (%zu impacts)", common.text, common.members);
}

/* ---- the rows */

static bool is_own_gain(const map_check *s, ic_impact_measure measure)
{
    return measure == IC_OF_NORMAL_ENERGY && s->verdict.found.good &&
           s->verdict.found.rule == IC_RULE_POISSON && claimed_rule(s) != IC_RULE_STRONGE &&
           ic_impact_cause(&s->verdict, measure) == IC_MISTAKE_POISSON_NORMAL_GAIN;
}

/*
 * Whether a failure is that of a published hypothesis, which makes no mistake although it leaves Coulomb's path. The
 * failure of a measure that no hypothesis may break remains one.
 */
static bool is_own_hypothesis(const map_check *s, ic_impact_measure measure)
{
    const ic_impact_found *found = &s->verdict.found;
    return found->good && found->n_changes == 0 && found->rule >= IC_RULE_AT_ONCE &&
           found->rule <= IC_RULE_SMITH && measure != IC_OF_ENERGY && measure != IC_OF_SEPARATION &&
           measure != IC_OF_WORK && measure != IC_OF_NORMAL_WORK && measure != IC_OF_PATH;
}

/* Whether a failure is the energy that a hypothesis creates. */
static bool is_energy_of_hypothesis(const map_check *s, ic_impact_measure measure)
{
    return (measure == IC_OF_ENERGY || measure == IC_OF_NORMAL_ENERGY) && is_hypothesis(s) &&
           s->verdict.found.rule != IC_RULE_STRONGE;
}

static void describe_finding(char *text, size_t size, const map_check *s, ic_impact_measure measure,
                             ic_mistake_id cause)
{
    const bool by_law = cause == IC_MISTAKE_NEWTON_ENERGY_GAIN || cause == IC_MISTAKE_POISSON_NORMAL_GAIN ||
                        (cause == IC_MISTAKE_FRICTION_AT_ONCE && measure == IC_OF_ENERGY);
    if (by_law)
        snprintf(text, size, "the law creates this energy, not a slip in the code: '%s' %s",
                 ic_impact_rule_name(s->verdict.found.rule),
                 s->verdict.found.n_changes == 0 ? "gives exactly these answers"
                                                 : "does so without a mistake, too");
    else ic_impact_describe(text, size, &s->verdict, ic_impact_explaining(&s->verdict, measure));
}

/* Whether answers are explained by a hypothesis, with a mistake or without. */
static bool is_known(const map_check *s)
{
    return s->verdict.found.good && s->verdict.found.rule < IC_RULE_OWN;
}

static bool is_of_answer(ic_impact_measure measure)
{
    return measure != IC_OF_WORK && measure != IC_OF_NORMAL_WORK && measure != IC_OF_PATH;
}

/* The cause of the row that most impacts fail, if rows show several: one mistake has many effects. */
static void find_blamed(map_check *s)
{
    size_t most = 0;
    for (int k = 0; k < IC_IMPACT_MEASURES; k++) {
        const size_t failing = s->verdict.evidence.worst[k].failing;
        if (failing <= most || !is_of_answer((ic_impact_measure)k)) continue;
        const ic_mistake_id cause = ic_impact_cause(&s->verdict, (ic_impact_measure)k);
        if (cause != IC_NO_MISTAKE) s->blamed = cause, most = failing;
    }
}

static void write_failure(map_check *s, ic_plugin_check check, ic_impact_measure measure)
{
    const ic_impact_evidence *e = &s->verdict.evidence;
    const ic_mistake_id own = ic_impact_cause(&s->verdict, measure),
                        cause = is_known(s) || !is_of_answer(measure) || own == s->blamed ? own : IC_NO_MISTAKE;
    char common[200], answer[IMPACT_TEXT + 400], finding[DESCRIPTION], because[IC_BECAUSE_LENGTH];
    ic_impact_because(because, sizeof because, &s->verdict, cause);
    const ic_judged_value measured = IC_JUDGED(e->worst[measure].value, ic_tolerance_impact_map, cause);
    ic_writer_explain(s->writer, because);
    s->failed = true;
    describe_failures(common, sizeof common, s, measure);
    describe_answer(answer, sizeof answer, s, e->worst[measure].trial, measure);
    describe_finding(finding, sizeof finding, s, measure, cause);
    /* the impact may be cut off, not what was found */
    ic_write_measured(s->writer, check, &measured, "%.260s%s%.180s; %s", finding,
                      finding[0] != '\0' ? "; " : "", common, answer);
}

/*
 * By Poisson's hypothesis, restitution may return more energy than compression has absorbed. This is
 * not a mistake of the map. Nor is it one that a published hypothesis is not Coulomb's path.
 */
static void add_row(map_check *s, ic_plugin_check check, ic_impact_measure measure)
{
    const ic_impact_evidence *e = &s->verdict.evidence;
    ic_writer_set_place(s->writer, "impact %zu of %d", e->worst[measure].trial + 1, IC_IMPACT_TRIALS);
    if (!ic_impact_fails(e, measure)) {
        const ic_judged_value measured =
            IC_JUDGED(e->worst[measure].value, ic_tolerance_impact_map, IC_NO_MISTAKE);
        char impact[IMPACT_TEXT];
        describe_impact(impact, sizeof impact, &s->verdict.samples->p[e->worst[measure].trial]);
        ic_write_measured(s->writer, check, &measured, "worst there: %s", impact);
    } else if (ic_says_own(IC_IMPLEMENTS(s->map)) && !s->verdict.found.good && measure == IC_OF_FRICTION)
        ic_write_open(s->writer, check, e->worst[measure].value,
                      "it is a map of its own, which need not follow Coulomb's path: its cone is judged");
    else if (is_own_gain(s, measure))
        ic_write_open(
            s->writer, check, e->worst[measure].value,
            "the map is Poisson's hypothesis, by which the normal motion may gain energy while friction takes "
            "more; Stronge's hypothesis excludes that");
    else if (is_energy_of_hypothesis(s, measure))
        ic_write_open(
            s->writer, check, e->worst[measure].value,
            "the hypothesis '%s' creates this energy, not a slip in the code, which gives exactly its "
            "answers",
            ic_impact_rule_name(s->verdict.found.rule));
    else if (is_own_hypothesis(s, measure))
        ic_write_open(
            s->writer, check, e->worst[measure].value,
            "not Coulomb's path, so %s is not judged by it: the map is the published hypothesis '%s' exactly",
            measure == IC_OF_FRICTION ? "friction" : "this", ic_impact_rule_name(s->verdict.found.rule));
    else write_failure(s, check, measure);
    ic_writer_set_place(s->writer, "%s", "");
}

static void add_claim(map_check *s)
{
    const ic_impact_found *found = &s->verdict.found;
    const ic_impact_model m = {.rule = claimed_rule(s)};
    if (m.rule == IC_IMPACT_RULES) return;
    const double misfit = ic_impact_misfit(s->verdict.samples, &m);
    const bool another =
        found->good && found->rule != IC_RULE_OWN && found->rule != m.rule && !s->verdict.any_rule;
    const ic_mistake_id other = found->n_changes > 0                 ? s->verdict.mistakes[0]
                                : s->verdict.coarse != IC_NO_MISTAKE ? s->verdict.coarse
                                                                     : s->calls.changed_by;
    const ic_judged_value measured =
        IC_JUDGED(misfit, ic_tolerance_impact_map, another ? IC_MISTAKE_MISLABELLED : other);
    s->failed |= !(misfit <= measured.tolerance);
    ic_write_measured(s->writer, IC_CHECK_MAP_CLAIM, &measured, "it says '%.60s', and is %.200s",
                      ic_impact_rule_name(m.rule),
                      s->description[0] != '\0' ? s->description : "no known hypothesis");
}

/* The row on the hypothesis that the map follows, compared with the one that it claims. */
static void add_identity(map_check *s)
{
    const ic_impact_found *f = &s->verdict.found;
    const bool known = is_known(s), gains = ic_impact_fails(&s->verdict.evidence, IC_OF_ENERGY);
    const ic_impact_rule claimed = claimed_rule(s);
    const ic_judged_value same = {0, 0, "all impacts", IC_NO_MISTAKE};
    const char *what = s->verdict.any_rule ? "any hypothesis"
                       : known             ? ic_impact_rule_name(f->rule)
                                           : "",
               *implements = IC_IMPLEMENTS(s->map);
    if (implements != NULL && claimed == IC_IMPACT_RULES && !ic_says_own(implements))
        ic_write_open(s->writer, IC_CHECK_MAP_IDENTITY, NAN,
                      "implements says '%.40s', which is no hypothesis (public header)", implements);
    else if (is_hypothesis(s) && (claimed != IC_IMPACT_RULES || !gains || ic_says_own(implements)))
        ic_write_measured(s->writer, IC_CHECK_MAP_IDENTITY, &same, "acts as %s%s",
                          claimed != IC_IMPACT_RULES ? ic_impact_rule_name(claimed) : what,
                          gains ? ", which creates energy" : "");
    else if (is_hypothesis(s))
        ic_write_open(s->writer, IC_CHECK_MAP_IDENTITY, NAN,
                      "acts as %s, which creates energy; .implements = \"%s\" says that it is meant", what,
                      what);
    else if (known && f->n_changes == 0 && claimed != IC_IMPACT_RULES)
        ic_write_open(s->writer, IC_CHECK_MAP_IDENTITY, NAN, "acts as %s where it says %s", what,
                      ic_impact_rule_name(claimed));
    else if (known) ic_write_open(s->writer, IC_CHECK_MAP_IDENTITY, NAN, "acts as %.200s", s->description);
    else if (ic_says_own(implements))
        ic_write_measured(s->writer, IC_CHECK_MAP_IDENTITY, &same, "a map of its own: no formula was judged");
    else
        ic_write_open(s->writer, IC_CHECK_MAP_IDENTITY, NAN,
                      "identified as: none; a map of your own says .implements = \"" IC_IMPLEMENTS_OWN "\"");
}

/* A mistake that breaks no law of mechanics, but by which the hypothesis is no longer the one that it was. */
static void add_lone_mistake(map_check *s)
{
    char because[IC_BECAUSE_LENGTH];
    ic_impact_because(because, sizeof because, &s->verdict, s->verdict.mistakes[0]);
    const ic_impact_model m = {.rule = s->verdict.found.rule};
    if (s->failed || !s->verdict.found.good || s->verdict.found.n_changes == 0 || m.rule == IC_RULE_OWN) return;
    const ic_judged_value measured =
        IC_JUDGED(ic_impact_misfit(s->verdict.samples, &m), ic_tolerance_impact_map, s->verdict.mistakes[0]);
    ic_writer_explain(s->writer, because);
    ic_write_measured(s->writer, IC_CHECK_MAP_CLAIM, &measured, "%.300s", s->description);
}

/* The mistake that leaves no answer where there is none; `other`: it has one somewhere. */
static ic_mistake_id cause_of_none(const map_check *s, ic_sample_state state, ic_mistake_id other)
{
    const ic_impact_found *f = &s->verdict.found;
    for (size_t j = 0; j < IC_IMPACT_SAMPLES; j++) {
        const ic_impact_model m = ic_impact_model_of(f, j, ~0u);
        ic_impact_result r;
        if (s->calls.samples->state[j] == state && ic_impact_model_solve(&r, &s->calls.samples->p[j], 0, &m))
            return other;
    }
    return f->good && f->n_changes > 0 ? s->verdict.mistakes[0] : other;
}

/* Samples in a state: how many, the first, how many are trials, and what those have in common. */
typedef struct in_state {
    size_t count, first, trials;
    ic_common common;
} in_state;

static in_state find_in_state(const map_check *s, ic_sample_state state)
{
    bool is_in[IC_IMPACT_TRIALS], among[IC_IMPACT_TRIALS];
    in_state found = {.count = 0};
    for (size_t j = IC_IMPACT_SAMPLES; j-- > 0;) {
        const bool is = s->calls.samples->state[j] == state;
        if (is) found.count++, found.first = j;
        if (j < IC_IMPACT_TRIALS) is_in[j] = is, among[j] = true, found.trials += is;
    }
    found.common = ic_impact_common(s->calls.samples->p, is_in, among);
    return found;
}

static void add_refusals(map_check *s, const faulty_impacts *accepted)
{
    const in_state refused = find_in_state(s, IC_REFUSED);
    const size_t count = refused.count;
    const ic_judged_value measured = {(double)(count + accepted->count), 0, "none",
                                      count > 0 ? cause_of_none(s, IC_REFUSED, IC_MISTAKE_VALID_REFUSED)
                                                : IC_MISTAKE_FAULTY_ACCEPTED};
    char impact[IMPACT_TEXT];
    describe_impact(impact, sizeof impact, &s->calls.samples->p[refused.first]);
    if (count == 0)
        ic_write_measured(s->writer, IC_CHECK_MAP_ANSWERS, &measured,
                          "no good impact refused; %zu of %d faulty ones accepted%s%.200s", accepted->count,
                          FAULTY, accepted->count > 0 ? ": " : "", accepted->text);
    else
        ic_write_measured(s->writer, IC_CHECK_MAP_ANSWERS, &measured,
                          "%zu of %d good impacts refused%s%s (or their copies in other units); the first: %s",
                          refused.trials, IC_IMPACT_TRIALS,
                          refused.common.kind != IC_COMMON_NOTHING ? ", all where " : "", refused.common.text,
                          impact);
    /* the other mistake has a row of its own */
    if (count > 0 && accepted->count > 0) {
        const ic_judged_value also = {(double)accepted->count, 0, "none", IC_MISTAKE_FAULTY_ACCEPTED};
        ic_write_measured(s->writer, IC_CHECK_MAP_ANSWERS, &also, "%zu of %d faulty impacts accepted: %.200s",
                          accepted->count, FAULTY, accepted->text);
    }
}

static void add_finite(map_check *s)
{
    const in_state broken = find_in_state(s, IC_NO_NUMBERS);
    const ic_judged_value finite = {(double)broken.count, 0, "none",
                                    cause_of_none(s, IC_NO_NUMBERS, IC_MISTAKE_NOT_FINITE)};
    char impact[IMPACT_TEXT];
    describe_impact(impact, sizeof impact, &s->calls.samples->p[broken.first]);
    ic_write_measured(s->writer, IC_CHECK_FINITE, &finite,
                      "results with IC_OK and a velocity or impulse that is not finite%s%s%s%s",
                      broken.count > 0 && broken.common.kind != IC_COMMON_NOTHING ? ", all where " : "",
                      broken.count > 0 ? broken.common.text : "", broken.count > 0 ? "; the first: " : "",
                      broken.count > 0 ? impact : "");
}

static void add_manners(map_check *s)
{
    const ic_impact_calls *c = &s->calls;
    const ic_judged_value damage = {(double)c->damage, 0, "none may change", IC_MISTAKE_WRITES_OUT_OF_BOUNDS};
    const ic_judged_value rounding = {(double)c->rounding_changed, 0, "none", IC_MISTAKE_ROUNDING_MODE};
    const ic_judged_value kept = IC_JUDGED(c->kept, ic_tolerance_memory_kept, IC_MISTAKE_LEAKS);
    ic_write_measured(s->writer, IC_CHECK_BOUNDS, &damage, "bytes around the result, and in the given impact");
    ic_write_measured(s->writer, IC_CHECK_MAP_ROUNDING, &rounding, "calls after which fegetround() is another");
    char what[96];
    snprintf(what, sizeof what, "least number of bytes that %d impacts, or %d, add to the heap", IC_LEAK_CALLS,
             IC_MANY_CALLS / 2);
    ic_write_kept(s->writer, IC_CHECK_MAP_MEMORY, &kept, what);
}

static void add_repeats(map_check *s)
{
    const ic_impact_calls *c = &s->calls;
    const ic_judged_value repeated = {fmax(c->changed_most, c->drifted > 0 ? 1 : 0), 0,
                                      "the same impact, the same result", c->changed_by};
    char impact[IMPACT_TEXT];
    describe_impact(impact, sizeof impact, &c->samples->p[c->changed_at]);
    if (c->changed == 0 && c->drifted > 0)
        ic_write_measured(
            s->writer, IC_CHECK_MAP_REPEATS, &repeated,
            "at first all answers are the same; the first of %d further calls with another one is number "
            "%zu, to %s",
            IC_MANY_CALLS, c->drifted, impact);
    else if (c->changed == 0)
        ic_write_measured(
            s->writer, IC_CHECK_MAP_REPEATS, &repeated,
            "%d impacts, of which a fifth is requested again: after others, and with other bytes in "
            "unset memory; then up to %d further calls",
            IC_IMPACT_ASKED, IC_MANY_CALLS);
    else
        ic_write_measured(s->writer, IC_CHECK_MAP_REPEATS, &repeated,
                          "%zu of %d answers change, most that to %s", c->changed, IC_IMPACT_ASKED, impact);
}

static void add_precision(map_check *s)
{
    const ic_impact_verdict *v = &s->verdict;
    const bool few = v->coarse == IC_MISTAKE_SINGLE_PRECISION;
    const ic_judged_value measured = IC_JUDGED(few ? fmax(v->single, v->few_digits) : v->single,
                                               ic_tolerance_map_precision, IC_MISTAKE_SINGLE_PRECISION);
    ic_write_measured(s->writer, IC_CHECK_MAP_PRECISION, &measured, "%s",
                      few ? v->coarse_text : "impulses and velocities of the usual impacts");
}

static bool shows_mistake(const map_check *s, ic_impact_measure measure)
{
    const ic_mistake_id cause = ic_impact_cause(&s->verdict, measure);
    bool found = false;
    for (size_t k = 0; k < s->verdict.found.n_changes; k++) found |= s->verdict.mistakes[k] == cause;
    return found && s->verdict.found.good && ic_impact_fails(&s->verdict.evidence, measure);
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
    const ic_impact_evidence *e = &s->verdict.evidence;
    ic_impact_classify(s->writer, &s->verdict);
    find_blamed(s);
    add_precision(s);
    /* rows that show a mistake found come first: the first line names it, not what belongs to a hypothesis */
    for (int later = 0; later < 2; later++) {
        for (size_t i = 0; i < IC_COUNT(rows); i++) {
            if (shows_mistake(s, rows[i].measure) != (later == 1)) add_row(s, rows[i].check, rows[i].measure);
        }
    }
    /* D_N alone is known if friction follows Coulomb's path */
    const bool normal = !ic_impact_fails(e, IC_OF_FRICTION) && !ic_impact_fails(e, IC_OF_WORK);
    if (!e->has_D_N && !e->has_D_T)
        ic_write_open(s->writer, IC_CHECK_MAP_WORK, NAN, "the map reports neither D_N nor D_T");
    else if (!e->has_D_T && !ic_impact_fails(e, IC_OF_FRICTION))
        add_row(s, IC_CHECK_MAP_WORK, IC_OF_NORMAL_WORK);
    else if (!e->has_D_T || !e->has_D_N)
        ic_write_open(s->writer, IC_CHECK_MAP_WORK, NAN, "the map reports one of D_N and D_T alone");
    else add_row(s, IC_CHECK_MAP_WORK, normal ? IC_OF_NORMAL_WORK : IC_OF_WORK);
    if (e->has_path) add_row(s, IC_CHECK_MAP_PATH, IC_OF_PATH);
    add_identity(s);
    add_claim(s);
    add_lone_mistake(s);
}

static void audit_map(map_check *s)
{
    size_t answered = 0;
    ic_announce_operation(s->writer, "an impact");
    ic_impact_ask_all(&s->calls);
    ic_announce_operation(s->writer, "an input that is not an impact");
    const faulty_impacts accepted = find_accepted(&s->calls);
    ic_announce_operation(s->writer, "the comparison of its answers");
    for (size_t i = 0; i < IC_IMPACT_TRIALS; i++) answered += s->calls.samples->state[i] == IC_ANSWERED;
    if (answered > 0) ic_impact_judge(&s->verdict, s->calls.samples, &s->calls);
    ic_impact_describe(s->description, sizeof s->description, &s->verdict, ~0u);
    add_manners(s);
    add_finite(s);
    add_refusals(s, &accepted);
    add_repeats(s);
    if (answered > 0) add_rows(s);
}

void ic_audit_impact_map(ic_finding_writer *writer, const ic_impact_map *map, uint64_t seed)
{
    map_check *s = calloc(1, sizeof *s);
    ic_impact_samples *samples = ic_impact_samples_new(seed);
    if (s == NULL || samples == NULL) ic_write_record(writer, IC_RECORD_ERROR, 0, "memory ran out");
    else {
        s->writer = writer, s->map = map;
        s->calls.map = map, s->calls.samples = samples;
        audit_map(s);
    }
    free(samples);
    free(s);
}
