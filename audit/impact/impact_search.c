/* SPDX-License-Identifier: MIT */
/*
 * The order of the search (audit/common/explain.h): a rule, alone and with one change; a change that breaks momentum,
 * which is taken out; one change in those impacts alone that the rule does not explain; two changes; one change, and
 * another in those impacts that are left. All this first for rules that determine P_y, then with the P_y of the
 * answers. A model is given up at the first answers that it does not give, so that thousands of them are tried in
 * milliseconds.
 */
#include "audit/impact/impact.h"

#include "audit/common/explain.h"
#include "core/numbers.h"

#include <stdlib.h>
#include <string.h>

/* Samples on which models are compared before all are looked at. */
enum { FIRST_LOOK = 640, UNEXPLAINED_FIRST = 32, FIRST_STEP = 80 };
/* The part of the first look that a rule must explain if the rest has a change of its own. */
#define LEAST_PART 0.3
/* A search that has computed so many answers ends: a few tenths of a second. */
#define MOST_ANSWERS 700000L
/* Samples that a change of its own must explain. */
enum { LEAST_OWN = 3 };

/* The answer of a model to a sample. */
enum { DIFFERS, MATCHES, LEFT_OPEN };

typedef struct looked {
    unsigned char at[FIRST_LOOK];
    size_t matches, differs;
} looked;

typedef struct search {
    const ic_impact_samples *s;
    double tolerance;
    size_t order[FIRST_LOOK], n_order;
    ic_impact_found *found;

    /* those to be tried */
    ic_impact_rule rules[IC_IMPACT_RULES];
    size_t n_rules;

    /* what may be changed; none, until it is needed */
    ic_impact_change of[IC_MOST_CHANGES_TRIED];
    size_t count;

    /* changed already, in all samples */
    ic_impact_change undone;

    /* answers that may still be computed */
    long left;
} search;

/* hypot() is slower, and impulses do not overflow */
static double size_of(double x, double y)
{
    return sqrt(x * x + y * y);
}

bool ic_impact_matches(const ic_impact_samples *s, size_t j, const ic_impact_model *model, double tolerance,
                       bool *undefined)
{
    const ic_impact *p = &s->p[j];
    const ic_impact_result *r = &s->r[j];
    ic_impact_result q;
    *undefined = !ic_impact_model_solve(&q, p, fabs(r->P[1]), model);
    if (*undefined) return false;
    if (!(size_of(r->P[0] - q.P[0], r->P[1] - q.P[1]) <=
          tolerance * (size_of(r->P[0], r->P[1]) + size_of(q.P[0], q.P[1]))))
        return false;
    for (int k = 0; k < 2; k++) {
        if (!(fabs(r->v[k] - q.v[k]) <= tolerance * ic_velocity_scale(p, q.P, q.v, k))) return false;
    }
    return true;
}

static int look_at(search *s, size_t sample, const ic_impact_model *model)
{
    bool undefined;
    if (s->left-- <= 0) return DIFFERS;
    const bool same = ic_impact_matches(s->s, sample, model, s->tolerance, &undefined);
    return undefined ? LEFT_OPEN : same ? MATCHES : DIFFERS;
}

/* Looks at samples of the first look, at most until the model is hopeless. */
static void look(search *s, const ic_impact_model *model, looked *l)
{
    l->matches = l->differs = 0;
    for (size_t i = 0; i < s->n_order; i++) {
        l->at[i] = (unsigned char)look_at(s, s->order[i], model);
        l->matches += l->at[i] == MATCHES;
        l->differs += l->at[i] == DIFFERS;
        if (i == FIRST_STEP && (double)l->matches < LEAST_PART * (FIRST_STEP - UNEXPLAINED_FIRST)) {
            l->differs = s->n_order;
            memset(l->at + i, DIFFERS, s->n_order - i);
            return;
        }
    }
}

