/* SPDX-License-Identifier: MIT */
/* Guards that stay clear, or cross once, by their cubics. */
#include "core/numbers.h"
#include "core/step_parts.h"

#include <float.h>
#include <math.h>

/*
 * Secants end with a correction below this part of the time since the start of the step, after which the crossing is
 * located far better. Crossings closer to each other than this part of the step are searched.
 */
#define LOCATED 1e-6
/*
 * A guard is steep enough for one crossing if its distance from its cubic changes the cubic's slope by at most
 * this part, and if its rate is that slope up to this part where the cubic crosses: one that oscillates within
 * the step has another.
 */
#define SAME_SLOPE 0.25
/* Every set of probes has one before this part of the step, which shows what happens before a later event. */
#define EARLY (1. / 3)
/*
 * Number of Newton's corrections of the time of an expected event. A step that aims at the event passes over
 * it by this part of the time until then.
 */
enum { EXPECTATIONS = 2 };
#define EXPECTED_MARGIN 0.05

static const double thirds[] = {1. / 3, 2. / 3};
static const double weight_of_thirds[][4] = {IC_CUBIC_WEIGHTS(1. / 3), IC_CUBIC_WEIGHTS(2. / 3)};

const ic_clearance ic_clearance_by_thirds = {
    .n_probes = IC_COUNT(thirds),
    .n_far = 1,
    .at = thirds,
    .weight = weight_of_thirds,
    .within = 2 * 1.27,
    .departing = 2 * 4.71,
    .sloping = 2 * 7.6,
};

/* Unlike fmin, this is no call; NAN if b is. */
static double lesser(double a, double b)
{
    return a < b ? a : b;
}

/* Sets value and rate of a guard at t. */
static inline void take_guard_end(ic_guard_end *end, const ic_phase *phase, ic_watch watch, double t,
                                  const double *x)
{
    phase->work->guard_calls += 2;
    end->t = t;
    end->value = ic_watch_value(phase, watch, t, x);
    end->rate = ic_watch_rate(phase, watch, t, x);
}

/* Derivatives at its end of the cubic through both ends of a step of length h, times h^2 and h^3. */
static void differentiate_cubic(const ic_guard_end *end, double h, double *second, double *third)
{
    const double fall = end->value_before - end->value;
    *second = 6 * fall + h * (2 * end->rate_before + 4 * end->rate);
    *third = 12 * fall + 6 * h * (end->rate_before + end->rate);
}

/*
 * First time after a step, in units of its length, at which the cubic that it has found is zero: by its
 * quadratic part, and Newton's corrections. INFINITY: not before `most`, where all its Bernstein coefficients
 * are positive.
 */
static double expected_crossing(const ic_guard_end *end, int side, double most)
{
    double second_rate, third_rate;
    differentiate_cubic(end, end->h, &second_rate, &third_rate);
    const double g = side * end->value, r = side * end->h * end->rate, a = side * second_rate / 2,
                 b = side * third_rate / 6;
    const double first = g + most * r / 3, second = first + most * (r + most * a) / 3,
                 last = g + most * (r + most * (a + most * b));
    if (first > 0 && second > 0 && last > 0) return INFINITY;
    const double root = sqrt(r * r - 4 * g * a);
    double t = r < 0 ? 2 * g / (root - r) : a < 0 ? (r + root) / (-2 * a) : INFINITY;
    for (int k = 0; k < EXPECTATIONS; k++) t -= (g + t * (r + t * (a + t * b))) / (r + t * (2 * a + t * 3 * b));
    return t > 0 ? t : INFINITY;
}

double ic_step_expected_event(const ic_phase *phase, double t0, double most)
{
    double first = INFINITY, h = 0, steps = 0; /* `most` in lengths h of the last step, which guards share */
    for (size_t i = 0; i < phase->n_watched; i++) {
        const ic_guard_end *end = &phase->ends[i];
        const int side = phase->arming[i].side;
        if (!(end->t == t0 && end->h > 0 && end->value * side > 0) || phase->arming[i].order > 0) continue;
        if (end->h != h) h = end->h, steps = most / h;
        const double t = h * expected_crossing(end, side, steps);
        if (t < first && ic_fires(ic_phase_direction(phase, i), -side)) first = t;
    }
    return t0 + first * (1 + EXPECTED_MARGIN);
}

