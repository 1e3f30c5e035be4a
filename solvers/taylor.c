/* SPDX-License-Identifier: MIT */
/**
 * Taylor series of piecewise linear systems.
 *
 * A. Jorba, M. Zou, A software package for the numerical integration of ODEs by means of high-order
 * Taylor methods, Experimental Mathematics 14 (2005) 99-117.
 *
 * In each mode the linear view of the case, with z = (x, cos w t, sin w t),
 *
 *     dx/dt = A x + b + u cos w t + v sin w t,    or    z' = M z + (b, 0, 0),
 *
 * gives the coefficients of z(t0 + tau s) = sum_j z_j s^j one after the other:
 *
 *     z_1 = tau (M z_0 + (b, 0, 0)),    z_{j+1} = tau M z_j/(j + 1),
 *
 * with the zeros of M left out. The unit of time tau is only there to keep the powers in range: the
 * geometric mean of the case's typical time and 1/||M^8||^(1/8). The phase of the forcing is that
 * of t0 itself in each step, and what rounds off when a time is written as one number is carried
 * along.
 *
 * Step (Jorba & Zou 2005, 3.2): the order p follows from the tolerance alone, the length from the
 * last two terms,
 *
 *     s = min over j = p-1, p of (rtol/||z_j||)^(1/j),    ||z_j|| = max_i |z_ji|/(scale_i + |x_i|),
 *     s <= (p + 1)/(2 r),    r^2 = p (p-1) ||z_p||/||z_{p-2}||.
 *
 * r is the rate of the motion that the last terms show, ||z_{j+1}|| being about r ||z_j||/(j + 1):
 * by the second line the terms that are left out fall at least by half, one after the other, and
 * add up to less than the last one that is kept. No step is ever rejected. The order of Jorba &
 * Zou, ln(1/rtol)/2 + 1, is that of series which converge in a circle. These converge everywhere,
 * and a step costs as much as some twenty terms besides, so that longer ones pay (ORDER_PER_LOG
 * below); what bounds the order is that terms of a decaying solution cancel.
 *
 * Events. Each guard along a step is a polynomial in s, and its zeros are those of the method's own
 * solution, with no interpolant between: every crossing is found by bounds and located by Halley's
 * iteration (solvers/linear/first_event.h; contract, clause 7); the state there is the value of the
 * series. Rounding errors are first estimated from the terms of the guard, and from the products
 * behind them only where that leaves a doubt. A touch that cannot be distinguished from a pair of
 * crossings is noted (clause 8). A step does not end where a guard's sign is hidden by rounding.
 *
 * Work counts: a flow call is one coefficient z_{j+1}, that is, one product M z, so that a step has
 * p of them; a guard call is one evaluation of a guard's polynomial with its derivatives.
 */
#include "core/event_loop.h"
#include "core/linear_view.h"
#include "core/model.h"
#include "solvers/linear/first_event.h"
#include "solvers/linear/split_time.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Order p = LEAST_ORDER + ORDER_PER_LOG ln(1/rtol), between 7 and 30 or so. */
enum { LEAST_ORDER = 3, MOST_ORDER = 40 };
#define ORDER_PER_LOG 0.9
/* No tolerance is below the rounding of one term. */
#define LEAST_RTOL (0.5 * DBL_EPSILON)
/*
 * Rounding errors of a coefficient and of Horner's rule, of which at most some eight count fully
 * where terms fall off; over the sum of the terms, and over that of the products they come from.
 */
#define ROUGH_ROUNDINGS 16.0
#define ROUNDINGS 4.0
/* A step that ends where a guard's sign is in doubt is shortened, this often at most. */
#define SHORTENED 0.8125
enum { SHORTENINGS = 3 };
/* Squarings of M in the estimate of the growth of coefficients: the norm of M^8. */
enum { SQUARINGS = 3 };
/* Parts of a step in which extremes are looked for. */
enum { LEAST_NODES = 4 };

