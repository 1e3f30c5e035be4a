/* SPDX-License-Identifier: MIT */
#include "core/window_table.h"

#include <math.h>
#include <string.h>

/* Parts are halved this often at most, as a power of 2. */
#define SHORTEST_PART 0x1p-40
/* Halley's iteration ends with a step of this part of h: it is nearly cubic, so what is left is far below rounding. */
#define LAST_STEP 1e-7
/* Rounding error of a form over the sum of its terms: a touch cannot be told by it from a pair of crossings. */
#define NOISE 0x1p-48
/* A series is taken about a node that is within this part of h. */
#define NEAR_NODE 0.6
/* A zero may stand this part of h beside the part in which it was proved, by rounding. */
#define SLACK 1e-9

enum { ITERATIONS = 8 };

/*
 * A form along the window: p0 + p1 s + p2 s^2 + Re sum of a_c (e^{lambda_c s} - 1). As increments over its value at the start: what rounds
 * off between z and the coordinates counts as little as the window is short.
 */
typedef struct trace {
    double re[IC_WINDOW_TERMS], im[IC_WINDOW_TERMS];
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
    double y_re[IC_WINDOW_TERMS], y_im[IC_WINDOW_TERMS], q[3][IC_WINDOW_ZEROS]; /* coordinates at the start */
    trace forms[IC_WINDOW_FORMS];
    part found; /* where the guard `outcome` fires */
} follower;

/* ---- coordinates and traces */

static void take_coordinates(follower *f)
{
    const ic_window_table *m = f->m;
    const double *z = f->w->z;
    for (int c = 0; c < m->n_terms; c++) {
        const ic_window_term *term = &m->terms[c];
        double re = 0, im = 0;
        for (int k = 0; k < term->columns.n; k++) {
            const int j = term->columns.at[k];
            re += term->left_re[j] * z[j];
            im += term->left_im[j] * z[j];
        }
        f->y_re[c] = re;
        f->y_im[c] = im;
    }
    for (int i = 0; i < m->n_zeros; i++) {
        double sum = 0;
        for (int k = 0; k < m->zero_columns[i].n; k++)
            sum += m->zero_left[i][m->zero_columns[i].at[k]] * z[m->zero_columns[i].at[k]];
        f->q[0][i] = sum;
    }
    for (int i = 0; i < m->n_zeros; i++) {
        double first = 0, second = 0;
        for (int k = 0; k < m->coupled[i].n; k++) {
            const int j = m->coupled[i].at[k];
            first += m->first[i][j] * f->q[0][j];
            second += m->second[i][j] * f->q[0][j];
        }
        f->q[1][i] = first;
        f->q[2][i] = second;
    }
}

static void take_trace(follower *f, int which)
{
    const ic_window_table *m = f->m;
    const ic_window_form *form = &m->forms[which];
    trace *g = &f->forms[which];
    double size = 0;
    g->p[0] = 0;
    for (int k = 0; k < form->columns.n; k++) {
        const double part = form->row[form->columns.at[k]] * f->w->z[form->columns.at[k]];
        g->p[0] += part;
        size += fabs(part);
    }
    for (int j = 1; j < 3; j++) {
        g->p[j] = 0;
        for (int i = 0; i < m->n_zeros; i++) g->p[j] += form->zero[i] * f->q[j][i];
    }
    g->bend = 2 * fabs(g->p[2]);
    for (int k = 0; k < form->terms.n; k++) {
        const int c = form->terms.at[k];
        g->re[c] = form->re[c] * f->y_re[c] - form->im[c] * f->y_im[c];
        g->im[c] = form->re[c] * f->y_im[c] + form->im[c] * f->y_re[c];
        const double modulus = fabs(g->re[c]) + fabs(g->im[c]);
        size += modulus;
        g->bend += modulus * m->terms[c].square;
    }
    g->noise = NOISE * size;
}

static double polynomial(const double p[3], double s)
{
    return p[0] + s * (p[1] + s * p[2]);
}

/* e^{lambda s} - 1: the even and the odd powers apart, two short chains for a long one. */
static inline ic_complex rise(const ic_window_table *m, const ic_window_term *term, double s)
{
    const double nearest = s / m->h + 0.5;
    const int k = nearest < IC_WINDOW_PARTS ? (int)nearest : IC_WINDOW_PARTS;
    const double d = s - k * m->h, dd = d * d;
    double re = term->series_re[IC_WINDOW_SERIES - 2], im = term->series_im[IC_WINDOW_SERIES - 2];
    double odd_re = term->series_re[IC_WINDOW_SERIES - 1], odd_im = term->series_im[IC_WINDOW_SERIES - 1];
    for (int j = IC_WINDOW_SERIES - 4; j >= 2; j -= 2) {
        re = re * dd + term->series_re[j];
        im = im * dd + term->series_im[j];
        odd_re = odd_re * dd + term->series_re[j + 1];
        odd_im = odd_im * dd + term->series_im[j + 1];
    }
    /* from the node on */
    re = d * (odd_re * dd + term->series_re[1] + d * re);
    im = d * (odd_im * dd + term->series_im[1] + d * im);
    return (ic_complex){term->rise_re[k] + (term->node_re[k] * re - term->node_im[k] * im),
                        term->rise_im[k] + (term->node_re[k] * im + term->node_im[k] * re)};
}

