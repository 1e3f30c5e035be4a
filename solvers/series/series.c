/* SPDX-License-Identifier: MIT */
#include "solvers/series/series.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum kernel_kind { LINEAR, PRODUCT, QUOTIENT, INTEGRAL, INVERSE, POWER } kernel_kind;

struct ic_series_kernel {
    kernel_kind kind;

    /*
     * Rows of operands. A missing operand has the row of zeros; so has a constant, which is then in
     * gamma.
     */
    int out, a, b;

    /*
     * INTEGRAL and INVERSE: the operation that gives the first coefficient from those of `of` and
     * `with`.
     */
    ic_operation start;
    int of, with;

    /* Factors of LINEAR. INTEGRAL: alpha is sigma. POWER: alpha is the exponent. */
    double alpha, beta, gamma;

    /*
     * POWER: true if the base starts at zero; in IC_SERIES_SQUARED the base is then a_2 s^2 + ...
     */
    bool vanishes;

    /* In IC_SERIES_SQUARED: true if a square root that starts at zero needs a coefficient beyond its own. */
    bool ahead;

    /* POWER: the round from which on it is held; 0: it is not held. */
    int held;
};

/* A base counts as zero if it is below so many rounding errors. */
#define VANISHING 4.0
/* A base of so many units of rounding is resolved: steps that are a part of it change the states. */
#define RESOLVED 256.0

enum {
    /* Rows after those of the states: t, and zeros. */
    FIXED_ROWS = 2,

    /* Greatest number of rows and kernels of one operation. */
    MOST_PARTS = 16,

    /* Integer powers up to this one are computed as products. */
    MOST_PRODUCTS = 64,

    /* Highest coefficient of a row that does not end. */
    ENDLESS = INT_MAX / 2,
};

/* ---- memory */

bool ic_series_open(ic_series *s, size_t n_states, const ic_equations *const *equations, size_t n_equations)
{
    size_t terms = 1, results = 1, rows = 0;
    *s = (ic_series){.n = n_states};
    for (size_t i = 0; i < n_equations; i++) {
        size_t parts = 0;
        for (size_t k = 0; k < equations[i]->n_terms; k++)
            parts += equations[i]->terms[k].operation >= IC_OP_POWER ? MOST_PARTS : 1;
        if (equations[i]->n_terms > terms) terms = equations[i]->n_terms;
        if (equations[i]->n_results > results) results = equations[i]->n_results;
        if (parts > rows) rows = parts;
    }
    s->room = n_states + FIXED_ROWS + rows;
    s->equals = calloc(terms, sizeof *s->equals);
    s->values = calloc(terms, sizeof *s->values);
    s->rows = calloc(terms, sizeof *s->rows);
    s->constant = calloc(terms, sizeof *s->constant);
    s->used = calloc(terms, sizeof *s->used);
    s->sided = calloc(terms, sizeof *s->sided);
    s->settled = calloc(terms, sizeof *s->settled);
    s->leaves = calloc(terms, sizeof *s->leaves);
    s->kinks = calloc(terms, sizeof *s->kinks);
    s->kernels = calloc(s->room, sizeof *s->kernels);
    s->tops = calloc(s->room, sizeof *s->tops);
    s->cosines = calloc(s->room, sizeof *s->cosines);
    s->c = calloc(s->room * IC_SERIES_STRIDE, sizeof *s->c);
    s->errors = calloc(s->room * IC_SERIES_STRIDE, sizeof *s->errors);
    s->results = calloc(results, sizeof *s->results);
    return s->equals != NULL && s->values != NULL && s->rows != NULL && s->constant != NULL &&
           s->used != NULL && s->sided != NULL && s->settled != NULL && s->leaves != NULL && s->kinks != NULL &&
           s->kernels != NULL && s->tops != NULL && s->cosines != NULL && s->c != NULL && s->errors != NULL &&
           s->results != NULL;
}

void ic_series_close(ic_series *s)
{
    free(s->equals);
    free(s->values);
    free(s->rows);
    free(s->constant);
    free(s->used);
    free(s->sided);
    free(s->settled);
    free(s->leaves);
    free(s->kinks);
    free(s->kernels);
    free(s->tops);
    free(s->cosines);
    free(s->c);
    free(s->errors);
    free(s->results);
    *s = (ic_series){.n = 0};
}

/* ---- constants of a phase */

static int operands_of(const ic_equation_term *in, int operands[3])
{
    static const int count[] = {
#define OPERANDS(name, operands_, word) operands_,
        IC_OPERATION_TABLE(OPERANDS)
#undef OPERANDS
    };
    operands[0] = in->a;
    operands[1] = in->b;
    operands[2] = in->c;
    return count[in->operation];
}

