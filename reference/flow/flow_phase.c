/* SPDX-License-Identifier: MIT */
/* The formulas of a phase, and the guards at its start (event contract, clauses 2 and 3). */
#include "reference/flow/flow_extremes.h"
#include "reference/flow/flow_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Derivatives of guards that are examined where a phase starts, and precision of signs. */
enum { MOST_ORDERS = 12, SIGN_TRIES = 5 };

const ic_mode *ic_flow_mode(const ic_flow *f)
{
    return &f->problem->variant->modes[f->mode];
}

bool ic_flow_same_guard(const ic_guard *a, const ic_guard *b)
{
    return a == b || (a->value == b->value && strcmp(a->name, b->name) == 0);
}

const ic_fired_guard *ic_flow_fired(const ic_flow *f, const ic_guard *guard)
{
    for (size_t i = 0; i < f->n_fired; i++) {
        if (ic_flow_same_guard(f->fired[i].guard, guard)) return &f->fired[i];
    }
    return NULL;
}

const ic_guard *ic_flow_guard(const ic_flow *f, size_t value)
{
    const ic_mode *mode = ic_flow_mode(f);
    return value < mode->n_guards ? &mode->guards[value] : NULL;
}

static const char *value_name(const ic_flow *f, size_t value)
{
    const ic_guard *guard = ic_flow_guard(f, value);
    return guard != NULL ? guard->name : "argument of max, abs or a power";
}

void ic_flow_phase_clear(ic_flow *f)
{
    ic_flow_phase *p = &f->phase;
    if (!f->has_phase) return;
    ic_flow_terms_clear(&p->formulas.terms);
    free(p->formulas.assumptions);
    free(p->signs);
    ic_store_free(&p->formulas.store);
    f->has_phase = false;
}

/* ---- formulas */

/* Whether a result of equations is the number 0. */
static bool is_literal_zero(const ic_equations *e, size_t result)
{
    const ic_equation_term *term = &e->terms[e->results[result]];
    return term->operation == IC_OP_NUMBER && term->number == 0 &&
           (e->texts == NULL || e->texts[e->results[result]] == NULL);
}

/* Values without a term. */
enum { NEVER = IC_VALUE_NEVER, DORMANT = IC_VALUE_DORMANT, NOT_TRANSLATED = -3 };

/* Exact states without a rate, or at rest, are constants. */
static void find_constants(ic_flow *f)
{
    const ic_equations *e = ic_flow_mode(f)->equations;
    for (slong v = 0; v < f->n; v++)
        f->phase.constant[v] = (is_literal_zero(e, (size_t)v) && arb_is_exact(f->phase.box + v)) || f->rests[v];
    f->phase.constant[f->n] = false;
}

/*
 * A guard keeps its sign until it fires, or until the formulas that use the sign are made again: that of its value, or
 * of its first derivative that is not 0.
 */
static void add_known(ic_translation *t, const ic_flow *f, size_t i, int term)
{
    const ic_guard_state *g = &f->guards[i];
    const int side = g->side != 0 || g->zero ? g->side : ic_ball_sign(t->terms->values + term);
    if (side == 0 && !g->zero) return;
    t->known[t->n_known++] = (ic_known_sign){
        .term = term, .sign = side != 0 ? side : IC_NO_SIGN, .guard = (int)i, .starts_at_zero = g->zero};
}

/*
 * Takes in a value of the mode. u > 0, so that a power of u does not change its sign. An argument whose sign
 * follows from that of another value need not be watched.
 */
static void take_value(ic_translation *t, ic_flow *f, size_t i, ic_translated value)
{
    ic_flow_phase *p = &f->phase;
    int sign = 0;
    const bool follows = t->terms->list[value.term].constant ||
                         ic_flow_term_is_positive(t->terms, value.term) ||
                         ic_translated_guard(t, value.term, &sign) != NULL;
    const bool decides = ic_flow_guard(f, i) != NULL || !follows;
    p->values[i] = decides ? value.term : NEVER;
    p->powers[i] = value.power;
    if (decides && f->clock.guard != (int)i) add_known(t, f, i, value.term);
}

/* Takes in an argument of an operation that is not smooth when it is met. */
static void meet_argument(ic_translation *t, int operation, ic_translated argument)
{
    ic_flow *f = t->context;
    const ic_mode_values *values = &f->values[f->mode];
    if (t->equations != ic_flow_mode(f)->equations) return;
    for (size_t i = ic_flow_mode(f)->n_guards; i < values->first_condition; i++) {
        if (values->operations[i] != operation || f->phase.values[i] != NOT_TRANSLATED) continue;
        take_value(t, f, i, argument);
        return;
    }
}

/* Translates those guards that can be translated. Returns whether there are any. */
static bool translate_some_guards(ic_translation *t, ic_flow *f)
{
    bool any = false;
    for (size_t i = 0; i < ic_flow_mode(f)->n_guards && t->wanted_guard < 0 && t->wanted_q == 0; i++) {
        if (f->phase.values[i] != NOT_TRANSLATED) continue;
        t->message[0] = '\0';
        const ic_translated value = ic_translate(t, f->values[f->mode].operations[i]);
        if (value.term < 0) continue;
        take_value(t, f, i, value);
        any = true;
    }
    return any;
}

