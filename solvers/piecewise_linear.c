/* SPDX-License-Identifier: MIT */
/**
 * The closed form of piecewise linear systems: exact up to rounding.
 *
 * In each mode the linear view of the case,
 *
 *     dx/dt = A x + b + u cos w t + v sin w t,
 *
 * is decomposed once (solvers/linear/spectrum.h). A phase that begins at t0 is then known in full
 * from its coordinates y = W z(t0), z = (x, 1, cos w t, sin w t): every state and every guard is a
 * sum of terms q(s) e^{lambda s} in s = t - t0, with polynomials q. The phase of the forcing is
 * that of t0 itself, so that only the rounding of the state accumulates from one phase to the next.
 * The remainder of t0 + s, which a double cannot hold, is carried along.
 *
 * Phases are followed by tables of exponentials (solvers/linear/windows.h), which also give samples
 * and extremes. What the tables leave undecided is followed in parts. From the coordinates at its
 * start, which come from the closed form and not from the part before, the guards along a part are
 * polynomials,
 *
 *     g(s + H u) = sum_j g_j u^j,    g_j = Re r Y_j,    Y_{j+1} = H (lambda I + N) Y_j/(j + 1),
 *
 * and every crossing is found, in order (solvers/linear/first_event.h; contract, clauses 4 and 7).
 * If a guard stays within rounding of zero and returns, a note states that a touch and a pair of
 * crossings cannot be distinguished (clause 8).
 *
 * Work counts: a step is a phase (or a part of one, where a series in s would become long), a guard
 * call one evaluation of a guard's closed form with its derivatives. The flow is never called.
 */
#include "core/event_loop.h"
#include "core/model.h"
#include "core/numbers.h"
#include "solvers/linear/first_event.h"
#include "solvers/linear/spectrum.h"
#include "solvers/linear/split_time.h"
#include "solvers/linear/windows.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * The series in N s of a block is used up to N s = 1/2, apart from the nilpotent part of N, where
 * it ends. There 16 terms leave 0.5^17/17! < 2^-60; fewer are taken where they suffice.
 */
#define SERIES_REACH 0.5
enum { SERIES_TERMS = 16 };
/*
 * A term below this fraction of a sum is negligible, because the decomposition is computed in long
 * double.
 */
#define NEGLIGIBLE 0x1p-60
/* |lambda| times the length of a part: its polynomials lose a digit where terms decay, and 2^27/27!
   < 2^-65. */
#define PART_REACH 2.0
/* Rounding errors of a coefficient: of the coordinate, the exponential, the product and the sum. */
#define ROUNDINGS (4 * DBL_EPSILON)
/* Coefficients that are computed straight from the state where a phase begins. */
enum { DIRECT = 5 };
/*
 * Greatest number of times that a part is shortened because a guard's sign is in doubt at its end.
 */
#define SHORTENED 0.8125
enum { SHORTENINGS = 3 };
/* Observation: parts for each period or time of decay, for each phase, and at most. */
#define NODES_PER_TIME 8.0
#define LEAST_NODES 4.0
#define MOST_NODES 1e6
/* Windows through which cos and sin of the forcing are carried: each adds a rounding error. */
enum { MOST_CARRIED = 16 };
#define TWO_PI 6.28318530717958647693

enum { MOST_COLUMNS = IC_MAX_STATES + 3 };

/** Form of a mode, computed once. */
typedef struct linear_mode {
    bool open;

    ic_linear_view view;
    ic_spectrum spectrum;

    /* NULL: this mode has no tables */
    ic_window_table *windows;

    /*
     * guards x total: guards in block coordinates, times the block's weight; NULL: no phase has
     * been followed in parts yet
     */
    ic_complex *rows;

    /* moduli of the rows, and of W, total x columns */
    double *row_moduli, *left_moduli;

    /* guards x DIRECT x columns: derivatives of guards straight from z */
    long double *direct;

    /* longest stretch from one start, s */
    double reach;

    /* greatest rate, 1/s, of the shortest period or time of decay */
    double rate;
} linear_mode;

/** Coordinates of all blocks, and the sum of moduli of each. */
typedef struct coordinates {
    ic_complex y[MOST_COLUMNS];
    double size[MOST_COLUMNS];
} coordinates;