static bool is_number(const ic_series *s, int i, double value)
{
    return s->constant[i] && s->values[i] == value;
}

/* A term equals its operand `as`. */
static void take_equal(ic_series *s, int i, int as)
{
    s->equals[i] = as;
    s->constant[i] = s->constant[as];
    s->values[i] = s->values[as];
}

/* A state whose rate is the number 0. */
static bool is_held(const ic_series *s, int state)
{
    const ic_equation_term *rate = &s->equations->terms[s->equations->results[state]];
    return rate->operation == IC_OP_NUMBER && rate->number == 0;
}

/* Number whose sign decides a kink, with its present value. */
static double kink_value(const ic_series *s, const ic_equation_term *in)
{
    const bool differs = in->operation == IC_OP_MIN || in->operation == IC_OP_MAX;
    return differs ? s->values[in->a] - s->values[in->b] : s->values[in->a];
}

/* Replaces a kink by the smooth operation of its side. */
static void take_side(ic_series *s, int i)
{
    const ic_equation_term *in = &s->equations->terms[i];
    const double value = kink_value(s, in);
    const int side = s->settled[i] != 0 ? s->settled[i] : value < 0 ? -1 : 1;
    s->kinks[s->n_kinks++] = (ic_series_kink){i, {-1, value}, side};
    s->sided[i] = true;
    switch (in->operation) {
    case IC_OP_ABS:
        if (side > 0) take_equal(s, i, in->a);
        break;
    case IC_OP_SIGN:
    case IC_OP_STEP:
        s->constant[i] = true;
        s->values[i] = in->operation == IC_OP_SIGN ? side : side > 0;
        break;
    case IC_OP_MIN: take_equal(s, i, side > 0 ? in->b : in->a); break;
    case IC_OP_MAX: take_equal(s, i, side > 0 ? in->a : in->b); break;
    default: take_equal(s, i, side > 0 ? in->b : in->c);
    }
}

static bool is_kink(ic_operation operation)
{
    return operation >= IC_OP_ABS && operation <= IC_OP_CHOOSE;
}

/* Simplifies an operation that is a constant or equals one of its operands. */
static void simplify_operation(ic_series *s, int i)
{
    const ic_equation_term *in = &s->equations->terms[i];
    const int a = in->a, b = in->b;
    switch (in->operation) {
    case IC_OP_ADD:
        if (is_number(s, a, 0)) take_equal(s, i, b);
        else if (is_number(s, b, 0)) take_equal(s, i, a);
        break;
    case IC_OP_SUBTRACT:
        if (is_number(s, b, 0)) take_equal(s, i, a);
        break;
    case IC_OP_MULTIPLY:
        if (is_number(s, a, 0) || is_number(s, b, 1)) take_equal(s, i, a);
        else if (is_number(s, b, 0) || is_number(s, a, 1)) take_equal(s, i, b);
        break;
    case IC_OP_DIVIDE:
        if (is_number(s, a, 0) || is_number(s, b, 1)) take_equal(s, i, a);
        break;
    case IC_OP_POWER:
        if (is_number(s, b, 1)) take_equal(s, i, a);
        break;
    default: break;
    }
}

static void examine_operation(ic_series *s, int i, const ic_equation_input *input)
{
    const ic_equation_term *in = &s->equations->terms[i];
    int operands[3] = {0};
    const int n = operands_of(in, operands);
    s->equals[i] = -1;
    s->values[i] = ic_equation_value(in, s->values, input);
    s->constant[i] = in->operation != IC_OP_TIME && (in->operation != IC_OP_STATE || is_held(s, in->a));
    s->sided[i] = false;
    for (int k = 0; k < n; k++) {
        s->constant[i] = s->constant[i] && s->constant[operands[k]];
        s->sided[i] = s->sided[i] || s->sided[operands[k]];
    }
    if (s->constant[i]) return;
    if (in->operation == IC_OP_CHOOSE && s->constant[in->a])
        take_equal(s, i, s->values[in->a] > 0 ? in->b : in->c);
    else if (is_kink(in->operation)) take_side(s, i);
    else simplify_operation(s, i);
}

/* ---- kernels */

static int add_row(ic_series *s, int top)
{
    s->tops[s->n_rows] = top;
    s->cosines[s->n_rows] = -1;
    return (int)s->n_rows++;
}