/*
 * Translates the values of all guards. The sign of one may be needed in another: signs of guards and of
 * arguments come first, then those of anything else. false: a guard fails.
 */
static bool translate_guards(ic_translation *t, ic_flow *f)
{
    t->known_only = true;
    while (translate_some_guards(t, f))
        ;
    t->known_only = false;
    while (translate_some_guards(t, f))
        ;
    for (size_t i = 0; i < ic_flow_mode(f)->n_guards; i++) {
        if (f->phase.values[i] == NOT_TRANSLATED) return false;
    }
    if (t->wanted_guard >= 0 || t->wanted_q > 0) return false;
    t->message[0] = '\0';
    return true;
}

/* The value that stands for a condition, or for a part of it; 0: that is not known. */
typedef struct condition_part {
    size_t value;
    int sign;
    bool constant;
} condition_part;

/* Takes in part number `value` of a condition. */
static condition_part take_part(ic_translation *t, ic_flow *f, size_t value)
{
    const bool closed = f->values[f->mode].closed[value];
    ic_translated part = ic_translate(t, f->values[f->mode].operations[value]);
    if (part.term < 0) return (condition_part){0};
    if (closed) part.term = ic_flow_term_negate(t->terms, part.term);
    arb_srcptr x = t->terms->values + part.term;
    const bool constant = t->terms->list[part.term].constant && (ic_ball_sign(x) != 0 || arb_is_zero(x));
    const int sign = constant && arb_is_zero(x) ? (closed ? 1 : -1) : ic_ball_sign(x);
    f->phase.values[value] = !constant ? part.term : sign > 0 ? IC_VALUE_HOLDS : NEVER;
    f->phase.powers[value] = part.power;
    return (condition_part){.value = value, .sign = sign, .constant = constant};
}

/* Values that do not matter while another one decides. */
static void leave_out(ic_flow *f, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) f->phase.values[i] = NEVER;
}

/*
 * A negative part decides `and`, a positive one `or`, until it changes its sign; otherwise all parts are watched, and
 * one of unknown sign stands for the condition.
 */
static condition_part join_parts(ic_translation *t, ic_flow *f, int operation, size_t *next)
{
    const ic_equation_term *term = &t->equations->terms[operation];
    if (!ic_flow_is_joined(t->equations, operation)) return take_part(t, f, (*next)++);
    const bool open = f->open_conditions;
    const int decides = term->operation == IC_OP_MIN ? -1 : +1;
    const size_t first = *next;
    const condition_part a = join_parts(t, f, term->a, next);
    const size_t second = *next;
    const condition_part b = join_parts(t, f, term->b, next);
    if (a.value == 0 || b.value == 0) return (condition_part){0};
    if (a.sign == decides && (a.constant || !open)) {
        leave_out(f, second, *next);
        return a;
    }
    if (b.sign == decides && (b.constant || !open)) {
        leave_out(f, first, second);
        return b;
    }
    if (open) return a.constant ? b : a;
    if (a.sign == 0 && b.sign == 0) {
        snprintf(t->message, sizeof t->message, "two parts of a condition are zero at one instant");
        return (condition_part){0};
    }
    return a.sign == 0 || (b.sign != 0 && b.constant) ? a : b;
}

/* Conditions of guards. A guard whose condition is negative is dormant until that changes. */
static bool translate_conditions(ic_translation *t, ic_flow *f)
{
    const ic_mode *mode = ic_flow_mode(f);
    const ic_mode_values *values = &f->values[f->mode];
    if (mode->quantities == NULL) return true;
    ic_translate_begin(t, mode->quantities);
    for (size_t i = 0; i < mode->n_guards; i++) {
        if (values->conditions[i] == 0) continue;
        size_t next = values->first_parts[i];
        const condition_part part = join_parts(t, f, mode->quantities->results[i], &next);
        if (part.value == 0) return false;
        values->conditions[i] = part.value;
        if (part.sign < 0 && part.constant) f->phase.values[i] = NEVER;
        else if (part.sign < 0 && !f->open_conditions) f->phase.values[i] = DORMANT;
    }
    return true;
}

/* The base of the clock's root, so that its powers become powers of u. */
static bool translate_base(ic_translation *t, ic_flow *f)
{
    if (f->clock.guard < 0) return true;
    const int value = ic_translated_term(t, ic_translate(t, f->values[f->mode].operations[f->clock.guard]));
    if (value < 0) return false;
    t->base = f->clock.sign > 0 ? value : ic_flow_term_negate(t->terms, value);
    t->q = f->clock.q;
    return true;
}

/* The same base by further variables, such as sqrt(s) - c where s = x^2 + y^2 has become one. */
static bool translate_base_again(ic_translation *t, ic_flow *f)
{
    const int base = t->base;
    if (base < 0) return true;
    t->base = -1;
    ic_translate_begin(t, ic_flow_mode(f)->equations);
    const bool good = translate_base(t, f);
    t->base_by_variables = t->base;
    t->base = base;
    return good;
}

