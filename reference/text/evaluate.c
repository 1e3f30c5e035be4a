/* SPDX-License-Identifier: MIT */
/* Formulas and their rates in ball arithmetic, and what is known of the truth of conditions. */
#include "reference/text/text.h"

#include "reference/closed/cantilever.h"
#include "reference/store.h"

#include <fmpq.h>

/* What is known of a quantity: bits for its signs that are possible. */
enum { NEGATIVE = 1, ZERO = 2, POSITIVE = 4, ALL = 7 };

/* A term; operands are places in the program. */
typedef struct step {
    ic_text_term term;
    ic_text_node node;

    /* kink that it has, or -1 */
    int kink;

    /* kink of which it is the argument, or -1 */
    int argument_of;

    /* nothing changes its value but the precision; it depends on a kink */
    bool fixed, kinked;
} step;

struct ic_text_program {
    const ic_text_machine *machine;
    step *steps;
    size_t n;

    /* by node: its place, or -1 */
    int *places;

    /* their arguments */
    ic_text_node *kinks;

    /* by kink: signs that are possible in this run */
    unsigned char *possible;
    size_t n_kinks;

    arb_ptr values, rates, half;
    signed char *truths;

    /* precision of the fixed values, at least that of a run; 0: none yet */
    slong prec;
    const ic_text_values *given;

    /* some kink has a sign by assumption: what depends on kinks is continued smoothly, even to other signs */
    bool assumed;

    ic_store store;
};

/* ---- programs */

static void mark(const ic_text_machine *m, bool *needed, const ic_text_node *roots, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (roots[i] >= 0) needed[roots[i]] = true;
    }
    for (size_t i = m->n_terms; i-- > 0;) {
        const ic_text_node operands[] = {m->terms[i].a, m->terms[i].b, m->terms[i].c, m->terms[i].kink};
        for (int k = 0; needed[i] && k < 4; k++) {
            if (operands[k] >= 0) needed[operands[k]] = true;
        }
    }
}

/* A power or root has no kink, but its base may be the argument of another one's. */
static bool is_power(const ic_text_term *t)
{
    return t->operation == IC_TEXT_POWER || t->operation == IC_TEXT_SQRT;
}

static void add_step(ic_text_program *p, ic_text_node node)
{
    step *s = &p->steps[p->n];
    *s = (step){.term = p->machine->terms[node], .node = node, .kink = -1, .argument_of = -1};
    p->places[node] = (int)p->n++;
    ic_text_term *t = &s->term;
    ic_text_node *const operands[] = {&t->a, &t->b, &t->c, &t->kink};
    s->fixed = t->operation <= IC_TEXT_TABLE || t->operation >= IC_TEXT_ADD;
    for (int i = 0; i < 4; i++) {
        if (*operands[i] < 0) continue;
        *operands[i] = p->places[*operands[i]];
        s->fixed = s->fixed && p->steps[*operands[i]].fixed;
        s->kinked = s->kinked || (i == 3 && !is_power(t)) || p->steps[*operands[i]].kinked;
    }
    if (t->kink < 0 || is_power(t)) return;
    s->fixed = false;
    int *const kink = &p->steps[t->kink].argument_of;
    if (*kink < 0) {
        *kink = (int)p->n_kinks++;
        p->kinks[*kink] = p->steps[t->kink].node;
    }
    s->kink = *kink;
}

ic_text_program *ic_text_program_new(const ic_text_machine *m, const ic_text_node *roots, size_t n)
{
    ic_text_program *p = flint_calloc(1, sizeof *p);
    IC_ZEROS(bool, needed, m->n_terms);
    size_t count = 1;
    mark(m, needed, roots, n);
    for (size_t i = 0; i < m->n_terms; i++) count += needed[i];
    p->machine = m;
    p->steps = ic_store_zeros(&p->store, count, sizeof *p->steps);
    p->places = ic_store_zeros(&p->store, m->n_terms, sizeof *p->places);
    p->kinks = ic_store_zeros(&p->store, count, sizeof *p->kinks);
    p->possible = ic_store_zeros(&p->store, count, 1);
    p->truths = ic_store_zeros(&p->store, count, 1);
    p->values = ic_store_balls(&p->store, (slong)count);
    p->rates = ic_store_balls(&p->store, (slong)count);
    p->half = ic_store_balls(&p->store, 1);
    for (size_t i = 0; i < m->n_terms; i++) {
        p->places[i] = -1;
        if (needed[i]) add_step(p, (ic_text_node)i);
    }
    arb_set_d(p->half, 0.5);
    arb_indeterminate(p->values + p->n);
    arb_indeterminate(p->rates + p->n);
    p->truths[p->n] = IC_TEXT_OPEN;
    return p;
}

