/* SPDX-License-Identifier: MIT */
/* Every crossing that the interpolant of a step shows. */
#include "core/numbers.h"
#include "core/step_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_DEGREE = IC_STEP_MOST_NODES - 1 };
/*
 * Number of times that the part of a step before its first event is searched again.
 */
enum { MOST_SEARCHES = 8 };
/*
 * A guard that is not a polynomial along the interpolant is searched in pieces of the step. A piece
 * is short enough if the error of the polynomial through the guard's values is below one of these
 * limits:
 *
 *     RESOLVED times its greatest value;
 *     CLEAR times the least difference of two neighbouring values, if they all rise or all fall;
 *     CLEAR times its least value, if it stays on one side of zero;
 *     CLEAR times its slope, next to a zero at the start.
 *
 * Pieces are not made shorter than SHORTEST_PIECE of the step or than IC_STEP_SHORTEST_SEARCH. After
 * MOST_PIECES they are not shortened any more, because no piece resolves a guard that consists of rounding
 * error.
 */
#define RESOLVED 1e-9
#define CLEAR 0.1
#define SHORTEST_PIECE 0x1p-20
enum { MOST_PIECES = 512 };
/*
 * Newton's method for the root of a polynomial. MOST_NEWTON iterations are enough to halve a bracket down to
 * its resolution. The method ends with a correction below NEWTON_PART of event_tol, or below
 * NEWTON_RESOLUTION of the step, whichever is more. A correction below NEWTON_NOISE of the distance of two
 * nodes is rounding error if it is not half of the one before. The bracket in which the guard is then looked
 * for grows by the factor WIDER.
 */
enum { MOST_NEWTON = 64 };
#define NEWTON_PART 0.1
#define NEWTON_RESOLUTION 0x1p-50
#define NEWTON_NOISE 1e-9
#define WIDER 16
/* A curvature at a departure is ignored below this fraction of the greatest coefficient. */
#define SLIGHT 1e-2
/* It is compared with a difference of rates over at most this part of the step. */
#define LONGEST_DIFFERENCE 1e-3
/* Two roots closer than this fraction of a step are treated as a touch. */
#define CLOSEST_PAIR 0x1p-40

/* 1/i */
static const double inverse[2 * IC_STEP_MOST_NODES] = {0,       1,       1. / 2,  1. / 3, 1. / 4,  1. / 5,
                                                       1. / 6,  1. / 7,  1. / 8,  1. / 9, 1. / 10, 1. / 11,
                                                       1. / 12, 1. / 13, 1. / 14, 1. / 15};

/* Newton's divided differences of values at distances of 1/parts. */
static void divided_differences(double *c, const double *v, int degree, int parts)
{
    for (int i = 0; i <= degree; i++) c[i] = v[i];
    for (int level = 1; level <= degree; level++) {
        const double per_distance = parts * inverse[level];
        for (int i = degree; i >= level; i--) c[i] = (c[i] - c[i - 1]) * per_distance;
    }
}

/* ---- polynomials in Bernstein form: b_i is the coefficient of C(d, i) s^i (1 - s)^(d - i) */

/*
 * Coefficients b of the polynomial of a degree that takes the values v at s = first/parts, (first +
 * 1)/parts, ..., 1. With Newton's divided differences c,
 *
 *     p = c_0 + (s - s_0) (c_1 + (s - s_1) (c_2 + ...)),
 *
 * and a product with s - s_k turns b, of degree m, into
 *
 *     ((m + 1 - i) (0 - s_k) b_i + i (1 - s_k) b_(i-1))/(m + 1).
 */
static void bernstein_through_values(double *b, const double *v, int degree, int first, int parts)
{
    double c[MOST_DEGREE + 1] = {0};
    const double part = 1. / parts;
    divided_differences(c, v, degree, parts);
    b[0] = c[degree];
    for (int k = degree - 1, m = 0; k >= 0; k--, m++) {
        const double at = (first + k) * part, rest = (parts - first - k) * part, share = inverse[m + 1];
        b[m + 1] = rest * b[m] + c[k];
        for (int i = m; i > 0; i--) b[i] = (i * rest * b[i - 1] - (m + 1 - i) * at * b[i]) * share + c[k];
        b[0] = c[k] - at * b[0];
    }
    b[degree] = v[degree];
    if (first == 0) b[0] = v[0];
}

static double integer_power(double x, int order)
{
    double power = 1;
    for (int i = 0; i < order; i++) power *= x;
    return power;
}

