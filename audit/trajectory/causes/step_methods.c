/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/causes/step_methods.h"
#include "audit/trajectory/input/input.h"

#include <math.h>
#include <string.h>

/* Implicit equations: Newton's method with differences of the flow. */
enum { IMPLICIT_STATES = 16, ITERATIONS = 12 };
#define CONVERGED 1e-12
#define DIFFERENCE 1e-7

static void flow(double *f, const ic_step_field *field, double t, const double *x)
{
    field->mode->flow(f, t, x, field->par);
}

static void add_scaled(double *x, const double *from, double h, const double *f, size_t n)
{
    for (size_t i = 0; i < n; i++) x[i] = from[i] + h * f[i];
}

/* ---- explicit, of one or two stages */

static void explicit_step(const ic_step_method *m, const ic_step_field *field, double t, double h, double *x)
{
    double f[IC_MAX_STATES], g[IC_MAX_STATES] = {0}, middle[IC_MAX_STATES];
    flow(f, field, t, x);
    add_scaled(middle, x, m->at * h, f, field->n);
    if (m->weight > 0) flow(g, field, t + m->at * h, middle);
    for (size_t i = 0; i < field->n; i++) x[i] += h * ((1 - m->weight) * f[i] + m->weight * g[i]);
}

/* ---- methods that advance positions and velocities one after the other */

/* Advances the positions, or all else. */
static void advance_some(const ic_step_field *field, bool positions, double t, double h, double *x)
{
    double f[IC_MAX_STATES];
    flow(f, field, t, x);
    for (size_t i = 0; i < field->n; i++) x[i] += field->is_position[i] == positions ? h * f[i] : 0;
}

static void split_step(const ic_step_method *m, const ic_step_field *field, double t, double h, double *x)
{
    const bool positions = m->kind == IC_STEP_POSITIONS_FIRST;
    advance_some(field, positions, t, m->at * h, x);
    advance_some(field, !positions, positions ? t + m->at * h : t, h, x);
    if (m->at < 1) advance_some(field, positions, t + h, (1 - m->at) * h, x);
}

/* ---- implicit: z = x + h (1 - theta) f(t, x) + h theta f(t + h, z), or z = x + h f(t + h/2, (x +
   z)/2) */

typedef struct implicit {
    const ic_step_field *field;
    double t, h, theta;
    bool midpoint;
    const double *x;

    /* x + h (1 - theta) f(t, x) */
    double before[IC_MAX_STATES];
} implicit;

static void residual(double *r, const implicit *s, const double *z)
{
    const size_t n = s->field->n;
    double f[IC_MAX_STATES], middle[IC_MAX_STATES];
    for (size_t i = 0; i < n; i++) middle[i] = 0.5 * (s->x[i] + z[i]);
    if (s->midpoint) flow(f, s->field, s->t + 0.5 * s->h, middle);
    else flow(f, s->field, s->t + s->h, z);
    for (size_t i = 0; i < n; i++) r[i] = z[i] - s->before[i] - s->theta * s->h * f[i];
}

/* Gaussian elimination with partial pivoting; b becomes the solution. */
static bool solve_linear(double a[IMPLICIT_STATES][IMPLICIT_STATES], double *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t pivot = i;
        for (size_t r = i + 1; r < n; r++) pivot = fabs(a[r][i]) > fabs(a[pivot][i]) ? r : pivot;
        if (!(fabs(a[pivot][i]) > 0)) return false;
        for (size_t c = 0; c < n; c++) {
            const double kept = a[i][c];
            a[i][c] = a[pivot][c], a[pivot][c] = kept;
        }
        const double kept = b[i];
        b[i] = b[pivot], b[pivot] = kept;
        for (size_t r = i + 1; r < n; r++) {
            const double factor = a[r][i] / a[i][i];
            for (size_t c = i; c < n; c++) a[r][c] -= factor * a[i][c];
            b[r] -= factor * b[i];
        }
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t c = i + 1; c < n; c++) b[i] -= a[i][c] * b[c];
        b[i] /= a[i][i];
    }
    return true;
}