void ic_text_program_free(ic_text_program *p)
{
    if (p != NULL) ic_store_free(&p->store);
    flint_free(p);
}

const ic_text_node *ic_text_program_kinks(const ic_text_program *p, size_t *n)
{
    *n = p->n_kinks;
    return p->kinks;
}

/* ---- signs and truth */

static int signs_of(const arb_t x)
{
    if (!arb_is_finite(x)) return ALL;
    if (arb_is_zero(x)) return ZERO;
    return (arb_is_nonnegative(x) ? 0 : NEGATIVE) | (arb_contains_zero(x) ? ZERO : 0) |
           (arb_is_nonpositive(x) ? 0 : POSITIVE);
}

static int turned(int signs, int turn)
{
    return turn > 0 ? signs
                    : (signs & ZERO) | (signs & NEGATIVE ? POSITIVE : 0) | (signs & POSITIVE ? NEGATIVE : 0);
}

/* Whether the signs that are possible all belong to `holds`, or none does. */
static int decide(int signs, int holds)
{
    return (signs & ~holds) == 0 ? 1 : (signs & holds) == 0 ? -1 : IC_TEXT_OPEN;
}

static int truth_of(const ic_text_program *p, const step *s)
{
    static const int holds[] = {NEGATIVE, NEGATIVE | ZERO, POSITIVE, POSITIVE | ZERO, ZERO};
    const ic_text_operation o = s->term.operation;
    if (o == IC_TEXT_TRUE || o == IC_TEXT_FALSE) return o == IC_TEXT_TRUE ? 1 : -1;
    if (o < IC_TEXT_AND) return decide(turned(p->possible[s->kink], s->term.turn), holds[o - IC_TEXT_LESS]);
    const int a = (int)p->truths[s->term.a], b = (int)p->truths[s->term.b], ends = o == IC_TEXT_AND ? -1 : 1;
    if (a == ends || b == ends) return ends;
    return a == IC_TEXT_OPEN || b == IC_TEXT_OPEN ? IC_TEXT_OPEN : -ends;
}

/* ---- values */

/* Encloses a and b. */
static void hull(arb_t z, const arb_t a, const arb_t b, slong prec)
{
    if (arb_is_finite(a) && arb_is_finite(b)) arb_union(z, a, b, prec);
    else arb_indeterminate(z);
}

/* Encloses the numbers from 0 to the greatest of x, raised to the power e if e is not NULL; 0 if x is negative. */
static void clip(arb_t z, const arb_t x, const arb_struct *e, slong prec)
{
    IC_BALLS(top, bottom);
    arb_get_ubound_arf(arb_midref(top), x, prec);
    if (!arb_is_positive(top)) arb_zero(top);
    else if (e != NULL) arb_pow(top, top, e, prec);
    hull(z, bottom, top, prec);
}

static void set_leaf(arb_t z, const arb_struct *values, int index)
{
    if (values == NULL) arb_indeterminate(z);
    else arb_set(z, values + index);
}

/* A number of a table of the bending modes of a cantilever (reference/closed/cantilever.h). */
static void set_table(arb_t z, int index, slong prec)
{
    const int table = index / 10000, r = index / 100 % 100, j = index % 100;
    ic_cantilever_mode first, second;
    ic_cantilever_mode_init(&first, r - 1, prec);
    ic_cantilever_mode_init(&second, j - 1, prec);
    const ic_cantilever_integrand integrand = {
        {1, table == 3 ? 0 : -1, table == 3 ? -1 : 0}, &first, r == j ? &first : &second, 1};
    if (table >= 3) ic_cantilever_integral(z, &integrand);
    else if (table == 0) arb_set(z, first.lambda);
    else if (table == 1) arb_set(z, first.sigma);
    else ic_cantilever_mode_tail(z, &first);
    ic_cantilever_mode_clear(&first);
    ic_cantilever_mode_clear(&second);
}