/*
 * Coefficients of the polynomial through v_i/s_i^order at the nodes after 0: the zero at 0 is
 * divided out.
 */
static void bernstein_deflated(double *b, const double *v, int degree, int order)
{
    double w[MOST_DEGREE] = {0};
    for (int i = 0; i < degree; i++) w[i] = v[i + 1] / integer_power((i + 1) / (double)degree, order);
    bernstein_through_values(b, w, degree - 1, 1, degree);
}

static int count_sign_changes(const double *b, int degree, int *first)
{
    int count = 0, last = 0;
    *first = 0;
    for (int i = 0; i <= degree; i++) {
        const int s = ic_sign(b[i]);
        if (s == 0) continue;
        if (last == 0) *first = s;
        else if (s != last) count++;
        last = s;
    }
    return count;
}

typedef struct crossing_search {
    ic_sign_change *changes;
    int count, most, side, degree;
    bool grazes;
} crossing_search;

static void add_sign_change(crossing_search *s, double low, double high, int to)
{
    if (s->count < s->most) s->changes[s->count++] = (ic_sign_change){low, high, to};
    s->side = to;
}

/* Subdivision by de Casteljau at 1/2: b becomes the left half, `right` the right half. */
static void subdivide_interval(double *b, double *right, int degree)
{
    for (int level = 0; level <= degree; level++) {
        right[degree - level] = b[degree];
        for (int i = degree; i > level; i--) b[i] = 0.5 * (b[i - 1] + b[i]);
    }
}

static void isolate_sign_changes(crossing_search *s, const double *coefficients, double low, double high)
{
    double left[MOST_DEGREE + 1] = {0}, right[MOST_DEGREE + 1] = {0};
    int first = 0;
    const int count = count_sign_changes(coefficients, s->degree, &first);
    if (first == 0) return; /* zero throughout: the side does not change */
    if (count <= 1) {
        if (first != s->side) add_sign_change(s, low, low, first);
        if (count == 1) add_sign_change(s, low, high, -first);
        return;
    }
    if (high - low < CLOSEST_PAIR) {
        s->grazes = true;
        const int end = ic_sign(coefficients[s->degree]);
        if (end != 0 && end != s->side) add_sign_change(s, low, high, end);
        return;
    }
    for (int i = 0; i <= s->degree; i++) left[i] = coefficients[i];
    subdivide_interval(left, right, s->degree);
    const double middle = 0.5 * (low + high);
    isolate_sign_changes(s, left, low, middle);
    isolate_sign_changes(s, right, middle, high);
}

/* Least of the values, counted as positive on `side` of zero, and the range of the values. */
static double least_on_side(const double *values, int n, int side, double *spread)
{
    double least = side * values[0], most = least;
    for (int i = 1; i < n; i++) {
        const double value = side * values[i];
        if (value < least) least = value;
        if (value > most) most = value;
    }
    *spread = most - least;
    return least;
}

/*
 * Whether the polynomial through values that all lie on `side` stays there between them. If m is
 * the least value, r the range of the values, and L the Lebesgue constant of these nodes, the
 * polynomial is at least m - (L - 1)/2 r: the basis polynomials sum to 1, and their magnitudes to
 * at most L.
 */
static bool stays_between_nodes(const double *values, int nodes, int side)
{
    /* (L - 1)/2, rounded up, by number of nodes */
    static const double dip[IC_STEP_MOST_NODES + 1] = {0, 0, 0, 0.126, 0.317, 0.605, 1.06, 1.78, 2.97};
    double spread = 0;
    const double least = least_on_side(values, nodes, side, &spread);
    return least > dip[nodes] * spread;
}

int ic_sign_changes(ic_sign_change *changes, const double *values, int nodes, ic_arming arming, int *last,
                    bool *grazes)
{
    double b[MOST_DEGREE + 1] = {0};
    int first = 0;
    const int degree = nodes - 1;
    if (arming.order == 0 && arming.side != 0 && stays_between_nodes(values, nodes, arming.side)) {
        *last = arming.side;
        *grazes = false;
        return 0;
    }
    const bool at_zero = arming.order > 0 || values[0] == 0;
    crossing_search s = {.changes = changes, .most = degree, .side = arming.side, .degree = degree - at_zero};
    if (at_zero) bernstein_deflated(b, values, degree, arming.order > 0 ? arming.order : 1);
    else bernstein_through_values(b, values, degree, 0, degree);
    count_sign_changes(b, s.degree, &first);
    /* A declared zero has no side until the guard has left it. */
    if (arming.order > 0 && arming.side != 0) s.side = first;
    isolate_sign_changes(&s, b, 0, 1);
    *last = s.side;
    *grazes = s.grazes;
    return s.count;
}

