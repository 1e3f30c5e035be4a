/* SPDX-License-Identifier: MIT */
#include "solvers/linear/windows.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Shortest part, relative to h: parts are halved at most 40 times. */
#define SHORTEST_PART 0x1p-40
/*
 * Halley's iteration ends with a step below this fraction of h. It converges almost cubically, so
 * the remaining error is far below rounding.
 */
#define LAST_STEP 1e-6
/* Rounding error of a form, relative to the sum of its terms: a touch within it cannot be
   distinguished from a pair of crossings. */
#define NOISE 0x1p-48
/* A series about a node is used up to this distance, relative to h. */
#define NEAR_NODE 0.6
/* Rounding may move a zero out of the part in which it was proved, by this fraction of h. */
#define SLACK 1e-9

enum { ITERATIONS = 8, FIRST_TERMS = 6 };

/* Functions of the number of groups, which is a constant in each copy of ic_window_follow. */
#define ALWAYS_INLINE inline __attribute__((always_inline))
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

enum { ROOM = IC_WINDOW_COORDINATES };

typedef int64_t lane_mask __attribute__((vector_size(sizeof(ic_pair))));

/*
 * A form along the window: p0 + p1 s + p2 s^2 + Re sum of a_c (e^{lambda_c s} - 1). These are
 * increments over its value at the start, so that in a short window rounding errors between z and
 * the coordinates count little.
 */
typedef struct trace {
    double re[ROOM], im[ROOM];
    double p[3];

    /* bound of |g''| */
    double bend;

    /* rounding error of a value */
    double noise;
} trace;

/* A part between two nodes, or a fraction of it. */
typedef struct part {
    double low, high;

    /* index of the node at the low end of a whole part, otherwise -1 */
    int node;

    /* values of the guards at both ends */
    double at_low[IC_WINDOW_GUARDS], at_high[IC_WINDOW_GUARDS];
} part;

typedef struct follower {
    const ic_window_table *m;
    ic_window *w;

    trace forms[IC_WINDOW_FORMS];

    /* where the guard `outcome` fires */
    part found;
} follower;

/* ---- pairs */

/* The i-th pair of numbers in a row. */
static inline ic_pair pair_of(const double *x, int i)
{
    return ic_pair_at(x + (ptrdiff_t)IC_WINDOW_LANES * i);
}

static inline void store_pair(double *x, int i, ic_pair pair)
{
    ic_pair_store(x + (ptrdiff_t)IC_WINDOW_LANES * i, pair);
}

/* Without calls of the C library. */
static inline double least_of(double a, double b)
{
    return a < b ? a : b;
}

static inline double greatest_of(double a, double b)
{
    return a > b ? a : b;
}

static inline double add_halves(ic_pair x)
{
    return x[0] + x[1];
}

static inline ic_pair modulus(ic_pair re, ic_pair im)
{
    const lane_mask no_sign = {INT64_MAX, INT64_MAX};
    return (ic_pair)((lane_mask)re & no_sign) + (ic_pair)((lane_mask)im & no_sign);
}

/* ---- coordinates and traces */

static void compute_drift(follower *f)
{
    const ic_window_table *m = f->m;
    for (int g = 0; g < m->n_rows; g++) {
        ic_pair first = {0}, second = {0};
        for (int k = 0; k < m->moving.n && g < m->moving_rows; k++) {
            const int j = m->moving.at[k];
            first += m->drift[0][j][g] * f->w->z[j];
            second += m->drift[1][j][g] * f->w->z[j];
        }
        store_pair(f->w->drift[0], g, first);
        store_pair(f->w->drift[1], g, second);
    }
}

/* Initializes only fields that are read, because a follower is large. */
static ALWAYS_INLINE void compute_coordinates(follower *f, const ic_window_table *m, ic_window *window,
                                              const int n_groups)
{
    const double *z = window->z;
    f->m = m;
    f->w = window;
    ic_pair re[IC_WINDOW_GROUPS], im[IC_WINDOW_GROUPS];
    UNROLL
    for (int g = 0; g < n_groups; g++) {
        re[g] = m->groups[g].left_re[0] * z[0];
        im[g] = m->groups[g].left_im[0] * z[0];
    }
    for (int j = 1; j < m->columns; j++) {
        UNROLL
        for (int g = 0; g < n_groups; g++) {
            re[g] += m->groups[g].left_re[j] * z[j];
            im[g] += m->groups[g].left_im[j] * z[j];
        }
    }
    UNROLL
    for (int g = 0; g < n_groups; g++) {
        store_pair(f->w->y_re, g, re[g]);
        store_pair(f->w->y_im, g, im[g]);
    }
    if (m->moving.n > 0) compute_drift(f);
}