enum { MOST_COLUMNS = IC_MAX_STATES + 2 };

/* Coefficients of one component stand together, for as many powers as a multiple of this. */
enum { LANES = 4, STRIDE = (MOST_ORDER + LANES) / LANES * LANES };

/** A number in a sparse row. */
typedef struct entry {
    /* where the coefficients of its column begin: column x STRIDE */
    size_t at;

    double value;
} entry;

/** Rows of a sparse matrix: row i from entries[first[i]] to entries[first[i + 1]]. */
typedef struct sparse {
    entry *entries;
    size_t *first;
} sparse;

/** Form of a mode, computed once. */
typedef struct mode_form {
    ic_linear_view view;

    /* n, or n + 2 with forcing */
    size_t columns;

    /* 1/s; ||M^8||^(1/8) */
    double rate;

    /* s; tau */
    double unit;

    /* tau M */
    sparse field;

    /* tau b */
    double *constant;

    /* one row each, over z */
    sparse guards;

    /* a guard depends on the forcing */
    bool shown;
} mode_form;

typedef struct taylor {
    /* by mode number */
    mode_form *modes;

    size_t n_modes, n;
    const mode_form *mode;
    double rtol;
    int order;

    /* the start of the step */
    double t0, t0_rest;

    /* where the last step ended */
    double landed, landed_rest;

    /* length of the step over tau */
    double reach;

    /* of reach */
    double powers[MOST_ORDER + 1];

    /* columns x STRIDE: coefficients */
    double *z;

    /* 1/(scale + |x|), 0 for what is not controlled */
    double *weight;

    /* of the guard that is searched; s is 1 at the end of the step */
    ic_polynomial polynomial;
} taylor;

/* ---- once for each mode */

static bool open_sparse(sparse *s, size_t rows, size_t most)
{
    s->entries = calloc(most + 1, sizeof *s->entries);
    s->first = calloc(rows + 1, sizeof *s->first);
    return s->entries != NULL && s->first != NULL;
}

static void close_sparse(sparse *s)
{
    free(s->entries);
    free(s->first);
}

/*
 * Row i is the next one that has no entries yet. Those that may be the largest, with components of
 * the size of their scales, stand first: terms that nearly cancel do so before small ones are added
 * (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed. (2002), 4.2), so that a
 * fast mode that is not excited is not excited by rounding either.
 */
static void append_row(sparse *s, size_t i, const double *row, size_t columns, const double *scale)
{
    const size_t first = s->first[i];
    size_t count = 0;
    for (size_t k = 0; k < columns; k++) {
        if (row[k] == 0) continue;
        size_t at = first + count++;
        for (; at > first; at--) {
            const entry before = s->entries[at - 1];
            if (fabs(before.value) * scale[before.at / STRIDE] >= fabs(row[k]) * scale[k]) break;
            s->entries[at] = before;
        }
        s->entries[at].at = k * STRIDE;
        s->entries[at].value = row[k];
    }
    s->first[i + 1] = first + count;
}

/* Row i of M. */
static void get_field_row(const mode_form *m, size_t i, double *row)
{
    const size_t n = m->view.n;
    for (size_t k = 0; k < m->columns; k++) row[k] = 0;
    if (i < n) {
        memcpy(row, m->view.a + i * n, n * sizeof *row);
        if (m->columns > n) row[n] = m->view.cosine[i], row[n + 1] = m->view.sine[i];
    } else {
        row[i == n ? n + 1 : n] = i == n ? -m->view.frequency : m->view.frequency;
    }
}

