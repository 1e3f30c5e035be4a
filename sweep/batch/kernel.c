/* SPDX-License-Identifier: MIT */
/*
 * The kernel: solves the lanes of a vector together (sweep/batch/batch.h has the method). Compiled
 * once for each width, with IC_VECTOR_BYTES and IC_KERNEL_SYMBOL (tools/ImpactcheckRooms.cmake).
 */
#include "sweep/batch/batch.h"
#include "sweep/batch/lane_search.h"
#include "sweep/batch/vectors.h"
#include "sweep/functions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Halley's method converges cubically: after a step of u as short as this, it has converged. */
#define LAST_STEP 1e-8
/* A guard that is zero at the start of a part remains so at a stop within this distance. */
#define AT_START 1e-6
/* With more events than this in a period, the lane is left to the solver. */
#define MOST_EVENTS 1000.0

/* Functions that make rows, once for each mode that a lane enters: copies of them are half of the time to compile. */
#ifdef __AVX__
#define ROWS_INLINE ALWAYS_INLINE
#else
#define ROWS_INLINE __attribute__((noinline))
#endif

enum { ITERATIONS = 12, TERMS = IC_BATCH_TERMS };
/* nodes to which z is not carried: guards there are rows times z at the first one */
enum { NODES = 8 };
/*
 * A leap over two parts is one of the length H = 2 h, with the bound b = B H^2/8. Where guards clear it by this factor,
 * both parts would be clear too, so that no result depends on whether lanes leap: their bounds are at most 5/16 b, a
 * guard is nearer to zero by at most b inside, and changes in each by at least half of its change minus 2 b.
 */
#define LEAP_MARGIN 1.65

typedef struct lane_coefficients IC_BATCH_COEFFICIENTS(vec) lane_coefficients;

/** A jump: rows of states that it leaves as they are; nonzero columns of the others. */
typedef struct kernel_jump {
    bool same[IC_BATCH_STATES];
    pattern columns[IC_BATCH_STATES];
} kernel_jump;

/** Rows that the kernel derives from coefficients when lanes first enter a mode, for z at the start of NODES parts. */
typedef struct kernel_rows {
    bool ready;

    /* number of nodes after the start, and of middles, for which rows have been made */
    int n_nodes, n_middles;

    vec value[NODES + 1][IC_BATCH_GUARDS][IC_BATCH_COLUMNS];
    vec bend[NODES + 1][IC_BATCH_GUARDS][IC_BATCH_COLUMNS];
    vec condition[NODES + 1][IC_BATCH_GUARDS][IC_BATCH_COLUMNS];

    /* bounds: factors of the moduli of z at the start */
    vec fourth[NODES + 1][IC_BATCH_GUARDS][IC_BATCH_STATES + 1];
    vec condition_bend[NODES + 1][IC_BATCH_GUARDS][IC_BATCH_STATES + 1];

    /* e^{M(k + 1/2)h} */
    vec middle[NODES][IC_BATCH_STATES][IC_BATCH_COLUMNS];
    vec cosine[NODES], sine[NODES];

    /* whether a jump depends on the state */
    bool matters[IC_BATCH_STATES];

    kernel_jump jumps[IC_BATCH_GUARDS][IC_BATCH_BRANCHES];
} kernel_rows;

typedef struct kernel_group {
    const ic_batch_shape *shape;
    ic_batch_lane *lanes;

    /* one for each mode */
    lane_coefficients *coefficients;
    kernel_rows *rows;

    /* nonzero columns of each guard's row */
    pattern values[IC_BATCH_MODES][IC_BATCH_GUARDS];

    /* whether the rate of a state is the state after it, up to a factor */
    bool follows[IC_BATCH_MODES][IC_BATCH_STATES];

    int n_lanes;
    vec z[IC_BATCH_COLUMNS];

    /* within the period, with its rounding error */
    vec time, rest;

    /* number of the period */
    vec cycle;

    /* its length */
    vec period;

    /* index of the first period at whose end to stop */
    vec stop_from;

    vec frequency, phase, tie;
    vec side[IC_BATCH_GUARDS], order[IC_BATCH_GUARDS];

    /* number of events in the run, and in this period */
    vec events, crowd;

    /* lanes in which a guard crosses zero between two nodes without an event */
    mask passing[IC_BATCH_GUARDS];
    bool passes;

    vec mode;
    mask running, loaded;
} kernel_group;

/** A part of a phase, in the lanes of one mode. */
typedef struct step_part {
    int mode;
    mask active;

    /* time since the last event or stop, s */
    vec passed;

    /* guards at both ends of the part */
    vec low[IC_BATCH_GUARDS], high[IC_BATCH_GUARDS];

    /* lanes in which a guard has no event in the part, and those in which it crosses */
    mask clear[IC_BATCH_GUARDS], passes[IC_BATCH_GUARDS];

    /* Z_j: Taylor's series of z about the middle of the part, in u */
    vec series[TERMS][IC_BATCH_COLUMNS];

    /* index of the guard that fires, or -1 */
    vec fired;

    /* where it fires */
    vec u;

    /* if no guard fires: side of each at the end of the part */
    vec side_after[IC_BATCH_GUARDS];
} step_part;

/* ---- forcing: cos and sin of frequency time + phase, an angle of a few periods */

static ALWAYS_INLINE void set_forcing(kernel_group *g, mask where, const int n)
{
    vec sine, cosine;
    sine_and_cosine(fused(g->frequency, g->time, g->phase), &sine, &cosine);
    g->z[n + 1] = choose(where, cosine, g->z[n + 1]);
    g->z[n + 2] = choose(where, sine, g->z[n + 2]);
}

