/* SPDX-License-Identifier: MIT */
#include "solvers/linear/windows.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Parts are halved this often at most, as a power of 2. */
#define SHORTEST_PART 0x1p-40
/* Halley's iteration ends with a step of this part of h: it is nearly cubic, so what is left is far
   below rounding. */
#define LAST_STEP 1e-6
/* Rounding error of a form over the sum of its terms: a touch cannot be told by it from a pair of
   crossings. */
#define NOISE 0x1p-48
/* A series is taken about a node that is within this part of h. */
#define NEAR_NODE 0.6
/* A zero may stand this part of h beside the part in which it was proved, by rounding. */
#define SLACK 1e-9

enum { ITERATIONS = 8, FIRST_TERMS = 6 };

/* Room for coordinates in pairs. */
enum { ROOM = IC_WINDOW_GROUPS * IC_WINDOW_LANES };

typedef int64_t mask __attribute__((vector_size(sizeof(ic_pair))));

/*
 * A form along the window: p0 + p1 s + p2 s^2 + Re sum of a_c (e^{lambda_c s} - 1). As increments
 * over its value at the start: what rounds off between z and the coordinates counts as little as
 * the window is short.
 */
typedef struct trace {
    double re[ROOM], im[ROOM];
    double p[3];
    double bend;  /* bound of |g''| */
    double noise; /* of a value, by rounding */
} trace;

/* What a part's look has to decide on. */
typedef struct part {
    double low, high;
    int node; /* the number of the node at its low end where the part is whole, else -1 */
    double at_low[IC_WINDOW_GUARDS], at_high[IC_WINDOW_GUARDS];
} part;

typedef struct follower {
    const ic_window_table *m;
    ic_window *w;
    double y_re[ROOM], y_im[ROOM];   /* coordinates at the start */
    double drift[2][IC_WINDOW_ROOM]; /* what z moves by in s and s^2, besides the terms */
    trace forms[IC_WINDOW_FORMS];
    part found; /* where the guard `outcome` fires */
} follower;

/* ---- pairs */

static inline ic_pair pair_at(const double *x)
{
    ic_pair pair;
    memcpy(&pair, x, sizeof pair);
    return pair;
}

static inline void put(double *x, ic_pair pair)
{
    memcpy(x, &pair, sizeof pair);
}

/* The i-th pair of numbers in a row. */
static inline ic_pair pair_of(const double *x, int i)
{
    return pair_at(x + (ptrdiff_t)IC_WINDOW_LANES * i);
}

static inline void put_pair(double *x, int i, ic_pair pair)
{
    put(x + (ptrdiff_t)IC_WINDOW_LANES * i, pair);
}

static inline double total(ic_pair x)
{
    return x[0] + x[1];
}

static inline ic_pair modulus(ic_pair re, ic_pair im)
{
    const mask no_sign = {INT64_MAX, INT64_MAX};
    return (ic_pair)((mask)re & no_sign) + (ic_pair)((mask)im & no_sign);
}

/* ---- coordinates and traces */

static void take_drift(follower *f)
{
    const ic_window_table *m = f->m;
    for (int g = 0; g < m->n_rows; g++) {
        ic_pair first = {0}, second = {0};
        for (int k = 0; k < m->moving.n; k++) {
            const int j = m->moving.at[k];
            first += m->drift[0][j][g] * f->w->z[j];
            second += m->drift[1][j][g] * f->w->z[j];
        }
        put_pair(f->drift[0], g, first);
        put_pair(f->drift[1], g, second);
    }
}

/* A follower is long: of it only what is read is filled. */
static void take_coordinates(follower *f, const ic_window_table *m, ic_window *window)
{
    const double *z = window->z;
    f->m = m;
    f->w = window;
    for (int g = 0; g < m->n_groups; g++) {
        const ic_window_group *group = &m->groups[g];
        ic_pair re = group->left_re[0] * z[0], im = group->left_im[0] * z[0];
        for (int j = 1; j < m->columns; j++) {
            re += group->left_re[j] * z[j];
            im += group->left_im[j] * z[j];
        }
        put_pair(f->y_re, g, re);
        put_pair(f->y_im, g, im);
    }
    if (m->moving.n > 0) take_drift(f);
}