static int top_of(const ic_series *s, int row)
{
    return row < 0 ? 0 : s->tops[row];
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

static int add_kernel(ic_series *s, ic_series_kernel k, int top)
{
    const int zeros = (int)s->n + 1;
    if (k.a < 0) k.a = zeros;
    if (k.b < 0) k.b = zeros;
    k.out = add_row(s, top < ENDLESS ? top : ENDLESS);
    s->kernels[s->n_kernels++] = k;
    return k.out;
}

/* alpha a + beta b + gamma */
static int add_linear(ic_series *s, double alpha, int a, double beta, int b, double gamma)
{
    return add_kernel(
        s, (ic_series_kernel){.kind = LINEAR, .a = a, .b = b, .alpha = alpha, .beta = beta, .gamma = gamma},
        most(top_of(s, a), top_of(s, b)));
}

static int add_product(ic_series *s, int a, int b)
{
    return add_kernel(s, (ic_series_kernel){.kind = PRODUCT, .a = a, .b = b}, top_of(s, a) + top_of(s, b));
}

/* gamma/b if a < 0 */
static int add_quotient(ic_series *s, int a, int b, double gamma)
{
    return add_kernel(s, (ic_series_kernel){.kind = QUOTIENT, .a = a, .b = b, .gamma = gamma}, ENDLESS);
}

/*
 * A row whose first coefficient is an operation on that of row `of`, and which is then the integral
 * of sigma b da.
 */
static int add_integral(ic_series *s, ic_operation start, int a, int b, double sigma)
{
    return add_kernel(s,
                      (ic_series_kernel){
                          .kind = INTEGRAL, .a = a, .b = b, .start = start, .of = a, .with = a, .alpha = sigma},
                      ENDLESS);
}

static int add_inverse(ic_series *s, ic_operation start, int of, int with, int a, int b)
{
    return add_kernel(
        s, (ic_series_kernel){.kind = INVERSE, .a = a, .b = b, .start = start, .of = of, .with = with},
        ENDLESS);
}

static int add_power(ic_series *s, ic_operation operation, int a, double exponent)
{
    s->branches = true;
    return add_kernel(
        s, (ic_series_kernel){.kind = POWER, .start = operation, .a = a, .b = -1, .alpha = exponent}, ENDLESS);
}

/* Computes an integer power by repeated squaring. */
static int add_whole_power(ic_series *s, int a, int exponent)
{
    int result = -1, square = a;
    if (exponent == 0) return add_linear(s, 0, -1, 0, -1, 1);
    for (int left = abs(exponent); left > 0; left /= 2) {
        if (left % 2 != 0) result = result < 0 ? square : add_product(s, result, square);
        if (left > 1) square = add_product(s, square, square);
    }
    return exponent < 0 ? add_quotient(s, -1, result, 1) : result;
}

/* The row of sin a, sinh a; that of cos a, cosh a is kept with a. */
static int add_pair(ic_series *s, ic_operation sine, ic_operation cosine, int a, bool first)
{
    /* Both kinds of pairs are rarely needed for one row; the later one is kept. */
    const int known = s->cosines[a];
    if (known >= 0 && s->kernels[known].start == cosine) {
        const int row = s->kernels[known].out;
        return first ? row - 1 : row;
    }
    const int row = add_integral(s, sine, a, (int)s->n_rows + 1, 1);
    s->cosines[a] = (int)s->n_kernels;
    add_integral(s, cosine, a, row, cosine == IC_OP_COS ? -1 : 1);
    return first ? row : row + 1;
}

/* tan a, tanh a: y' = (1 +- y^2) a' */
static int add_tangent(ic_series *s, ic_operation operation, int a)
{
    const int row = add_integral(s, operation, a, (int)s->n_rows + 2, 1);
    add_linear(s, operation == IC_OP_TAN ? 1 : -1, add_product(s, row, row), 0, -1, 1);
    return row;
}

static int add_arc(ic_series *s, ic_operation operation, int a)
{
    const int square = add_product(s, a, a);
    if (operation == IC_OP_ATAN) return add_inverse(s, operation, a, a, a, add_linear(s, 1, square, 0, -1, 1));
    const int root = add_power(s, IC_OP_SQRT, add_linear(s, -1, square, 0, -1, 1), 0.5);
    const int arc = add_inverse(s, IC_OP_ASIN, a, a, a, root);
    return operation == IC_OP_ASIN ? arc : add_linear(s, -1, arc, 0, -1, acos(0));
}

/* y/x: (x y' - y x')/(x^2 + y^2) */
static int add_arc_of_two(ic_series *s, int y, int x)
{
    const int up = add_integral(s, IC_OP_NUMBER, y, x, 1), down = add_integral(s, IC_OP_NUMBER, x, y, 1);
    const int turn = add_linear(s, 1, up, -1, down, 0);
    const int size = add_linear(s, 1, add_product(s, x, x), 1, add_product(s, y, y), 0);
    return add_inverse(s, IC_OP_ATAN2, y, x, turn, size);
}

/* The row of a term; a constant becomes one. */
static int row_of(ic_series *s, ic_series_value term)
{
    return term.row >= 0 ? term.row : add_linear(s, 0, -1, 0, -1, term.value);
}

static int add_sum(ic_series *s, ic_series_value a, ic_series_value b, double sign)
{
    if (a.row >= 0 && b.row >= 0) return add_linear(s, 1, a.row, sign, b.row, 0);
    return a.row >= 0 ? add_linear(s, 1, a.row, 0, -1, sign * b.value)
                      : add_linear(s, sign, b.row, 0, -1, a.value);
}

static ic_series_value term_of(const ic_series *s, int i)
{
    const double value = s->values[i];
    while (s->equals[i] >= 0) i = s->equals[i];
    return (ic_series_value){s->constant[i] ? -1 : s->rows[i], value};
}

static int add_any_power(ic_series *s, int a, double exponent)
{
    const bool whole = exponent == floor(exponent) && fabs(exponent) <= MOST_PRODUCTS;
    return whole ? add_whole_power(s, a, (int)exponent) : add_power(s, IC_OP_POWER, a, exponent);
}

static int add_multiple(ic_series *s, ic_series_value a, ic_series_value b)
{
    if (a.row >= 0 && b.row >= 0) return add_product(s, a.row, b.row);
    return a.row >= 0 ? add_linear(s, b.value, a.row, 0, -1, 0) : add_linear(s, a.value, b.row, 0, -1, 0);
}

/* The row of an operation on rows. */
static int add_operation(ic_series *s, const ic_equation_term *in)
{
    const ic_series_value a = term_of(s, in->a);
    const ic_series_value b = in->b >= 0 ? term_of(s, in->b) : (ic_series_value){-1, 0};
    const ic_operation op = in->operation;
    switch (op) {
    case IC_OP_ADD: return add_sum(s, a, b, 1);
    case IC_OP_SUBTRACT: return add_sum(s, a, b, -1);
    case IC_OP_MULTIPLY: return add_multiple(s, a, b);
    case IC_OP_DIVIDE:
        return b.row >= 0 ? add_quotient(s, a.row, b.row, a.row < 0 ? a.value : 0)
                          : add_linear(s, 1 / b.value, a.row, 0, -1, 0);
    case IC_OP_ABS: /* ABS on the side where its argument is negative. */
    case IC_OP_NEGATE: return add_linear(s, -1, a.row, 0, -1, 0);
    case IC_OP_POWER: return add_any_power(s, a.row, b.value);
    case IC_OP_SQRT: return add_power(s, op, a.row, 0.5);
    case IC_OP_CBRT: return add_power(s, op, a.row, 1.0 / 3);
    case IC_OP_EXP: return add_integral(s, op, a.row, (int)s->n_rows, 1);
    case IC_OP_LOG: return add_inverse(s, op, a.row, a.row, a.row, a.row);
    case IC_OP_SIN:
    case IC_OP_COS: return add_pair(s, IC_OP_SIN, IC_OP_COS, a.row, op == IC_OP_SIN);
    case IC_OP_SINH:
    case IC_OP_COSH: return add_pair(s, IC_OP_SINH, IC_OP_COSH, a.row, op == IC_OP_SINH);
    case IC_OP_TAN:
    case IC_OP_TANH: return add_tangent(s, op, a.row);
    case IC_OP_ASIN:
    case IC_OP_ACOS:
    case IC_OP_ATAN: return add_arc(s, op, a.row);
    default: break;
    }
    const int y = row_of(s, a);
    return add_arc_of_two(s, y, row_of(s, b));
}

/* ---- a phase */

/* Marks the terms on which the results depend, including the arguments of kinks. */
static void mark_used(ic_series *s)
{
    const ic_equations *p = s->equations;
    memset(s->used, 0, p->n_terms * sizeof *s->used);
    for (size_t i = 0; i < p->n_results; i++) s->used[p->results[i]] = true;
    for (int i = (int)p->n_terms - 1; i >= 0; i--) {
        const ic_equation_term *in = &p->terms[i];
        int operands[3] = {0};
        const int n = operands_of(in, operands);
        const bool chooses = in->operation == IC_OP_CHOOSE;
        if (!s->used[i]) continue;
        if (s->equals[i] >= 0) s->used[s->equals[i]] = true;
        for (int k = 0; k < n; k++) {
            /* an operand that is 0 or 1 on the side of a kink counts: the kink may turn */
            const bool may_turn = is_kink(in->operation) ? !(chooses && k > 0) : s->sided[operands[k]];
            if (s->equals[i] < 0 || may_turn) s->used[operands[k]] = true;
        }
    }
    size_t kept = 0;
    for (size_t k = 0; k < s->n_kinks; k++) {
        if (s->used[s->kinks[k].term]) s->kinks[kept++] = s->kinks[k];
    }
    s->n_kinks = kept;
}

static void add_kernels(ic_series *s)
{
    const ic_equations *p = s->equations;
    size_t kink = 0;
    s->n_kernels = s->n_rows = 0;
    s->branches = false;
    for (size_t i = 0; i < s->n; i++) add_row(s, ENDLESS);
    const int time = add_row(s, 2);
    add_row(s, 0);
    for (size_t i = 0; i < p->n_terms; i++) {
        const ic_equation_term *in = &p->terms[i];
        if (s->used[i] && s->equals[i] < 0 && !s->constant[i]) {
            s->rows[i] = in->operation == IC_OP_STATE  ? in->a
                         : in->operation == IC_OP_TIME ? time
                                                       : add_operation(s, in);
        }
        if (kink == s->n_kinks || s->kinks[kink].term != (int)i) continue;
        ic_series_value *argument = &s->kinks[kink++].argument;
        const double value = argument->value;
        *argument = term_of(s, in->a);
        if (in->operation == IC_OP_MIN || in->operation == IC_OP_MAX)
            *argument = (ic_series_value){add_sum(s, *argument, term_of(s, in->b), -1), value};
    }
    for (size_t i = 0; i < p->n_results; i++) s->results[i] = term_of(s, p->results[i]);
}

static void build_kernels(ic_series *s, double t, const double *x)
{
    const ic_equation_input input = {t, x, s->par};
    s->n_kinks = 0;
    for (size_t i = 0; i < s->equations->n_terms; i++) examine_operation(s, (int)i, &input);
    mark_used(s);
    add_kernels(s);
}

void ic_series_begin(ic_series *s, const ic_equations *equations, const double *par, double t, const double *x)
{
    s->equations = equations;
    s->par = par;
    memset(s->settled, 0, equations->n_terms * sizeof *s->settled);
    memset(s->leaves, 0, equations->n_terms * sizeof *s->leaves);
    build_kernels(s, t, x);
}

void ic_series_turn(ic_series *s, size_t kink, double t, const double *x)
{
    for (size_t i = 0; i < s->n_kinks; i++) s->settled[s->kinks[i].term] = s->kinks[i].side;
    s->settled[s->kinks[kink].term] = -s->kinks[kink].side;
    s->leaves[s->kinks[kink].term] = true;
    build_kernels(s, t, x);
}

void ic_series_leave(ic_series *s)
{
    for (size_t i = 0; i < s->n_kinks; i++) s->leaves[s->kinks[i].term] = false;
}

/* ---- coefficients */

static const double index_of[IC_SERIES_STRIDE] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14,
                                                  15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
                                                  30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43};