/* ---- time */

/* Advances by s with compensated summation. */
static ALWAYS_INLINE void advance_time(kernel_group *g, mask where, vec s)
{
    const vec y = s + g->rest, t = g->time + y, back = t - g->time;
    const vec rest = (g->time - (t - back)) + (y - back);
    g->time = choose(where, t, g->time);
    g->rest = choose(where, rest, g->rest);
}

/* ---- dropped and finished lanes */

static void drop_lanes(kernel_group *g, mask where)
{
    for (int l = 0; l < g->n_lanes; l++) {
        if (where[l] != 0 && g->running[l] != 0) g->lanes[l].outcome = IC_BATCH_LEFT;
    }
    g->running &= ~where;
}

static void finish_lane(kernel_group *g, int l)
{
    ic_batch_lane *lane = &g->lanes[l];
    lane->outcome = IC_BATCH_FINISHED;
    for (int i = 0; i < g->shape->n_states; i++) lane->x[i] = g->z[i][l];
    lane->mode = (int)g->mode[l];
    g->running[l] = 0;
}

/* ---- rows */

/* C17 does not convert arrays of numbers to arrays of constant ones. */
static ALWAYS_INLINE const kernel_rows *as_rows(const kernel_rows *rows)
{
    return rows;
}

/* Row times a matrix, with `one`, and a rotation by cosine and sine, below the rows of the states. */
static ROWS_INLINE void multiply_row(vec *product, const vec *row,
                                     const vec m[IC_BATCH_STATES][IC_BATCH_COLUMNS], double one, vec cosine,
                                     vec sine, const int n)
{
    vec sum[IC_BATCH_COLUMNS];
    UNROLL
    for (int c = 0; c < n; c++) sum[c] = all(0);
    sum[n] = one * row[n];
    sum[n + 1] = fused(row[n + 1], cosine, row[n + 2] * sine);
    sum[n + 2] = fused(row[n + 2], cosine, -(row[n + 1] * sine));
    for (int k = 0; k < n; k++) {
        if (!any(row[k] != 0)) continue;
        UNROLL
        for (int c = 0; c < n + 3; c++) sum[c] = fused(row[k], m[k][c], sum[c]);
    }
    UNROLL
    for (int c = 0; c < n + 3; c++) product[c] = sum[c];
}

/* A bound by the moduli of z one step before. */
static ROWS_INLINE void precede_bound(vec *before, const vec *factors, const lane_coefficients *m, const int n)
{
    vec sum[IC_BATCH_STATES], forced = factors[IC_BATCH_FORCED];
    for (int c = 0; c < n; c++) sum[c] = all(0);
    for (int k = 0; k < n; k++) {
        for (int c = 0; c < n; c++) sum[c] = fused(factors[k], modulus(m->step[k][c]), sum[c]);
        for (int c = n; c < n + 3; c++) forced = fused(factors[k], modulus(m->step[k][c]), forced);
    }
    for (int c = 0; c < n; c++) before[c] = sum[c];
    before[IC_BATCH_FORCED] = forced;
}

/* Makes the rows of node k, after those of the node before. */
static ROWS_INLINE void make_node(kernel_rows *r, const kernel_group *g, int mode, const int n)
{
    const lane_coefficients *m = &g->coefficients[mode];
    const int k = ++r->n_nodes;
    for (int i = 0; i < g->shape->modes[mode].n_guards; i++) {
        multiply_row(r->value[k][i], r->value[k - 1][i], m->step, 1, m->cos_h, m->sin_h, n);
        multiply_row(r->bend[k][i], r->bend[k - 1][i], m->step, 1, m->cos_h, m->sin_h, n);
        precede_bound(r->fourth[k][i], r->fourth[k - 1][i], m, n);
        if (!g->shape->modes[mode].guards[i].conditional) continue;
        multiply_row(r->condition[k][i], r->condition[k - 1][i], m->step, 1, m->cos_h, m->sin_h, n);
        precede_bound(r->condition_bend[k][i], r->condition_bend[k - 1][i], m, n);
    }
}

static ROWS_INLINE void make_middle(kernel_rows *r, const lane_coefficients *m, const int n)
{
    const int k = r->n_middles++;
    if (k == 0) {
        memcpy(r->middle[0], m->half, sizeof m->half);
        r->cosine[0] = m->cos_half;
        r->sine[0] = m->sin_half;
        return;
    }
    for (int i = 0; i < n; i++)
        multiply_row(r->middle[k][i], r->middle[k - 1][i], m->step, 1, m->cos_h, m->sin_h, n);
    r->cosine[k] = fused(r->cosine[k - 1], m->cos_h, -(r->sine[k - 1] * m->sin_h));
    r->sine[k] = fused(r->sine[k - 1], m->cos_h, r->cosine[k - 1] * m->sin_h);
}

static void find_columns(pattern *columns, const vec *row, int n_columns)
{
    columns->n = 0;
    columns->at[0] = 0;
    for (int j = 0; j < n_columns; j++) {
        if (any(row[j] != 0)) columns->at[columns->n++] = j;
    }
}

static bool is_unit_row(const kernel_group *g, const vec *row, int i)
{
    for (int j = 0; j < g->shape->n + 3; j++) {
        if (any((row[j] != (double)(i == j)) & g->loaded)) return false;
    }
    return true;
}