/* dy/dt of the states and the time. false: one cannot be translated. */
static bool translate_flow(ic_translation *t, ic_flow *f)
{
    const int *results = ic_flow_mode(f)->equations->results;
    int *rates = f->phase.formulas.rates;
    for (slong v = 0; v < f->n; v++) {
        rates[v] = ic_translated_term(t, ic_translate(t, results[v]));
        if (rates[v] < 0) return false;
    }
    rates[f->n] = ic_flow_term_integer(t->terms, 1);
    return true;
}

/* A variable, or a constant times a variable. */
static bool is_simple(const ic_flow_terms *terms, int term)
{
    const ic_flow_term *t = &terms->list[term];
    if (t->kind == IC_FLOW_PRODUCT && terms->list[t->a].constant) t = &terms->list[t->b];
    return t->kind == IC_FLOW_VARIABLE;
}

/*
 * Makes the values of fractional powers' bases further variables, and their rates: both are small differences
 * of large terms where a contact begins or ends. With a root of a base as the clock its value is u^q. Everything
 * was translated without further variables. Returns whether there are any.
 */
static bool define_further(ic_translation *t, ic_flow *f)
{
    int bases[IC_MOST_ROOTS + 1], n = 0;
    for (size_t i = 0; i < f->n_further && t->n_defined + 2 < IC_FLOW_MOST_FURTHER; i++) {
        const int base = f->phase.values[f->further[i]];
        if (f->clock.guard == (int)f->further[i] || base < 0) continue;
        bases[n++] = base;
        if (!is_simple(t->terms, base)) ic_translate_define(t, base);
    }
    if (t->base >= 0) bases[n++] = t->base;
    for (int i = 0; i < n && t->n_defined < IC_FLOW_MOST_FURTHER; i++) {
        const int rate = ic_flow_term_rate(t->terms, bases[i], f->phase.formulas.rates);
        if (rate >= 0 && !is_simple(t->terms, rate) && !t->terms->list[rate].constant)
            ic_translate_define(t, rate);
    }
    return t->n_defined > 0;
}

/* The rates of all variables by the clock. false: one is not known. */
static bool find_rates(ic_translation *t, ic_flow *f)
{
    ic_flow_phase *p = &f->phase;
    ic_flow_terms *terms = t->terms;
    int *rates = p->formulas.rates;
    const slong all = f->n + 1 + terms->n_further;
    int factor = ic_flow_term_integer(terms, 1);
    if (t->base >= 0) {
        p->base_rate = ic_flow_term_rate(terms, t->base, rates);
        for (size_t i = 0; i < t->n_defined; i++) {
            if (t->defined[i] == p->base_rate) p->base_rate = t->variables[i];
        }
        factor = ic_flow_term_multiply(terms, ic_flow_term_integer(terms, t->q),
                                       ic_flow_term_clock_power(terms, t->q - 1));
        factor = ic_flow_term_multiply(terms, factor, ic_flow_term_invert(terms, p->base_rate));
    }
    for (slong v = 0; v < all; v++) {
        const bool further = v > f->n;
        if (further) rates[v] = ic_flow_term_rate(terms, terms->definitions[v - f->n - 1], rates);
        else rates[v] = ic_flow_term_multiply(terms, factor, rates[v]);
        if (rates[v] < 0) return false;
        const bool moves = !ic_flow_term_is_zero(terms, rates[v]);
        p->formulas.variables[v] = moves || further ? ic_flow_term_variable(terms, v) : -1;
    }
    for (slong v = 0; v < all; v++) {
        if (ic_flow_term_is_zero(terms, rates[v])) rates[v] = -1;
    }
    return true;
}

/* Marks what steps need. */
static void mark_terms(const ic_translation *t, ic_flow *f)
{
    ic_flow_phase *p = &f->phase;
    const size_t n = (size_t)(f->n + 1 + p->formulas.terms.n_further);
    size_t k = 0;
    IC_ZEROS(int, results, 2 * n + p->n_values + 1 + f->n_extremes + p->n_signs + t->n_assumptions);
    for (size_t v = 0; v < n; v++) {
        results[k++] = p->formulas.variables[v];
        results[k++] = p->formulas.rates[v];
    }
    for (size_t i = 0; i < p->n_values; i++) results[k++] = p->values[i] >= 0 ? p->values[i] : p->dormant[i];
    results[k++] = p->base_rate;
    for (size_t i = 0; i < f->n_extremes; i++) results[k++] = p->outputs[i];
    for (size_t i = 0; i < p->n_signs; i++) results[k++] = p->signs[i].is.term;
    for (size_t i = 0; i < t->n_assumptions; i++) results[k++] = t->assumptions[i].term;
    ic_flow_terms_mark(&p->formulas.terms, results, k);
}

int ic_flow_phase_watch(ic_flow *f, int term, const arb_t value)
{
    ic_flow_terms *t = &f->phase.formulas.terms;
    /* each has an identity of its own */
    const int watched = ic_flow_term_subtract(t, term, ic_flow_term_number(t, value, -10000 - (int)t->count));
    for (int i = watched; i >= 0 && !t->list[i].needed; i = t->list[i].a) t->list[i].needed = true;
    return watched;
}