/* Range of k within [from, to] for which u_k and v_{j-k} may both be nonzero. */
typedef struct span {
    int from, to;
} span;

static span span_of(const ic_series *s, int u, int v, int j, int from, int to)
{
    const int last = s->tops[u], first = j - s->tops[v];
    return (span){first > from ? first : from, last < to ? last : to};
}

/* sum u_k v_{j-k} */
static double sum_products(const double *u, const double *v, int j, span k)
{
    double even = 0, odd = 0;
    int i = k.from;
    for (; i < k.to; i += 2) {
        even += u[i] * v[j - i];
        odd += u[i + 1] * v[j - i - 1];
    }
    if (i == k.to) even += u[i] * v[j - i];
    return even + odd;
}

/* sum k u_k v_{j-k} */
static double sum_weighted(const double *u, const double *v, int j, span k)
{
    double even = 0, odd = 0;
    int i = k.from;
    for (; i < k.to; i += 2) {
        even += index_of[i] * u[i] * v[j - i];
        odd += index_of[i + 1] * u[i + 1] * v[j - i - 1];
    }
    if (i == k.to) even += index_of[i] * u[i] * v[j - i];
    return even + odd;
}

/* Coefficients of a power. Those before `first` are zero; the base begins with a[0]. */
static double power_term(const ic_series_kernel *k, const double *a, const double *y, int j, int first)
{
    const int last = j - first;
    double sum = 0;
    if (last < 0) return 0;
    if (last == 0) return ic_constant_power(a[0], k->alpha);
    for (int i = 1; i <= last; i++) sum += (index_of[i] * k->alpha - index_of[last - i]) * a[i] * y[j - i];
    return sum / (index_of[last] * a[0]);
}

