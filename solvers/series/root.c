/* SPDX-License-Identifier: MIT */
#include "solvers/series/root.h"

#include <math.h>
#include <stdlib.h>

enum {
    /* Rows after those of the states: tau, and zeros. */
    FIXED_ROWS = 2,

    /* Greatest number of products for one power: the whole part of its exponent. */
    MOST_PRODUCTS = 4,

    /* States that are added, and kernels for powers of S, its rate, and for the sign of a guard. */
    ADDED = 64,

    /* Kernels that the rate of d needs, and that of one kernel, at most. */
    MOST_RATE_ROWS = 44,
    MOST_FOR_RATE = 4,

    UNKNOWN_RATE = -2,
};

size_t ic_root_room(size_t n_states, size_t room)
{
    /* A tape has more than MOST_PRODUCTS rows for a power, one for a square root; a state needs a product. */
    return room + 2 * n_states + ADDED;
}

/* Places all arrays in a block; returns its size. */
static size_t place_arrays(ic_root *s, char *block, const ic_tape *from, size_t guards)
{
    ic_tape *t = &s->tape;
    size_t used = 0;
#define PLACE(array, n) array = ic_tape_place(block, &used, n, sizeof *(array))
    PLACE(t->kernels, t->room + guards);
    PLACE(t->entries, t->room * IC_TAPE_ENTRIES);
    PLACE(t->results, from->n_results + 2);
    PLACE(t->kinks, from->room);
    PLACE(s->base, IC_TAPE_LONGEST);
    PLACE(t->tops, t->room + guards);
    PLACE(s->moved, from->room);
    PLACE(s->rates, from->room);
    PLACE(s->is_root, guards + 1);
#undef PLACE
    return used;
}

bool ic_root_open(ic_root *s, const ic_tape *from)
{
    ic_tape *t = &s->tape;
    const size_t room = ic_root_room(from->n, from->room), guards = from->n_results - from->n;
    *s = (ic_root){.n = from->n};
    t->n = from->n + 2;
    t->room = room;
    s->block = malloc(place_arrays(s, NULL, from, guards));
    if (s->block == NULL) return false;
    place_arrays(s, s->block, from, guards);
    return true;
}

void ic_root_close(ic_root *s)
{
    free(s->block);
    *s = (ic_root){.n = 0};
}

/* ---- the base of the powers */

/* Whether d is a sum of states and time, which are then listed. */
static bool take_sum(ic_root *s, const ic_tape *from, int row)
{
    const ic_tape_kernel *k = ic_tape_kernel_of(from, row);
    s->gamma = 0;
    s->n_base = 1;
    s->base[0] = (ic_tape_entry){row, 1};
    if (row < (int)from->n) return true;
    if (k == NULL || k->kind != IC_TAPE_SUM) return false;
    s->gamma = k->gamma;
    s->n_base = k->count;
    for (int i = 0; i < k->count; i++) {
        s->base[i] = from->entries[k->first + i];
        if (s->base[i].row > (int)from->n) return false;
    }
    return k->count > 0;
}

/* Takes a row as d, if it may be: its rate is known where those of the states are. */
static bool take_base(ic_root *s, const ic_tape *from, int row, bool any)
{
    if (row < 0) return false;
    s->base_row = row;
    s->is_sum = take_sum(s, from, row);
    return s->is_sum || (any && row < (int)(from->n + FIXED_ROWS + from->n_flow));
}

/* The factor by which a row is a multiple of the base; 0: it is not. */
static double multiple_of_base(const ic_root *s, const ic_tape *from, int row)
{
    if (row < 0) return 0;
    if (row == s->base_row) return 1;
    const ic_tape_kernel *k = ic_tape_kernel_of(from, row);
    if (!s->is_sum) {
        const bool multiple = k != NULL && k->kind == IC_TAPE_SUM && k->count == 1 && k->gamma == 0;
        return multiple && from->entries[k->first].row == s->base_row ? from->entries[k->first].factor : 0;
    }
    if (row < (int)from->n)
        return s->n_base == 1 && s->gamma == 0 && s->base[0].row == row ? s->base[0].factor : 0;
    if (k == NULL || k->kind != IC_TAPE_SUM || k->count != s->n_base) return 0;
    const double factor = from->entries[k->first].factor / s->base[0].factor;
    bool same = k->gamma == factor * s->gamma;
    for (int i = 0; i < k->count; i++) {
        const ic_tape_entry e = from->entries[k->first + i];
        same = same && e.row == s->base[i].row && e.factor == factor * s->base[i].factor;
    }
    return same ? factor : 0;
}

double ic_root_base(const ic_root *s, double t, const double *x, double *size)
{
    double sum = 0;
    *size = fabs(s->gamma);
    for (int i = 0; i < s->n_base; i++) {
        const double term = s->base[i].factor * (s->base[i].row < (int)s->n ? x[s->base[i].row] : t);
        sum += term;
        *size += fabs(term);
    }
    return sum + s->gamma;
}

