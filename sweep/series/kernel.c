/* SPDX-License-Identifier: MIT */
/*
 * The kernel of the method "series": carries a program out for the lanes of a vector
 * (sweep/series/lanes.h has the method). Compiled once for each width, with IC_VECTOR_BYTES and
 * IC_KERNEL_SYMBOL (tools/ImpactcheckRooms.cmake).
 */
#include "core/equations.h"
#include "solvers/series/hidden.h"
#include "sweep/functions.h"
#include "sweep/series/lanes.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/*
 * Terms whose fall limits a step, and the factor by which earlier ones may exceed the powers of the
 * tolerance.
 */
enum { LAST_TERMS = 6 };
#define EARLIER_EXCESS_LOG2 2.0
/* Longest step in units of the one before. */
#define LONGEST 0x1p20
/* A number is at zero if it is below so many roundings of its terms. */
#define ROUNDINGS 64.0
/* The same at an event, whose place has been rounded too. */
#define EVENT_ROUNDINGS 4096.0
/* Least part of its coefficients that the first one of a guard which leaves zero may be. */
#define CLEAR_DEPARTURE 1e-6
/* A step from a branch point of a power is at most this part of the distance from it. */
#define BRANCH_LENGTHS 4.0
/* Parts of a step in which a guard is examined: the shortest, and how many at most. */
#define SHORTEST_PART 0x1p-10
enum { MOST_PARTS = 64 };
/*
 * Halley's iteration leaves an error of (p''/2p' step)^2 of a step, and of step^3: it has converged when that is rounding.
 * Bisection alone comes as far in so many iterations.
 */
#define LAST_ERROR (0.25 * DBL_EPSILON)
enum { MOST_ITERATIONS = 64 };
/* Rows of S, S^3, ..., S^7. */
enum { ROOT_ROWS = 4 };
/* Parts in which extremes of outputs are searched. */
enum { LEAST_NODES = 4 };
/*
 * Places of a step, in its parts, at which the flow is compared with the series where a kernel may hide a term;
 * the greatest difference times the step, in tolerances, which are above the rounding errors of both; how often a
 * step is halved.
 */
static const double defect_places[] = {0.38, 0.76, 1};
#define MOST_DEFECT 20.0
#define LEAST_TOLERANCE (2 * DBL_EPSILON)
enum { MOST_HALVINGS = 60 };

typedef struct summand {
    const vec *row, *factor;
} summand;

/** A kernel of the tape with its rows and numbers. */
typedef struct operation {
    ic_tape_kind kind;
    vec *out;
    const vec *a, *b, *alpha, *inverse;
    const summand *first, *last;

    /* The highest coefficients of a and b that are not zero. */
    int top_a, top_b;
} operation;

typedef struct group {
    const ic_lanes_program *program;
    const ic_tape *tape;
    ic_lane *lanes[LANES];
    mask running;
    int order;

    /* log2 of rtol^(1/order) */
    double part_log2;

    size_t n_guards;

    /* Distance of two rows. */
    size_t stride;

    void *memory;

    operation *operations;
    summand *summands;

    /* coefficients of rows */
    vec *rows;

    /* of the tape */
    vec *numbers;

    /* by row: size of the terms of its value */
    vec *sizes;

    /* by kernel: 1/b_0 or 1/a_0 */
    vec *inverse;

    /* Numbers by kind. */
    vec *factors, *alpha, *gamma, *results, *root_rates;

    /* Whether lanes are followed in S. Its row, after those of the tape, and before those of S^3, S^5, ... */
    bool has_root;
    int root;

    /* Inverse of the typical time, 1/s. */
    vec time_weight;

    /* By guard: side, order of the zero that it leaves. By state: scale. */
    vec *side, *left, *scale;

    /* By guard: side before the step. By state and guard: inverse of its size. */
    vec *side_before, *weight;

    /* of the length of the step */
    vec *powers;

    /* in parts of the step */
    vec *guard;

    /* Of a lane, if kernels may hide terms: its tape, with its numbers, its coefficients, and their memory. */
    ic_series_hidden hidden;
    ic_tape lane_tape;
    double *of_lane;

    /* Time and its rounding error, end of the phase, width of an instant, next sample, unit of the series. */
    vec time, rest, stop, tie, sample, unit;

    /* Sine and cosine of a row's value. */
    int angle;
    vec sine, cosine;
} group;

static ALWAYS_INLINE vec *row_of(const group *g, int row)
{
    return g->rows + (size_t)row * g->stride;
}

/* ---- coefficients */

static int greater(int a, int b)
{
    return a > b ? a : b;
}

static int lesser(int a, int b)
{
    return a < b ? a : b;
}

/* The highest coefficient of a row that is not zero. In the variable of S the time has them all. */
static ALWAYS_INLINE int top_of(const group *g, int row)
{
    const int top = g->tape->tops[row];
    return g->has_root && top > 0 ? IC_TAPE_ENDLESS : top;
}

/* sum of u_k v_{j-k}, from <= k <= to */
static ALWAYS_INLINE vec sum_products(const vec *u, const vec *v, int j, int from, int to)
{
    vec even = all(0), odd = all(0);
    int k = from;
    for (; k < to; k += 2) {
        even = fused(u[k], v[j - k], even);
        odd = fused(u[k + 1], v[j - k - 1], odd);
    }
    if (k == to) even = fused(u[k], v[j - k], even);
    return even + odd;
}

