/* SPDX-License-Identifier: MIT */
/**
 * The closed form of piecewise linear systems: exact up to rounding.
 *
 * In each mode the linear view of the case,
 *
 *     dx/dt = A x + b + u cos w t + v sin w t,
 *
 * is decomposed once (solvers/linear/spectrum.h). A phase that begins at t0 is then known in full from its coordinates
 * y = W z(t0), z = (x, 1, cos w t, sin w t): every state and every guard is a sum of terms q(s) e^{lambda s} in
 * s = t - t0, with polynomials q. The phase of the forcing is that of t0 itself, so that nothing accumulates from
 * one phase to the next but the rounding of the state. What rounds off when t0 + s is written as one number is
 * carried along.
 *
 * Events: every crossing of every guard, in order, by a march with bounds on the guards' second and third
 * derivatives (solvers/linear/exponential_polynomial.h); contract, clause 7. Where a guard stays within rounding of zero
 * and comes back, a note says that a touch and a pair of crossings look alike (clause 8).
 *
 * Where nothing is to be shown of a run (no samples, no extremes), its phases are followed by tables of exponentials
 * (solvers/linear/windows.h), and only what these leave in doubt by the march.
 *
 * Work counts: a step is a phase (or a part of one, where a series in s would become long), a guard call one
 * evaluation of a guard's closed form with its derivatives. The flow is never called.
 */
#include "core/event_loop.h"
#include "core/model.h"
#include "solvers/linear/exponential_polynomial.h"
#include "solvers/linear/phase_crossing.h"
#include "solvers/linear/spectrum.h"
#include "solvers/linear/windows.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The series in N s of a block is used up to N s = 1/2, apart from the nilpotent part of N, where it ends. There
 * 16 terms leave 0.5^17/17! < 2^-60; fewer are taken where they suffice. */
#define SERIES_REACH 0.5
#define SERIES_NEGLIGIBLE 0x1p-60
enum { SERIES_TERMS = 16 };
/* A growing solution is followed by at most this power of e at a time, far from overflow. */
#define GROWTH_REACH 32.0
/* The decomposition is made in long double. */
#define NEGLIGIBLE 0x1p-60
/* First step of the march over the fastest time of the guard. */
#define FIRST_STRIDE 0.1
/* Observation: parts for each period or time of decay, for each phase, and at most. */
#define NODES_PER_TIME 8.0
#define NODES_LEAST 4.0
#define NODES_MOST 1e6
/* Windows through which cos and sin of the forcing are carried: each adds a rounding error. */
enum { CARRIED_MOST = 16 };
#define TWO_PI 6.28318530717958647693

/** What is computed once for a mode. */
typedef struct mode_form {
    bool open, marches; /* marches: what only the march needs is there */
    ic_linear_view view;
    ic_spectrum spectrum;
    ic_exponent *exponents;   /* one for each block */
    ic_complex *rows;         /* guards x total: guard in block coordinates, times the block's weight */
    double *row_moduli;       /* guards x total */
    double *left_moduli;      /* total x columns */
    long double *direct;      /* guards x derivatives x columns: derivatives of guards straight from z */
    ic_window_table *windows; /* NULL: none for this mode */
    double reach;             /* s; longest stretch from one start */
    double rate;              /* 1/s; of the shortest period or time of decay */
} mode_form;

typedef struct closed_form {
    const ic_problem *problem;
    mode_form *modes; /* by mode number; opened when first entered, for the march when it first marches */
    size_t n_modes;
    double scale[IC_MAX_STATES + 3]; /* of z */
    const mode_form *mode;
    ic_exponential_polynomial *guards;
    double *crossing; /* s since t0, of each guard */
    /* the start of the stretch: time as t0 + t0_rest, coordinates */
    double t0, t0_rest;
    double landed, landed_rest; /* where the last stretch ended */
    double z[IC_MAX_STATES + 3];
    ic_window window;
    int carried;        /* windows since cos and sin of the forcing were computed from the time */
    ic_complex *powers; /* N^j y/j! of all blocks; block k from exponents[k].offset on in units of its size */
    double *magnitudes; /* the same with moduli throughout */
    size_t *power_offset;
} closed_form;