void ic_flow_phase_stop_at(ic_flow *f)
{
    ic_flow_phase *p = &f->phase;
    p->stop = ic_flow_phase_watch(f, p->formulas.variables[f->n], f->t_stop);
}

typedef enum build_result { BUILT, NEEDS_ROOT, NEEDS_SIGN, NO_ROOM } build_result;

/* Values of dormant guards, which a record tells about; with signs that are known. */
static void translate_dormant(ic_translation *t, ic_flow *f)
{
    t->known_only = true;
    for (size_t i = 0; i < f->phase.n_values; i++) {
        f->phase.dormant[i] = -1;
        if (f->proof == NULL || f->phase.values[i] != DORMANT) continue;
        const ic_translated value = ic_translate(t, f->values[f->mode].operations[i]);
        if (value.power == 0) f->phase.dormant[i] = value.term;
    }
    t->known_only = false;
    t->message[0] = '\0';
}

/* Translates values and flow. */
static bool translate_mode(ic_translation *t, ic_flow *f)
{
    t->n_known = 0;
    t->n_assumptions = 0;
    for (size_t i = 0; i < f->phase.n_values; i++) f->phase.values[i] = NOT_TRANSLATED;
    /* guards that never fire need no value */
    if (!translate_conditions(t, f)) return false;
    ic_translate_begin(t, ic_flow_mode(f)->equations);
    if (!translate_guards(t, f) || !translate_flow(t, f)) return false;
    translate_dormant(t, f);
    for (size_t i = 0; i < f->phase.n_values; i++) {
        if (f->phase.values[i] == NOT_TRANSLATED) f->phase.values[i] = NEVER;
    }
    return true;
}

/*
 * Notes the guards whose signs formulas use. Arguments whose sign no formula needs, such as x in x^2, are not watched.
 */
static void note_used(const ic_translation *t, ic_flow *f)
{
    for (size_t i = 0; i < t->n_known; i++) {
        const size_t value = (size_t)t->known[i].guard;
        f->phase.used[value] = t->known[i].used;
        if (!t->known[i].used && ic_flow_guard(f, value) == NULL) f->phase.values[value] = NEVER;
    }
}

/* Translates everything. */
static build_result translate_phase(ic_translation *t, ic_flow *f)
{
    ic_translate_begin(t, ic_flow_mode(f)->equations);
    if (!translate_base(t, f)) return NEEDS_SIGN;
    bool good = translate_mode(t, f);
    if (good && define_further(t, f)) good = translate_base_again(t, f) && translate_mode(t, f);
    if (!good) return t->wanted_guard >= 0 || t->wanted_q > 0 ? NEEDS_ROOT : NEEDS_SIGN;
    if (!find_rates(t, f)) return NEEDS_SIGN;
    ic_flow_extremes_translate(t, f);
    note_used(t, f);
    mark_terms(t, f);
    ic_flow_phase_stop_at(f);
    return t->terms->failed ? NO_ROOM : BUILT;
}

static void make_room(ic_flow *f)
{
    ic_flow_phase *p = &f->phase;
    ic_store *store = &p->formulas.store;
    const size_t n = (size_t)f->n + 1, values = f->values[f->mode].n;
    *p = (ic_flow_phase){.n_values = values, .stop = -1, .base_rate = -1};
    p->formulas.variables = ic_store_zeros(store, n + IC_FLOW_MOST_FURTHER, sizeof *p->formulas.variables);
    p->formulas.rates = ic_store_zeros(store, n + IC_FLOW_MOST_FURTHER, sizeof *p->formulas.rates);
    p->values = ic_store_zeros(store, values, sizeof *p->values);
    p->powers = ic_store_zeros(store, values, sizeof *p->powers);
    p->dormant = ic_store_zeros(store, values, sizeof *p->dormant);
    p->used = ic_store_zeros(store, values, sizeof *p->used);
    p->outputs = ic_store_zeros(store, f->n_extremes, sizeof *p->outputs);
    p->constant = ic_store_zeros(store, n, sizeof *p->constant);
    p->box = ic_store_balls(store, (slong)n);
    ic_flow_set_box(p->box, &f->set);
    f->has_phase = true;
}

/* The root that is needed: that of a guard, or a higher one of the present guard. */
typedef struct wanted_root {
    int guard, q;
} wanted_root;