static bool is_held_power(const ic_series *s, const ic_series_kernel *k)
{
    return s->kind == IC_SERIES_HELD && k->held > 0 && k->held <= s->holding;
}

static double coefficient_of_power(const ic_series *s, const ic_series_kernel *k, int j)
{
    const double *a = ic_series_row(s->c, k->a), *y = ic_series_row(s->c, k->out);
    if (is_held_power(s, k)) return 0;
    if (s->kind == IC_SERIES_SQUARED && k->vanishes) return power_term(k, a + 2, y, j, (int)(2 * k->alpha));
    return power_term(k, a, y, j, 0);
}

static double start_value(const ic_series *s, const ic_series_kernel *k)
{
    const double values[] = {ic_series_row(s->c, k->of)[0], ic_series_row(s->c, k->with)[0]};
    const ic_equation_term in = {.operation = k->start, .a = 0, .b = 1, .c = 0};
    return ic_equation_value(&in, values, NULL);
}

static double start_power(const ic_series *s, const ic_series_kernel *k, double a)
{
    if (s->kind == IC_SERIES_SQUARED && k->vanishes) return 0;
    if (k->start == IC_OP_CBRT) return cbrt(a);
    return is_held_power(s, k) && !(a > 0) ? 0 : ic_constant_power(a, k->alpha);
}

