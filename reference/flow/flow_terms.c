/* SPDX-License-Identifier: MIT */
#include "reference/flow/flow_terms.h"

#include "reference/law/contact_law_parts.h"

#include <stdlib.h>

enum { FIRST_CAPACITY = 64, LARGEST_WHOLE = 1000, MINUS_HALF = -900 /* an identity */ };

void ic_flow_terms_init(ic_flow_terms *t, slong n, arb_srcptr start, const arb_t clock, const bool *constant,
                        slong prec)
{
    *t = (ic_flow_terms){.n = n, .prec = prec, .start = start, .constant = constant};
    arb_init(t->clock);
    arb_set(t->clock, clock);
}

void ic_flow_terms_clear(ic_flow_terms *t)
{
    _arb_vec_clear(t->values, (slong)t->capacity);
    arb_clear(t->clock);
    free(t->list);
    free(t->table);
}

/* ---- equal terms are one */

static size_t hash_of(const ic_flow_term *term)
{
    size_t h = (size_t)term->kind;
    h = h * 1000003u + (size_t)(term->a + 1);
    h = h * 1000003u + (size_t)(term->b + 1);
    h = h * 1000003u + (size_t)term->index;
    return h ^ (h >> 17);
}

static bool same_term(const ic_flow_term *x, const ic_flow_term *y)
{
    return x->kind == y->kind && x->a == y->a && x->b == y->b && x->index == y->index;
}

static bool grow(ic_flow_terms *t)
{
    const size_t capacity = t->capacity == 0 ? FIRST_CAPACITY : 2 * t->capacity, size = 4 * capacity;
    ic_flow_term *list = realloc(t->list, capacity * sizeof *list);
    if (list != NULL) t->list = list;
    int *table = calloc(size, sizeof *table);
    if (list == NULL || table == NULL) {
        free(table);
        t->failed = true;
        return false;
    }
    arb_ptr values = _arb_vec_init((slong)capacity);
    for (size_t i = 0; i < t->count; i++) arb_swap(values + i, t->values + i);
    _arb_vec_clear(t->values, (slong)t->capacity);
    t->values = values;
    t->capacity = capacity;
    for (size_t i = 0; i < t->count; i++) {
        size_t at = hash_of(&list[i]) & (size - 1);
        while (table[at] != 0) at = (at + 1) & (size - 1);
        table[at] = 1 + (int)i;
    }
    free(t->table);
    t->table = table;
    t->table_size = size;
    return true;
}

static void compute_value(ic_flow_terms *t, int i)
{
    const ic_flow_term *term = &t->list[i];
    arb_ptr value = t->values + i;
    arb_srcptr a = term->a >= 0 ? t->values + term->a : NULL, b = term->b >= 0 ? t->values + term->b : NULL;
    switch (term->kind) {
    case IC_FLOW_NUMBER: break;
    case IC_FLOW_VARIABLE:
        if (term->index <= t->n) arb_set(value, t->start + term->index);
        else arb_set(value, t->values + t->definitions[term->index - t->n - 1]);
        break;
    case IC_FLOW_CLOCK_POWER: arb_pow_ui(value, t->clock, (ulong)term->index, t->prec); break;
    case IC_FLOW_SUM: arb_add(value, a, b, t->prec); break;
    case IC_FLOW_DIFFERENCE: arb_sub(value, a, b, t->prec); break;
    case IC_FLOW_PRODUCT:
        if (a == b) arb_sqr(value, a, t->prec);
        else arb_mul(value, a, b, t->prec);
        break;
    case IC_FLOW_RECIPROCAL: arb_inv(value, a, t->prec); break;
    case IC_FLOW_POWER: arb_pow(value, a, b, t->prec); break;
    case IC_FLOW_FUNCTION:
        ic_flow_term_function_value(value, (ic_flow_term_function)term->index, a, t->prec);
        break;
    case IC_FLOW_GREATER: arb_max(value, a, b, t->prec); break;
    }
}

