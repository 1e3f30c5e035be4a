/* SPDX-License-Identifier: MIT */
#include "reference/system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Iterations of the power method on |M|; the result affects only the lengths of Taylor pieces. */
enum { POWER_ITERATIONS = 40, POWER_AVERAGED = 20 };

static ic_ball_names names_of(const ic_ball_system *s)
{
    return (ic_ball_names){.system = s->problem->system, .par = s->par, .states = true, .time = true};
}

ic_ball_row ic_ball_system_row(ic_ball_system *s, const char *text, bool states)
{
    ic_ball_names names = names_of(s);
    names.states = states;
    arb_ptr row = _arb_vec_init(IC_BALL_FORM_LENGTH(s->n));
    if (ic_ball_expression(row, text, &names, s->prec, s->message, sizeof s->message)) return row;
    ic_ball_row_clear(s, row);
    return NULL;
}

void ic_ball_row_clear(const ic_ball_system *s, ic_ball_row row)
{
    if (row != NULL) _arb_vec_clear(row, IC_BALL_FORM_LENGTH(s->n));
}

void ic_ball_row_value(arb_t value, const ic_ball_system *s, arb_srcptr row, arb_srcptr z)
{
    arb_dot(value, NULL, 0, row, 1, z, 1, s->dim, s->prec);
}

bool ic_ball_system_number(arb_t value, ic_ball_system *s, const char *text, const long *n)
{
    ic_ball_names names = names_of(s);
    names.n = n;
    return ic_ball_number(value, text, &names, s->prec, s->message, sizeof s->message);
}

double ic_ball_system_scale(ic_ball_system *s, const char *text)
{
    double scale = 1;
    arb_t value;
    arb_init(value);
    if (text != NULL && ic_ball_system_number(value, s, text, NULL)) {
        const double stated = arf_get_d(arb_midref(value), ARF_RND_NEAR);
        if (stated > 0 && isfinite(stated)) scale = stated;
    }
    arb_clear(value);
    return scale;
}

void ic_ball_anchor(arb_ptr z, const ic_ball_system *s, const arb_t frequency, const arb_t t)
{
    arb_t angle;
    arb_init(angle);
    arb_one(z + s->n);
    arb_mul(angle, frequency, t, s->prec);
    arb_sin_cos(z + s->n + 2, z + s->n + 1, angle, s->prec);
    arb_clear(angle);
}

/* All rows of a mode share one frequency. */
static bool adopt_frequency(ic_ball_system *s, ic_ball_mode *m, arb_srcptr row, const char *text)
{
    if (arb_is_zero(row + s->n + 1) && arb_is_zero(row + s->n + 2)) return true;
    if (arb_is_zero(m->frequency)) arb_set(m->frequency, row + s->n + 3);
    if (arb_equal(m->frequency, row + s->n + 3)) return true;
    snprintf(s->message, sizeof s->message, "'%.120s' is forced at a second frequency", text);
    return false;
}

static bool compile_flow(ic_ball_system *s, ic_ball_mode *m)
{
    for (slong i = 0; i < s->n; i++) {
        ic_ball_row row = ic_ball_system_row(s, m->mode->linear[i], true);
        if (row == NULL) return false;
        const bool good = adopt_frequency(s, m, row, m->mode->linear[i]);
        _arb_vec_set(m->matrix + i * s->dim, row, s->dim);
        ic_ball_row_clear(s, row);
        if (!good) return false;
    }
    return true;
}

/* Returns whether a guard's condition is a constant that is not positive. */
static bool is_never_positive(const ic_ball_system *s, arb_srcptr row)
{
    for (slong i = 0; i < s->dim; i++) {
        if (i != s->n && !arb_is_zero(row + i)) return false;
    }
    return arb_is_nonpositive(row + s->n);
}

static bool compile_guards(ic_ball_system *s, ic_ball_mode *m)
{
    for (size_t i = 0; i < m->mode->n_guards; i++) {
        const ic_guard *guard = &m->mode->guards[i];
        if (guard->linear == NULL || (guard->enabled != NULL && guard->linear_enabled == NULL) ||
            !guard->jump.linear) {
            snprintf(s->message, sizeof s->message, "guard '%.100s' has no linear view", guard->name);
            return false;
        }
        m->guards[i] = ic_ball_system_row(s, guard->linear, true);
        if (m->guards[i] == NULL || !adopt_frequency(s, m, m->guards[i], guard->linear)) return false;
        if (guard->linear_enabled == NULL) continue;
        m->enabled[i] = ic_ball_system_row(s, guard->linear_enabled, true);
        if (m->enabled[i] == NULL || !adopt_frequency(s, m, m->enabled[i], guard->linear_enabled)) return false;
        m->never[i] = is_never_positive(s, m->enabled[i]);
    }
    return true;
}