static double first_coefficient(const ic_series *s, const ic_series_kernel *k)
{
    const double a = ic_series_row(s->c, k->a)[0], b = ic_series_row(s->c, k->b)[0];
    switch (k->kind) {
    case LINEAR: return k->alpha * a + k->beta * b + k->gamma;
    case PRODUCT: return a * b;
    case QUOTIENT: return (a + k->gamma) / b;
    case INTEGRAL:
    case INVERSE: return start_value(s, k);
    case POWER: return start_power(s, k, a);
    }
    return NAN;
}

static double coefficient(const ic_series *s, const ic_series_kernel *k, int j)
{
    const double *a = ic_series_row(s->c, k->a), *b = ic_series_row(s->c, k->b),
                 *y = ic_series_row(s->c, k->out);
    switch (k->kind) {
    case LINEAR: return k->alpha * a[j] + k->beta * b[j];
    case PRODUCT: return sum_products(a, b, j, span_of(s, k->a, k->b, j, 0, j));
    case QUOTIENT: return (a[j] - sum_products(b, y, j, span_of(s, k->b, k->out, j, 1, j))) / b[0];
    case INTEGRAL: return k->alpha * sum_weighted(a, b, j, span_of(s, k->a, k->b, j, 1, j)) / index_of[j];
    case INVERSE:
        return (a[j] - sum_weighted(y, b, j, span_of(s, k->out, k->b, j, 1, j - 1)) / index_of[j]) / b[0];
    case POWER: return coefficient_of_power(s, k, j);
    }
    return NAN;
}

/* Factor by which a coefficient of the rate gives coefficient j + 1 of a state. */
static double part_of_rate(const ic_series *s, double unit, int j)
{
    return s->kind == IC_SERIES_SQUARED ? 2 * unit / (j + 1) : unit / (j + 1);
}

/* The coefficient of the rate that gives coefficient j + 1 of a state, from `rows`. */
static double rate_for(const ic_series *s, double *rows, size_t i, int j, double constant)
{
    const int of = s->kind == IC_SERIES_SQUARED ? j - 1 : j, row = s->results[i].row;
    if (of < 0) return 0;
    return row >= 0 ? ic_series_row(rows, row)[of] : of == 0 ? constant : 0;
}

/* What one pass through the coefficients computes: coefficient j of a kernel, and j + 1 of a state. */
typedef void kernel_step(ic_series *s, const ic_series_kernel *k, int j);
typedef void state_step(ic_series *s, size_t state, int j, double unit);

/*
 * Coefficient j of sqrt(a) with a = a_2 s^2 + ... needs a_{j+1}: what a consists of is one coefficient ahead.
 * In IC_SERIES_SQUARED the states permit it, because their coefficient j + 1 follows from rates up to j - 1.
 */
static void carry_out(ic_series *s, int order, double unit, kernel_step *kernel, state_step *state)
{
    const bool squared = s->kind == IC_SERIES_SQUARED;
    for (int j = squared ? -1 : 0; j <= order; j++) {
        for (size_t i = 0; i < s->n && squared && j >= 0; i++) state(s, i, j, unit);
        for (const ic_series_kernel *k = s->kernels; k < s->kernels + s->n_kernels; k++) {
            const int of = squared && k->ahead ? j + 1 : j;
            if (of >= 0) kernel(s, k, of);
        }
        for (size_t i = 0; i < s->n && j < order && !squared; i++) state(s, i, j, unit);
    }
}

static void expand_kernel(ic_series *s, const ic_series_kernel *k, int j)
{
    ic_series_row(s->c, k->out)[j] = j == 0 ? first_coefficient(s, k) : coefficient(s, k, j);
}

static void expand_state(ic_series *s, size_t i, int j, double unit)
{
    ic_series_row(s->c, (int)i)[j + 1] =
        part_of_rate(s, unit, j) * rate_for(s, s->c, i, j, s->results[i].value);
}