/* sum of k u_k v_{j-k} */
static ALWAYS_INLINE vec sum_weighted(const vec *u, const vec *v, int j, int from, int to)
{
    vec even = all(0), odd = all(0);
    int k = from;
    for (; k < to; k += 2) {
        even = fused((double)k * u[k], v[j - k], even);
        odd = fused((double)(k + 1) * u[k + 1], v[j - k - 1], odd);
    }
    if (k == to) even = fused((double)k * u[k], v[j - k], even);
    return even + odd;
}

static ALWAYS_INLINE vec add_summands(const operation *o, int j)
{
    const summand *e = o->first;
    if (e == o->last) return all(0);
    vec sum = *e->factor * e->row[j];
    for (e++; e < o->last; e++) sum = fused(*e->factor, e->row[j], sum);
    return sum;
}

/* Sine and cosine are those of the vectors; other functions those of the C library, lane by lane. */
static vec start_value(group *g, const ic_tape_kernel *k)
{
    const vec of = row_of(g, k->of)[0], with = row_of(g, k->with)[0];
    vec y = all(0);
    if (k->start == IC_OP_SIN || k->start == IC_OP_COS) {
        if (g->angle != k->of) sine_and_cosine(of, &g->sine, &g->cosine);
        g->angle = k->of;
        return k->start == IC_OP_SIN ? g->sine : g->cosine;
    }
    for (int l = 0; l < LANES; l++) y[l] = g->running[l] != 0 ? ic_tape_start(k, of[l], with[l]) : 0;
    return y;
}

static vec start_power(const group *g, const ic_tape_kernel *k, vec a, vec exponent)
{
    vec y = all(0);
    for (int l = 0; l < LANES; l++) {
        if (g->running[l] == 0) continue;
        y[l] = k->start == IC_OP_CBRT ? cbrt(a[l]) : ic_constant_power(a[l], exponent[l]);
    }
    return y;
}

/* Coefficient 0 of a kernel, and the size of the terms of which it consists. */
static vec first_coefficient(group *g, const operation *o)
{
    const size_t i = (size_t)(o - g->operations);
    const ic_tape_kernel *k = &g->tape->kernels[i];
    const vec a = row_of(g, k->a)[0], b = row_of(g, k->b)[0], da = g->sizes[k->a], db = g->sizes[k->b];
    vec y, size;
    switch (k->kind) {
    case IC_TAPE_SUM:
        y = add_summands(o, 0) + g->gamma[i];
        size = modulus(g->gamma[i]);
        for (int e = 0; e < k->count; e++)
            size += modulus(g->factors[k->first + e]) * g->sizes[g->tape->entries[k->first + e].row];
        break;
    case IC_TAPE_PRODUCT:
    case IC_TAPE_SQUARE:
        y = a * b;
        size = da * modulus(b) + modulus(a) * db;
        break;
    case IC_TAPE_QUOTIENT:
        g->inverse[i] = 1 / b;
        y = (a + g->gamma[i]) / b;
        size = (da + modulus(g->gamma[i]) + db * modulus(y)) * modulus(g->inverse[i]);
        break;
    case IC_TAPE_INTEGRAL:
        y = start_value(g, k);
        size = modulus(g->alpha[i] * b) * da;
        break;
    case IC_TAPE_INVERSE:
        g->inverse[i] = 1 / b;
        y = start_value(g, k);
        size = da * modulus(g->inverse[i]);
        break;
    case IC_TAPE_POWER:
        g->inverse[i] = 1 / a;
        y = start_power(g, k, a, g->alpha[i]);
        size = modulus(g->alpha[i] * y * g->inverse[i]) * da;
        break;
    default: return all(NAN);
    }
    g->sizes[k->out] = size + modulus(y);
    return y;
}

static ALWAYS_INLINE vec coefficient(const operation *o, int j)
{
    const vec *a = o->a, *b = o->b, *y = o->out;
    switch (o->kind) {
    case IC_TAPE_SUM: return add_summands(o, j);
    case IC_TAPE_PRODUCT: return sum_products(a, b, j, greater(0, j - o->top_b), lesser(j, o->top_a));
    case IC_TAPE_SQUARE: {
        const vec half = sum_products(a, a, j, greater(0, j - o->top_a), (j - 1) / 2);
        return j % 2 == 0 ? fused(a[j / 2], a[j / 2], 2 * half) : 2 * half;
    }
    case IC_TAPE_QUOTIENT: return (a[j] - sum_products(b, y, j, 1, lesser(j, o->top_b))) * *o->inverse;
    case IC_TAPE_INTEGRAL:
        return *o->alpha * (1.0 / j) * sum_weighted(a, b, j, greater(1, j - o->top_b), lesser(j, o->top_a));
    case IC_TAPE_INVERSE: {
        const vec sum = sum_weighted(y, b, j, greater(1, j - o->top_b), j - 1);
        return (a[j] - (1.0 / j) * sum) * *o->inverse;
    }
    case IC_TAPE_POWER: {
        const int to = lesser(j, o->top_a);
        const vec sum =
            (*o->alpha + 1) * sum_weighted(a, y, j, 1, to) - (double)j * sum_products(a, y, j, 1, to);
        return sum * (*o->inverse * (1.0 / j));
    }
    }
    return all(NAN);
}

/* Coefficient j of d^(m/2) = S^m. */
static void expand_root_power(group *g, const operation *o, int j)
{
    const size_t i = (size_t)(o - g->operations);
    const ic_tape_kernel *k = &g->tape->kernels[i];
    const int halves = (int)(2 * k->alpha);
    const vec *base = row_of(g, k->a);
    vec *root_row = row_of(g, g->root);
    if (j == 0) { /* S_0; a contact may begin within the error of its event before d = 0 */
        const vec error = EVENT_ROUNDINGS * DBL_EPSILON * g->sizes[k->a];
        root_row[0] = root(choose((base[0] < 0) & (base[0] >= -error), all(0), base[0]));
        g->sizes[g->root] = root(g->sizes[k->a]);
    }
    int from = g->root;
    for (int m = 3; m <= halves; m += 2, from++)
        row_of(g, from + 1)[j] = sum_products(base, row_of(g, from), j, 0, j);
    row_of(g, k->out)[j] = row_of(g, from)[j];
    if (j == 0)
        g->sizes[k->out] = modulus(g->alpha[i] * root_row[0]) * g->sizes[k->a] + modulus(row_of(g, k->out)[0]);
}