static double value_at(const follower *f, int which, double s)
{
    const ic_pattern *terms = &f->m->forms[which].terms;
    const trace *g = &f->forms[which];
    double value = polynomial(g->p, s);
    for (int k = 0; k < terms->n; k++) {
        const int c = terms->at[k];
        const ic_complex e = rise(f->m, &f->m->terms[c], s);
        value += g->re[c] * e.re - g->im[c] * e.im;
    }
    return value;
}

static double value_at_node(const follower *f, int which, int node)
{
    const ic_pattern *terms = &f->m->forms[which].terms;
    const trace *g = &f->forms[which];
    double value = polynomial(g->p, node * f->m->h);
    for (int k = 0; k < terms->n; k++) {
        const int c = terms->at[k];
        value += g->re[c] * f->m->terms[c].rise_re[node] - g->im[c] * f->m->terms[c].rise_im[node];
    }
    return value;
}

typedef double four __attribute__((vector_size(4 * sizeof(double))));

/* Values at the four nodes after `node`. */
static inline void values_at_nodes(double *values, const follower *f, int which, int node)
{
    const ic_pattern *terms = &f->m->forms[which].terms;
    const trace *g = &f->forms[which];
    const four s = ((double)node + (four){1, 2, 3, 4}) * f->m->h;
    four sum = g->p[0] + s * (g->p[1] + s * g->p[2]);
    for (int k = 0; k < terms->n; k++) {
        const int c = terms->at[k];
        four re, im;
        memcpy(&re, &f->m->terms[c].rise_re[node + 1], sizeof re);
        memcpy(&im, &f->m->terms[c].rise_im[node + 1], sizeof im);
        sum += g->re[c] * re - g->im[c] * im;
    }
    memcpy(values, &sum, sizeof sum);
}

/* ---- what a guard does in a part */

enum { UNDECIDED, STAYS, PASSES, FIRES };

/* Whether a guard stays on its side up to s, from a zero at the start. */
static bool departs(const follower *f, int i, double s)
{
    const trace *g = &f->forms[i];
    const ic_pattern *terms = &f->m->forms[i].terms;
    double rate = g->p[1], bend = 2 * g->p[2], third = 0;
    for (int k = 0; k < terms->n; k++) {
        const int c = terms->at[k];
        const ic_complex lambda = f->m->terms[c].lambda;
        rate += g->re[c] * lambda.re - g->im[c] * lambda.im;
        bend +=
            g->re[c] * (lambda.re * lambda.re - lambda.im * lambda.im) - 2 * g->im[c] * lambda.re * lambda.im;
        third += (fabs(g->re[c]) + fabs(g->im[c])) * f->m->terms[c].cube;
    }
    if (f->w->order[i] == 1) return f->w->side[i] * rate > s / 2 * g->bend;
    return f->w->side[i] * bend > s / 3 * third;
}

/* A guard that passes in its direction: whether it is enabled there. */
static int judge_condition(const follower *f, const part *at, int i)
{
    const int e = f->m->condition[i], k = at->node;
    if (e < 0) return FIRES;
    const double h = at->high - at->low, margin = f->forms[e].bend * h * h / 8;
    const double low = k >= 0 ? value_at_node(f, e, k) : value_at(f, e, at->low);
    const double high = k >= 0 ? value_at_node(f, e, k + 1) : value_at(f, e, at->high);
    if (fmin(low, high) > margin) return FIRES;
    return fmax(low, high) < -margin ? PASSES : UNDECIDED;
}

static int judge(const follower *f, const part *at, int i)
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

/* What happens in a part: the guard that fires, IC_WINDOW_STOP for none, or IC_WINDOW_DOUBT. Sides follow. */
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

/* Whether all guards stay clear of zero over four parts, by their values at the five nodes. */
static bool all_clear(const follower *f, const double values[][IC_WINDOW_PARTS + 1], int node)
{
    const double hh = f->m->h * f->m->h;
    for (int i = 0; i < f->m->n_guards; i++) {
        const double apart = f->forms[i].bend * hh / 8;
        for (int k = node; k <= node + 4; k++) {
            if (!(f->w->side[i] * values[i][k] > apart)) return false;
        }
    }
    return true;
}