typedef struct linear_run {
    const ic_problem *problem;

    /* by mode number; opened when first entered */
    linear_mode *modes;

    size_t n_modes;

    /* of z */
    double scale[MOST_COLUMNS];

    const linear_mode *mode;

    /* the start of the stretch: time as t0 + t0_rest */
    double t0, t0_rest;

    /* where the last stretch ended */
    double landed, landed_rest;

    double z[MOST_COLUMNS];
    coordinates start;

    /* the part: from s on, of this length */
    double s, length;

    /* where it begins */
    coordinates here;

    /* guards in it */
    ic_polynomial polynomial;

    ic_window window;

    /* windows since cos and sin of the forcing were computed from the time */
    int carried;

    /* angular frequency of cos and sin, rad/s: modes may have forcing of different frequencies, or none */
    double frequency;
} linear_run;

static double modulus(ic_complex z)
{
    return sqrt(z.re * z.re + z.im * z.im);
}

/* ---- once for each mode */

/* A guard c + h x + p cos w t + q sin w t in block coordinates. A coordinate that adds no more than
   rounding, for states of the size of their scales, is left out: it must not slow the search. */
static void project_guard(const linear_mode *m, const ic_form *form, const double *scale, ic_complex *row)
{
    const ic_spectrum *s = &m->spectrum;
    double size[MOST_COLUMNS] = {0}, most = 0;
    for (size_t k = 0; k < s->n_blocks; k++) {
        const ic_spectral_block *block = &s->blocks[k];
        for (size_t i = block->first; i < block->first + block->size; i++) {
            long double re = 0, im = 0;
            for (size_t j = 0; j < s->columns; j++) {
                const double forcing = j == s->n + 1 ? form->cosine : form->sine;
                const double factor = j < s->n ? form->state[j] : j == s->n ? form->constant : forcing;
                re += (long double)factor * s->right[j * s->columns + i].re;
                im += (long double)factor * s->right[j * s->columns + i].im;
                size[i] += m->left_moduli[i * s->columns + j] * scale[j];
            }
            row[i] = (ic_complex){block->weight * (double)re, block->weight * (double)im};
            size[i] *= modulus(row[i]);
            most = fmax(most, size[i]);
        }
    }
    for (size_t i = 0; i < s->total; i++) {
        if (size[i] <= NEGLIGIBLE * most) row[i] = (ic_complex){0, 0};
    }
}

