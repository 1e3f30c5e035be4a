/* SPDX-License-Identifier: MIT */
/*
 * Lanes side by side in vectors: compiled once for each width, with IC_VECTOR_BYTES and
 * IC_KERNEL_SYMBOL set (CMakeLists.txt).
 */
#include "sweep/batch/batch.h"
#include "sweep/batch/close_look.h"
#include "sweep/batch/vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Newton's method has converged, nearly cubically, where a step of u was this short. */
#define LAST_STEP 1e-8
/* A stop this early in a part leaves a guard's zero at the start of the part where it is. */
#define AT_START 1e-6
/* More events than this in one period are not the common path. */
#define EVENTS_MOST 1000.0

enum { ITERATIONS = 12, TERMS = IC_BATCH_TERMS };

typedef struct lane_numbers IC_BATCH_NUMBERS(vec) lane_numbers;

typedef struct group {
    const ic_batch_shape *shape;
    ic_batch_lane *lanes;

    /* of each mode */
    lane_numbers *numbers;

    pattern values[IC_BATCH_MODES][IC_BATCH_GUARDS];
    int n_lanes;
    vec z[IC_BATCH_COLUMNS];
    /* time within the period, with what rounds off; the period's number; its length */
    vec time, rest, cycle, period;

    /* number of the first period at whose end to stop */
    vec stop_from;

    vec frequency, phase, tie;
    vec side[IC_BATCH_GUARDS], order[IC_BATCH_GUARDS];

    /* in all; in this period */
    vec events, crowd;

    /* between two nodes: lanes in which a guard crosses zero without an event */
    mask passing[IC_BATCH_GUARDS];

    vec mode;
    mask running;
} group;

/** A part of a phase, of the lanes in one mode. */
typedef struct part {
    int mode;
    mask active;
    vec passed;               /* s since the event or stop before */
    vec low[IC_BATCH_GUARDS]; /* guards at its start */
    vec z_end[IC_BATCH_COLUMNS];
    vec series[TERMS][IC_BATCH_COLUMNS];
    vec fired, u;                    /* number of the guard that fires, or -1; where */
    vec side_after[IC_BATCH_GUARDS]; /* where nothing fires: at the end of the part */
} part;

/* ---- the forcing: cos and sin of frequency time + phase, which is at most some periods */

#define ROUNDER 0x1.8p52
/* pi/2 in two: the first, of 33 bits, times a small integer is exact */
#define HALF_PI 0x1.921fb544p0
#define HALF_PI_REST 0x1.0b4611a626331p-34

static ALWAYS_INLINE void force(group *g, mask where, const int n)
{
    const vec angle = g->frequency * g->time + g->phase;
    const vec quarters = (angle * (1 / HALF_PI) + ROUNDER) - ROUNDER;
    const vec r = (angle - quarters * HALF_PI) - quarters * HALF_PI_REST, rr = r * r;
    vec sine = all(1 / 355687428096000.0), cosine = all(1 / 6402373705728000.0);
    /* Taylor's series to r^17 and r^18: (pi/4)^19/19! < 2^-63 */
    static const double inverse_odd[] = {-1 / 1307674368000.0, 1 / 6227020800.0, -1 / 39916800.0, 1 / 362880.0,
                                         -1 / 5040.0,          1 / 120.0,        -1 / 6.0,        1};
    static const double inverse_even[] = {
        1 / 20922789888000.0, 1 / 87178291200.0, 1 / 479001600.0, 1 / 3628800.0,
        1 / 40320.0,          1 / 720.0,         1 / 24.0,        0.5};
    for (int k = 0; k < 8; k++) {
        sine = sine * rr + inverse_odd[k];
        cosine = inverse_even[k] - cosine * rr;
    }
    sine *= r;
    cosine = 1 - cosine * rr;
    /* quarters modulo 4 */
    const vec turns = (quarters * 0.25 - 0.375 + ROUNDER) - ROUNDER;
    const vec quadrant = quarters - 4 * turns; /* 0 to 3 */
    const mask swapped = (quadrant == 1) | (quadrant == 3);
    const vec c = choose(swapped, sine, cosine), s = choose(swapped, cosine, sine);
    const vec c_sign = choose((quadrant == 1) | (quadrant == 2), all(-1), all(1));
    const vec s_sign = choose((quadrant == 2) | (quadrant == 3), all(-1), all(1));
    g->z[n + 1] = choose(where, c * c_sign, g->z[n + 1]);
    g->z[n + 2] = choose(where, s * s_sign, g->z[n + 2]);
}