static ALWAYS_INLINE void expand_operation(group *g, const operation *o, int j)
{
    if (o->kind == IC_TAPE_POWER && g->has_root) expand_root_power(g, o, j);
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): open_group has filled in every operation
    else o->out[j] = j == 0 ? first_coefficient(g, o) : coefficient(o, j);
}

/* Coefficient j + 1 of S, of the time and of the states. */
static void expand_root_states(group *g, int j)
{
    const ic_lanes_root *base = &g->program->root;
    const vec part = g->unit * (1.0 / (j + 1)), *s = row_of(g, g->root);
    vec rate = j == 0 ? g->root_rates[base->n_rates] : all(0);
    for (int i = 0; i < base->n_rates; i++)
        rate = fused(g->root_rates[i], row_of(g, base->rates[i].row)[j], rate);
    row_of(g, g->root)[j + 1] = 0.5 * part * rate;
    row_of(g, (int)g->tape->n)[j + 1] = part * s[j];
    for (size_t i = 0; i < g->tape->n; i++) {
        const int row = g->tape->results[i].row;
        const vec sum = row >= 0 ? sum_products(s, row_of(g, row), j, 0, j) : g->results[i] * s[j];
        row_of(g, (int)i)[j + 1] = part * sum;
    }
}

static ALWAYS_INLINE void expand_states(group *g, int j)
{
    if (g->has_root) {
        expand_root_states(g, j);
        return;
    }
    const vec part = g->unit * (1.0 / (j + 1));
    for (size_t i = 0; i < g->tape->n; i++) {
        const int row = g->tape->results[i].row;
        row_of(g, (int)i)[j + 1] = part * (row >= 0 ? row_of(g, row)[j] : j == 0 ? g->results[i] : all(0));
    }
}

/* Coefficients of all rows, from the states, which are coefficients 0. */
static void expand(group *g)
{
    const ic_tape *tape = g->tape;
    const operation *flow_end = g->operations + tape->n_flow, *end = g->operations + tape->n_kernels;
    vec *time = row_of(g, (int)tape->n);
    g->angle = -1;
    time[0] = g->time;
    time[1] = g->unit;
    for (size_t i = 0; i < tape->n; i++) g->sizes[i] = g->scale[i] + modulus(row_of(g, (int)i)[0]);
    g->sizes[tape->n] = modulus(g->time);
    for (int j = 0; j <= g->order; j++) {
        for (const operation *o = g->operations; o < flow_end; o++) expand_operation(g, o, j);
        expand_states(g, j);
    }
    for (int j = 0; j <= g->order; j++) {
        for (const operation *o = flow_end; o < end; o++) expand_operation(g, o, j);
    }
}

/* ---- length of a step */

/* ||z_j|| */
static ALWAYS_INLINE vec norm_of(const group *g, const vec *weight, int j)
{
    vec norm = all(DBL_MIN), sum = all(0);
    for (size_t i = 0; i < g->tape->n + g->n_guards; i++) {
        const int row = i < g->tape->n ? (int)i : g->tape->results[i].row;
        if (row < 0) continue;
        const vec term = row_of(g, row)[j];
        norm = most(modulus(term) * weight[i], norm);
        sum += 0 * term;
    }
    if (g->has_root) {
        const vec root_term = row_of(g, g->root)[j] / g->sizes[g->root];
        norm = most(modulus(root_term), norm);
        norm = most(modulus(row_of(g, (int)g->tape->n)[j]) * g->time_weight, norm);
        sum += 0 * root_term;
    }
    return norm + sum; /* NAN if a term is not finite */
}

/* Length of the step in units; NAN where it is not known. */
static vec step_length(const group *g)
{
    const int p = g->order, first = p / 2;
    vec *weight = g->weight, length = all(log2(LONGEST)), defined = all(0);
    for (size_t i = 0; i < g->tape->n + g->n_guards; i++) {
        const int row = i < g->tape->n ? (int)i : g->tape->results[i].row;
        const vec size = row < 0 ? all(1) : g->sizes[row];
        weight[i] = choose(size > 0, 1 / size, all(0));
    }
    for (int j = first; j <= p; j++) {
        const vec norm = norm_of(g, weight, j);
        const double excess = j > p - LAST_TERMS ? 0 : EARLIER_EXCESS_LOG2;
        defined += 0 * norm;
        length = least(g->part_log2 + (excess - rough_log2(norm)) * (1.0 / j), length);
    }
    return rough_exp2(length) + defined;
}

/* ---- polynomials in parts of the step */

/* a(u), a'(u) and a''(u)/2 */
static ALWAYS_INLINE vec expand_at(const vec *a, int degree, vec u, vec *slope, vec *half_bend)
{
    vec value = a[degree], first = all(0), second = all(0);
    for (int j = degree - 1; j >= 0; j--) {
        second = fused(second, u, first);
        first = fused(first, u, value);
        value = fused(value, u, a[j]);
    }
    *slope = first;
    *half_bend = second;
    return value;
}