/* Largest growth of a positive vector under |M|, by the power method. */
static double estimate_growth(const ic_ball_system *s, const ic_ball_mode *m)
{
    double v[IC_MAX_STATES + 3], w[IC_MAX_STATES + 3], logarithm = 0;
    const slong dim = s->dim;
    for (slong i = 0; i < dim; i++) v[i] = 1;
    for (int k = 0; k < POWER_ITERATIONS; k++) {
        double norm = 0;
        for (slong i = 0; i < dim; i++) {
            w[i] = 0;
            for (slong j = 0; j < dim; j++) w[i] += mag_get_d(m->magnitude + i * dim + j) * v[j];
            norm = fmax(norm, w[i]);
        }
        if (!(norm > 0)) return 0;
        for (slong i = 0; i < dim; i++) v[i] = w[i] / norm;
        if (k >= POWER_ITERATIONS - POWER_AVERAGED) logarithm += log(norm);
    }
    return exp(logarithm / POWER_AVERAGED);
}

static bool compile_mode(ic_ball_system *s, ic_ball_mode *m, const ic_mode *mode)
{
    m->mode = mode;
    m->matrix = _arb_vec_init(s->dim * s->dim);
    m->magnitude = _mag_vec_init(s->dim * s->dim);
    arb_init(m->frequency);
    m->guards = calloc(mode->n_guards + 1, sizeof(ic_ball_row));
    m->enabled = calloc(mode->n_guards + 1, sizeof(ic_ball_row));
    m->never = calloc(mode->n_guards + 1, sizeof *m->never);
    if (m->guards == NULL || m->enabled == NULL || m->never == NULL) {
        snprintf(s->message, sizeof s->message, "memory ran out");
        return false;
    }
    if (mode->linear == NULL) {
        snprintf(s->message, sizeof s->message, "mode '%.100s' has no linear view", mode->name);
        return false;
    }
    if (!compile_flow(s, m) || !compile_guards(s, m)) return false;
    const slong c = s->n + 1; /* (cos w t)' = -w sin w t, (sin w t)' = w cos w t */
    arb_neg(m->matrix + c * s->dim + c + 1, m->frequency);
    arb_set(m->matrix + (c + 1) * s->dim + c, m->frequency);
    for (slong i = 0; i < s->dim * s->dim; i++) arb_get_mag(m->magnitude + i, m->matrix + i);
    m->growth = estimate_growth(s, m);
    return true;
}

/* The text of a parameter is a number or, for a default, an expression in the parameters before
   it. */
bool ic_ball_parameters(arb_ptr par, const ic_problem *problem, slong prec, char *message, size_t size)
{
    const ic_case *system = problem->system;
    const ic_ball_names names = {.system = system, .par = par};
    for (size_t i = 0; i < system->n_parameters; i++) {
        if (problem->par_text == NULL || problem->par_text[i] == NULL) {
            arb_set_d(par + i, problem->par[i]);
        } else if (!ic_ball_number(par + i, problem->par_text[i], &names, prec, message, size)) {
            return false;
        }
        if (!arb_is_finite(par + i)) {
            snprintf(message, size, "parameter '%.60s' is not finite", system->parameters[i].name);
            return false;
        }
    }
    return true;
}

bool ic_ball_system_open(ic_ball_system *s, const ic_problem *problem, slong prec)
{
    const ic_case *system = problem->system;
    *s = (ic_ball_system){.problem = problem, .n = (slong)system->n_states, .prec = prec};
    s->dim = s->n + 3;
    s->par = _arb_vec_init((slong)system->n_parameters);
    s->n_modes = problem->variant->n_modes;
    s->modes = calloc(s->n_modes, sizeof *s->modes);
    if (s->modes == NULL || system->n_states > IC_MAX_STATES) {
        snprintf(s->message, sizeof s->message, "%s", s->modes == NULL ? "memory ran out" : "too many states");
        return false;
    }
    if (!ic_ball_parameters(s->par, problem, prec, s->message, sizeof s->message)) return false;
    for (size_t i = 0; i < s->n_modes; i++) {
        if (!compile_mode(s, &s->modes[i], &problem->variant->modes[i])) return false;
    }
    return true;
}

static void clear_mode(const ic_ball_system *s, ic_ball_mode *m)
{
    if (m->mode == NULL) return;
    for (size_t i = 0; m->guards != NULL && i < m->mode->n_guards; i++) ic_ball_row_clear(s, m->guards[i]);
    for (size_t i = 0; m->enabled != NULL && i < m->mode->n_guards; i++) ic_ball_row_clear(s, m->enabled[i]);
    _arb_vec_clear(m->matrix, s->dim * s->dim);
    _mag_vec_clear(m->magnitude, s->dim * s->dim);
    arb_clear(m->frequency);
    free(m->guards);
    free(m->enabled);
    free(m->never);
}

void ic_ball_system_close(ic_ball_system *s)
{
    for (size_t i = 0; s->modes != NULL && i < s->n_modes; i++) clear_mode(s, &s->modes[i]);
    if (s->par != NULL) _arb_vec_clear(s->par, (slong)s->problem->system->n_parameters);
    free(s->modes);
    *s = (ic_ball_system){0};
}