/* ---- location on the interpolant */

double ic_step_guard_value(const ic_phase *phase, const ic_step *step, size_t i, double t)
{
    step->interpolate(step->self, t, step->scratch);
    return ic_phase_guard(phase, i, t, step->scratch);
}

typedef struct guard_on_step {
    const ic_phase *phase;
    const ic_step *step;
    size_t guard;
} guard_on_step;

static double bracketed_guard_value(void *self, double t)
{
    const guard_on_step *g = self;
    return ic_step_guard_value(g->phase, g->step, g->guard, t);
}

double ic_polynomial_root(const double *values, int degree, double low, double high, int to, double width)
{
    double c[MOST_DEGREE + 1] = {0}, from = low * degree, end = high * degree, u = 0.5 * (from + end),
                           last = INFINITY;
    const double resolution = fmax(width, NEWTON_RESOLUTION) * degree;
    divided_differences(c, values, degree, 1);
    for (int iteration = 0; iteration < MOST_NEWTON; iteration++) {
        double p = c[degree], slope = 0;
        for (int k = degree - 1; k >= 0; k--) {
            slope = p + (u - k) * slope;
            p = c[k] + (u - k) * p;
        }
        if (ic_sign(p) == to) end = u;
        else from = u;
        const double correction = -p / slope, size = fabs(correction);
        const bool inside = u + correction >= from && u + correction <= end;
        u = inside ? u + correction : 0.5 * (from + end);
        if (inside && (size <= resolution || (size < NEWTON_NOISE && !(size < 0.5 * last)))) break;
        last = size;
    }
    return u / degree;
}

/* Whether the guard has passed to side `to` at t, which lies in a bracket with the end `high`. */
static bool has_passed(guard_on_step *self, double t, double high, int to)
{
    ++self->phase->work->root_iterations;
    return t >= high || ic_sign(bracketed_guard_value(self, t)) == to;
}

/*
 * The crossing is looked for beside the root of the polynomial through the guard's values, in brackets that
 * grow from event_tol until they contain it.
 */
static double locate_crossing(const ic_phase *phase, const ic_step *step, size_t i, const double *values,
                              const ic_sign_change *change)
{
    const double length = step->t1 - step->t0, tol = phase->options->event_tol;
    double low = step->t0 + change->low * length;
    double high = change->high == 1 ? step->t1 : step->t0 + change->high * length;
    guard_on_step self = {phase, step, i};
    if (change->low == change->high) return low;
    const double root = ic_polynomial_root(values, step->nodes - 1, change->low, change->high, change->to,
                                           NEWTON_PART * tol / length);
    const double t = fmin(fmax(step->t0 + root * length, low), high);
    double reach = 0.5 * tol;
    if (has_passed(&self, t + reach, high, change->to)) {
        if (t + reach < high) high = t + reach;
        while (t - reach > low && has_passed(&self, t - reach, high, change->to))
            high = t - reach, reach *= WIDER;
        low = fmax(low, t - reach);
    } else {
        low = t + reach;
        reach *= WIDER;
        while (!has_passed(&self, t + reach, high, change->to)) low = t + reach, reach *= WIDER;
        high = fmin(high, t + reach);
    }
    return step->narrow(bracketed_guard_value, &self, low, high, change->to, tol,
                        &phase->work->root_iterations);
}

/*
 * Whether the guard itself, on the interpolant, has crossed with the polynomial through its values.
 * If the guard is not smooth on the scale of a step (an onset like d^n), the polynomial may dip
 * below zero where the guard does not.
 */
static bool guard_has_crossed(const ic_phase *phase, const ic_step *step, size_t i,
                              const ic_sign_change *change, double t)
{
    if (change->low == change->high) return true; /* A change at the start is judged by the rate. */
    const double value = ic_step_guard_value(phase, step, i, t);
    double spare[IC_MAX_STATES];
    return ic_sign(value) != -change->to ||
           fabs(value) <= ic_watch_rounding(phase, ic_phase_watch(phase, i), t, step->scratch, spare);
}

/*
 * Whether the guard itself was on the side that it leaves by `change`, by more than rounding, at some time since
 * the change before. If not, both changes are a touch, or artefacts of the polynomial.
 */