/* x^e for a number or ball e. */
static void power(arb_t z, const arb_t x, const arb_t e, slong prec)
{
    fmpz_t whole;
    fmpz_init(whole);
    if (arb_is_int(e) && arf_cmpabs_2exp_si(arb_midref(e), 30) < 0 && arb_get_unique_fmpz(whole, e))
        arb_pow_fmpz(z, x, whole, prec);
    else if (arb_is_positive(x)) arb_pow(z, x, e, prec);
    else if (arb_is_zero(x) && arb_is_positive(e)) arb_zero(z);
    else arb_indeterminate(z);
    fmpz_clear(whole);
    if (!arb_is_finite(z)) arb_indeterminate(z);
}

/* Whether the base of a power or root is not negative, by its form or by the sign of a kink. */
static bool base_is_nonnegative(const ic_text_program *p, const step *s)
{
    if (p->steps[s->term.a].term.nonnegative) return true;
    const int kink = p->steps[s->term.kink].argument_of;
    return kink >= 0 && (turned(p->possible[kink], s->term.turn) & NEGATIVE) == 0;
}

static const arb_struct *exponent_of(const ic_text_program *p, const step *s)
{
    return s->term.operation == IC_TEXT_SQRT ? p->half : p->values + s->term.b;
}

static void evaluate_power(const ic_text_program *p, const step *s, arb_t z, const arb_t e, slong prec)
{
    const arb_struct *x = p->values + s->term.a;
    const bool part = arb_is_finite(x) && !arb_is_positive(x) && arb_is_positive(e) &&
                      (!arb_is_int(e) || arb_contains_negative(x));
    if (part && (arb_is_nonnegative(x) || base_is_nonnegative(p, s))) clip(z, x, e, prec);
    else power(z, x, e, prec);
}

/* The real cube root: increasing, and odd. */
static void cube_root(arb_t z, const arb_t x, slong prec)
{
    IC_BALLS(low, high);
    arb_get_lbound_arf(arb_midref(low), x, prec);
    arb_get_ubound_arf(arb_midref(high), x, prec);
    for (int i = 0; i < 2; i++) {
        arb_struct *end = i == 0 ? low : high;
        const bool negative = arb_is_negative(end);
        arb_abs(end, end);
        if (!arb_is_zero(end)) arb_root_ui(end, end, 3, prec);
        if (negative) arb_neg(end, end);
    }
    hull(z, low, high, prec);
}

/* Which of a and b a maximum is, +1 or -1, of a and -a an absolute value, and of b and a a minimum; or it is open. */
static int choice_of(const ic_text_program *p, const step *s)
{
    const int signs = turned(p->possible[s->kink], s->term.turn);
    return (signs & NEGATIVE) == 0 ? 1 : (signs & POSITIVE) == 0 ? -1 : IC_TEXT_OPEN;
}

/* Sign or step, by the signs that are possible. */
static void evaluate_step(arb_t z, int signs, bool step, slong prec)
{
    IC_BALLS(low, high);
    arb_set_si(low, signs & NEGATIVE ? (step ? 0 : -1) : signs & ZERO ? step : 1);
    arb_set_si(high, signs & POSITIVE ? 1 : signs & ZERO ? step : step ? 0 : -1);
    hull(z, low, high, prec);
}

/* Abs, min and max, too. */
static void evaluate_kink(const ic_text_program *p, const step *s, arb_t z, slong prec)
{
    const ic_text_term *t = &s->term;
    const arb_struct *a = p->values + t->a, *b = t->b < 0 ? NULL : p->values + t->b;
    const int choice = choice_of(p, s);
    const bool step = t->operation == IC_TEXT_STEP;
    if (step || t->operation == IC_TEXT_SIGN) {
        evaluate_step(z, turned(p->possible[s->kink], t->turn), step, prec);
    } else if (t->operation == IC_TEXT_ABS) {
        if (choice == IC_TEXT_OPEN) arb_abs(z, a);
        else arb_mul_si(z, a, choice, prec);
    } else if (choice == IC_TEXT_OPEN) {
        (t->operation == IC_TEXT_MAX ? arb_max : arb_min)(z, a, b, prec);
    } else {
        arb_set(z, (t->operation == IC_TEXT_MAX) == (choice > 0) ? a : b);
    }
}