/* ---- once for each mode */

static void mode_close(mode_form *m)
{
    ic_linear_view_close(&m->view);
    ic_spectrum_close(&m->spectrum);
    free(m->exponents);
    free(m->rows);
    free(m->row_moduli);
    free(m->direct);
    ic_window_table_free(m->windows);
}

static void take_exponents(mode_form *m)
{
    size_t offset = 0;
    m->reach = INFINITY;
    for (size_t k = 0; k < m->spectrum.n_blocks; k++) {
        const ic_spectral_block *block = &m->spectrum.blocks[k];
        ic_exponent *e = &m->exponents[k];
        *e = (ic_exponent){.lambda = block->centre, .offset = offset};
        e->modulus = hypot(block->centre.re, block->centre.im);
        e->capacity = block->size == 1 ? 0 : block->size - 1 + SERIES_TERMS;
        offset += e->capacity + 1;
        if (block->spread > 0) m->reach = fmin(m->reach, SERIES_REACH / block->spread);
        if (block->centre.re > 0) m->reach = fmin(m->reach, GROWTH_REACH / block->centre.re);
        m->rate = fmax(m->rate, fmax(fabs(block->centre.re), fabs(block->centre.im) / TWO_PI));
    }
}

/* A guard c + h x + p cos w t + q sin w t in block coordinates. */
static void take_guard(mode_form *m, const ic_form *form, ic_complex *row, double *moduli)
{
    const ic_spectrum *s = &m->spectrum;
    for (size_t k = 0; k < s->n_blocks; k++) {
        const ic_spectral_block *block = &s->blocks[k];
        for (size_t i = block->first; i < block->first + block->size; i++) {
            long double re = 0, im = 0;
            for (size_t j = 0; j < s->columns; j++) {
                const double forcing = j == s->n + 1 ? form->cosine : form->sine;
                const double factor = j < s->n ? form->state[j] : j == s->n ? form->constant : forcing;
                re += (long double)factor * s->right[j * s->columns + i].re;
                im += (long double)factor * s->right[j * s->columns + i].im;
            }
            row[i] = (ic_complex){block->weight * (double)re, block->weight * (double)im};
            moduli[i] = hypot(row[i].re, row[i].im);
        }
    }
}

/* What is rounding error of zero beside the greatest, for states of the size of their scales, is zero: an exponent that a guard
 * does not see must not slow its search. */
static void drop_negligible(const mode_form *m, ic_complex *row, double *moduli, const double *scale)
{
    const ic_spectrum *s = &m->spectrum;
    double size[IC_MAX_STATES + 3] = {0}, most = 0;
    for (size_t i = 0; i < s->total; i++) {
        for (size_t j = 0; j < s->columns; j++)
            size[i] += moduli[i] * m->left_moduli[i * s->columns + j] * scale[j];
        most = fmax(most, size[i]);
    }
    for (size_t i = 0; i < s->total; i++) {
        if (size[i] > NEGLIGIBLE * most) continue;
        row[i] = (ic_complex){0, 0};
        moduli[i] = 0;
    }
}

/* Rows h M^i: the i-th derivative of the guard h z along z' = M z. */
static void take_derivatives(const ic_linear_view *view, const ic_form *form, size_t columns, long double *row)
{
    const size_t n = view->n;
    for (size_t j = 0; j < n; j++) row[j] = form->state[j];
    row[n] = form->constant;
    if (columns > n + 1) row[n + 1] = form->cosine, row[n + 2] = form->sine;
    for (int i = 1; i < IC_DERIVATIVES; i++, row += columns) {
        long double *next = row + columns;
        for (size_t k = 0; k < n; k++) {
            for (size_t j = 0; j < n; j++) next[j] += row[k] * view->a[k * n + j];
            next[n] += row[k] * view->b[k];
            if (columns == n + 1) continue;
            next[n + 1] += row[k] * view->cosine[k];
            next[n + 2] += row[k] * view->sine[k];
        }
        if (columns == n + 1) continue;
        next[n + 1] += row[n + 2] * view->frequency;
        next[n + 2] -= row[n + 1] * view->frequency;
    }
}

