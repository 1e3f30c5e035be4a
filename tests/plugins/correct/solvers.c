/* SPDX-License-Identifier: MIT */
/* Right solvers: each `defined CORRECT_name` is a plugin, by a method of its own in event_base.h. */
#include "tests/plugins/faulty/event_place.h"

#if defined CORRECT_no_event_at_start
/* No guard that is zero at the start fires, which the solver declares; undeclared, it is the mistake zero-at-start. */
#define NAME "no-event-at-start"
#define FIRES_AT_START false
#define NOT_KEPT IC_CLAUSE(2)
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
#elif defined CORRECT_heun
/* Heun's method of order 2, whose error turns a touch into a shallow dip. */
#define NAME "heun"
#define STEP(x1, s, h) heun(x1, s, h)
#define ORDER 2
static void heun(double *x1, const place *s, double h)
{
    double f[IC_MAX_STATES], g[IC_MAX_STATES], x[IC_MAX_STATES];
    s->mode->flow(f, s->t, s->x, s->problem->par);
    for (size_t j = 0; j < s->n; j++) x[j] = s->x[j] + h * f[j];
    s->mode->flow(g, s->t + h, x, s->problem->par);
    for (size_t j = 0; j < s->n; j++) x1[j] = s->x[j] + 0.5 * h * (f[j] + g[j]);
}
#else
#error "no CORRECT_name is defined"
#endif

#include "tests/plugins/faulty/event_base.h"