/* a''(u)/2 */
static ALWAYS_INLINE vec half_bend_at(const vec *a, int degree, vec u)
{
    vec second = all(0);
    for (int j = degree; j >= 2; j--) second = fused(second, u, (0.5 * j * (j - 1)) * a[j]);
    return second;
}

/* The zero between low and high, where the signs differ and the slope has none. */
static vec find_zero(const vec *a, int degree, vec low, vec high, vec at_low, vec at_high, mask moving)
{
    vec u = low + (high - low) * (at_low / (at_low - at_high));
    for (int k = 0; k < MOST_ITERATIONS && any(moving); k++) {
        vec slope, half_bend;
        const vec value = expand_at(a, degree, u, &slope, &half_bend);
        const mask before = value * at_low > 0;
        low = choose(before, u, low);
        high = choose(before, high, u);
        const vec step = value * slope / (slope * slope - value * half_bend), turn = half_bend * step / slope;
        vec next = u - step;
        /* beside an extreme between two zeros that are near to each other, steps are short and lead to the extreme */
        const mask leads = modulus(value * half_bend) <= slope * slope;
        const mask trusted = (next >= low) & (next <= high) & leads;
        next = choose(trusted, next, 0.5 * (low + high));
        const vec moved = modulus(next - u);
        const mask ends =
            (moved <= LAST_ERROR) | (trusted & (moved * (turn * turn + moved * moved) <= LAST_ERROR));
        u = choose(moving, next, u);
        moving &= ~ends;
    }
    return u;
}

/* Time that passes up to s. */
static ALWAYS_INLINE vec time_up_to(const group *g, vec s)
{
    if (!g->has_root) return s * g->unit;
    const vec *t = row_of(g, (int)g->tape->n);
    return s * value_at(t + 1, g->order - 1, s);
}

/* ---- terms that a series hides */

/* sum_{j >= 1} |c_j| length^j */
static vec variation(const group *g, int row)
{
    const vec *c = row_of(g, row);
    vec sum = all(0);
    for (int j = 1; j <= g->order; j++) sum = fused(modulus(c[j]), g->powers[j], sum);
    return sum;
}

/* Lanes in which the argument of a kernel varies enough to hide a term. */
static mask may_hide(const group *g, const ic_tape_kernel *k)
{
    const int b = k->kind == IC_TAPE_SQUARE ? k->a : k->b;
    const vec first_a = modulus(row_of(g, k->a)[0]), first_b = modulus(row_of(g, b)[0]);
    if (k->kind == IC_TAPE_INTEGRAL || k->kind == IC_TAPE_INVERSE)
        return ~(variation(g, k->of) <= IC_HIDDEN_CLEAR);
    if (k->kind == IC_TAPE_QUOTIENT) return ~(variation(g, b) <= IC_HIDDEN_CLEAR_PART * first_b);
    if (k->kind == IC_TAPE_POWER) {
        const vec alpha = g->alpha[k - g->tape->kernels], by = most(modulus(alpha), all(1));
        if (g->has_root) return none();
        const mask great = ~((alpha > 0) & (alpha < IC_HIDDEN_GREAT_EXPONENT));
        return great & ~(variation(g, k->a) * by <= IC_HIDDEN_CLEAR_PART * first_a);
    }
    const vec rough = (first_a + variation(g, k->a)) * (first_b + variation(g, b));
    return ~(IC_HIDDEN_SHOWN * rough <= modulus(row_of(g, k->out)[0]) + variation(g, k->out));
}

/* Copies the numbers and coefficients of a lane. */
static void copy_lane(group *g, int l)
{
    const ic_tape *tape = &g->lane_tape;
    const size_t n_rows = tape->n_rows + g->has_root;
    double *c = g->of_lane, *weights = c + (tape->n_rows + 1) * IC_SERIES_STRIDE;
    for (size_t row = 0; row < n_rows; row++) {
        for (int j = 0; j <= g->order; j++) c[row * IC_SERIES_STRIDE + (size_t)j] = row_of(g, (int)row)[j][l];
    }
    for (size_t i = 0; i < tape->n_entries; i++) tape->entries[i].factor = g->factors[i][l];
    for (size_t i = 0; i < tape->n_kernels; i++)
        tape->kernels[i].alpha = g->alpha[i][l], tape->kernels[i].gamma = g->gamma[i][l];
    for (size_t i = 0; i < tape->n_results; i++) weights[i] = g->weight[i][l];
    g->hidden = (ic_series_hidden){tape, c, g->order, weights, weights + tape->n_results, false, {0}};
}

/* A copied row at s, and its slope. */
static double copied_at(const group *g, size_t row, double s, double *slope)
{
    const double *c = g->of_lane + row * IC_SERIES_STRIDE;
    double sum = *slope = 0;
    for (int j = g->order; j >= 0; j--) {
        *slope = *slope * s + sum;
        sum = sum * s + c[j];
    }
    return sum;
}

/* The difference between flow and rate of the copied lane at s, times the step. */
static double defect_at(const group *g, int l, double s)
{
    const size_t n = g->tape->n;
    double x[IC_MAX_STATES], slope[IC_MAX_STATES + 1], rate[IC_MAX_STATES], worst = 0, unit = g->unit[l];
    for (size_t i = 0; i < n; i++) x[i] = copied_at(g, i, s, &slope[i]);
    if (g->has_root) unit *= copied_at(g, (size_t)g->root, s, &slope[n]);
    ic_phase_flow(g->lanes[l]->phase, rate, g->time[l] + time_up_to(g, all(s))[l], x);
    for (size_t i = 0; i < n; i++) {
        const double defect = fabs(rate[i] * unit - slope[i]) * s * g->hidden.weights[i];
        if (!(defect <= worst)) worst = defect; /* or it is not a number */
    }
    return worst;
}

