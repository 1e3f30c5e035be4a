/* SPDX-License-Identifier: MIT */
#include "solvers/linear/exponential_polynomial.h"

#include <float.h>
#include <math.h>

/* Rounding errors of a term, in units of its own rounding: coefficient, exponential, product and sum. */
#define TERM_ROUNDING (4 * DBL_EPSILON)
/* A derivative at a departure counts as zero below this many units of rounding of its terms. */
#define DERIVATIVE_ROUNDING 16.0
/* |lambda| s up to which the value is summed as increments, and the terms of the exponential series there:
 * the last is 2 NEAR^13/15! < 2e-16 of the first. */
#define NEAR 0.5
enum { SERIES_TERMS = 15 };
/* Steps of the search for a good length L; each costs a root of a quadratic. */
enum { LENGTHS = 12 };
/* Parts of a stretch in which a function that stands flat on zero is looked at again. */
enum { FLAT_PARTS = 16 };
/* Newton corrections; three are usual, the rest is for multiple roots, by bisection. */
enum { CORRECTIONS = 120 };
/* First step at a doubtful zero, in widths of the zone that rounding blurs, and its growth. */
#define BLUR_STEP 0.25
#define BLUR_GROWTH 1.5

typedef ic_exponential_polynomial function;
typedef ic_crossing_search search;

size_t ic_exponents_room(const ic_exponent *exponents, size_t n)
{
    return n == 0 ? 0 : IC_DERIVATIVES * (exponents[n - 1].offset + exponents[n - 1].capacity + 1);
}

/* ---- coefficients */

/* (q e^{lambda s})' = (q' + lambda q) e^{lambda s} */
static void derive_term(const ic_exponent *e, ic_complex *next, const ic_complex *q)
{
    for (size_t j = 0; j <= e->degree; j++) {
        next[j].re = e->lambda.re * q[j].re - e->lambda.im * q[j].im;
        next[j].im = e->lambda.re * q[j].im + e->lambda.im * q[j].re;
        if (j == e->degree) continue;
        next[j].re += (double)(j + 1) * q[j + 1].re;
        next[j].im += (double)(j + 1) * q[j + 1].im;
    }
}

/* Of a term without powers the moduli of derivatives are those of the value times |lambda|^n. */
static void bound_term(const ic_exponent *e, double *moduli, const ic_complex *q)
{
    const size_t count = e->capacity + 1;
    if (e->degree == 0) {
        moduli[0] = sqrt(q[0].re * q[0].re + q[0].im * q[0].im);
        for (size_t i = 1; i < IC_DERIVATIVES; i++) moduli[i * count] = e->modulus * moduli[(i - 1) * count];
        return;
    }
    for (size_t i = 0; i < IC_DERIVATIVES; i++) {
        for (size_t j = 0; j <= e->degree; j++) {
            const ic_complex c = q[i * count + j];
            moduli[i * count + j] = sqrt(c.re * c.re + c.im * c.im);
        }
    }
}

void ic_exponential_polynomial_derive(function *g)
{
    g->constant_bounds = true;
    g->fastest = 0;
    for (int i = 0; i < IC_DERIVATIVES; i++) g->start[i] = g->start_noise[i] = 0;
    for (size_t k = 0; k < g->n_terms; k++) {
        const ic_exponent *e = &g->exponents[k];
        const size_t count = e->capacity + 1;
        ic_complex *q = g->coefficients + IC_DERIVATIVES * e->offset;
        g->absent[k] = true;
        for (size_t j = 0; j <= e->degree; j++) {
            if (q[j].re != 0 || q[j].im != 0) g->absent[k] = false;
        }
        if (g->absent[k]) continue;
        for (size_t i = 1; i < IC_DERIVATIVES; i++) derive_term(e, q + i * count, q + (i - 1) * count);
        bound_term(e, g->moduli + IC_DERIVATIVES * e->offset, q);
        if (e->degree > 0 || e->lambda.re > 0) g->constant_bounds = false;
        g->fastest = fmax(g->fastest, e->modulus);
        for (size_t i = 0; i < IC_DERIVATIVES; i++) {
            g->start[i] += q[i * count].re;
            g->start_noise[i] += TERM_ROUNDING * g->moduli[IC_DERIVATIVES * e->offset + i * count];
        }
        g->start_noise[0] += TERM_ROUNDING * g->magnitudes[e->offset];
    }
}