/* The columns of the jumps, and which states matter to them. */
static void read_jumps(kernel_rows *r, const kernel_group *g, int mode)
{
    const lane_coefficients *m = &g->coefficients[mode];
    const int n = g->shape->n;
    for (int i = 0; i < g->shape->modes[mode].n_guards; i++) {
        const ic_batch_guard *guard = &g->shape->modes[mode].guards[i];
        for (int j = 0; j < n; j++) r->matters[j] |= any(m->value[i][j] != 0);
        for (int b = 0; b < guard->n_branches; b++) {
            kernel_jump *jump = &r->jumps[i][b];
            for (int k = 0; k < n; k++) {
                const vec *row = m->branch_state[i][b][k];
                jump->same[k] = !guard->branches[b].changes || is_unit_row(g, row, k);
                find_columns(&jump->columns[k], row, n + 3);
                r->matters[k] |= jump->same[k] || any(m->branch_condition[i][b][k] != 0);
                for (int j = 0; j < n; j++) r->matters[j] |= any(row[j] != 0);
            }
        }
    }
}

static ROWS_INLINE void make_rows(kernel_rows *r, const kernel_group *g, int mode)
{
    const lane_coefficients *m = &g->coefficients[mode];
    r->ready = true;
    memset(r->matters, 0, sizeof r->matters);
    read_jumps(r, g, mode);
    for (int i = 0; i < g->shape->modes[mode].n_guards; i++) {
        memcpy(r->value[0][i], m->value[i], sizeof m->value[i]);
        memcpy(r->bend[0][i], m->bend[i], sizeof m->bend[i]);
        memcpy(r->fourth[0][i], m->fourth[i], sizeof m->fourth[i]);
        if (!g->shape->modes[mode].guards[i].conditional) continue;
        memcpy(r->condition[0][i], m->condition[i], sizeof m->condition[i]);
        memcpy(r->condition_bend[0][i], m->condition_bend[i], sizeof m->condition_bend[i]);
    }
}

/* ---- from node to node, while all guards are clear of zero */

/** Guards at a node, and h^2/8 times their second derivatives. */
typedef struct node {
    vec value[IC_BATCH_GUARDS], bend[IC_BATCH_GUARDS];
} node;

/** Where the nodes are: `first` is the one after an event or a stop. */
typedef struct node_place {
    int mode, k;
    bool first;

    /* moduli of z at the start of the rows */
    const vec *moduli;
} node_place;

/* sum of the factors times the moduli */
static ALWAYS_INLINE vec bound_by(const vec *factors, const vec *moduli, const int n)
{
    vec sum = factors[IC_BATCH_FORCED];
    UNROLL
    for (int j = 0; j < n; j++) sum = fused(factors[j], moduli[j], sum);
    return sum;
}

/* Lanes in which guard i provably remains on its side, or crosses without an event. */
static ALWAYS_INLINE mask is_clear(kernel_group *g, const node_place *at, const node *from, const node *to,
                                   int i, mask where, const int n)
{
    const lane_coefficients *m = &g->coefficients[at->mode];
    const kernel_rows *r = &g->rows[at->mode];
    const ic_batch_guard *guard = &g->shape->modes[at->mode].guards[i];
    const vec side = g->side[i], low = side * from->value[i], high = side * to->value[i];
    const vec fourth = bound_by(r->fourth[at->k][i], at->moduli, n);
    const vec bend = most(modulus(from->bend[i]), modulus(to->bend[i])) + fourth;
    const vec nearest = least(low, high), quarter = 0.25 * modulus(low - high);
    mask stays = (nearest > 0) & (most(nearest, quarter) > bend), fresh = where;
    if (at->first) { /* a guard that starts at zero departs by its rate or its curvature */
        fresh = g->order[i] == 0;
        stays &= fresh;
        if (any(~fresh)) {
            const mask departs = (side * dot(m->slope[i], g->z, n) > 4 * bend) & (g->order[i] == 1);
            /* convex, from where it is level */
            const mask rises = (least(side * from->bend[i], side * to->bend[i]) > fourth) & (g->order[i] == 2);
            stays |= (high > 0) & (departs | rises);
        }
    }
    g->passing[i] = none();
    if (!any(where & ~stays)) return stays;
    const mask crosses = where & fresh & (low > 0) & (high <= 0) & (quarter > bend);
    mask silent = guard->direction == 0 ? none() : side == (double)guard->direction;
    if (guard->conditional) {
        const vec margin = bound_by(r->condition_bend[at->k][i], at->moduli, n);
        silent |= (dot(r->condition[at->k][i], g->z, n) < -margin) &
                  (dot(r->condition[at->k + 1][i], g->z, n) < -margin);
    }
    g->passing[i] = crosses & silent;
    g->passes |= any(g->passing[i]);
    return stays | g->passing[i];
}

static ALWAYS_INLINE void evaluate_guards(const kernel_group *g, int mode, int k, node *at, const int n)
{
    const kernel_rows *r = &g->rows[mode];
    for (int i = 0; i < g->shape->modes[mode].n_guards; i++) {
        at->value[i] = dot(r->value[k][i], g->z, n);
        at->bend[i] = dot(r->bend[k][i], g->z, n);
    }
}

/* Lanes in which all guards remain on their sides from a node to the one after the next. */
static ALWAYS_INLINE mask clears_leap(const kernel_group *g, const node_place *at, const node *from,
                                      const node *to, const int n)
{
    const kernel_rows *r = &g->rows[at->mode];
    mask clear = ~none();
    for (int i = 0; i < g->shape->modes[at->mode].n_guards; i++) {
        const vec low = g->side[i] * from->value[i], high = g->side[i] * to->value[i];
        const vec ends = most(modulus(from->bend[i]), modulus(to->bend[i])), nearest = least(low, high);
        const vec fourth = most(bound_by(r->fourth[at->k][i], at->moduli, n),
                                bound_by(r->fourth[at->k + 1][i], at->moduli, n));
        const vec bound = LEAP_MARGIN * 4 * (ends + 4 * fourth);
        clear &= (nearest > 0) & (most(nearest, 0.25 * modulus(low - high)) > bound);
    }
    return clear;
}

