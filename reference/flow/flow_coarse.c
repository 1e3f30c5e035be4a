/* SPDX-License-Identifier: MIT */
/*
 * The rules are those of flow_jets.c. Rounding: sums of n products have an error of at most
 * (n + 2) 2^-53 times the sum of their absolute values, to first order, and 2^-1074 for each product
 * that underflows (Higham 2002, section 3). Twice that is added, and radii are rounded up by a factor,
 * so that neither higher orders nor the rounding of the radii themselves matter.
 */
#include "reference/flow/flow_coarse.h"
#include "reference/deadline.h"

#include <float.h>
#include <math.h>

typedef ic_coarse_interval interval;

static const interval zero = {0, 0}, all_numbers = {0, INFINITY};

static bool is_zero(interval a)
{
    return a.middle == 0 && a.radius == 0;
}

/* middle with the error of n operations on terms whose absolute values have the sum `size` */
static interval rounded(double middle, double radius, double size, slong n)
{
    const double part = (double)(n + 2) * DBL_EPSILON;
    const double all = (radius + part * size) * (1 + part + 8 * DBL_EPSILON) + (double)(n + 1) * DBL_MIN;
    return isfinite(middle) && all < INFINITY ? (interval){middle, all} : all_numbers;
}

static interval coarse(const arb_t x)
{
    const double middle = arf_get_d(arb_midref(x), ARF_RND_NEAR);
    const double radius = mag_get_d(arb_radref(x));
    if (!isfinite(middle) || !(radius < INFINITY)) return all_numbers;
    if (arf_cmp_d(arb_midref(x), middle) == 0 && mag_is_zero(arb_radref(x))) return (interval){middle, 0};
    return rounded(middle, radius, fabs(middle), 1);
}

static interval add(interval a, interval b)
{
    const double sum = a.middle + b.middle;
    if (is_zero(a)) return b;
    if (is_zero(b)) return a;
    return rounded(sum, a.radius + b.radius, fabs(sum), 1);
}

static interval negate(interval a)
{
    return (interval){-a.middle, a.radius};
}

static interval multiply(interval a, interval b)
{
    const double product = a.middle * b.middle;
    if (is_zero(a) || is_zero(b)) return zero;
    return rounded(product, fabs(a.middle) * b.radius + a.radius * (fabs(b.middle) + b.radius), fabs(product),
                   1);
}

static interval invert(interval a)
{
    const double least = fabs(a.middle) * (1 - DBL_EPSILON) - a.radius * (1 + DBL_EPSILON), y = 1 / a.middle;
    if (!(least > 0)) return all_numbers;
    return rounded(y, a.radius / least * fabs(y), fabs(y), 2);
}

/* A multiple by a number that is exact; n: number of roundings in it. */
static interval scale(interval a, double factor, slong n)
{
    if (is_zero(a)) return zero;
    return rounded(a.middle * factor, a.radius * fabs(factor), fabs(a.middle * factor), 1 + n);
}

/* Whether one factor of each product a_j b_(-j) is exactly 0; products may underflow. */
static bool all_zero(const double *am, const double *ar, const double *bm, const double *br, slong n)
{
    for (slong j = 0; j < n; j++) {
        if ((am[j] != 0 || ar[j] != 0) && (bm[-j] != 0 || br[-j] != 0)) return false;
    }
    return true;
}

/* sum of (w + j dw) a_j b_(-j), j < n */
static interval weighted_dot(const double *am, const double *ar, const double *bm, const double *br, slong n,
                             double w, double dw)
{
    double middle = 0, size = 0, radius = 0;
    for (slong j = 0; j < n; j++) {
        const double weight = w + (double)j * dw, a = weight * am[j], b = bm[-j], product = a * b;
        middle += product;
        size += fabs(product);
        radius += fabs(a) * br[-j] + fabs(weight) * ar[j] * (fabs(b) + br[-j]);
    }
    if (size == 0 && radius == 0 && all_zero(am, ar, bm, br, n)) return zero;
    return rounded(middle, radius, size, 2 * n);
}

static interval dot(const double *am, const double *ar, const double *bm, const double *br, slong n)
{
    double middle = 0, size = 0, radius = 0;
    for (slong j = 0; j < n; j++) {
        const double a = am[j], b = bm[-j], product = a * b;
        middle += product;
        size += fabs(product);
        radius += fabs(a) * br[-j] + ar[j] * (fabs(b) + br[-j]);
    }
    if (size == 0 && radius == 0 && all_zero(am, ar, bm, br, n)) return zero;
    return rounded(middle, radius, size, n);
}