static void take_trace(follower *f, int which)
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
        first += form->row[j] * f->drift[0][j];
        second += form->row[j] * f->drift[1][j];
    }
    for (int i = 0; i < m->n_groups; i++) {
        const ic_pair y_re = pair_of(f->y_re, i), y_im = pair_of(f->y_im, i);
        const ic_pair re = form->re[i] * y_re - form->im[i] * y_im,
                      im = form->re[i] * y_im + form->im[i] * y_re;
        put_pair(g->re, i, re);
        put_pair(g->im, i, im);
        sizes += modulus(re, im);
        bends += modulus(re, im) * m->groups[i].square;
    }
    g->p[0] = value;
    g->p[1] = first;
    g->p[2] = second;
    g->bend = 2 * fabs(g->p[2]) + total(bends);
    g->noise = NOISE * (size + total(sizes));
}

static double polynomial(const double p[3], double s)
{
    return p[0] + s * (p[1] + s * p[2]);
}

/* s as a node and the rest, which is half a part to either side. */
static inline int nearest_node(const ic_window_table *m, double s, double *rest)
{
    const double nearest = s * m->frequency + 0.5;
    const int k = nearest < IC_WINDOW_PARTS ? (int)nearest : IC_WINDOW_PARTS;
    *rest = s - k * m->h;
    return k;
}

/*
 * e^{lambda s} - 1 of two terms, for their lambdas halved as the tables are, at d from node k: even
 * and odd powers apart, two short chains for a long one.
 */
static inline void take_rises(const ic_window_group *group, int k, double d, ic_pair *rise_re, ic_pair *rise_im)
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
    /* from the node on */
    re = d * (odd_re * dd + group->series_re[1] + d * re);
    im = d * (odd_im * dd + group->series_im[1] + d * im);
    *rise_re = group->rise_re[k] + (group->node_re[k] * re - group->node_im[k] * im);
    *rise_im = group->rise_im[k] + (group->node_re[k] * im + group->node_im[k] * re);
}

static double value_at(const follower *f, int which, double s)
{
    const trace *g = &f->forms[which];
    double rest = 0;
    const int node = nearest_node(f->m, s, &rest);
    ic_pair sum = {0}, re, im;
    for (int i = 0; i < f->m->n_groups; i++) {
        take_rises(&f->m->groups[i], node, rest, &re, &im);
        sum += pair_of(g->re, i) * re - pair_of(g->im, i) * im;
    }
    return polynomial(g->p, s) + total(sum);
}

static double value_at_node(const follower *f, int which, int node)
{
    const trace *g = &f->forms[which];
    ic_pair sum = {0};
    for (int i = 0; i < f->m->n_groups; i++) {
        const ic_window_group *group = &f->m->groups[i];
        sum += pair_of(g->re, i) * group->rise_re[node] - pair_of(g->im, i) * group->rise_im[node];
    }
    return polynomial(g->p, node * f->m->h) + total(sum);
}

/* Values at the two nodes after `node`. */
static inline ic_pair values_after(const follower *f, int which, int node)
{
    const ic_pattern *terms = &f->m->forms[which].terms;
    const trace *g = &f->forms[which];
    const ic_pair s = ((double)node + (ic_pair){1, 2}) * f->m->h;
    ic_pair sum = g->p[0] + s * (g->p[1] + s * g->p[2]);
    for (int k = 0; k < terms->n; k++) {
        const int c = terms->at[k];
        const ic_window_term *term = &f->m->terms[c];
        sum += g->re[c] * pair_at(&term->rise_re[node + 1]) - g->im[c] * pair_at(&term->rise_im[node + 1]);
    }
    return sum;
}

/* ---- what a guard does in a part */

enum { UNDECIDED, STAYS, PASSES, FIRES };

