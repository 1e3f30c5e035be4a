/* SPDX-License-Identifier: MIT */
#include "reference/flow/flow_step.h"
#include "reference/deadline.h"

#include <float.h>
#include <math.h>

enum {
    /* Precision of what multiplies radii or bounds remainders. */
    LOW_BITS = IC_FRAME_BITS,

    /* L is this, and 1/LOW_ORDER_PART of K, at first: steps are longer with more bits */
    FIRST_LOW_ORDER = 12,
    LOW_ORDER_PART = 9,

    /*
     * Later L is at least this, and such that remainders of derivatives are about 2^-REMAINDER_BITS of what they
     * are added to; a step in which they are greater than 2^-LEAST_REMAINDER_BITS is made again.
     */
    LEAST_LOW_ORDER = 8,
    REMAINDER_BITS = 36,
    LEAST_REMAINDER_BITS = 24,
    MORE_ORDERS = 10,
    LOW_ORDER_TRIES = 3,

    /* in place of that, where the derivative itself is wanted: its remainder is below the rounding */
    DERIVATIVE_PART = 2,

    /* Attempts to prove a tube of one length, and to find a length. */
    TUBE_TRIES = 3,
    LENGTH_TRIES = 60,

    /* K grows by 1 with so many bits, by which coefficients then fall from order to order; in short steps they
       fall by more. */
    BITS_PER_ORDER = 2,
    BITS_PER_ORDER_OF_SHORT = 3,
    LEAST_ORDER = 12,

    /* Series may have gaps: so many of the last coefficients are looked at. */
    GAP = 8,
    ORDERS_AT_ONCE = 4,

    /* Bits by which a remainder may exceed what was asked for. */
    SPARE_BITS = 4,

    /* Tubes are wider than the ranges of their solutions by 2^-PART_BITS of their width, and 2^-MARGIN_BITS. */
    PART_BITS = 6,
    MARGIN_BITS = 40,

    /* Bits of the length, so that its powers are cheap. */
    LENGTH_BITS = 6,
};

/* A length is shortened by at least this factor, and to at most this part of it. */
#define LEAST_SHORTENING 0.8
#define MOST_SHORTENING 0.25
/* The expansion is made anew for a length that is shorter by this factor. */
#define SHORTER 0.01
/* Steps are long if they have this part of the length that the centre's expansion allows. */
#define LONG 0.6
/* The next step tries a length that is longer by a factor between these. */
#define RETRY 1.02
#define MOST_GROWTH 1.5

/* Number of variables; the first of them, states and time, are the coordinates of the set. */
static slong variables_of(const ic_step *step)
{
    return step->phase->terms.n + 1 + step->phase->terms.n_further;
}

static slong coordinates_of(const ic_step *step)
{
    return step->phase->terms.n + 1;
}

/* Term of a variable that changes; -1: it is constant. */
static int term_of(const ic_step *step, slong variable)
{
    return step->phase->variables[variable];
}

/* ---- the order */

static slong order_for(slong prec, slong bits_per_order)
{
    return FLINT_MAX(LEAST_ORDER, prec / bits_per_order + 4);
}

slong ic_step_order(slong prec)
{
    return order_for(prec, BITS_PER_ORDER);
}

/* K is lower where steps are short for other reasons. */
static slong first_order(const ic_step_request *request)
{
    const bool is_long = request->long_steps && *request->shortening > LONG;
    return order_for(request->prec, is_long ? BITS_PER_ORDER : BITS_PER_ORDER_OF_SHORT);
}

/* Whether the last coefficients of the centre are negligible over the longest step. Not rigorous. */
static bool last_are_small(const ic_step *step, slong order, double longest)
{
    bool small = true;
    IC_BOUNDS(size);
    for (slong v = 0; v < coordinates_of(step); v++) {
        const double allowed = log2(step->sizes[v]) - (double)step->prec;
        for (slong k = order - GAP; k < order && term_of(step, v) >= 0; k++) {
            arf_get_mag(size, arb_midref(ic_jet(&step->centre, term_of(step, v)) + k));
            if (mag_is_special(size)) continue;
            small = small && mag_get_d_log2_approx(size) + (double)k * log2(fabs(longest)) < allowed;
        }
    }
    return small;
}