/* Builds the formulas from the present sides of guards. */
static build_result build(ic_flow *f, wanted_root *wanted, char *why, size_t size)
{
    ic_flow_phase_clear(f);
    ic_translation t = {.terms = &f->phase.formulas.terms,
                        .problem = f->problem,
                        .par = f->par,
                        .tables = &f->tables,
                        .base = -1,
                        .base_by_variables = -1,
                        .wanted_guard = -1,
                        .proved = f->proof != NULL,
                        .meet = meet_argument,
                        .context = f};
    make_room(f);
    find_constants(f);
    ic_flow_terms_init(t.terms, f->n, f->phase.box, f->clock.u, f->phase.constant, f->prec);
    t.known = ic_store_zeros(&f->phase.formulas.store, f->phase.n_values, sizeof *t.known);
    const build_result result = translate_phase(&t, f);
    f->phase.formulas.assumptions = t.assumptions;
    f->phase.formulas.n_assumptions = t.n_assumptions;
    f->phase.formulas.watched = f->phase.values;
    f->phase.formulas.n_watched = f->phase.n_values;
    memcpy(f->phase.roots, t.roots, sizeof t.roots);
    f->phase.n_roots = t.n_roots;
    *wanted = (wanted_root){t.wanted_guard, t.wanted_q};
    f->has_no_root = t.has_no_root;
    snprintf(why, size, "%s", t.message);
    ic_translate_end(&t);
    return result;
}

/* ---- arming */

typedef struct guard_signs {
    /* 2: exactly zero, 0: not decided */
    int of[MOST_ORDERS];
} guard_signs;

static void find_signs(guard_signs *signs, const ic_jets *jets, int term, bool zero)
{
    arb_srcptr c = ic_jet(jets, term);
    for (int k = 0; k < MOST_ORDERS; k++) signs->of[k] = arb_is_zero(c + k) ? 2 : ic_ball_sign(c + k);
    if (zero) signs->of[0] = 2;
}

static ic_status arm_declared(ic_flow *f, size_t i, const ic_departure *departure, const guard_signs *signs)
{
    const ic_guard *guard = &ic_flow_mode(f)->guards[i];
    /* with the root of a guard as the clock, a zero of order k in time has order k q */
    const int most = departure->order * (f->clock.guard < 0 ? 1 : f->clock.q);
    int order = 0;
    /* A zero of a lower order, from which the guard departs to the same side, is as good. */
    while (order < most && order < MOST_ORDERS && (order == 0 || signs->of[order] != departure->side)) {
        const int k = order++;
        if (signs->of[k] == 0 || signs->of[k] == 2) continue;
        snprintf(f->message, sizeof f->message,
                 "guard '%.60s' is declared to start at a zero of order %d, but does not", guard->name,
                 departure->order);
        return IC_INVALID;
    }
    /* a body at rest departs by a higher order */
    while (order < MOST_ORDERS && signs->of[order] == 2) order++;
    if (order >= MOST_ORDERS || signs->of[order] != departure->side)
        return ic_flow_undecided(f, "the side to which guard '%s' departs", guard->name);
    f->guards[i] = (ic_guard_state){.side = departure->side, .order = order, .zero = true};
    return IC_OK;
}

/* Derivative number `order` of a guard may be zero. Where an event of the file names the mode, it may say so. */
static ic_status ask_for_departure(ic_flow *f, size_t i, int order, const guard_signs *signs)
{
    const bool named = f->problem->variant->n_modes > 1 && f->branch != NULL && f->branch->mode != IC_SAME_MODE;
    while (order < MOST_ORDERS && (signs->of[order] == 0 || signs->of[order] == 2)) order++;
    if (order == MOST_ORDERS || !named || ic_flow_guard(f, i) == NULL)
        return ic_flow_undecided(f, "the side to which '%s' departs", value_name(f, i));
    return ic_flow_undecided(
        f,
        "the side to which '%.50s' departs: if its zero is of order %d there, departs: {%.50s: "
        "[%d, %+d]} next to 'mode' in 'then' says so",
        value_name(f, i), order, value_name(f, i), order, signs->of[order]);
}

/*
 * The guard is zero: exactly, or because it has just fired and its jump left it at zero. One that has fired fires again
 * if its jump had turned it back, another one turns it again, and its onset is not ZERO (clause 2).
 */
static ic_status arm_at_zero(ic_flow *f, size_t i, const guard_signs *signs)
{
    const ic_guard *guard = ic_flow_guard(f, i);
    const ic_fired_guard *fired = ic_flow_fired(f, guard);
    int order = 1;
    while (order < MOST_ORDERS && signs->of[order] == 2) order++;
    if (order == MOST_ORDERS || signs->of[order] == 0) return ask_for_departure(f, i, order, signs);
    const bool again = fired != NULL && fired->turned && guard->onset != IC_ONSET_ZERO && order == 1;
    const bool directed = guard->direction != 0 && signs->of[order] == guard->direction;
    const bool fires = (fired == NULL || again) && directed;
    /* a stop or a kink that its own jump has turned back does not go on to the other side */
    if (directed && fired != NULL && !again && guard->onset == IC_ONSET_NEAR)
        return ic_flow_undecided(f, "whether guard '%s' fires again", guard->name);
    if (again && directed && guard->onset == IC_ONSET_LEVEL)
        return ic_flow_undecided(f, "whether guard '%s' fires again", guard->name);
    f->guards[i] = (ic_guard_state){.side = signs->of[order], .order = order, .due = fires, .zero = true};
    return IC_OK;
}

/*
 * The ball contains zero. The effect of the guard is known only if its rate has a definite sign
 * against the firing direction.
 */