static bool newton_step(const implicit *s, double *z, double *change)
{
    const size_t n = s->field->n;
    double a[IMPLICIT_STATES][IMPLICIT_STATES], r[IC_MAX_STATES], moved[IC_MAX_STATES];
    residual(r, s, z);
    for (size_t j = 0; j < n; j++) {
        const double kept = z[j], delta = DIFFERENCE * fmax(fabs(kept), fabs(s->x[j] - s->before[j]) + 1e-9);
        z[j] += delta;
        residual(moved, s, z);
        z[j] = kept;
        for (size_t i = 0; i < n; i++) a[i][j] = (moved[i] - r[i]) / delta;
    }
    if (!solve_linear(a, r, n)) return false;
    *change = 0;
    for (size_t i = 0; i < n; i++) {
        z[i] -= r[i];
        *change = fmax(*change, fabs(r[i]) / fmax(fabs(z[i]), DIFFERENCE));
    }
    return isfinite(*change);
}

static bool solve_implicit(implicit *s, double *x)
{
    const size_t n = s->field->n;
    double z[IC_MAX_STATES], f[IC_MAX_STATES], change = INFINITY;
    if (n > IMPLICIT_STATES) return false;
    flow(f, s->field, s->t, x);
    add_scaled(s->before, x, (1 - s->theta) * s->h, f, n);
    add_scaled(z, x, s->h, f, n);
    s->x = x;
    for (int i = 0; i < ITERATIONS && change > CONVERGED; i++) {
        if (!newton_step(s, z, &change)) return false;
    }
    memcpy(x, z, n * sizeof *x);
    return change < sqrt(CONVERGED);
}

const ic_step_method ic_step_methods[] = {
    {"explicit Euler", 1, IC_STEP_EXPLICIT, 0, 0},
    {"implicit Euler", 1, IC_STEP_IMPLICIT, 1, 0},
    {"semi-implicit Euler, velocity first", 1, IC_STEP_VELOCITIES_FIRST, 1, 0},
    {"semi-implicit Euler, position first", 1, IC_STEP_POSITIONS_FIRST, 1, 0},
    {"explicit midpoint", 2, IC_STEP_EXPLICIT, 0.5, 1},
    {"Heun", 2, IC_STEP_EXPLICIT, 1, 0.5},
    {"velocity Verlet", 2, IC_STEP_VELOCITIES_FIRST, 0.5, 0},
    {"position Verlet", 2, IC_STEP_POSITIONS_FIRST, 0.5, 0},
    {"trapezoidal", 2, IC_STEP_IMPLICIT, 0.5, 0},
    {"implicit midpoint", 2, IC_STEP_IMPLICIT_MIDPOINT, 1, 0},
};
const size_t ic_step_method_count = IC_COUNT(ic_step_methods);

/* ---- steps */

static bool step_by(const ic_step_method *m, const ic_step_field *field, double t, double h, double *x)
{
    implicit s = {
        .field = field, .t = t, .h = h, .theta = m->at, .midpoint = m->kind == IC_STEP_IMPLICIT_MIDPOINT};
    if (m->kind >= IC_STEP_IMPLICIT) return solve_implicit(&s, x);
    (m->kind == IC_STEP_EXPLICIT ? explicit_step : split_step)(m, field, t, h, x);
    return true;
}

ic_step_field ic_step_field_of(const ic_problem *problem, size_t mode)
{
    ic_step_field field = {
        .mode = &problem->variant->modes[mode], .par = problem->par, .n = problem->system->n_states};
    for (size_t i = 0; i < field.n; i++) {
        const size_t position = ic_position_of(problem, i);
        if (position < field.n) field.is_position[position] = true;
    }
    return field;
}

bool ic_take_steps(const ic_step_method *method, const ic_step_field *field, double t0, double t1, size_t steps,
                   double *x)
{
    const double h = (t1 - t0) / (double)steps;
    for (size_t i = 0; i < steps; i++) {
        if (!step_by(method, field, t0 + (double)i * h, h, x)) return false;
    }
    for (size_t i = 0; i < field->n; i++) {
        if (!isfinite(x[i])) return false;
    }
    return true;
}