/* ---- time */

/* Move on by s; what rounds off is carried along. */
static ALWAYS_INLINE void move_time(group *g, mask where, vec s)
{
    const vec y = s + g->rest, t = g->time + y, back = t - g->time;
    const vec rest = (g->time - (t - back)) + (y - back);
    g->time = choose(where, t, g->time);
    g->rest = choose(where, rest, g->rest);
}

/* Where to stop; else, where to begin the next period at the latest, a part before its end. */
static ALWAYS_INLINE vec limit_of(const group *g)
{
    return choose(g->cycle >= g->stop_from, g->period, 1.5 * g->period);
}

static ALWAYS_INLINE void wrap(group *g, mask where)
{
    const mask over = where & (g->time >= g->period);
    if (!any(over)) return;
    g->time = choose(over, g->time - g->period, g->time);
    g->cycle = choose(over, g->cycle + 1, g->cycle);
    g->crowd = choose(over, all(0), g->crowd);
}

/* ---- lanes that leave, and those that are done */

static void leave(group *g, mask where)
{
    for (int l = 0; l < g->n_lanes; l++) {
        if (where[l] != 0 && g->running[l] != 0) g->lanes[l].outcome = IC_BATCH_LEFT;
    }
    g->running &= ~where;
}

static void finish(group *g, int l)
{
    ic_batch_lane *lane = &g->lanes[l];
    lane->outcome = IC_BATCH_FINISHED;
    for (int i = 0; i < g->shape->n_states; i++) lane->x[i] = g->z[i][l];
    lane->mode = (int)g->mode[l];
    g->running[l] = 0;
}

/* ---- from node to node, as long as all guards are seen to be clear of zero */

/** A run along nodes: z there, guards there and their h^2/8 second derivatives. */
typedef struct node {
    vec z[IC_BATCH_COLUMNS];
    vec value[IC_BATCH_GUARDS], bend[IC_BATCH_GUARDS];
} node;

/* Whether guard i stays on its side, or passes to the other without an event. */
static ALWAYS_INLINE mask is_clear(group *g, int mode, const node *from, const node *to, int i, mask where,
                                   bool first, const int n)
{
    const lane_numbers *m = &g->numbers[mode];
    const ic_batch_guard *guard = &g->shape->modes[mode].guards[i];
    const vec side = g->side[i], low = side * from->value[i], high = side * to->value[i];
    const vec fourth = bound(m->fourth[i], from->z, n);
    const vec bend = most(modulus(from->bend[i]), modulus(to->bend[i])) + fourth;
    const mask apart = least(low, high) > bend, steady = modulus(low - high) > 4 * bend;
    mask stays = (low > 0) & (high > 0) & (steady | apart);
    mask crosses = (low > 0) & (high <= 0) & steady;
    if (first) { /* from a zero at the start: not to be seen by its value */
        const mask fresh = g->order[i] == 0;
        const mask departs = (side * dot(m->slope[i], from->z, n) > 4 * bend) & (g->order[i] == 1);
        /* convex, from where it is level */
        const mask rises = (least(side * from->bend[i], side * to->bend[i]) > fourth) & (g->order[i] == 2);
        stays = (stays & fresh) | ((high > 0) & (departs | rises));
        crosses &= fresh;
    }
    crosses &= where;
    if (!any(crosses)) return stays;
    mask silent = guard->direction == 0 ? none() : side == (double)guard->direction;
    if (guard->conditional) {
        const vec margin = bound(m->condition_bend[i], from->z, n);
        silent |= (dot(m->condition[i], from->z, n) < -margin) & (dot(m->condition[i], to->z, n) < -margin);
    }
    g->passing[i] = crosses & silent;
    return stays | g->passing[i];
}

static ALWAYS_INLINE void take_guards(const group *g, int mode, node *at, const int n)
{
    const lane_numbers *m = &g->numbers[mode];
    for (int i = 0; i < g->shape->modes[mode].n_guards; i++) {
        at->value[i] = sparse_dot(m->value[i], &g->values[mode][i], at->z);
        at->bend[i] = dot(m->bend[i], at->z, n);
    }
}