/* The length of a step of lane l that hides nothing. */
static double shown_length(group *g, int l, double length)
{
    const double tolerance = fmax(g->program->rtol, LEAST_TOLERANCE);
    copy_lane(g, l);
    for (int k = 0; k < MOST_HALVINGS; k++, length /= 2) {
        bool shown = ic_series_hides(&g->hidden, length, time_up_to(g, all(length))[l]) <= tolerance;
        for (size_t i = 0; shown && i < sizeof defect_places / sizeof *defect_places; i++)
            shown = defect_at(g, l, defect_places[i] * length) <= MOST_DEFECT * tolerance;
        if (shown) break;
    }
    return length;
}

static void take_powers(group *g, vec length)
{
    g->powers[0] = all(1);
    for (int j = 1; j <= g->order; j++) g->powers[j] = g->powers[j - 1] * length;
}

/* Shortens steps that hide terms. */
static vec length_of_shown(group *g, vec length)
{
    const ic_tape *tape = g->tape;
    mask hides = none();
    if (!tape->hides) return length;
    for (size_t i = 0; i < tape->n_kernels; i++) {
        if (tape->kernels[i].hides) hides |= may_hide(g, &tape->kernels[i]);
    }
    hides &= g->running & (length > 0);
    if (!any(hides)) return length;
    for (int l = 0; l < LANES; l++) {
        if (hides[l] != 0) length[l] = shown_length(g, l, length[l]);
    }
    take_powers(g, length);
    return length;
}

/* ---- events of a step */

typedef struct step {
    mask active;

    /* Length of the series in units, and the part of it at which the step ends. */
    vec length, end;

    /* the guard that fires, or -1 */
    vec fired;

    /* the part of the length at which it does so */
    vec at;

    /* the time that has passed */
    vec when;

    mask undecided;
} step;

/* Leaves active lanes to the solver. */
static ALWAYS_INLINE void leave(step *p, mask where)
{
    p->undecided |= where & p->active;
}

/* Coefficients of a row in parts of the step. */
static ALWAYS_INLINE void scale_row(const group *g, int row, vec *a)
{
    const vec *c = row_of(g, row);
    for (int j = 0; j <= g->order; j++) a[j] = c[j] * g->powers[j];
}

static void evaluate_states(const group *g, vec s, int l, double *x);

/* Whether a conditional guard is enabled at u. */
static mask enabled_at(const group *g, const step *p, size_t i, vec u, mask where)
{
    const vec when = time_up_to(g, u * p->length);
    const ic_guard *guard = &g->program->mode->guards[i];
    if (guard->enabled == NULL) return where;
    for (int l = 0; l < LANES; l++) {
        double x[IC_MAX_STATES];
        if (where[l] == 0) continue;
        const ic_phase *phase = g->lanes[l]->phase;
        evaluate_states(g, u * p->length, l, x);
        if (!ic_phase_enabled(phase, i, g->time[l] + when[l], x)) where[l] = 0;
    }
    return where;
}

/*
 * Finds where guard i, a polynomial from which the zero that it leaves is divided out, fires first; sets its
 * side.
 */
static void search_guard(group *g, step *p, size_t i, const vec *a, int degree, mask where)
{
    const int direction = g->program->mode->guards[i].direction;
    vec low = all(0), high = p->end, at_low = a[0], third = all(0), side = g->side[i], fires_at = all(INFINITY);
    for (int j = degree; j >= 3; j--) third += (double)(j * (j - 1) * (j - 2)) * modulus(a[j]);
    for (int k = 0; k < MOST_PARTS && any(where); k++) {
        const vec width = high - low, at_high = value_at(a, degree, high);
        const vec bend = modulus(2 * half_bend_at(a, degree, 0.5 * (low + high))) + 0.5 * width * third;
        const vec bound = bend * width * width;
        const mask monotone = modulus(at_high - at_low) > 0.5 * bound;
        const mask same = (side * at_low > 0) & (side * at_high > 0);
        const mask clear = where & same & (monotone | (8 * least(side * at_low, side * at_high) > bound));
        const mask crosses = where & ~same & monotone & (side * at_low > 0) & (at_high != 0);
        mask fires = direction == 0 ? crosses : crosses & (side == -(double)direction);
        if (any(fires)) {
            const vec u = find_zero(a, degree, low, high, at_low, at_high, fires);
            fires = enabled_at(g, p, i, u, fires);
            fires_at = choose(fires, u, fires_at);
        }
        side = choose(crosses & ~fires, -side, side);
        const mask onward = clear | (crosses & ~fires), ends = onward & (high >= p->end);
        where &= ~fires & ~ends;
        const mask halved = where & ~onward, lost = halved & (width < SHORTEST_PART);
        leave(p, lost);
        where &= ~lost;
        low = choose(onward, high, low);
        at_low = choose(onward, at_high, at_low);
        high = choose(halved, 0.5 * (low + high), least(high + 2 * width, p->end));
    }
    leave(p, where); /* too many parts */
    g->side[i] = side;
    const mask some = fires_at < INFINITY;
    if (!any(some)) return;
    /* the first of two; they are left to the solver if they may be simultaneous */
    const vec when = time_up_to(g, fires_at * p->length);
    leave(p, some & (modulus(when - p->when) <= g->tie));
    const mask first = some & (when < p->when);
    p->fired = choose(first, all((double)i), p->fired);
    p->at = choose(first, fires_at, p->at);
    p->when = choose(first, when, p->when);
}