/* ||M^8||^(1/8), the greatest sum of a row, in units of the scales; 1/s. */
static double estimate_growth(const mode_form *m, const double *scale, double *matrix, double *square)
{
    const size_t c = m->columns;
    double norm = 0;
    for (size_t i = 0; i < c; i++) {
        get_field_row(m, i, matrix + i * c);
        for (size_t k = 0; k < c; k++) {
            matrix[i * c + k] *= scale[k] / scale[i];
        }
    }
    for (int power = 0; power < SQUARINGS; power++) {
        for (size_t i = 0; i < c; i++) {
            for (size_t k = 0; k < c; k++) {
                double sum = 0;
                for (size_t l = 0; l < c; l++) sum += matrix[i * c + l] * matrix[l * c + k];
                square[i * c + k] = sum;
            }
        }
        memcpy(matrix, square, c * c * sizeof *matrix);
    }
    for (size_t i = 0; i < c; i++) {
        double sum = 0;
        for (size_t k = 0; k < c; k++) sum += fabs(matrix[i * c + k]);
        norm = fmax(norm, sum);
    }
    return pow(norm, 1.0 / (1 << SQUARINGS));
}

static bool open_field(mode_form *m, const double *scale)
{
    const size_t n = m->view.n;
    double row[MOST_COLUMNS];
    m->constant = calloc(n, sizeof *m->constant);
    if (m->constant == NULL || !open_sparse(&m->field, m->columns, m->columns * m->columns)) return false;
    for (size_t i = 0; i < m->columns; i++) {
        get_field_row(m, i, row);
        for (size_t k = 0; k < m->columns; k++) row[k] *= m->unit;
        append_row(&m->field, i, row, m->columns, scale);
        if (i < n) m->constant[i] = m->unit * m->view.b[i];
    }
    return true;
}

static bool open_guards(mode_form *m, const ic_mode *mode, const double *scale)
{
    const size_t n = m->view.n;
    double row[MOST_COLUMNS] = {0};
    if (!open_sparse(&m->guards, mode->n_guards, mode->n_guards * m->columns)) return false;
    for (size_t i = 0; i < mode->n_guards; i++) {
        const ic_form *form = &m->view.guards[i];
        memcpy(row, form->state, n * sizeof *row);
        if (m->columns > n) row[n] = form->cosine, row[n + 1] = form->sine;
        m->shown = m->shown || form->cosine != 0 || form->sine != 0;
        append_row(&m->guards, i, row, m->columns, scale);
    }
    return true;
}

/* scale: typical magnitudes of the components of z */
static ic_status open_mode(mode_form *m, const ic_problem *problem, const ic_mode *mode, const double *scale,
                           ic_log *log)
{
    ic_error error = {""};
    if (!ic_linear_view_open(&m->view, problem, mode, &error)) {
        const bool no_memory = strcmp(error.text, ic_status_text(IC_NO_MEMORY)) == 0;
        ic_log_message(log, "mode '%s': %s", mode->name, error.text);
        return no_memory ? IC_NO_MEMORY : IC_UNSUPPORTED;
    }
    m->columns = m->view.n + (m->view.frequency != 0 ? 2 : 0);
    double *room = calloc(2 * m->columns * m->columns, sizeof *room);
    if (room == NULL) return IC_NO_MEMORY;
    m->rate = estimate_growth(m, scale, room, room + m->columns * m->columns);
    free(room);
    const double time_scale = ic_time_scale(problem);
    m->unit = m->rate > 0 && isfinite(m->rate) ? sqrt(time_scale / m->rate) : time_scale;
    return open_field(m, scale) && open_guards(m, mode, scale) ? IC_OK : IC_NO_MEMORY;
}

/* ---- the workspace */

static void close_workspace(taylor *s)
{
    for (size_t i = 0; s->modes != NULL && i < s->n_modes; i++) {
        ic_linear_view_close(&s->modes[i].view);
        close_sparse(&s->modes[i].field);
        close_sparse(&s->modes[i].guards);
        free(s->modes[i].constant);
    }
    free(s->modes);
    free(s->z);
    free(s->weight);
}