/* Lanes that stop here keep what is known of this node. */
static ALWAYS_INLINE void halt(group *g, part *p, const node *at, vec passed, mask where, const int n)
{
    for (int j = 0; j < n + 3; j++) g->z[j] = choose(where, at->z[j], g->z[j]);
    for (int i = 0; i < g->shape->modes[p->mode].n_guards; i++)
        p->low[i] = choose(where, at->value[i], p->low[i]);
    p->passed = choose(where, passed, p->passed);
}

/* All lanes run on, and what comes after their stop is not looked at. */
static ALWAYS_INLINE void march(group *g, part *p, const int n)
{
    const lane_numbers *m = &g->numbers[p->mode];
    const int n_guards = g->shape->modes[p->mode].n_guards;
    const vec left = limit_of(g) - g->time - m->h;
    node nodes[2];
    mask onward = p->active;
    memcpy(nodes[0].z, g->z, sizeof g->z);
    take_guards(g, p->mode, &nodes[0], n);
    for (int k = 0;; k++) {
        const node *from = &nodes[k % 2];
        node *to = &nodes[1 - k % 2];
        const vec passed = (double)k * m->h;
        carry(to->z, m->step, m->cos_h, m->sin_h, from->z, n);
        take_guards(g, p->mode, to, n);
        const mask searching = onward;
        onward &= passed < left;
        for (int i = 0; i < n_guards; i++) {
            g->passing[i] = none();
            onward &= is_clear(g, p->mode, from, to, i, onward, k == 0, n);
        }
        const mask stops = searching & ~onward;
        if (any(stops)) halt(g, p, from, passed, stops, n);
        if (!any(onward)) break;
        for (int i = 0; i < n_guards; i++) {
            if (any(g->passing[i] & onward))
                g->side[i] = choose(g->passing[i] & onward, -g->side[i], g->side[i]);
            if (k == 0) g->order[i] = choose(onward, all(0), g->order[i]);
        }
    }
    move_time(g, p->active, p->passed);
    carry(p->z_end, m->step, m->cos_h, m->sin_h, g->z, n);
}

/* ---- the part that is left: Taylor's series about its middle */

static ALWAYS_INLINE void take_series(const group *g, part *p, const int n)
{
    const lane_numbers *m = &g->numbers[p->mode];
    vec(*z)[IC_BATCH_COLUMNS] = p->series;
    const vec angle = m->half_angle, square = -angle * angle;
    carry(z[0], m->half, m->cos_half, m->sin_half, g->z, n);
    for (int j = 1; j < TERMS; j++) z[j][n] = all(0);
    for (int i = 0; i < n; i++) {
        z[1][i] = dot(m->rate[i], z[0], n);
        z[2][i] = 0.5 * dot(m->rate_2[i], z[0], n);
    }
    z[1][n + 1] = -angle * z[0][n + 2];
    z[1][n + 2] = angle * z[0][n + 1];
    z[2][n + 1] = 0.5 * square * z[0][n + 1];
    z[2][n + 2] = 0.5 * square * z[0][n + 2];
    /* even and odd terms apart, two short chains for a long one */
    for (int j = 1; j + 2 < TERMS; j++) {
        const double part = 1.0 / ((j + 1) * (j + 2));
        UNROLL
        for (int i = 0; i < n; i++) z[j + 2][i] = part * dot_of_term(m->rate_2[i], z[j], n);
        z[j + 2][n + 1] = part * square * z[j][n + 1];
        z[j + 2][n + 2] = part * square * z[j][n + 2];
    }
}

static ALWAYS_INLINE void take_polynomial(vec a[TERMS], const vec *row, const part *p, const int n)
{
    a[0] = dot(row, p->series[0], n);
    for (int j = 1; j < TERMS; j++) a[j] = dot_of_term(row, p->series[j], n);
}

/* sum of a_j u^j: even and odd powers apart, two short chains for a long one. */
static ALWAYS_INLINE vec polynomial(const vec a[TERMS], vec u)
{
    const vec v = u * u;
    vec even = a[TERMS - 2], odd = a[TERMS - 1];
    for (int j = TERMS - 4; j >= 0; j -= 2) {
        even = even * v + a[j];
        odd = odd * v + a[j + 1];
    }
    return even + u * odd;
}