static void (*const functions[])(arb_t, const arb_t, slong) = {
    arb_exp, arb_log, arb_sin, arb_cos, arb_tan, arb_asin, arb_acos, arb_atan, arb_sinh, arb_cosh, arb_tanh};

static bool is_nonnegative(const ic_text_program *p, const step *s)
{
    return s->term.nonnegative && !(p->assumed && s->kinked);
}

static void evaluate(const ic_text_program *p, const step *s, arb_t z, slong prec)
{
    const ic_text_term *t = &s->term;
    const ic_text_values *g = p->given;
    const arb_struct *a = t->a < 0 ? NULL : p->values + t->a, *b = t->b < 0 ? NULL : p->values + t->b;
    /* Arb encloses sin and atan of what has no value. */
    if (t->operation != IC_TEXT_WHERE &&
        ((a != NULL && !arb_is_finite(a)) || (b != NULL && !arb_is_finite(b)))) {
        arb_indeterminate(z);
        return;
    }
    switch (t->operation) {
    case IC_TEXT_NUMBER: arb_set_fmpq(z, t->number, prec); break;
    case IC_TEXT_PI: arb_const_pi(z, prec); break;
    case IC_TEXT_TABLE: set_table(z, t->index, prec); break;
    case IC_TEXT_PARAMETER: set_leaf(z, g->parameters, t->index); break;
    case IC_TEXT_STATE: set_leaf(z, g->states, t->index); break;
    case IC_TEXT_ELEMENT: set_leaf(z, g->element_states, t->index); break;
    case IC_TEXT_FORCE: set_leaf(z, g->element_forces, t->index); break;
    case IC_TEXT_LAW: arb_indeterminate(z); break;
    case IC_TEXT_TIME: set_leaf(z, g->time, 0); break;
    case IC_TEXT_COUNT: set_leaf(z, g->count, 0); break;
    case IC_TEXT_ADD: arb_add(z, a, b, prec); break;
    case IC_TEXT_SUBTRACT: arb_sub(z, a, b, prec); break;
    case IC_TEXT_MULTIPLY:
        if (t->a == t->b) arb_sqr(z, a, prec);
        else arb_mul(z, a, b, prec);
        break;
    case IC_TEXT_DIVIDE: arb_div(z, a, b, prec); break;
    case IC_TEXT_POWER:
    case IC_TEXT_SQRT: evaluate_power(p, s, z, exponent_of(p, s), prec); break;
    case IC_TEXT_CBRT: cube_root(z, a, prec); break;
    case IC_TEXT_ATAN2: arb_atan2(z, a, b, prec); break;
    case IC_TEXT_MIN:
    case IC_TEXT_MAX:
    case IC_TEXT_ABS:
    case IC_TEXT_SIGN:
    case IC_TEXT_STEP: evaluate_kink(p, s, z, prec); break;
    case IC_TEXT_WHERE:
        if (p->truths[t->a] == IC_TEXT_OPEN) hull(z, b, p->values + t->c, prec);
        else arb_set(z, p->truths[t->a] > 0 ? b : p->values + t->c);
        break;
    case IC_TEXT_NEGATE: arb_neg(z, a); break;
    default: functions[t->operation - IC_TEXT_EXP](z, a, prec); break;
    }
    if (!arb_is_finite(z)) arb_indeterminate(z);
    else if (is_nonnegative(p, s) && arb_contains_negative(z)) clip(z, z, NULL, prec);
}

/* ---- rates */

/* z += factor*rate, where a rate that is exactly 0 has no effect. */
static void add_rate(arb_t z, const arb_t factor, const arb_t rate, slong prec)
{
    if (rate != NULL && !arb_is_zero(rate)) arb_addmul(z, factor, rate, prec);
}

