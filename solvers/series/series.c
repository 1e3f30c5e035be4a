/* SPDX-License-Identifier: MIT */
#include "solvers/series/series.h"
#include "core/pair.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A base counts as zero if it is below so many rounding errors. */
#define VANISHING 4.0
/* A base of so many units of rounding is resolved: steps that are a part of it change the states. */
#define RESOLVED 256.0

/* Greatest exponent of a base that starts at zero. */
#define MOST_EXPONENT 64.0

/* Form of a kernel and of its operands, most frequent ones first. */
typedef enum ready_form {
    READY_PRODUCT,
    READY_SUM_OF_FOUR,
    READY_SUM_OF_TWO,
    READY_SUM_OF_THREE,
    READY_SQUARE,
    READY_SUM,
    READY_MULTIPLE,
    READY_PAIR,
    READY_SECOND_OF_PAIR,
    READY_INTEGRAL,
    READY_INTEGRAL_OF_LINE,
    READY_QUOTIENT,
    READY_INVERSE,
    READY_POWER,
    READY_OTHER,
} ready_form;

/* A kernel made ready: with addresses, and the form of its operands. */
struct ic_series_ready {
    ready_form form;
    double *y;
    const double *a, *b;

    /* QUOTIENT, INVERSE: 1/b_0, POWER: 1/a_0; others: that of the kernel */
    double alpha;

    const ic_tape_kernel *kernel;

    /* SUM: its entries. */
    const ic_series_entry *entries, *end;
};

/* ---- memory */

/* Places all arrays in a block; returns its size. Few of their elements are used, which make_all_ready sets. */
static size_t place_arrays(ic_series *s, char *block, size_t n_states, size_t room)
{
    size_t used = 0;
#define PLACE(array, n) s->array = ic_tape_place(block, &used, n, sizeof *s->array)
    PLACE(marks, room);
    PLACE(ready, room);
    PLACE(entries, room * IC_TAPE_ENTRIES);
    PLACE(moving, n_states + 1);
    PLACE(c, room * IC_SERIES_STRIDE);
    PLACE(errors, room * IC_SERIES_STRIDE);
#undef PLACE
    return used;
}

bool ic_series_open(ic_series *s, size_t n_states, size_t room)
{
    *s = (ic_series){.holding = 0};
    s->marks = malloc(place_arrays(s, NULL, n_states, room));
    if (s->marks == NULL) return false;
    place_arrays(s, (char *)s->marks, n_states, room);
    memset(s->marks, 0, room * sizeof *s->marks);
    return true;
}

void ic_series_close(ic_series *s)
{
    free(s->marks); /* all arrays */
    *s = (ic_series){.holding = 0};
}

static ic_series_mark *mark_of(const ic_series *s, const ic_tape_kernel *k)
{
    return &s->marks[k - s->tape->kernels];
}

/* ---- coefficients */

static const double index_of[IC_SERIES_STRIDE] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14,
                                                  15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
                                                  30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43};

/* Range of k within [from, to] for which u_k and v_{j-k} may both be nonzero. */
typedef struct span {
    int from, to;
} span;

/*
 * Highest coefficient of a row that is not zero; a polynomial in t has twice the degree in the root of time.
 */
static inline int top_of(const ic_series *s, int row)
{
    return s->tape->tops[row] * (s->kind == IC_SERIES_SQUARED ? 2 : 1);
}

static inline span span_of(const ic_series *s, int u, int v, int j, int from, int to)
{
    const int last = top_of(s, u), first = j - top_of(s, v);
    return (span){first > from ? first : from, last < to ? last : to};
}

/* Sums of products. Those with the newest coefficients come last: a vector waits for a number that was just written. */
/* a[0] and a[-1] */
static inline ic_pair load_back(const double *a)
{
    const ic_pair two = ic_pair_at(a - 1);
    return (ic_pair){two[1], two[0]};
}

/* sum u_k v_{j-k} */
static inline double sum_products(const double *u, const double *v, int j, span k)
{
    const int last = k.to < j ? k.to : j - 1;
    ic_pair low = {0, 0}, high = {0, 0};
    int i = k.from > 1 ? k.from : 1;
    for (; i + 3 <= last; i += 4) {
        low += ic_pair_at(u + i) * load_back(v + j - i);
        high += ic_pair_at(u + i + 2) * load_back(v + j - i - 2);
    }
    low += high;
    double sum = low[0] + low[1];
    for (; i <= last; i++) sum += u[i] * v[j - i];
    if (k.from <= 0 && k.to >= 0) sum += u[0] * v[j];
    if (k.to >= j && k.from <= j && j > 0) sum += u[j] * v[0];
    return sum;
}