static int search(follower *f)
{
    const double h = f->m->h, limit = f->w->limit;
    double values[IC_WINDOW_GUARDS][IC_WINDOW_PARTS + 1] = {{0}};
    bool clear = false;
    for (int i = 0; i < f->m->n_guards; i++) values[i][0] = value_at_node(f, i, 0);
    for (int k = 0; k < IC_WINDOW_PARTS && k * h < limit; k++) {
        if (k % 4 == 0) {
            for (int i = 0; i < f->m->n_guards; i++) values_at_nodes(&values[i][k + 1], f, i, k);
            f->w->evaluations += 4 * f->m->n_guards;
            clear = all_clear(f, (const double(*)[IC_WINDOW_PARTS + 1]) values, k);
        }
        if (clear) continue;
        part at = {.low = k * h, .high = (k + 1) * h, .node = k};
        for (int i = 0; i < f->m->n_guards; i++) {
            at.at_low[i] = values[i][k];
            at.at_high[i] = values[i][k + 1];
        }
        const int outcome = judge_all(f, &at);
        if (outcome == IC_WINDOW_DOUBT) return halve(f, k);
        f->found = at;
        if (outcome >= 0) return outcome;
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
    memset(series, 0, IC_WINDOW_SERIES * sizeof *series);
    series[1] = g->p[1] + 2 * s * g->p[2];
    series[2] = g->p[2];
    for (int k = 0; k < terms->n; k++) {
        const int c = terms->at[k];
        const ic_window_term *term = &f->m->terms[c];
        const double re = g->re[c] * term->node_re[node] - g->im[c] * term->node_im[node];
        const double im = g->re[c] * term->node_im[node] + g->im[c] * term->node_re[node];
        for (int j = 1; j < IC_WINDOW_SERIES; j++)
            series[j] += re * term->series_re[j] - im * term->series_im[j];
    }
    series[0] = value_at_node(f, which, node);
}

/* Halley's step from d, with `terms` terms of the value and its rate, even. */
static double halley(const double *series, int terms, double d)
{
    const double dd = d * d;
    double even = series[terms - 2], odd = series[terms - 1], rate = (terms - 1) * odd,
           odd_rate = (terms - 2) * even;
    for (int j = terms - 4; j >= 0; j -= 2) {
        even = even * dd + series[j];
        odd = odd * dd + series[j + 1];
        rate = rate * dd + (j + 1) * series[j + 1];
        if (j > 0) odd_rate = odd_rate * dd + j * series[j];
    }
    const double g = even + d * odd, slope = rate + d * odd_rate;
    const double half_bend = series[2] + d * (3 * series[3] + 6 * d * series[4]); /* nearly */
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
        const int node = (int)(s / h + 0.5);
        double d = s - node * h;
        take_series(series, f, which, node);
        d += halley(series, 4, d);
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

static void land(follower *f, double s)
{
    const ic_window_table *m = f->m;
    double re[IC_WINDOW_TERMS] = {0}, im[IC_WINDOW_TERMS] = {0}, q[IC_WINDOW_ZEROS] = {0};
    for (int c = 0; c < m->n_terms; c++) {
        const ic_complex e =
            m->terms[c].tabled ? rise(m, &m->terms[c], s) : ic_window_rise(m->terms[c].lambda, s);
        re[c] = f->y_re[c] * e.re - f->y_im[c] * e.im;
        im[c] = f->y_re[c] * e.im + f->y_im[c] * e.re;
    }
    for (int i = 0; i < m->n_zeros; i++) q[i] = s * (f->q[1][i] + s * f->q[2][i]);
    for (int j = 0; j < m->columns; j++) {
        double sum = 0;
        for (int k = 0; k < m->row_zeros[j].n; k++)
            sum += m->zero_right[j][m->row_zeros[j].at[k]] * q[m->row_zeros[j].at[k]];
        for (int k = 0; k < m->row_terms[j].n; k++) {
            const int c = m->row_terms[j].at[k];
            sum += m->terms[c].right_re[j] * re[c] - m->terms[c].right_im[j] * im[c];
        }
        f->w->z[j] += sum;
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
    follower f = {.m = table, .w = window};
    const double end = fmin(window->limit, IC_WINDOW_PARTS * table->h);
    window->outcome = IC_WINDOW_DOUBT;
    if (!knows_its_sides(window, table->n_guards)) return;
    take_coordinates(&f);
    for (int i = 0; i < table->n_forms; i++) take_trace(&f, i);
    const int outcome = search(&f);
    if (outcome == IC_WINDOW_DOUBT) return;
    const double s = outcome >= 0 ? locate(&f, outcome) : end;
    /* another guard might fire within `least`, in the next part */
    if (!(s <= end) && outcome < 0) return;
    if (outcome >= 0 && !(s < f.found.high - 2 * window->least)) return;
    window->outcome = outcome >= 0 && s <= window->limit ? outcome : IC_WINDOW_STOP;
    land(&f, fmin(s, end));
}
