/* SPDX-License-Identifier: MIT */
/* Computes exponentials and bounds of the modes of a lane, in states divided by their scales. */
#include "core/linear_view.h"
#include "core/model.h"
#include "sweep/batch/batch.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* Remainder of a series, relative to the states' scales. */
#define NEGLIGIBLE 0x1p-56
/* Rounding error of a guard's value divided by the sum of its terms. */
#define NOISE (16 * DBL_EPSILON)
/* Least number of parts in a period, so that a part ends in the next period at the latest. */
#define PARTS_LEAST 4.0
/*
 * With more parts than this in a period (because of a fast decay, which may have ended) the solver
 * is faster.
 */
#define PARTS_MOST 4096.0
/* ||M s|| up to which the series of an exponential is summed; 18 terms leave 0.5^18/18! < 2^-70. */
#define SERIES_NORM 0.5
enum { SERIES_TERMS = 18, HALVINGS_MOST = 40 };
typedef long double matrix[IC_BATCH_COLUMNS][IC_BATCH_COLUMNS];

/** A mode whose coefficients are being computed. */
typedef struct mode_maker {
    const ic_linear_view *view;

    /* of z */
    const double *scale;

    int n, columns;
    double frequency;

    /* M, scaled */
    matrix m;

    /* nonzero columns of each row of m */
    struct {
        int n, at[IC_BATCH_COLUMNS];
    } occupied[IC_BATCH_COLUMNS];

    ic_batch_coefficients *out;
} mode_maker;

/* ---- matrices */

/* Fast if `a` is sparse. The product may be one of the factors. */
static void multiply_matrices(matrix product, matrix a, matrix b, int n)
{
    matrix sum = {{0}};
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            if (a[i][k] == 0) continue;
            for (int j = 0; j < n; j++) sum[i][j] += a[i][k] * b[k][j];
        }
    }
    memcpy(product, sum, sizeof sum);
}

static double matrix_norm(matrix a, int n)
{
    long double most = 0;
    for (int i = 0; i < n; i++) {
        long double sum = 0;
        for (int j = 0; j < n; j++) sum += fabsl(a[i][j]);
        if (!(sum <= most)) most = sum;
    }
    return (double)most;
}

/* e^{m s} by scaling and squaring. */
static void compute_exponential(matrix e, matrix m, long double s, double norm, int n)
{
    matrix term = {{0}}, scaled = {{0}};
    int halvings = 0;
    while (norm * (double)s > SERIES_NORM && halvings < HALVINGS_MOST) s /= 2, halvings++;
    memset(e, 0, sizeof(matrix));
    for (int i = 0; i < n; i++) {
        e[i][i] = term[i][i] = 1;
        for (int j = 0; j < n; j++) scaled[i][j] = m[i][j] * s;
    }
    for (int k = 1; k <= SERIES_TERMS; k++) {
        const long double inverse = 1.0L / k;
        multiply_matrices(term, scaled, term, n);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                term[i][j] *= inverse;
                e[i][j] += term[i][j];
            }
        }
    }
    for (; halvings > 0; halvings--) multiply_matrices(e, e, e, n);
}

/* ---- longest step */

/** A matrix in double precision, sufficient for an estimate. */
typedef double estimate[IC_BATCH_COLUMNS][IC_BATCH_COLUMNS];

static void multiply_estimates(estimate product, estimate a, estimate b)
{
    estimate sum = {{0}};
    for (int i = 0; i < IC_BATCH_COLUMNS; i++) {
        for (int k = 0; k < IC_BATCH_COLUMNS; k++) {
            for (int j = 0; j < IC_BATCH_COLUMNS; j++) sum[i][j] += a[i][k] * b[k][j];
        }
    }
    memcpy(product, sum, sizeof sum);
}

/* ||u^order||, by squaring. */
static double power_norm(estimate u, int order)
{
    estimate power = {{0}};
    double most = 0;
    for (int i = 0; i < IC_BATCH_COLUMNS; i++) power[i][i] = 1;
    for (; order > 0; order /= 2) {
        if (order % 2 != 0) multiply_estimates(power, u, power);
        multiply_estimates(u, u, u);
    }
    for (int i = 0; i < IC_BATCH_COLUMNS; i++) {
        double sum = 0;
        for (int j = 0; j < IC_BATCH_COLUMNS; j++) sum += fabs(power[i][j]);
        most = fmax(most, sum);
    }
    return most;
}

/*
 * The remainder after T terms of the series about the middle is about ||M^T|| (h/2)^T/T!. The norm
 * of the power is sharper than the power of the norm, which depends on the states' scales.
 */
static double longest_step(const mode_maker *w, double norm)
{
    estimate unit = {{0}};
    double factorial = 1;
    if (!(norm > 0)) return INFINITY;
    for (int i = 0; i < w->columns; i++) {
        for (int j = 0; j < w->columns; j++) unit[i][j] = (double)w->m[i][j] / norm;
    }
    for (int k = 2; k <= IC_BATCH_TERMS; k++) factorial *= k;
    const double rate = norm * pow(power_norm(unit, IC_BATCH_TERMS), 1.0 / IC_BATCH_TERMS);
    return 2 * pow(factorial * NEGLIGIBLE, 1.0 / IC_BATCH_TERMS) / rate;
}