/* Whether a model explains all samples that `by` does not (NULL: all); how many of them it decides. */
static bool explains_rest(search *s, const ic_impact_model *model, const looked *by,
                          const ic_impact_model *first)
{
    size_t own = 0, open = 0;
    for (size_t i = 0; i < s->n_order; i++) {
        if (by != NULL && by->at[i] != DIFFERS) continue;
        const int at = look_at(s, s->order[i], model);
        if (at == DIFFERS) return false;
        own += at == MATCHES, open += at == LEFT_OPEN;
    }
    if (own < open) return false;
    own = open = 0;
    for (size_t j = 0; j < IC_IMPACT_SAMPLES; j++) {
        if (s->s->state[j] != IC_ANSWERED) continue;
        if (first != NULL && look_at(s, j, first) != DIFFERS) continue;
        const int at = look_at(s, j, model);
        if (at == DIFFERS) return false;
        own += at == MATCHES, open += at == LEFT_OPEN;
    }
    return own >= LEAST_OWN && own >= open;
}

static void keep(search *s, const ic_impact_model *model, const ic_impact_model *first, bool first_conditional,
                 bool second_conditional)
{
    ic_impact_found *f = s->found;
    f->good = true;
    f->rule = model->rule;
    f->n_changes = 0;
    for (int k = 0; k < IC_MOST_CHANGES; k++) {
        if (model->changes[k].kind == IC_CHANGE_NONE) continue;
        f->changes[f->n_changes++] =
            (ic_found_change){model->changes[k], k == 0 ? first_conditional : second_conditional};
    }
    for (size_t j = 0; j < IC_IMPACT_SAMPLES; j++)
        f->acts[j] = first == NULL || (s->s->state[j] == IC_ANSWERED && look_at(s, j, first) == DIFFERS);
}

/* A model in the search. */
typedef struct attempt {
    ic_impact_model m;

    /* how many changes it has */
    size_t n;

    /* number of the first candidate that is not tried yet beside them */
    size_t from;

    /* only those samples count that `first` does not explain, by its first look; NULL: all */
    const looked *by;

    ic_impact_model first;

    /* the changes act in these samples only */
    bool conditional[2];
} attempt;

static void take_candidates(search *s)
{
    ic_changes_tried *tried = &s->found->tried;
    const ic_change_group group = ic_change_group_of(s->undone.kind);
    ic_impact_candidates(tried, s->s, s->tolerance);
    for (size_t k = 0; k < tried->count; k++) {
        if (group == IC_GROUP_NONE || ic_change_group_of(tried->of[k].kind) != group)
            s->of[s->count++] = tried->of[k];
    }
}

static size_t list_changes(void *of, const void *hypothesis, int added)
{
    search *s = of;
    (void)hypothesis, (void)added;
    if (s->count == 0) take_candidates(s);
    return s->count;
}

static bool add_change(void *of, void *more, const void *hypothesis, size_t change, int added)
{
    const search *s = of;
    attempt *a = more;
    (void)added;
    *a = *(const attempt *)hypothesis;
    const ic_change_kind kind = s->of[change].kind;
    if (change < a->from || (a->n > 0 && ic_change_group_of(a->m.changes[0].kind) == ic_change_group_of(kind)))
        return false;
    a->m.changes[a->n] = s->of[change];
    a->conditional[a->n++] = a->by != NULL;
    a->from = change + 1;
    return true;
}

static bool is_exact(void *of, const void *hypothesis)
{
    const attempt *a = hypothesis;
    return explains_rest(of, &a->m, a->by, a->by != NULL ? &a->first : NULL);
}

static bool take(void *of, const void *hypothesis, int added)
{
    const attempt *a = hypothesis;
    (void)added;
    keep(of, &a->m, a->by != NULL ? &a->first : NULL, a->conditional[0], a->conditional[1]);
    return true;
}

static bool explain(search *s, const attempt *bases, size_t n, int least, int most)
{
    attempt room[2];
    const ic_explainer e = {.of = s,
                            .size = sizeof *room,
                            .room = room,
                            .list = list_changes,
                            .add = add_change,
                            .is_exact = is_exact,
                            .take = take};
    return ic_explain(&e, bases, n, least, most);
}

/* The samples that an attempt does not explain are to be explained by further changes. */
static attempt rest_of(const attempt *a, const looked *by)
{
    attempt rest = *a;
    rest.by = by, rest.first = a->m, rest.from = 0;
    return rest;
}