/* Whether a guard stays on its side up to s, from a zero at the start. */
static bool departs(const follower *f, int which, double s)
{
    const trace *g = &f->forms[which];
    ic_pair rates = {0}, bends = {0}, thirds = {0};
    for (int i = 0; i < f->m->n_groups; i++) {
        const ic_window_group *group = &f->m->groups[i];
        const ic_pair re = pair_of(g->re, i), im = pair_of(g->im, i);
        rates += re * group->first_re - im * group->first_im;
        bends += re * group->second_re - im * group->second_im;
        thirds += modulus(re, im) * group->cube;
    }
    if (f->w->order[which] == 1) return f->w->side[which] * (g->p[1] + total(rates)) > s / 2 * g->bend;
    return f->w->side[which] * (2 * g->p[2] + total(bends)) > s / 3 * total(thirds);
}

/* A guard that passes in its direction: whether it is enabled there. */
static int judge_condition(follower *f, const part *at, int i)
{
    const int e = f->m->condition[i], k = at->node;
    if (e < 0) return FIRES;
    take_trace(f, e);
    const double h = at->high - at->low, margin = f->forms[e].bend * h * h / 8;
    const double low = k >= 0 ? value_at_node(f, e, k) : value_at(f, e, at->low);
    const double high = k >= 0 ? value_at_node(f, e, k + 1) : value_at(f, e, at->high);
    if (fmin(low, high) > margin) return FIRES;
    return fmax(low, high) < -margin ? PASSES : UNDECIDED;
}

static int judge(follower *f, const part *at, int i)
{
    const double h = at->high - at->low, bend = f->forms[i].bend * h * h, low = at->at_low[i],
                 high = at->at_high[i];
    const int side = f->w->side[i], direction = f->m->direction[i];
    const double noise = f->forms[i].noise;
    const bool passes = high * side <= 0, steady = fabs(high - low) > bend / 2 + 2 * noise;
    if (at->low == 0 && f->w->order[i] > 0) return !passes && departs(f, i, h) ? STAYS : UNDECIDED;
    if (at->low == 0 && low * side <= 0) return UNDECIDED;
    if (!passes) return steady || fmin(fabs(low), fabs(high)) > bend / 8 + noise ? STAYS : UNDECIDED;
    if (!steady) return UNDECIDED;
    return direction == 0 || direction == -side ? judge_condition(f, at, i) : PASSES;
}

/* What happens in a part: the guard that fires, IC_WINDOW_STOP for none, or IC_WINDOW_DOUBT. Sides
   follow. */