/* Whether all lanes reach the node after the next in one leap, whose guards `to` takes. */
static ALWAYS_INLINE bool leaps(kernel_group *g, const node_place *at, const node *from, node *to, mask onward,
                                mask in_time, const int n)
{
    kernel_rows *r = &g->rows[at->mode];
    while (r->n_nodes < at->k + 2) make_node(r, g, at->mode, n);
    evaluate_guards(g, at->mode, at->k + 2, to, n);
    return !any(onward & ~(clears_leap(g, at, from, to, n) & in_time));
}

/* Guards that passed through 0 change their sides; after the first node none departs from 0 any more. */
static ALWAYS_INLINE void change_sides(kernel_group *g, mask onward, bool is_first, const int n_guards)
{
    for (int i = 0; i < n_guards && g->passes; i++)
        g->side[i] = choose(g->passing[i] & onward, -g->side[i], g->side[i]);
    for (int i = 0; i < n_guards && is_first; i++) g->order[i] = choose(onward, all(0), g->order[i]);
}

/* Carries z of the lanes over NODES parts. */
static ALWAYS_INLINE void carry_over_nodes(kernel_group *g, int mode, mask where, const int n)
{
    const lane_coefficients *m = &g->coefficients[mode];
    kernel_rows *r = &g->rows[mode];
    vec half[IC_BATCH_COLUMNS], z[IC_BATCH_COLUMNS];
    while (r->n_middles < NODES) make_middle(r, m, n);
    carry(half, as_rows(r)->middle[NODES - 1], r->cosine[NODES - 1], r->sine[NODES - 1], g->z, n);
    carry(z, m->half, m->cos_half, m->sin_half, half, n);
    for (int j = 0; j < n + 3; j++) g->z[j] = choose(where, z[j], g->z[j]);
}

/* Lanes stop at the node `from`: p takes the middle of the part after it, and the guards at both its ends. */
static ALWAYS_INLINE void stop_at_node(kernel_group *g, step_part *p, const node_place *at, const node *from,
                                       const node *to, const mask *clear, mask stops, vec passed, const int n)
{
    kernel_rows *r = &g->rows[p->mode];
    vec middle[IC_BATCH_COLUMNS];
    while (r->n_middles <= at->k) make_middle(r, &g->coefficients[p->mode], n);
    carry(middle, as_rows(r)->middle[at->k], r->cosine[at->k], r->sine[at->k], g->z, n);
    for (int j = 0; j < n + 3; j++) p->series[0][j] = choose(stops, middle[j], p->series[0][j]);
    for (int i = 0; i < g->shape->modes[p->mode].n_guards; i++) {
        p->low[i] = choose(stops, from->value[i], p->low[i]);
        p->high[i] = choose(stops, to->value[i], p->high[i]);
        p->clear[i] = (clear[i] & stops) | (p->clear[i] & ~stops);
        p->passes[i] = (g->passing[i] & stops) | (p->passes[i] & ~stops);
    }
    p->passed = choose(stops, passed, p->passed);
}

/* Carries all lanes on until every one has stopped at a node; values after its stop are discarded. */
static ALWAYS_INLINE void follow_nodes(kernel_group *g, step_part *p, const int n)
{
    const lane_coefficients *m = &g->coefficients[p->mode];
    kernel_rows *r = &g->rows[p->mode];
    const int n_guards = g->shape->modes[p->mode].n_guards;
    /* at most to the end of the period at whose end to stop; otherwise into the next period */
    const vec limit = choose(g->cycle >= g->stop_from, g->period, 1.5 * g->period);
    const vec left = limit - g->time - m->h;
    vec moduli[IC_BATCH_STATES] = {{0}};
    node nodes[2];
    node_place at = {.mode = p->mode, .moduli = moduli};
    mask onward = p->active;
    if (!r->ready) make_rows(r, g, p->mode);
    evaluate_guards(g, p->mode, 0, &nodes[0], n);
    for (int k = 0, which = 0;; k++, which = 1 - which) {
        const node *from = &nodes[which];
        node *to = &nodes[1 - which];
        const vec passed = (double)k * m->h;
        at.first = k == 0;
        at.k = k % NODES;
        if (at.k == 0) {
            if (k > 0) carry_over_nodes(g, p->mode, onward, n);
            // cppcheck-suppress unreadVariable ; node_place has their address
            for (int j = 0; j < n; j++) moduli[j] = modulus(g->z[j]);
        }
        const mask in_time = (double)(k + 1) * m->h < left;
        if (k > 0 && at.k % 2 == 0 && leaps(g, &at, from, to, onward, in_time, n)) {
            k++;
            continue;
        }
        if (at.k == r->n_nodes) make_node(r, g, p->mode, n);
        evaluate_guards(g, p->mode, at.k + 1, to, n);
        const mask searching = onward;
        onward &= passed < left;
        g->passes = false;
        mask clear[IC_BATCH_GUARDS];
        for (int i = 0; i < n_guards; i++) {
            clear[i] = is_clear(g, &at, from, to, i, onward, n);
            onward &= clear[i];
        }
        const mask stops = searching & ~onward;
        if (any(stops)) stop_at_node(g, p, &at, from, to, clear, stops, passed, n);
        if (!any(onward)) break;
        change_sides(g, onward, k == 0, n_guards);
    }
    advance_time(g, p->active, p->passed);
}