/* Greatest difference of the guard on `side` and its cubic at the probes, of which *placed have a state. */
static double farthest_probe(const ic_phase *phase, ic_watch watch, int side, const ic_step *step,
                             const ic_clearance *clearance, int n_probes, int *placed, const double g[2],
                             const double r[2])
{
    const double sign = side, h = step->t1 - step->t0;
    double farthest = 0, sum = 0; /* the sum is finite only if all are */
    phase->work->guard_calls += n_probes;
    for (int k = 0; k < n_probes; k++) {
        if (clearance->place != NULL && k == *placed) clearance->place(step->self, (*placed)++);
        const double t = step->t0 + clearance->at[k] * h, *const w = clearance->weight[k];
        const double *const x = clearance->x + (size_t)k * clearance->stride;
        const double off = fabs(sign * ic_watch_value(phase, watch, t, x) -
                                (w[0] * g[0] + w[1] * r[0] + (w[2] * g[1] + w[3] * r[1])));
        sum += off;
        farthest = off > farthest ? off : farthest;
    }
    return sum <= DBL_MAX ? farthest : INFINITY;
}

/* Bernstein coefficients of a polynomial on a step; of a square the last one stands twice. */
typedef struct hull {
    int degree;
    double c[4];
} hull;

/*
 * Those of the cubic of a guard with the values g, and the rates r times h, at both ends. After a departure g is
 * 0 at the start, up to rounding: those of the cubic divided by s.
 */
static hull hull_of_cubic(int order, const double g[2], const double r[2])
{
    if (order == 1) return (hull){2, {r[0], 0.5 * (3 * g[1] - r[1]), g[1], g[1]}};
    return (hull){3, {g[0], g[0] + r[0] / 3, g[1] - r[1] / 3, g[1]}};
}

/* Least value that the polynomial may have. */
static double least_of(const hull *p)
{
    return lesser(lesser(lesser(p->c[0], p->c[1]), p->c[2]), p->c[3]);
}

/*
 * The fraction of the step at which the polynomial falls to 0, if it and those higher and lower by `off` change
 * sign only once; otherwise INFINITY.
 */
static double only_fall(const hull *p, double off)
{
    const double *const c = p->c, last = c[3];
    const bool once = p->degree == 2 || c[1] > off || c[2] < -off;
    if (!(c[0] > off && last < -off && once)) return INFINITY;
    const double of_square[] = {c[0], (c[0] + 2 * c[1] + c[2]) / 4, last};
    const double of_cube[] = {c[0], (8 * c[0] + 12 * c[1] + 6 * c[2] + last) / 27,
                              (c[0] + 6 * c[1] + 12 * c[2] + 8 * last) / 27, last};
    return ic_polynomial_root(p->degree == 2 ? of_square : of_cube, p->degree, 0, 1, -1, 0);
}

/* Slope, per step of length h, of the cubic that ends so, at the fraction s of the step. */
static double cubic_slope(const ic_guard_end *end, double h, double s)
{
    double second, third;
    differentiate_cubic(end, h, &second, &third);
    return h * end->rate + (s - 1) * (second + (s - 1) / 2 * third);
}

/* Whether a guard is far from zero compared with its change, its cubic at least `nearest` away. */
static bool is_far_by_cubic(double nearest, const double g[2], const double r[2])
{
    return nearest > IC_STEP_FAR * fabs(g[1] - g[0]) && nearest > IC_STEP_FAR * fabs(r[0]) &&
           nearest > IC_STEP_FAR * fabs(r[1]);
}

/*
 * The fraction of the step at which guard i changes sign by its cubic, if the guard does so only once, close to
 * there; INFINITY: it stays clear; NAN: it must be searched.
 */
static double predict_crossing(const ic_phase *phase, size_t i, const ic_step *step,
                               const ic_clearance *clearance, int *placed)
{
    const int side = phase->arming[i].side, order = phase->arming[i].order;
    const double h = step->t1 - step->t0;
    const ic_watch watch = ic_phase_watch(phase, i);
    ic_guard_end *const end = &phase->ends[i];
    const bool departs = order > 1 || side == 0;
    end->h = end->t == step->t0 && !departs ? h : NAN;
    if (isnan(end->h) && !departs) take_guard_end(end, phase, watch, step->t0, step->x0);
    end->value_before = end->value;
    end->rate_before = end->rate;
    take_guard_end(end, phase, watch, step->t1, step->x1);
    if (departs) return NAN;
    const double g[2] = {order == 1 ? 0 : side * end->value_before, side * end->value};
    const double r[2] = {side * h * end->rate_before, side * h * end->rate};
    const hull cubic = hull_of_cubic(order, g, r);
    const double nearest = least_of(&cubic);
    if (!(nearest > 0 || (cubic.c[0] > 0 && g[1] < 0))) return NAN;
    if (order == 1 && !(h > IC_STEP_SHORTEST_SEARCH * ic_phase_instant_width(phase))) return NAN;
    const int enough = phase->curved[i] ? clearance->n_probes : clearance->n_affine;
    const bool far = enough > clearance->n_far && order == 0 && is_far_by_cubic(nearest, g, r);
    const int n_probes = far ? clearance->n_far : enough;
    const double farthest = farthest_probe(phase, watch, side, step, clearance, n_probes, placed, g, r);
    const double off = farthest * (order == 1 ? clearance->departing : clearance->within);
    if (nearest > 0) return nearest > off ? INFINITY : NAN;
    const double s = only_fall(&cubic, off);
    return s < 1 && SAME_SLOPE * fabs(cubic_slope(end, h, s)) > farthest * clearance->sloping ? s : NAN;
}