static bool guard_was_across(const ic_phase *phase, const ic_step *step, size_t i, const ic_sign_change *before,
                             const ic_sign_change *change)
{
    if (before->low == before->high) return true; /* A change at the start is judged by the rate. */
    const double part[] = {before->high, 0.5 * (before->high + change->low), change->low};
    double spare[IC_MAX_STATES];
    for (int k = 0; k < 3; k++) {
        const double t = step->t0 + part[k] * (step->t1 - step->t0),
                     value = ic_step_guard_value(phase, step, i, t);
        if (ic_sign(value) == -change->to &&
            fabs(value) > ic_watch_rounding(phase, ic_phase_watch(phase, i), t, step->scratch, spare))
            return true;
    }
    return false;
}

enum { PROBES = 3 };

/*
 * States at the equidistant nodes of a step, and at probes halfway between two nodes: at the start,
 * in the middle and at the end of the step. `at` are the places of the probes as fractions of the
 * step. The states are interpolated once, when the first guard needs them.
 */
typedef struct nodes {
    bool placed, probed;
    double t[IC_STEP_MOST_NODES];
    const double *x[IC_STEP_MOST_NODES];
    double inner[IC_STEP_MOST_NODES - 2][IC_MAX_STATES];

    /* The probes are in the middle between node before[k] and the next one. */
    int before[PROBES];
    double at[PROBES], probe[PROBES][IC_MAX_STATES];
} nodes;

static void place_nodes(nodes *n, const ic_step *step)
{
    const int degree = step->nodes - 1;
    if (n->placed) return;
    n->placed = true;
    n->probed = false;
    n->t[0] = step->t0, n->x[0] = step->x0;
    n->t[degree] = step->t1, n->x[degree] = step->x1;
    for (int k = 1; k < degree; k++) {
        n->t[k] = step->t0 + k / (double)degree * (step->t1 - step->t0);
        n->x[k] = n->inner[k - 1];
        step->interpolate(step->self, n->t[k], n->inner[k - 1]);
    }
}

static void place_probes(nodes *n, const ic_step *step)
{
    const int degree = step->nodes - 1;
    if (n->probed) return;
    n->probed = true;
    n->before[0] = 0, n->before[1] = degree / 2, n->before[2] = degree - 1;
    for (int k = 0; k < PROBES; k++) {
        n->at[k] = (n->before[k] + 0.5) / degree;
        step->interpolate(step->self, step->t0 + n->at[k] * (step->t1 - step->t0), n->probe[k]);
    }
}

/*
 * Whether the values of a guard that departs from zero do not differ from zero yet. With a rate
 * (order 1), they are below the rate times twice the width of an instant, in a step of at most 16
 * widths. Without a rate (a declared zero of higher order), they are below the rounding error of
 * the guard.
 */
static bool guard_is_still_at_zero(const ic_phase *phase, const ic_step *step, size_t i, const double *values)
{
    const double width = ic_phase_instant_width(phase);
    const int order = phase->arming[i].order;
    double least = 0;
    if (order == 0 || (order == 1 && step->t1 - step->t0 > 16 * width)) return false;
    if (order == 1) least = 2 * width * fabs(ic_phase_guard_rate(phase, i, step->t0, step->x0));
    else least = ic_watch_rounding(phase, ic_phase_watch(phase, i), step->t0, step->x0, step->scratch);
    for (int k = 1; k < step->nodes; k++) {
        if (fabs(values[k]) > least) return false;
    }
    return true;
}

/* ---- whether the polynomial through a guard's values is close to it */

/*
 * Value at s of the polynomial through v_i at s_i = i/parts, i = first to parts, by the barycentric
 * formula:
 *
 *     p(s) = sum_i b_i v_i/(s - s_i) / sum_i b_i/(s - s_i),    b_i = (-1)^i C(parts - first, i - first).
 */
static double polynomial_value(const double *v, int first, int parts, double s)
{
    double above = 0, below = 0, weight = 1;
    for (int i = first; i <= parts; i++) {
        const double w = weight / (s * parts - i);
        above += w * v[i];
        below += w;
        weight *= (double)(i - parts) / (i - first + 1);
    }
    return above / below;
}

/*
 * The same in the middle between nodes `before` and `before` + 1, without divisions, since it is
 * computed in each step.
 */
static double polynomial_between(const double *v, int parts, int before)
{
    double above = 0, below = 0, weight = 1;
    for (int i = 0; i <= parts; i++) {
        const int twice = 2 * (before - i) + 1; /* the distance from node i, in halves */
        const double w = weight * (twice > 0 ? inverse[twice] : -inverse[-twice]);
        above += w * v[i];
        below += w;
        weight *= (i - parts) * inverse[i + 1];
    }
    return above / below;
}