/* Adds a term, or finds it. *added: whether it is new. */
static int intern(ic_flow_terms *t, ic_flow_term term, bool *added)
{
    *added = false;
    if (t->count == t->capacity && !grow(t)) return -1;
    size_t at = hash_of(&term) & (t->table_size - 1);
    for (; t->table[at] != 0; at = (at + 1) & (t->table_size - 1)) {
        if (same_term(&t->list[t->table[at] - 1], &term)) return t->table[at] - 1;
    }
    const int i = (int)t->count++;
    t->table[at] = 1 + i;
    term.slope = -1;
    switch (term.kind) {
    case IC_FLOW_NUMBER: term.constant = true; break;
    case IC_FLOW_VARIABLE: term.constant = term.index <= t->n && t->constant[term.index]; break;
    case IC_FLOW_CLOCK_POWER: term.constant = term.index == 0; break;
    default: term.constant = t->list[term.a].constant && (term.b < 0 || t->list[term.b].constant);
    }
    t->list[i] = term;
    *added = true;
    compute_value(t, i);
    return i;
}

static int apply(ic_flow_terms *t, ic_flow_term_kind kind, int a, int b)
{
    bool added = false;
    if (a < 0 || b < 0) return -1;
    return intern(t, (ic_flow_term){.kind = kind, .a = a, .b = b}, &added);
}

static int leaf(ic_flow_terms *t, ic_flow_term_kind kind, slong index)
{
    bool added = false;
    return intern(t, (ic_flow_term){.kind = kind, .a = -1, .b = -1, .index = (int)index}, &added);
}

/* ---- numbers and variables */

/* Integers are identified by -1 - value, others by numbers that are not negative. */
int ic_flow_term_number(ic_flow_terms *t, const arb_t value, int identity)
{
    bool added = false;
    const int i =
        intern(t, (ic_flow_term){.kind = IC_FLOW_NUMBER, .a = -1, .b = -1, .index = identity}, &added);
    if (added) arb_set(t->values + i, value);
    return i;
}

int ic_flow_term_integer(ic_flow_terms *t, slong value)
{
    bool added = false;
    const int i =
        intern(t, (ic_flow_term){.kind = IC_FLOW_NUMBER, .a = -1, .b = -2, .index = (int)value}, &added);
    if (added) arb_set_si(t->values + i, value);
    return i;
}

int ic_flow_term_variable(ic_flow_terms *t, slong index)
{
    return leaf(t, IC_FLOW_VARIABLE, index);
}

int ic_flow_term_define(ic_flow_terms *t, int definition)
{
    if (definition < 0 || t->n_further == IC_FLOW_MOST_FURTHER) return -1;
    t->definitions[t->n_further++] = definition;
    return leaf(t, IC_FLOW_VARIABLE, t->n + t->n_further);
}

int ic_flow_term_clock_power(ic_flow_terms *t, slong exponent)
{
    return exponent == 0 ? ic_flow_term_integer(t, 1) : leaf(t, IC_FLOW_CLOCK_POWER, exponent);
}

/* Whether a term is an integer; *value receives it. */
static bool is_integer(const ic_flow_terms *t, int a, slong *value)
{
    if (a < 0 || t->list[a].kind != IC_FLOW_NUMBER || t->list[a].b != -2) return false;
    *value = t->list[a].index;
    return true;
}

bool ic_flow_term_is_zero(const ic_flow_terms *t, int a)
{
    return a >= 0 && t->list[a].constant && arb_is_zero(t->values + a);
}

/* Levels of a formula that are examined for its least value. */
enum { FORM_DEPTH = 10 };

typedef enum least_value { NO_BOUND, NOT_NEGATIVE, POSITIVE } least_value;

static least_value least(const ic_flow_terms *t, int a, int depth);

static least_value least_of_two(const ic_flow_terms *t, const ic_flow_term *term, int depth)
{
    const bool product = term->kind == IC_FLOW_PRODUCT;
    const least_value x = least(t, term->a, depth);
    if (product && term->a == term->b) return x == POSITIVE ? POSITIVE : NOT_NEGATIVE;
    const least_value y = x == NO_BOUND ? NO_BOUND : least(t, term->b, depth);
    if (y == NO_BOUND) return NO_BOUND;
    const bool positive = product ? x == POSITIVE && y == POSITIVE : x == POSITIVE || y == POSITIVE;
    return positive ? POSITIVE : NOT_NEGATIVE;
}