/* Derivative f of a function of one quantity, whose value is y. */
static void differentiate(const ic_text_program *p, const step *s, arb_t f, slong prec)
{
    const arb_struct *x = p->values + s->term.a, *y = p->values + (s - p->steps);
    IC_BALLS(u);
    switch (s->term.operation) {
    case IC_TEXT_NEGATE: arb_set_si(f, -1); break;
    case IC_TEXT_CBRT: /* 1/(3 y^2) */
        arb_sqr(f, y, prec);
        arb_mul_ui(f, f, 3, prec);
        arb_inv(f, f, prec);
        break;
    case IC_TEXT_EXP: arb_set(f, y); break;
    case IC_TEXT_LOG: arb_inv(f, x, prec); break;
    case IC_TEXT_SIN: arb_cos(f, x, prec); break;
    case IC_TEXT_COS:
        arb_sin(f, x, prec);
        arb_neg(f, f);
        break;
    case IC_TEXT_TAN: /* 1 + y^2 */
        arb_sqr(f, y, prec);
        arb_add_si(f, f, 1, prec);
        break;
    case IC_TEXT_TANH: /* 1 - y^2 */
        arb_sqr(f, y, prec);
        arb_sub_si(f, f, 1, prec);
        arb_neg(f, f);
        break;
    case IC_TEXT_ASIN:
    case IC_TEXT_ACOS: /* 1/sqrt(1 - x^2) */
        arb_sqr(u, x, prec);
        arb_sub_si(u, u, 1, prec);
        arb_neg(u, u);
        arb_rsqrt(f, u, prec);
        if (s->term.operation == IC_TEXT_ACOS) arb_neg(f, f);
        break;
    case IC_TEXT_ATAN: /* 1/(1 + x^2) */
        arb_sqr(f, x, prec);
        arb_add_si(f, f, 1, prec);
        arb_inv(f, f, prec);
        break;
    case IC_TEXT_SINH: arb_cosh(f, x, prec); break;
    case IC_TEXT_COSH: arb_sinh(f, x, prec); break;
    case IC_TEXT_POWER: /* b x^(b - 1) */
    case IC_TEXT_SQRT:
        arb_sub_si(u, exponent_of(p, s), 1, prec);
        evaluate_power(p, s, f, u, prec);
        arb_mul(f, f, exponent_of(p, s), prec);
        break;
    default: arb_indeterminate(f); break;
    }
}

/* Rate of a choice between two quantities with rates a and b: +1 the first, -1 the second, else both. */
static void choose_rate(arb_t z, int choice, const arb_t a, const arb_t b, slong prec)
{
    if (choice == IC_TEXT_OPEN) hull(z, a, b, prec);
    else arb_set(z, choice > 0 ? a : b);
}

static void rate_of_leaf(const ic_text_program *p, const ic_text_term *t, arb_t z)
{
    const ic_text_values *g = p->given;
    arb_zero(z);
    if (t->operation == IC_TEXT_STATE) set_leaf(z, g->state_rates, t->index);
    if (t->operation == IC_TEXT_FORCE || t->operation == IC_TEXT_LAW) arb_indeterminate(z);
    if (t->operation == IC_TEXT_TIME && g->time_rate == NULL) arb_one(z);
    else if (t->operation == IC_TEXT_TIME) arb_set(z, g->time_rate);
}