/* sum u_k u_{j-k}: twice the products with k < j - k, and the square in the middle */
static inline double sum_squares(const double *u, int j, int top)
{
    ic_pair low = {0, 0}, high = {0, 0};
    int i = j - top > 1 ? j - top : 1;
    for (; 2 * (i + 3) < j; i += 4) {
        low += ic_pair_at(u + i) * load_back(u + j - i);
        high += ic_pair_at(u + i + 2) * load_back(u + j - i - 2);
    }
    low += high;
    double half = low[0] + low[1];
    for (; 2 * i < j; i++) half += u[i] * u[j - i];
    if (j <= top) half += u[0] * u[j];
    return j % 2 == 0 ? 2 * half + u[j / 2] * u[j / 2] : 2 * half;
}

static inline double sum_entries(const ic_series *s, const ic_tape_kernel *k, int j)
{
    const ic_tape_entry *e = s->tape->entries + k->first, *end = e + k->count;
    double sum = 0;
    for (; e < end; e++) sum += e->factor * ic_series_row(s->c, e->row)[j];
    return sum;
}

/* sum k u_k v_{j-k}, from k = 1 on */
static inline double sum_weighted(const double *u, const double *v, int j, span k)
{
    const int last = k.to < j ? k.to : j - 1;
    ic_pair low = {0, 0}, high = {0, 0};
    int i = k.from;
    for (; i + 3 <= last; i += 4) {
        low += ic_pair_at(index_of + i) * ic_pair_at(u + i) * load_back(v + j - i);
        high += ic_pair_at(index_of + i + 2) * ic_pair_at(u + i + 2) * load_back(v + j - i - 2);
    }
    low += high;
    double sum = low[0] + low[1];
    for (; i <= last; i++) sum += index_of[i] * u[i] * v[j - i];
    return k.to >= j && k.from <= j ? sum + index_of[j] * u[j] * v[0] : sum;
}

/* Coefficient j of a power, 0 before `first`. The base begins with a[0], and `inverse` is 1/((j - first) a[0]). */
static double power_term(const ic_tape_kernel *k, const double *a, const double *y, int j, int first,
                         double inverse)
{
    const int last = j - first;
    ic_pair low = {0, 0}, high = {0, 0};
    if (last < 0) return 0;
    if (last == 0) return ic_constant_power(a[0], k->alpha);
    const ic_pair exponent = {k->alpha, k->alpha}, end = {last, last};
    int i = 1;
    for (; i + 3 < last; i += 4) {
        const ic_pair p = ic_pair_at(index_of + i), q = ic_pair_at(index_of + i + 2);
        low += (p * exponent - (end - p)) * ic_pair_at(a + i) * load_back(y + j - i);
        high += (q * exponent - (end - q)) * ic_pair_at(a + i + 2) * load_back(y + j - i - 2);
    }
    low += high;
    double sum = low[0] + low[1];
    for (; i <= last; i++) sum += (index_of[i] * k->alpha - index_of[last - i]) * a[i] * y[j - i];
    return sum * inverse;
}

static bool is_held_power(const ic_series *s, const ic_tape_kernel *k)
{
    return s->kind == IC_SERIES_HELD && mark_of(s, k)->held > 0 && mark_of(s, k)->held <= s->holding;
}

static double coefficient_of_power(const ic_series *s, const ic_tape_kernel *k, int j)
{
    const double *a = ic_series_row(s->c, k->a), *y = ic_series_row(s->c, k->out);
    if (is_held_power(s, k)) return 0;
    if (s->kind == IC_SERIES_SQUARED && mark_of(s, k)->vanishes)
        return power_term(k, a + 2, y, j, (int)(2 * k->alpha), 1 / ((j - 2 * k->alpha) * a[2]));
    return power_term(k, a, y, j, 0, 1 / (j * a[0]));
}

static double start_power(const ic_series *s, const ic_tape_kernel *k, double a)
{
    if (s->kind == IC_SERIES_SQUARED && mark_of(s, k)->vanishes) return 0;
    if (k->start == IC_OP_CBRT) return cbrt(a);
    return is_held_power(s, k) && !(a > 0) ? 0 : ic_constant_power(a, k->alpha);
}

static double first_coefficient(const ic_series *s, const ic_tape_kernel *k)
{
    const double a = ic_series_row(s->c, k->a)[0], b = ic_series_row(s->c, k->b)[0];
    switch (k->kind) {
    case IC_TAPE_SUM: return sum_entries(s, k, 0) + k->gamma;
    case IC_TAPE_PRODUCT:
    case IC_TAPE_SQUARE: return a * b;
    case IC_TAPE_QUOTIENT: return (a + k->gamma) / b;
    case IC_TAPE_INTEGRAL:
    case IC_TAPE_INVERSE:
        return ic_tape_start(k, ic_series_row(s->c, k->of)[0], ic_series_row(s->c, k->with)[0]);
    case IC_TAPE_POWER: return start_power(s, k, a);
    }
    return NAN;
}