/* ---- coefficients */

void ic_coarse_init(ic_coarse *c, const ic_flow_terms *terms, const int *rates, slong length)
{
    const size_t size = terms->count * (size_t)length;
    *c = (ic_coarse){.terms = terms, .rates = rates, .length = length};
    c->middle = ic_store_zeros(&c->store, size, sizeof *c->middle);
    c->radius = ic_store_zeros(&c->store, size, sizeof *c->radius);
    c->clock = ic_store_balls(&c->store, 1);
}

void ic_coarse_clear(ic_coarse *c)
{
    ic_store_free(&c->store);
}

ic_coarse_interval ic_coarse_get(const ic_coarse *c, int term, slong k)
{
    const slong at = (slong)term * c->length + k;
    return (interval){c->middle[at], c->radius[at]};
}

static void set(ic_coarse *c, int term, slong k, interval value)
{
    const slong at = (slong)term * c->length + k;
    c->middle[at] = value.middle;
    c->radius[at] = value.radius;
}

void ic_coarse_start(ic_coarse *c, arb_srcptr y, const arb_t clock, long unit, bool box)
{
    const ic_flow_terms *t = c->terms;
    c->done = 0;
    c->unit = unit;
    c->box = box;
    arb_set(c->clock, clock);
    for (size_t i = 0; i < t->count; i++) {
        const ic_flow_term *term = &t->list[i];
        for (slong k = 0; k < c->length; k++) set(c, (int)i, k, zero);
        if (term->constant) set(c, (int)i, 0, coarse(t->values + i));
        else if (term->kind == IC_FLOW_VARIABLE && (box || term->index <= t->n))
            set(c, (int)i, 0, coarse(y + term->index));
    }
}

/* The term that a further variable is; -1: it is none, or it was given. */
static int definition_of(const ic_coarse *c, int i)
{
    return c->box ? -1 : ic_flow_term_definition(c->terms, i);
}

/* Coefficient k of (u + e)^m. */
static interval clock_power(const ic_coarse *c, slong m, slong k)
{
    enum { BITS = 64 };
    IC_BALLS(y);
    ic_flow_clock_power(y, c->clock, m, k, BITS);
    arb_mul_2exp_si(y, y, k * c->unit);
    return coarse(y);
}

/* f(a), or a^p, at the start. */
static interval first_value(const ic_flow_term *term, interval a, interval p)
{
    enum { BITS = 64 };
    IC_BALLS(x, y);
    ic_coarse_ball(x, a);
    ic_coarse_ball(y, p);
    if (term->kind == IC_FLOW_POWER) arb_pow(y, x, y, BITS);
    else ic_flow_term_function_value(y, (ic_flow_term_function)term->index, x, BITS);
    return coarse(y);
}

/*
 * sum_j (p j - (k - j)) a_j y_(k-j)/(k a_0). The weights are small differences: two sums, of j and of k - j, would
 * be several times wider, and so would each coefficient be that follows from them.
 */
static interval power_of(const ic_coarse *c, const ic_flow_term *term, slong i, slong k)
{
    const slong a = (slong)term->a * c->length, y = i * c->length + k;
    const double *am = c->middle + a, *ar = c->radius + a, *ym = c->middle + y, *yr = c->radius + y;
    const interval p = ic_coarse_get(c, term->b, 0);
    double middle = 0, size = 0, radius = 0;
    if (all_zero(am + 1, ar + 1, ym - 1, yr - 1, k)) return zero;
    for (slong j = 1; j <= k; j++) {
        const double weight = p.middle * (double)j - (double)(k - j), product = weight * am[j] * ym[-j];
        const double of_weight =
            p.radius * (double)j + 2 * DBL_EPSILON * (fabs(p.middle) * (double)j + (double)(k - j));
        middle += product;
        size += fabs(product);
        radius += (fabs(weight) + of_weight) * (fabs(am[j]) * yr[-j] + ar[j] * (fabs(ym[-j]) + yr[-j])) +
                  of_weight * fabs(am[j] * ym[-j]);
    }
    return multiply(rounded(middle, radius, size, 3 * k),
                    invert(scale(ic_coarse_get(c, term->a, 0), (double)k, 0)));
}

static interval greater(interval a, interval b)
{
    IC_BALLS(x, y);
    ic_coarse_ball(x, a);
    ic_coarse_ball(y, b);
    arb_max(x, x, y, 64);
    return coarse(x);
}