static ALWAYS_INLINE void compute_trace(follower *f, int which, const int n_groups)
{
    const ic_window_table *m = f->m;
    const ic_window_form *form = &m->forms[which];
    trace *g = &f->forms[which];
    double value = 0, size = 0, first = 0, second = 0;
    ic_pair sizes = {0}, bends = {0};
    for (int k = 0; k < form->columns.n; k++) {
        const int j = form->columns.at[k];
        const double part = form->row[j] * f->w->z[j];
        value += part;
        size += fabs(part);
        if (m->moving.n == 0) continue;
        first += form->row[j] * f->w->drift[0][j];
        second += form->row[j] * f->w->drift[1][j];
    }
    UNROLL
    for (int i = 0; i < n_groups; i++) {
        const ic_pair y_re = pair_of(f->w->y_re, i), y_im = pair_of(f->w->y_im, i);
        const ic_pair re = form->re[i] * y_re - form->im[i] * y_im,
                      im = form->re[i] * y_im + form->im[i] * y_re;
        store_pair(g->re, i, re);
        store_pair(g->im, i, im);
        sizes += modulus(re, im);
        bends += modulus(re, im) * m->groups[i].square;
    }
    g->p[0] = value;
    g->p[1] = first;
    g->p[2] = second;
    g->bend = 2 * fabs(g->p[2]) + add_halves(bends);
    g->noise = NOISE * (size + add_halves(sizes));
}

static double evaluate_quadratic(const double p[3], double s)
{
    return p[0] + s * (p[1] + s * p[2]);
}

/* The node nearest to s; *rest: distance from it, at most half a part. */
static inline int nearest_node(const ic_window_table *m, double s, double *rest)
{
    const double nearest = s * m->frequency + 0.5;
    const int k = nearest < IC_WINDOW_PARTS ? (int)nearest : IC_WINDOW_PARTS;
    *rest = s - k * m->h;
    return k;
}

/*
 * e^{lambda s} - 1 of two terms at distance d from node k, with lambdas halved as in the tables.
 * Even and odd powers are summed apart, which halves the chain of dependent operations.
 */
static inline void compute_rises(const ic_window_group *group, int k, double d, ic_pair *rise_re,
                                 ic_pair *rise_im)
{
    const double dd = d * d;
    ic_pair re = group->series_re[IC_WINDOW_SERIES - 2], im = group->series_im[IC_WINDOW_SERIES - 2];
    ic_pair odd_re = group->series_re[IC_WINDOW_SERIES - 1], odd_im = group->series_im[IC_WINDOW_SERIES - 1];
    for (int j = IC_WINDOW_SERIES - 4; j >= 2; j -= 2) {
        re = re * dd + group->series_re[j];
        im = im * dd + group->series_im[j];
        odd_re = odd_re * dd + group->series_re[j + 1];
        odd_im = odd_im * dd + group->series_im[j + 1];
    }
    /* relative to the node */
    re = d * (odd_re * dd + group->series_re[1] + d * re);
    im = d * (odd_im * dd + group->series_im[1] + d * im);
    *rise_re = group->rise_re[k] + (group->node_re[k] * re - group->node_im[k] * im);
    *rise_im = group->rise_im[k] + (group->node_re[k] * im + group->node_im[k] * re);
}

static ALWAYS_INLINE double value_at(const follower *f, int which, double s, const int n_groups)
{
    const trace *g = &f->forms[which];
    double rest = 0;
    const int node = nearest_node(f->m, s, &rest);
    ic_pair sum = {0}, re, im;
    UNROLL
    for (int i = 0; i < n_groups; i++) {
        compute_rises(&f->m->groups[i], node, rest, &re, &im);
        sum += pair_of(g->re, i) * re - pair_of(g->im, i) * im;
    }
    return evaluate_quadratic(g->p, s) + add_halves(sum);
}