/* Decides guard i in the active lanes. */
static void examine_guard(group *g, step *p, size_t i)
{
    const ic_series_value *result = &g->tape->results[g->tape->n + i];
    vec *a = g->guard, sum = all(0);
    int degree = g->order;
    if (result->row < 0) { /* a constant does not cross zero; the solver handles one that is zero */
        leave(p, p->active & ~(g->results[g->tape->n + i] * g->side[i] > 0));
        return;
    }
    const int root_side = g->has_root ? g->program->root.sides[i] : 0;
    scale_row(g, root_side != 0 ? g->root : result->row, a);
    for (int j = 0; root_side < 0 && j <= degree; j++) a[j] = -a[j];
    const mask fresh = g->left[i] == 0;
    for (int j = 1; j <= degree; j++) sum += modulus(a[j]);
    mask searched = p->active & ~(fresh & (g->side[i] * a[0] > sum));
    if (!any(searched)) return;
    const vec rounding = ROUNDINGS * DBL_EPSILON * g->sizes[root_side != 0 ? g->root : result->row];
    leave(p, searched & fresh & ~(g->side[i] * a[0] > rounding));
    if (any(searched & ~fresh)) { /* the zero that it leaves is divided out */
        for (int order = 1; order <= 2; order++) {
            const mask leaves = g->left[i] >= (double)order;
            for (int j = 0; j < degree; j++) a[j] = choose(leaves, a[j + 1], a[j]);
            a[degree] = choose(leaves, all(0), a[degree]);
        }
        const vec least_value = most(CLEAR_DEPARTURE * sum, rounding);
        leave(p, searched & ~fresh & ~(g->side[i] * a[0] > least_value));
    }
    searched &= ~p->undecided;
    if (any(searched)) search_guard(g, p, i, a, degree, searched);
    if (root_side != 0) leave(p, searched & (g->side[i] != g->side_before[i])); /* beyond the end of S */
}

/* Lanes in which a kink may turn, or a power is near a branch point, are left to the solver. */
static void examine_singularities(group *g, step *p)
{
    const ic_tape *tape = g->tape;
    vec *a = g->guard;
    for (size_t i = 0; i < tape->n_kinks; i++) {
        const int row = tape->kinks[i].argument.row;
        if (row < 0 || (g->has_root && g->program->root.kinks[i] == tape->kinks[i].side)) continue;
        vec sum = all(0);
        scale_row(g, row, a);
        for (int j = 1; j <= g->order; j++) sum += modulus(a[j]);
        const vec rounding = ROUNDINGS * DBL_EPSILON * g->sizes[row];
        leave(p, p->active & ~((double)tape->kinks[i].side * a[0] > sum + rounding));
    }
    for (size_t i = 0; i < tape->n_kernels && tape->branches && !g->has_root; i++) {
        if (tape->kernels[i].kind != IC_TAPE_POWER) continue;
        const vec *base = row_of(g, tape->kernels[i].a);
        const mask negative = tape->kernels[i].start == IC_OP_CBRT ? none() : base[0] <= 0;
        const mask near = ~(modulus(base[0]) > BRANCH_LENGTHS * p->length * modulus(base[1]));
        leave(p, p->active & (negative | near));
    }
}

/* ---- the end of a step */

static void evaluate_states(const group *g, vec s, int l, double *x)
{
    for (size_t i = 0; i < g->tape->n; i++) {
        const vec *c = row_of(g, (int)i);
        double sum = 0;
        for (int j = g->order; j >= 0; j--) sum = sum * s[l] + c[j][l];
        x[i] = sum;
    }
}

/** The series of a lane, for its log, up to `length`. */
typedef struct lane_series {
    const group *g;
    int l;
    double length;
} lane_series;

/* s after a time, which grows with s. */
static double place_of(const lane_series *at, double since)
{
    const vec *t = row_of(at->g, (int)at->g->tape->n);
    double low = 0, high = at->length, s = high;
    for (int k = 0; k < MOST_ITERATIONS; k++) {
        double sum = 0, slope = 0;
        for (int j = at->g->order; j >= 1; j--) {
            slope = slope * s + j * t[j][at->l];
            sum = sum * s + t[j][at->l];
        }
        const double lacks = sum * s - since;
        if (lacks > 0) high = s;
        else low = s;
        double next = s - lacks / slope;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (fabs(next - s) <= DBL_EPSILON * s) break;
        s = next;
    }
    return s;
}

static void interpolate(void *self, double t, double *x)
{
    const lane_series *at = self;
    const group *g = at->g;
    const double since = fmax(t - g->time[at->l] - g->rest[at->l], 0);
    evaluate_states(g, all(g->has_root ? place_of(at, since) : since / g->unit[at->l]), at->l, x);
}

/* Logs a step of lane l up to a time. */
static ic_status observe(group *g, int l, double length, double until)
{
    const ic_phase *phase = g->lanes[l]->phase;
    lane_series series = {g, l, length};
    const ic_status status =
        ic_phase_observe(phase, g->time[l], until, LEAST_NODES + g->order / 2, interpolate, &series);
    g->sample[l] = ic_phase_next_sample(phase);
    return status;
}

/* Puts lane l back into its phase, as it is. */
static void store_lane(group *g, int l, ic_lane_outcome outcome)
{
    ic_lane *lane = g->lanes[l];
    ic_phase *phase = lane->phase;
    for (size_t i = 0; i < g->tape->n; i++) phase->x[i] = row_of(g, (int)i)[0][l];
    for (size_t i = 0; i < g->n_guards; i++) {
        phase->arming[i] = (ic_arming){.side = (int)g->side[i][l], .order = (int)g->left[i][l]};
        phase->due[i] = phase->fired == (int)i;
    }
    phase->t = lane->landed = g->time[l];
    lane->rest = g->rest[l];
    lane->unit = g->unit[l];
    lane->outcome = outcome;
    g->running[l] = 0;
}