static void evaluate_rate(const ic_text_program *p, const step *s, arb_t z, slong prec)
{
    const ic_text_term *t = &s->term;
    const arb_struct *a = t->a < 0 ? NULL : p->values + t->a, *b = t->b < 0 ? NULL : p->values + t->b;
    const arb_struct *da = t->a < 0 ? NULL : p->rates + t->a, *db = t->b < 0 ? NULL : p->rates + t->b;
    const int choice = s->kink < 0 || p->possible[s->kink] == ZERO ? IC_TEXT_OPEN : choice_of(p, s);
    IC_BALLS(f, g);
    arb_zero(z);
    switch (t->operation) {
    case IC_TEXT_ADD: arb_add(z, da, db, prec); break;
    case IC_TEXT_SUBTRACT: arb_sub(z, da, db, prec); break;
    case IC_TEXT_MULTIPLY:
        add_rate(z, b, da, prec);
        add_rate(z, a, db, prec);
        break;
    case IC_TEXT_DIVIDE: /* (a' - (a/b) b')/b */
        arb_neg(f, p->values + (s - p->steps));
        arb_set(z, da);
        add_rate(z, f, db, prec);
        if (!arb_is_zero(z)) arb_div(z, z, b, prec);
        break;
    case IC_TEXT_ATAN2: /* (b a' - a b')/(a^2 + b^2) */
        add_rate(z, b, da, prec);
        arb_neg(f, a);
        add_rate(z, f, db, prec);
        arb_sqr(f, a, prec);
        arb_sqr(g, b, prec);
        arb_add(f, f, g, prec);
        if (arb_contains_zero(a) && !arb_is_positive(b)) arb_indeterminate(z); /* it jumps */
        else if (!arb_is_zero(z)) arb_div(z, z, f, prec);
        break;
    case IC_TEXT_MIN: choose_rate(z, choice, db, da, prec); break;
    case IC_TEXT_MAX: choose_rate(z, choice, da, db, prec); break;
    case IC_TEXT_ABS:
        arb_neg(f, da);
        choose_rate(z, choice, da, f, prec);
        break;
    case IC_TEXT_SIGN:
    case IC_TEXT_STEP: break;
    case IC_TEXT_WHERE: choose_rate(z, p->truths[t->a], db, p->rates + t->c, prec); break;
    default:
        /* sqrt(x^2) has no rate at 0, although that of x^2 is 0 */
        if (t->a < 0) rate_of_leaf(p, t, z);
        else if (!arb_is_zero(da) || p->steps[t->a].term.varies) {
            differentiate(p, s, f, prec);
            arb_mul(z, f, da, prec);
        }
    }
    if (!arb_is_finite(z) || !arb_is_finite(p->values + (s - p->steps))) arb_indeterminate(z);
}

/* ---- runs */

static void assume_signs(ic_text_program *p, const ic_text_values *values)
{
    p->given = values;
    p->assumed = false;
    for (size_t k = 0; k < p->n_kinks; k++) {
        const int sign = values->signs == NULL ? IC_TEXT_OPEN : values->signs[k];
        p->possible[k] = sign == IC_TEXT_OPEN ? ALL : sign > 0 ? POSITIVE : sign < 0 ? NEGATIVE : ZERO;
        p->assumed = p->assumed || sign != IC_TEXT_OPEN;
    }
}

void ic_text_run(ic_text_program *p, const ic_text_values *values, slong prec)
{
    assume_signs(p, values);
    for (size_t i = 0; i < p->n; i++) {
        const step *s = &p->steps[i];
        if (s->term.operation >= IC_TEXT_LESS) {
            p->truths[i] = (signed char)truth_of(p, s);
            continue;
        }
        if (!s->fixed || p->prec < prec) evaluate(p, s, p->values + i, prec);
        if (values->state_rates != NULL && !s->fixed) evaluate_rate(p, s, p->rates + i, prec);
        if (s->argument_of < 0 || p->possible[s->argument_of] != ALL) continue;
        p->possible[s->argument_of] =
            (unsigned char)(signs_of(p->values + i) & (is_nonnegative(p, s) ? ZERO | POSITIVE : ALL));
    }
    if (p->prec < prec) p->prec = prec;
    p->given = NULL;
}

/* Place of a node; that after the last, whose value is not finite, if the program does not have it. */
static size_t place_of(const ic_text_program *p, ic_text_node node)
{
    const bool has = node >= 0 && (size_t)node < p->machine->n_terms && p->places[node] >= 0;
    return has ? (size_t)p->places[node] : p->n;
}

const arb_struct *ic_text_value(const ic_text_program *p, ic_text_node node)
{
    return p->values + place_of(p, node);
}

const arb_struct *ic_text_rate(const ic_text_program *p, ic_text_node node)
{
    return p->rates + place_of(p, node);
}

int ic_text_truth(const ic_text_program *p, ic_text_node node)
{
    return p->truths[place_of(p, node)];
}