static ic_status open_workspace(taylor *s, const ic_problem *problem, const ic_options *options, ic_log *out)
{
    double scale[MOST_COLUMNS];
    const ic_options resolved = ic_options_resolved(problem, options);
    ic_state_scales(problem, scale);
    s->n = problem->system->n_states;
    scale[s->n] = scale[s->n + 1] = 1; /* cos w t, sin w t */
    s->n_modes = problem->variant->n_modes;
    s->landed = NAN;
    s->rtol = fmax(resolved.rtol, LEAST_RTOL);
    s->order = (int)fmin(fmax(ceil(LEAST_ORDER - ORDER_PER_LOG * log(s->rtol)), LEAST_ORDER), MOST_ORDER);
    s->modes = calloc(s->n_modes, sizeof *s->modes);
    s->z = calloc(STRIDE * (s->n + 2), sizeof *s->z);
    s->weight = calloc(s->n + 2, sizeof *s->weight);
    if (s->modes == NULL || s->z == NULL || s->weight == NULL) return IC_NO_MEMORY;
    for (size_t i = 0; i < s->n_modes; i++) {
        const ic_status status = open_mode(&s->modes[i], problem, &problem->variant->modes[i], scale, out);
        if (status != IC_OK) return status;
    }
    return IC_OK;
}

/* ---- the series of a step */

/* z_{j+1} = tau M z_j/(j + 1); the constant comes in with j = 0 alone. */
static void expand(taylor *s, const double *x)
{
    const mode_form *m = s->mode;
    double *const z = s->z;
    for (size_t i = 0; i < s->n; i++) z[i * STRIDE] = x[i];
    if (m->columns > s->n)
        ic_split_time_forcing(s->t0, s->t0_rest, m->view.frequency, &z[s->n * STRIDE], &z[(s->n + 1) * STRIDE]);
    for (int j = 0; j < s->order; j++) {
        const double *present = z + j, part = 1.0 / (j + 1);
        double *next = z + j + 1;
        const entry *e = m->field.entries;
        for (size_t i = 0; i < m->columns; i++, next += STRIDE) {
            double sum = 0;
            for (const entry *end = m->field.entries + m->field.first[i + 1]; e < end; e++) {
                sum += e->value * present[e->at];
            }
            *next = part * sum;
        }
        for (size_t i = 0; j == 0 && i < s->n; i++) z[i * STRIDE + 1] += m->constant[i];
    }
}

/* ||z_j||; NAN where z_j is not finite. */
static double take_norm(const taylor *s, int j)
{
    double norm = 0, sum = 0;
    for (size_t i = 0; i < s->mode->columns; i++) {
        const double term = s->z[i * STRIDE + (size_t)j];
        norm = fmax(norm, fabs(term) * s->weight[i]);
        sum += 0 * term;
    }
    return norm + sum;
}

/* (rtol/||z_j||)^(1/j) */
static double length_by_term(const taylor *s, double norm, int j)
{
    return norm > 0 ? pow(s->rtol / norm, 1.0 / j) : INFINITY;
}

/* Length of a step, over tau; INFINITY where the series ends, NAN where it is not finite. */
static double step_length(taylor *s, const ic_phase *phase)
{
    const int p = s->order;
    for (size_t i = 0; i < s->n; i++) s->weight[i] = 1 / (phase->scale[i] + fabs(phase->x[i]));
    for (size_t i = s->n; i < s->mode->columns; i++) s->weight[i] = s->mode->shown ? 1 : 0;
    const double last = take_norm(s, p), before = take_norm(s, p - 1), two_before = take_norm(s, p - 2);
    if (!isfinite(last + before + two_before)) return NAN;
    const double length = fmin(length_by_term(s, last, p), length_by_term(s, before, p - 1));
    if (!(last > 0 && two_before > 0)) return length;
    return fmin(length, 0.5 * (p + 1) * sqrt(two_before / (p * (p - 1) * last)));
}