static bool is_partly_right(const search *s, const looked *l)
{
    return (double)l->matches >= LEAST_PART * (double)s->n_order;
}

/* One change in all samples, and another one in those that are left. */
static bool explain_one_and_rest(search *s, const attempt *rule)
{
    for (size_t k = 0; k < s->count; k++) {
        attempt one;
        looked l;
        add_change(s, &one, rule, k, 0);
        look(s, &one.m, &l);
        const attempt rest = rest_of(&one, &l);
        if (is_partly_right(s, &l) && explain(s, &rest, 1, 1, 1)) return true;
    }
    return false;
}

static size_t list_rules(const search *s, attempt rules[IC_IMPACT_RULES])
{
    for (size_t i = 0; i < s->n_rules; i++) rules[i] = (attempt){.m = {.rule = s->rules[i]}};
    return s->n_rules;
}

/* A rule alone, or with one change in all samples: more is not to be sought if this is enough. */
static bool explain_simply(search *s)
{
    attempt rules[IC_IMPACT_RULES];
    const size_t n = list_rules(s, rules);
    return n > 0 && explain(s, rules, n, 0, 1);
}

/* Then one change, or two, in those samples alone that a rule does not explain, if it explains some. */
static bool explain_by_rules(search *s)
{
    attempt rules[IC_IMPACT_RULES];
    looked l[IC_IMPACT_RULES];
    const size_t n = list_rules(s, rules);
    if (explain_simply(s)) return true;
    for (size_t i = 0; i < n; i++) {
        look(s, &rules[i].m, &l[i]);
        const attempt rest = rest_of(&rules[i], &l[i]);
        if (is_partly_right(s, &l[i]) && explain(s, &rest, 1, 1, 1)) return true;
    }
    for (size_t i = 0; i < n; i++) {
        const attempt rest = rest_of(&rules[i], &l[i]);
        const bool partly = is_partly_right(s, &l[i]);
        if (explain(s, &rules[i], 1, 2, 2)) return true;
        if ((partly || ic_impact_rule_on_path(rules[i].m.rule)) && explain_one_and_rest(s, &rules[i]))
            return true;
        if (partly && explain(s, &rest, 1, 2, 2)) return true;
    }
    return false;
}

/* The rule on the path that explains most answers, and the answers that it does not explain. */
static ic_impact_rule find_unexplained(search *s, bool unexplained[IC_IMPACT_SAMPLES])
{
    size_t most = 0;
    ic_impact_rule best = IC_RULE_NEWTON;
    for (int rule = IC_RULE_NEWTON; rule <= IC_RULE_STRONGE; rule++) {
        const ic_impact_model m = {.rule = (ic_impact_rule)rule};
        bool wrong[IC_IMPACT_SAMPLES] = {false};
        size_t right = 0;
        for (size_t j = 0; j < IC_IMPACT_SAMPLES; j++) {
            if (s->s->state[j] != IC_ANSWERED) continue;
            wrong[j] = look_at(s, j, &m) == DIFFERS;
            right += !wrong[j];
        }
        if (right <= most) continue;
        most = right, best = m.rule;
        memcpy(unexplained, wrong, sizeof wrong);
    }
    return best;
}

/*
 * Answered samples, spread evenly: neighbours of the order have nothing in common. First some that a
 * simple rule does not explain, so that models which do not either are given up at once.
 */
static ic_impact_rule choose_first_look(search *s)
{
    enum { STRIDE = 1237 }; /* without a common divisor with the number of samples */
    bool unexplained[IC_IMPACT_SAMPLES] = {false};
    const ic_impact_rule best = find_unexplained(s, unexplained);
    s->n_order = 0;
    for (size_t i = 0; i < IC_IMPACT_SAMPLES && s->n_order < UNEXPLAINED_FIRST; i++) {
        const size_t j = i * STRIDE % IC_IMPACT_SAMPLES;
        if (unexplained[j]) s->order[s->n_order++] = j;
    }
    for (size_t i = 0; i < IC_IMPACT_SAMPLES && s->n_order < FIRST_LOOK; i++) {
        const size_t j = i * STRIDE % IC_IMPACT_SAMPLES;
        if (s->s->state[j] == IC_ANSWERED) s->order[s->n_order++] = j;
    }
    return best;
}