static ic_status open_windows(mode_form *m, const ic_problem *problem, const ic_mode *mode, const double *scale)
{
    ic_status status = IC_OK;
    if (m->spectrum.fastest == 0) return IC_OK; /* polynomials need no tables */
    m->windows = ic_window_table_new(&m->spectrum, &m->view, mode, scale, ic_time_scale(problem), &status);
    return status == IC_UNSUPPORTED ? IC_OK : status;
}

static ic_status mode_open(mode_form *m, const ic_problem *problem, const ic_mode *mode, const double *scale,
                           ic_log *log)
{
    ic_error error = {""};
    if (!ic_linear_view_open(&m->view, problem, mode, &error)) {
        const bool no_memory = strcmp(error.text, ic_status_text(IC_NO_MEMORY)) == 0;
        ic_log_message(log, "mode '%s': %s", mode->name, error.text);
        return no_memory ? IC_NO_MEMORY : IC_UNSUPPORTED;
    }
    const ic_status status = ic_spectrum_open(&m->spectrum, &m->view, scale, ic_time_scale(problem));
    if (status != IC_OK) {
        ic_log_message(log, "mode '%s': no eigenvalues: %s", mode->name, ic_status_text(status));
        return status;
    }
    return open_windows(m, problem, mode, scale);
}

/* What the march needs beside: of a mode that windows follow, rarely. */
static ic_status open_march(mode_form *m, const ic_mode *mode, const double *scale)
{
    const size_t total = m->spectrum.total, columns = m->spectrum.columns;
    m->exponents = calloc(m->spectrum.n_blocks, sizeof *m->exponents);
    m->rows = calloc((mode->n_guards + 1) * total, sizeof *m->rows);
    m->row_moduli = calloc((mode->n_guards + columns) * total, sizeof *m->row_moduli);
    m->direct = calloc((mode->n_guards + 1) * IC_DERIVATIVES * columns, sizeof *m->direct);
    if (m->exponents == NULL || m->rows == NULL || m->row_moduli == NULL || m->direct == NULL)
        return IC_NO_MEMORY;
    m->left_moduli = m->row_moduli + mode->n_guards * total;
    for (size_t i = 0; i < total * columns; i++) {
        m->left_moduli[i] = hypot(m->spectrum.left[i].re, m->spectrum.left[i].im);
    }
    take_exponents(m);
    for (size_t i = 0; i < mode->n_guards; i++) {
        take_guard(m, &m->view.guards[i], m->rows + i * total, m->row_moduli + i * total);
        drop_negligible(m, m->rows + i * total, m->row_moduli + i * total, scale);
        take_derivatives(&m->view, &m->view.guards[i], columns, m->direct + i * IC_DERIVATIVES * columns);
    }
    m->marches = true;
    return IC_OK;
}

/* ---- the workspace */

static void free_room(closed_form *f)
{
    if (f->guards != NULL) {
        free(f->guards[0].coefficients);
        free(f->guards[0].moduli);
        free(f->guards[0].absent);
    }
    free(f->guards);
    free(f->crossing);
    free(f->powers);
    free(f->power_offset);
}

static void close_workspace(closed_form *f)
{
    for (size_t i = 0; f->modes != NULL && i < f->n_modes; i++) mode_close(&f->modes[i]);
    free(f->modes);
    free_room(f);
}