/* ---- fields and guards */

static void scale_field(mode_maker *w)
{
    const ic_linear_view *view = w->view;
    const int n = w->n, used = (int)view->n;
    memset(w->m, 0, sizeof w->m);
    for (int i = 0; i < used; i++) {
        for (int j = 0; j < used; j++)
            w->m[i][j] = (long double)view->a[i * used + j] * w->scale[j] / w->scale[i];
        w->m[i][n] = (long double)view->b[i] / w->scale[i];
        w->m[i][n + 1] = (long double)view->cosine[i] / w->scale[i];
        w->m[i][n + 2] = (long double)view->sine[i] / w->scale[i];
    }
    w->m[n + 1][n + 2] = -w->frequency;
    w->m[n + 2][n + 1] = w->frequency;
    for (int i = 0; i < w->columns; i++) {
        w->occupied[i].n = 0;
        for (int j = 0; j < w->columns; j++) {
            if (w->m[i][j] != 0) w->occupied[i].at[w->occupied[i].n++] = j;
        }
    }
}

static void unscale_rows(double out[IC_BATCH_STATES][IC_BATCH_COLUMNS], matrix m, const mode_maker *w,
                         double factor)
{
    for (int i = 0; i < w->n; i++) {
        for (int j = 0; j < w->columns; j++) out[i][j] = (double)(m[i][j] * w->scale[i] / w->scale[j] * factor);
    }
}

static void read_row(double *row, const ic_form *form, const mode_maker *w)
{
    const int n = w->n;
    memcpy(row, form->state, w->view->n * sizeof *row);
    row[n] = form->constant;
    row[n + 1] = form->cosine;
    row[n + 2] = form->sine;
}

/* Multiplies a scaled row by M and the factor: the time derivative of a linear form. */
static void differentiate_row(long double *row, const mode_maker *w, long double factor)
{
    long double next[IC_BATCH_COLUMNS] = {0};
    for (int k = 0; k < w->columns; k++) {
        const long double part = row[k] * factor;
        if (part == 0) continue;
        for (int i = 0; i < w->occupied[k].n; i++) {
            const int j = w->occupied[k].at[i];
            next[j] += part * w->m[k][j];
        }
    }
    memcpy(row, next, sizeof next);
}

static void scale_row(long double *scaled, const double *row, const mode_maker *w)
{
    for (int j = 0; j < w->columns; j++) scaled[j] = (long double)row[j] * w->scale[j];
}

static void unscale_row(double *row, const long double *scaled, const mode_maker *w)
{
    for (int j = 0; j < w->columns; j++) row[j] = (double)(scaled[j] / w->scale[j]);
}

/* Bounds |r e^{Ms} z| over a part by the moduli of z at its start: adds the moduli of the terms of
   the series. */
static void add_bound(double *bound, const long double *row, const mode_maker *w)
{
    const int n = w->n;
    long double term[IC_BATCH_COLUMNS];
    memcpy(term, row, sizeof term);
    for (int order = 0; order < SERIES_TERMS; order++) {
        for (int j = 0; j < n; j++) bound[j] += (double)(fabsl(term[j]) / w->scale[j]);
        bound[IC_BATCH_FORCED] += (double)(fabsl(term[n]) + hypotl(term[n + 1], term[n + 2]));
        differentiate_row(term, w, (long double)w->out->h / (order + 1));
    }
}

static void compute_guard(const mode_maker *w, size_t i)
{
    ic_batch_coefficients *out = w->out;
    const long double h = out->h;
    long double row[IC_BATCH_COLUMNS] = {0};
    read_row(out->value[i], &w->view->guards[i], w);
    scale_row(row, out->value[i], w);
    differentiate_row(row, w, h);
    unscale_row(out->slope[i], row, w);
    differentiate_row(row, w, h / 8);
    unscale_row(out->bend[i], row, w);
    differentiate_row(row, w, h);
    differentiate_row(row, w, h / 8);
    add_bound(out->fourth[i], row, w);
    /* plus the rounding error of a value, so that no sign follows from it */
    for (int j = 0; j < w->n; j++) out->fourth[i][j] += NOISE * fabs(out->value[i][j]);
    for (int j = w->n; j < w->columns; j++) out->fourth[i][IC_BATCH_FORCED] += NOISE * fabs(out->value[i][j]);
}

static void compute_condition(const mode_maker *w, size_t i)
{
    ic_batch_coefficients *out = w->out;
    long double row[IC_BATCH_COLUMNS] = {0};
    read_row(out->condition[i], &w->view->enabled[i], w);
    scale_row(row, out->condition[i], w);
    differentiate_row(row, w, out->h);
    differentiate_row(row, w, out->h / 8);
    add_bound(out->condition_bend[i], row, w);
}