static ic_status arm_near_zero(ic_flow *f, size_t i, const guard_signs *signs)
{
    const ic_guard *guard = &ic_flow_mode(f)->guards[i];
    if ((signs->of[1] == 1 || signs->of[1] == -1) && guard->direction == -signs->of[1]) {
        f->guards[i] = (ic_guard_state){.side = signs->of[1]};
        return IC_OK;
    }
    return ic_flow_undecided(f, "whether guard '%s' is zero", guard->name);
}

static const ic_departure *declared_departure(const ic_branch *branch, size_t guard)
{
    for (size_t i = 0; branch != NULL && i < branch->n_departures; i++) {
        if ((size_t)branch->departures[i].guard == guard) return &branch->departures[i];
    }
    return NULL;
}

/* The value is zero as u^power, u = 0, times a term that is not. */
static ic_status arm_at_root(ic_flow *f, size_t i, int sign, bool disarmed)
{
    const ic_guard *guard = ic_flow_guard(f, i);
    if (sign == 0 || sign == 2) return ic_flow_undecided(f, "the side to which '%s' departs", value_name(f, i));
    f->guards[i] = (ic_guard_state){
        .side = sign, .due = guard != NULL && !disarmed && guard->direction == sign, .zero = true};
    return IC_OK;
}

/*
 * Other values keep a sign that is known. The sign of an argument that is not known was not used; a
 * condition is evaluated where it matters.
 */
static void arm_argument(ic_flow *f, size_t i, const guard_signs *signs)
{
    int order = 0;
    while (order < MOST_ORDERS && signs->of[order] == 2) order++;
    const bool known = order < MOST_ORDERS && signs->of[order] != 0;
    f->guards[i] = (ic_guard_state){0};
    if (known) f->guards[i] = (ic_guard_state){.side = signs->of[order], .order = order, .zero = order > 0};
    else if (i < f->values[f->mode].first_condition) f->phase.values[i] = NEVER;
}

static bool is_zero_to_all_orders(const guard_signs *signs)
{
    int order = 0;
    while (order < MOST_ORDERS && signs->of[order] == 2) order++;
    return order == MOST_ORDERS;
}

/* Marks the terms that change with time: that depend on the time, on the clock, or on a variable that moves. */
static void mark_timed(bool *timed, const ic_flow_terms *terms, const bool *moves)
{
    for (size_t i = 0; i < terms->count; i++) {
        const ic_flow_term *term = &terms->list[i];
        timed[i] = term->kind == IC_FLOW_CLOCK_POWER ||
                   (term->kind == IC_FLOW_VARIABLE && (term->index >= terms->n || moves[term->index])) ||
                   (term->a >= 0 && timed[term->a]) || (term->b >= 0 && timed[term->b]);
    }
}

/*
 * Whether a value that is zero stays so because what it depends on rests: the rates of some variables are zero here,
 * and depend on these variables alone, so that their state is the solution, as that of a body that a stop holds.
 */
static bool rests_at_zero(const ic_flow *f, const ic_jets *jets, int value)
{
    const ic_flow_terms *terms = &f->phase.formulas.terms;
    const bool in_time = f->clock.guard < 0;
    IC_ZEROS(bool, timed, terms->count);
    IC_ZEROS(bool, moves, f->n);
    for (bool again = in_time; again;) {
        again = false;
        mark_timed(timed, terms, moves);
        for (slong v = 0; v < f->n; v++) {
            const int rate = f->phase.formulas.rates[v];
            if (moves[v] || rate < 0 || (!timed[rate] && arb_is_zero(ic_jet(jets, rate)))) continue;
            moves[v] = again = true;
        }
    }
    return in_time && !timed[value];
}

static ic_status arm_guard(ic_flow *f, size_t i, const ic_branch *branch, const ic_jets *jets)
{
    guard_signs signs;
    const ic_guard *guard = ic_flow_guard(f, i);
    const ic_departure *departure = guard == NULL ? NULL : declared_departure(branch, i);
    if (f->phase.values[i] < 0) {
        /* an argument whose root is the clock has the sign of u */
        f->guards[i] = (ic_guard_state){.side = f->clock.guard == (int)i ? f->clock.sign : 0};
        return IC_OK;
    }
    if (f->phase.powers[i] > 0 && arb_is_zero(f->clock.u)) {
        find_signs(&signs, jets, f->phase.values[i], false);
        return arm_at_root(f, i, signs.of[0],
                           departure != NULL || (guard != NULL && ic_flow_fired(f, guard) != NULL));
    }
    find_signs(&signs, jets, f->phase.values[i], f->guards[i].zero);
    /* a proof has no place for this reason yet */
    if (guard != NULL && f->proof == NULL && is_zero_to_all_orders(&signs) &&
        rests_at_zero(f, jets, f->phase.values[i])) {
        f->guards[i] = (ic_guard_state){.zero = true};
        f->phase.values[i] = NEVER;
        return IC_OK;
    }
    if (departure != NULL) return arm_declared(f, i, departure, &signs);
    if (guard == NULL) {
        arm_argument(f, i, &signs);
        return IC_OK;
    }
    if (signs.of[0] == 2) return arm_at_zero(f, i, &signs);
    if (signs.of[0] == 0) return arm_near_zero(f, i, &signs);
    if (f->chain >= 0 && guard->onset == IC_ONSET_NEAR && guard->accumulation.equations != NULL &&
        signs.of[0] == guard->direction)
        return ic_flow_undecided(f, "the motion of a body that '%.40s' puts behind the stop '%.40s'", f->name,
                                 guard->name);
    f->guards[i] = (ic_guard_state){.side = signs.of[0]};
    f->guards[i].due = guard->onset == IC_ONSET_LEVEL && signs.of[0] == guard->direction;
    return IC_OK;
}