/* ---- values and bounds */

static double horner(const double *c, size_t degree, double s)
{
    double sum = c[degree];
    for (size_t j = degree; j-- > 0;) sum = sum * s + c[j];
    return sum;
}

static ic_complex horner_complex(const ic_complex *c, size_t degree, double s)
{
    ic_complex sum = c[degree];
    for (size_t j = degree; j-- > 0;) {
        sum.re = sum.re * s + c[j].re;
        sum.im = sum.im * s + c[j].im;
    }
    return sum;
}

static ic_complex times(ic_complex a, ic_complex b)
{
    return (ic_complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* e^z - 1 - z by its series. */
static ic_complex exponential_beyond_linear(ic_complex z)
{
    ic_complex sum = {1.0 / SERIES_TERMS, 0};
    for (int n = SERIES_TERMS - 1; n >= 2; n--) {
        sum = times(sum, z);
        sum = (ic_complex){(1 + sum.re) / n, sum.im / n};
    }
    return times(times(sum, z), z);
}

/* Value and rate as start[i] + start[i + 1] s + increments: of e^{z} q(s), z = lambda s, this is
 * (e^z - 1 - z) q_0 + (e^z - 1)(q(s) - q_0) + (q(s) - q_0 - q_1 s). Further derivatives as sums of terms. */
static void add_near(const function *g, size_t k, ic_jet *jet, int count)
{
    const ic_exponent *e = &g->exponents[k];
    const double s = jet->s;
    const ic_complex z = {e->lambda.re * s, e->lambda.im * s};
    const ic_complex beyond = e->modulus == 0 ? z : exponential_beyond_linear(z);
    const ic_complex whole = {1 + (z.re + beyond.re), z.im + beyond.im};
    const double size = e->modulus * s, *magnitude = g->magnitudes + e->offset;
    g->decay[k] = e->lambda.re > 0 ? whole.re : 1;
    for (int i = 0; i < count; i++) {
        const ic_complex *q = g->coefficients + IC_DERIVATIVES * e->offset + (size_t)i * (e->capacity + 1);
        if (i >= 2) {
            jet->value[i] += times(whole, horner_complex(q, e->degree, s)).re;
            continue;
        }
        jet->value[i] += times(beyond, q[0]).re;
        if (e->degree == 0) continue;
        const ic_complex tail = e->degree > 1 ? horner_complex(q + 2, e->degree - 2, s) : (ic_complex){0, 0};
        const ic_complex rise = {(q[1].re + tail.re * s) * s, (q[1].im + tail.im * s) * s};
        jet->value[i] += times((ic_complex){z.re + beyond.re, z.im + beyond.im}, rise).re + tail.re * s * s;
    }
    double rounding = size * size * magnitude[0];
    if (e->degree > 0) rounding += size * s * magnitude[1];
    if (e->degree > 1) rounding += s * s * horner(magnitude + 2, e->degree - 2, s);
    jet->noise += TERM_ROUNDING * rounding;
}

static void add_far(const function *g, size_t k, ic_jet *jet, int count)
{
    const ic_exponent *e = &g->exponents[k];
    const double s = jet->s;
    const double decay = e->lambda.re == 0 ? 1 : exp(e->lambda.re * s);
    const double cosine = e->lambda.im == 0 ? decay : decay * cos(e->lambda.im * s);
    const double sine = e->lambda.im == 0 ? 0 : decay * sin(e->lambda.im * s);
    const ic_complex *q = g->coefficients + IC_DERIVATIVES * e->offset;
    g->decay[k] = decay;
    for (int i = 0; i < count; i++) {
        const ic_complex value = horner_complex(q + (size_t)i * (e->capacity + 1), e->degree, s);
        jet->value[i] += cosine * value.re - sine * value.im;
    }
    jet->noise += decay * horner(g->magnitudes + e->offset, e->degree, s) *
                  (TERM_ROUNDING + DBL_EPSILON * e->modulus * s);
}

ic_jet ic_exponential_polynomial_at(const function *g, double s, int count)
{
    ic_jet jet = {.s = s};
    const bool near = g->fastest * s < NEAR;
    for (size_t k = 0; k < g->n_terms; k++) {
        if (g->absent[k]) continue;
        if (near) add_near(g, k, &jet, count);
        else add_far(g, k, &jet, count);
    }
    if (!near) return jet;
    for (int i = 0; i < 2 && i < count; i++) jet.value[i] += g->start[i] + g->start[i + 1] * s;
    jet.noise += g->start_noise[0] + g->start_noise[1] * s;
    return jet;
}

/* Greatest modulus of a derivative on [s, s + length], with s where g was evaluated last. */
static double bound(const function *g, int derivative, double s, double length)
{
    double sum = 0;
    for (size_t k = 0; k < g->n_terms; k++) {
        const ic_exponent *e = &g->exponents[k];
        if (g->absent[k]) continue;
        const double *moduli = g->moduli + IC_DERIVATIVES * e->offset + (size_t)derivative * (e->capacity + 1);
        const double growth = e->lambda.re > 0 ? exp(e->lambda.re * length) : 1;
        sum += g->decay[k] * growth * horner(moduli, e->degree, s + length);
    }
    return sum;
}

/* ---- the march */

/* What is known at a point, seen from the side that g is on: value, rate and second derivative there, and the
 * bounds at the point for functions whose bounds are constant. */
typedef struct view {
    double s, value, rate, second, noise;
    double bound2, bound3;
} view;

static view look(search *q, double s)
{
    const ic_jet jet = ic_exponential_polynomial_at(q->g, s, 3);
    view v = {.s = s, .noise = jet.noise};
    v.value = q->side * jet.value[0];
    v.rate = q->side * jet.value[1];
    v.second = q->side * jet.value[2];
    if (q->g->constant_bounds) {
        v.bound2 = bound(q->g, 2, s, 0);
        v.bound3 = bound(q->g, 3, s, 0);
    }
    q->evaluations++;
    return v;
}

static void set_bounds(const search *q, view *v, double length)
{
    if (q->g->constant_bounds) return;
    v->bound2 = bound(q->g, 2, v->s, length);
    v->bound3 = bound(q->g, 3, v->s, length);
}

static double resolution(const search *q, double s)
{
    return 0.25 * DBL_EPSILON * (fabs(q->origin) + s);
}

/* First positive root of G + r d + K d^2/2 with G > 0; INFINITY where there is none. */
static double first_zero(double value, double rate, double curvature)
{
    const double discriminant = rate * rate - 2 * curvature * value;
    if (discriminant < 0) return INFINITY;
    const double root = sqrt(discriminant);
    if (rate > 0) return curvature < 0 ? (rate + root) / -curvature : INFINITY; /* root - rate would cancel */
    return root - rate > 0 ? 2 * value / (root - rate) : INFINITY;
}

/* A length without a zero ahead of v, as long as the bounds give it with reasonable effort: a longer stretch has
 * looser bounds, so that lengths grow until they no longer hold, or shrink until they do. */
static double safe_length(const search *q, view *v, double reach)
{
    double length = fmin(2 * q->stride, reach), safe = 0;
    bool grows = false;
    for (int i = 0; i < LENGTHS; i++) {
        set_bounds(q, v, length);
        const double curvature = fmax(v->second - v->bound3 * length, -v->bound2);
        const double zero = first_zero(v->value, v->rate, curvature);
        safe = fmax(safe, fmin(zero, length));
        if (zero >= length) {
            if (length >= reach) break;
            length = fmin(4 * length, reach);
            grows = true;
        } else {
            if (grows || zero >= 0.5 * length) break;
            length = fmin(2 * safe, reach);
        }
    }
    return safe;
}

/* Where g is proved to have fallen through zero, monotonically from v on, by more than rounding; else 0. */
static double proved_beyond(const search *q, view *v, double length)
{
    if (!(v->rate < 0)) return 0;
    set_bounds(q, v, length);
    const double curvature = fmax(fmin(v->second + v->bound3 * length, v->bound2), 0);
    const double reach = curvature * length < -v->rate ? length : -v->rate / curvature;
    const double least = v->value + v->rate * reach + 0.5 * curvature * reach * reach;
    return least < -2 * v->noise ? reach : 0;
}

/* Newton's iteration with the second derivative (the root of the parabola), kept between a point where g is on
 * its side and one where it is beyond. */
static double locate(search *q, view v, double low, double high)
{
    for (int i = 0; i < CORRECTIONS; i++) {
        const double zero = v.value > 0 ? first_zero(v.value, v.rate, v.second) : v.value / -v.rate;
        double next = v.s + zero;
        const bool inside = next > low && next < high;
        q->iterations++;
        if (v.value > 0) low = fmax(low, v.s);
        else high = fmin(high, v.s);
        if (!inside) next = 0.5 * (low + high);
        const double change = fabs(next - v.s);
        /* the error left is of third order in the change */
        const double ratio = v.bound2 * change / -v.rate;
        const bool ends = ratio * ratio * change <= resolution(q, next) && v.rate < 0;
        if ((inside && (ends || fabs(v.value) <= 0.25 * v.noise)) || !(next > low && next < high)) return next;
        v = look(q, next);
        set_bounds(q, &v, change);
    }
    return 0.5 * (low + high);
}

static ic_crossing found(search *q, double at)
{
    q->from = at;
    q->side = -q->side;
    q->order = 1;
    return IC_CROSSING_FOUND;
}

static ic_crossing located(search *q, view v, double low, double high)
{
    return found(q, locate(q, v, low, high));
}

/* g is so close to zero that rounding hides its sign: go on until it shows again. Returns 0 where it is on its
 * side again, 1 beyond zero, with `v` there, 2 at the end; `low`: where it was on its side last. */
static int pass_blurred(search *q, view *v, double *low)
{
    double width = sqrt(2 * v->noise / fmax(fabs(v->second) + v->bound2, DBL_MIN));
    width = fmax(BLUR_STEP * width, 4 * resolution(q, v->s));
    *low = v->s;
    while (v->s < q->end) {
        *v = look(q, fmin(v->s + width, q->end));
        set_bounds(q, v, width);
        if (!(fabs(v->value) <= v->noise)) return v->value > 0 ? 0 : 1;
        width *= BLUR_GROWTH;
    }
    return 2;
}

static ic_crossing march(search *q, double start)
{
    view v = look(q, start);
    double low = q->from;
    for (;;) {
        if (!isfinite(v.value) || !isfinite(v.rate) || !isfinite(v.second)) return IC_CROSSING_NOT_FINITE;
        const double reach = q->end - v.s;
        double step = v.value > v.noise ? safe_length(q, &v, reach) : 0;
        if (v.value < -v.noise) return located(q, v, low, v.s);
        if (step >= reach) return IC_CROSSING_NONE;
        const double newton = v.rate < 0 ? -4 * fmax(v.value, v.noise) / v.rate : 0;
        const double beyond = newton > 0 ? proved_beyond(q, &v, fmax(newton, 2 * step)) : 0;
        if (beyond > 0) {
            const double at = locate(q, v, low, v.s + beyond);
            return at > q->end ? IC_CROSSING_NONE : found(q, at);
        }
        if (step > resolution(q, v.s)) {
            low = v.s;
            q->stride = step;
            v = look(q, v.s + step);
            continue;
        }
        const double touch = v.s;
        const int outcome = pass_blurred(q, &v, &low);
        if (outcome == 2) return IC_CROSSING_NONE;
        if (outcome == 1) return located(q, v, low, v.s);
        q->grazes = true;
        q->grazes_at = touch;
        q->stride = v.s - touch;
    }
}

/* ---- departure from a zero */

/* Derivatives at `from`, and whether each is more than rounding. */
static ic_jet departure_jet(search *q, bool significant[IC_DERIVATIVES])
{
    ic_jet jet = ic_exponential_polynomial_at(q->g, q->from, IC_DERIVATIVES);
    q->evaluations++;
    for (int i = 0; i < IC_DERIVATIVES; i++) {
        double noise = q->g->start_noise[i];
        if (q->from == 0) jet.value[i] = q->g->start[i];
        else noise = TERM_ROUNDING * bound(q->g, i, q->from, 0);
        significant[i] = fabs(jet.value[i]) > DERIVATIVE_ROUNDING * noise;
    }
    return jet;
}

static int sign(double value)
{
    return (value > 0) - (value < 0);
}

void ic_crossing_depart(search *q)
{
    bool significant[IC_DERIVATIVES];
    const ic_jet jet = departure_jet(q, significant);
    q->side = 0;
    for (int i = q->order; i < IC_DERIVATIVES - 1; i++) {
        if (!significant[i]) continue;
        q->side = sign(jet.value[i]);
        q->order = i;
        q->leading = fabs(jet.value[i]);
        return;
    }
}

/* With g = g_k d^k/k! + ..., k the order, g has the sign of g_k on (0, (k + 1) |g_k| / max |g^(k+1)|]. Half of
 * that is far enough for the march to start: there g is at least half its leading term. */
static double departure_zone(search *q)
{
    const double leading = (q->order + 1) * q->leading;
    double length = q->end - q->from;
    for (int i = 0; i < LENGTHS; i++) {
        const double zone = leading / bound(q->g, q->order + 1, q->from, length);
        if (!(zone < length)) return length; /* also where the bound is zero */
        if (zone >= 0.5 * length) return zone;
        length = 2 * zone; /* the bound falls with the length: next time the zone is no shorter */
    }
    return 0.5 * length;
}

/* Every derivative at `from` is zero to rounding: g stands on zero there, perhaps for good (a guard that is identically
 * zero). Looked at in equal parts of what is left; where it has left zero the march goes on from there. */
static ic_crossing leave_flat_zero(search *q, int known)
{
    const double from = q->from;
    q->side = known != 0 ? known : 1;
    for (int i = 1; i <= FLAT_PARTS; i++) {
        const double s = from + (q->end - from) * i / FLAT_PARTS;
        const view v = look(q, s);
        if (!isfinite(v.value)) return IC_CROSSING_NOT_FINITE;
        if (fabs(v.value) <= v.noise) continue;
        q->side = v.value > 0 ? 1 : -1;
        return march(q, s);
    }
    q->from = q->end;
    return IC_CROSSING_NONE;
}

ic_crossing ic_crossing_next(search *q)
{
    const int known = q->side;
    if (q->from >= q->end) return IC_CROSSING_NONE;
    if (!(q->stride > 0)) q->stride = q->end - q->from;
    if (q->order == 0) {
        view v = look(q, q->from);
        if (v.value > v.noise) return march(q, q->from);
        if (v.value < -v.noise) return found(q, q->from);
        q->order = 1; /* zero to rounding, on a side that is known */
    }
    ic_crossing_depart(q);
    if (q->side == 0) return leave_flat_zero(q, known);
    const double zone = departure_zone(q);
    if (zone >= q->end - q->from) return IC_CROSSING_NONE;
    q->stride = zone;
    return march(q, q->from + 0.5 * zone);
}