double ic_root_of(const ic_root *s, double d)
{
    return s->root == 2 ? sqrt(d) : sqrt(sqrt(d));
}

double ic_root_rate(const ic_root *s, double root)
{
    return s->root == 2 ? root : root * root * root;
}

/* ---- the tape */

static bool is_same(const ic_tape *t, const ic_tape_kernel *k, const ic_tape_kernel *l)
{
    const bool turned = k->kind == IC_TAPE_PRODUCT && k->a == l->b && k->b == l->a;
    bool same = k->kind == l->kind && (turned || (k->a == l->a && k->b == l->b)) && k->gamma == l->gamma;
    for (int i = 0; i < k->count && same && k->count == l->count; i++) {
        const ic_tape_entry *e = &t->entries[k->first + i], *f = &t->entries[l->first + i];
        same = e->row == f->row && e->factor == f->factor;
    }
    return same && k->count == l->count;
}

/* Rates often consist of products and sums of which the original consists, too. */
static int add_kernel(ic_root *s, ic_tape_kernel k, bool varies)
{
    ic_tape *t = &s->tape;
    for (const ic_tape_kernel *l = t->kernels; s->first_rate > 0 && l < t->kernels + t->n_kernels; l++) {
        if (is_same(t, &k, l)) return l->out;
    }
    k.out = (int)t->n_rows++;
    t->tops[k.out] = varies ? IC_TAPE_ENDLESS : 0;
    t->kernels[t->n_kernels++] = k;
    return k.out;
}

static int zeros_of(const ic_root *s)
{
    return (int)s->tape.n + 1;
}

/* A sum of one entry. */
static int add_multiple(ic_root *s, double factor, int row)
{
    ic_tape *t = &s->tape;
    const int first = (int)t->n_entries;
    t->entries[t->n_entries++] = (ic_tape_entry){row, factor};
    return add_kernel(
        s,
        (ic_tape_kernel){.kind = IC_TAPE_SUM, .a = zeros_of(s), .b = zeros_of(s), .first = first, .count = 1},
        true);
}

static int add_product(ic_root *s, int a, int b)
{
    return add_kernel(s, (ic_tape_kernel){.kind = IC_TAPE_PRODUCT, .a = a, .b = b}, true);
}

/* S^2 .. S^(m-1) */
static void add_powers(ic_root *s)
{
    s->powers[1] = (int)s->n;
    for (int i = 2; i < s->root; i++) s->powers[i] = add_product(s, s->powers[i - 1], s->powers[1]);
}

/* The row of S^k for the part of an exponent k/m that is not whole. */
static int row_of_part(const ic_root *s, double exponent)
{
    return s->powers[(int)(s->root * exponent) % s->root];
}

static bool is_own_power(const ic_root *s, const ic_tape_kernel *k)
{
    return k->kind == IC_TAPE_POWER && k->a == s->base_row;
}

/* Numbers the rows of the original from `next` on. */
static void number_rows(ic_root *s, const ic_tape *from, size_t first, size_t end, int next)
{
    for (size_t i = first; i < end; i++) {
        const ic_tape_kernel *k = &from->kernels[i];
        next += is_own_power(s, k) ? (int)k->alpha : 1; /* kernels that stand for this one */
        s->moved[k->out] = is_own_power(s, k) && k->alpha < 1 ? row_of_part(s, k->alpha) : next - 1;
    }
}

static void copy_kernel(ic_root *s, const ic_tape *from, const ic_tape_kernel *k)
{
    ic_tape *t = &s->tape;
    if (is_own_power(s, k)) {
        int row = row_of_part(s, k->alpha);
        for (int i = 1; i < k->alpha; i++) row = add_product(s, s->moved[k->a], row);
        return;
    }
    t->branches = t->branches || k->kind == IC_TAPE_POWER;
    ic_tape_kernel copy = *k;
    copy.first = (int)t->n_entries;
    for (int i = k->first; i < k->first + k->count; i++)
        t->entries[t->n_entries++] = (ic_tape_entry){s->moved[from->entries[i].row], from->entries[i].factor};
    copy.a = s->moved[k->a];
    copy.b = s->moved[k->b];
    copy.of = s->moved[k->of];
    copy.with = s->moved[k->with];
    add_kernel(s, copy, from->tops[k->out] > 0);
}

/* ---- rates with respect to time: constants, or multiples of rows, of which `value` is the factor */

static ic_series_value constant(double value)
{
    return (ic_series_value){-1, value};
}