/*
 * Whether the values vary by a small fraction of their distance from zero, so that no crossing is
 * near.
 */
static bool is_far(const double *values, int n, ic_arming arming)
{
    double spread = 0;
    if (arming.order > 0 || arming.side == 0) return false;
    const double least = least_on_side(values, n, arming.side, &spread);
    return least > IC_STEP_FAR * spread;
}

/* Least difference of neighbouring values if they all rise or all fall; otherwise 0. */
static double least_climb(const double *values, int n)
{
    double least = INFINITY;
    for (int i = 1; i < n; i++)
        least = fmin(least, (values[i] - values[i - 1]) * ic_sign(values[n - 1] - values[0]));
    return fmax(least, 0);
}

typedef struct guard_piece {
    const ic_step *step;
    nodes *nodes;

    /* Values of the guard at the nodes. */
    const double *values;

    ic_arming arming;
    size_t guard;
} guard_piece;

/* Rounding error of the guard at the start of the piece. */
static double rounding_on(const ic_phase *phase, const guard_piece *p)
{
    double spare[IC_MAX_STATES];
    return ic_watch_rounding(phase, ic_phase_watch(phase, p->guard), p->step->t0, p->step->x0, spare);
}

/* Whether the polynomial without the zero at its start has the slope of the guard there. */
static bool is_slope_resolved(const ic_phase *phase, const guard_piece *p, double at, double g)
{
    double without[MOST_DEGREE + 1] = {0}; /* Values after the zero has been divided out. */
    const int degree = p->step->nodes - 1, order = p->arming.order;
    const double power = integer_power(at, order);
    for (int i = 1; i <= degree; i++) without[i] = p->values[i] / integer_power(i / (double)degree, order);
    const double slope = polynomial_value(without, 1, degree, 0);
    const bool same_side = order > 1 || p->arming.side == 0 || ic_sign(slope) == p->arming.side;
    const double error = fabs(g / power - polynomial_value(without, 1, degree, at));
    if (same_side && error <= CLEAR * fabs(slope)) return true;
    const double rounding = rounding_on(phase, p) / power;
    return same_side ? error <= rounding : fabs(slope) <= rounding;
}

static bool is_resolved(const ic_phase *phase, const guard_piece *p)
{
    const int degree = p->step->nodes - 1;
    const double *v = p->values, *at = p->nodes->at;
    double error = 0, most = 0, spread = 0;
    place_probes(p->nodes, p->step);
    for (int k = 0; k < PROBES; k++) {
        const double t = p->step->t0 + at[k] * (p->step->t1 - p->step->t0);
        const double g = ic_phase_guard(phase, p->guard, t, p->nodes->probe[k]);
        error = fmax(error, fabs(g - polynomial_between(v, degree, p->nodes->before[k])));
        if (k == 0 && p->arming.order > 0 && !is_slope_resolved(phase, p, at[0], g)) return false;
    }
    if (error <= CLEAR * least_climb(v, degree + 1)) return true;
    if (p->arming.order == 0 && error <= CLEAR * least_on_side(v, degree + 1, ic_sign(v[0]), &spread))
        return true;
    for (int i = 0; i <= degree; i++) most = fmax(most, fabs(v[i]));
    return error <= RESOLVED * most || error <= rounding_on(phase, p);
}

/*
 * Removes pairs of changes between which the guard itself does not cross, which are a touch or
 * rounding. Returns the number of changes left.
 */
static int drop_pairs(const ic_phase *phase, const ic_step *step, size_t i, ic_sign_change *changes, int count)
{
    int kept = 0;
    for (int k = 0; k < count; k++) {
        if (kept > 0 && !guard_was_across(phase, step, i, &changes[kept - 1], &changes[k])) kept--;
        else changes[kept++] = changes[k];
    }
    return kept;
}

/*
 * Order of a zero at the start from which a guard departs to an unknown side. The curvature there may be an
 * effect of the error with which the last event was located (a block that lifts off where its acceleration
 * passes through zero) or of an error of the interpolant. A curvature that is small compared with later ones,
 * or with the error of the solver, is therefore ignored; and one that the rates of the guard itself do not
 * show.
 */