static ic_status arm_guards(ic_flow *f, const ic_branch *branch)
{
    ic_jets jets;
    ic_status status = IC_OK;
    ic_jets_init(&jets, &f->phase.formulas.terms, f->phase.formulas.rates, MOST_ORDERS, f->prec);
    ic_jets_start(&jets, f->phase.box, f->clock.u);
    ic_jets_extend(&jets, MOST_ORDERS, false);
    for (size_t i = 0; i < f->phase.n_values && status == IC_OK; i++) status = arm_guard(f, i, branch, &jets);
    /* guards whose condition has just become negative, unless formulas use their sign */
    for (size_t i = 0; i < ic_flow_mode(f)->n_guards && status == IC_OK; i++) {
        const size_t condition = f->values[f->mode].conditions[i];
        const bool holds_here =
            condition != 0 && f->values[f->mode].closed[condition] && f->guards[condition].zero;
        if (condition != 0 && f->phase.values[i] >= 0 && !f->phase.used[i] && f->guards[condition].side == -1 &&
            f->phase.values[condition] >= 0 && !(f->guards[i].due && holds_here) && !f->open_conditions) {
            f->phase.dormant[i] = f->phase.values[i];
            f->phase.values[i] = DORMANT;
        }
    }
    ic_jets_clear(&jets);
    return status;
}

/* ---- the beginning of a phase */

/* Makes the root of a guard the clock, at 0. */
static bool start_at_root(ic_flow *f, int guard)
{
    for (size_t i = 0; i < f->phase.n_roots; i++) {
        const ic_root *r = &f->phase.roots[i];
        if (r->guard != guard) continue;
        f->clock.guard = guard;
        f->clock.sign = r->sign;
        f->clock.q = r->q;
        f->clock.rises = true;
        arb_zero(f->clock.u);
        return true;
    }
    return false;
}

/* Chooses the root that is needed as the clock. false: it does not exist. */
static bool choose_root(ic_flow *f, const wanted_root *wanted)
{
    if (wanted->q > 0) {
        f->clock.q = wanted->q;
        return wanted->q <= IC_LARGEST_CLOCK_ROOT;
    }
    return f->clock.guard < 0 && start_at_root(f, wanted->guard);
}

/* Makes the bases of fractional powers further variables. Returns whether there are any. */
static bool choose_further(ic_flow *f)
{
    f->n_further = f->phase.n_roots;
    for (size_t i = 0; i < f->n_further; i++) f->further[i] = (size_t)f->phase.roots[i].guard;
    return f->n_further > 0;
}

/* Whether states that were built as constants have a rate: they are constants no more. */
static bool drop_moving(ic_flow *f)
{
    bool any = false;
    for (slong v = 0; v < f->n; v++) {
        if (!f->rests[v] || f->phase.formulas.rates[v] < 0) continue;
        f->rests[v] = false;
        any = true;
    }
    return any;
}

/*
 * Builds again with the exact states that rest as constants, so that they remain exact: those whose rates are the number
 * 0 if they are constant. Begins with all whose rates may be 0.
 */
static build_result build_resting(ic_flow *f, wanted_root *wanted, char *why, size_t size)
{
    build_result result = BUILT;
    /* neither a proof nor derivatives by the start have a place for this reason */
    bool any = false, asked = f->proof == NULL && f->columns == NULL && f->clock.guard < 0;
    for (slong v = 0; v < f->n && asked; v++) {
        const int rate = f->phase.formulas.rates[v];
        f->rests[v] = rate >= 0 && arb_is_exact(f->phase.box + v) &&
                      arb_contains_zero(f->phase.formulas.terms.values + rate);
        any = any || f->rests[v];
    }
    while (any && result == BUILT) {
        result = build(f, wanted, why, size);
        any = result == BUILT && drop_moving(f);
    }
    if (result == BUILT) return result;
    memset(f->rests, 0, (size_t)f->n * sizeof *f->rests);
    return build(f, wanted, why, size);
}