/* Expands from the centre, to a lower order if the step will be short. */
static void expand_centre(ic_step *step, const arb_t clock, const ic_step_request *request)
{
    const slong most = step->order;
    /* a low order would make steps still shorter that tubes, not coefficients, make short */
    const double longest = request->in_time ? request->longest / *request->shortening : INFINITY;
    ic_jets_start(&step->centre, step->set->centre, clock);
    for (slong order = LEAST_ORDER; order <= most && isfinite(longest); order += ORDERS_AT_ONCE) {
        ic_jets_extend(&step->centre, order, false);
        step->order = order;
        if (last_are_small(step, order, longest)) return;
    }
    ic_jets_extend(&step->centre, most, false);
    step->order = most;
}

/* ---- the length */

/*
 * A length at which the last coefficients of the centre's expansion reach 2^-prec of the size of each
 * variable. Not rigorous.
 */
static double guess_length(const ic_step *step)
{
    double log_length = INFINITY;
    IC_BOUNDS(size);
    for (slong v = 0; v < coordinates_of(step); v++) {
        const int i = term_of(step, v);
        if (i < 0) continue;
        for (slong k = step->order - GAP; k < step->order; k++) {
            arf_get_mag(size, arb_midref(ic_jet(&step->centre, i) + k));
            if (mag_is_special(size)) continue;
            const double allowed = log2(step->sizes[v]) - (double)step->prec;
            log_length = fmin(log_length, (allowed - mag_get_d_log2_approx(size)) / (double)k);
        }
    }
    return exp2(log_length);
}

/*
 * Expands from the set. With a unit some times the length, coefficients neither grow nor fall much from
 * order to order, so that they stay in the range of doubles.
 */
static void expand_near(ic_step *step, double length)
{
    enum { MOST_UNIT = 500 };
    const double log = log2(fabs(length)) + (double)step->prec / (double)step->order;
    IC_BALL_VECTOR(box, coordinates_of(step));
    step->unit = isfinite(log) ? lround(fmax(-MOST_UNIT, fmin(MOST_UNIT, log))) : 0;
    ic_flow_set_box(box, step->set);
    ic_coarse_start(&step->near, box, step->clock, step->unit, false);
    ic_coarse_extend(&step->near, step->low_order + 1, true);
}

/* Sets the length, rounded down to a few bits unless it is the longest. */
static void set_length(ic_step *step, double length, double longest)
{
    int exponent = 0;
    const double part = frexp(length, &exponent);
    IC_BALLS(h);
    if (length == longest) arf_set_d(step->length, length);
    else arf_set_d(step->length, ldexp(trunc(ldexp(part, LENGTH_BITS)), exponent - LENGTH_BITS));
    arb_set_arf(h, step->length);
    arb_mul_2exp_si(h, h, -step->unit);
    _arb_vec_set_powers(step->low_powers, h, step->order + 1, LOW_BITS);
}

/* ---- the tube */

/* Coefficient k of a term over the tube times h^k. */
static void scaled(arb_t value, const ic_step *step, int term, slong k)
{
    ic_coarse_ball(value, ic_coarse_get(&step->tube, term, k));
    arb_mul(value, value, step->low_powers + k, LOW_BITS);
}

/* Widens the range of a variable a little. */
static void widen(arb_t range, const ic_step *step, slong v)
{
    IC_BOUNDS(more);
    if (v < coordinates_of(step)) mag_set_d(more, step->sizes[v]);
    else arb_get_mag(more, range);
    mag_mul_2exp_si(more, more, -MARGIN_BITS);
    arb_add_error_mag(range, more);
    mag_mul_2exp_si(more, arb_radref(range), -PART_BITS);
    arb_add_error_mag(range, more);
}

/* The range of a polynomial over an interval: p(m) + p'(I) (I - m). */
static void range_over(arb_t range, arb_srcptr c, slong length, const arb_t interval)
{
    IC_BALLS(middle, value, slope);
    arb_get_mid_arb(middle, interval);
    _arb_poly_evaluate2(value, slope, c, length, interval, LOW_BITS);
    _arb_poly_evaluate(range, c, length, middle, LOW_BITS);
    arb_sub(middle, interval, middle, LOW_BITS);
    arb_addmul(range, slope, middle, LOW_BITS);
    arb_intersection(value, value, range, LOW_BITS);
    arb_swap(range, value);
}