/* The zero of a guard that is monotone and changes its sign: Halley's method, its second derivative
   cut short. */
static ALWAYS_INLINE vec find_zero(const vec a[TERMS], vec low, vec high, mask *where)
{
    vec u = -1 + 2 * low / (low - high); /* of the secant */
    mask moving = *where;
    for (int k = 0; k < ITERATIONS && any(moving); k++) {
        const vec v = u * u;
        vec even = a[TERMS - 2], odd = a[TERMS - 1];
        vec rate = (double)(TERMS - 1) * odd, odd_rate = (double)(TERMS - 2) * even;
        for (int j = TERMS - 4; j >= 0; j -= 2) {
            even = even * v + a[j];
            odd = odd * v + a[j + 1];
            rate = rate * v + (double)(j + 1) * a[j + 1];
            if (j > 0) odd_rate = odd_rate * v + (double)j * a[j];
        }
        const vec value = even + u * odd, slope = rate + u * odd_rate;
        const vec half_bend = a[2] + 3 * u * a[3] + 6 * v * a[4];
        const vec step = -value * slope / (slope * slope - value * half_bend);
        const vec next = least(-least(-u - step, all(1)), all(1)); /* within [-1, 1] */
        u = choose(moving, next, u);
        moving &= modulus(step) > LAST_STEP;
    }
    *where &= ~moving;
    return u;
}

/* Events closer than this in u may be one instant. */
static ALWAYS_INLINE vec margin_of(const group *g, int mode)
{
    return 4 * g->tie / g->numbers[mode].h;
}

/* Decide on guard i by its polynomial: whether it is decided at all; where it fires -> p. */
static ALWAYS_INLINE mask decide(const group *g, part *p, int i, const int n)
{
    const lane_numbers *m = &g->numbers[p->mode];
    const ic_batch_guard *guard = &g->shape->modes[p->mode].guards[i];
    vec a[TERMS], tilt = all(0), bend = all(0);
    for (int j = 0; j < TERMS; j++) a[j] = sparse_dot(m->value[i], &g->values[p->mode][i], p->series[j]);
    for (int j = 2; j < TERMS; j++) {
        const vec size = modulus(a[j]);
        tilt += (double)j * size;
        bend += (double)(j * (j - 1)) * size;
    }
    const vec high = sparse_dot(m->value[i], &g->values[p->mode][i], p->z_end), side = g->side[i];
    const vec at_low = side * p->low[i], at_high = side * high;
    const mask monotone = modulus(a[1]) > tilt;
    const mask fresh = g->order[i] == 0;
    mask stays = fresh & (at_low > 0) & (at_high > 0) & (monotone | (least(at_low, at_high) > 0.5 * bend));
    stays |= (g->order[i] == 1) & (at_high > 0) & monotone & (side * a[1] > 0);
    /* convex, from where it is level */
    stays |= (g->order[i] == 2) & (at_high > 0) & (side * a[2] * 4 > bend);
    mask crosses = fresh & (at_low > 0) & (at_high <= 0) & monotone;
    mask fires = guard->direction == 0 ? crosses : crosses & (side == -(double)guard->direction);
    fires &= p->active;
    const mask passes = crosses & ~fires;
    p->side_after[i] = choose(passes, -side, side);
    if (!any(fires)) return stays | passes;
    mask found = fires;
    const vec u = find_zero(a, p->low[i], high, &found);
    mask idle = none();
    if (guard->conditional) { /* passes without effect where the condition does not hold */
        vec condition[TERMS];
        take_polynomial(condition, m->condition[i], p, n);
        idle = found & (polynomial(condition, u) <= 0);
        p->side_after[i] = choose(idle, -side, p->side_after[i]);
    }
    /* of two that fire the first; at one instant: undecided */
    const vec margin = margin_of(g, p->mode);
    const mask other = p->fired >= 0;
    const mask first = found & ~idle & (~other | (u < p->u - margin));
    const mask later = found & ~idle & other & (u > p->u + margin);
    p->u = choose(first, u, p->u);
    p->fired = choose(first, all(i), p->fired);
    return stays | passes | idle | first | later;
}

/* ---- a lane of which that does not decide, alone */