static interval product_of(const ic_coarse *c, const ic_flow_term *term, slong k)
{
    const slong a = (slong)term->a * c->length, b = (slong)term->b * c->length + k;
    const slong n = c->terms->list[term->a].constant ? 1 : k + 1;
    return dot(c->middle + a, c->radius + a, c->middle + b, c->radius + b, n);
}

static interval reciprocal(const ic_coarse *c, const ic_flow_term *term, slong i, slong k)
{
    const slong a = (slong)term->a * c->length, y = i * c->length;
    if (k == 0) return invert(ic_coarse_get(c, term->a, 0));
    const interval sum =
        dot(c->middle + a + 1, c->radius + a + 1, c->middle + y + k - 1, c->radius + y + k - 1, k);
    return negate(multiply(sum, ic_coarse_get(c, (int)i, 0)));
}

/* sum_j j a_j f'_(k-j)/k */
static interval function_of(const ic_coarse *c, const ic_flow_term *term, slong k)
{
    const slong a = (slong)term->a * c->length, h = (slong)term->slope * c->length;
    const interval sum = weighted_dot(c->middle + a + 1, c->radius + a + 1, c->middle + h + k - 1,
                                      c->radius + h + k - 1, k, 1, 1);
    return scale(sum, 1 / (double)k, 1);
}

static interval coefficient(const ic_coarse *c, slong i, slong k)
{
    const ic_flow_term *term = &c->terms->list[i];
    switch (term->kind) {
    case IC_FLOW_CLOCK_POWER: return clock_power(c, term->index, k);
    case IC_FLOW_SUM: return add(ic_coarse_get(c, term->a, k), ic_coarse_get(c, term->b, k));
    case IC_FLOW_DIFFERENCE: return add(ic_coarse_get(c, term->a, k), negate(ic_coarse_get(c, term->b, k)));
    case IC_FLOW_PRODUCT: return product_of(c, term, k);
    case IC_FLOW_RECIPROCAL: return reciprocal(c, term, i, k);
    case IC_FLOW_POWER:
        return k > 0 ? power_of(c, term, i, k)
                     : first_value(term, ic_coarse_get(c, term->a, 0), ic_coarse_get(c, term->b, 0));
    case IC_FLOW_FUNCTION:
        return k > 0 ? function_of(c, term, k) : first_value(term, ic_coarse_get(c, term->a, 0), zero);
    case IC_FLOW_GREATER:
        return k > 0 ? all_numbers : greater(ic_coarse_get(c, term->a, 0), ic_coarse_get(c, term->b, 0));
    default: return all_numbers;
    }
}

/* Coefficient k of all terms or of those that are needed, and k + 1 of the variables. */
static void extend_by_one(ic_coarse *c, slong k, bool all)
{
    const ic_flow_terms *t = c->terms;
    for (slong i = 0; i < (slong)t->count; i++) {
        const ic_flow_term *term = &t->list[i];
        const int definition = k == 0 ? definition_of(c, (int)i) : -1;
        if (definition >= 0) set(c, (int)i, 0, ic_coarse_get(c, definition, 0));
        if (term->constant || term->kind == IC_FLOW_VARIABLE || (!all && !term->needed)) continue;
        set(c, (int)i, k, coefficient(c, i, k));
    }
    for (size_t i = 0; i < t->count && k + 1 < c->length; i++) {
        if (t->list[i].kind != IC_FLOW_VARIABLE || t->list[i].constant) continue;
        const int rate = c->rates[t->list[i].index];
        if (rate < 0) continue;
        /* the next coefficient of a variable from coefficient k of its rate */
        set(c, (int)i, k + 1, scale(ic_coarse_get(c, rate, k), ldexp(1, (int)c->unit) / (double)(k + 1), 1));
    }
}

void ic_coarse_extend(ic_coarse *c, slong length, bool all)
{
    for (slong k = c->done; k < length && !ic_deadline_passed_in(k); k++) extend_by_one(c, k, all);
    if (length > c->done) c->done = length;
}

/* ---- derivatives with respect to the start, several columns at a time */

enum { LANES = IC_COARSE_LANES, ALL_LANES = (1 << LANES) - 1 };

/* Coefficient k of a term in all lanes. */
typedef struct lanes {
    const double *middle, *radius;
} lanes;

static const double no_lanes[LANES];