/* The interval [0, h]. */
static void whole_step(arb_t interval, const ic_step *step)
{
    IC_BALLS(end);
    arb_set_arf(end, step->length);
    arb_zero(interval);
    arb_union(interval, interval, end, LOW_BITS);
}

/* The ranges of n variables' expansion from the set over an interval of the clock. */
static void ranges_of_expansion(arb_ptr range, const ic_step *step, slong n, slong order, const arb_t interval)
{
    IC_BALLS(in_units);
    IC_BALL_VECTOR(c, order);
    arb_mul_2exp_si(in_units, interval, -step->unit);
    ic_flow_set_box(range, step->set);
    for (slong v = 0; v < n; v++) {
        const int term = term_of(step, v);
        for (slong k = 0; k < order && term >= 0; k++)
            ic_coarse_ball(c + k, ic_coarse_get(&step->near, term, k));
        if (term >= 0) range_over(range + v, c, order, in_units);
    }
}

/* Expands from the tube. */
static void expand_tube(ic_step *step)
{
    IC_BALLS(clock);
    whole_step(clock, step);
    arb_add(clock, clock, step->clock, LOW_BITS);
    ic_coarse_start(&step->tube, step->box, clock, step->unit, true);
    ic_coarse_extend(&step->tube, step->low_order + 1, true);
}

/* Whether the expansion with its remainder lies inside the tube. If not, it is widened for another attempt. */
static bool tube_holds(ic_step *step, arb_srcptr range)
{
    const slong n = variables_of(step);
    bool holds = true, finite = true;
    IC_BALLS(zero);
    IC_BALL_VECTOR(image, n);
    for (slong v = 0; v < n; v++) {
        if (term_of(step, v) < 0) continue;
        scaled(image + v, step, term_of(step, v), step->low_order);
        arb_union(image + v, image + v, zero, LOW_BITS);
        arb_add(image + v, image + v, range + v, LOW_BITS);
        finite = finite && arb_is_finite(image + v);
        holds = holds && finite && arb_contains(step->box + v, image + v);
    }
    for (slong v = 0; v < n && !holds && finite; v++) {
        if (term_of(step, v) < 0) continue;
        arb_union(step->box + v, step->box + v, image + v, LOW_BITS);
        widen(step->box + v, step, v);
    }
    return holds;
}

static bool prove_tube(ic_step *step)
{
    const slong n = variables_of(step);
    bool proved = false;
    IC_BALLS(interval);
    IC_BALL_VECTOR(range, n);
    whole_step(interval, step);
    ranges_of_expansion(range, step, n, step->low_order, interval);
    for (slong v = 0; v < n; v++) {
        arb_set(step->box + v, range + v);
        if (term_of(step, v) >= 0) widen(step->box + v, step, v);
    }
    for (int i = 0; i < TUBE_TRIES && !proved; i++) {
        expand_tube(step);
        proved = tube_holds(step, range);
    }
    return proved;
}

/* Remainders of order K, and signs over the tube. */
static void bound_remainders(ic_step *step)
{
    const ic_flow_terms *t = &step->phase->terms;
    IC_BALLS(last);
    ic_coarse_extend(&step->tube, step->order + 1, false);
    for (size_t i = 0; i < t->count; i++) {
        if (!t->list[i].needed || t->list[i].constant) continue;
        scaled(last, step, (int)i, step->order);
        arb_get_mag(step->remainder + i, last);
        step->signs[i] = (signed char)ic_coarse_sign(ic_coarse_get(&step->tube, (int)i, 0));
    }
}

static double log2_of(const mag_t x)
{
    return mag_is_inf(x) ? INFINITY : mag_is_zero(x) ? -INFINITY : mag_get_d_log2_approx(x);
}