/* ---- Taylor's series about the middle of the part after the last node */

/* Z_j of the part, from z in its middle, Z_0. */
static ALWAYS_INLINE void expand_series(const kernel_group *g, step_part *p, const int n)
{
    const lane_coefficients *m = &g->coefficients[p->mode];
    vec z[IC_BATCH_COLUMNS] = {{0}};
    UNROLL
    for (int c = 0; c < n + 3; c++) z[c] = p->series[0][c];
    for (int j = 1; j < TERMS; j++) {
        vec next[IC_BATCH_COLUMNS];
        UNROLL
        for (int i = 0; i < n; i++) {
            if (g->follows[p->mode][i]) next[i] = m->rate[i][i + 1] * z[i + 1];
            else next[i] = dot_from(j == 1 ? m->rate[i][n] : all(0), m->rate[i], z, n);
            next[i] *= 1.0 / j;
        }
        next[n] = all(0);
        next[n + 1] = -(m->half_angle * (1.0 / j)) * z[n + 2];
        next[n + 2] = m->half_angle * (1.0 / j) * z[n + 1];
        UNROLL
        for (int c = 0; c < n + 3; c++) p->series[j][c] = z[c] = next[c];
    }
}

/* The zero of a monotone guard that changes its sign, by Halley's method with a truncated second derivative. */
static ALWAYS_INLINE vec find_zero(const vec a[TERMS], vec low, vec high, mask *where)
{
    vec u = -1 + 2 * low / (low - high); /* zero of the secant */
    mask moving = *where;
    for (int k = 0; k < ITERATIONS && any(moving); k++) {
        const vec v = u * u;
        vec even = a[TERMS - 2], odd = a[TERMS - 1];
        vec rate = (double)(TERMS - 1) * odd, odd_rate = (double)(TERMS - 2) * even;
        UNROLL
        for (int j = TERMS - 4; j >= 0; j -= 2) {
            even = fused(even, v, a[j]);
            odd = fused(odd, v, a[j + 1]);
            rate = fused(rate, v, (double)(j + 1) * a[j + 1]);
            if (j > 0) odd_rate = fused(odd_rate, v, (double)j * a[j]);
        }
        const vec value = fused(u, odd, even), slope = fused(u, odd_rate, rate);
        const vec half_bend = a[2] + 3 * u * a[3] + 6 * v * a[4];
        const vec step = -value * slope / (slope * slope - value * half_bend);
        const vec next = least(-least(-u - step, all(1)), all(1)); /* within [-1, 1] */
        u = choose(moving, next, u);
        moving &= modulus(step) > LAST_STEP;
    }
    *where &= ~moving;
    return u;
}

/* Events closer than this in u may be simultaneous. */
static ALWAYS_INLINE vec instant_width(const kernel_group *g, int mode)
{
    return 4 * g->tie / g->coefficients[mode].h;
}

/* Sets in p where guard i fires, by its polynomial; returns the lanes in which that is decided. */
static ALWAYS_INLINE mask decide_guard(const kernel_group *g, step_part *p, int i, const int n)
{
    const lane_coefficients *m = &g->coefficients[p->mode];
    const ic_batch_guard *guard = &g->shape->modes[p->mode].guards[i];
    vec a[TERMS], tilt = all(0), bend = all(0);
    p->side_after[i] = choose(p->passes[i], -g->side[i], g->side[i]);
    if (!any(p->active & ~p->clear[i])) return p->active;
    UNROLL
    for (int j = 0; j < TERMS; j++) a[j] = sparse_dot(m->value[i], &g->values[p->mode][i], p->series[j]);
    UNROLL
    for (int j = 2; j < TERMS; j++) {
        const vec size = modulus(a[j]);
        tilt = fused(all(j), size, tilt);
        bend = fused(all(j * (j - 1)), size, bend);
    }
    const vec high = p->high[i], side = g->side[i];
    const vec at_low = side * p->low[i], at_high = side * high;
    const mask monotone = modulus(a[1]) > tilt;
    const mask fresh = g->order[i] == 0;
    mask stays = fresh & (at_low > 0) & (at_high > 0) & (monotone | (least(at_low, at_high) > 0.5 * bend));
    stays |= (g->order[i] == 1) & (at_high > 0) & monotone & (side * a[1] > 0);
    /* convex, from where it is level */
    stays |= (g->order[i] == 2) & (at_high > 0) & (side * a[2] * 4 > bend);
    mask crosses = fresh & (at_low > 0) & (at_high <= 0) & monotone;
    mask fires = guard->direction == 0 ? crosses : crosses & (side == -(double)guard->direction);
    fires &= p->active & ~p->clear[i];
    const mask passes = crosses & ~fires & ~p->clear[i];
    p->side_after[i] = choose(passes, -side, p->side_after[i]);
    stays |= p->clear[i];
    if (!any(fires)) return stays | passes;
    mask found = fires;
    const vec u = find_zero(a, p->low[i], high, &found);
    mask idle = none();
    if (guard->conditional) { /* no effect where the condition does not hold */
        vec condition[TERMS];
        for (int j = 0; j < TERMS; j++)
            condition[j] = dot_from(j == 0 ? m->condition[i][n] : all(0), m->condition[i], p->series[j], n);
        idle = found & (value_at(condition, TERMS - 1, u) <= 0);
        p->side_after[i] = choose(idle, -side, p->side_after[i]);
    }
    /* the first of two that fire; undecided if they fire at the same instant */
    const vec margin = instant_width(g, p->mode);
    const mask other = p->fired >= 0;
    const mask first = found & ~idle & (~other | (u < p->u - margin));
    const mask later = found & ~idle & other & (u > p->u + margin);
    p->u = choose(first, u, p->u);
    p->fired = choose(first, all(i), p->fired);
    return stays | passes | idle | first | later;
}