/* ---- jumps */

/* Reads an expression as a row; false: it has another frequency than the lane. */
static bool read_expression(double *row, const char *text, const ic_problem *problem, const mode_maker *w)
{
    const ic_names names = {.system = problem->system, .par = problem->par, .states = true, .time = true};
    ic_form form;
    if (!ic_expression(&form, text, &names, NULL)) return false;
    if ((form.cosine != 0 || form.sine != 0) && form.frequency != w->frequency) return false;
    read_row(row, &form, w);
    return true;
}

static bool compute_branches(const mode_maker *w, const ic_problem *problem, const ic_mode *mode)
{
    for (size_t i = 0; i < mode->n_guards; i++) {
        const ic_jump *jump = &mode->guards[i].jump;
        for (size_t b = 0; b < jump->n_branches; b++) {
            const ic_branch *branch = &jump->branches[b];
            if (branch->condition != NULL &&
                !read_expression(w->out->branch_condition[i][b], branch->condition, problem, w))
                return false;
            for (size_t k = 0; k < w->view->n && branch->state != NULL; k++) {
                if (!read_expression(w->out->branch_state[i][b][k], branch->state[k], problem, w)) return false;
            }
        }
    }
    return true;
}

/* ---- all modes */

static bool compute_flow(mode_maker *w, double period)
{
    matrix half, full;
    const double norm = matrix_norm(w->m, w->columns);
    const double h = fmin(longest_step(w, norm), period / PARTS_LEAST);
    if (!isfinite(norm) || !(h * PARTS_MOST > period)) return false;
    *w->out = (ic_batch_coefficients){.h = h,
                                      .cos_h = cos(w->frequency * h),
                                      .sin_h = sin(w->frequency * h),
                                      .cos_half = cos(w->frequency * h / 2),
                                      .sin_half = sin(w->frequency * h / 2),
                                      .half_angle = w->frequency * h / 2};
    compute_exponential(half, w->m, (long double)h / 2, norm, w->columns);
    multiply_matrices(full, half, half, w->columns);
    unscale_rows(w->out->half, half, w, 1);
    unscale_rows(w->out->step, full, w, 1);
    unscale_rows(w->out->rate, w->m, w, h / 2);
    multiply_matrices(full, w->m, w->m, w->columns);
    unscale_rows(w->out->rate_2, full, w, h * h / 4);
    return true;
}

static ic_status compute_mode(mode_maker *w, const ic_problem *problem, const ic_mode *mode)
{
    for (size_t i = 0; i < mode->n_guards; i++) {
        compute_guard(w, i);
        if (mode->guards[i].enabled != NULL) compute_condition(w, i);
    }
    return compute_branches(w, problem, mode) ? IC_OK : IC_UNSUPPORTED;
}

static ic_status open_views(ic_linear_view *views, double *frequency, const ic_problem *problem)
{
    *frequency = 0;
    for (size_t k = 0; k < problem->variant->n_modes; k++) {
        ic_error error = {""};
        if (!ic_linear_view_open(&views[k], problem, &problem->variant->modes[k], &error))
            return IC_UNSUPPORTED;
        if (views[k].frequency == 0) continue;
        if (*frequency != 0 && *frequency != views[k].frequency) return IC_UNSUPPORTED;
        *frequency = views[k].frequency;
    }
    return IC_OK;
}

ic_status ic_batch_coefficients_compute(ic_batch_coefficients *coefficients, double *frequency,
                                        const ic_batch_shape *shape, const ic_problem *problem, double period)
{
    const ic_mode *modes = problem->variant->modes;
    ic_linear_view views[IC_BATCH_MODES] = {{0}};
    double scale[IC_BATCH_COLUMNS] = {0};
    ic_state_scales(problem, scale);
    for (int j = shape->n_states; j < IC_BATCH_COLUMNS; j++) scale[j] = 1;
    ic_status status = open_views(views, frequency, problem);
    for (int k = 0; k < shape->n_modes && status == IC_OK; k++) {
        mode_maker w = {.view = &views[k],
                        .scale = scale,
                        .n = shape->n,
                        .columns = shape->n + 3,
                        .frequency = *frequency,
                        .out = &coefficients[k]};
        if (shape->modes[k].terminal) continue;
        scale_field(&w);
        int same = 0; /* mode with the same field, whose flow has been computed */
        while (same < k && (shape->modes[same].terminal || modes[same].linear != modes[k].linear)) same++;
        if (same < k) { /* coefficients of the flow come before those of guards */
            coefficients[k] = (ic_batch_coefficients){0};
            memcpy(&coefficients[k], &coefficients[same], offsetof(ic_batch_coefficients, value));
        } else if (!compute_flow(&w, period)) {
            status = IC_UNSUPPORTED;
        }
        if (status == IC_OK) status = compute_mode(&w, problem, &modes[k]);
    }
    for (int k = 0; k < shape->n_modes; k++) ic_linear_view_close(&views[k]);
    return status;
}