/* log2 of the size of a term over the step: its greatest first coefficients. Not rigorous. */
static double log_size(const ic_step *step, int term)
{
    enum { FIRST = 4 };
    IC_BALLS(part);
    IC_BOUNDS(size, largest);
    for (slong k = 0; k < FIRST; k++) {
        arb_mul_2exp_si(part, ic_jet(&step->centre, term) + k, k * step->unit);
        arb_mul(part, part, step->low_powers + k, LOW_BITS);
        arb_get_mag(size, part);
        mag_max(largest, largest, size);
    }
    return log2_of(largest);
}

/* By how many bits the worst remainder of order K exceeds 2^-prec of its size. */
static double excess_of_remainders(const ic_step *step)
{
    const ic_flow_formulas *p = step->phase;
    double excess = -INFINITY;
    for (slong v = 0; v < coordinates_of(step); v++) {
        if (term_of(step, v) < 0) continue;
        excess = fmax(excess,
                      log2_of(step->remainder + term_of(step, v)) - log2(step->sizes[v]) + (double)step->prec);
    }
    for (size_t i = 0; i < p->n_watched; i++) {
        const int term = p->watched[i];
        if (term < 0 || p->terms.list[term].constant || mag_is_zero(step->remainder + term)) continue;
        const double size = log_size(step, term);
        if (isinf(size)) continue; /* it stays at zero, and no length shows its sign */
        excess = fmax(excess, log2_of(step->remainder + term) - size + (double)step->prec);
    }
    return excess;
}

/* Finds a length, at most the longest one, for which a tube and small remainders are proved. */
static bool find_length(ic_step *step, const ic_step_request *request)
{
    const slong most = first_order(request);
    const double guess = guess_length(step), longest = request->longest;
    double length = copysign(fmin(fabs(longest), guess * *request->shortening), longest), excess = INFINITY;
    bool found = false;
    if (!isfinite(length)) length = 1; /* any length: the solution is a polynomial */
    double expanded = INFINITY;
    for (int i = 0; i < LENGTH_TRIES && !found && length != 0 && !ic_deadline_passed(); i++) {
        if (fabs(length) < SHORTER * expanded) expand_near(step, expanded = fabs(length));
        set_length(step, length, longest);
        const bool proved = prove_tube(step);
        if (proved) bound_remainders(step);
        excess = proved ? excess_of_remainders(step) : INFINITY;
        found = excess <= SPARE_BITS;
        if (found) break;
        if (proved &&
            step->order < most) { /* the centre's series ends sooner than those beside it, as in free fall */
            step->order = 2 * step->order < most ? 2 * step->order : most;
            ic_jets_extend(&step->centre, step->order, false);
            expanded = INFINITY;
            continue;
        }
        /* the remainder has order K */
        const double factor = isfinite(excess) ? exp2(-excess / (double)step->order) : 0.5;
        length *= fmax(MOST_SHORTENING, fmin(LEAST_SHORTENING, factor));
    }
    if (!found) return false;
    /* where the remainder is far below what is asked for, the next step is longer */
    const double growth = fmin(MOST_GROWTH, fmax(RETRY, exp2(-(excess + SPARE_BITS) / (double)step->order)));
    if (fabs(length) < fabs(longest) && isfinite(guess))
        *request->shortening = fmin(1, growth * fabs(length) / guess);
    return true;
}

/* ---- derivatives with respect to the start */

/* Bounds |h|^k |T_k(Y)| of a term in column j. */
static double *tube_tangent(const ic_step *step, int term, slong k, slong j)
{
    return step->tube_tangents + (term * (step->low_order + 1) + k) * step->n_all + j;
}

/*
 * Bounds are doubles: sums of m products of numbers >= 0, each with m + 1 roundings, and one rounding for what is
 * done with the sum. A bound that is not 0 is at least this, so that no product of two underflows.
 */
#define LEAST_BOUND 0x1p-400

/* Not below `sum`, which has been rounded n times. */
static double bound_of(double sum, slong n)
{
    return sum > 0 ? fmax(LEAST_BOUND, sum * (1 + (double)(n + 3) * DBL_EPSILON)) : isnan(sum) ? INFINITY : 0;
}

