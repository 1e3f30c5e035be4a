/* SPDX-License-Identifier: MIT */
#include "core/step_events.h"

#include <math.h>

enum { DEGREE = IC_STEP_NODES - 1 };

/* Newton corrections of a landing; each roughly squares the error. */
enum { MOST_CORRECTIONS = 8 };
/* A correction longer than this part of the step is not one of a simple crossing that the interpolant has located. */
#define LONGEST_CORRECTION 0.1

/* Pairs of roots closer than this part of a step are taken for a touch. */
#define CLOSEST_PAIR 0x1p-40

static int sign(double value)
{
    return (value > 0) - (value < 0);
}

/* ---- the polynomial in Bernstein form, b_i = coefficient of C(d, i) s^i (1 - s)^(d - i) */

/* From values at the parts 0, 1/4, ... 1 of [0, 1]. */
static void bernstein_of_values(double b[DEGREE + 1], const double v[DEGREE + 1])
{
    b[0] = v[0];
    b[1] = (-13 * v[0] + 48 * v[1] - 36 * v[2] + 16 * v[3] - 3 * v[4]) / 12;
    b[2] = (13 * v[0] - 64 * v[1] + 120 * v[2] - 64 * v[3] + 13 * v[4]) / 18;
    b[3] = (-3 * v[0] + 16 * v[1] - 36 * v[2] + 48 * v[3] - 13 * v[4]) / 12;
    b[4] = v[4];
}

/* The cubic through v_i / s_i^order at the parts 1/4, 1/2, 3/4, 1: the zero at 0 is divided out. */
static void bernstein_deflated(double b[DEGREE], const double v[DEGREE + 1], int order)
{
    double w[DEGREE];
    for (int i = 0; i < DEGREE; i++) w[i] = v[i + 1] / pow((i + 1) / 4.0, order);
    const double at_0 = 4 * w[0] - 6 * w[1] + 4 * w[2] - w[3]; /* extrapolated */
    /* b_1 and b_2 from the values at 1/4 and 3/4: 64 w = 27 b0 + 27 b1 + 9 b2 + b3, and mirrored */
    const double p = 64 * w[0] - 27 * at_0 - w[3], q = 64 * w[2] - at_0 - 27 * w[3];
    b[0] = at_0;
    b[1] = (3 * p - q) / 72;
    b[2] = (3 * q - p) / 72;
    b[3] = w[3];
}

static int variations(const double *b, int degree, int *first)
{
    int count = 0, last = 0;
    *first = 0;
    for (int i = 0; i <= degree; i++) {
        const int s = sign(b[i]);
        if (s == 0) continue;
        if (last == 0) *first = s;
        else if (s != last) count++;
        last = s;
    }
    return count;
}

typedef struct search {
    ic_sign_change *changes;
    int count, side, degree;
    bool grazes;
} search;

static void report(search *s, double low, double high, int to)
{
    if (s->count < DEGREE) s->changes[s->count++] = (ic_sign_change){low, high, to};
    s->side = to;
}

/* de Casteljau at 1/2: b becomes the left half, `right` the right one. */
static void halve(double *b, double *right, int degree)
{
    for (int level = 0; level <= degree; level++) {
        right[degree - level] = b[degree];
        for (int i = degree; i > level; i--) b[i] = 0.5 * (b[i - 1] + b[i]);
    }
}

static void visit(search *s, const double *coefficients, double low, double high)
{
    double left[DEGREE + 1], right[DEGREE + 1];
    int first = 0;
    const int count = variations(coefficients, s->degree, &first);
    if (first == 0) return; /* zero throughout: no side is taken */
    if (count <= 1) {
        if (first != s->side) report(s, low, low, first);
        if (count == 1) report(s, low, high, -first);
        return;
    }
    if (high - low < CLOSEST_PAIR) {
        s->grazes = true;
        const int end = sign(coefficients[s->degree]);
        if (end != 0 && end != s->side) report(s, low, high, end);
        return;
    }
    for (int i = 0; i <= s->degree; i++) left[i] = coefficients[i];
    halve(left, right, s->degree);
    const double middle = 0.5 * (low + high);
    visit(s, left, low, middle);
    visit(s, right, middle, high);
}

int ic_sign_changes(ic_sign_change changes[4], const double values[IC_STEP_NODES], ic_arming arming, int *last,
                    bool *grazes)
{
    double b[DEGREE + 1];
    int first = 0;
    const bool at_zero = arming.order > 0 || values[0] == 0;
    search s = {.changes = changes, .side = arming.side, .degree = at_zero ? DEGREE - 1 : DEGREE};
    if (at_zero) bernstein_deflated(b, values, arming.order > 0 ? arming.order : 1);
    else bernstein_of_values(b, values);
    variations(b, s.degree, &first);
    /* a zero that the jump declared says nothing about sides until the guard has left it */
    if (arming.order > 0 && arming.side != 0) s.side = first;
    visit(&s, b, 0, 1);
    *last = s.side;
    *grazes = s.grazes;
    return s.count;
}

/* ---- location on the interpolant */

static double guard_at(const ic_phase *phase, const ic_step *step, size_t i, double t)
{
    step->interpolate(step->self, t, step->scratch);
    return ic_phase_guard(phase, i, t, step->scratch);
}