static lanes lanes_of(const ic_coarse *c, int term, slong k)
{
    const slong at = ((slong)term * c->length + k) * LANES;
    if (term < 0 || c->live[term] == 0) return (lanes){no_lanes, no_lanes};
    return (lanes){c->tangent_middle + at, c->tangent_radius + at};
}

ic_coarse_interval ic_coarse_derivative(const ic_coarse *c, int term, slong k, int lane)
{
    const lanes d = lanes_of(c, term, k);
    const interval x = {d.middle[lane], d.radius[lane]};
    return isfinite(x.middle) && x.radius < INFINITY ? x : all_numbers;
}

void ic_coarse_sizes(double *sizes, const ic_coarse *c, int term, slong k, int n, double factor)
{
    const lanes d = lanes_of(c, term, k);
    for (int l = 0; l < n; l++) {
        const double size = (fabs(d.middle[l]) + d.radius[l]) * factor * (1 + 4 * DBL_EPSILON) + DBL_MIN;
        sizes[l] = (c->live[term] >> l & 1) == 0 ? 0 : size < INFINITY ? size : INFINITY;
    }
}

/*
 * Sums in all lanes with what `rounded` needs. What is not finite stays so, as infinity or no number,
 * until it is read: there are only sums and products here.
 */
typedef struct lane_sums {
    double middle[LANES], radius[LANES], size[LANES];
} lane_sums;

/* += a d */
static inline void add_multiple(lane_sums *sums, double a, double ar, lanes d)
{
    for (int l = 0; l < LANES; l++) {
        const double x = a * d.middle[l];
        sums->middle[l] += x;
        sums->size[l] += fabs(x);
        sums->radius[l] += fabs(a) * d.radius[l] + ar * (fabs(d.middle[l]) + d.radius[l]);
    }
}

/* += sum_j f_j da_(k-j) */
static slong add_product(lane_sums *sums, const ic_coarse *c, int factor, int a, slong k)
{
    const double *middle = c->middle + (slong)factor * c->length,
                 *radius = c->radius + (slong)factor * c->length;
    const slong n = c->terms->list[factor].constant ? 1 : k + 1;
    if (a < 0 || c->live[a] == 0) return 0;
    for (slong j = 0; j < n; j++) add_multiple(sums, middle[j], radius[j], lanes_of(c, a, k - j));
    return n;
}

/* Sets coefficient k of a term: sums of n products, in lanes that are not 0 by construction. */
static void set_lanes(ic_coarse *c, int term, slong k, const lane_sums *sums, slong n)
{
    const slong at = ((slong)term * c->length + k) * LANES;
    const double part = (double)(n + 2) * DBL_EPSILON, more = 1 + part + 8 * DBL_EPSILON,
                 least = (double)(n + 1) * DBL_MIN;
    double *middle = c->tangent_middle + at, *radius = c->tangent_radius + at;
    for (int l = 0; l < LANES; l++) {
        middle[l] = sums->middle[l];
        radius[l] = (sums->radius[l] + part * sums->size[l]) * more + least;
    }
    for (int l = 0; l < LANES && c->live[term] != ALL_LANES; l++) {
        if ((c->live[term] >> l & 1) == 0) middle[l] = radius[l] = 0;
    }
}

/* One of two derivatives; known for the value only. */
static void add_either(lane_sums *sums, lanes a, lanes b, slong k)
{
    for (int l = 0; l < LANES; l++) {
        const double middle = (a.middle[l] + b.middle[l]) / 2;
        sums->middle[l] = middle;
        sums->size[l] = fabs(a.middle[l]) + fabs(b.middle[l]);
        sums->radius[l] =
            k > 0 ? INFINITY
                  : fabs(a.middle[l] - middle) + fabs(b.middle[l] - middle) + a.radius[l] + b.radius[l];
    }
}

static void differentiate(ic_coarse *c, int i, slong k)
{
    const ic_flow_term *term = &c->terms->list[i];
    lane_sums sums = {0};
    slong n = 2;
    switch (term->kind) {
    case IC_FLOW_SUM:
    case IC_FLOW_DIFFERENCE:
        add_multiple(&sums, 1, 0, lanes_of(c, term->a, k));
        add_multiple(&sums, term->kind == IC_FLOW_SUM ? 1 : -1, 0, lanes_of(c, term->b, k));
        break;
    case IC_FLOW_PRODUCT:
        n = add_product(&sums, c, term->a, term->b, k) + add_product(&sums, c, term->b, term->a, k);
        break;
    case IC_FLOW_RECIPROCAL:
    case IC_FLOW_POWER:
    case IC_FLOW_FUNCTION: n = add_product(&sums, c, term->slope, term->a, k); break;
    case IC_FLOW_GREATER: add_either(&sums, lanes_of(c, term->a, k), lanes_of(c, term->b, k), k); break;
    default: break;
    }
    set_lanes(c, i, k, &sums, n);
}