/* |h| |J(Y)| of all variables, m x m */
static void bound_jacobian(double *J, const ic_step *step)
{
    const slong m = step->n_all;
    IC_BOUNDS(size);
    arf_get_mag(size, step->length);
    const double h = bound_of(mag_get_d(size), 1);
    for (slong i = 0; i < m; i++) {
        const int rate = step->phase->rates[step->variables[i]];
        for (slong j = 0; j < m; j++) {
            const double entry = rate >= 0 ? bound_of(*tube_tangent(step, rate, 0, j), 0) : 0;
            J[i * m + j] = entry > 0 ? bound_of(h * entry, 1) : 0;
        }
    }
}

/* c = a b: a is m x m, b and c are m x n */
static void multiply_bounds(double *c, const double *a, const double *b, slong m, slong n)
{
    for (slong i = 0; i < m; i++) {
        double *row = c + i * n;
        for (slong j = 0; j < n; j++) row[j] = 0;
        for (slong l = 0; l < m; l++) {
            const double x = a[i * m + l];
            const double *other = b + l * n;
            if (x == 0) continue;
            for (slong j = 0; j < n; j++) row[j] += x * other[j];
        }
        for (slong j = 0; j < n; j++) row[j] = bound_of(row[j], m);
    }
}

/*
 * Adds a bound of the terms after `last` = J^k/k! to W. With weights w_i, the sums of the rows of W, and
 * J w <= rho w, last <= c w in each column: they are at most the sum of c w (rho/(k + 1))^i. false: that
 * does not converge fast enough yet. w: room for m.
 */
static bool bound_rest(double *W, const double *J, const double *last, double *w, slong k, slong m)
{
    double rho = 0, c = 0;
    for (slong i = 0; i < m; i++) {
        w[i] = 0;
        for (slong j = 0; j < m; j++) w[i] += W[i * m + j];
        w[i] = bound_of(w[i], m);
    }
    for (slong i = 0; i < m; i++) {
        double x = 0;
        for (slong j = 0; j < m; j++) {
            x += J[i * m + j] * w[j];
            c = fmax(c, bound_of(last[i * m + j] / w[i], m));
        }
        rho = fmax(rho, bound_of(x / w[i], 2 * m));
    }
    if (!(2 * rho < (double)(k + 1)) || !(c < ldexp(1, -LOW_BITS))) return false;
    for (slong i = 0; i < m * m; i++) W[i] = bound_of(W[i] + c * w[i / m], m);
    return true;
}

/*
 * W = exp(|h| |J|) |D(0)|, where exp is the sum of J^k/k!, and D(0) has the derivatives of the further
 * variables with respect to the others.
 */
static void bound_growth(ic_step *step)
{
    enum { MOST_TERMS = 200 };
    const slong m = step->n_all, size = m * m;
    bool found = m == 0;
    IC_ZEROS(double, J, 4 * size + m);
    double *last = J + size, *next = last + size, *W = next + size, *w = W + size;
    bound_jacobian(J, step);
    for (slong i = 0; i < m; i++) last[i * m + i] = W[i * m + i] = 1;
    for (slong k = 1; k < MOST_TERMS && !found; k++) {
        multiply_bounds(next, J, last, m, m);
        for (slong i = 0; i < size; i++) {
            last[i] = bound_of(next[i] / (double)k, 1);
            W[i] = bound_of(W[i] + last[i], 1);
        }
        found = bound_rest(W, J, last, w, k, m);
    }
    if (found) multiply_bounds(step->growth, W, step->start, m, step->n_variables);
    for (slong i = 0; i < m * step->n_variables && !found; i++) step->growth[i] = INFINITY;
}

/* sum_l |h^k T_k(Y)| W of a term, in column j */
static double tube_derivative(const ic_step *step, int term, slong k, slong j)
{
    double sum = 0;
    for (slong l = 0; l < step->n_all; l++) {
        const double part = bound_of(*tube_tangent(step, term, k, l), 0),
                     growth = step->growth[l * step->n_variables + j];
        if (part > 0 && growth > 0) sum += part * growth;
    }
    return bound_of(sum, step->n_all);
}