/* State at s, over tau. Every fourth power makes a chain of its own, in r = s^4. */
static void state_at(const taylor *t, double s, double *x)
{
    const double square = s * s, r = square * square;
    for (size_t i = 0; i < t->n; i++) {
        const double *z = t->z + i * STRIDE;
        double sum[LANES] = {0};
        for (int j = t->order / LANES * LANES; j >= 0; j -= LANES) {
            for (int k = 0; k < LANES; k++) sum[k] = sum[k] * r + z[j + k];
        }
        x[i] = sum[0] + s * (sum[1] + s * (sum[2] + s * sum[3]));
    }
}

static void interpolate(void *self, double t, double *x)
{
    const taylor *s = self;
    state_at(s, fmax(t - s->t0 - s->t0_rest, 0) / s->mode->unit, x);
}

/* ---- events within a step */

/*
 * Rounding errors of the coefficients of guard i. What rounds off in z_j is estimated from the
 * product that z_j comes from.
 */
static void take_careful_errors(const taylor *s, size_t i, ic_polynomial *p)
{
    const mode_form *m = s->mode;
    const sparse *field = &m->field, *guards = &m->guards;
    for (int j = 0; j <= p->degree; j++) {
        double sum = j == 0 ? fabs(m->view.guards[i].constant) : 0;
        for (size_t k = guards->first[i]; k < guards->first[i + 1]; k++) {
            const size_t row = guards->entries[k].at / STRIDE;
            double moduli = j == 0                 ? fabs(s->z[row * STRIDE])
                            : j == 1 && row < s->n ? fabs(m->constant[row])
                                                   : 0;
            for (size_t l = field->first[row]; j > 0 && l < field->first[row + 1]; l++) {
                moduli += fabs(field->entries[l].value * s->z[field->entries[l].at + (size_t)j - 1]) / j;
            }
            sum += fabs(guards->entries[k].value) * moduli;
        }
        p->error[j] = ROUNDINGS * DBL_EPSILON * sum * s->powers[j];
    }
}

/* Guard i in powers of parts of the step. */
static void take_guard(void *self, size_t i, int order, bool careful, ic_polynomial *p)
{
    const taylor *s = self;
    const sparse *guards = &s->mode->guards;
    p->degree = s->order;
    p->rough = !careful;
    memset(p->c, 0, sizeof(double[MOST_ORDER + 1]));
    memset(p->error, 0, sizeof(double[MOST_ORDER + 1]));
    p->c[0] = s->mode->view.guards[i].constant;
    p->error[0] = fabs(p->c[0]);
    for (size_t k = guards->first[i]; k < guards->first[i + 1]; k++) {
        const double factor = guards->entries[k].value, *z = s->z + guards->entries[k].at;
        for (int j = 0; j <= p->degree; j++) {
            const double term = factor * z[j];
            p->c[j] += term;
            p->error[j] += fabs(term);
        }
    }
    for (int j = 0; j <= p->degree; j++) {
        p->c[j] *= s->powers[j];
        p->error[j] *= ROUGH_ROUNDINGS * DBL_EPSILON * s->powers[j];
    }
    if (careful) take_careful_errors(s, i, p);
    for (int j = 0; j < order; j++) p->c[j] = p->error[j] = 0;
}

static double time_of(const void *self, double part)
{
    const taylor *s = self;
    return s->t0 + part * s->reach * s->mode->unit;
}

static void state_of(const void *self, double part, double *x)
{
    const taylor *s = self;
    state_at(s, part * s->reach, x);
}

/* The first event of the step, as a part of it. */
static ic_status find_first_event(taylor *s, ic_phase *phase, double *at, bool *blurred)
{
    const ic_part part = {s, s->reach * s->mode->unit, take_guard, time_of, state_of};
    double power = 1;
    for (int j = 0; j <= s->order; j++, power *= s->reach) s->powers[j] = power;
    return ic_part_first_event(&part, phase, &s->polynomial, at, blurred);
}

/* ---- the method */

static ic_status begin_phase(void *self, ic_phase *phase)
{
    taylor *s = self;
    s->mode = &s->modes[phase->mode_index];
    return IC_OK;
}