/* ---- search in a single lane that is still undecided */

static void read_lane_guard(ic_lane_guard *guard, const kernel_group *g, const step_part *p, int i, int l)
{
    const lane_coefficients *m = &g->coefficients[p->mode];
    const ic_batch_guard *at = &g->shape->modes[p->mode].guards[i];
    *guard = (ic_lane_guard){.conditional = at->conditional,
                             .direction = at->direction,
                             .side = (int)g->side[i][l],
                             .order = (int)g->order[i][l]};
    for (int j = 0; j < TERMS; j++) {
        for (int c = 0; c < g->shape->n + 3; c++) {
            guard->a[j] += m->value[i][c][l] * p->series[j][c][l];
            if (at->conditional) guard->condition[j] += m->condition[i][c][l] * p->series[j][c][l];
        }
    }
    for (int c = 0; c < g->shape->n + 3; c++) guard->size += fabs(m->value[i][c][l] * p->series[0][c][l]);
}

/* Returns false if the lane remains undecided. */
static bool search_lane(const kernel_group *g, step_part *p, int l)
{
    const int n_guards = g->shape->modes[p->mode].n_guards;
    ic_lane_guard guards[IC_BATCH_GUARDS];
    ic_lane_event found;
    for (int i = 0; i < n_guards; i++) read_lane_guard(&guards[i], g, p, i, l);
    ic_lane_search(&found, guards, n_guards, 8 * g->tie[l] / g->coefficients[p->mode].h[l]);
    if (found.outcome == IC_LANE_UNDECIDED) return false;
    p->fired[l] = found.outcome;
    p->u[l] = found.u;
    for (int i = 0; i < n_guards; i++) p->side_after[i][l] = found.side[i];
    return true;
}

/* Finds the first event of the part in all active lanes; drops undecided lanes. */
static ALWAYS_INLINE void find_events(kernel_group *g, step_part *p, const int n)
{
    mask decided = p->active;
    expand_series(g, p, n);
    p->fired = all(-1);
    p->u = all(2);
    for (int i = 0; i < g->shape->modes[p->mode].n_guards; i++) decided &= decide_guard(g, p, i, n);
    mask unclear = p->active & ~decided;
    for (int l = 0; l < g->n_lanes && any(unclear); l++) {
        if (unclear[l] != 0 && search_lane(g, p, l)) unclear[l] = 0;
    }
    /* close to an end of the part, an event beyond it may be simultaneous */
    const vec margin = instant_width(g, p->mode);
    unclear |= p->active & (p->fired >= 0) & ((p->u > 1 - margin) | (p->u < margin - 1));
    if (any(unclear)) drop_lanes(g, unclear);
    p->active &= ~unclear;
}

/* ---- jumps */

/*
 * Lanes in which a guard on its firing side fires at the start of a phase: at zero, unless its own jump has disarmed
 * it, or beyond zero.
 */
static ALWAYS_INLINE mask is_due(const kernel_group *g, int mode, int i, bool own, mask stands, vec side,
                                 const int n)
{
    const ic_batch_guard *guard = &g->shape->modes[mode].guards[i];
    const lane_coefficients *m = &g->coefficients[mode];
    mask due = own ? none() : stands;
    if (guard->direction == 0) return none();
    if (guard->onset == IC_ONSET_LEVEL) due |= ~stands;
    if (guard->onset == IC_ONSET_NEAR) due |= ~stands & (side * dot(m->slope[i], g->z, n) > 0);
    due &= side == (double)guard->direction;
    if (guard->conditional && any(due)) due &= dot(m->condition[i], g->z, n) > 0;
    return due;
}

/*
 * Arms the guards of the mode after a jump, as the event loop does: those at zero by their rate. Drops lanes with a
 * guard that fires at once, or is level at zero.
 */
static ALWAYS_INLINE void arm_guards(kernel_group *g, mask where, const ic_batch_branch *branch, vec before,
                                     const int n)
{
    const lane_coefficients *m = &g->coefficients[branch->mode];
    mask lost = none();
    for (int i = 0; i < g->shape->modes[branch->mode].n_guards; i++) {
        const vec value = sparse_dot(m->value[i], &g->values[branch->mode][i], g->z);
        vec side = choose(value < 0, all(-1), all(1)), order = all(0);
        if (branch->order[i] > 0) {
            side = all(branch->side[i]);
            order = all(branch->order[i]);
        } else {
            mask stands = value == 0;
            if (branch->same[i] || any(where & stands)) {
                const vec slope = dot(m->slope[i], g->z, n);
                if (branch->same[i])
                    stands |= modulus(value) <= 2 * (modulus(before) + modulus(slope) * g->tie / m->h);
                side = choose(stands, choose(slope < 0, all(-1), all(1)), side);
                order = choose(stands, all(1), order);
                lost |= where & stands & (slope == 0);
            }
            lost |= where & is_due(g, branch->mode, i, branch->own[i], stands, side, n);
        }
        g->side[i] = choose(where, side, g->side[i]);
        g->order[i] = choose(where, order, g->order[i]);
    }
    if (any(lost)) drop_lanes(g, lost);
}