/* Bounds of the derivatives over the tube. */
static void bound_tangents(ic_step *step)
{
    const int count = (int)step->phase->terms.count;
    const slong length = step->low_order + 1;
    IC_ZEROS(double, powers, length);
    IC_BOUNDS(size);
    for (slong k = 0; k < length; k++) {
        arb_get_mag(size, step->low_powers + k);
        powers[k] = mag_get_d(size) * (1 + 4 * DBL_EPSILON);
    }
    for (slong first = 0; first < step->n_all; first += IC_COARSE_LANES) {
        const int n = (int)FLINT_MIN(IC_COARSE_LANES, step->n_all - first);
        ic_coarse_differentiate(&step->tube, step->variables + first, n, length);
        for (int term = 0; term < count; term++) {
            for (slong k = 0; k < length && step->tube.live[term] != 0; k++)
                ic_coarse_sizes(tube_tangent(step, term, k, first), &step->tube, term, k, n, powers[k]);
        }
    }
}

/*
 * Column j of dy/dx, and of |D(0)|: the identity, and the derivatives of the other variables: of those that
 * are exact, 0.
 */
static void set_column(ic_step *step, slong j)
{
    const slong m = step->n_variables, length = step->low_order;
    const int lane = (int)(j % IC_COARSE_LANES);
    if (lane == 0)
        ic_coarse_differentiate(&step->near, step->variables + j, (int)FLINT_MIN(IC_COARSE_LANES, m - j),
                                length);
    for (slong v = 0; v < coordinates_of(step); v++) {
        for (slong k = 0; k < length && term_of(step, v) >= 0; k++)
            ic_coarse_ball(step->derivative + (v * m + j) * length + k,
                           ic_coarse_derivative(&step->near, term_of(step, v), k, lane));
    }
    step->start[j * m + j] = 1;
    for (slong i = m; i < step->n_all; i++) {
        const int term = term_of(step, step->variables[i]);
        step->start[i * m + j] = bound_of(ic_coarse_size(ic_coarse_derivative(&step->near, term, 0, lane)), 0);
    }
}

static void find_derivatives(ic_step *step)
{
    const slong n = coordinates_of(step), m = step->n_variables;
    for (slong j = 0; j < m; j++) set_column(step, j);
    if (m > 0) bound_tangents(step);
    bound_growth(step);
    for (slong v = 0; v < n; v++) {
        const int i = term_of(step, v);
        for (slong j = 0; j < m && i >= 0; j++)
            mag_set_d(step->derivative_remainder + v * m + j, tube_derivative(step, i, step->low_order, j));
    }
}

/* log2 of the greatest remainder of derivatives if L were k, relative to the sizes of variables. Not rigorous. */
static double log_remainder(const ic_step *step, slong k)
{
    double largest = 0;
    for (slong v = 0; v < coordinates_of(step); v++) {
        for (slong j = 0; j < step->n_variables && term_of(step, v) >= 0; j++)
            largest = fmax(largest, tube_derivative(step, term_of(step, v), k, j) *
                                        step->sizes[step->variables[j]] / step->sizes[v]);
    }
    return largest > 0 ? log2(largest) : -INFINITY;
}

/* The L with which remainders of derivatives would be small. Not rigorous. */
static slong better_low_order(const ic_step *step)
{
    slong order = step->low_order;
    const double log = log_remainder(step, order), excess = log + REMAINDER_BITS;
    if (!(excess < INFINITY)) return order;
    if (excess > 0) {
        const double fall = fmax(1, log_remainder(step, order - 1) - log);
        return order + (slong)fmin(MORE_ORDERS, ceil(excess / fall));
    }
    /* the next step may be longer */
    const bool less = order > LEAST_LOW_ORDER && log_remainder(step, order - 1) <= -REMAINDER_BITS;
    return less ? order - 1 : order;
}

/* ---- the step */

/* The coordinates in which the set is not a point, and the other variables that change. */
static void find_variables(ic_step *step)
{
    const slong n = coordinates_of(step);
    IC_BOUNDS(spread);
    IC_BOUND_VECTOR(all, n);
    step->variables = ic_store_zeros(&step->store, (size_t)variables_of(step), sizeof *step->variables);
    step->spread = ic_store_bounds(&step->store, n);
    for (slong v = 0; v < n; v++) {
        ic_flow_set_spread(spread, step->set, v);
        mag_set(all + v, spread);
        if (mag_is_zero(spread)) continue;
        mag_set(step->spread + step->n_variables, spread);
        step->variables[step->n_variables++] = v;
    }
    /* what is exact at the start depends on these coordinates later, and so do further variables */
    step->n_all = step->n_variables;
    for (slong v = 0; v < n && step->n_variables > 0; v++) {
        if (mag_is_zero(all + v) && term_of(step, v) >= 0) step->variables[step->n_all++] = v;
    }
    for (slong v = n; v < variables_of(step) && step->n_variables > 0; v++) step->variables[step->n_all++] = v;
}