/* Room for the largest mode that marches, shared by all. */
static bool reserve(closed_form *f)
{
    size_t guards = 1, room = 1, powers = 1, blocks = 1;
    for (size_t i = 0; i < f->n_modes; i++) {
        const ic_spectrum *s = &f->modes[i].spectrum;
        size_t here = 0;
        if (!f->modes[i].marches) continue;
        for (size_t k = 0; k < s->n_blocks; k++)
            here += s->blocks[k].size * (f->modes[i].exponents[k].capacity + 1);
        const size_t room_here = ic_exponents_room(f->modes[i].exponents, s->n_blocks);
        if (f->problem->variant->modes[i].n_guards > guards) guards = f->problem->variant->modes[i].n_guards;
        if (room_here > room) room = room_here;
        if (here > powers) powers = here;
        if (s->n_blocks > blocks) blocks = s->n_blocks;
    }
    f->guards = calloc(guards, sizeof *f->guards);
    f->crossing = calloc(guards + powers, sizeof *f->crossing);
    f->powers = calloc(powers, sizeof *f->powers);
    f->power_offset = calloc(blocks, sizeof *f->power_offset);
    if (f->guards == NULL || f->crossing == NULL || f->powers == NULL || f->power_offset == NULL) return false;
    f->magnitudes = f->crossing + guards;
    ic_exponential_polynomial *g = f->guards; /* the first owns the memory of all */
    g->coefficients = calloc(guards * room, sizeof *g->coefficients);
    g->moduli = calloc(guards * (2 * room + blocks), sizeof *g->moduli);
    g->absent = calloc(guards * blocks, sizeof *g->absent);
    if (g->coefficients == NULL || g->moduli == NULL || g->absent == NULL) return false;
    for (size_t i = 0; i < guards; i++) {
        f->guards[i].coefficients = g->coefficients + i * room;
        f->guards[i].moduli = g->moduli + i * (2 * room + blocks);
        f->guards[i].magnitudes = f->guards[i].moduli + room;
        f->guards[i].decay = f->guards[i].moduli + 2 * room;
        f->guards[i].absent = g->absent + i * blocks;
    }
    return true;
}

/* What can be said before any mode is entered. */
static ic_status open_workspace(closed_form *f, const ic_problem *problem, ic_log *log)
{
    const ic_variant *variant = problem->variant;
    ic_state_scales(problem, f->scale);
    for (size_t i = 0; i < 3; i++) f->scale[problem->system->n_states + i] = 1; /* 1, cos w t, sin w t */
    f->problem = problem;
    f->n_modes = variant->n_modes;
    f->landed = NAN;
    f->modes = calloc(f->n_modes, sizeof *f->modes);
    if (f->modes == NULL) return IC_NO_MEMORY;
    for (size_t i = 0; i < f->n_modes; i++) {
        if (variant->modes[i].linear != NULL) continue;
        ic_log_message(log, "mode '%s' has no linear view", variant->modes[i].name);
        return IC_UNSUPPORTED;
    }
    return IC_OK;
}

static ic_status enter(closed_form *f, size_t mode, ic_log *log)
{
    mode_form *m = &f->modes[mode];
    f->mode = m;
    if (m->open) return IC_OK;
    const ic_status status = mode_open(m, f->problem, &f->problem->variant->modes[mode], f->scale, log);
    m->open = status == IC_OK;
    return status;
}

static ic_status enter_march(closed_form *f, size_t mode)
{
    mode_form *m = &f->modes[mode];
    if (m->marches) return IC_OK;
    const ic_status status = open_march(m, &f->problem->variant->modes[mode], f->scale);
    if (status != IC_OK) return status;
    free_room(f);
    f->guards = NULL;
    f->crossing = NULL;
    f->powers = NULL;
    f->power_offset = NULL;
    return reserve(f) ? IC_OK : IC_NO_MEMORY;
}

/* ---- the start of a stretch: coordinates and coefficients */

/* cos and sin of w t for the time t0 + t0_rest: the rounding error of the product w t0 is added back. */
static void forcing_phase(const closed_form *f, double w, double *cosine, double *sine)
{
    const double phase = w * f->t0;
    const double rest = fma(w, f->t0, -phase) + w * f->t0_rest;
    const double c = cos(phase), s = sin(phase);
    *cosine = c - rest * s;
    *sine = s + rest * c;
}