static int order_of_departure(const ic_phase *phase, const guard_piece *p, int order)
{
    const int degree = p->step->nodes - 1;
    double b[MOST_DEGREE + 1] = {0}, most = 0;
    bernstein_deflated(b, p->values, degree, order);
    for (int i = 0; i < degree; i++) most = fmax(most, fabs(b[i]));
    /* The error of a value, divided by the power of the first node, 1/degree. */
    const double unit = rounding_on(phase, p) / (IC_INSTANT_ULPS * DBL_EPSILON);
    const double error = phase->options->rtol * unit * integer_power(degree, order);
    const double least = fmax(SLIGHT * most, error), h = p->step->t1 - p->step->t0;
    if (!(fabs(b[0]) > least)) return order + 1;
    if (order != 2) return order;
    const double d = fmin(IC_RATE_DIFFERENCE * phase->time_scale, LONGEST_DIFFERENCE * h);
    const double second =
        ic_watch_second_rate(phase, ic_phase_watch(phase, p->guard), p->step->t0, p->step->x0, d);
    return 0.5 * h * h * fabs(second) <= least ? order + 1 : order;
}

/*
 * Whether the values of a guard that has not left its zero yet consist of rounding error. Shorter
 * pieces would not help.
 */
static bool is_noise(const ic_phase *phase, const guard_piece *p)
{
    if (p->arming.order == 0) return false;
    const double rounding = rounding_on(phase, p);
    for (int k = 0; k < p->step->nodes; k++) {
        if (fabs(p->values[k]) > 4 * rounding) return false;
    }
    return true;
}

/*
 * Whether a change at the start is the departure of a guard that stands at zero (clause 2): it fires if the
 * guard moves to the side of its direction. A guard of both directions does not: it has crossed nothing.
 */
static bool departs_without_crossing(const ic_phase *phase, const guard_piece *p, const ic_sign_change *change)
{
    const bool at_start = change->low == 0 && change->high == 0;
    return at_start && p->arming.side == 0 && ic_phase_direction(phase, p->guard) == 0;
}

/* The first enabled crossing of the polynomial through the values that the guard itself has too. */
static ic_status find_on_piece(const ic_phase *phase, const guard_piece *p, double *t, int *last)
{
    const ic_step *step = p->step;
    const size_t i = p->guard;
    ic_sign_change changes[MOST_DEGREE];
    bool grazes = false;
    ic_arming arming = p->arming;
    *last = 0;
    if (arming.order > 1 && is_noise(phase, p)) return IC_OK; /* The guard has not left its zero yet. */
    /* A declared order of 3 may be too high: a stop is left with curvature if its force falls by a jump. */
    if (arming.order > 1 && (arming.side == 0 || arming.order == 3))
        arming.order = order_of_departure(phase, p, arming.side == 0 ? arming.order : 2);
    int count = ic_sign_changes(changes, p->values, step->nodes, arming, last, &grazes);
    if (grazes) {
        const ic_status status =
            ic_log_note(phase->log, IC_NOTE_GRAZING, step->t0, ic_phase_guard_name(phase, i));
        if (status != IC_OK) return status;
    }
    count = drop_pairs(phase, step, i, changes, count);
    for (int k = 0; k < count; k++) {
        if (!ic_fires(ic_phase_direction(phase, i), changes[k].to)) continue;
        if (departs_without_crossing(phase, p, &changes[k])) continue;
        const double at = locate_crossing(phase, step, i, p->values, &changes[k]);
        if (!guard_has_crossed(phase, step, i, &changes[k], at)) continue;
        if (k > 0 && !guard_was_across(phase, step, i, &changes[k - 1], &changes[k])) continue;
        step->interpolate(step->self, at, step->scratch);
        if (!ic_phase_enabled(phase, i, at, step->scratch)) continue;
        *t = at;
        break;
    }
    return IC_OK;
}

static ic_status take_values(double *values, const ic_phase *phase, const nodes *nodes, int n, size_t i)
{
    for (int k = 0; k < n; k++) {
        values[k] = ic_phase_guard(phase, i, nodes->t[k], nodes->x[k]);
        if (!isfinite(values[k])) return IC_NOT_FINITE;
    }
    return IC_OK;
}

/*
 * Goes from piece to piece up to `end`. A piece is halved until it is resolved; after that, pieces
 * grow again.
 */