static void take_close_guard(ic_close_guard *guard, const group *g, const part *p, int i, int l)
{
    const ic_batch_numbers *numbers = &g->lanes[l].numbers[p->mode];
    const ic_batch_guard *at = &g->shape->modes[p->mode].guards[i];
    *guard = (ic_close_guard){.conditional = at->conditional,
                              .direction = at->direction,
                              .side = (int)g->side[i][l],
                              .order = (int)g->order[i][l]};
    for (int j = 0; j < TERMS; j++) {
        for (int c = 0; c < g->shape->n + 3; c++) {
            if (j > 0 && c == g->shape->n) continue; /* of a constant */
            guard->a[j] += numbers->value[i][c] * p->series[j][c][l];
            guard->condition[j] += numbers->condition[i][c] * p->series[j][c][l];
        }
    }
}

/* false: undecided. */
static bool look_closely(const group *g, part *p, int l)
{
    const int n_guards = g->shape->modes[p->mode].n_guards;
    ic_close_guard guards[IC_BATCH_GUARDS];
    ic_close_found found;
    for (int i = 0; i < n_guards; i++) take_close_guard(&guards[i], g, p, i, l);
    ic_close_look(&found, guards, n_guards, 8 * g->tie[l] / g->numbers[p->mode].h[l]);
    if (found.outcome == IC_CLOSE_DOUBT) return false;
    p->fired[l] = found.outcome;
    p->u[l] = found.u;
    for (int i = 0; i < n_guards; i++) p->side_after[i][l] = found.side[i];
    return true;
}

/* What guards do in the part, in all active lanes; those that stay undecided leave. */
static ALWAYS_INLINE void look(group *g, part *p, const int n)
{
    mask decided = p->active;
    p->fired = all(-1);
    p->u = all(2);
    for (int i = 0; i < g->shape->modes[p->mode].n_guards; i++) decided &= decide(g, p, i, n);
    mask unclear = p->active & ~decided;
    for (int l = 0; l < g->n_lanes && any(unclear); l++) {
        if (unclear[l] != 0 && look_closely(g, p, l)) unclear[l] = 0;
    }
    /* just before the end of the part, or just after its start, another event may be the same
       instant */
    const vec margin = margin_of(g, p->mode);
    unclear |= p->active & (p->fired >= 0) & ((p->u > 1 - margin) | (p->u < margin - 1));
    if (any(unclear)) leave(g, unclear);
    p->active &= ~unclear;
}

/* ---- jumps */

/* Arm the guards of the mode entered, as the event loop does; lanes with a guard on zero that is
   not declared leave. */
static ALWAYS_INLINE void arm(group *g, mask where, const ic_batch_branch *branch, vec before, const int n)
{
    const lane_numbers *m = &g->numbers[branch->mode];
    mask lost = none();
    for (int i = 0; i < g->shape->modes[branch->mode].n_guards; i++) {
        const vec value = sparse_dot(m->value[i], &g->values[branch->mode][i], g->z);
        vec side = choose(value < 0, all(-1), all(1)), order = all(0);
        mask on_zero = value == 0;
        if (branch->order[i] > 0) {
            side = all(branch->side[i]);
            order = all(branch->order[i]);
            on_zero = none();
        } else if (branch->same[i]) {
            const vec slope = dot(m->slope[i], g->z, n);
            const mask stands = modulus(value) <= 2 * (modulus(before) + modulus(slope) * g->tie / m->h);
            side = choose(stands, choose(slope < 0, all(-1), all(1)), side);
            order = choose(stands, all(1), order);
            on_zero = (on_zero & ~stands) | (stands & (slope == 0));
        }
        lost |= where & on_zero;
        g->side[i] = choose(where, side, g->side[i]);
        g->order[i] = choose(where, order, g->order[i]);
    }
    if (any(lost)) leave(g, lost);
}

static ALWAYS_INLINE void enter(group *g, mask where, const part *p, int i, int b, const int n)
{
    const lane_numbers *m = &g->numbers[p->mode];
    const ic_batch_branch *branch = &g->shape->modes[p->mode].guards[i].branches[b];
    const vec before = sparse_dot(m->value[i], &g->values[p->mode][i], g->z);
    if (branch->changes) {
        vec x[IC_BATCH_STATES];
        for (int k = 0; k < n; k++) x[k] = dot(m->branch_state[i][b][k], g->z, n);
        for (int k = 0; k < n; k++) g->z[k] = choose(where, x[k], g->z[k]);
    }
    g->mode = choose(where, all(branch->mode), g->mode);
    if (!g->shape->modes[branch->mode].terminal) {
        arm(g, where, branch, before, n);
        return;
    }
    for (int l = 0; l < g->n_lanes; l++) {
        if (where[l] != 0 && g->running[l] != 0) finish(g, l);
    }
}