/* Degree from which on the series of a block, of this length, adds nothing. */
static size_t series_degree(const ic_spectral_block *block, const ic_exponent *e, double length)
{
    size_t degree = block->size - 1;
    double term = 1;
    for (double n = 1; degree < e->capacity; n++, degree++) {
        term *= block->spread * length / n;
        if (term <= SERIES_NEGLIGIBLE) break;
    }
    return degree;
}

/* y = W z and the sum of moduli in it, for one block. */
static void take_coordinates(const closed_form *f, const ic_spectral_block *block, ic_complex *y,
                             double *magnitude)
{
    const mode_form *m = f->mode;
    const size_t columns = m->spectrum.columns;
    for (size_t i = 0; i < block->size; i++) {
        const ic_complex *row = m->spectrum.left + (block->first + i) * columns;
        const double *moduli = m->left_moduli + (block->first + i) * columns;
        ic_complex sum = {0, 0};
        double size = 0;
        for (size_t j = 0; j < columns; j++) {
            sum.re += row[j].re * f->z[j];
            sum.im += row[j].im * f->z[j];
            size += moduli[j] * fabs(f->z[j]);
        }
        y[i] = sum;
        magnitude[i] = size;
    }
}

/* Next power: y_j = N y_{j-1}/j. */
static void multiply_coupling(const ic_spectral_block *block, double j, const ic_complex *y, const double *size,
                              ic_complex *next, double *next_size)
{
    for (size_t i = 0; i < block->size; i++) {
        ic_complex sum = {0, 0};
        double moduli = 0;
        for (size_t l = i; l < block->size; l++) {
            const ic_complex c = block->coupling[i * block->size + l];
            sum.re += c.re * y[l].re - c.im * y[l].im;
            sum.im += c.re * y[l].im + c.im * y[l].re;
            moduli += (fabs(c.re) + fabs(c.im)) * size[l];
        }
        next[i] = (ic_complex){sum.re / j, sum.im / j};
        next_size[i] = moduli / j;
    }
}

/* Coefficients of one guard from the powers of all blocks. */
static void take_coefficients(closed_form *f, size_t guard)
{
    const mode_form *m = f->mode;
    ic_exponential_polynomial *g = &f->guards[guard];
    g->n_terms = m->spectrum.n_blocks;
    g->exponents = m->exponents;
    for (size_t k = 0; k < g->n_terms; k++) {
        const ic_spectral_block *block = &m->spectrum.blocks[k];
        const ic_exponent *e = &m->exponents[k];
        const ic_complex *row = m->rows + guard * m->spectrum.total + block->first;
        const double *moduli = m->row_moduli + guard * m->spectrum.total + block->first;
        for (size_t j = 0; j <= e->degree; j++) {
            const ic_complex *y = f->powers + f->power_offset[k] + j * block->size;
            const double *size = f->magnitudes + f->power_offset[k] + j * block->size;
            ic_complex sum = {0, 0};
            double magnitude = 0;
            for (size_t i = 0; i < block->size; i++) {
                sum.re += row[i].re * y[i].re - row[i].im * y[i].im;
                sum.im += row[i].re * y[i].im + row[i].im * y[i].re;
                magnitude += moduli[i] * size[i];
            }
            if (block->weight == 1) sum.im = 0; /* a real block */
            g->coefficients[IC_DERIVATIVES * e->offset + j] = sum;
            g->magnitudes[e->offset + j] = magnitude;
        }
    }
    ic_exponential_polynomial_derive(g);
}

/* Value and derivatives of a guard at the start, straight from the state. Those below the order of a zero on which it
 * stands are zero. The state counts as exact, the forcing as rounded. */