static ALWAYS_INLINE double value_at_node(const follower *f, int which, int node, const int n_groups)
{
    const trace *g = &f->forms[which];
    ic_pair sum = {0};
    UNROLL
    for (int i = 0; i < n_groups; i++) {
        const ic_window_group *group = &f->m->groups[i];
        sum += pair_of(g->re, i) * group->rise_re[node] - pair_of(g->im, i) * group->rise_im[node];
    }
    return evaluate_quadratic(g->p, node * f->m->h) + add_halves(sum);
}

/* Terms of some groups, of which one may be missing. */
static ALWAYS_INLINE int terms_of(const int n_groups)
{
    return IC_WINDOW_LANES * n_groups < IC_WINDOW_TERMS ? IC_WINDOW_LANES * n_groups : IC_WINDOW_TERMS;
}

/* A trace and what decides on its parts, each number in both lanes. */
typedef struct scan {
    ic_pair re[IC_WINDOW_TERMS], im[IC_WINDOW_TERMS], p[3];

    /* side of the guard */
    ic_pair side;

    /* B h^2/8 and the rounding error */
    ic_pair apart;
} scan;

static inline ic_pair in_both(double x)
{
    return (ic_pair){x, x};
}

static ALWAYS_INLINE void begin_scan(scan *s, const follower *f, int which, const int n_groups)
{
    const trace *g = &f->forms[which];
    UNROLL
    for (int c = 0; c < terms_of(n_groups); c++) {
        s->re[c] = in_both(g->re[c]);
        s->im[c] = in_both(g->im[c]);
    }
    for (int i = 0; i < 3; i++) s->p[i] = in_both(g->p[i]);
    s->side = in_both(f->w->side[which]);
    s->apart = in_both(g->bend * (f->m->h * f->m->h) / 8 + g->noise);
}

/* Values at the two nodes after `node`. Terms that do not occur in the form have factors 0. */
static ALWAYS_INLINE ic_pair values_after(const scan *g, const ic_window_table *m, int node, const int n_groups)
{
    const ic_pair s = ((double)node + (ic_pair){1, 2}) * m->h;
    ic_pair sum = g->p[0] + s * (g->p[1] + s * g->p[2]);
    UNROLL
    for (int c = 0; c < terms_of(n_groups); c++) {
        const ic_window_term *term = &m->terms[c];
        sum +=
            g->re[c] * ic_pair_at(&term->rise_re[node + 1]) - g->im[c] * ic_pair_at(&term->rise_im[node + 1]);
    }
    return sum;
}

/* ---- behaviour of a guard in a part */

enum { UNDECIDED, STAYS, PASSES, FIRES };

/* Whether a guard stays on its side up to s, from a zero at the start. */
static ALWAYS_INLINE bool departs_from_zero(const follower *f, int which, double s, const int n_groups)
{
    const trace *g = &f->forms[which];
    ic_pair rates = {0}, bends = {0}, thirds = {0};
    UNROLL
    for (int i = 0; i < n_groups; i++) {
        const ic_window_group *group = &f->m->groups[i];
        const ic_pair re = pair_of(g->re, i), im = pair_of(g->im, i);
        rates += re * group->first_re - im * group->first_im;
        bends += re * group->second_re - im * group->second_im;
        thirds += modulus(re, im) * group->cube;
    }
    if (f->w->order[which] == 1) return f->w->side[which] * (g->p[1] + add_halves(rates)) > s / 2 * g->bend;
    return f->w->side[which] * (2 * g->p[2] + add_halves(bends)) > s / 3 * add_halves(thirds);
}

/* Decides whether a guard that crosses in its direction is enabled there. */
static ALWAYS_INLINE int decide_condition(follower *f, const part *at, int i, const int n_groups)
{
    const int e = f->m->condition[i], k = at->node;
    if (e < 0) return FIRES;
    compute_trace(f, e, n_groups);
    const double h = at->high - at->low, margin = f->forms[e].bend * h * h / 8;
    const double low = k >= 0 ? value_at_node(f, e, k, n_groups) : value_at(f, e, at->low, n_groups);
    const double high = k >= 0 ? value_at_node(f, e, k + 1, n_groups) : value_at(f, e, at->high, n_groups);
    if (least_of(low, high) > margin) return FIRES;
    return greatest_of(low, high) < -margin ? PASSES : UNDECIDED;
}