/* A lower bound of a term for all states by its form; `depth` limits the work. */
static least_value least(const ic_flow_terms *t, int a, int depth)
{
    const ic_flow_term *term = &t->list[a];
    if (depth == 0) return NO_BOUND;
    if (term->constant) {
        arb_srcptr value = t->values + a;
        return arb_is_positive(value) ? POSITIVE : arb_is_nonnegative(value) ? NOT_NEGATIVE : NO_BOUND;
    }
    switch (term->kind) {
    case IC_FLOW_SUM:
    case IC_FLOW_PRODUCT: return least_of_two(t, term, depth - 1);
    case IC_FLOW_POWER:
    case IC_FLOW_RECIPROCAL: return least(t, term->a, depth - 1) == POSITIVE ? POSITIVE : NO_BOUND;
    case IC_FLOW_FUNCTION:
        return term->index == IC_FLOW_EXP || term->index == IC_FLOW_COSH ? POSITIVE : NO_BOUND;
    default: return NO_BOUND;
    }
}

bool ic_flow_term_is_positive(const ic_flow_terms *t, int a)
{
    return least(t, a, FORM_DEPTH) == POSITIVE;
}

static bool is_one(const ic_flow_terms *t, int a)
{
    return a >= 0 && t->list[a].constant && arb_is_one(t->values + a);
}

static bool is_small(slong value)
{
    return value >= -LARGEST_WHOLE && value <= LARGEST_WHOLE;
}

/* ---- operations */

/* x if b is x - a; -1 if it is not. */
static int rest_of_difference(const ic_flow_terms *t, int a, int b)
{
    const ic_flow_term *difference = &t->list[b];
    return difference->kind == IC_FLOW_DIFFERENCE && difference->b == a ? difference->a : -1;
}

int ic_flow_term_add(ic_flow_terms *t, int a, int b)
{
    slong x, y;
    if (a < 0 || b < 0) return -1;
    if (ic_flow_term_is_zero(t, a)) return b;
    if (ic_flow_term_is_zero(t, b)) return a;
    /* mu_k + (mu_s - mu_k) = mu_s: a friction that begins at the static one is seen to do so */
    if (rest_of_difference(t, a, b) >= 0) return rest_of_difference(t, a, b);
    if (rest_of_difference(t, b, a) >= 0) return rest_of_difference(t, b, a);
    if (is_integer(t, a, &x) && is_integer(t, b, &y) && is_small(x + y)) return ic_flow_term_integer(t, x + y);
    return a < b ? apply(t, IC_FLOW_SUM, a, b) : apply(t, IC_FLOW_SUM, b, a);
}

int ic_flow_term_subtract(ic_flow_terms *t, int a, int b)
{
    slong x, y;
    if (a < 0 || b < 0) return -1;
    if (a == b) return ic_flow_term_integer(t, 0);
    if (ic_flow_term_is_zero(t, b)) return a;
    if (ic_flow_term_is_zero(t, a)) return ic_flow_term_negate(t, b);
    if (is_integer(t, a, &x) && is_integer(t, b, &y) && is_small(x - y)) return ic_flow_term_integer(t, x - y);
    return apply(t, IC_FLOW_DIFFERENCE, a, b);
}

int ic_flow_term_multiply(ic_flow_terms *t, int a, int b)
{
    slong x, y;
    if (a < 0 || b < 0) return -1;
    if (ic_flow_term_is_zero(t, a) || ic_flow_term_is_zero(t, b)) return ic_flow_term_integer(t, 0);
    if (is_one(t, a)) return b;
    if (is_one(t, b)) return a;
    if (is_integer(t, a, &x) && is_integer(t, b, &y) && is_small(x * y)) return ic_flow_term_integer(t, x * y);
    const ic_flow_term *u = &t->list[a], *v = &t->list[b];
    const bool swap = v->constant != u->constant ? v->constant : b < a;
    if (swap) return ic_flow_term_multiply(t, b, a);
    /* -(-x) = x */
    if (is_integer(t, a, &x) && x == -1 && v->kind == IC_FLOW_PRODUCT && is_integer(t, v->a, &y) && y == -1)
        return v->b;
    return apply(t, IC_FLOW_PRODUCT, a, b);
}

int ic_flow_term_negate(ic_flow_terms *t, int a)
{
    return ic_flow_term_multiply(t, ic_flow_term_integer(t, -1), a);
}

