/* SPDX-License-Identifier: MIT */
/* Right solvers: each `defined CORRECT_name` is a plugin, by a method of its own in event_base.h. */
#include "tests/plugins/faulty/event_place.h"

#if defined CORRECT_no_event_at_start
/* No guard that is zero at the start fires, which the solver declares; undeclared, it is the mistake zero-at-start. */
#define NAME "no-event-at-start"
#define FIRES_AT_START false
#define NOT_KEPT IC_CLAUSE(2)
#elif defined CORRECT_numbers_no_events
/* All events have the sequence number 0, as the solver declares; undeclared, it is the mistake sequence-wrong. */
#define NAME "numbers-no-events"
#define NUMBER(next) (0 * (next))
#define NOT_KEPT IC_CLAUSE(4)
#elif defined CORRECT_tiny_steps
/* Takes half of the requested step. */
#define NAME "tiny-steps"
#define CONTROL IC_CONTROL_STEP
#define PROPOSE(s, h) (0.5 * (h))
#elif defined CORRECT_euler_exact_events
/* Explicit Euler steps, which claim order 1, and bisection of the step. */
/* x1 = x + h f(x) */
static inline void euler(double *x1, const place *s, double h)
{
    double f[IC_MAX_STATES];
    s->mode->flow(f, s->t, s->x, s->problem->par);
    for (size_t j = 0; j < s->n; j++) x1[j] = s->x[j] + h * f[j];
}
#define NAME "euler"
#define ORDER 1
#define STEP(x1, s, h) euler(x1, s, h)
#elif defined CORRECT_extrapolation
/* Gragg's midpoint rule, extrapolated to order 8, in fixed steps. */
/* Gragg's modified midpoint rule with 2, 4, 6 and 8 parts, extrapolated in their squares (Aitken
   and Neville). */
enum { ROWS = 4 };
static inline void midpoint_rule(double *x1, const place *s, double h, int parts)
{
    double f[IC_MAX_STATES], before[IC_MAX_STATES], now[IC_MAX_STATES];
    const double part = h / parts;
    s->mode->flow(f, s->t, s->x, s->problem->par);
    for (size_t j = 0; j < s->n; j++) before[j] = s->x[j], now[j] = s->x[j] + part * f[j];
    for (int i = 1; i < parts; i++) {
        s->mode->flow(f, s->t + i * part, now, s->problem->par);
        for (size_t j = 0; j < s->n; j++) {
            const double next = before[j] + 2 * part * f[j];
            before[j] = now[j], now[j] = next;
        }
    }
    s->mode->flow(f, s->t + h, now, s->problem->par);
    for (size_t j = 0; j < s->n; j++) x1[j] = 0.5 * (before[j] + now[j] + part * f[j]);
}
static inline void extrapolate(double *x1, const place *s, double h)
{
    double table[ROWS][IC_MAX_STATES];
    for (int i = 0; i < ROWS; i++) {
        midpoint_rule(table[i], s, h, 2 * (i + 1));
        for (int k = i - 1; k >= 0; k--) {
            const double ratio = (double)(i + 1) / (k + 1);
            for (size_t j = 0; j < s->n; j++)
                table[k][j] = table[k + 1][j] + (table[k + 1][j] - table[k][j]) / (ratio * ratio - 1);
        }
    }
    memcpy(x1, table[0], s->n * sizeof *x1);
}
#define NAME "extrapolation"
#define ORDER 8
#define STEP(x1, s, h) extrapolate(x1, s, h)
#elif defined CORRECT_implicit_midpoint
/* The implicit midpoint rule, solved by iteration, and bisection of the step. */
/* x1 = x + h f((x + x1)/2), by iteration until nothing changes. */
static inline void implicit_midpoint(double *x1, const place *s, double h)
{
    double f[IC_MAX_STATES], x[IC_MAX_STATES], change = 1;
    memcpy(x1, s->x, s->n * sizeof *x1);
    for (int i = 0; i < 60 && change > 0; i++) {
        for (size_t j = 0; j < s->n; j++) x[j] = 0.5 * (s->x[j] + x1[j]);
        s->mode->flow(f, s->t + 0.5 * h, x, s->problem->par);
        change = 0;
        for (size_t j = 0; j < s->n; j++) {
            const double next = s->x[j] + h * f[j];
            if (fabs(next - x1[j]) > 1e-16 * (fabs(next) + fabs(h * f[j]))) change = 1;
            x1[j] = next;
        }
    }
}
#define NAME "implicit-midpoint"
#define ORDER 2
#define STEP(x1, s, h) implicit_midpoint(x1, s, h)
#elif defined CORRECT_heun || defined CORRECT_trapezoid || defined CORRECT_steps_over
/* x1 = x + h (f(x) + f(x1))/2: Heun's method, whose error turns a touch into a shallow dip, with one iteration. */
#if defined CORRECT_heun
#define NAME "heun"
#define ITERATIONS 1
#elif defined CORRECT_trapezoid
#define NAME "trapezoid"
#define ITERATIONS 60
#else
/* Impulses at the end of the step in which a gap closes, as by Moreau and Jean. */
#define NAME "steps-over"
#define ITERATIONS 60
#define CROSSES_AT(s, guard, side, a, b, h) (h)
#define OVER_EVENTS true
#define ORDER 1
#endif
#define STEP(x1, s, h) mean_slope(x1, s, h)
#ifndef ORDER
#define ORDER 2
#endif
static void mean_slope(double *x1, const place *s, double h)
{
    double f[IC_MAX_STATES], g[IC_MAX_STATES], change = 1;
    s->mode->flow(f, s->t, s->x, s->problem->par);
    for (size_t j = 0; j < s->n; j++) x1[j] = s->x[j] + h * f[j];
    for (int i = 0; i < ITERATIONS && change > 0; i++) {
        s->mode->flow(g, s->t + h, x1, s->problem->par);
        change = 0;
        for (size_t j = 0; j < s->n; j++) {
            const double next = s->x[j] + 0.5 * h * (f[j] + g[j]);
            if (fabs(next - x1[j]) > 1e-16 * (fabs(next) + fabs(h * f[j]))) change = 1;
            x1[j] = next;
        }
    }
}
#elif defined CORRECT_adams_2 || defined CORRECT_adams_4
/* Adams and Bashforth's methods: the polynomial through the latest slopes since the last event, which is integrated
   exactly by Gauss's points; the first steps after an event are those of Runge and Kutta. */