/* Moves the decided lanes to an event, to the end of the phase, or to the end of the step. */
static void move_lanes(group *g, step *p, mask stops)
{
    const mask moves = p->active & ~p->undecided;
    const mask event = moves & (p->fired >= 0);
    const vec u = choose(event, p->at, p->end), s = u * p->length;
    const mask at_stop = moves & stops & ~event;
    /* compensated sum of times */
    const vec passed = time_up_to(g, s), sum = g->time + passed, part = sum - g->time;
    const vec error = (g->time - (sum - part)) + (passed - part) + g->rest;
    vec time = sum + error, rest = error - (time - sum);
    time = choose(at_stop, g->stop, time);
    rest = choose(at_stop, all(0), rest);
    for (int l = 0; l < LANES; l++) {
        if (moves[l] == 0 || g->lanes[l] == NULL) continue;
        ic_phase *phase = g->lanes[l]->phase;
        phase->work->steps++;
        phase->work->flow_calls += g->order;
        if (!(time[l] < g->sample[l]) && observe(g, l, s[l], time[l]) != IC_OK) {
            p->undecided[l] = -1;
            store_lane(g, l, IC_LANE_FAILED);
        }
    }
    for (size_t i = 0; i < g->tape->n; i++) {
        vec *row = row_of(g, (int)i);
        row[0] = choose(moves, value_at(row, g->order, s), row[0]);
    }
    g->time = choose(moves, time, g->time);
    g->rest = choose(moves, rest, g->rest);
    g->unit = choose(moves & ~event & ~stops, p->length * g->unit, g->unit);
    for (size_t i = 0; i < g->n_guards; i++) g->left[i] = choose(moves & ~event, all(0), g->left[i]);
    for (int l = 0; l < LANES; l++) {
        if (g->running[l] == 0 || g->lanes[l] == NULL) continue;
        g->lanes[l]->phase->fired = event[l] != 0 ? (int)p->fired[l] : -1;
        if (p->undecided[l] != 0) store_lane(g, l, IC_LANE_LEFT);
        else if (event[l] != 0 || at_stop[l] != 0) store_lane(g, l, IC_LANE_ARRIVED);
    }
}

/* The part of the step at which a time has passed, before p->end. */
static vec place_of_stop(group *g, const step *p, vec time, mask where)
{
    scale_row(g, (int)g->tape->n, g->guard);
    g->guard[0] = -time;
    return find_zero(g->guard, g->order, all(0), p->end, -time, value_at(g->guard, g->order, p->end), where);
}

static void take_step(group *g)
{
    step p = {.active = g->running,
              .undecided = none(),
              .fired = all(-1),
              .at = all(INFINITY),
              .when = all(INFINITY)};
    expand(g);
    p.length = step_length(g);
    const vec left = g->stop - g->time - g->rest;
    mask stops = time_up_to(g, p.length) >= left;
    if (!g->has_root) p.length = choose(stops, left / g->unit, p.length);
    take_powers(g, p.length);
    const vec shown = length_of_shown(g, p.length), whole = time_up_to(g, shown);
    stops &= (shown >= p.length) | (whole >= left);
    p.length = shown;
    p.end = all(1);
    /* not finite; or too short to change the time */
    const vec shortest = 2 * DBL_EPSILON * modulus(g->time);
    leave(&p, ~(stops | (g->has_root ? p.length > 0 : whole > shortest)));
    if (g->has_root && any(stops & p.active))
        p.end = choose(stops, place_of_stop(g, &p, left, stops & p.active), p.end);
    for (size_t i = 0; i < g->n_guards; i++) g->side_before[i] = g->side[i];
    if (g->tape->n_kinks > 0 || g->tape->branches) examine_singularities(g, &p);
    for (size_t i = 0; i < g->n_guards; i++) examine_guard(g, &p, i);
    const mask late = p.active & (p.fired >= 0) & (p.when > left);
    if (g->has_root && any(late)) { /* S, and with it time, turns beyond its zero: the stop comes first */
        for (size_t i = 0; i < g->n_guards; i++) leave(&p, late & (g->side[i] != g->side_before[i]));
        p.end = choose(late, p.at, p.end);
        p.end = choose(late, place_of_stop(g, &p, left, late), p.end);
        p.fired = choose(late, all(-1), p.fired);
        stops |= late;
    }
    for (size_t i = 0; i < g->n_guards; i++)
        g->side[i] = choose(p.undecided | (p.fired >= 0), g->side_before[i], g->side[i]);
    move_lanes(g, &p, stops);
}

/* ---- lanes in vectors */

static void load_lane(group *g, ic_lane *lane, int l)
{
    const ic_phase *phase = lane->phase;
    g->lanes[l] = lane;
    for (size_t i = 0; i < g->program->n_numbers; i++) g->numbers[i][l] = lane->numbers[i];
    for (size_t i = 0; i < g->tape->n; i++) {
        row_of(g, (int)i)[0][l] = phase->x[i];
        g->scale[i][l] = phase->scale[i];
    }
    for (size_t i = 0; i < g->n_guards; i++) {
        const ic_arming arming = phase->arming[i];
        g->side[i][l] = arming.side;
        g->left[i][l] = arming.order > 2 ? 2 : arming.order;
    }
    g->time[l] = phase->t;
    g->rest[l] = phase->t == lane->landed ? lane->rest : 0;
    g->stop[l] = phase->t_stop;
    g->tie[l] = ic_phase_instant_width(phase);
    g->unit[l] = lane->unit;
    g->time_weight[l] = 1 / phase->time_scale;
    g->sample[l] = ic_phase_next_sample(phase);
    g->running[l] = -1;
}