int ic_flow_term_integer_power(ic_flow_terms *t, int a, ulong exponent)
{
    if (exponent == 0) return ic_flow_term_integer(t, 1);
    if (exponent == 1) return a;
    const int half = ic_flow_term_integer_power(t, a, exponent / 2);
    const int whole = ic_flow_term_multiply(t, half, half);
    return exponent % 2 == 0 ? whole : ic_flow_term_multiply(t, whole, a);
}

int ic_flow_term_invert(ic_flow_terms *t, int a)
{
    bool added = false;
    if (a < 0) return -1;
    if (is_one(t, a)) return a;
    const int i = intern(t, (ic_flow_term){.kind = IC_FLOW_RECIPROCAL, .a = a, .b = -1}, &added);
    if (!added || t->list[i].constant) return i;
    const int slope = ic_flow_term_negate(t, ic_flow_term_multiply(t, i, i));
    t->list[i].slope = slope;
    return i;
}

int ic_flow_term_power(ic_flow_terms *t, int a, int b)
{
    slong exponent;
    bool added = false;
    if (a < 0 || b < 0) return -1;
    if (is_integer(t, b, &exponent)) {
        const int whole = ic_flow_term_integer_power(t, a, (ulong)(exponent < 0 ? -exponent : exponent));
        return exponent < 0 ? ic_flow_term_invert(t, whole) : whole;
    }
    const int i = intern(t, (ic_flow_term){.kind = IC_FLOW_POWER, .a = a, .b = b}, &added);
    if (!added || t->list[i].constant) return i;
    const int slope = ic_flow_term_multiply(t, b, ic_flow_term_multiply(t, i, ic_flow_term_invert(t, a)));
    t->list[i].slope = slope;
    return i;
}

static int function_of(ic_flow_terms *t, ic_flow_term_function function, int a, bool *added)
{
    return intern(t, (ic_flow_term){.kind = IC_FLOW_FUNCTION, .a = a, .b = -1, .index = (int)function}, added);
}

/* f and g with f' = g and g' = sign f, such as sine and cosine */
static int function_pair(ic_flow_terms *t, ic_flow_term_function f, ic_flow_term_function g, int sign,
                         bool first, int a)
{
    bool added_f = false, added_g = false;
    const int x = function_of(t, f, a, &added_f), y = function_of(t, g, a, &added_g);
    if (x < 0 || y < 0) return -1;
    if (added_f || added_g) {
        const int back = sign > 0 ? x : ic_flow_term_negate(t, x);
        t->list[x].slope = y;
        t->list[y].slope = back;
    }
    return first ? x : y;
}

int ic_flow_term_apply(ic_flow_terms *t, ic_flow_term_function function, int a)
{
    bool added = false;
    if (a < 0) return -1;
    switch (function) {
    case IC_FLOW_SIN: return function_pair(t, IC_FLOW_SIN, IC_FLOW_COS, -1, true, a);
    case IC_FLOW_COS: return function_pair(t, IC_FLOW_SIN, IC_FLOW_COS, -1, false, a);
    case IC_FLOW_SINH: return function_pair(t, IC_FLOW_SINH, IC_FLOW_COSH, +1, true, a);
    case IC_FLOW_COSH: return function_pair(t, IC_FLOW_SINH, IC_FLOW_COSH, +1, false, a);
    default: break;
    }
    const int i = function_of(t, function, a, &added);
    if (!added || t->list[i].constant) return i;
    int slope = i; /* EXP */
    const int one = ic_flow_term_integer(t, 1);
    if (function == IC_FLOW_LOG) slope = ic_flow_term_invert(t, a);
    if (function == IC_FLOW_ATAN)
        slope = ic_flow_term_invert(t, ic_flow_term_add(t, one, ic_flow_term_multiply(t, a, a)));
    if (function == IC_FLOW_ASIN) {
        IC_BALLS(half);
        arb_set_d(half, -0.5);
        slope = ic_flow_term_power(t, ic_flow_term_subtract(t, one, ic_flow_term_multiply(t, a, a)),
                                   ic_flow_term_number(t, half, MINUS_HALF));
    }
    if (i >= 0) t->list[i].slope = slope;
    return i;
}

int ic_flow_term_greater(ic_flow_terms *t, int a, int b)
{
    return apply(t, IC_FLOW_GREATER, a, b);
}

int ic_flow_term_definition(const ic_flow_terms *t, int i)
{
    const ic_flow_term *term = &t->list[i];
    if (term->kind != IC_FLOW_VARIABLE || term->index <= t->n) return -1;
    return t->definitions[term->index - t->n - 1];
}