static void take_start(closed_form *f, size_t guard, int order)
{
    const size_t n = f->mode->view.n, columns = f->mode->spectrum.columns;
    const long double *row = f->mode->direct + guard * IC_DERIVATIVES * columns;
    ic_exponential_polynomial *g = &f->guards[guard];
    for (int i = 0; i < IC_DERIVATIVES; i++, row += columns) {
        long double sum = 0, moduli = 0, forcing = 0;
        for (size_t j = 0; j < columns; j++) {
            const long double term = row[j] * f->z[j];
            sum += term;
            moduli += fabsl(term);
            if (j > n) forcing += fabsl(term);
        }
        g->start[i] = i < order ? 0 : (double)sum;
        g->start_noise[i] = i < order ? 0
                                      : (double)(8 * LDBL_EPSILON * moduli + DBL_EPSILON * forcing) +
                                            DBL_EPSILON * fabs(g->start[i]);
    }
}

/* Begin a stretch of the given length at (t0 + t0_rest, x). */
static void begin_stretch(closed_form *f, const ic_phase *phase, double length)
{
    const mode_form *m = f->mode;
    const ic_spectrum *s = &m->spectrum;
    memcpy(f->z, phase->x, s->n * sizeof *phase->x);
    f->z[s->n] = 1;
    if (s->columns > s->n + 1) forcing_phase(f, m->view.frequency, &f->z[s->n + 1], &f->z[s->n + 2]);
    size_t offset = 0;
    for (size_t k = 0; k < s->n_blocks; k++) {
        const ic_spectral_block *block = &s->blocks[k];
        ic_exponent *e = &m->exponents[k];
        ic_complex *y = f->powers + offset;
        double *size = f->magnitudes + offset;
        f->power_offset[k] = offset;
        e->degree = series_degree(block, e, length);
        take_coordinates(f, block, y, size);
        for (size_t j = 1; j <= e->degree; j++) {
            multiply_coupling(block, (double)j, y, size, y + block->size, size + block->size);
            y += block->size;
            size += block->size;
        }
        offset += block->size * (e->capacity + 1);
    }
    for (size_t i = 0; i < phase->mode->n_guards; i++) {
        take_coefficients(f, i);
        take_start(f, i, phase->arming[i].order);
    }
}

/* ---- the state within a stretch */

/* Coordinates of one block at s without those at the start, times its weight:
 * weight (e^{lambda s} sum_j y_j s^j - y_0). */
static void block_increment(const closed_form *f, size_t k, double s, ic_complex *y)
{
    const ic_spectral_block *block = &f->mode->spectrum.blocks[k];
    const ic_exponent *e = &f->mode->exponents[k];
    const double beyond = e->lambda.re == 0 ? 0 : expm1(e->lambda.re * s);
    const double half_sine = sin(0.5 * e->lambda.im * s), half_cosine = cos(0.5 * e->lambda.im * s);
    const double versine = 2 * half_sine * half_sine; /* 1 - cos */
    const ic_complex growth = {beyond - (1 + beyond) * versine, (1 + beyond) * 2 * half_sine * half_cosine};
    for (size_t i = 0; i < block->size; i++) {
        const ic_complex *power = f->powers + f->power_offset[k] + i;
        ic_complex rise = {0, 0}; /* sum_j y_j s^j - y_0 */
        for (size_t j = e->degree; j > 0; j--) {
            rise.re = (rise.re + power[j * block->size].re) * s;
            rise.im = (rise.im + power[j * block->size].im) * s;
        }
        const ic_complex sum = {power[0].re + rise.re, power[0].im + rise.im};
        y[i].re = block->weight * (growth.re * sum.re - growth.im * sum.im + rise.re);
        y[i].im = block->weight * (growth.re * sum.im + growth.im * sum.re + rise.im);
    }
}

/* As increments over the state at the start: a short phase costs no more than the rounding of the sum. */
static void state_at(const closed_form *f, double s, double *x)
{
    const ic_spectrum *spectrum = &f->mode->spectrum;
    ic_complex y[IC_MAX_STATES + 3] = {{0, 0}};
    for (size_t k = 0; k < spectrum->n_blocks; k++) block_increment(f, k, s, y + spectrum->blocks[k].first);
    for (size_t i = 0; i < spectrum->n; i++) {
        const ic_complex *row = spectrum->right + i * spectrum->columns;
        double sum = 0;
        for (size_t j = 0; j < spectrum->total; j++) sum += row[j].re * y[j].re - row[j].im * y[j].im;
        x[i] = f->z[i] + sum;
    }
}