static ALWAYS_INLINE void enter_mode(kernel_group *g, mask where, const step_part *p, int i, int b, const int n)
{
    const lane_coefficients *m = &g->coefficients[p->mode];
    const ic_batch_branch *branch = &g->shape->modes[p->mode].guards[i].branches[b];
    const vec before = sparse_dot(m->value[i], &g->values[p->mode][i], g->z);
    if (branch->changes) {
        const kernel_jump *jump = &g->rows[p->mode].jumps[i][b];
        vec x[IC_BATCH_STATES];
        for (int k = 0; k < n; k++) {
            if (!jump->same[k]) x[k] = sparse_dot(m->branch_state[i][b][k], &jump->columns[k], g->z);
        }
        for (int k = 0; k < n; k++) {
            if (!jump->same[k]) g->z[k] = choose(where, x[k], g->z[k]);
        }
    }
    g->mode = choose(where, all(branch->mode), g->mode);
    if (!g->shape->modes[branch->mode].terminal) {
        arm_guards(g, where, branch, before, n);
        return;
    }
    for (int l = 0; l < g->n_lanes; l++) {
        if (where[l] != 0 && g->running[l] != 0) finish_lane(g, l);
    }
}

static ALWAYS_INLINE void apply_jumps(kernel_group *g, const step_part *p, mask where, const int n)
{
    const lane_coefficients *m = &g->coefficients[p->mode];
    g->events = choose(where, g->events + 1, g->events);
    g->crowd = choose(where, g->crowd + 1, g->crowd);
    for (int i = 0; i < g->shape->modes[p->mode].n_guards; i++) {
        const ic_batch_guard *guard = &g->shape->modes[p->mode].guards[i];
        mask due = where & (p->fired == (double)i);
        for (int b = 0; b < guard->n_branches && any(due); b++) {
            mask taken = due;
            if (guard->branches[b].conditional) taken &= dot(m->branch_condition[i][b], g->z, n) > 0;
            due &= ~taken;
            if (any(taken)) enter_mode(g, taken, p, i, b, n);
        }
        if (any(due)) drop_lanes(g, due);
    }
}

/* ---- stops */

static void stop_lane(kernel_group *g, int l, double skip)
{
    ic_batch_lane *lane = &g->lanes[l];
    const size_t n = (size_t)g->shape->n_states;
    if (lane->n_strobes == 0) {
        finish_lane(g, l);
        return;
    }
    const size_t row = (size_t)(g->cycle[l] - 1 - skip);
    for (size_t i = 0; i < n; i++) lane->rows[row * n + i] = g->z[i][l];
    lane->modes[row] = (unsigned char)g->mode[l];
    lane->strobes = row + 1;
    if (lane->strobes == lane->n_strobes) finish_lane(g, l);
}

/* ---- the loop */

/* Sets the sides of the guards of lanes that stop within a phase. */
static ALWAYS_INLINE void set_sides(kernel_group *g, const step_part *p, mask where, vec u)
{
    const lane_coefficients *m = &g->coefficients[p->mode];
    const mask at_start = u < AT_START - 1;
    mask lost = none();
    for (int i = 0; i < g->shape->modes[p->mode].n_guards; i++) {
        const vec value = sparse_dot(m->value[i], &g->values[p->mode][i], g->z);
        const mask kept = at_start & (g->order[i] > 0);
        lost |= where & ~kept & (value == 0);
        g->side[i] = choose(where & ~kept, choose(value < 0, all(-1), all(1)), g->side[i]);
        g->order[i] = choose(where & ~kept, all(0), g->order[i]);
    }
    if (any(lost)) drop_lanes(g, lost);
}

/* Evaluates the states at u in the active lanes; unless `every`, those that matter to jumps. */
static ALWAYS_INLINE void move_states(kernel_group *g, const step_part *p, vec u, bool every, const int n)
{
    const kernel_rows *r = &g->rows[p->mode];
    for (int k = 0; k < n; k++) {
        if (!every && !r->matters[k]) continue;
        vec a[TERMS];
        UNROLL
        for (int j = 0; j < TERMS; j++) a[j] = p->series[j][k];
        g->z[k] = choose(p->active, value_at(a, TERMS - 1, u), g->z[k]);
    }
}

/* Moves the active lanes to an event, to a stop, or to the end of the part. */
static ALWAYS_INLINE void move_lanes(kernel_group *g, step_part *p, double skip, const int n)
{
    const lane_coefficients *m = &g->coefficients[p->mode];
    const int n_guards = g->shape->modes[p->mode].n_guards;
    vec u_limit = 2 * (g->period - g->time - g->rest) / m->h - 1;
    /* a part that advance_time rounds to the whole period ends with it */
    u_limit = choose(g->time + (m->h + g->rest) >= g->period, least(u_limit, all(1)), u_limit);
    const mask last = g->cycle >= g->stop_from;
    const vec u_stop = choose(last, u_limit, all(INFINITY));
    mask event = p->active & (p->fired >= 0) & (p->u <= u_stop);
    const mask stops = p->active & ~event & (u_stop <= 1), onward = p->active & ~event & ~stops;
    const vec u = choose(event, p->u, choose(stops, u_stop, all(1)));
    move_states(g, p, u, any(stops | onward), n);
    if (any(onward)) {
        vec z[IC_BATCH_COLUMNS];
        carry(z, m->half, m->cos_half, m->sin_half, p->series[0], n);
        for (int k = 0; k < n; k++) g->z[k] = choose(onward, z[k], g->z[k]);
    }
    advance_time(g, p->active, choose(onward, m->h, 0.5 * m->h * (u + 1)));
    const mask tied = event & last & (g->time >= g->period); /* an event where the lane stops */
    if (any(tied)) drop_lanes(g, tied);
    event &= ~tied;
    p->active &= ~tied;
    g->time = choose(stops, g->period, g->time);
    g->rest = choose(stops, all(0), g->rest);
    const mask over = p->active & (g->time >= g->period);
    if (any(over)) {
        g->time = choose(over, g->time - g->period, g->time);
        g->cycle = choose(over, g->cycle + 1, g->cycle);
        g->crowd = choose(over, all(0), g->crowd);
    }
    set_forcing(g, p->active, n);
    for (int i = 0; i < n_guards; i++) {
        g->side[i] = choose(onward, p->side_after[i], g->side[i]);
        g->order[i] = choose(onward, all(0), g->order[i]);
    }
    if (any(stops)) set_sides(g, p, stops, u);
    for (int l = 0; l < g->n_lanes && any(stops); l++) {
        if (stops[l] != 0 && g->running[l] != 0) stop_lane(g, l, skip);
    }
    if (any(event)) apply_jumps(g, p, event, n);
    const mask crowded = p->active & (g->crowd > MOST_EVENTS);
    if (any(crowded)) drop_lanes(g, crowded);
}