static void make_room(ic_step *step)
{
    const ic_flow_terms *t = &step->phase->terms;
    const int *rates = step->phase->rates;
    const slong n = coordinates_of(step), m = step->n_variables, powers = ic_step_order(step->prec) + 1;
    const size_t all = (size_t)step->n_all, bounds = t->count * (size_t)(step->low_order + 1);
    ic_store *store = &step->store;
    step->remainder = ic_store_bounds(store, (slong)t->count);
    step->box = ic_store_balls(store, variables_of(step));
    step->signs = ic_store_zeros(store, t->count, sizeof *step->signs);
    step->tube_tangents = ic_store_zeros(store, all * bounds, sizeof *step->tube_tangents);
    step->derivative = ic_store_balls(store, n * m * step->low_order);
    step->derivative_remainder = ic_store_bounds(store, n * m);
    step->powers = ic_store_balls(store, powers);
    step->low_powers = ic_store_balls(store, powers);
    step->growth = ic_store_zeros(store, all * (size_t)m, sizeof *step->growth);
    step->start = ic_store_zeros(store, all * (size_t)m, sizeof *step->start);
    ic_coarse_init(&step->near, t, rates, step->low_order + 1);
    ic_coarse_init(&step->tube, t, rates, ic_step_order(step->prec) + 1);
}

/* ic_step_open with an L. */
static ic_step_result open_step(ic_step *step, const ic_flow_formulas *phase, const ic_flow_set *set,
                                const arb_t clock, const ic_step_request *request, slong low_order)
{
    const slong prec = request->prec;
    *step = (ic_step){
        .phase = phase,
        .set = set,
        .sizes = request->sizes,
        .prec = prec,
    };
    step->order = first_order(request);
    arf_init(step->length);
    step->clock = ic_store_balls(&step->store, 1);
    arb_set(step->clock, clock);
    find_variables(step);
    ic_jets_init(&step->centre, &phase->terms, phase->rates, step->order, prec);
    expand_centre(step, clock, request);
    if (request->derivative) low_order = FIRST_LOW_ORDER + step->order / DERIVATIVE_PART;
    else if (low_order == 0) low_order = FIRST_LOW_ORDER + step->order / LOW_ORDER_PART;
    step->low_order = FLINT_MIN(step->order, low_order);
    make_room(step);
    if (!find_length(step, request)) return IC_STEP_NOT_PROVED;
    IC_BALLS(h);
    arb_set_arf(h, step->length);
    _arb_vec_set_powers(step->powers, h, step->order + 1, prec);
    find_derivatives(step);
    return IC_STEP_PROVED;
}

ic_step_result ic_step_open(ic_step *step, const ic_flow_formulas *phase, const ic_flow_set *set,
                            const arb_t clock, const ic_step_request *request)
{
    slong low_order = *request->low_order;
    for (int i = 1;; i++) {
        const ic_step_result result = open_step(step, phase, set, clock, request, low_order);
        if (result != IC_STEP_PROVED || request->derivative || step->n_variables == 0) return result;
        low_order = better_low_order(step);
        if (step->low_order < step->order) *request->low_order = low_order;
        const bool good = low_order <= step->low_order || step->low_order == step->order ||
                          log_remainder(step, step->low_order) < -LEAST_REMAINDER_BITS;
        if (good || i == LOW_ORDER_TRIES) return result;
        ic_step_close(step);
    }
}

void ic_step_close(ic_step *step)
{
    ic_jets_clear(&step->centre);
    ic_coarse_clear(&step->near);
    ic_coarse_clear(&step->tube);
    arf_clear(step->length);
    ic_store_free(&step->store);
}

/* ---- what a step tells */