static ALWAYS_INLINE void jump(group *g, const part *p, mask where, const int n)
{
    const lane_numbers *m = &g->numbers[p->mode];
    g->events = choose(where, g->events + 1, g->events);
    g->crowd = choose(where, g->crowd + 1, g->crowd);
    for (int i = 0; i < g->shape->modes[p->mode].n_guards; i++) {
        const ic_batch_guard *guard = &g->shape->modes[p->mode].guards[i];
        mask due = where & (p->fired == (double)i);
        for (int b = 0; b < guard->n_branches && any(due); b++) {
            mask taken = due;
            if (guard->branches[b].conditional) taken &= dot(m->branch_condition[i][b], g->z, n) > 0;
            due &= ~taken;
            if (any(taken)) enter(g, taken, p, i, b, n);
        }
        if (any(due)) leave(g, due);
    }
}

/* ---- stops */

static void stop(group *g, int l, double skip)
{
    ic_batch_lane *lane = &g->lanes[l];
    const size_t n = (size_t)g->shape->n_states;
    if (lane->n_strobes == 0) {
        finish(g, l);
        return;
    }
    const size_t row = (size_t)(g->cycle[l] - 1 - skip);
    for (size_t i = 0; i < n; i++) lane->rows[row * n + i] = g->z[i][l];
    lane->modes[row] = (unsigned char)g->mode[l];
    lane->strobes = row + 1;
    if (lane->strobes == lane->n_strobes) finish(g, l);
}

/* ---- the loop */

/* Where a lane is when it stops in mid-phase: on which sides its guards are. */
static ALWAYS_INLINE void take_sides(group *g, const part *p, mask where, vec u)
{
    const lane_numbers *m = &g->numbers[p->mode];
    const mask at_start = u < AT_START - 1;
    mask lost = none();
    for (int i = 0; i < g->shape->modes[p->mode].n_guards; i++) {
        const vec value = sparse_dot(m->value[i], &g->values[p->mode][i], g->z);
        const mask kept = at_start & (g->order[i] > 0);
        lost |= where & ~kept & (value == 0);
        g->side[i] = choose(where & ~kept, choose(value < 0, all(-1), all(1)), g->side[i]);
        g->order[i] = choose(where & ~kept, all(0), g->order[i]);
    }
    if (any(lost)) leave(g, lost);
}

/* Move the active lanes on: to an event, to a stop, or to the end of the part. */
static ALWAYS_INLINE void move(group *g, part *p, double skip, const int n)
{
    const lane_numbers *m = &g->numbers[p->mode];
    const int n_guards = g->shape->modes[p->mode].n_guards;
    const vec u_limit = 2 * (g->period - g->time - g->rest) / m->h - 1;
    const vec u_stop = choose(g->cycle >= g->stop_from, u_limit, all(INFINITY));
    const mask event = p->active & (p->fired >= 0) & (p->u <= u_stop);
    const mask stops = p->active & ~event & (u_stop <= 1), onward = p->active & ~event & ~stops;
    const vec u = choose(event, p->u, choose(stops, u_stop, all(1)));
    for (int k = 0; k < n; k++) {
        vec even = p->series[TERMS - 2][k], odd = p->series[TERMS - 1][k];
        const vec v = u * u;
        for (int j = TERMS - 4; j >= 0; j -= 2) {
            even = even * v + p->series[j][k];
            odd = odd * v + p->series[j + 1][k];
        }
        g->z[k] = choose(p->active, choose(onward, p->z_end[k], even + u * odd), g->z[k]);
    }
    move_time(g, p->active, choose(onward, m->h, 0.5 * m->h * (u + 1)));
    g->time = choose(stops, g->period, g->time);
    g->rest = choose(stops, all(0), g->rest);
    wrap(g, p->active);
    force(g, p->active, n);
    for (int i = 0; i < n_guards; i++) {
        g->side[i] = choose(onward, p->side_after[i], g->side[i]);
        g->order[i] = choose(onward, all(0), g->order[i]);
    }
    if (any(stops)) take_sides(g, p, stops, u);
    for (int l = 0; l < g->n_lanes && any(stops); l++) {
        if (stops[l] != 0 && g->running[l] != 0) stop(g, l, skip);
    }
    if (any(event)) jump(g, p, event, n);
    const mask crowded = p->active & (g->crowd > EVENTS_MOST);
    if (any(crowded)) leave(g, crowded);
}