/* The mode of the running lane with the earliest time. */
static int next_mode(const kernel_group *g)
{
    double least_time = INFINITY;
    int mode = -1;
    const vec at = g->cycle + g->time / g->period;
    for (int l = 0; l < g->n_lanes; l++) {
        if (g->running[l] == 0) continue;
        if (mode < 0 || at[l] < least_time) least_time = at[l], mode = (int)g->mode[l];
    }
    return mode;
}

static ALWAYS_INLINE void follow_group(kernel_group *g, double skip, const volatile sig_atomic_t *stop_flag,
                                       const int n)
{
    step_part p;
    memset(&p, 0, sizeof p);
    while (any(g->running) && (stop_flag == NULL || *stop_flag == 0)) {
        p.mode = next_mode(g);
        p.active = g->running & (g->mode == (double)p.mode);
        follow_nodes(g, &p, n);
        find_events(g, &p, n);
        move_lanes(g, &p, skip, n);
    }
}

/* ---- loading lanes into vectors */

static void find_patterns(kernel_group *g)
{
    const int n = g->shape->n;
    for (int k = 0; k < g->shape->n_modes; k++) {
        for (int i = 0; i < n; i++) {
            pattern rate;
            find_columns(&rate, g->coefficients[k].rate[i], n + 3);
            g->follows[k][i] = rate.n == 1 && rate.at[0] == i + 1 && i + 1 < n;
        }
        for (int i = 0; i < g->shape->modes[k].n_guards; i++)
            find_columns(&g->values[k][i], g->coefficients[k].value[i], n + 3);
    }
}

static void load_lane(kernel_group *g, ic_batch_lane *lane, int l, double skip)
{
    const size_t n_numbers = (size_t)g->shape->n_modes * sizeof *lane->coefficients / sizeof(double);
    for (size_t k = 0; k < n_numbers; k++)
        ((double *)g->coefficients)[k * LANES + (size_t)l] = ((const double *)lane->coefficients)[k];
    for (int i = 0; i < g->shape->n_states; i++) g->z[i][l] = lane->x[i];
    for (int i = 0; i < IC_BATCH_GUARDS; i++) {
        g->side[i][l] = lane->side[i];
        g->order[i][l] = lane->order[i];
    }
    g->z[g->shape->n][l] = 1;
    g->mode[l] = lane->mode;
    g->period[l] = lane->period;
    g->frequency[l] = lane->frequency;
    g->phase[l] = lane->phase;
    g->tie[l] = lane->tie;
    g->stop_from[l] = lane->n_strobes > 0 ? skip : skip - 1;
    g->running[l] = g->loaded[l] = -1;
}

#define WITH_STATES(n_)                                                                                        \
    case n_:                                                                                                   \
        set_forcing(&g, g.running, n_);                                                                        \
        follow_group(&g, skip, stop_flag, n_);                                                                 \
        break

static void follow_lanes(const ic_batch_shape *shape, ic_batch_lane *lanes, int n_lanes, double skip,
                         const volatile sig_atomic_t *stop_flag)
{
    kernel_group g;
    memset(&g, 0, sizeof g);
    g.shape = shape;
    g.lanes = lanes;
    g.n_lanes = n_lanes;
    g.coefficients = aligned_alloc(IC_VECTOR_BYTES, (size_t)shape->n_modes * sizeof *g.coefficients);
    g.period = all(1);
    g.rows = aligned_alloc(IC_VECTOR_BYTES, (size_t)shape->n_modes * sizeof *g.rows);
    const bool enough = g.coefficients != NULL && g.rows != NULL;
    for (int l = 0; l < n_lanes; l++) lanes[l].outcome = enough ? IC_BATCH_RUNNING : IC_BATCH_LEFT;
    if (!enough) {
        free(g.coefficients);
        free(g.rows);
        return;
    }
    for (int k = 0; k < shape->n_modes; k++) {
        g.rows[k].ready = false;
        g.rows[k].n_nodes = g.rows[k].n_middles = 0;
    }
    memset(g.coefficients, 0, (size_t)shape->n_modes * sizeof *g.coefficients);
    for (int l = 0; l < n_lanes; l++) load_lane(&g, &lanes[l], l, skip);
    find_patterns(&g);
    switch (shape->n) {
        WITH_STATES(2);
        WITH_STATES(4);
        WITH_STATES(5);
        WITH_STATES(6);
    }
    for (int l = 0; l < n_lanes; l++) lanes[l].events = g.events[l];
    free(g.coefficients);
    free(g.rows);
}

const ic_batch_kernel IC_KERNEL_SYMBOL = {IC_KERNEL_NAME, LANES, follow_lanes, vectors_run_here};