/* Builds with the given sides, with a root if one is needed. */
static ic_status build_with_root(ic_flow *f)
{
    char why[200];
    wanted_root wanted;
    memset(f->rests, 0, (size_t)f->n * sizeof *f->rests);
    f->clock.guard = -1;
    arb_zero(f->clock.u);
    f->n_further = 0;
    build_result result = build(f, &wanted, why, sizeof why);
    for (int i = 0; i < IC_LARGEST_ROOT && result == NEEDS_ROOT && choose_root(f, &wanted); i++)
        result = build(f, &wanted, why, sizeof why);
    if (result == BUILT && f->clock.guard >= 0 &&
        !arb_is_positive(f->phase.formulas.terms.values + f->phase.base_rate))
        return ic_flow_undecided(f, "whether the base of a fractional power becomes positive");
    if (result == BUILT) result = build_resting(f, &wanted, why, sizeof why);
    if (result == BUILT && choose_further(f)) result = build(f, &wanted, why, sizeof why);
    if (result == NO_ROOM) return IC_NO_MEMORY;
    if (result == BUILT) return IC_OK;
    return ic_flow_undecided(f, "%s", why[0] != '\0' ? why : "the formulas of a mode");
}

/* Sides of guards that are zero: declared ones, or those of an attempt. */
static void guess_sides(ic_flow *f, const ic_branch *branch, const ic_guard_state *given, int attempt)
{
    for (size_t i = 0; i < f->values[f->mode].n; i++) {
        const ic_departure *departure = ic_flow_guard(f, i) == NULL ? NULL : declared_departure(branch, i);
        f->guards[i] = (ic_guard_state){.zero = given[i].zero || departure != NULL};
        if (departure != NULL) f->guards[i].side = departure->side;
        else if (given[i].zero) f->guards[i].side = attempt == 0 ? 0 : attempt % 2 == 1 ? +1 : -1;
    }
}

static bool sides_agree(const ic_flow *f, const ic_guard_state *guessed)
{
    for (size_t i = 0; i < f->phase.n_values; i++) {
        if (guessed[i].zero && guessed[i].side != 0 && f->phase.values[i] >= 0 &&
            guessed[i].side != f->guards[i].side)
            return false;
    }
    return true;
}

/* Notes the guards that do not move on to the side to which they have fired at this instant. */
static void note_turned(ic_flow *f)
{
    const ic_mode *mode = ic_flow_mode(f);
    for (size_t i = 0; i < f->n_fired; i++) {
        ic_fired_guard *fired = &f->fired[i];
        size_t k = 0;
        while (k < mode->n_guards && !ic_flow_same_guard(&mode->guards[k], fired->guard)) k++;
        fired->turned = fired->turned || k == mode->n_guards || f->guards[k].side != fired->to;
    }
}

ic_status ic_flow_phase_begin(ic_flow *f, const ic_branch *branch)
{
    const size_t n = f->values[f->mode].n;
    ic_guard_state *given = malloc((n + 1) * sizeof *given), *guessed = malloc((n + 1) * sizeof *guessed);
    ic_status status = given == NULL || guessed == NULL ? IC_NO_MEMORY : IC_UNDECIDED;
    if (status == IC_UNDECIDED) memcpy(given, f->guards, n * sizeof *given);
    f->shortening = 1;
    f->open_conditions = false;
    f->extremes_length = INFINITY;
    for (size_t i = 0; i < n; i++) f->root_tried[i] = 0;
    for (int attempt = 0; attempt < SIGN_TRIES && status == IC_UNDECIDED; attempt++) {
        guess_sides(f, branch, given, attempt);
        memcpy(guessed, f->guards, n * sizeof *guessed);
        status = build_with_root(f);
        if (status != IC_OK) continue;
        status = arm_guards(f, branch);
        if (status != IC_OK) continue;
        /* outputs may need signs that the flow does not */
        if (sides_agree(f, guessed) && (attempt > 0 || !ic_flow_extremes_lack_signs(f))) break;
        /* once more with the sides that were found */
        memcpy(guessed, f->guards, n * sizeof *guessed);
        status = build_with_root(f);
        if (status == IC_OK) status = arm_guards(f, branch);
        if (status == IC_OK && !sides_agree(f, guessed))
            status = ic_flow_undecided(f, "the side to which a guard departs");
    }
    if (status == IC_OK) note_turned(f);
    free(given);
    free(guessed);
    return status;
}

/* Sides of values that did not matter with the clock before. */
static ic_status find_missing_sides(ic_flow *f)
{
    for (size_t i = 0; i < f->phase.n_values; i++) {
        if (f->phase.values[i] < 0 || f->guards[i].side != 0) continue;
        f->guards[i].side = ic_ball_sign(f->phase.formulas.terms.values + f->phase.values[i]);
        if (f->guards[i].side != 0) continue;
        if (ic_flow_guard(f, i) != NULL) return ic_flow_undecided(f, "the sign of '%s'", value_name(f, i));
        if (i < f->values[f->mode].first_condition) f->phase.values[i] = NEVER;
    }
    return IC_OK;
}

ic_status ic_flow_phase_resume(ic_flow *f)
{
    char why[200];
    wanted_root wanted;
    f->shortening = 1;
    f->extremes_length = INFINITY;
    switch (build(f, &wanted, why, sizeof why)) {
    case BUILT: return find_missing_sides(f);
    case NO_ROOM: return IC_NO_MEMORY;
    default: return ic_flow_undecided(f, "%s", why);
    }
}