#if defined CORRECT_adams_2
#define NAME "adams-2"
#define ORDER 2
#else
#define NAME "adams-4"
#define ORDER 4
#endif
static void runge_kutta(double *x1, const place *s, double h);
static struct {
    double t, f[IC_MAX_STATES];
} slopes[ORDER];
static int n_slopes;
#define ENTERS(s) (n_slopes = 0)
static void adams(double *x1, const place *s, double h)
{
    if (n_slopes == 0 || slopes[0].t < s->t) {
        memmove(&slopes[1], &slopes[0], (ORDER - 1) * sizeof slopes[0]);
        if (n_slopes < ORDER) n_slopes++;
    }
    slopes[0].t = s->t;
    s->mode->flow(slopes[0].f, s->t, s->x, s->problem->par);
    if (n_slopes < ORDER) {
        runge_kutta(x1, s, h);
        return;
    }
    memcpy(x1, s->x, s->n * sizeof *x1);
    for (int side = -1; side <= 1; side += 2) {
        const double t = s->t + 0.5 * h * (1 + side / sqrt(3));
        for (int i = 0; i < ORDER; i++) {
            double weight = 0.5 * h;
            for (int k = 0; k < ORDER; k++)
                if (k != i) weight *= (t - slopes[k].t) / (slopes[i].t - slopes[k].t);
            for (size_t j = 0; j < s->n; j++) x1[j] += weight * slopes[i].f[j];
        }
    }
}
#define STEP(x1, s, h) adams(x1, s, h)
#elif defined CORRECT_bogacki_shampine
/* Bogacki and Shampine's pair of order 3(2). */
#define NAME "bogacki-shampine"
#define ORDER 3
#define CONTROL IC_CONTROL_RTOL
#define STEP(x1, s, h) third_order(x1, s, h, NULL)
#define PROPOSE(s, h) propose(s, h)
static void third_order(double *x1, const place *s, double h, double *error)
{
    static const double parts[] = {0, 0.5, 0.75, 1}, weights[] = {2.0 / 9, 1.0 / 3, 4.0 / 9},
                        e[] = {-5.0 / 72, 1.0 / 12, 1.0 / 9, -1.0 / 8};
    double k[4][IC_MAX_STATES], x[IC_MAX_STATES];
    for (int i = 0; i < (error != NULL ? 4 : 3); i++) {
        for (size_t j = 0; j < s->n; j++) x[j] = s->x[j] + (i > 0 ? h * parts[i] * k[i - 1][j] : 0);
        if (i == 3) memcpy(x, x1, s->n * sizeof *x);
        s->mode->flow(k[i], s->t + parts[i] * h, x, s->problem->par);
        for (size_t j = 0; j < s->n && i == 2; j++)
            x1[j] = s->x[j] + h * (weights[0] * k[0][j] + weights[1] * k[1][j] + weights[2] * k[2][j]);
    }
    for (size_t j = 0; j < s->n && error != NULL; j++)
        error[j] = h * (e[0] * k[0][j] + e[1] * k[1][j] + e[2] * k[2][j] + e[3] * k[3][j]);
}
static double propose(place *s, double longest)
{
    double h = fmin(s->t > s->problem->t_start ? 4 * s->h : 0.1 * s->h, longest);
    for (int trial = 0; trial < 200; trial++) {
        double x1[IC_MAX_STATES], error[IC_MAX_STATES], worst = 0, greatest = DBL_MIN / DBL_EPSILON;
        third_order(x1, s, h, error);
        for (size_t j = 0; j < s->n; j++) greatest = fmax(greatest, s->size[j]);
        for (size_t j = 0; j < s->n; j++) {
            const double size = fmax(fabs(s->x[j]), fabs(x1[j])) + s->size[j] + 1e-6 * greatest;
            worst = isfinite(error[j]) ? fmax(worst, fabs(error[j]) / (s->rtol * size)) : INFINITY;
        }
        if (worst <= 1) break;
        h *= isfinite(worst) ? fmax(0.1, 0.9 * pow(worst, -1.0 / 3)) : 0.1;
    }
    return s->h = h;
}
#else
#error "no CORRECT_name is defined"
#endif

#include "tests/plugins/faulty/event_base.h"