static vec *part_of(vec **memory, size_t n)
{
    vec *part = *memory;
    *memory += n;
    return part;
}

/* Memory for copy_lane, and the numbers of a tape that are the same in all lanes. */
static bool open_copy(group *g)
{
    ic_tape *tape = &g->lane_tape;
    *tape = *g->tape;
    g->of_lane = calloc((tape->n_rows + 1) * (IC_SERIES_STRIDE + 1) + tape->n_results, sizeof *g->of_lane);
    tape->entries = malloc((tape->n_entries + 1) * sizeof *tape->entries);
    tape->kernels = malloc((tape->n_kernels + 1) * sizeof *tape->kernels);
    if (g->of_lane == NULL || tape->entries == NULL || tape->kernels == NULL) return false;
    memcpy(tape->entries, g->tape->entries, tape->n_entries * sizeof *tape->entries);
    memcpy(tape->kernels, g->tape->kernels, tape->n_kernels * sizeof *tape->kernels);
    return true;
}

static bool open_group(group *g, const ic_lanes_program *program)
{
    const ic_tape *tape = &program->tape;
    const size_t n_results = tape->equations->n_results, n_guards = n_results - tape->n;
    const size_t stride = (size_t)program->order + 2;
    const size_t n_rows = tape->n_rows + (program->root.used ? ROOT_ROWS : 0);
    const size_t total = n_rows * stride + program->n_numbers + n_rows + tape->n_kernels + 4 * n_guards +
                         2 * tape->n + 2 * stride;
    memset(g, 0, sizeof *g);
    g->program = program;
    g->tape = tape;
    g->order = program->order;
    g->part_log2 = log2(program->rtol) / program->order;
    g->n_guards = n_guards;
    g->stride = stride;
    g->memory = calloc(total + 1, sizeof(vec));
    g->operations = calloc(tape->n_kernels + 1, sizeof *g->operations);
    g->summands = calloc(tape->n_entries + 1, sizeof *g->summands);
    if (g->memory == NULL || g->operations == NULL || g->summands == NULL || (tape->hides && !open_copy(g)))
        return false;
    vec *memory = (vec *)(void *)((char *)g->memory + -(uintptr_t)g->memory % IC_VECTOR_BYTES);
    g->rows = part_of(&memory, n_rows * stride);
    g->factors = g->numbers = part_of(&memory, program->n_numbers);
    g->alpha = g->factors + tape->n_entries;
    g->gamma = g->alpha + tape->n_kernels;
    g->results = g->gamma + tape->n_kernels;
    g->root_rates = g->results + n_results;
    g->has_root = program->root.used;
    g->root = (int)tape->n_rows;
    g->sizes = part_of(&memory, n_rows);
    g->inverse = part_of(&memory, tape->n_kernels);
    g->side = part_of(&memory, n_guards);
    g->left = part_of(&memory, n_guards);
    g->scale = part_of(&memory, tape->n);
    g->side_before = part_of(&memory, n_guards);
    g->weight = part_of(&memory, n_results);
    g->powers = part_of(&memory, stride);
    g->guard = part_of(&memory, stride);
    g->unit = all(1);
    for (size_t i = 0; i < tape->n_entries; i++)
        g->summands[i] = (summand){row_of(g, tape->entries[i].row), &g->factors[i]};
    for (size_t i = 0; i < tape->n_kernels; i++) {
        const ic_tape_kernel *k = &tape->kernels[i];
        g->operations[i] = (operation){.kind = k->kind,
                                       .out = row_of(g, k->out),
                                       .a = row_of(g, k->a),
                                       .b = row_of(g, k->b),
                                       .alpha = &g->alpha[i],
                                       .inverse = &g->inverse[i],
                                       .first = g->summands + k->first,
                                       .last = g->summands + k->first + k->count,
                                       .top_a = top_of(g, k->a),
                                       .top_b = top_of(g, k->b)};
    }
    return true;
}

static void close_group(group *g)
{
    free(g->memory);
    free(g->operations);
    free(g->summands);
    free(g->of_lane);
    free(g->lane_tape.entries);
    free(g->lane_tape.kernels);
}

/* Gives back the lanes that do not run any more, and fills their places. Returns the number of lanes. */
static int exchange_lanes(group *g, const ic_lane_queue *queue)
{
    int n = 0;
    for (int l = 0; l < LANES; l++) {
        if (g->running[l] == 0) {
            ic_lane *lane = g->lanes[l] != NULL ? queue->give(queue->self, g->lanes[l]) : NULL;
            if (lane == NULL) lane = queue->take(queue->self);
            g->lanes[l] = NULL;
            if (lane != NULL) load_lane(g, lane, l);
        }
        n += g->running[l] != 0;
    }
    return n;
}

static bool follow_lanes(const ic_lanes_program *program, const ic_lane_queue *queue)
{
    group g;
    if (!open_group(&g, program)) {
        close_group(&g);
        return false;
    }
    for (int n = exchange_lanes(&g, queue); n > 0; n = exchange_lanes(&g, queue)) {
        if (n < LANES && queue->yields(queue->self, n)) break;
        take_step(&g);
    }
    for (int l = 0; l < LANES; l++) {
        if (g.lanes[l] == NULL || g.running[l] == 0) continue;
        store_lane(&g, l, IC_LANE_WAITS);
        queue->give(queue->self, g.lanes[l]);
    }
    close_group(&g);
    return true;
}

const ic_lanes_kernel IC_KERNEL_SYMBOL = {IC_KERNEL_NAME, LANES, follow_lanes, vectors_run_here};