/* Bisection: the guard passes to side `to` between low and high. */
static double locate(const ic_phase *phase, const ic_step *step, size_t i, const ic_sign_change *change)
{
    const double length = step->t1 - step->t0;
    double low = step->t0 + change->low * length, high = step->t0 + change->high * length;
    if (change->low == change->high) return low;
    if (change->high == 1) high = step->t1;
    while (high - low > phase->options->event_tol) {
        const double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        phase->work->root_iterations++;
        if (sign(guard_at(phase, step, i, middle)) == change->to) high = middle;
        else low = middle;
    }
    return high;
}

static void node_values(const ic_phase *phase, const ic_step *step, size_t i, double values[IC_STEP_NODES])
{
    values[0] = ic_phase_guard(phase, i, step->t0, step->x0);
    for (int k = 1; k < DEGREE; k++) {
        values[k] = guard_at(phase, step, i, step->t0 + k / (double)DEGREE * (step->t1 - step->t0));
    }
    values[DEGREE] = ic_phase_guard(phase, i, step->t1, step->x1);
}

/* Whether a guard that departs from zero has not left it yet, as far as its values tell. With a rate, they are below a tie's
 * worth in a step of some ties; without one (a declared zero of higher order), they drown in the guard's own rounding. */
static bool still_at_zero(const ic_phase *phase, const ic_step *step, size_t i,
                          const double values[IC_STEP_NODES])
{
    const double tie = ic_phase_tie(phase);
    const int order = phase->arming[i].order;
    double least = 0;
    if (order == 0 || (order == 1 && step->t1 - step->t0 > 16 * tie)) return false;
    if (order == 1) least = 2 * tie * fabs(ic_phase_guard_rate(phase, i, step->t0, step->x0));
    else least = ic_phase_guard_rounding(phase, i, step->t0, step->x0, step->scratch);
    for (int k = 1; k < IC_STEP_NODES; k++) {
        if (fabs(values[k]) > least) return false;
    }
    return true;
}

/* First enabled crossing of one guard in its direction; INFINITY where there is none. *last is the side at the end of
 * the step, 0 if the guard has not left its zero. */
static ic_status first_of_guard(const ic_phase *phase, const ic_step *step, size_t i, double *t, int *last)
{
    ic_sign_change changes[DEGREE];
    double values[IC_STEP_NODES];
    bool grazes = false;
    *t = INFINITY;
    node_values(phase, step, i, values);
    for (int k = 0; k < IC_STEP_NODES; k++) {
        if (!isfinite(values[k])) return IC_NOT_FINITE;
    }
    *last = 0;
    if (still_at_zero(phase, step, i, values)) return IC_OK;
    const int count = ic_sign_changes(changes, values, phase->arming[i], last, &grazes);
    if (grazes) {
        const ic_status status =
            ic_log_note(phase->log, IC_NOTE_GRAZING, step->t0, phase->mode->guards[i].name);
        if (status != IC_OK) return status;
    }
    for (int k = 0; k < count; k++) {
        if (!ic_fires(phase->mode->guards[i].direction, changes[k].to)) continue;
        const double at = locate(phase, step, i, &changes[k]);
        step->interpolate(step->self, at, step->scratch);
        if (!ic_phase_enabled(phase, i, at, step->scratch)) continue;
        *t = at;
        break;
    }
    return IC_OK;
}

ic_status ic_step_first_event(ic_phase *phase, const ic_step *step, double *t)
{
    const size_t n_guards = phase->mode->n_guards;
    double first = INFINITY;
    phase->fired = -1;
    for (size_t i = 0; i < n_guards; i++) {
        double at = INFINITY;
        int last = 0;
        const ic_status status = first_of_guard(phase, step, i, &at, &last);
        if (status != IC_OK) return status;
        phase->located[i] = at;
        phase->arrival[i] = last;
        if (at < first) first = at;
    }
    if (first == INFINITY) {
        for (size_t i = 0; i < n_guards; i++) {
            if (phase->arrival[i] != 0) phase->arming[i] = (ic_arming){.side = phase->arrival[i]};
        }
        return IC_OK;
    }
    const double tie = ic_phase_tie(phase);
    for (size_t i = 0; i < n_guards; i++) {
        phase->due[i] = phase->located[i] <= first + tie;
        if (phase->due[i] && phase->fired < 0) phase->fired = (int)i;
    }
    *t = phase->located[phase->fired];
    return IC_OK;
}

ic_status ic_land_by_steps(ic_phase *phase, double t0, double longest, double *t, ic_retake *retake, void *self)
{
    const size_t i = (size_t)phase->fired;
    const double located = *t;
    for (int attempt = 0; attempt < MOST_CORRECTIONS; attempt++) {
        const double *x = retake(self, *t - t0);
        const double g = ic_phase_guard(phase, i, *t, x);
        const double rate = ic_phase_guard_rate(phase, i, *t, x);
        if (!isfinite(g) || !isfinite(rate)) return IC_NOT_FINITE;
        const double correction = g == 0 ? 0 : -g / rate; /* infinite where the rate vanishes */
        phase->work->root_iterations++;
        if (fabs(correction) <= phase->options->event_tol) return IC_OK;
        if (!(fabs(*t + correction - located) <= LONGEST_CORRECTION * longest) || !(*t + correction > t0)) {
            retake(self, located - t0);
            *t = located;
            return ic_log_note(phase->log, IC_NOTE_GRAZING, located, phase->mode->guards[i].name);
        }
        *t += correction;
    }
    retake(self, *t - t0);
    return IC_OK;
}