static void interpolate(void *self, double t, double *x)
{
    const closed_form *f = self;
    state_at(f, fmax(t - f->t0 - f->t0_rest, 0), x);
}

/* ---- events within a stretch */

static double time_of(const void *self, double s)
{
    const closed_form *f = self;
    return f->t0 + s;
}

static void state_of(const void *self, double s, double *x)
{
    state_at(self, s, x);
}

/* The first event in (0, length], clause 4: of guards that cross at one instant the first in the table. */
static ic_status first_event(closed_form *f, ic_phase *phase, double length)
{
    const ic_stretch stretch = {f, time_of, state_of};
    const double tie = ic_phase_tie(phase);
    double first = INFINITY;
    phase->fired = -1;
    for (size_t i = 0; i < phase->mode->n_guards; i++) {
        ic_crossing_search search = {.g = &f->guards[i],
                                     .end = fmin(length, first + tie),
                                     .origin = f->t0,
                                     .side = phase->arming[i].side,
                                     .order = phase->arming[i].order,
                                     .stride = FIRST_STRIDE / f->guards[i].fastest};
        const ic_status status = ic_stretch_first_crossing(&f->crossing[i], &stretch, phase, i, &search);
        phase->work->guard_calls += search.evaluations;
        phase->work->root_iterations += search.iterations;
        phase->arming[i] = (ic_arming){.side = search.side};
        if (status != IC_OK) return status;
        first = fmin(first, f->crossing[i]);
    }
    for (size_t i = 0; i < phase->mode->n_guards && first < INFINITY; i++) {
        phase->due[i] = f->crossing[i] <= first + tie;
        if (phase->due[i] && phase->fired < 0) phase->fired = (int)i;
    }
    return IC_OK;
}

/* ---- the method */

static ic_status begin(void *self, ic_phase *phase)
{
    return enter(self, (size_t)phase->mode_index, phase->log);
}

static bool is_finite(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += 0 * x[i];
    return sum == 0;
}

/* Time at s: t0 + t0_rest + s as a rounded number and what is left. */
static void time_at(const closed_form *f, double s, double *t, double *rest)
{
    const double sum = f->t0 + s;
    const double part = sum - f->t0;
    const double error = (f->t0 - (sum - part)) + (s - part) + f->t0_rest;
    *t = sum + error;
    *rest = error - (*t - sum);
}

/* Show the stretch to the log and move to its end, at s. */
static ic_status move(closed_form *f, ic_phase *phase, double s, bool stops)
{
    double t = phase->t_stop, rest = 0;
    if (!stops) time_at(f, s, &t, &rest);
    const double nodes = fmin(fmax(NODES_PER_TIME * f->mode->rate * s, NODES_LEAST), NODES_MOST);
    const ic_status status = ic_phase_observe(phase, f->t0, t, (int)ceil(nodes), interpolate, f);
    if (status != IC_OK) return status;
    state_at(f, s, phase->x);
    phase->t = f->landed = t;
    f->landed_rest = rest;
    return is_finite(phase->x, phase->n) ? IC_OK : IC_NOT_FINITE;
}

/* ---- by windows, where nothing is to be shown */