void ic_flow_clock_power(arb_t y, const arb_t u, slong m, slong k, slong prec)
{
    fmpz_t binomial;
    arb_zero(y);
    if (k > m) return;
    fmpz_init(binomial);
    fmpz_bin_uiui(binomial, (ulong)m, (ulong)k);
    arb_pow_ui(y, u, (ulong)(m - k), prec);
    arb_mul_fmpz(y, y, binomial, prec);
    fmpz_clear(binomial);
}

void ic_flow_term_function_value(arb_t value, ic_flow_term_function function, const arb_t a, slong prec)
{
    switch (function) {
    case IC_FLOW_EXP: arb_exp(value, a, prec); break;
    case IC_FLOW_LOG: arb_log(value, a, prec); break;
    case IC_FLOW_SIN: arb_sin(value, a, prec); break;
    case IC_FLOW_COS: arb_cos(value, a, prec); break;
    case IC_FLOW_SINH: arb_sinh(value, a, prec); break;
    case IC_FLOW_COSH: arb_cosh(value, a, prec); break;
    case IC_FLOW_ATAN: arb_atan(value, a, prec); break;
    case IC_FLOW_ASIN: arb_asin(value, a, prec); break;
    case IC_FLOW_DAMPING: ic_law_find_damping(value, a, prec); break;
    }
}

/* ---- what follows from terms */

/* A term as a sum of terms with signs. */
enum { MOST_SUMMANDS = 16 };
typedef struct signed_sum {
    int terms[MOST_SUMMANDS], signs[MOST_SUMMANDS];
    int n; /* MOST_SUMMANDS + 1: there are more */
} signed_sum;

static void add_summands(signed_sum *sum, const ic_flow_terms *t, int i, int sign)
{
    const ic_flow_term *term = &t->list[i];
    slong factor;
    if (term->kind == IC_FLOW_SUM || term->kind == IC_FLOW_DIFFERENCE) {
        add_summands(sum, t, term->a, sign);
        add_summands(sum, t, term->b, term->kind == IC_FLOW_SUM ? sign : -sign);
    } else if (term->kind == IC_FLOW_PRODUCT && is_integer(t, term->a, &factor) && factor == -1) {
        add_summands(sum, t, term->b, -sign);
    } else if (sum->n < MOST_SUMMANDS) {
        sum->terms[sum->n] = i;
        sum->signs[sum->n++] = sign;
    } else {
        sum->n = MOST_SUMMANDS + 1;
    }
}

/* A term as a product of factors and a sign. */
enum { MOST_FACTORS = 12 };
typedef struct signed_product {
    int factors[MOST_FACTORS], sign;
    int n; /* MOST_FACTORS + 1: there are more */
} signed_product;

static void add_factors(signed_product *p, const ic_flow_terms *t, int i)
{
    const ic_flow_term *term = &t->list[i];
    slong factor;
    if (term->kind == IC_FLOW_PRODUCT) {
        add_factors(p, t, term->a);
        add_factors(p, t, term->b);
    } else if (is_integer(t, i, &factor) && factor == -1) {
        p->sign = -p->sign;
    } else if (p->n < MOST_FACTORS) {
        p->factors[p->n++] = i;
    } else {
        p->n = MOST_FACTORS + 1;
    }
}

/* 1 if two terms have the same factors in any order, -1 if the sign differs, otherwise 0. */
static int compare_products(const ic_flow_terms *t, int a, int b)
{
    signed_product x = {.sign = 1}, y = {.sign = 1};
    if (a == b) return 1;
    if (t->list[a].kind != IC_FLOW_PRODUCT || t->list[b].kind != IC_FLOW_PRODUCT) return 0;
    add_factors(&x, t, a);
    add_factors(&y, t, b);
    if (x.n != y.n || x.n > MOST_FACTORS) return 0;
    for (int i = 0; i < x.n; i++) {
        int k = 0;
        while (k < y.n && y.factors[k] != x.factors[i]) k++;
        if (k == y.n) return 0;
        y.factors[k] = -1; /* each is used once */
    }
    return x.sign * y.sign;
}