/* The rule that explains most is tried first. false: there are no answers. */
static bool begin(search *s, long answers)
{
    s->left = answers, s->count = 0;
    const ic_impact_rule best = choose_first_look(s);
    s->rules[0] = best, s->n_rules = 1;
    for (int rule = IC_RULE_NEWTON; rule < IC_RULE_OWN; rule++) {
        if (rule != (int)best) s->rules[s->n_rules++] = (ic_impact_rule)rule;
    }
    return s->n_order > 0;
}

static void search_samples(search *s, long answers)
{
    if (!begin(s, answers) || explain_by_rules(s)) return;
    s->left = answers / 2;
    s->rules[0] = IC_RULE_OWN, s->n_rules = 1;
    explain_by_rules(s);
}

/* ---- momentum needs no rule: what breaks it is found alone, and taken out of the answers */

/* Undoes a change that breaks momentum in all samples. false: it is not in all of them. */
static bool undo_in_all(ic_impact_samples *undone, const ic_impact_samples *samples,
                        const ic_impact_change *change, double tolerance)
{
    memcpy(undone, samples, sizeof *undone);
    for (size_t j = 0; j < IC_IMPACT_SAMPLES; j++) {
        if (samples->state[j] == IC_ANSWERED &&
            !ic_impact_undo(&undone->p[j], &undone->r[j], change, tolerance))
            return false;
    }
    return true;
}

static bool matches_all(search *s, const ic_impact_samples *samples)
{
    for (size_t j = 0; j < IC_IMPACT_SAMPLES; j++) {
        const ic_impact_model m = ic_impact_model_of(s->found, j, ~0u);
        bool undefined = false;
        if (samples->state[j] == IC_ANSWERED && !ic_impact_matches(samples, j, &m, s->tolerance, &undefined) &&
            !undefined)
            return false;
    }
    return true;
}

/* Whether a model with this change, and at most two others, gives all answers. */
static bool try_undone(search *s, const ic_impact_samples *samples, ic_impact_samples *undone,
                       const ic_impact_change *change)
{
    ic_impact_found *f = s->found;
    if (!undo_in_all(undone, samples, change, s->tolerance)) return false;
    if (f->of_momentum.kind == IC_CHANGE_NONE) f->of_momentum = *change;
    s->s = undone, s->undone = *change;
    search_samples(s, MOST_ANSWERS / 2);
    s->s = samples, s->undone.kind = IC_CHANGE_NONE;
    if (f->good) f->changes[f->n_changes++] = (ic_found_change){.change = *change};
    f->good = f->good && f->rule != IC_RULE_OWN && matches_all(s, samples);
    if (f->good) f->of_momentum = *change;
    else f->n_changes = 0;
    return f->good;
}

static bool try_momentum(search *s)
{
    enum { MOST_TRIED = 3 };
    const ic_impact_samples *samples = s->s;
    ic_impact_samples *undone = malloc(sizeof *undone);
    ic_impact_change broken[IC_MOST_CHANGES_TRIED];
    size_t n = 0, tried = 0;
    ic_impact_candidates(&s->found->tried, samples, s->tolerance);
    for (size_t k = 0; k < s->found->tried.count && undone != NULL; k++) {
        const ic_impact_change *c = &s->found->tried.of[k];
        if (ic_change_breaks_momentum(c) && undo_in_all(undone, samples, c, s->tolerance)) broken[n++] = *c;
    }
    while (tried < n && tried < MOST_TRIED && !try_undone(s, samples, undone, &broken[tried])) tried++;
    free(undone);
    return s->found->good;
}

/* ---- if nothing gives all answers */

/* Trials whose answers are those of a model. */
static size_t count_exact(search *s, const ic_impact_model *m)
{
    size_t exact = 0;
    for (size_t i = 0; i < IC_IMPACT_TRIALS; i++)
        exact += s->s->state[i] == IC_ANSWERED && look_at(s, i, m) == MATCHES;
    return exact;
}