/* Rows h M^i: the i-th derivative of the guard h z along z' = M z. */
static void compute_derivatives(const ic_linear_view *view, const ic_form *form, size_t columns,
                                long double *row)
{
    const size_t n = view->n;
    for (size_t j = 0; j < n; j++) row[j] = form->state[j];
    row[n] = form->constant;
    if (columns > n + 1) row[n + 1] = form->cosine, row[n + 2] = form->sine;
    for (int i = 1; i < DIRECT; i++, row += columns) {
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

static ic_status open_mode(linear_mode *m, const ic_phase *phase, const double *scale)
{
    const ic_mode *mode = phase->mode;
    ic_log *log = phase->log;
    ic_error error = {""};
    if (!ic_linear_view_open(&m->view, phase->problem, mode, &error)) {
        const bool no_memory = strcmp(error.text, ic_status_text(IC_NO_MEMORY)) == 0;
        ic_log_message(log, "mode '%s': %s", mode->name, error.text);
        return no_memory ? IC_NO_MEMORY : IC_UNSUPPORTED;
    }
    ic_status status = ic_spectrum_open(&m->spectrum, &m->view, scale, phase->time_scale);
    if (status != IC_OK) {
        ic_log_message(log, "mode '%s': no eigenvalues: %s", mode->name, ic_status_text(status));
        return status;
    }
    m->reach = INFINITY;
    for (size_t k = 0; k < m->spectrum.n_blocks; k++) {
        const ic_spectral_block *block = &m->spectrum.blocks[k];
        if (block->spread > 0) m->reach = fmin(m->reach, SERIES_REACH / block->spread);
        m->rate = fmax(m->rate, fmax(fabs(block->centre.re), fabs(block->centre.im) / TWO_PI));
    }
    if (m->spectrum.fastest > 0) { /* Polynomials need no tables. */
        m->windows = ic_window_table_new(&m->spectrum, &m->view, mode, scale, phase->time_scale, &status);
        if (status != IC_OK && status != IC_UNSUPPORTED) return status;
    }
    m->open = true;
    return IC_OK;
}

/* Computes the data that a phase followed in parts needs. */
static ic_status open_guards(linear_mode *m, const ic_mode *mode, const double *scale)
{
    const size_t total = m->spectrum.total, columns = m->spectrum.columns;
    if (m->rows != NULL) return IC_OK;
    m->rows = calloc((mode->n_guards + 1) * total, sizeof *m->rows);
    m->direct = calloc((mode->n_guards + 1) * DIRECT * columns, sizeof *m->direct);
    m->row_moduli = calloc((mode->n_guards + columns) * total, sizeof *m->row_moduli);
    if (m->rows == NULL || m->direct == NULL || m->row_moduli == NULL) return IC_NO_MEMORY;
    m->left_moduli = m->row_moduli + mode->n_guards * total;
    for (size_t i = 0; i < total * columns; i++) m->left_moduli[i] = modulus(m->spectrum.left[i]);
    for (size_t i = 0; i < mode->n_guards; i++) {
        project_guard(m, &m->view.guards[i], scale, m->rows + i * total);
        for (size_t k = i * total; k < (i + 1) * total; k++) m->row_moduli[k] = modulus(m->rows[k]);
        compute_derivatives(&m->view, &m->view.guards[i], columns, m->direct + i * DIRECT * columns);
    }
    return IC_OK;
}

/* ---- the workspace */

static void close_workspace(linear_run *f)
{
    for (size_t i = 0; f->modes != NULL && i < f->n_modes; i++) {
        linear_mode *m = &f->modes[i];
        ic_linear_view_close(&m->view);
        ic_spectrum_close(&m->spectrum);
        free(m->rows);
        free(m->direct);
        free(m->row_moduli);
        free(m->windows);
    }
    free(f->modes);
}

/* Opens the workspace; modes are opened when they are first entered. */
static ic_status open_workspace(linear_run *f, const ic_problem *problem, ic_log *log)
{
    const ic_variant *variant = problem->variant;
    ic_state_scales(problem, f->scale);
    /* 1, cos w t, sin w t */
    for (size_t i = 0; i < 3; i++) f->scale[problem->system->n_states + i] = 1;
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

/* ---- the start of a stretch: coordinates and coefficients */

/*
 * sum_j N^j s^j/j! y without its first term, which is y. `size`, unless NULL, receives the sum of
 * the moduli.
 */
static void sum_series(const ic_spectral_block *block, double s, const ic_complex *y, ic_complex *rise,
                       double *size)
{
    ic_complex term[MOST_COLUMNS];
    double term_size[MOST_COLUMNS];
    const size_t n = block->size;
    for (size_t i = 0; i < n; i++) rise[i] = (ic_complex){0, 0};
    if (n == 1) return;
    memcpy(term, y, n * sizeof *y);
    if (size != NULL) memcpy(term_size, size, n * sizeof *size);
    for (size_t j = 1; j < n + SERIES_TERMS; j++) {
        double most = 0, all = 0;
        ic_spectral_block_apply(block, (ic_complex){0, 0}, s / (double)j, term,
                                size != NULL ? term_size : NULL);
        for (size_t i = 0; i < n; i++) {
            rise[i].re += term[i].re;
            rise[i].im += term[i].im;
            if (size != NULL) size[i] += term_size[i];
            most += fabs(term[i].re) + fabs(term[i].im);
            all += fabs(y[i].re) + fabs(y[i].im) + fabs(rise[i].re) + fabs(rise[i].im);
        }
        if (!(most > NEGLIGIBLE * all)) break;
    }
}

/* Begin a stretch at (t0 + t0_rest, x): y = W z and the sum of moduli in it. */
static void begin_stretch(linear_run *f, const ic_phase *phase)
{
    const ic_spectrum *s = &f->mode->spectrum;
    memcpy(f->z, phase->x, s->n * sizeof *phase->x);
    f->z[s->n] = 1;
    if (s->columns > s->n + 1)
        ic_split_time_forcing(f->t0, f->t0_rest, f->mode->view.frequency, &f->z[s->n + 1], &f->z[s->n + 2]);
    for (size_t i = 0; i < s->total; i++) {
        const ic_complex *row = s->left + i * s->columns;
        ic_complex sum = {0, 0};
        double size = 0;
        for (size_t j = 0; j < s->columns; j++) {
            sum.re += row[j].re * f->z[j];
            sum.im += row[j].im * f->z[j];
            size += f->mode->left_moduli[i * s->columns + j] * fabs(f->z[j]);
        }
        f->start.y[i] = sum;
        f->start.size[i] = size;
    }
}

/* ---- the state within a stretch */

/* Coordinates of one block at s without those at the start, times its weight:
 * weight (e^{lambda s} sum_j y_j s^j - y_0). */
static void block_increment(const linear_run *f, const ic_spectral_block *block, double s, ic_complex *y)
{
    const ic_complex lambda = block->centre, *start = f->start.y + block->first;
    const double beyond = lambda.re == 0 ? 0 : expm1(lambda.re * s);
    const double half_sine = lambda.im == 0 ? 0 : sin(0.5 * lambda.im * s);
    const double half_cosine = lambda.im == 0 ? 1 : cos(0.5 * lambda.im * s);
    const double versine = 2 * half_sine * half_sine; /* 1 - cos */
    const ic_complex growth = {beyond - (1 + beyond) * versine, (1 + beyond) * 2 * half_sine * half_cosine};
    sum_series(block, s, start, y, NULL);
    for (size_t i = 0; i < block->size; i++) {
        const ic_complex sum = {start[i].re + y[i].re, start[i].im + y[i].im};
        y[i].re = block->weight * (growth.re * sum.re - growth.im * sum.im + y[i].re);
        y[i].im = block->weight * (growth.re * sum.im + growth.im * sum.re + y[i].im);
    }
}

/* As increments over the state at the start: a short phase costs no more than the rounding of the
   sum. */
static void state_at(const linear_run *f, double s, double *x)
{
    const ic_spectrum *spectrum = &f->mode->spectrum;
    ic_complex y[MOST_COLUMNS];
    for (size_t k = 0; k < spectrum->n_blocks; k++)
        block_increment(f, &spectrum->blocks[k], s, y + spectrum->blocks[k].first);
    for (size_t i = 0; i < spectrum->n; i++) {
        const ic_complex *row = spectrum->right + i * spectrum->columns;
        double sum = 0;
        // cppcheck-suppress uninitvar ; the blocks fill all of y
        // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult)
        for (size_t j = 0; j < spectrum->total; j++) sum += row[j].re * y[j].re - row[j].im * y[j].im;
        x[i] = f->z[i] + sum;
    }
}

static void interpolate_state(void *self, double t, double *x)
{
    const linear_run *f = self;
    state_at(f, fmax(t - f->t0 - f->t0_rest, 0), x);
}

/* ---- guards within a part */

/* Coordinates of a block where the part begins. */
static void follow_block(linear_run *f, const ic_spectral_block *block)
{
    const ic_complex lambda = block->centre, *start = f->start.y + block->first;
    const double angle = lambda.im * f->s, decay = exp(lambda.re * f->s);
    const ic_complex factor = {decay * cos(angle), decay * sin(angle)};
    ic_complex *y = f->here.y + block->first;
    double *size = f->here.size + block->first;
    memcpy(size, f->start.size + block->first, block->size * sizeof *size);
    sum_series(block, f->s, start, y, size);
    for (size_t i = 0; i < block->size; i++) {
        const ic_complex sum = {start[i].re + y[i].re, start[i].im + y[i].im};
        y[i].re = factor.re * sum.re - factor.im * sum.im;
        y[i].im = factor.re * sum.im + factor.im * sum.re;
        size[i] *= decay * (1 + 0.25 * modulus(lambda) * f->s);
    }
}

/* Bounds the contribution of a block to a guard in a part, without the length of the part. */
static double size_in_guard(const linear_run *f, size_t guard, const ic_spectral_block *block)
{
    const double *moduli = f->mode->row_moduli + guard * f->mode->spectrum.total;
    double factor = 0, size = 0;
    for (size_t i = block->first; i < block->first + block->size; i++) {
        factor += moduli[i];
        size += f->here.size[i];
    }
    return factor * size;
}

static double guard_size(const linear_run *f, size_t guard)
{
    double size = 0;
    for (size_t k = 0; k < f->mode->spectrum.n_blocks; k++)
        size += size_in_guard(f, guard, &f->mode->spectrum.blocks[k]);
    return size;
}

/* Begin a part at s, within `left` of the end: as long as the fastest block of a guard permits. */
static void begin_part(linear_run *f, double left, size_t n_guards)
{
    const ic_spectrum *s = &f->mode->spectrum;
    double fastest = 0;
    if (f->s == 0) f->here = f->start;
    for (size_t k = 0; k < s->n_blocks && f->s > 0; k++) follow_block(f, &s->blocks[k]);
    for (size_t guard = 0; guard < n_guards; guard++) {
        const double negligible = NEGLIGIBLE * guard_size(f, guard);
        for (size_t k = 0; k < s->n_blocks; k++) {
            const double speed = modulus(s->blocks[k].centre) + s->blocks[k].spread;
            if (speed > fastest && size_in_guard(f, guard, &s->blocks[k]) > negligible) fastest = speed;
        }
    }
    f->length = fastest * left > PART_REACH ? PART_REACH / fastest : left;
}

/* Adds a block to the coefficients of a guard; returns the degree from which on it adds nothing.
 */
static int add_block(const linear_run *f, const ic_spectral_block *block, const ic_complex *row,
                     const double *moduli, ic_polynomial *p)
{
    ic_complex y[MOST_COLUMNS];
    double size[MOST_COLUMNS], factor = 0, before = 0, most = 0;
    for (size_t i = 0; i < block->size; i++) factor += moduli[i];
    memcpy(y, f->here.y + block->first, block->size * sizeof *y);
    memcpy(size, f->here.size + block->first, block->size * sizeof *size);
    for (int j = 0;; j++) {
        double sum = 0, sizes = 0, all = 0;
        for (size_t i = 0; i < block->size; i++) {
            sum += row[i].re * y[i].re - row[i].im * y[i].im;
            sizes += moduli[i] * size[i];
            all += factor * size[i];
        }
        p->c[j] += sum;
        p->error[j] += ROUNDINGS * sizes;
        most = fmax(most, all);
        if (j == IC_POLYNOMIAL_DEGREE || (!(all + before > NEGLIGIBLE * most))) return j;
        before = all;
        ic_spectral_block_apply(block, block->centre, f->length / (j + 1), y, size);
    }
}

/*
 * Coefficients at the start of a phase, computed directly from the state if they are more accurate
 * then. The state counts as exact, the forcing as rounded.
 */
static void take_direct(const linear_run *f, size_t guard, int order, ic_polynomial *p)
{
    const size_t n = f->mode->view.n, columns = f->mode->spectrum.columns;
    const long double *row = f->mode->direct + guard * DIRECT * columns;
    long double power = 1; /* length^i/i! */
    for (int i = 0; i < DIRECT; i++, row += columns, power *= f->length / i) {
        long double sum = 0, moduli = 0, forcing = 0;
        for (size_t j = 0; j < columns; j++) {
            const long double term = row[j] * f->z[j];
            sum += term;
            moduli += fabsl(term);
            if (j > n) forcing += fabsl(term);
        }
        const long double rounding = 8 * LDBL_EPSILON * moduli + DBL_EPSILON * (forcing + fabsl(sum));
        const double error = i < order ? 0 : (double)(power * rounding);
        /* A fast block that has no effect on the guard. */
        if (i >= order && error >= p->error[i]) continue;
        p->c[i] = i < order ? 0 : (double)(power * sum);
        p->error[i] = error;
    }
    if (p->degree < DIRECT - 1) p->degree = DIRECT - 1;
}

static void take_guard(void *self, size_t guard, int order, bool careful, ic_polynomial *p)
{
    const linear_run *f = self;
    const ic_spectrum *s = &f->mode->spectrum;
    (void)careful;
    p->rough = false;
    p->slight = 0;
    p->degree = 0;
    memset(p->c, 0, sizeof p->c);
    memset(p->error, 0, sizeof p->error);
    const double negligible = NEGLIGIBLE * guard_size(f, guard);
    for (size_t k = 0; k < s->n_blocks; k++) {
        const size_t first = guard * s->total + s->blocks[k].first;
        if (!(size_in_guard(f, guard, &s->blocks[k]) > negligible)) continue;
        const int degree = add_block(f, &s->blocks[k], f->mode->rows + first, f->mode->row_moduli + first, p);
        if (degree > p->degree) p->degree = degree;
    }
    if (f->s == 0) take_direct(f, guard, order, p);
}

static double time_of(const void *self, double u)
{
    const linear_run *f = self;
    return f->t0 + (f->s + u * f->length);
}

static void state_of(const void *self, double u, double *x)
{
    const linear_run *f = self;
    state_at(f, f->s + u * f->length, x);
}

/* Follows the guards to an event or to the end of the stretch, and sets *s. */
static ic_status follow_guards(linear_run *f, ic_phase *phase, double end, bool stops, double *s)
{
    *s = end;
    phase->fired = -1;
    if (phase->mode->n_guards == 0) return IC_OK;
    for (f->s = 0; f->s < end; f->s += f->length) {
        double at = 1;
        bool blurred = false;
        begin_part(f, end - f->s, phase->mode->n_guards);
        const bool last = f->length >= end - f->s;
        for (int i = 0;; i++, f->length *= SHORTENED) {
            const ic_part part = {f, f->length, take_guard, time_of, state_of, NULL, NULL};
            const ic_status status = ic_part_first_event(&part, phase, &f->polynomial, &at, &blurred);
            if (status != IC_OK) return status;
            if (phase->fired >= 0 || !blurred || (last && stops) || i == SHORTENINGS) break;
        }
        *s = f->s + at * f->length;
        if (phase->fired >= 0) return IC_OK;
        for (size_t i = 0; i < phase->mode->n_guards; i++) {
            if (phase->arrival[i] != 0) phase->arming[i] = (ic_arming){.side = phase->arrival[i]};
        }
        if (f->s + f->length <= f->s) return IC_STEP_TOO_SMALL;
        if (last && f->length >= end - f->s) break;
    }
    *s = end;
    return IC_OK;
}

/* ---- the method */

static ic_status begin_phase(void *self, ic_phase *phase)
{
    linear_run *f = self;
    linear_mode *m = &f->modes[phase->mode_index];
    f->mode = m;
    return m->open ? IC_OK : open_mode(m, phase, f->scale);
}

/* Logs a stretch of the length s, which begins at f->t0 and ends at phase->t. */
static ic_status observe_stretch(linear_run *f, const ic_phase *phase, double s, ic_interpolant *state)
{
    if (phase->options->samples == 0 && !phase->options->extremes) return IC_OK;
    const double nodes = fmin(fmax(NODES_PER_TIME * f->mode->rate * s, LEAST_NODES), MOST_NODES);
    return ic_phase_observe(phase, f->t0, phase->t, (int)ceil(nodes), state, f);
}

/* Logs the stretch and moves to its end, at s. */
static ic_status move_state_to(linear_run *f, ic_phase *phase, double s, bool stops)
{
    phase->t = phase->t_stop;
    f->landed_rest = 0;
    if (!stops) ic_split_time_add(f->t0, f->t0_rest, s, &phase->t, &f->landed_rest);
    f->landed = phase->t;
    const ic_status status = observe_stretch(f, phase, s, interpolate_state);
    if (status != IC_OK) return status;
    state_at(f, s, phase->x);
    return ic_all_finite(phase->x, phase->n) ? IC_OK : IC_NOT_FINITE;
}

/* ---- following by windows */

static void interpolate_window(void *self, double t, double *x)
{
    const linear_run *f = self;
    double z[IC_WINDOW_ROOM];
    ic_window_state(f->mode->windows, &f->window, fmax(t - f->t0 - f->t0_rest, 0), z);
    memcpy(x, z, f->mode->view.n * sizeof *x);
}

static bool open_window(linear_run *f, const ic_phase *phase)
{
    const linear_mode *m = f->mode;
    ic_window *w = &f->window;
    const size_t n = phase->n;
    f->t0 = phase->t;
    if (phase->t != f->landed || f->carried >= MOST_CARRIED || m->view.frequency != f->frequency) {
        f->t0_rest = phase->t == f->landed ? f->landed_rest : 0;
        w->z[n] = 1;
        if (m->view.frequency != 0)
            ic_split_time_forcing(f->t0, f->t0_rest, m->view.frequency, &w->z[n + 1], &w->z[n + 2]);
        f->carried = 0;
        f->frequency = m->view.frequency;
    } else {
        f->t0_rest = f->landed_rest;
    }
    memcpy(w->z, phase->x, n * sizeof *w->z);
    w->limit = phase->t_stop - f->t0 - f->t0_rest;
    w->least = ic_phase_instant_width(phase);
    for (size_t i = 0; i < phase->mode->n_guards; i++) {
        w->side[i] = phase->arming[i].side;
        w->order[i] = phase->arming[i].order;
    }
    return w->limit > 0;
}

/* Follows the phase as far as windows decide. *done: the end of the phase was reached. */
static ic_status advance_by_windows(linear_run *f, ic_phase *phase, bool *done)
{
    ic_window *w = &f->window;
    *done = false;
    while (!*done && open_window(f, phase)) {
        if (ic_has_to_end(phase->options, ++phase->work->steps)) return IC_TOO_MUCH_WORK;
        w->evaluations = 0;
        ic_window_follow(f->mode->windows, w);
        phase->work->guard_calls += w->evaluations;
        if (w->outcome == IC_WINDOW_DOUBT) break;
        *done = w->outcome >= 0 || w->s >= w->limit;
        ic_split_time_add(f->t0, f->t0_rest, w->s, &phase->t, &f->landed_rest);
        if (w->outcome < 0 && *done) phase->t = phase->t_stop, f->landed_rest = 0;
        f->landed = phase->t;
        f->carried++;
        const ic_status status = observe_stretch(f, phase, w->s, interpolate_window);
        if (status != IC_OK) return status;
        memcpy(phase->x, w->z, phase->n * sizeof *w->z);
        for (size_t i = 0; i < phase->mode->n_guards; i++) phase->arming[i] = (ic_arming){.side = w->side[i]};
        phase->fired = w->outcome;
        if (!ic_all_finite(phase->x, phase->n)) return IC_NOT_FINITE;
    }
    if (!*done || f->mode->view.frequency == 0) f->carried = MOST_CARRIED;
    return IC_OK;
}

static ic_status advance_phase(void *self, ic_phase *phase)
{
    linear_run *f = self;
    if (f->mode->windows != NULL) {
        bool done = false;
        const ic_status status = advance_by_windows(f, phase, &done);
        if (status != IC_OK || done) return status;
    }
    f->carried = MOST_CARRIED;
    const ic_status opened = open_guards(&f->modes[phase->mode_index], phase->mode, f->scale);
    if (opened != IC_OK) return opened;
    for (;;) {
        f->t0 = phase->t;
        f->t0_rest = phase->t == f->landed ? f->landed_rest : 0;
        const double left = phase->t_stop - f->t0 - f->t0_rest;
        const bool stops = left <= f->mode->reach;
        const double length = stops ? left : f->mode->reach;
        if (ic_has_to_end(phase->options, ++phase->work->steps)) return IC_TOO_MUCH_WORK;
        if (!ic_all_finite(phase->x, phase->n)) return IC_NOT_FINITE;
        double s = length;
        begin_stretch(f, phase);
        ic_status status = follow_guards(f, phase, length, stops, &s);
        if (status != IC_OK) return status;
        const bool fires = phase->fired >= 0;
        status = move_state_to(f, phase, s, stops && !fires);
        if (status != IC_OK || fires || stops) return status;
    }
}

static ic_status solve_piecewise_linear(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    static const ic_method method = {.begin = begin_phase, .advance = advance_phase};
    linear_run workspace = {0};
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
    .solve = solve_piecewise_linear,
};