static ALWAYS_INLINE int decide_guard(follower *f, const part *at, int i, const int n_groups)
{
    const double h = at->high - at->low, bend = f->forms[i].bend * h * h, low = at->at_low[i],
                 high = at->at_high[i];
    const int side = f->w->side[i], direction = f->m->direction[i];
    const double noise = f->forms[i].noise;
    const bool passes = high * side <= 0, steady = fabs(high - low) > bend / 2 + 2 * noise;
    if (at->low == 0 && f->w->order[i] > 0)
        return !passes && departs_from_zero(f, i, h, n_groups) ? STAYS : UNDECIDED;
    if (at->low == 0 && low * side <= 0) return UNDECIDED;
    if (!passes) return steady || least_of(fabs(low), fabs(high)) > bend / 8 + noise ? STAYS : UNDECIDED;
    if (!steady) return UNDECIDED;
    return direction == 0 || direction == -side ? decide_condition(f, at, i, n_groups) : PASSES;
}

/* Returns the guard that fires in a part, IC_WINDOW_STOP if none does, or IC_WINDOW_DOUBT. Updates
   sides. */
static ALWAYS_INLINE int decide_part(follower *f, const part *at, const int n_groups)
{
    int does[IC_WINDOW_GUARDS], fires = IC_WINDOW_STOP;
    for (int i = 0; i < f->m->n_guards; i++) {
        does[i] = decide_guard(f, at, i, n_groups);
        if (does[i] == UNDECIDED || (does[i] == FIRES && fires >= 0)) return IC_WINDOW_DOUBT;
        if (does[i] == FIRES) fires = i;
    }
    if (fires >= 0) return fires;
    for (int i = 0; i < f->m->n_guards; i++) {
        if (does[i] == PASSES) f->w->side[i] = -f->w->side[i];
    }
    return fires;
}

/* ---- the search */

/* Searches from a node on, in parts that are halved until they are decided. */
static int search_by_halving(follower *f, int node, const int n_groups)
{
    const double h = f->m->h, end = least_of(f->w->limit, IC_WINDOW_PARTS * h);
    const double shortest = greatest_of(SHORTEST_PART * h, 4 * f->w->least);
    part at = {.low = node * h, .node = -1};
    for (int i = 0; i < f->m->n_guards; i++) at.at_low[i] = value_at(f, i, at.low, n_groups);
    for (double width = h / 2; at.low < end;) {
        at.high = least_of(at.low + width, IC_WINDOW_PARTS * h);
        for (int i = 0; i < f->m->n_guards; i++) at.at_high[i] = value_at(f, i, at.high, n_groups);
        f->w->evaluations += f->m->n_guards;
        const int outcome = decide_part(f, &at, n_groups);
        if (outcome == IC_WINDOW_DOUBT && width / 2 > shortest) {
            width /= 2;
            continue;
        }
        f->found = at;
        if (outcome != IC_WINDOW_STOP) return outcome;
        at.low = at.high;
        memcpy(at.at_low, at.at_high, sizeof at.at_low);
        width = least_of(2 * width, h);
    }
    return IC_WINDOW_STOP;
}

/* The parts, of two, in which a guard provably stays on its side by its values at both ends. */
static inline lane_mask clear_parts(const scan *g, ic_pair low, ic_pair high)
{
    const ic_pair change = high - low, four = 4 * g->apart, zero = {0, 0};
    const lane_mask steady = (change > four) | (change < -four);
    low *= g->side;
    high *= g->side;
    return ((low > g->apart) & (high > g->apart)) | ((low > zero) & (high > zero) & steady);
}