static int judge_all(follower *f, const part *at)
{
    int does[IC_WINDOW_GUARDS], fires = IC_WINDOW_STOP;
    for (int i = 0; i < f->m->n_guards; i++) {
        does[i] = judge(f, at, i);
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

/* From a node on by parts that are halved where they are not decided. */
static int halve(follower *f, int node)
{
    const double h = f->m->h, end = fmin(f->w->limit, IC_WINDOW_PARTS * h);
    const double shortest = fmax(SHORTEST_PART * h, 4 * f->w->least);
    part at = {.low = node * h, .node = -1};
    for (int i = 0; i < f->m->n_guards; i++) at.at_low[i] = value_at(f, i, at.low);
    for (double width = h / 2; at.low < end;) {
        at.high = fmin(at.low + width, IC_WINDOW_PARTS * h);
        for (int i = 0; i < f->m->n_guards; i++) at.at_high[i] = value_at(f, i, at.high);
        f->w->evaluations += f->m->n_guards;
        const int outcome = judge_all(f, &at);
        if (outcome == IC_WINDOW_DOUBT && width / 2 > shortest) {
            width /= 2;
            continue;
        }
        f->found = at;
        if (outcome != IC_WINDOW_STOP) return outcome;
        at.low = at.high;
        memcpy(at.at_low, at.at_high, sizeof at.at_low);
        width = fmin(2 * width, h);
    }
    return IC_WINDOW_STOP;
}

/* Of two parts, those that are clear: a guard's values at both ends are of its side, and as judge()
   asks. */
static inline mask clear_parts(const follower *f, int i, ic_pair low, ic_pair high)
{
    const double hh = f->m->h * f->m->h, side = f->w->side[i];
    const double apart = f->forms[i].bend * hh / 8 + f->forms[i].noise;
    const ic_pair change = high - low;
    const mask steady = (change > 4 * apart) | (change < -4 * apart);
    low *= side;
    high *= side;
    return ((low > apart) & (high > apart)) | ((low > 0) & (high > 0) & steady);
}

static bool any_order(const follower *f)
{
    int orders = 0;
    for (int i = 0; i < f->m->n_guards; i++) orders |= f->w->order[i];
    return orders > 0;
}

/* The two parts from a node on: values at their ends, and which are clear. */
static inline mask look(const follower *f, double values[][IC_WINDOW_PARTS + 1], int node)
{
    mask clear = {node == 0 && any_order(f) ? 0 : -1, -1};
    for (int i = 0; i < f->m->n_guards; i++) {
        const ic_pair high = values_after(f, i, node);
        const ic_pair low = {values[i][node], high[0]};
        put(&values[i][node + 1], high);
        clear &= clear_parts(f, i, low, high);
    }
    f->w->evaluations += IC_WINDOW_LANES * f->m->n_guards;
    return clear;
}

static void take_part(follower *f, double values[][IC_WINDOW_PARTS + 1], int node)
{
    part *at = &f->found;
    at->low = node * f->m->h;
    at->high = (node + 1) * f->m->h;
    at->node = node;
    for (int i = 0; i < f->m->n_guards; i++) {
        at->at_low[i] = values[i][node];
        at->at_high[i] = values[i][node + 1];
    }
}

static int search(follower *f)
{
    double values[IC_WINDOW_GUARDS][IC_WINDOW_PARTS + 1];
    for (int i = 0; i < f->m->n_guards; i++) values[i][0] = f->forms[i].p[0];
    for (int k = 0; k < IC_WINDOW_PARTS && k * f->m->h < f->w->limit; k += IC_WINDOW_LANES) {
        const mask clear = look(f, values, k);
        for (int i = 0; i < IC_WINDOW_LANES; i++) {
            if (clear[i]) continue;
            take_part(f, values, k + i);
            const int outcome = judge_all(f, &f->found);
            if (outcome == IC_WINDOW_DOUBT) return halve(f, k + i);
            if (outcome >= 0) return outcome;
        }
    }
    return IC_WINDOW_STOP;
}

/* ---- the zero of the guard that fires */

/* Taylor's series of a guard about a node. */
static void take_series(double series[IC_WINDOW_SERIES], const follower *f, int which, int node)
{
    const double s = node * f->m->h;
    const trace *g = &f->forms[which];
    const ic_pattern *terms = &f->m->forms[which].terms;
    double re[ROOM] = {0}, im[ROOM] = {0};
    for (int i = 0; i < f->m->n_groups; i++) {
        const ic_window_group *group = &f->m->groups[i];
        const ic_pair a = pair_of(g->re, i), b = pair_of(g->im, i);
        put_pair(re, i, a * group->node_re[node] - b * group->node_im[node]);
        put_pair(im, i, a * group->node_im[node] + b * group->node_re[node]);
    }
    for (int j = 0; j < IC_WINDOW_BLOCKS; j++) {
        ic_pair sum = {0};
        for (int k = 0; k < terms->n; k++) {
            const ic_window_term *term = &f->m->terms[terms->at[k]];
            sum += re[terms->at[k]] * term->series_re[j] - im[terms->at[k]] * term->series_im[j];
        }
        put_pair(series, j, sum);
    }
    series[0] = value_at_node(f, which, node);
    series[1] += g->p[1] + 2 * s * g->p[2];
    series[2] += g->p[2];
}

/* The sum of c_j d^j of the first `terms` ones, even: two chains. */
static inline double horner(const double *c, int terms, double d)
{
    const double dd = d * d;
    double even = c[terms - 2], odd = c[terms - 1];
    for (int j = terms - 4; j >= 0; j -= 2) {
        even = even * dd + c[j];
        odd = odd * dd + c[j + 1];
    }
    return even + d * odd;
}

/* Halley's step from d, with `terms` terms of the value; nearly: with six of its rate and three of
   its bend. */
static inline double halley(const double *series, int terms, double d)
{
    const double dd = d * d, g = horner(series, terms, d);
    const double slope = series[1] + dd * (3 * series[3] + dd * (5 * series[5])) +
                         d * (2 * series[2] + dd * (4 * series[4] + dd * (6 * series[6])));
    const double half_bend = series[2] + d * (3 * series[3] + 6 * d * series[4]);
    return -g * slope / (slope * slope - g * half_bend);
}

/* s, or NAN: where it was proved there is none by this. */
static double locate(const follower *f, int which)
{
    const part *at = &f->found;
    const double p = at->at_low[which], c = at->at_high[which], h = f->m->h;
    const double secant = at->low + (at->high - at->low) * p / (p - c);
    double series[IC_WINDOW_SERIES], s = secant;
    for (int again = 0; again < 2; again++) {
        double d = 0;
        const int node = nearest_node(f->m, s, &d);
        take_series(series, f, which, node);
        d += halley(series, FIRST_TERMS, d);
        for (int i = 0; i < ITERATIONS; i++) {
            const double step = halley(series, IC_WINDOW_SERIES, d);
            d += step;
            if (fabs(step) <= LAST_STEP * h) break;
        }
        s = fmax(node * h + d, 0);
        if (!(s >= at->low - SLACK * h && s <= at->high + SLACK * h)) return NAN;
        /* the secant's end may be nearer to another node than the zero is */
        if (fabs(d) <= NEAR_NODE * h) break;
    }
    return s;
}

/* ---- the end */

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

/* How much the coordinates have changed at s. */
static inline void take_increments(const follower *f, double s, double *re, double *im)
{
    const ic_window_table *m = f->m;
    double rest = 0;
    const int node = nearest_node(m, s, &rest);
    ic_pair rise_re, rise_im;
    for (int i = 0; i < m->n_groups; i++) {
        take_rises(&m->groups[i], node, rest, &rise_re, &rise_im);
        put_pair(re, i, rise_re);
        put_pair(im, i, rise_im);
    }
    if (m->halved) undo_halvings(m, re, im);
    for (int i = 0; i < m->n_groups; i++) {
        const ic_pair a = pair_of(re, i), b = pair_of(im, i);
        const ic_pair y_re = pair_of(f->y_re, i), y_im = pair_of(f->y_im, i);
        put_pair(re, i, y_re * a - y_im * b);
        put_pair(im, i, y_re * b + y_im * a);
    }
}

static void land(follower *f, double s)
{
    const ic_window_table *m = f->m;
    double re[ROOM] = {0}, im[ROOM] = {0};
    take_increments(f, s, re, im);
    for (int j = 0; j < m->n_rows; j++) {
        ic_pair sum = {0};
        if (m->moving.n > 0) sum = s * (pair_of(f->drift[0], j) + s * pair_of(f->drift[1], j));
        for (int c = 0; c < m->n_terms; c++)
            sum += m->terms[c].right_re[j] * re[c] - m->terms[c].right_im[j] * im[c];
        put_pair(f->w->z, j, pair_of(f->w->z, j) + sum);
    }
    f->w->s = s;
    for (int i = 0; i < m->n_guards; i++) f->w->order[i] = 0;
}

static bool knows_its_sides(const ic_window *window, int n_guards)
{
    for (int i = 0; i < n_guards; i++) {
        if (window->side[i] == 0 || window->order[i] > 2) return false;
    }
    return true;
}

void ic_window_follow(const ic_window_table *table, ic_window *window)
{
    follower f;
    const double end = fmin(window->limit, IC_WINDOW_PARTS * table->h);
    window->outcome = IC_WINDOW_DOUBT;
    if (!knows_its_sides(window, table->n_guards)) return;
    take_coordinates(&f, table, window);
    for (int i = 0; i < table->n_guards; i++) take_trace(&f, i);
    const int outcome = search(&f);
    if (outcome == IC_WINDOW_DOUBT) return;
    const double s = outcome >= 0 ? locate(&f, outcome) : end;
    /* another guard might fire within `least`, in the next part */
    if (!(s <= end) && outcome < 0) return;
    if (outcome >= 0 && !(s < f.found.high - 2 * window->least)) return;
    window->outcome = outcome >= 0 && s <= window->limit ? outcome : IC_WINDOW_STOP;
    land(&f, fmin(s, end));
}