static ic_status search_pieces(const ic_phase *phase, const ic_step *step, size_t i, double end, double *t,
                               int *last)
{
    const double length = end - step->t0;
    const double least = fmax(SHORTEST_PIECE * length, IC_STEP_SHORTEST_SEARCH * ic_phase_instant_width(phase));
    double values[IC_STEP_MOST_NODES] = {0}, x0[IC_MAX_STATES], x1[IC_MAX_STATES], part = length / 2;
    ic_step small = *step;
    nodes nodes;
    guard_piece p = {&small, &nodes, values, phase->arming[i], i};
    bool shortest = false;
    int pieces = 0;
    small.x0 = x0;
    small.x1 = x1;
    memcpy(x0, step->x0, phase->n * sizeof *x0);
    while (small.t0 < end) {
        nodes.placed = false;
        small.t1 = fmin(small.t0 + part, end);
        if (small.t1 == step->t1) memcpy(x1, step->x1, phase->n * sizeof *x1);
        else step->interpolate(step->self, small.t1, x1);
        place_nodes(&nodes, &small);
        ic_status status = take_values(values, phase, &nodes, step->nodes, i);
        if (status != IC_OK) return status;
        if (part > least && pieces < MOST_PIECES && !shortest && !is_resolved(phase, &p)) {
            shortest = is_noise(phase, &p);
            part = shortest ? 4 * part : part / 2;
            continue;
        }
        pieces++;
        shortest = false;
        status = find_on_piece(phase, &p, t, last);
        if (status != IC_OK || *t < INFINITY) return status;
        if (*last != 0) p.arming = (ic_arming){.side = *last};
        small.t0 = small.t1;
        memcpy(x0, x1, phase->n * sizeof *x0);
        part *= 2;
    }
    return IC_OK;
}

/*
 * Whether the guard of a stop, which left zero with its rate, is on the other side for the rest of the step
 * although no crossing was found: the excursion is lower than the rounding error of the guard, as of the last
 * bounces before rest.
 */
static bool has_returned_unseen(const ic_phase *phase, const guard_piece *p, double t, int last)
{
    const int side = p->arming.side;
    const ic_guard *guard = ic_phase_watch(phase, p->guard).guard;
    if (guard == NULL || guard->onset != IC_ONSET_NEAR) return false;
    if (p->arming.order != 1 || side == 0 || last != -side || t < INFINITY) return false;
    if (!ic_fires(ic_phase_direction(phase, p->guard), -side)) return false;
    if (!(fabs(p->values[p->step->nodes - 1]) > rounding_on(phase, p))) return false;
    return !ic_watch_has_no_rate(phase, ic_phase_watch(phase, p->guard), p->step->t0, p->step->x0) &&
           ic_phase_enabled(phase, p->guard, p->step->t0, p->step->x0);
}

/*
 * Finds the first enabled crossing of one guard in its direction; INFINITY if it does not exist.
 * *last is the side at the end of the step, 0 if the guard has not left its zero. After `until`,
 * the guard is not searched in pieces.
 */
static ic_status find_with_values(const ic_phase *phase, const guard_piece *whole, double until, double *t,
                                  int *last)
{
    const ic_step *step = whole->step;
    const size_t i = whole->guard;
    ic_status status = IC_OK;
    if (guard_is_still_at_zero(phase, step, i, whole->values)) return IC_OK;
    if (phase->curved[i] && is_far(whole->values, step->nodes, whole->arming)) {
        *last = whole->arming.side;
        return IC_OK;
    }
    const bool in_pieces = phase->curved[i] && !is_resolved(phase, whole);
    if (in_pieces) status = search_pieces(phase, step, i, fmin(step->t1, until), t, last);
    else status = find_on_piece(phase, whole, t, last);
    if (status == IC_OK && has_returned_unseen(phase, whole, *t, *last)) *t = step->t0;
    return status;
}

/*
 * The same in the part of the step up to `event`, where another guard has fired: this guard has no value in
 * the whole step, but beyond the event it need not have one. The event is located to event_tol.
 */
static ic_status find_before_event(const ic_phase *phase, const ic_step *step, size_t i, double event,
                                   double *t, int *last)
{
    double values[IC_STEP_MOST_NODES] = {0}, x1[IC_MAX_STATES], back = 0;
    ic_step part = *step;
    nodes nodes;
    const guard_piece whole = {&part, &nodes, values, phase->arming[i], i};
    part.x1 = x1;
    for (int attempt = 0; attempt < MOST_SEARCHES && event <= step->t1; attempt++) {
        part.t1 = event - back;
        if (!(part.t1 > part.t0)) return IC_OK; /* Nothing lies before the event. */
        step->interpolate(step->self, part.t1, x1);
        nodes.placed = false;
        place_nodes(&nodes, &part);
        if (take_values(values, phase, &nodes, part.nodes, i) == IC_OK)
            return find_with_values(phase, &whole, part.t1, t, last);
        back = fmax(2 * back, phase->options->event_tol);
    }
    return IC_NOT_FINITE;
}