static inline double coefficient(const ic_series *s, const ic_tape_kernel *k, int j)
{
    const double *a = ic_series_row(s->c, k->a), *b = ic_series_row(s->c, k->b),
                 *y = ic_series_row(s->c, k->out);
    switch (k->kind) {
    case IC_TAPE_SUM: return sum_entries(s, k, j);
    case IC_TAPE_PRODUCT: return sum_products(a, b, j, span_of(s, k->a, k->b, j, 0, j));
    case IC_TAPE_SQUARE: return sum_squares(a, j, top_of(s, k->a));
    case IC_TAPE_QUOTIENT: return (a[j] - sum_products(b, y, j, span_of(s, k->b, k->out, j, 1, j))) / b[0];
    case IC_TAPE_INTEGRAL:
        return k->alpha * sum_weighted(a, b, j, span_of(s, k->a, k->b, j, 1, j)) / index_of[j];
    case IC_TAPE_INVERSE:
        return (a[j] - sum_weighted(y, b, j, span_of(s, k->out, k->b, j, 1, j - 1)) / index_of[j]) / b[0];
    case IC_TAPE_POWER: return coefficient_of_power(s, k, j);
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
    const int of = s->kind == IC_SERIES_SQUARED ? j - 1 : j, row = s->tape->results[i].row;
    if (of < 0) return 0;
    return row >= 0 ? ic_series_row(rows, row)[of] : of == 0 ? constant : 0;
}

/* carry_out calls them for coefficient j of a kernel, and for coefficient j + 1 of a state. */
typedef void kernel_step(ic_series *s, const ic_tape_kernel *k, int j);
typedef void state_step(ic_series *s, size_t state, int j, double unit);

/*
 * Coefficient j of sqrt(a) with a = a_2 s^2 + ... needs a_{j+1}: what a consists of is one coefficient ahead.
 * In IC_SERIES_SQUARED the states permit it, because their coefficient j + 1 follows from rates up to j - 1.
 */
static inline void carry_out(ic_series *s, int order, double unit, kernel_step *kernel, state_step *state)
{
    const bool squared = s->kind == IC_SERIES_SQUARED;
    for (int j = squared ? -1 : 0; j <= order; j++) {
        for (size_t i = 0; i < s->tape->n && squared && j >= 0; i++) state(s, i, j, unit);
        for (const ic_tape_kernel *k = s->tape->kernels; k < s->tape->kernels + s->tape->n_kernels; k++) {
            const int of = squared && mark_of(s, k)->ahead ? j + 1 : j;
            if (of >= 0) kernel(s, k, of);
        }
        for (size_t i = 0; i < s->tape->n && j < order && !squared; i++) state(s, i, j, unit);
    }
}

static void expand_kernel(ic_series *s, const ic_tape_kernel *k, int j)
{
    ic_series_row(s->c, k->out)[j] = j == 0 ? first_coefficient(s, k) : coefficient(s, k, j);
}

static void expand_state(ic_series *s, size_t i, int j, double unit)
{
    ic_series_row(s->c, (int)i)[j + 1] =
        part_of_rate(s, unit, j) * rate_for(s, s->c, i, j, s->tape->results[i].value);
}

/* ---- kernels made ready */

/* sum u_k v_{-k} over 0 <= k < n */
static inline double sum_turned(const double *u, const double *v, int n)
{
    ic_pair low = {0, 0}, high = {0, 0};
    for (; n >= 4; n -= 4, u += 4, v -= 4) {
        low += ic_pair_at(u) * load_back(v);
        high += ic_pair_at(u + 2) * load_back(v - 2);
    }
    low += high;
    double sum = low[0] + low[1];
    if (n >= 2) {
        sum += u[0] * v[0] + u[1] * v[-1];
        n -= 2, u += 2, v -= 2;
    }
    return n > 0 ? sum + u[0] * v[0] : sum;
}

static inline double ready_square(const ic_series_ready *r, int j)
{
    const double *a = r->a, half = sum_turned(a + 1, a + j - 1, (j - 1) / 2) + a[0] * a[j];
    return j % 2 == 0 ? 2 * half + a[j / 2] * a[j / 2] : 2 * half;
}

/* sin a, cos a or sinh a, cosh a, two kernels in a row: the terms k a_k serve both */
static inline double ready_pair(const ic_series_ready *r, int j, double part)
{
    const double *const a = r->a, *const sine = r->y, *const cosine = r->b;
    ic_pair of_sine = {0, 0}, of_cosine = {0, 0};
    int i = 1;
    for (; i + 1 < j; i += 2) {
        const ic_pair rate = ic_pair_at(index_of + i) * ic_pair_at(a + i);
        of_sine += rate * load_back(cosine + j - i);
        of_cosine += rate * load_back(sine + j - i);
    }
    double first = of_sine[0] + of_sine[1], second = of_cosine[0] + of_cosine[1];
    for (; i <= j; i++) {
        const double rate = index_of[i] * a[i];
        first += rate * cosine[j - i];
        second += rate * sine[j - i];
    }
    r[1].y[j] = r[1].alpha * second * part;
    return first * part;
}

static inline double ready_sum_of_two(const ic_series_entry *e, int j)
{
    return e[0].factor * e[0].row[j] + e[1].factor * e[1].row[j];
}

static inline double ready_sum(const ic_series_ready *r, int j)
{
    double sum = 0;
    for (const ic_series_entry *e = r->entries; e < r->end; e++) sum += e->factor * e->row[j];
    return sum;
}

/* Whether two kernels are the sine and the cosine of one row. */
static bool is_pair(const ic_tape_kernel *sine, const ic_tape_kernel *cosine)
{
    return sine->kind == IC_TAPE_INTEGRAL && cosine->kind == IC_TAPE_INTEGRAL && sine->alpha == 1 &&
           sine->a == cosine->a && sine->b == cosine->out && cosine->b == sine->out;
}

static ready_form form_of(const ic_tape *tape, const ic_tape_kernel *k)
{
    static const ready_form sums[] = {READY_SUM, READY_MULTIPLE, READY_SUM_OF_TWO, READY_SUM_OF_THREE,
                                      READY_SUM_OF_FOUR};
    const int *tops = tape->tops;
    const bool endless = tops[k->a] == IC_TAPE_ENDLESS && tops[k->b] == IC_TAPE_ENDLESS;
    if (k->kind == IC_TAPE_SUM) return k->count <= 4 ? sums[k->count] : READY_SUM;
    if (k->kind == IC_TAPE_PRODUCT && endless) return READY_PRODUCT;
    if (k->kind == IC_TAPE_SQUARE && endless) return READY_SQUARE;
    if (k->kind == IC_TAPE_QUOTIENT && tops[k->b] == IC_TAPE_ENDLESS) return READY_QUOTIENT;
    if (k->kind == IC_TAPE_INVERSE && tops[k->b] == IC_TAPE_ENDLESS) return READY_INVERSE;
    if (k->kind == IC_TAPE_POWER) return READY_POWER;
    if (k->kind == IC_TAPE_INTEGRAL && tops[k->a] == 1) return READY_INTEGRAL_OF_LINE;
    if (k->kind != IC_TAPE_INTEGRAL || !endless) return READY_OTHER;
    if (k + 1 < tape->kernels + tape->n_kernels && is_pair(k, k + 1)) return READY_PAIR;
    return k > tape->kernels && is_pair(k - 1, k) ? READY_SECOND_OF_PAIR : READY_INTEGRAL;
}

static void make_ready(ic_series *s, ic_series_ready *r, const ic_tape_kernel *k)
{
    *r = (ic_series_ready){.form = form_of(s->tape, k),
                           .alpha = k->alpha,
                           .kernel = k,
                           .y = ic_series_row(s->c, k->out),
                           .a = ic_series_row(s->c, k->a),
                           .b = ic_series_row(s->c, k->b),
                           .entries = s->entries + k->first,
                           .end = s->entries + k->first + k->count};
}

/* Makes the kernels of a tape that has changed ready, and lists the states that are not at rest. */
static void make_all_ready(ic_series *s)
{
    const ic_tape *tape = s->tape;
    if (s->ready_for == tape && s->version == tape->version) return;
    s->ready_for = tape;
    s->version = tape->version;
    s->n_moving = 0;
    for (size_t i = 0; i < tape->n_entries; i++) {
        const ic_tape_entry *e = &tape->entries[i];
        s->entries[i] = (ic_series_entry){ic_series_row(s->c, e->row), e->factor};
    }
    /* what stays zero: beyond the degrees of polynomials, and of states whose rates are constants */
    const size_t first = tape->n_rows - tape->n_kernels;
    memset(s->c, 0, first * IC_SERIES_STRIDE * sizeof *s->c);
    memset(s->errors, 0, first * IC_SERIES_STRIDE * sizeof *s->errors);
    for (size_t i = first; i < tape->n_rows; i++) {
        if (tape->tops[i] != IC_TAPE_ENDLESS)
            memset(ic_series_row(s->c, (int)i), 0, IC_SERIES_STRIDE * sizeof *s->c);
    }
    for (size_t i = 0; i < tape->n_kernels; i++) make_ready(s, &s->ready[i], &tape->kernels[i]);
    for (size_t i = 0; i < tape->n; i++) {
        const int row = tape->results[i].row;
        if (row < 0) continue;
        s->moving[s->n_moving++] =
            (ic_series_state){(int)i, ic_series_row(s->c, (int)i), ic_series_row(s->c, row)};
    }
}

/* In place, behind branches that the processor foresees; where kernels are many, it does not foresee calls. */
__attribute__((always_inline)) static inline double
coefficient_of_ready(const ic_series *s, const ic_series_ready *r, int j, double part)
{
    const ic_series_entry *e = r->entries;
    const double *a = r->a, *b = r->b, *y = r->y;
    switch (r->form) {
    case READY_PRODUCT: return sum_turned(a + 1, b + j - 1, j - 1) + (a[0] * b[j] + a[j] * b[0]);
    case READY_SUM_OF_FOUR: return ready_sum_of_two(e, j) + ready_sum_of_two(e + 2, j);
    case READY_SUM_OF_TWO: return ready_sum_of_two(e, j);
    case READY_SUM_OF_THREE: return ready_sum_of_two(e, j) + e[2].factor * e[2].row[j];
    case READY_SQUARE: return ready_square(r, j);
    case READY_SUM: return ready_sum(r, j);
    case READY_MULTIPLE: return e->factor * e->row[j];
    case READY_PAIR: return ready_pair(r, j, part);
    case READY_SECOND_OF_PAIR: return y[j];
    case READY_INTEGRAL: return r->alpha * sum_weighted(a, b, j, (span){1, j}) * part;
    /* sin a, cos a of a = a_0 + a_1 s */
    case READY_INTEGRAL_OF_LINE: return r->alpha * (a[1] * b[j - 1]) * part;
    case READY_QUOTIENT: return (a[j] - (sum_turned(b + 1, y + j - 1, j - 1) + b[j] * y[0])) * r->alpha;
    case READY_INVERSE: return (a[j] - sum_weighted(y, b, j, (span){1, j - 1}) * part) * r->alpha;
    case READY_POWER:
        return is_held_power(s, r->kernel) ? 0 : power_term(r->kernel, a, y, j, 0, r->alpha * part);
    case READY_OTHER: return coefficient(s, r->kernel, j);
    }
    __builtin_unreachable();
}

/* Begins with a line of the cache (64 bytes): elsewhere all coefficients together take up to a tenth longer. */
__attribute__((noinline, aligned(64))) static void expand_ready(const ic_series *s, const ic_series_ready *from,
                                                                const ic_series_ready *to, int j)
{
    const double part = 1.0 / j; /* what each coefficient waits for has no division */
    for (const ic_series_ready *r = from; r < to; r++) r->y[j] = coefficient_of_ready(s, r, j, part);
}

/* Whether a kernel and the next one, before `end`, are the sine and the cosine of one number: computed together. */
static inline bool is_circle(const ic_series_ready *r, const ic_series_ready *end)
{
    const bool pair = r->form == READY_PAIR || (r->form == READY_INTEGRAL_OF_LINE && r + 1 < end);
    return pair && r->kernel->start == IC_OP_SIN && r[1].kernel->start == IC_OP_COS &&
           r->kernel->of == r[1].kernel->of;
}

/* Coefficients 0 of kernels, one after the other. */
static inline void start_ready(const ic_series *s, ic_series_ready *from, const ic_series_ready *to)
{
    for (ic_series_ready *r = from; r < to; r++) {
        if (r->form == READY_QUOTIENT || r->form == READY_INVERSE) r->alpha = 1 / r->b[0];
        if (r->form == READY_POWER) r->alpha = 1 / r->a[0];
        if (is_circle(r, to)) {
            const double a = ic_series_row(s->c, r->kernel->of)[0];
            r[0].y[0] = sin(a);
            r[1].y[0] = cos(a);
            r++;
        } else {
            r->y[0] = first_coefficient(s, r->kernel);
        }
    }
}

__attribute__((noinline)) /* its registers are its own */
/* Coefficients of the states and of the kernels on which they depend, one after the other. */
static void
expand_flow(ic_series *s, int order, double unit)
{
    const ic_tape *tape = s->tape;
    ic_series_ready *const first = s->ready + tape->n_time, *const end = s->ready + tape->n_flow;
    const ic_series_state *const moving = s->moving, *const stop = moving + s->n_moving;
    double *const c = s->c;
    for (size_t i = 0; i < tape->n; i++) {
        if (tape->results[i].row < 0) ic_series_row(c, (int)i)[1] = unit * tape->results[i].value;
    }
    start_ready(s, first, end);
    for (int j = 1; j <= order; j++) {
        const double part = unit / j;
        for (const ic_series_state *m = moving; m < stop; m++) m->y[j] = part * m->rate[j - 1];
        expand_ready(s, first, end, j);
    }
    /* sums of powers are taken four at a time */
    for (const ic_series_state *m = moving; m < stop; m++) memset(m->y + order + 1, 0, 3 * sizeof *m->y);
}

/* All coefficients of a sum, in vectors; those of a polynomial stay zero beyond its degree. */
static void expand_sum(const ic_series *s, const ic_series_ready *r, int order)
{
    const int top = s->tape->tops[r->kernel->out], last = top < order ? top : order;
    for (int j = 0; j <= last; j += 2) {
        ic_pair sum = {0, 0};
        for (const ic_series_entry *e = r->entries; e < r->end; e++) sum += e->factor * ic_pair_at(e->row + j);
        ic_pair_store(r->y + j, sum);
    }
    r->y[0] += r->kernel->gamma;
}

/* All coefficients of sin a, cos a or sinh a, cosh a for a = a_0 + a_1 s. */
static void expand_pair_of_line(const ic_series_ready *sine, int order)
{
    const ic_series_ready *const cosine = sine + 1;
    const double slope = sine->a[1], sign = cosine->alpha;
    double of_sine = sine->y[0], of_cosine = cosine->y[0];
    for (int j = 1; j <= order; j++) {
        const double part = slope / j, next = part * of_cosine;
        of_cosine = sign * part * of_sine;
        of_sine = next;
        sine->y[j] = of_sine;
        cosine->y[j] = of_cosine;
    }
}

/* The end of the kernels that need each other's coefficients, from the first one on. */
static const ic_tape_kernel *end_of_group(const ic_tape *tape, const ic_tape_kernel *first)
{
    const ic_tape_kernel *last = first;
    for (const ic_tape_kernel *k = first; k <= last; k++) {
        const int latest = k->a > k->b ? k->a : k->b;
        if (latest > last->out) last = ic_tape_kernel_of(tape, latest);
    }
    return last + 1;
}

static bool is_pair_of_line(const ic_series_ready *r, const ic_series_ready *end)
{
    return end == r + 2 && r->form == READY_INTEGRAL_OF_LINE && is_pair(r[0].kernel, r[1].kernel);
}

/* All coefficients of kernels that no state depends on, or that depend on no state. */
static void expand_apart(ic_series *s, size_t from, size_t to, int order)
{
    ic_series_ready *r = s->ready + from, *const end = s->ready + to;
    while (r < end) {
        ic_series_ready *const next = s->ready + (end_of_group(s->tape, r->kernel) - s->tape->kernels);
        if (r->kernel->kind == IC_TAPE_SUM && next == r + 1) {
            expand_sum(s, r, order);
        } else {
            start_ready(s, r, next);
            if (is_pair_of_line(r, next)) expand_pair_of_line(r, order);
            else
                for (int j = 1; j <= order; j++) expand_ready(s, r, next, j);
        }
        r = next;
    }
}

void ic_series_expand(ic_series *s, int order, double unit, double t, const double *x, ic_series_kind kind)
{
    const ic_tape *tape = s->tape;
    double *c = s->c, *time = ic_series_row(c, (int)tape->n);
    make_all_ready(s);
    /* other powers of s are zero */
    if (kind == IC_SERIES_SQUARED || s->kind == IC_SERIES_SQUARED)
        memset(c, 0, tape->n_rows * IC_SERIES_STRIDE * sizeof *c);
    s->kind = kind;
    for (size_t i = 0; i < tape->n; i++) ic_series_row(c, (int)i)[0] = x[i];
    time[0] = t;
    time[kind == IC_SERIES_SQUARED ? 2 : 1] = unit;
    if (kind == IC_SERIES_SQUARED) {
        carry_out(s, order, unit, expand_kernel, expand_state);
        for (size_t i = 0; i < tape->n; i++) ic_series_row(c, (int)i)[order + 1] = 0;
        return;
    }
    expand_apart(s, 0, tape->n_time, order);
    expand_flow(s, order, unit);
    expand_apart(s, tape->n_flow, tape->n_kernels, order);
}

/* Marks the kernels on which a row depends. */
static void look_ahead(ic_series *s, int row)
{
    const ic_tape *tape = s->tape;
    const ic_tape_kernel *k = ic_tape_kernel_of(tape, row);
    if (k == NULL || mark_of(s, k)->ahead) return;
    mark_of(s, k)->ahead = true;
    look_ahead(s, k->a);
    look_ahead(s, k->b);
    for (int i = k->first; i < k->first + k->count; i++) look_ahead(s, tape->entries[i].row);
}

/* Marks what the square roots that start at zero need. false: one of them needs another. */
static bool look_ahead_of_roots(ic_series *s)
{
    bool apart = true;
    for (ic_tape_kernel *k = s->tape->kernels; k < s->tape->kernels + s->tape->n_kernels; k++)
        mark_of(s, k)->ahead = false;
    for (const ic_tape_kernel *k = s->tape->kernels; k < s->tape->kernels + s->tape->n_kernels; k++) {
        if (mark_of(s, k)->vanishes && k->alpha < 1) look_ahead(s, k->a);
    }
    for (const ic_tape_kernel *k = s->tape->kernels; k < s->tape->kernels + s->tape->n_kernels; k++)
        apart = apart && !(mark_of(s, k)->ahead && mark_of(s, k)->vanishes && k->alpha < 1);
    return apart;
}

int ic_series_begins_at_branch(ic_series *s)
{
    int gap = 0;
    for (ic_tape_kernel *k = s->tape->kernels; k < s->tape->kernels + s->tape->n_kernels; k++) {
        if (k->kind != IC_TAPE_POWER) continue;
        mark_of(s, k)->vanishes =
            fabs(ic_series_row(s->c, k->a)[0]) <= VANISHING * DBL_EPSILON * ic_series_row(s->errors, k->a)[0];
        if (!mark_of(s, k)->vanishes) continue;
        if (!(k->alpha >= 0.5) || 2 * k->alpha != floor(2 * k->alpha) || k->alpha > MOST_EXPONENT) return 0;
        /* A rate in s^(2 alpha) gives a speed in s^(2 alpha + 2), which is multiplied; a root is integrated again. */
        const int own = (int)(2 * k->alpha) + (k->alpha < 1 ? 4 : 2);
        if (own > gap) gap = own;
    }
    return look_ahead_of_roots(s) ? gap : 0;
}

double ic_series_branch(const ic_series *s)
{
    double nearest = INFINITY;
    for (const ic_tape_kernel *k = s->tape->kernels; k < s->tape->kernels + s->tape->n_kernels; k++) {
        const double *a = ic_series_row(s->c, k->a);
        if (k->kind != IC_TAPE_POWER || a[1] == 0) continue;
        const double distance = fabs(a[0] / a[1]);
        const bool falls = a[0] * a[1] < 0 && (a[0] > 0 || k->start == IC_OP_CBRT);
        if (distance < fabs(nearest)) nearest = falls ? distance : -distance;
    }
    return nearest;
}

double ic_series_branch_rounding(const ic_series *s)
{
    double farthest = 0;
    for (const ic_tape_kernel *k = s->tape->kernels; k < s->tape->kernels + s->tape->n_kernels; k++) {
        const double *a = ic_series_row(s->c, k->a);
        const double rounding = RESOLVED * DBL_EPSILON * ic_series_row(s->errors, k->a)[0];
        if (k->kind == IC_TAPE_POWER && a[1] != 0 && fabs(a[0]) <= rounding)
            farthest = fmax(farthest, rounding / fabs(a[1]));
    }
    return farthest;
}

bool ic_series_hold(ic_series *s, double within)
{
    bool more = false;
    if (s->holding == 0) {
        for (ic_tape_kernel *k = s->tape->kernels; k < s->tape->kernels + s->tape->n_kernels; k++)
            mark_of(s, k)->held = 0;
    }
    s->holding++;
    for (ic_tape_kernel *k = s->tape->kernels; k < s->tape->kernels + s->tape->n_kernels; k++) {
        const double *a = ic_series_row(s->c, k->a);
        const bool has_series = k->start == IC_OP_CBRT ? a[0] != 0 : a[0] > 0;
        if (k->kind != IC_TAPE_POWER || mark_of(s, k)->held > 0 ||
            (has_series && !(fabs(a[0]) < within * fabs(a[1]))))
            continue;
        mark_of(s, k)->held = s->holding;
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
    ic_pair sums = {0, 0};
    int i = k.from;
    for (; i < k.to; i += 2) {
        const ic_pair terms = ic_pair_at(da + i) * ic_pair_magnitudes(load_back(b + j - i)) +
                              ic_pair_magnitudes(ic_pair_at(a + i)) * load_back(db + j - i);
        sums += weighted ? ic_pair_at(index_of + i) * terms : terms;
    }
    const double sum = sums[0] + sums[1];
    if (i > k.to) return sum;
    return sum + (weighted ? index_of[i] : 1) * (da[i] * fabs(b[j - i]) + fabs(a[i]) * db[j - i]);
}

/* Errors that a sum inherits, and those of its products and of its partial sums but the last. */
static double sum_entry_errors(const ic_series *s, const ic_tape_kernel *k, int j)
{
    double sum = 0, partial = 0;
    for (int i = k->first; i < k->first + k->count; i++) {
        const ic_tape_entry *e = &s->tape->entries[i];
        const double term = e->factor * ic_series_row(s->c, e->row)[j];
        sum += fabs(e->factor) * ic_series_row(s->errors, e->row)[j];
        if (fabs(e->factor) != 1) sum += fabs(term);
        partial += term;
        if (i > k->first && (i + 1 < k->first + k->count || (j == 0 && k->gamma != 0))) sum += fabs(partial);
    }
    return sum;
}

static double error_of_power(const ic_series *s, const ic_tape_kernel *k, int j)
{
    const bool vanishes = s->kind == IC_SERIES_SQUARED && mark_of(s, k)->vanishes;
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

static double first_error(const ic_series *s, const ic_tape_kernel *k)
{
    const double a = fabs(ic_series_row(s->c, k->a)[0]), da = ic_series_row(s->errors, k->a)[0];
    const double b = fabs(ic_series_row(s->c, k->b)[0]), db = ic_series_row(s->errors, k->b)[0];
    switch (k->kind) {
    case IC_TAPE_SUM: return sum_entry_errors(s, k, 0) + fabs(k->gamma);
    case IC_TAPE_PRODUCT:
    case IC_TAPE_SQUARE: return da * b + a * db;
    case IC_TAPE_QUOTIENT: return (da + fabs(k->gamma) + db * fabs(ic_series_row(s->c, k->out)[0])) / b;
    case IC_TAPE_INTEGRAL: return fabs(k->alpha) * b * da;
    case IC_TAPE_INVERSE: return da / b;
    case IC_TAPE_POWER: return error_of_power(s, k, 0);
    }
    return NAN;
}

static double error_of(const ic_series *s, const ic_tape_kernel *k, int j)
{
    const double da = ic_series_row(s->errors, k->a)[j], *db = ic_series_row(s->errors, k->b);
    const double b = fabs(ic_series_row(s->c, k->b)[0]), by_b = db[0] * fabs(ic_series_row(s->c, k->out)[j]);
    switch (k->kind) {
    case IC_TAPE_SUM: return sum_entry_errors(s, k, j);
    case IC_TAPE_PRODUCT:
    case IC_TAPE_SQUARE: return sum_errors(s, k->a, k->b, j, span_of(s, k->a, k->b, j, 0, j), false);
    case IC_TAPE_QUOTIENT:
        return (da + by_b + sum_errors(s, k->b, k->out, j, span_of(s, k->b, k->out, j, 1, j), false)) / b;
    case IC_TAPE_INTEGRAL:
        return fabs(k->alpha) * sum_errors(s, k->a, k->b, j, span_of(s, k->a, k->b, j, 1, j), true) /
               index_of[j];
    case IC_TAPE_INVERSE: {
        const double sum = sum_errors(s, k->out, k->b, j, span_of(s, k->out, k->b, j, 1, j - 1), true);
        return (da + by_b + sum / index_of[j]) / b;
    }
    case IC_TAPE_POWER: return error_of_power(s, k, j);
    }
    return NAN;
}

static void estimate_kernel(ic_series *s, const ic_tape_kernel *k, int j)
{
    const double own = fabs(ic_series_row(s->c, k->out)[j]);
    ic_series_row(s->errors, k->out)[j] = own + (j == 0 ? first_error(s, k) : error_of(s, k, j));
}

static void estimate_state(ic_series *s, size_t i, int j, double unit)
{
    ic_series_row(s->errors, (int)i)[j + 1] =
        part_of_rate(s, unit, j) * rate_for(s, s->errors, i, j, 0) + fabs(ic_series_row(s->c, (int)i)[j + 1]);
}

double ic_series_value_of(ic_series *s, int row, double t, const double *x, const double *states, double *size)
{
    const ic_series_kind kind = s->kind;
    const int n = (int)s->tape->n;
    s->kind = IC_SERIES_PLAIN;
    for (int i = 0; i < n + 2; i++) {
        if (x != NULL) ic_series_row(s->c, i)[0] = i < n ? x[i] : i == n ? t : 0;
        ic_series_row(s->errors, i)[0] = i < n ? states[i] : fabs(ic_series_row(s->c, i)[0]);
    }
    for (int i = n + 2; i <= row; i++) {
        const ic_tape_kernel *k = &s->tape->kernels[i - n - 2];
        if (x != NULL) expand_kernel(s, k, 0);
        estimate_kernel(s, k, 0);
    }
    s->kind = kind;
    *size = ic_series_row(s->errors, row)[0];
    return ic_series_row(s->c, row)[0];
}

void ic_series_estimate(ic_series *s, int order, double unit, const double *states)
{
    double *e = s->errors, *time = ic_series_row(e, (int)s->tape->n);
    for (size_t i = 0; i < s->tape->n; i++) ic_series_row(e, (int)i)[0] = states[i];
    memset(time, 0, ((size_t)order + 2) * sizeof *time);
    time[0] = fabs(ic_series_row(s->c, (int)s->tape->n)[0]);
    carry_out(s, order, unit, estimate_kernel, estimate_state);
}