void ic_series_expand(ic_series *s, int order, double unit, double t, const double *x, ic_series_kind kind)
{
    double *c = s->c, *time = ic_series_row(c, (int)s->n);
    s->kind = kind;
    memset(c, 0, (s->n + 1) * IC_SERIES_STRIDE * sizeof *c);
    for (size_t i = 0; i < s->n; i++) ic_series_row(c, (int)i)[0] = x[i];
    time[0] = t;
    time[kind == IC_SERIES_SQUARED ? 2 : 1] = unit;
    carry_out(s, order, unit, expand_kernel, expand_state);
    for (size_t i = 0; i < s->n; i++) ic_series_row(c, (int)i)[order + 1] = 0;
}

/* Marks the kernels on which a row depends. */
static void look_ahead(ic_series *s, int row)
{
    for (ic_series_kernel *k = s->kernels; k < s->kernels + s->n_kernels; k++) {
        if (k->out != row || k->ahead) continue;
        k->ahead = true;
        look_ahead(s, k->a);
        look_ahead(s, k->b);
    }
}

/* Marks what the square roots that start at zero need. false: one of them needs another. */
static bool look_ahead_of_roots(ic_series *s)
{
    bool apart = true;
    for (ic_series_kernel *k = s->kernels; k < s->kernels + s->n_kernels; k++) k->ahead = false;
    for (const ic_series_kernel *k = s->kernels; k < s->kernels + s->n_kernels; k++) {
        if (k->vanishes && k->alpha < 1) look_ahead(s, k->a);
    }
    for (const ic_series_kernel *k = s->kernels; k < s->kernels + s->n_kernels; k++)
        apart = apart && !(k->ahead && k->vanishes && k->alpha < 1);
    return apart;
}

int ic_series_begins_at_branch(ic_series *s)
{
    int gap = 0;
    for (ic_series_kernel *k = s->kernels; k < s->kernels + s->n_kernels; k++) {
        if (k->kind != POWER) continue;
        k->vanishes =
            fabs(ic_series_row(s->c, k->a)[0]) <= VANISHING * DBL_EPSILON * ic_series_row(s->errors, k->a)[0];
        if (!k->vanishes) continue;
        if (!(k->alpha >= 0.5) || 2 * k->alpha != floor(2 * k->alpha) || k->alpha > MOST_PRODUCTS) return 0;
        /*
         * A rate in s^(2 alpha) gives a speed in s^(2 alpha + 2), which the next integration
         * multiplies. A root is that of a force, and is integrated once more.
         */
        gap = most(gap, (int)(2 * k->alpha) + (k->alpha < 1 ? 4 : 2));
    }
    return look_ahead_of_roots(s) ? gap : 0;
}

double ic_series_branch(const ic_series *s)
{
    double nearest = INFINITY;
    for (const ic_series_kernel *k = s->kernels; k < s->kernels + s->n_kernels; k++) {
        const double *a = ic_series_row(s->c, k->a);
        if (k->kind != POWER || a[1] == 0) continue;
        const double distance = fabs(a[0] / a[1]);
        const bool falls = a[0] * a[1] < 0 && (a[0] > 0 || k->start == IC_OP_CBRT);
        if (distance < fabs(nearest)) nearest = falls ? distance : -distance;
    }
    return nearest;
}

double ic_series_branch_rounding(const ic_series *s)
{
    double farthest = 0;
    for (const ic_series_kernel *k = s->kernels; k < s->kernels + s->n_kernels; k++) {
        const double *a = ic_series_row(s->c, k->a);
        const double rounding = RESOLVED * DBL_EPSILON * ic_series_row(s->errors, k->a)[0];
        if (k->kind == POWER && a[1] != 0 && fabs(a[0]) <= rounding)
            farthest = fmax(farthest, rounding / fabs(a[1]));
    }
    return farthest;
}

bool ic_series_hold(ic_series *s, double within)
{
    bool more = false;
    if (s->holding == 0) {
        for (ic_series_kernel *k = s->kernels; k < s->kernels + s->n_kernels; k++) k->held = 0;
    }
    s->holding++;
    for (ic_series_kernel *k = s->kernels; k < s->kernels + s->n_kernels; k++) {
        const double *a = ic_series_row(s->c, k->a);
        const bool has_series = k->start == IC_OP_CBRT ? a[0] != 0 : a[0] > 0;
        if (k->kind != POWER || k->held > 0 || (has_series && !(fabs(a[0]) < within * fabs(a[1])))) continue;
        k->held = s->holding;
        more = true;
    }
    return more;
}

/* ---- rounding errors: that of each operation, and those that it inherits from its operands */