static bool is_promising(search *s, const ic_impact_model *m)
{
    enum { LOOKS = 64 };
    size_t other = 0;
    for (size_t i = UNEXPLAINED_FIRST; i < UNEXPLAINED_FIRST + LOOKS && i < s->n_order && 2 * other <= LOOKS;
         i++)
        other += look_at(s, s->order[i], m) != MATCHES;
    return 2 * other <= LOOKS;
}

static void find_nearest(search *s)
{
    ic_impact_found *f = s->found;
    f->exact = 0;
    for (int rule = IC_RULE_NEWTON; rule < IC_RULE_OWN; rule++) {
        const ic_impact_model m = {.rule = (ic_impact_rule)rule};
        const size_t exact = count_exact(s, &m);
        if (exact > f->exact) f->exact = exact, f->nearest = m;
    }
    /* a change must explain half of what is left */
    size_t least = f->exact + (IC_IMPACT_TRIALS - f->exact) / 2;
    for (int rule = IC_RULE_NEWTON; rule < IC_RULE_OWN; rule++) {
        for (size_t k = 0; k < s->count; k++) {
            const ic_impact_model m = {.rule = (ic_impact_rule)rule, .changes = {s->of[k]}};
            if (!is_promising(s, &m)) continue;
            const size_t exact = count_exact(s, &m);
            if (exact > f->exact && exact >= least) f->exact = exact, f->nearest = m;
        }
    }
}

void ic_impact_search(ic_impact_found *found, const ic_impact_samples *samples, double tolerance)
{
    search *s = calloc(1, sizeof *s);
    memset(found, 0, sizeof *found);
    if (s == NULL) return;
    s->s = samples, s->tolerance = tolerance, s->found = found;
    if (begin(s, MOST_ANSWERS) && !explain_simply(s) && !try_momentum(s)) search_samples(s, MOST_ANSWERS);
    if (!found->good || found->rule == IC_RULE_OWN) {
        s->left = MOST_ANSWERS;
        find_nearest(s);
    }
    free(s);
}

ic_impact_model ic_impact_model_of(const ic_impact_found *found, size_t sample, unsigned with)
{
    ic_impact_model m = {.rule = found->rule};
    for (size_t k = 0; k < found->n_changes; k++) {
        if ((with >> k & 1) != 0 && (!found->changes[k].conditional || found->acts[sample]))
            m.changes[k] = found->changes[k].change;
    }
    return m;
}

static bool has_curve(const ic_impact_model *m)
{
    bool found = false;
    for (int k = 0; k < IC_MOST_CHANGES; k++) found |= m->changes[k].curve != NULL;
    return found;
}

void ic_impact_simulate(ic_impact_samples *simulated, const ic_impact_samples *samples,
                        const ic_impact_found *found, unsigned with)
{
    memcpy(simulated, samples, sizeof *simulated);
    for (size_t j = 0; j < IC_IMPACT_SAMPLES; j++) {
        const ic_impact_model m = ic_impact_model_of(found, j, with);
        ic_impact_result r;
        if (samples->state[j] != IC_ANSWERED) continue;
        if (ic_impact_model_solve(&r, &samples->p[j], fabs(samples->r[j].P[1]), &m)) simulated->r[j] = r;
        else if (has_curve(&m)) simulated->state[j] = IC_NOT_ASKED; /* between points of a function */
    }
}

/* ---- how near a model is that is not met exactly */

ic_nearness ic_impact_nearness(const ic_impact_samples *s, const ic_impact_model *model)
{
    double off[IC_IMPACT_USUAL];
    size_t n = 0, near = 0;
    for (size_t j = 0; j < IC_IMPACT_USUAL; j++) {
        ic_impact_result q;
        if (s->state[j] != IC_ANSWERED || !ic_impact_model_solve(&q, &s->p[j], fabs(s->r[j].P[1]), model))
            continue;
        const double size = hypot(q.P[0], q.P[1]);
        off[n] = hypot(s->r[j].P[0] - q.P[0], s->r[j].P[1] - q.P[1]) / size;
        near += off[n++] <= 0.01;
    }
    if (n == 0) return (ic_nearness){INFINITY, INFINITY, 0};
    qsort(off, n, sizeof *off, ic_compare_numbers);
    return (ic_nearness){off[n / 2], off[n - 1], (double)near / (double)n};
}