static int row_of(ic_root *s, ic_series_value a)
{
    if (a.row >= 0) return a.value == 1 ? a.row : add_multiple(s, a.value, a.row);
    const ic_tape_kernel k = {.kind = IC_TAPE_SUM,
                              .a = zeros_of(s),
                              .b = zeros_of(s),
                              .first = (int)s->tape.n_entries,
                              .gamma = a.value};
    return add_kernel(s, k, false);
}

static ic_series_value times(ic_root *s, ic_series_value a, int row)
{
    if (a.row < 0) return a.value == 0 ? a : (ic_series_value){row, a.value};
    return (ic_series_value){add_product(s, a.row, row), a.value};
}

/* a + sign b */
static ic_series_value plus(ic_root *s, ic_series_value a, double sign, ic_series_value b)
{
    ic_tape *t = &s->tape;
    if (b.row < 0 && (a.row < 0 || b.value == 0)) return a.row < 0 ? constant(a.value + sign * b.value) : a;
    if (a.row < 0 && a.value == 0) return (ic_series_value){b.row, sign * b.value};
    const int first = (int)t->n_entries;
    if (a.row >= 0) t->entries[t->n_entries++] = (ic_tape_entry){a.row, a.value};
    if (b.row >= 0) t->entries[t->n_entries++] = (ic_tape_entry){b.row, sign * b.value};
    const ic_tape_kernel k = {.kind = IC_TAPE_SUM,
                              .a = zeros_of(s),
                              .b = zeros_of(s),
                              .first = first,
                              .count = (int)t->n_entries - first,
                              .gamma = (a.row < 0 ? a.value : 0) + (b.row < 0 ? sign * b.value : 0)};
    return (ic_series_value){add_kernel(s, k, true), 1};
}

static ic_series_value over(ic_root *s, ic_series_value a, int row)
{
    if (a.row < 0 && a.value == 0) return a;
    s->tape.hides = true;
    const int of = a.row < 0 ? row_of(s, a) : a.row;
    return (ic_series_value){
        add_kernel(s, (ic_tape_kernel){IC_TAPE_QUOTIENT, .a = of, .b = row, .hides = true}, true),
        a.row < 0 ? 1 : a.value};
}

static ic_series_value rate_of(ic_root *s, const ic_tape *from, int row);

/* factor times the rates of the rows of a sum */
static ic_series_value rate_of_sum(ic_root *s, const ic_tape *from, const ic_tape_entry *entries, int n)
{
    ic_tape *t = &s->tape;
    ic_series_value rates[IC_TAPE_LONGEST];
    ic_tape_kernel k = {.kind = IC_TAPE_SUM, .a = zeros_of(s), .b = zeros_of(s)};
    for (int i = 0; i < n; i++) rates[i] = rate_of(s, from, entries[i].row);
    k.first = (int)t->n_entries;
    for (int i = 0; i < n; i++) {
        const double factor = entries[i].factor * rates[i].value;
        if (rates[i].row < 0) k.gamma += factor;
        else t->entries[t->n_entries++] = (ic_tape_entry){rates[i].row, factor};
    }
    k.count = (int)t->n_entries - k.first;
    if (k.count == 0) return constant(k.gamma);
    if (k.count > 1 || k.gamma != 0) return (ic_series_value){add_kernel(s, k, true), 1};
    const ic_tape_entry one = t->entries[--t->n_entries];
    return (ic_series_value){one.row, one.factor};
}

static ic_series_value rate_of_kernel(ic_root *s, const ic_tape *from, const ic_tape_kernel *k)
{
    const ic_series_value a = k->kind == IC_TAPE_SUM ? constant(0) : rate_of(s, from, k->a);
    const int row_a = s->moved[k->a], row_b = s->moved[k->b], y = s->moved[k->out];
    switch (k->kind) {
    case IC_TAPE_SUM: return rate_of_sum(s, from, from->entries + k->first, k->count);
    case IC_TAPE_PRODUCT: return plus(s, times(s, a, row_b), 1, times(s, rate_of(s, from, k->b), row_a));
    case IC_TAPE_SQUARE: return plus(s, constant(0), 2, times(s, a, row_a));
    case IC_TAPE_QUOTIENT: return over(s, plus(s, a, -1, times(s, rate_of(s, from, k->b), y)), row_b);
    case IC_TAPE_INTEGRAL: return plus(s, constant(0), k->alpha, times(s, a, row_b));
    case IC_TAPE_INVERSE: return over(s, a, row_b);
    case IC_TAPE_POWER: return plus(s, constant(0), k->alpha, over(s, times(s, a, y), row_a));
    }
    return constant(NAN);
}