void ic_step_remainder(mag_t remainder, const ic_step *step, int term, slong k)
{
    IC_BALLS(value);
    scaled(value, step, term, k);
    arb_get_mag(remainder, value);
}

void ic_step_range(arb_ptr y, const ic_step *step, slong order, double end, double from, double to)
{
    IC_BALLS(interval, part, power, zero);
    arb_set_d(interval, from);
    arb_set_d(part, to);
    arb_union(interval, interval, part, LOW_BITS);
    arb_mul_arf(interval, interval, step->length, LOW_BITS);
    ranges_of_expansion(y, step, coordinates_of(step), order, interval);
    arb_set_d(power, end);
    arb_pow_ui(power, power, (ulong)order, LOW_BITS);
    for (slong v = 0; v < coordinates_of(step); v++) {
        if (term_of(step, v) < 0) continue;
        scaled(part, step, term_of(step, v), order);
        arb_mul(part, part, power, LOW_BITS);
        arb_union(part, part, zero, LOW_BITS);
        arb_add(y + v, y + v, part, LOW_BITS);
    }
}

void ic_step_polynomial(ic_ball_polynomial *p, const ic_step *step, int term)
{
    arb_srcptr c = ic_jet(&step->centre, term);
    ic_ball_polynomial_init(p, step->order, step->prec);
    for (slong k = 0; k < step->order; k++) arb_mul(p->coefficients + k, c + k, step->powers + k, step->prec);
    mag_set(p->remainder, step->remainder + term);
    /* the remainder of the derivative is s^(K-1) K times coefficient K */
    mag_mul_ui(p->remainder_rate, step->remainder + term, (ulong)step->order);
    ic_ball_polynomial_derive(p);
}

void ic_step_spread(mag_t spread, const ic_step *step, int term, slong k)
{
    IC_BOUNDS(part);
    mag_zero(spread);
    for (slong j = 0; j < step->n_variables; j++) {
        mag_set_d(part, tube_derivative(step, term, k, j));
        mag_addmul(spread, part, step->spread + j);
    }
}

void ic_step_add_spread(ic_ball_polynomial *p, const ic_step *step, int term, slong k)
{
    IC_BOUNDS(spread);
    ic_step_spread(spread, step, term, k);
    mag_add(p->remainder, p->remainder, spread);
    ic_step_spread(spread, step, term, k + 1);
    mag_add(p->remainder_rate, p->remainder_rate, spread);
}

void ic_step_state(arb_ptr y, const ic_step *step, const arb_t s)
{
    IC_BALLS(clock);
    IC_BOUNDS(remainder, power);
    arb_mul_arf(clock, s, step->length, step->prec);
    arb_get_mag(power, s);
    mag_pow_ui(power, power, (ulong)step->order);
    for (slong v = 0; v < coordinates_of(step); v++) {
        const int i = term_of(step, v);
        if (i < 0) {
            arb_set(y + v, step->set->centre + v);
            continue;
        }
        _arb_poly_evaluate(y + v, ic_jet(&step->centre, i), step->order, clock, step->prec);
        mag_mul(remainder, step->remainder + i, power);
        arb_add_error_mag(y + v, remainder);
    }
}

void ic_step_derivative(arb_mat_t d, const ic_step *step, const arb_t s)
{
    const slong m = step->n_variables;
    IC_BALLS(clock);
    IC_BOUNDS(remainder, power);
    arb_mul_arf(clock, s, step->length, step->prec);
    arb_mul_2exp_si(clock, clock, -step->unit);
    arb_get_mag(power, s);
    mag_pow_ui(power, power, (ulong)step->low_order);
    arb_mat_one(d);
    for (slong v = 0; v < coordinates_of(step); v++) {
        const int i = term_of(step, v);
        for (slong j = 0; j < m && i >= 0; j++) {
            arb_ptr entry = arb_mat_entry(d, v, step->variables[j]);
            /* coefficient 0 is exact: with more bits, small changes of the set are as precise as large ones */
            _arb_poly_evaluate(entry, step->derivative + (v * m + j) * step->low_order, step->low_order, clock,
                               step->prec);
            mag_mul(remainder, step->derivative_remainder + v * m + j, power);
            arb_add_error_mag(entry, remainder);
        }
    }
}