static ALWAYS_INLINE int search_parts(follower *f, const int n_groups)
{
    const ic_window_table *m = f->m;
    const int n_guards = m->n_guards;
    const double limit = f->w->limit;
    double values[IC_WINDOW_GUARDS][IC_WINDOW_PARTS + 1];
    scan scans[IC_WINDOW_GUARDS];
    lane_mask clear = {-1, -1};
    for (int g = 0; g < n_guards; g++) {
        begin_scan(&scans[g], f, g, n_groups);
        values[g][0] = f->forms[g].p[0];
        if (f->w->order[g] > 0) clear[0] = 0;
    }
    for (int k = 0; k < IC_WINDOW_PARTS && k * m->h < limit;
         k += IC_WINDOW_LANES, clear = (lane_mask){-1, -1}) {
        for (int g = 0; g < n_guards; g++) {
            const ic_pair high = values_after(&scans[g], m, k, n_groups);
            clear &= clear_parts(&scans[g], (ic_pair){values[g][k], high[0]}, high);
            ic_pair_store(&values[g][k + 1], high);
        }
        f->w->evaluations += IC_WINDOW_LANES * n_guards;
        for (int i = 0; i < IC_WINDOW_LANES; i++) {
            if (clear[i]) continue;
            part *at = &f->found;
            at->node = k + i;
            at->low = at->node * m->h;
            at->high = (at->node + 1) * m->h;
            for (int g = 0; g < n_guards; g++) {
                at->at_low[g] = values[g][at->node];
                at->at_high[g] = values[g][at->node + 1];
            }
            const int outcome = decide_part(f, &f->found, n_groups);
            if (outcome == IC_WINDOW_DOUBT) return search_by_halving(f, k + i, n_groups);
            if (outcome >= 0) return outcome;
            for (int g = 0; g < n_guards; g++) scans[g].side = in_both(f->w->side[g]);
        }
    }
    return IC_WINDOW_STOP;
}

/* ---- the zero of the guard that fires */

/* Taylor's series of a guard about a node. */
static ALWAYS_INLINE void compute_series(double series[IC_WINDOW_SERIES], const follower *f, int which,
                                         int node, const int n_groups)
{
    const double s = node * f->m->h;
    const trace *g = &f->forms[which];
    double re[ROOM] = {0}, im[ROOM] = {0};
    UNROLL
    for (int i = 0; i < n_groups; i++) {
        const ic_window_group *group = &f->m->groups[i];
        const ic_pair a = pair_of(g->re, i), b = pair_of(g->im, i);
        store_pair(re, i, a * group->node_re[node] - b * group->node_im[node]);
        store_pair(im, i, a * group->node_im[node] + b * group->node_re[node]);
    }
    for (int j = 0; j < IC_WINDOW_BLOCKS; j++) {
        ic_pair sum = {0};
        UNROLL
        for (int c = 0; c < terms_of(n_groups); c++) {
            const ic_window_term *term = &f->m->terms[c];
            sum += re[c] * term->series_re[j] - im[c] * term->series_im[j];
        }
        store_pair(series, j, sum);
    }
    series[0] = value_at_node(f, which, node, n_groups);
    series[1] += g->p[1] + 2 * s * g->p[2];
    series[2] += g->p[2];
}

/* sum of the first `terms` (an even number) c_j d^j, with even and odd powers apart */
static inline double sum_series(const double *c, int terms, double d)
{
    const double dd = d * d;
    double even = c[terms - 2], odd = c[terms - 1];
    for (int j = terms - 4; j >= 0; j -= 2) {
        even = even * dd + c[j];
        odd = odd * dd + c[j + 1];
    }
    return even + d * odd;
}

/* Halley's step from d, with `terms` terms of the value, six of its rate and three of its second
   derivative. */
static inline double halley_step(const double *series, int terms, double d)
{
    const double dd = d * d, g = sum_series(series, terms, d);
    const double slope = series[1] + dd * (3 * series[3] + dd * (5 * series[5])) +
                         d * (2 * series[2] + dd * (4 * series[4] + dd * (6 * series[6])));
    const double half_bend = series[2] + d * (3 * series[3] + 6 * d * series[4]);
    return -g * slope / (slope * slope - g * half_bend);
}

/* The zero s of the guard that fires; NAN if the iteration leaves the part. */
static ALWAYS_INLINE double locate_zero(const follower *f, int which, const int n_groups)
{
    const part *at = &f->found;
    const double p = at->at_low[which], c = at->at_high[which], h = f->m->h;
    const double secant = at->low + (at->high - at->low) * p / (p - c);
    double series[IC_WINDOW_SERIES], s = secant;
    for (int again = 0; again < 2; again++) {
        double d = 0;
        const int node = nearest_node(f->m, s, &d);
        compute_series(series, f, which, node, n_groups);
        d += halley_step(series, FIRST_TERMS, d);
        for (int i = 0; i < ITERATIONS; i++) {
            const double step = halley_step(series, IC_WINDOW_SERIES, d);
            d += step;
            if (fabs(step) <= LAST_STEP * h) break;
        }
        s = greatest_of(node * h + d, 0);
        if (!(s >= at->low - SLACK * h && s <= at->high + SLACK * h)) return NAN;
        /* the secant may have chosen a node too far from the zero */
        if (fabs(d) <= NEAR_NODE * h) break;
    }
    return s;
}