/* The mode of the lane that is behind. */
static int next_mode(const group *g)
{
    double least_time = INFINITY;
    int mode = -1;
    for (int l = 0; l < g->n_lanes; l++) {
        if (g->running[l] == 0) continue;
        const double at = g->cycle[l] + g->time[l] / g->period[l];
        if (mode < 0 || at < least_time) least_time = at, mode = (int)g->mode[l];
    }
    return mode;
}

static ALWAYS_INLINE void follow(group *g, double skip, const volatile sig_atomic_t *stop_flag, const int n)
{
    part p;
    memset(&p, 0, sizeof p);
    while (any(g->running) && (stop_flag == NULL || *stop_flag == 0)) {
        p.mode = next_mode(g);
        p.active = g->running & (g->mode == (double)p.mode);
        march(g, &p, n);
        take_series(g, &p, n);
        look(g, &p, n);
        move(g, &p, skip, n);
    }
}

/* ---- in and out of vectors */

static void put_numbers(lane_numbers *into, const ic_batch_numbers *from, int l)
{
    double *to = (double *)into;
    const double *at = (const double *)from;
    for (size_t k = 0; k < sizeof *from / sizeof *at; k++) to[k * LANES + (size_t)l] = at[k];
}

static void take_patterns(group *g)
{
    for (int k = 0; k < g->shape->n_modes; k++) {
        for (int i = 0; i < g->shape->modes[k].n_guards; i++) {
            pattern *columns = &g->values[k][i];
            for (int j = 0; j < g->shape->n + 3; j++) {
                if (any(g->numbers[k].value[i][j] != 0)) columns->at[columns->n++] = j;
            }
        }
    }
}

static void put_lane(group *g, ic_batch_lane *lane, int l, double skip)
{
    for (int k = 0; k < g->shape->n_modes; k++) put_numbers(&g->numbers[k], &lane->numbers[k], l);
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
    g->running[l] = -1;
}

#define WITH_STATES(n_)                                                                                        \
    case n_:                                                                                                   \
        force(&g, g.running, n_);                                                                              \
        follow(&g, skip, stop_flag, n_);                                                                       \
        break

static void follow_lanes(const ic_batch_shape *shape, ic_batch_lane *lanes, int n_lanes, double skip,
                         const volatile sig_atomic_t *stop_flag)
{
    group g;
    memset(&g, 0, sizeof g);
    g.shape = shape;
    g.lanes = lanes;
    g.n_lanes = n_lanes;
    g.numbers = aligned_alloc(IC_VECTOR_BYTES, (size_t)shape->n_modes * sizeof *g.numbers);
    g.period = all(1);
    for (int l = 0; l < n_lanes; l++) lanes[l].outcome = g.numbers != NULL ? IC_BATCH_RUNNING : IC_BATCH_LEFT;
    if (g.numbers == NULL) return;
    memset(g.numbers, 0, (size_t)shape->n_modes * sizeof *g.numbers);
    for (int l = 0; l < n_lanes; l++) put_lane(&g, &lanes[l], l, skip);
    take_patterns(&g);
    switch (shape->n) {
        WITH_STATES(2);
        WITH_STATES(4);
        WITH_STATES(5);
        WITH_STATES(6);
    }
    for (int l = 0; l < n_lanes; l++) lanes[l].events = g.events[l];
    free(g.numbers);
}

static bool runs_here(void)
{
#if IC_VECTOR_BYTES == 64 && defined(__AVX512F__)
    return __builtin_cpu_supports("avx512f");
#elif IC_VECTOR_BYTES == 32 && defined(__AVX2__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return true;
#endif
}

const ic_batch_kernel IC_KERNEL_SYMBOL = {IC_KERNEL_NAME, LANES, follow_lanes, runs_here};