/*
 * Finds the first crossing of one guard. After `event`, where another guard has fired, flow and guard
 * may not be smooth: the guard is not searched in pieces there.
 */
static ic_status find_first_crossing(const ic_phase *phase, const ic_step *step, nodes *nodes, size_t i,
                                     double event, double *t, int *last)
{
    double values[IC_STEP_MOST_NODES] = {0};
    const guard_piece whole = {step, nodes, values, phase->arming[i], i};
    *t = INFINITY;
    *last = 0;
    if (take_values(values, phase, nodes, step->nodes, i) != IC_OK)
        return find_before_event(phase, step, i, event, t, last);
    return find_with_values(phase, &whole, event + 2 * ic_phase_instant_width(phase), t, last);
}

/*
 * Whether the search of the part of a step before the event at `known` (INFINITY: of the whole step) can
 * leave out a guard: it has been located before, or the polynomial through its values is the guard itself.
 */
static bool is_known(const ic_phase *phase, const ic_step *step, size_t i, double known)
{
    if (known == INFINITY) return false;
    return phase->located[i] <= known + ic_phase_instant_width(phase) ||
           (step->is_polynomial && !phase->curved[i] && phase->located[i] == INFINITY);
}

/*
 * Searches a step for the first crossing of each guard, except those already located at or before
 * `known`. Guards that are polynomials along a step come first, then those that may need pieces.
 */
static ic_status search_step(double *first, ic_phase *phase, const ic_step *step, double known)
{
    nodes nodes;
    nodes.placed = false;
    *first = INFINITY;
    for (int curved = 0; curved <= 1; curved++) {
        for (size_t i = 0; i < phase->n_watched; i++) {
            double at = INFINITY;
            int last = 0;
            if (phase->curved[i] != curved || is_known(phase, step, i, known)) continue;
            if (known == INFINITY && phase->clear != NULL && phase->clear[i]) {
                phase->located[i] = INFINITY;
                phase->arrival[i] = phase->arming[i].side;
                continue;
            }
            place_nodes(&nodes, step);
            const ic_status status =
                find_first_crossing(phase, step, &nodes, i, fmin(*first, known), &at, &last);
            if (status != IC_OK) return status;
            if (known < INFINITY && at == INFINITY) continue;
            phase->located[i] = at;
            phase->arrival[i] = last;
            if (at < *first) *first = at;
        }
    }
    return IC_OK;
}

/*
 * A step may extend far beyond its first event, and other guards may vary steeply before that
 * event. Nodes spread over the whole step would miss their crossings. The part before the event is
 * therefore searched again until no earlier event is found.
 */
static ic_status search_before_event(double *first, ic_phase *phase, const ic_step *step)
{
    const double width = ic_phase_instant_width(phase), shortest = IC_STEP_SHORTEST_SEARCH * width;
    double x[IC_MAX_STATES];
    for (int searches = 0; searches < MOST_SEARCHES; searches++) {
        ic_step before = *step;
        double earlier = 0;
        before.t1 = *first;
        before.x1 = x;
        if (before.t1 - before.t0 <= shortest) return IC_OK;
        step->interpolate(step->self, before.t1, x);
        const ic_status status = search_step(&earlier, phase, &before, before.t1);
        if (status != IC_OK) return status;
        if (!(earlier < *first - width)) return IC_OK;
        *first = earlier;
    }
    return IC_OK;
}

ic_status ic_step_first_event(ic_phase *phase, const ic_step *step, double *t)
{
    const size_t n_guards = phase->n_watched;
    double first = INFINITY;
    phase->fired = -1;
    ic_status status = search_step(&first, phase, step, INFINITY);
    if (status == IC_OK && first == INFINITY) {
        for (size_t i = 0; i < n_guards; i++) {
            if (phase->arrival[i] != 0) phase->arming[i] = (ic_arming){.side = phase->arrival[i]};
        }
        return IC_OK;
    }
    if (status == IC_OK) status = search_before_event(&first, phase, step);
    if (status != IC_OK) return status;
    const double width = ic_phase_instant_width(phase);
    for (size_t i = 0; i < n_guards; i++) {
        phase->due[i] = phase->located[i] <= first + width;
        if (phase->due[i] && phase->fired < 0) phase->fired = (int)i;
    }
    *t = phase->located[phase->fired];
    return IC_OK;
}