/* 1 if two terms have the same summands, -1 if they have opposite ones, otherwise 0. */
static int compare_sums(const ic_flow_terms *t, int a, int b)
{
    signed_sum x = {.n = 0}, y = {.n = 0};
    add_summands(&x, t, a, 1);
    add_summands(&y, t, b, 1);
    int ratio = 0;
    if (x.n != y.n || x.n > MOST_SUMMANDS) return 0;
    for (int i = 0; i < x.n; i++) {
        int k = 0, sign = 0;
        while (k < y.n && (y.terms[k] < 0 || (sign = compare_products(t, x.terms[i], y.terms[k])) == 0)) k++;
        if (k == y.n || (ratio != 0 && ratio != sign * x.signs[i] * y.signs[k])) return 0;
        ratio = sign * x.signs[i] * y.signs[k];
        y.terms[k] = -1; /* each is used once */
    }
    return ratio;
}

/* Takes constant factors off a term; *sign receives the sign of their product, 0: not decided. */
static int without_factors(const ic_flow_terms *t, int a, int *sign)
{
    *sign = 1;
    /* a constant factor is the first */
    while (t->list[a].kind == IC_FLOW_PRODUCT && t->list[t->list[a].a].constant) {
        arb_srcptr factor = t->values + t->list[a].a;
        *sign = arb_is_positive(factor) ? *sign : arb_is_negative(factor) ? -*sign : 0;
        a = t->list[a].b;
    }
    return a;
}

int ic_flow_term_ratio_sign(const ic_flow_terms *t, int a, int b)
{
    int sign_a = 0, sign_b = 0;
    if (a < 0 || b < 0) return 0;
    if (a == b) return 1;
    const int x = without_factors(t, a, &sign_a), y = without_factors(t, b, &sign_b);
    return sign_a * sign_b * (x == y ? 1 : compare_sums(t, x, y));
}

bool ic_flow_term_opposite(const ic_flow_terms *t, int a, int b)
{
    return compare_sums(t, a, b) == -1;
}

int ic_flow_term_rate(ic_flow_terms *t, int a, const int *rates)
{
    if (a < 0) return -1;
    const ic_flow_term term = t->list[a];
    if (term.constant) return ic_flow_term_integer(t, 0);
    switch (term.kind) {
    case IC_FLOW_VARIABLE: return rates[term.index];
    case IC_FLOW_CLOCK_POWER:
        return ic_flow_term_multiply(t, ic_flow_term_integer(t, term.index),
                                     ic_flow_term_clock_power(t, term.index - 1));
    case IC_FLOW_SUM:
        return ic_flow_term_add(t, ic_flow_term_rate(t, term.a, rates), ic_flow_term_rate(t, term.b, rates));
    case IC_FLOW_DIFFERENCE:
        return ic_flow_term_subtract(t, ic_flow_term_rate(t, term.a, rates),
                                     ic_flow_term_rate(t, term.b, rates));
    case IC_FLOW_PRODUCT:
        return ic_flow_term_add(t, ic_flow_term_multiply(t, ic_flow_term_rate(t, term.a, rates), term.b),
                                ic_flow_term_multiply(t, term.a, ic_flow_term_rate(t, term.b, rates)));
    case IC_FLOW_RECIPROCAL:
    case IC_FLOW_POWER:
    case IC_FLOW_FUNCTION: return ic_flow_term_multiply(t, term.slope, ic_flow_term_rate(t, term.a, rates));
    default: return -1;
    }
}

void ic_flow_terms_mark(ic_flow_terms *t, const int *results, size_t n)
{
    for (size_t i = 0; i < t->count; i++) t->list[i].needed = false;
    for (size_t i = 0; i < n; i++) {
        if (results[i] >= 0) t->list[results[i]].needed = true;
    }
    for (slong i = 0; i < t->n_further; i++) t->list[t->definitions[i]].needed = true;
    /* The slope of a function may follow its term. */
    for (bool again = true; again;) {
        again = false;
        for (size_t i = t->count; i-- > 0;) {
            const ic_flow_term *term = &t->list[i];
            if (!term->needed || term->constant) continue;
            if (term->a >= 0) t->list[term->a].needed = true;
            if (term->b >= 0) t->list[term->b].needed = true;
            if (term->kind != IC_FLOW_FUNCTION || t->list[term->slope].needed) continue;
            t->list[term->slope].needed = true;
            again = again || (size_t)term->slope > i;
        }
    }
}