static void begin_derivatives(ic_coarse *c)
{
    const size_t count = c->terms->count, size = count * (size_t)c->length * LANES;
    if (c->live == NULL) {
        c->tangent_middle = ic_store_zeros(&c->store, size, sizeof *c->tangent_middle);
        c->tangent_radius = ic_store_zeros(&c->store, size, sizeof *c->tangent_radius);
        c->live = ic_store_zeros(&c->store, count, sizeof *c->live);
    }
    for (size_t i = 0; i < count; i++) c->live[i] = 0;
}

/* Some lanes of a term differ from 0 from now on. */
static void make_live(ic_coarse *c, int term, unsigned char mask, slong length)
{
    const slong from = (slong)term * c->length * LANES;
    if (c->live[term] == 0) {
        for (slong k = from; k < from + length * LANES; k++) c->tangent_middle[k] = c->tangent_radius[k] = 0;
    }
    c->live[term] |= mask;
}

/* Coefficient k of all terms but variables, whose first one may follow from a definition. */
static void differentiate_terms(ic_coarse *c, slong k, slong length)
{
    const ic_flow_terms *t = c->terms;
    for (slong i = 0; i < (slong)t->count; i++) {
        const ic_flow_term *term = &t->list[i];
        const int definition = k == 0 ? definition_of(c, (int)i) : -1;
        if (definition >= 0 && c->live[definition] != 0) {
            lane_sums sums = {0};
            make_live(c, (int)i, c->live[definition], length);
            add_multiple(&sums, 1, 0, lanes_of(c, definition, 0));
            set_lanes(c, (int)i, 0, &sums, 1);
        }
        if (term->constant || term->kind == IC_FLOW_VARIABLE) continue;
        const unsigned char mask =
            (term->a >= 0 ? c->live[term->a] : 0) | (term->b >= 0 ? c->live[term->b] : 0);
        if (mask == 0) continue;
        make_live(c, (int)i, mask, length);
        differentiate(c, (int)i, k);
    }
}

/* Coefficient k + 1 of variables from their rates. */
static void integrate_lanes(ic_coarse *c, slong k, slong length)
{
    const ic_flow_terms *t = c->terms;
    const double factor = ldexp(1, (int)c->unit) / (double)(k + 1);
    for (size_t i = 0; i < t->count; i++) {
        if (t->list[i].kind != IC_FLOW_VARIABLE || t->list[i].constant) continue;
        const int rate = c->rates[t->list[i].index];
        if (rate < 0 || c->live[rate] == 0) continue;
        lane_sums sums = {0};
        make_live(c, (int)i, c->live[rate], length);
        add_multiple(&sums, factor, 0, lanes_of(c, rate, k));
        set_lanes(c, (int)i, k + 1, &sums, 2);
    }
}

void ic_coarse_differentiate(ic_coarse *c, const slong *variables, int n, slong length)
{
    const ic_flow_terms *t = c->terms;
    begin_derivatives(c);
    for (size_t i = 0; i < t->count; i++) {
        for (int l = 0; l < n && l < LANES; l++) {
            if (t->list[i].kind != IC_FLOW_VARIABLE || t->list[i].index != variables[l]) continue;
            make_live(c, (int)i, (unsigned char)(1 << l), length);
            c->tangent_middle[(slong)i * c->length * LANES + l] = 1;
        }
    }
    for (slong k = 0; k < length && !ic_deadline_passed_in(k); k++) {
        differentiate_terms(c, k, length);
        if (k + 1 < length) integrate_lanes(c, k, length);
    }
}

/* ---- intervals */

int ic_coarse_sign(ic_coarse_interval x)
{
    return x.middle > x.radius ? 1 : -x.middle > x.radius ? -1 : 0;
}

void ic_coarse_ball(arb_t ball, ic_coarse_interval x)
{
    if (x.radius < INFINITY) {
        arb_set_d(ball, x.middle);
        mag_set_d(arb_radref(ball), x.radius);
    } else {
        arb_zero_pm_inf(ball);
    }
}

double ic_coarse_size(ic_coarse_interval x)
{
    return (fabs(x.middle) + x.radius) * (1 + DBL_EPSILON);
}