static bool open_window(closed_form *f, const ic_phase *phase)
{
    const mode_form *m = f->mode;
    ic_window *w = &f->window;
    const size_t n = phase->n;
    f->t0 = phase->t;
    if (phase->t != f->landed || f->carried >= CARRIED_MOST) {
        f->t0_rest = phase->t == f->landed ? f->landed_rest : 0;
        w->z[n] = 1;
        if (m->view.frequency != 0) forcing_phase(f, m->view.frequency, &w->z[n + 1], &w->z[n + 2]);
        f->carried = 0;
    } else {
        f->t0_rest = f->landed_rest;
    }
    memcpy(w->z, phase->x, n * sizeof *w->z);
    w->limit = phase->t_stop - f->t0 - f->t0_rest;
    w->least = ic_phase_tie(phase);
    for (size_t i = 0; i < phase->mode->n_guards; i++) {
        w->side[i] = phase->arming[i].side;
        w->order[i] = phase->arming[i].order;
    }
    return w->limit > 0;
}

/* Follow the phase as far as windows decide; *done: to its end. */
static ic_status advance_by_windows(closed_form *f, ic_phase *phase, bool *done)
{
    ic_window *w = &f->window;
    *done = false;
    while (!*done && open_window(f, phase)) {
        if (++phase->work->steps > phase->options->max_steps) return IC_TOO_MUCH_WORK;
        w->evaluations = 0;
        ic_window_follow(f->mode->windows, w);
        phase->work->guard_calls += w->evaluations;
        if (w->outcome == IC_WINDOW_DOUBT) break;
        *done = w->outcome >= 0 || w->s >= w->limit;
        time_at(f, w->s, &phase->t, &f->landed_rest);
        if (w->outcome < 0 && *done) phase->t = phase->t_stop, f->landed_rest = 0;
        f->landed = phase->t;
        f->carried++;
        memcpy(phase->x, w->z, phase->n * sizeof *w->z);
        for (size_t i = 0; i < phase->mode->n_guards; i++) phase->arming[i] = (ic_arming){.side = w->side[i]};
        phase->fired = w->outcome;
        if (!is_finite(phase->x, phase->n)) return IC_NOT_FINITE;
    }
    if (!*done || f->mode->view.frequency == 0) f->carried = CARRIED_MOST;
    return IC_OK;
}

static ic_status advance(void *self, ic_phase *phase)
{
    closed_form *f = self;
    const ic_options *options = phase->options;
    if (f->mode->windows != NULL && !options->extremes && options->samples == 0) {
        bool done = false;
        const ic_status status = advance_by_windows(f, phase, &done);
        if (status != IC_OK || done) return status;
    }
    f->carried = CARRIED_MOST;
    const ic_status opened = enter_march(f, (size_t)phase->mode_index);
    if (opened != IC_OK) return opened;
    for (;;) {
        f->t0 = phase->t;
        f->t0_rest = phase->t == f->landed ? f->landed_rest : 0;
        const double left = phase->t_stop - f->t0 - f->t0_rest;
        const bool stops = left <= f->mode->reach;
        const double length = stops ? left : f->mode->reach;
        if (++phase->work->steps > phase->options->max_steps) return IC_TOO_MUCH_WORK;
        if (!is_finite(phase->x, phase->n)) return IC_NOT_FINITE;
        begin_stretch(f, phase, length);
        ic_status status = first_event(f, phase, length);
        if (status != IC_OK) return status;
        const bool fires = phase->fired >= 0;
        status = move(f, phase, fires ? f->crossing[phase->fired] : length, stops && !fires);
        if (status != IC_OK || fires || stops) return status;
    }
}

static ic_status solve(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    static const ic_method method = {.begin = begin, .advance = advance};
    closed_form workspace = {0};
    ic_status status = open_workspace(&workspace, problem, log);
    if (status == IC_OK) status = ic_event_loop(log, problem, options, &method, &workspace);
    close_workspace(&workspace);
    return status;
}

const ic_solver ic_solver_piecewise_linear = {
    IC_ABI(ic_solver),
    .name = "piecewise_linear",
    .title = "Closed form of piecewise linear systems, with every crossing found by bounds",
    .source = "Golub & Van Loan 2013, 7.5; Bavely & Stewart 1979",
    .needs = IC_NEEDS_LINEAR_VIEW,
    .order = 0,
    .control = IC_CONTROL_NONE,
    .solve = solve,
};