/* The rate of a row of the original; without room for it there is no regularised tape. */
static ic_series_value rate_of(ic_root *s, const ic_tape *from, int row)
{
    ic_series_value *rate = &s->rates[row];
    const ic_tape_kernel *k = ic_tape_kernel_of(from, row);
    if (rate->row != UNKNOWN_RATE) return *rate;
    if (row < (int)from->n) {
        *rate = from->results[row];
        if (rate->row >= 0) *rate = (ic_series_value){s->moved[rate->row], 1};
    } else if (k == NULL) {
        *rate = constant(row == (int)from->n ? 1 : 0);
    } else if (s->tape.n_rows + MOST_FOR_RATE > s->first_rate + MOST_RATE_ROWS) {
        s->exists = false;
        return constant(0);
    } else {
        *rate = rate_of_kernel(s, from, k);
    }
    return *rate;
}

/* dS/dtau = (dd/dt)/m */
static void add_rate_of_root(ic_root *s, const ic_tape *from)
{
    for (size_t i = 0; i < from->n_rows; i++) s->rates[i].row = UNKNOWN_RATE;
    s->first_rate = s->tape.n_rows;
    const ic_tape_entry whole = {s->base_row, 1};
    const ic_tape_entry *entries = s->is_sum ? s->base : &whole;
    ic_tape_entry parts[IC_TAPE_LONGEST];
    const int n = s->is_sum ? s->n_base : 1;
    for (int i = 0; i < n; i++) parts[i] = (ic_tape_entry){entries[i].row, entries[i].factor / s->root};
    s->tape.results[s->n] = (ic_series_value){row_of(s, rate_of_sum(s, from, parts, n)), 0};
}

static void add_rates(ic_root *s, const ic_tape *from)
{
    ic_tape *t = &s->tape;
    const int time = s->powers[s->root - 1];
    for (size_t i = 0; i < s->n; i++) {
        const ic_series_value rate = from->results[i];
        int row = -1;
        if (rate.row >= 0) row = add_product(s, s->moved[rate.row], time);
        else if (rate.value != 0) row = rate.value == 1 ? time : add_multiple(s, rate.value, time);
        t->results[i] = (ic_series_value){row, 0};
    }
    add_rate_of_root(s, from);
    t->results[s->n + 1] = (ic_series_value){time, 0};
    s->first_rate = 0;
}

/* A guard or the argument of a kink: the same multiple of S if it is one of d. */
static ic_series_value move_value(ic_root *s, const ic_tape *from, ic_series_value value, bool *is_root)
{
    const double factor = multiple_of_base(s, from, value.row);
    *is_root = factor != 0;
    if (factor != 0) value.row = factor == 1 ? (int)s->n : add_multiple(s, factor, (int)s->n);
    else if (value.row >= 0) value.row = s->moved[value.row];
    return value;
}

bool ic_root_build(ic_root *s, const ic_tape *from, int base)
{
    ic_tape *t = &s->tape;
    const int n = (int)s->n;
    if (s->version == from->version && s->asked == base) return s->exists;
    if (base < 0 && s->lacking == from->version) return false;
    s->version = from->version;
    s->asked = base;
    s->exists = false;
    for (s->root = 2; s->root <= IC_MOST_ROOT_POWERS && !s->exists; s->root *= 2)
        s->exists = take_base(
            s, from, ic_tape_root_base(from, base, s->root, s->root * (MOST_PRODUCTS + 1) - 1), base >= 0);
    if (!s->exists && base < 0) s->lacking = from->version;
    if (!s->exists) return false;
    s->root /= 2;
    t->version++;
    t->n_kernels = t->n_entries = t->n_time = s->first_rate = 0;
    t->n_rows = t->n + FIXED_ROWS;
    t->leaves = from->leaves;
    t->hides = from->hides;
    t->branches = false;
    for (int i = 0; i <= n + 3; i++) t->tops[i] = i < n + 2 ? IC_TAPE_ENDLESS : n + 3 - i;
    for (int i = 0; i < n; i++) s->moved[i] = i;
    s->moved[n] = n + 1;
    s->moved[n + 1] = n + 3;
    add_powers(s);
    number_rows(s, from, 0, from->n_flow, (int)t->n_rows);
    for (size_t i = 0; i < from->n_flow; i++) copy_kernel(s, from, &from->kernels[i]);
    add_rates(s, from);
    if (!s->exists) return false;
    t->n_flow = t->n_kernels;
    number_rows(s, from, from->n_flow, from->n_kernels, (int)t->n_rows);
    for (size_t i = from->n_flow; i < from->n_kernels; i++) copy_kernel(s, from, &from->kernels[i]);
    t->n_results = from->n_results + 2;
    for (size_t i = s->n; i < from->n_results; i++)
        t->results[i + 2] = move_value(s, from, from->results[i], &s->is_root[i - s->n]);
    t->n_kinks = from->n_kinks;
    for (size_t i = 0; i < from->n_kinks; i++) {
        bool is_root = false;
        t->kinks[i] = from->kinks[i];
        t->kinks[i].argument = move_value(s, from, from->kinks[i].argument, &is_root);
    }
    return true;
}