/*
 * Moves the fraction *s of the step, from where the cubic of guard i crosses, to where the guard does along the
 * interpolant, by secants. false: they lead out of the step, or the guard has another slope than the cubic.
 */
static bool follow_secants(const ic_phase *phase, const ic_step *step, size_t i, double *s)
{
    const double h = step->t1 - step->t0, expected = cubic_slope(&phase->ends[i], h, *s);
    double g_before = 0, correction = 0;
    for (int k = 0; k < IC_STEP_MOST_CORRECTIONS; k++) {
        const double t = step->t0 + *s * h, g = ic_step_guard_value(phase, step, i, t);
        phase->work->root_iterations++;
        const double slope =
            k == 0 ? h * ic_phase_guard_rate(phase, i, t, step->scratch) : (g - g_before) / correction;
        if (k == 0 && !(fabs(slope - expected) <= SAME_SLOPE * fabs(expected))) return false;
        correction = g == 0 ? 0 : -g / slope;
        g_before = g;
        *s += correction;
        if (!(*s > 0 && *s <= 1)) return false;
        if (fabs(correction) <= LOCATED * *s) return true;
    }
    return false;
}

/*
 * Whether the step extends too far beyond its first event, at this fraction of it, for the probes of the other guards
 * to show what happens before it (search_before_event).
 */
static bool is_too_early(const ic_phase *phase, double first)
{
    for (size_t i = 0; i < phase->n_watched && first <= EARLY; i++) {
        if (phase->curved[i] && (int)i != phase->fired) return true;
    }
    return false;
}

/*
 * Locates the guards that cross in their directions, and finds the first, phase->fired. false: they must be
 * searched, because the first one is not clearly the first, or is not enabled.
 */
static bool find_predicted_event(ic_phase *phase, const ic_step *step, double *t)
{
    double first = INFINITY, second = INFINITY;
    for (size_t i = 0; i < phase->n_watched; i++) {
        double *s = &phase->located[i];
        if (*s == INFINITY || !ic_fires(ic_phase_direction(phase, i), -phase->arming[i].side)) continue;
        if (!follow_secants(phase, step, i, s)) return false;
        if (*s < first) second = first, first = *s, phase->fired = (int)i;
        else if (*s < second) second = *s;
    }
    if (phase->fired < 0) return true;
    if (!(second - first > LOCATED) || is_too_early(phase, first)) return false;
    *t = step->t0 + first * (step->t1 - step->t0);
    step->interpolate(step->self, *t, step->scratch);
    return ic_phase_enabled(phase, (size_t)phase->fired, *t, step->scratch);
}

/* After a step whose guards have been predicted. */
static void settle_guards(ic_phase *phase)
{
    for (size_t i = 0; i < phase->n_watched; i++) {
        const int side = phase->arming[i].side;
        if (phase->fired >= 0) phase->due[i] = (int)i == phase->fired;
        else phase->arming[i] = (ic_arming){.side = phase->clear[i] ? side : -side};
    }
}

ic_status ic_step_find_event(ic_phase *phase, const ic_step *step, const ic_clearance *clearance, double *t)
{
    bool predicted = true;
    int placed = 0;
    for (size_t i = 0; i < phase->n_watched; i++) {
        phase->located[i] = predict_crossing(phase, i, step, clearance, &placed);
        phase->clear[i] = phase->located[i] == INFINITY;
        predicted = predicted && !isnan(phase->located[i]);
    }
    phase->fired = -1;
    if (!predicted || !find_predicted_event(phase, step, t)) return ic_step_first_event(phase, step, t);
    settle_guards(phase);
    return IC_OK;
}