/* Logs the step, and moves to s (in units of tau) or to t_stop. */
static ic_status move_to(taylor *t, ic_phase *phase, double s, bool stops)
{
    double time = phase->t_stop, rest = 0;
    if (!stops) ic_split_time_add(t->t0, t->t0_rest, s * t->mode->unit, &time, &rest);
    const int nodes = LEAST_NODES + (int)ceil(fmin(s * t->mode->unit * t->mode->rate, t->order));
    const ic_status status = ic_phase_observe(phase, t->t0, time, nodes, interpolate, t);
    if (status != IC_OK) return status;
    state_at(t, s, phase->x);
    phase->work->steps++;
    phase->t = t->landed = time;
    t->landed_rest = rest;
    return IC_OK;
}

/* Expands the series from the current state, and sets how far it is followed at most. */
static ic_status begin_step(taylor *s, const ic_phase *phase, bool *stops)
{
    const ic_options *options = phase->options;
    if (phase->work->steps >= options->max_steps) return IC_TOO_MUCH_WORK;
    s->t0 = phase->t;
    s->t0_rest = phase->t == s->landed ? s->landed_rest : 0;
    expand(s, phase->x);
    phase->work->flow_calls += s->order;
    double length = step_length(s, phase);
    if (isnan(length)) return IC_NOT_FINITE;
    if (options->step > 0) length = fmin(length, options->step / s->mode->unit);
    const double left = (phase->t_stop - s->t0 - s->t0_rest) / s->mode->unit;
    *stops = length >= left;
    s->reach = *stops ? left : length;
    const bool moves = s->t0 + s->reach * s->mode->unit > s->t0 + 2 * DBL_EPSILON * fabs(s->t0);
    return *stops || moves ? IC_OK : IC_STEP_TOO_SMALL;
}

/* One step: to an event, to t_stop, or to the end of the reach of the series. */
static ic_status take_step(taylor *s, ic_phase *phase, bool *stops)
{
    double part = 1;
    bool blurred = false;
    ic_status status = begin_step(s, phase, stops);
    for (int i = 0; status == IC_OK; i++) {
        status = find_first_event(s, phase, &part, &blurred);
        if (phase->fired >= 0 || !blurred || *stops || i == SHORTENINGS) break;
        s->reach *= SHORTENED;
    }
    if (status != IC_OK || (phase->fired >= 0 && part <= 0)) return status;
    if (phase->fired >= 0) return move_to(s, phase, part * s->reach, false);
    for (size_t i = 0; i < phase->mode->n_guards; i++) {
        if (phase->arrival[i] != 0) phase->arming[i] = (ic_arming){.side = phase->arrival[i]};
    }
    return move_to(s, phase, s->reach, *stops);
}

static ic_status advance_phase(void *self, ic_phase *phase)
{
    taylor *s = self;
    bool stops = false;
    phase->fired = -1;
    while (phase->t < phase->t_stop && !stops) {
        const ic_status status = take_step(s, phase, &stops);
        if (status != IC_OK || phase->fired >= 0) return status;
    }
    return IC_OK;
}

static ic_status solve_taylor(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    static const ic_method method = {.begin = begin_phase, .advance = advance_phase};
    taylor workspace = {.modes = NULL};
    ic_status status = open_workspace(&workspace, problem, options, log);
    if (status == IC_OK) status = ic_event_loop(log, problem, options, &method, &workspace);
    close_workspace(&workspace);
    return status;
}

const ic_solver ic_solver_taylor = {
    IC_ABI(ic_solver),
    .name = "taylor",
    .title = "Taylor series of piecewise linear systems, order by tolerance, every crossing of its polynomials",
    .source = "Jorba & Zou 2005",
    .needs = IC_NEEDS_LINEAR_VIEW,
    .order = 0,
    .control = IC_CONTROL_RTOL,
    .solve = solve_taylor,
};