/* ---- end of the window */

/* e^{lambda s} - 1 from that of lambda/2: e^{2x} - 1 = (e^x - 1)(e^x + 1). */
static void undo_halvings(const ic_window_table *m, double *re, double *im)
{
    for (int c = 0; c < m->n_terms; c++) {
        for (int k = 0; k < m->terms[c].halvings; k++) {
            const double a = re[c], b = im[c];
            re[c] = a * (2 + a) - b * b;
            im[c] = 2 * b * (1 + a);
        }
    }
}

static ALWAYS_INLINE void compute_state(const ic_window_table *m, const ic_window *w, double s, double *z,
                                        const int n_groups)
{
    /* changes of the coordinates */
    double re[ROOM] = {0}, im[ROOM] = {0}, rest = 0;
    const int node = nearest_node(m, s, &rest);
    ic_pair rise_re, rise_im;
    UNROLL
    for (int i = 0; i < n_groups; i++) {
        compute_rises(&m->groups[i], node, rest, &rise_re, &rise_im);
        store_pair(re, i, rise_re);
        store_pair(im, i, rise_im);
    }
    if (m->halved) undo_halvings(m, re, im);
    UNROLL
    for (int i = 0; i < n_groups; i++) {
        const ic_pair a = pair_of(re, i), b = pair_of(im, i);
        const ic_pair y_re = pair_of(w->y_re, i), y_im = pair_of(w->y_im, i);
        store_pair(re, i, y_re * a - y_im * b);
        store_pair(im, i, y_re * b + y_im * a);
    }
    for (int j = 0; j < m->n_rows; j++) {
        ic_pair sum = {0};
        if (m->moving.n > 0) sum = s * (pair_of(w->drift[0], j) + s * pair_of(w->drift[1], j));
        UNROLL
        for (int c = 0; c < terms_of(n_groups); c++)
            sum += m->terms[c].right_re[j] * re[c] - m->terms[c].right_im[j] * im[c];
        store_pair(z, j, pair_of(w->start, j) + sum);
    }
}

static ALWAYS_INLINE void follow_window(const ic_window_table *table, ic_window *window, const int n_groups)
{
    follower f;
    const double end = least_of(window->limit, IC_WINDOW_PARTS * table->h);
    compute_coordinates(&f, table, window, n_groups);
    for (int i = 0; i < table->n_guards; i++) compute_trace(&f, i, n_groups);
    const int outcome = search_parts(&f, n_groups);
    if (outcome == IC_WINDOW_DOUBT) return;
    const double s = outcome >= 0 ? locate_zero(&f, outcome, n_groups) : end;
    /* another guard might fire within `least`, in the next part */
    if (!(s <= end) && outcome < 0) return;
    if (outcome >= 0 && !(s < f.found.high - 2 * window->least)) return;
    window->outcome = outcome >= 0 && s <= window->limit ? outcome : IC_WINDOW_STOP;
    window->s = least_of(s, end);
    memcpy(window->start, window->z, sizeof window->start);
    compute_state(table, window, window->s, window->z, n_groups);
    for (int i = 0; i < table->n_guards; i++) window->order[i] = 0;
}

/* ---- copies for each number of groups */

void ic_window_state(const ic_window_table *table, const ic_window *window, double s, double *z)
{
    switch (table->n_groups) {
    case 1: compute_state(table, window, s, z, 1); break;
    case 2: compute_state(table, window, s, z, 2); break;
    default: compute_state(table, window, s, z, IC_WINDOW_GROUPS); break;
    }
}

void ic_window_follow(const ic_window_table *table, ic_window *window)
{
    window->outcome = IC_WINDOW_DOUBT;
    for (int i = 0; i < table->n_guards; i++) {
        if (window->side[i] == 0 || window->order[i] > 2) return;
    }
    switch (table->n_groups) {
    case 1: follow_window(table, window, 1); break;
    case 2: follow_window(table, window, 2); break;
    default: follow_window(table, window, IC_WINDOW_GROUPS); break;
    }
}