/* sum |k| (du_k |v_{j-k}| + |u_k| dv_{j-k}), with the weights k if asked for */
static double sum_errors(const ic_series *s, int u, int v, int j, span k, bool weighted)
{
    const double *a = ic_series_row(s->c, u), *b = ic_series_row(s->c, v);
    const double *da = ic_series_row(s->errors, u), *db = ic_series_row(s->errors, v);
    double sum = 0;
    for (int i = k.from; i <= k.to; i++)
        sum += (weighted ? index_of[i] : 1) * (da[i] * fabs(b[j - i]) + fabs(a[i]) * db[j - i]);
    return sum;
}

static double error_of_power(const ic_series *s, const ic_series_kernel *k, int j)
{
    const bool vanishes = s->kind == IC_SERIES_SQUARED && k->vanishes;
    const int shift = vanishes ? 2 : 0, last = vanishes ? j - (int)(2 * k->alpha) : j;
    const double *a = ic_series_row(s->c, k->a) + shift, *y = ic_series_row(s->c, k->out);
    const double *da = ic_series_row(s->errors, k->a) + shift, *dy = ic_series_row(s->errors, k->out);
    double sum = 0;
    if (last < 0 || (is_held_power(s, k) && (j > 0 || !(a[0] > 0)))) return 0;
    if (last == 0) return fabs(k->alpha * y[j] / a[0]) * da[0];
    for (int i = 1; i <= last; i++) {
        const double terms = da[i] * fabs(y[j - i]) + fabs(a[i]) * dy[j - i];
        sum += fabs(index_of[i] * k->alpha - index_of[last - i]) * terms;
    }
    return (sum / index_of[last] + da[0] * fabs(y[j])) / fabs(a[0]);
}

static double first_error(const ic_series *s, const ic_series_kernel *k)
{
    const double a = fabs(ic_series_row(s->c, k->a)[0]), da = ic_series_row(s->errors, k->a)[0];
    const double b = fabs(ic_series_row(s->c, k->b)[0]), db = ic_series_row(s->errors, k->b)[0];
    switch (k->kind) {
    case LINEAR: return fabs(k->alpha) * da + fabs(k->beta) * db + fabs(k->gamma);
    case PRODUCT: return da * b + a * db;
    case QUOTIENT: return (da + fabs(k->gamma) + db * fabs(ic_series_row(s->c, k->out)[0])) / b;
    case INTEGRAL: return fabs(k->alpha) * b * da;
    case INVERSE: return da / b;
    case POWER: return error_of_power(s, k, 0);
    }
    return NAN;
}

static double error_of(const ic_series *s, const ic_series_kernel *k, int j)
{
    const double da = ic_series_row(s->errors, k->a)[j], *db = ic_series_row(s->errors, k->b);
    const double b = fabs(ic_series_row(s->c, k->b)[0]), by_b = db[0] * fabs(ic_series_row(s->c, k->out)[j]);
    switch (k->kind) {
    case LINEAR: return fabs(k->alpha) * da + fabs(k->beta) * db[j];
    case PRODUCT: return sum_errors(s, k->a, k->b, j, span_of(s, k->a, k->b, j, 0, j), false);
    case QUOTIENT:
        return (da + by_b + sum_errors(s, k->b, k->out, j, span_of(s, k->b, k->out, j, 1, j), false)) / b;
    case INTEGRAL:
        return fabs(k->alpha) * sum_errors(s, k->a, k->b, j, span_of(s, k->a, k->b, j, 1, j), true) /
               index_of[j];
    case INVERSE: {
        const double sum = sum_errors(s, k->out, k->b, j, span_of(s, k->out, k->b, j, 1, j - 1), true);
        return (da + by_b + sum / index_of[j]) / b;
    }
    case POWER: return error_of_power(s, k, j);
    }
    return NAN;
}

static void estimate_kernel(ic_series *s, const ic_series_kernel *k, int j)
{
    const double own = fabs(ic_series_row(s->c, k->out)[j]);
    ic_series_row(s->errors, k->out)[j] = own + (j == 0 ? first_error(s, k) : error_of(s, k, j));
}

static void estimate_state(ic_series *s, size_t i, int j, double unit)
{
    ic_series_row(s->errors, (int)i)[j + 1] =
        part_of_rate(s, unit, j) * rate_for(s, s->errors, i, j, 0) + fabs(ic_series_row(s->c, (int)i)[j + 1]);
}

void ic_series_estimate(ic_series *s, int order, double unit, const double *states)
{
    double *e = s->errors, *time = ic_series_row(e, (int)s->n);
    for (size_t i = 0; i < s->n; i++) ic_series_row(e, (int)i)[0] = states[i];
    memset(time, 0, IC_SERIES_STRIDE * sizeof *time);
    time[0] = fabs(ic_series_row(s->c, (int)s->n)[0]);
    carry_out(s, order, unit, estimate_kernel, estimate_state);
}
