/* SPDX-License-Identifier: MIT */
/**
 * Taylor series: of piecewise linear systems, and of any equations that are given as operations.
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
 * with the zeros of M left out. The unit of time tau only keeps the powers in range: it is the
 * geometric mean of the case's typical time and 1/||M^8||^(1/8). The phase of the forcing is that
 * of t0 itself in each step, and the rounding error of a time that is written as one number is
 * carried along.
 *
 * Step (Jorba & Zou 2005, 3.2): the order p follows from the tolerance alone, the length from the
 * last two terms,
 *
 *     s = min over j = p-1, p of (rtol/||z_j||)^(1/j),    ||z_j|| = max_i |z_ji|/(scale_i + |x_i|),
 *     s <= (p + 1)/(2 r),    r^2 = p (p-1) ||z_p||/||z_{p-2}||.
 *
 * r is the rate of the motion that the last terms show, ||z_{j+1}|| being about r ||z_j||/(j + 1): the terms that are
 * left out fall at least by half, one after the other. No step is ever rejected. The order of Jorba & Zou,
 * ln(1/rtol)/2 + 1, is that of series which converge in a circle. These converge everywhere, and the fixed cost of a
 * step is that of some twenty terms. The order is bounded because the terms of a decaying solution cancel.
 *
 * Events. Each guard along a step is a polynomial in s, and its zeros are those of the method's own
 * solution, with no interpolant between: every crossing is found by bounds and located by Halley's
 * iteration (solvers/linear/first_event.h; contract, clause 7); the state there is the value of the
 * series. Rounding errors are first estimated from the terms of the guard; if the sign of the guard
 * is then in doubt, from the products of which the terms consist. A touch that cannot be distinguished from a pair of
 * crossings is noted (clause 8). A step does not end where a guard's sign is hidden by rounding.
 *
 * Equations. Where a mode has no linear view but equations (those of case files have), the coefficients of
 * states and guards follow from recurrences of each operation (solvers/series). Their number is less than
 * that of affine flows, guards count in the norm ||z_j|| by the size of their terms, and tau is the length of
 * the last step. r is then the less of two pairs, as terms oscillate. Rounding errors of a guard are first
 * estimated from its coefficients, and where that leaves a doubt, or the guard leaves a zero, by carrying an
 * error along with each coefficient. A kink that is not an event (|x| in a guard) ends the step at its turn.
 *
 * A step is shortened until terms that its coefficients do not show have no effect within it
 * (solvers/series/hidden.h), and until the flow and the guards agree with their series at its end.
 *
 * Branch points. d^(3/2) and its rate have no series in t where d = 0, as at the onset of a contact. The equations are
 * then regularised (solvers/series/root.h): in each step if d is the base of all powers and a sum of states; otherwise
 * where the branch point that is next shortens the step, if it becomes longer. sqrt(y^2) is |y|, a kink. Where that is
 * not possible, the first step of a phase that starts there (within rounding) is one in s with t = t0 + tau s^2. Later
 * steps grow with the distance from it. A step from or to a branch point of any power holds the power constant, as long
 * as the flow and the guards agree with their series. Where the flow has no value beyond the point and no event ends
 * the mode, the run stops there.
 *
 * Work counts: a flow call is one coefficient z_{j+1}, one product M z or one pass through the recurrences; a guard
 * call is one evaluation of a guard's polynomial with its derivatives.
 */
#include "core/compiled_case.h"
#include "core/event_loop.h"
#include "core/linear_view.h"
#include "core/model.h"
#include "core/numbers.h"
#include "core/pair.h"
#include "solvers/linear/first_event.h"
#include "solvers/linear/split_time.h"
#include "solvers/series/hidden.h"
#include "solvers/series/method.h"
#include "solvers/series/root.h"
#include "solvers/series/series.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Order p = LEAST_ORDER + ORDER_PER_LOG ln(1/rtol), which is between about 8 and 40. */
enum { LEAST_ORDER = 3, MOST_ORDER = IC_SERIES_ORDER };
#define ORDER_PER_LOG 1.1
/* Least tolerance: the rounding of one term. */
#define LEAST_RTOL (0.5 * DBL_EPSILON)
/* Rounding errors, of which at most eight or so count fully if terms decrease: of the sum of the terms, of products. */
#define ROUGH_ROUNDINGS 16.0
#define ROUNDINGS 4.0
/* Factor by which, and times that, a step is shortened because a guard's sign is in doubt at its end. */
#define SHORTENED 0.8125
enum { SHORTENINGS = 3 };
/* Squarings of M in the estimate of the growth of coefficients: the norm of M^8. */
enum { SQUARINGS = 3 };
/*
 * The same for equations, whose series converge in a circle, at a cost that grows with the square of the order; and
 * for those that end at a branch point (Jorba & Zou), which coefficients of high index show late.
 */
#define SERIES_ORDER_PER_LOG 0.9
#define BRANCH_ORDER_PER_LOG 0.5
/* Factor by which terms of a series may exceed the powers of the tolerance. */
#define SLOWEST_FALL 4.0
/* Least length by the fall of terms, in lengths by the tolerance: terms that grow by more are rounding errors. */
#define LEAST_FALL 1e-2
/* A step counts as shortened by a branch point if that is within so many of its lengths; powers are held within more. */
#define NEAR_LENGTHS 2
#define BRANCH_LENGTHS 8
/* Powers that could not be held are tried again when steps are shorter than then by this factor. */
#define TRIED_AGAIN 0.125
/* Powers are then held whose branch points are within so many lengths. Others are continued. */
#define HOLD_LENGTHS 512
/* Fraction of the way to a branch point at which the flow is evaluated. */
#define BEFORE_BRANCH (1 - 1e-6)
/* Trials of a step from a branch point (t^(1/4) within 1e-16 needs 1e-64), and limits of the factor between two. */
enum { BRANCH_TRIALS = 80 };
#define LEAST_FACTOR 0.1
#define MOST_FACTOR 0.7
/* After so many steps at the resolution of time in a row, one of so many units of it passes a branch point. */
enum { MOST_CREEPS = 16, CREEP_ULPS = 8 };

/* A run ends after so many steps in a row that are shorter than this part of the longest one since the last event. */
#define CRAWL 1e-3
enum { MOST_CRAWLS = 20000 };
/* Greatest difference between a function and its series, in tolerances; number of times that a step is halved. */
#define MOST_LACKING 20.0
enum { MOST_HALVINGS = 60 };
/* Part of its value that counts as a guard's size, as that of a force that begins like an exponential and grows. */
#define GROWN 1e-3
/* Rounding errors of both, as a tolerance. */
#define LEAST_DEFECT (2 * DBL_EPSILON)
/* Parts of a step at which functions are compared with their series, beside its end. */
static const double nodes_within[] = {0.38, 0.76};
/* Greatest power of a step's length in units of tau, which does not overflow, and of such a length at MOST_ORDER. */
#define MOST_POWER 1e290
#define FARTHEST 1e7
/* Order of the series that decide on which sides of kinks a phase with a regularised tape begins. */
enum { SIDES_ORDER = 6 };
/* Greatest number of iterations that find the place of a time in a regularised step. */
enum { REACH_ITERATIONS = 100 };
/* a_0 a_2/a_1^2 is 1/4 at a double zero: S falls like an exponential of tau, and the root is a modulus. */
#define DOUBLE_ZERO 0.125
/* A guard touches zero with d if it is below this part of its size. */
#define TOUCHES 1e-9
/* S counts as zero if d is below so many rounding errors of its terms. */
#define ROOT_ROUNDINGS 4.0
/* Events are searched for up to slightly beyond a turn, so that one with its zero there is found only once. */
#define BEYOND_TURN (1 + 1e-9)
/* Newton's steps from the zero of a guard's series to that of the guard: one or two, and one that shows the last. */
enum { MOST_REFINEMENTS = 4 };
/* Least value of a guard at the zero of its series, in sizes of its terms, that is a jump of the guard and no error. */
#define LEAST_JUMP 1e-2
/* A rate decides to which side a row leaves zero if it is above so many rounding errors. */
#define CLEAR_RATE 4.0
/* Greatest number of turns of each kink without a step. */
enum { MOST_TURNS = 4 };
/* Number of parts of a step in which extremes are searched for. */
enum { LEAST_NODES = 4 };

enum { MOST_COLUMNS = IC_MAX_STATES + 2, SIZES = -2 };

/* Number of coefficients of one component, a multiple of this number of powers. */
enum { LANES = 4, STRIDE = IC_SERIES_STRIDE };

/** A number in a sparse row. */
typedef struct series_entry {
    /* Index at which the coefficients of its column begin: column x STRIDE. */
    size_t at;

    double value;
} series_entry;

/** Rows of a sparse matrix: row i from entries[first[i]] to entries[first[i + 1]]. */
typedef struct sparse {
    series_entry *entries;
    size_t *first;
} sparse;

/** A row of tau M that is not zero: index at which its coefficients begin, and its entries. */
typedef struct moving_row {
    size_t at;
    const series_entry *first, *end;
} moving_row;

/** Form of a mode, computed when it is first visited. */
typedef struct series_mode {
    bool is_open;

    /* Equations of a mode without a linear view; NULL: it has one, and the fields below are set. */
    const ic_equations *equations;

    ic_linear_view view;

    /* n, or n + 2 with forcing */
    size_t columns;

    /* ||M^8||^(1/8), 1/s */
    double rate;

    /* tau, s */
    double unit;

    /* tau M, and its rows for the states */
    sparse field;
    moving_row *moving;
    size_t n_moving;

    /* tau b */
    double *constant;

    /* Rows of the guards, over z. */
    sparse guards;

    /* True if a guard depends on the forcing. */
    bool shown;
} series_mode;

typedef struct taylor {
    /* A workspace is kept for the next run of the same problem. */
    ic_kept kept;

    /* Modes by number. */
    series_mode *modes;

    /* typical magnitudes of the components of z */
    double *scale;

    /* typical time, s */
    double time_scale;

    size_t n_modes, n;
    const series_mode *mode;
    double rtol;

    /* of this step */
    int order;

    /* of affine flows */
    int linear_order;

    /* of series without branch points */
    int series_order;

    /* of series with branch points */
    int branch_order;

    /* tau, s */
    double unit;

    /* of the motion, 1/s */
    double rate;

    /* the start of the step */
    double t0, t0_rest;

    /* where the last step ended */
    double landed, landed_rest;

    /* length of the step divided by tau */
    double reach;

    /* that up to which the series of a regularised step are followed */
    double root_end;

    /* the zero of S in a regularised step; INFINITY: it has none */
    double root_zero;

    /* Powers of `reach`. */
    double powers[MOST_ORDER + 1];

    /* Coefficients, columns x STRIDE: those in `rows`, or those of the series. */
    double *z, *rows;

    /* The state at `end_at`, in units of tau; NAN: it is not known. */
    double end[IC_MAX_STATES], end_at;

    /* rtol^(1/p), and that p */
    double part;
    int part_order;

    /* ||z_j|| */
    double norms[MOST_ORDER + 1];

    /* NAN if the last terms are not finite, otherwise 0 */
    double unknown;

    /* 1/(scale + |x|); 0 for components that are not controlled. */
    double *weight;

    /* Polynomial of the guard that is searched; s is 1 at the end of the step. */
    ic_polynomial polynomial;

    /* of modes without a linear view */
    ic_series series;

    /* for its tapes */
    size_t series_room;

    /* by mode without a linear view */
    ic_tape *tapes;

    /* tau from one phase to the next */
    double series_unit;

    /* of the phase */
    ic_tape *tape;

    /* by mode: its regularised form */
    ic_root *roots;

    /* that of the phase */
    ic_root *root;

    /* whether that is carried out in this step */
    bool is_rooted;

    /* the row for which it was carried out in the last one, if d is one of several; -1: it was not */
    int base;

    /* typical size of d */
    double base_scale;

    /* By mode: tau of the regularised form. */
    double *root_units;

    /* what the series does not show */
    ic_series_hidden hidden;

    /* by result: the inverse of the error that matters */
    double *importance;

    /* By guard: the size of its terms, and whether it is known in this phase. */
    double *size;
    bool sized;

    /* By guard: true if the step does not show how it leaves a zero. */
    bool *hides_side;

    /* by guard: whether it cannot fire in this phase */
    bool *idle;

    /* NULL: a run begins. */
    ic_phase *phase;

    /* Rounding errors of this step are known up to this coefficient. -1: of none. SIZES: the array has sizes instead. */
    int estimated;

    /* True if no step has been taken yet since the phase began or a kink turned. */
    bool begins;

    /* True if a step from a branch point was useless since then. */
    bool branch_is_behind;

    /* True if powers are held in this step. */
    bool is_held;

    /* Length of the last step since then for which no power could be held, s; INFINITY: there is none. */
    double unheld;

    /* Number of turns of kinks since the last step. */
    size_t turns;

    /* Number of steps at the resolution of time in a row. */
    int creeps;

    /* longest step of the phase, s */
    double longest;

    /* number of much shorter steps in a row */
    int crawls;
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
 * Appends a row, whose index is that of the next row without entries. Entries that may be the
 * largest, with components of the size of their scales, come first: terms that nearly cancel do so
 * before small ones are added (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd
 * ed. (2002), 4.2), so that rounding does not excite a fast mode.
 */
static void append_row(sparse *s, size_t i, const double *row, size_t columns, const double *scale)
{
    const size_t first = s->first[i];
    size_t count = 0;
    for (size_t k = 0; k < columns; k++) {
        if (row[k] == 0) continue;
        size_t at = first + count++;
        for (; at > first; at--) {
            const series_entry before = s->entries[at - 1];
            if (fabs(before.value) * scale[before.at / STRIDE] >= fabs(row[k]) * scale[k]) break;
            s->entries[at] = before;
        }
        s->entries[at].at = k * STRIDE;
        s->entries[at].value = row[k];
    }
    s->first[i + 1] = first + count;
}

/* Row i of M. */
static void get_field_row(const series_mode *m, size_t i, double *row)
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
static double estimate_growth(const series_mode *m, const double *scale, double *matrix, double *square)
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
        memset(square, 0, c * c * sizeof *square);
        for (size_t i = 0; i < c * c; i++) {
            if (matrix[i] == 0) continue; /* most numbers are */
            for (size_t k = 0; k < c; k++) square[i / c * c + k] += matrix[i] * matrix[i % c * c + k];
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

static bool open_field(series_mode *m, const double *scale)
{
    const size_t n = m->view.n;
    double row[MOST_COLUMNS];
    m->constant = calloc(n, sizeof *m->constant);
    m->moving = calloc(n, sizeof *m->moving);
    if (m->constant == NULL || m->moving == NULL ||
        !open_sparse(&m->field, m->columns, m->columns * m->columns))
        return false;
    for (size_t i = 0; i < m->columns; i++) {
        get_field_row(m, i, row);
        for (size_t k = 0; k < m->columns; k++) row[k] *= m->unit;
        append_row(&m->field, i, row, m->columns, scale);
        if (i < n) m->constant[i] = m->unit * m->view.b[i];
    }
    for (size_t i = 0; i < n; i++) {
        const series_entry *first = m->field.entries + m->field.first[i];
        const series_entry *end = m->field.entries + m->field.first[i + 1];
        if (first < end) m->moving[m->n_moving++] = (moving_row){i * STRIDE, first, end};
    }
    return true;
}

static bool open_guards(series_mode *m, const ic_mode *mode, const double *scale)
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

static ic_status open_mode(const taylor *s, const ic_problem *problem, int i, ic_log *log)
{
    series_mode *m = &s->modes[i];
    const ic_mode *mode = &problem->variant->modes[i];
    ic_error error = {""};
    m->is_open = true;
    if (!ic_linear_view_open(&m->view, problem, mode, &error)) {
        const bool no_memory = strcmp(error.text, ic_status_text(IC_NO_MEMORY)) == 0;
        m->equations = mode->equations;
        if (m->equations != NULL && m->equations->n_results != problem->system->n_states + mode->n_guards)
            m->equations = NULL; /* These are equations of a case with other states. */
        m->columns = problem->system->n_states;
        if (!no_memory && m->equations != NULL) return IC_OK;
        ic_log_message(log, "mode '%s': %s; it has no equations either", mode->name, error.text);
        return no_memory ? IC_NO_MEMORY : IC_UNSUPPORTED;
    }
    m->columns = m->view.n + (m->view.frequency != 0 ? 2 : 0);
    double *room = calloc(2 * m->columns * m->columns, sizeof *room);
    if (room == NULL) return IC_NO_MEMORY;
    m->rate = estimate_growth(m, s->scale, room, room + m->columns * m->columns);
    free(room);
    m->unit = m->rate > 0 && isfinite(m->rate) ? sqrt(s->time_scale / m->rate) : s->time_scale;
    return open_field(m, s->scale) && open_guards(m, mode, s->scale) ? IC_OK : IC_NO_MEMORY;
}

/* ---- the workspace */

static void close_workspace(taylor *s)
{
    for (size_t i = 0; s->modes != NULL && i < s->n_modes; i++) {
        ic_linear_view_close(&s->modes[i].view);
        close_sparse(&s->modes[i].field);
        close_sparse(&s->modes[i].guards);
        free(s->modes[i].constant);
        free(s->modes[i].moving);
    }
    for (size_t i = 0; s->modes != NULL && i < s->n_modes; i++) ic_tape_close(&s->tapes[i]);
    for (size_t i = 0; s->modes != NULL && i < s->n_modes; i++) ic_root_close(&s->roots[i]);
    ic_series_close(&s->series);
    free(s->hidden.errors);
    free(s->modes); /* all arrays */
}

/* Places all arrays in a block; returns its size. */
static size_t place_arrays(taylor *s, char *block, size_t guards)
{
    size_t used = 0;
#define PLACE(array, n) s->array = ic_tape_place(block, &used, n, sizeof *s->array)
    PLACE(modes, s->n_modes);
    PLACE(rows, STRIDE * (s->n + 2));
    PLACE(weight, s->n + 4);
    PLACE(scale, s->n + 2);
    PLACE(tapes, s->n_modes);
    PLACE(roots, s->n_modes);
    PLACE(root_units, s->n_modes);
    PLACE(size, guards);
    PLACE(importance, s->n + 2 + guards);
    PLACE(hides_side, guards);
    PLACE(idle, guards);
#undef PLACE
    return used;
}

static int order_for(double rtol, double order_per_log)
{
    return (int)fmin(fmax(ceil(LEAST_ORDER - order_per_log * log(rtol)), LEAST_ORDER), MOST_ORDER);
}

static ic_status open_workspace(taylor *s, const ic_problem *problem, ic_log *out)
{
    s->n = problem->system->n_states;
    s->n_modes = problem->variant->n_modes;
    size_t guards = 1;
    for (size_t i = 0; i < s->n_modes; i++) {
        if (problem->variant->modes[i].n_guards > guards) guards = problem->variant->modes[i].n_guards;
    }
    char *block = calloc(1, place_arrays(s, NULL, guards));
    place_arrays(s, block, guards);
    if (block == NULL) return IC_NO_MEMORY;
    s->scale[s->n] = s->scale[s->n + 1] = 1; /* cos w t, sin w t */
    /* a mode without equations may be unsupported, which is found before the run */
    for (size_t i = 0; i < s->n_modes; i++) {
        if (problem->variant->modes[i].equations != NULL) continue;
        ic_state_scales(problem, s->scale);
        s->time_scale = ic_time_scale(problem);
        const ic_status status = open_mode(s, problem, (int)i, out);
        if (status != IC_OK) return status;
    }
    return IC_OK;
}

/* Sets what a run begins with. */
static void begin_run(taylor *s, const ic_phase *phase)
{
    memcpy(s->scale, phase->scale, s->n * sizeof *s->scale);
    s->time_scale = phase->time_scale;
    s->landed = s->end_at = NAN;
    s->rtol = fmax(phase->options->rtol, LEAST_RTOL);
    s->order = s->linear_order = order_for(s->rtol, ORDER_PER_LOG);
    s->series_order = order_for(s->rtol, SERIES_ORDER_PER_LOG);
    s->branch_order = order_for(s->rtol, BRANCH_ORDER_PER_LOG);
    s->part_order = 0;
    s->series_unit = s->time_scale;
    for (size_t i = 0; i < s->n_modes; i++) s->root_units[i] = 0;
}

/* ---- the series of a step */

/* A row of tau M times z_j, which is `z`. */
static inline double dot_row(const moving_row *r, const double *z)
{
    double sum = r->first->value * z[r->first->at];
    for (const series_entry *e = r->first + 1; e < r->end; e++) sum += e->value * z[e->at];
    return sum;
}

/* The forcing: z_n = cos(phase + w tau s), z_{n+1} = sin(phase + w tau s). */
static void expand_forcing(taylor *s, double *cosine, double *sine)
{
    const double angle = s->mode->view.frequency * s->unit;
    ic_split_time_forcing(s->t0, s->t0_rest, s->mode->view.frequency, cosine, sine);
    for (int j = 1; j <= s->order; j++) {
        const double part = angle / j;
        cosine[j] = -part * sine[j - 1];
        sine[j] = part * cosine[j - 1];
    }
}

/* z_{j+1} = tau M z_j/(j + 1); the constant is added for j = 0 only. */
static void expand_linear_mode(taylor *s, const double *x)
{
    const series_mode *m = s->mode;
    const moving_row *const rows = m->moving, *const end = rows + m->n_moving;
    double *const z = s->z;
    memset(z, 0, s->n * sizeof(double[STRIDE]));
    for (size_t i = 0; i < s->n; i++) {
        z[i * STRIDE] = x[i];
        z[i * STRIDE + 1] = m->constant[i];
    }
    if (m->columns > s->n) expand_forcing(s, &z[s->n * STRIDE], &z[(s->n + 1) * STRIDE]);
    for (const moving_row *r = rows; r < end; r++) z[r->at + 1] += dot_row(r, z);
    for (int j = 1; j < s->order; j++) {
        const double part = 1.0 / (j + 1);
        bool ends = m->columns == s->n;
        for (const moving_row *r = rows; r < end; r++) {
            const double next = part * dot_row(r, z + j);
            z[r->at + (size_t)j + 1] = next;
            ends = ends && next == 0;
        }
        /* a polynomial: with three more coefficients, which are zero, the length of the step is unlimited */
        if (ends && j + 3 < s->order) s->order = j + 3;
    }
}

/* Guard i in a mode without a linear view. */
static const ic_series_value *series_guard(const taylor *s, size_t i)
{
    return &s->series.tape->results[s->series.tape->n + i];
}

/* The size of its terms; S is of the size of the root of d. */
static double guard_size(const taylor *s, size_t i)
{
    return s->is_rooted && s->root->is_root[i] ? ic_root_of(s->root, s->size[i]) : s->size[i];
}

/* Coefficients of guard i in a mode without a linear view; NULL: it is a constant, or cannot fire. */
static const double *guard_row(const taylor *s, size_t i)
{
    const ic_series_value guard = *series_guard(s, i);
    return guard.row < 0 ? NULL : ic_series_row(s->series.c, guard.row);
}

/* The inverse of that size, or of a part of the guard's value that exceeds it. */
static double guard_weight(const taylor *s, size_t i, double value)
{
    return s->size[i] > 0 ? 1 / fmax(guard_size(s, i), GROWN * fabs(value)) : 0;
}

/*
 * Lets a row, times its weight, count in ||z_j|| from j = first on. NAN where the last terms are not finite.
 */
static void add_to_norms(taylor *s, const double *row, double weight, int first)
{
    const int p = s->order;
    for (int j = first; j <= p; j++) {
        const double weighted = fabs(row[j]) * weight, known = s->norms[j];
        s->norms[j] = weighted > known ? weighted : known; /* fmax is a call */
    }
    s->unknown += 0 * row[p] + 0 * row[p - 1] + 0 * row[p - 2];
}

/* ||z_j|| for j = first .. p */
static void take_norms(taylor *s, const ic_phase *phase, int first)
{
    s->unknown = 0;
    for (int j = first; j <= s->order; j++) s->norms[j] = 0;
    for (size_t i = 0; s->mode->equations == NULL && i < s->mode->columns; i++)
        add_to_norms(s, s->z + i * STRIDE, s->weight[i], first);
    if (s->mode->equations == NULL) return;
    for (const ic_series_state *m = s->series.moving; m < s->series.moving + s->series.n_moving; m++)
        add_to_norms(s, m->y, s->weight[m->state], first);
    for (size_t i = 0; i < phase->mode->n_guards; i++) {
        const double *row = guard_row(s, i);
        if (row != NULL) add_to_norms(s, row, guard_weight(s, i, row[0]), first);
    }
}

/* (rtol/||z_j||)^(1/j) */
static double length_by_term(const taylor *s, double norm, int j)
{
    return norm > 0 ? pow(s->rtol / norm, 1.0 / j) : INFINITY;
}

/* Whether time is proportional to s^2 in this step. */
static bool is_squared(const taylor *t)
{
    return t->mode->equations != NULL && t->series.kind == IC_SERIES_SQUARED;
}

/* A length by the last two terms, limited by those before them: in the series of exp(t^4) the last two may be zero. */
static double length_by_earlier_terms(taylor *s, double length)
{
    const int p = s->order, first = p / 2;
    if (s->part_order != p) {
        s->part = pow(s->rtol, 1.0 / p);
        s->part_order = p;
    }
    const double part = s->part, factor = part / length;
    double bound = SLOWEST_FALL, shortest = length, power = factor;
    for (int left = first; left > 0; left /= 2, power *= power) {
        if (left % 2 != 0) bound *= power;
    }
    for (int j = first; j < p - 1; j++, bound *= factor) {
        const double norm = s->norms[j];
        if (norm > bound) shortest = fmin(shortest, part * pow(SLOWEST_FALL / norm, 1.0 / j));
    }
    return shortest;
}

/* The typical size of S: that of d has the scales of the states. */
static double size_of_root(const taylor *s)
{
    return ic_root_of(s->root, s->base_scale);
}

/* 1/r^2 by the terms j and j - 2; 0 or infinite: not known. */
static double square_of_fall(const taylor *s, int j)
{
    const double term = s->norms[j], before = s->norms[j - 2];
    return term > 0 ? before / (j * (j - 1) * term) : INFINITY;
}

/* Length of a step divided by tau; INFINITY if the series ends, NAN if it is not finite. */
static double step_length(taylor *s, const ic_phase *phase)
{
    const int p = s->order;
    for (size_t i = 0; i < s->n; i++) s->weight[i] = 1 / (phase->scale[i] + fabs(phase->x[i]));
    for (size_t i = s->n; i < s->mode->columns; i++) s->weight[i] = s->mode->shown ? 1 : 0;
    if (s->is_rooted) {
        s->weight[s->n] = 1 / size_of_root(s);
        s->weight[s->n + 1] = 1 / phase->time_scale;
    }
    take_norms(s, phase, s->mode->equations != NULL ? (p - 3 < p / 2 ? p - 3 : p / 2) : p - 2);
    const double last = s->norms[p], before = s->norms[p - 1], two_before = s->norms[p - 2];
    if (!isfinite(last + before + two_before + s->unknown)) return NAN;
    double length = fmin(length_by_term(s, last, p), length_by_term(s, before, p - 1));
    if (s->mode->equations != NULL) length = length_by_earlier_terms(s, length);
    /* In series in s^2, and in regularised ones at the onset of a contact, the terms between are rounding errors. */
    const bool has_gaps = is_squared(s) || s->is_rooted;
    double square = square_of_fall(s, p);
    if (has_gaps) s->rate = INFINITY;
    if (has_gaps || !(square > 0)) return length;
    if (s->mode->equations != NULL && square < INFINITY) s->rate = 1 / (sqrt(square) * s->unit);
    /* terms that oscillate about their fall: the slower fall of two */
    if (s->mode->equations != NULL && !s->tape->branches) square = fmax(square, square_of_fall(s, p - 1));
    const double fall = 0.5 * (p + 1) * sqrt(square);
    return fall < length && fall > LEAST_FALL * length ? fall : length;
}

/* The same in s^2 at a branch point, where most terms are zero: all of the last `gap` are below the tolerance. */
static double step_length_at_branch(taylor *s, const ic_phase *phase, int gap)
{
    double length = step_length(s, phase);
    if (isnan(length)) return NAN;
    take_norms(s, phase, s->order - gap);
    for (int j = s->order - gap; j < s->order; j++) length = fmin(length, length_by_term(s, s->norms[j], j));
    return length;
}

/* A row at s. Powers are summed in four chains, in s^4, one for each remainder of the exponent. */
static double row_at(const double *z, int order, double s)
{
    const double square = s * s, fourth = square * square;
    ic_pair low = {0, 0}, high = {0, 0};
    for (int j = order / LANES * LANES; j >= 0; j -= LANES) {
        low = low * fourth + ic_pair_at(z + j);
        high = high * fourth + ic_pair_at(z + j + 2);
    }
    return low[0] + s * (low[1] + s * (high[0] + s * high[1]));
}

/* The derivative of a row at s, in the same way. */
static double slope_at(const double *z, int order, double s)
{
    const double square = s * s, fourth = square * square;
    const int last = (order - 1) / LANES * LANES;
    ic_pair low = {0, 0}, high = {0, 0}, of_low = {last + 1, last + 2}, of_high = {last + 3, last + 4};
    for (int j = last; j >= 0; j -= LANES, of_low -= LANES, of_high -= LANES) {
        low = low * fourth + of_low * ic_pair_at(z + j + 1);
        high = high * fourth + of_high * ic_pair_at(z + j + 3);
    }
    return low[0] + s * (low[1] + s * (high[0] + s * high[1]));
}

/* Time that passes up to s. */
static double time_up_to(const taylor *t, double s)
{
    if (!t->is_rooted) return (is_squared(t) ? s * s : s) * t->unit;
    return s * row_at(t->z + (t->n + 1) * STRIDE + 1, t->order - 1, s);
}

/* The inverse function; INFINITY beyond a regularised series. Time grows with s, and like s^m at the onset. */
static double reach_in(const taylor *t, double time)
{
    if (!t->is_rooted) return is_squared(t) ? sqrt(time / t->unit) : time / t->unit;
    if (time > time_up_to(t, t->root_end)) return INFINITY;
    double low = 0, high = t->root_end, s = high * ic_root_of(t->root, time / time_up_to(t, high));
    for (int i = 0; i < REACH_ITERATIONS && high - low > DBL_EPSILON * high; i++) {
        const double differs = time_up_to(t, s) - time;
        if (differs > 0) high = s;
        else low = s;
        const double newton = s - differs / slope_at(t->z + (t->n + 1) * STRIDE, t->order, s);
        if (fabs(newton - s) <= DBL_EPSILON * s) return s;
        s = newton > low && newton < high ? newton : 0.5 * (low + high);
    }
    return s;
}

static void state_at(const taylor *t, double s, double *x)
{
    if (t->mode->equations == NULL) {
        for (size_t i = 0; i < t->n; i++) x[i] = row_at(t->z + i * STRIDE, t->order, s);
        return;
    }
    /* the others have constant rates */
    for (size_t i = 0; i < t->n; i++)
        x[i] = t->z[i * STRIDE] + s * (t->z[i * STRIDE + 1] + s * t->z[i * STRIDE + 2]);
    for (size_t i = 0; i < t->series.n_moving; i++) {
        const size_t state = (size_t)t->series.moving[i].state;
        if (state >= t->n) break; /* S and t of a regularised tape */
        x[state] = row_at(t->z + state * STRIDE, t->order, s);
    }
}

static void interpolate_state(void *self, double t, double *x)
{
    const taylor *s = self;
    state_at(s, reach_in(s, fmax(t - s->t0 - s->t0_rest, 0)), x);
}

/* ---- events within a step */

/* Coefficients in powers of parts of the step. A zero at 0 of the given order is divided out if p is rough. */
static void set_polynomial(const taylor *s, const double *c, int order, bool careful, ic_polynomial *p)
{
    const int from = careful ? 0 : order;
    double size = 0, sum = 0;
    ic_pair sizes = {0, 0}, sums = {0, 0};
    int j = from;
    for (; j < s->order; j += 2) {
        const ic_pair terms = ic_pair_at(c + j) * ic_pair_at(s->powers + j);
        ic_pair_store(p->c + (j - from), terms);
        sizes += (ic_pair){fabs(terms[0]), fabs(terms[1])};
        sums += terms;
    }
    for (; j <= s->order; j++) {
        p->c[j - from] = c[j] * s->powers[j];
        size = fabs(p->c[j - from]);
        sum = p->c[j - from];
    }
    size += sizes[0] + sizes[1];
    sum += sums[0] + sums[1];
    for (int k = from; k < order; k++) p->c[k] = 0;
    p->rough = !careful;
    p->degree = s->order - from;
    p->size = size;
    p->sum = sum;
}

/* Rounding errors of the coefficients of guard i: that of z_j is estimated from the product that gives z_j. */
static void take_careful_errors(const taylor *s, size_t i, ic_polynomial *p)
{
    const series_mode *m = s->mode;
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

/* Rounding errors of the coefficients up to `order`. */
static void estimate_errors(taylor *s, int order)
{
    double states[IC_MAX_STATES + 2];
    if (s->estimated >= order) return;
    for (size_t i = 0; i < s->series.tape->n; i++) states[i] = fabs(s->z[i * STRIDE]);
    ic_series_estimate(&s->series, order, s->unit, states);
    s->estimated = order;
}

/* A row in powers of parts of the step, like set_polynomial. `size` is that of its terms, for rough errors. */
static void take_row(taylor *s, const ic_series_value *term, double size, int order, bool careful,
                     ic_polynomial *p)
{
    static const double zeros[MOST_ORDER + 1];
    const bool varies = term->row >= 0;
    const double *row = varies ? ic_series_row(s->series.c, term->row) : zeros;
    if (careful) estimate_errors(s, s->order);
    set_polynomial(s, row, order, careful, p);
    p->slight = MOST_LACKING * s->rtol; /* The last event was located with this error. */
    if (!varies && order == 0) p->c[0] = p->sum = term->value, p->size = fabs(term->value);
    p->noise = ROUGH_ROUNDINGS * DBL_EPSILON * (p->size + (order == 0 ? size : 0));
    p->error[0] = ROUGH_ROUNDINGS * DBL_EPSILON * (fabs(p->c[0]) + size);
    for (int j = 0; careful && j <= p->degree; j++) {
        p->error[j] = varies ? DBL_EPSILON * s->powers[j] * ic_series_row(s->series.errors, term->row)[j] : 0;
        if (!isfinite(p->error[j])) p->error[j] = INFINITY; /* An unknown error hides all signs. */
    }
}

/* Adds the rounding error of the rate of a row to a rough polynomial from which a zero has been divided out. */
static void add_error_of_rate(taylor *s, const ic_series_value *term, ic_polynomial *p)
{
    estimate_errors(s, 1);
    p->error[0] += DBL_EPSILON * s->powers[1] * ic_series_row(s->series.errors, term->row)[1];
    p->noise += p->error[0];
}

/* Whether a guard leaves a zero without a rate, so that higher coefficients decide to which side. */
static bool has_hidden_side(ic_arming arming)
{
    return arming.order > 1 || (arming.order > 0 && arming.side == 0);
}

/* Whether held powers hide how a guard leaves a zero: at the end of the step its slope has not the sign of its rate. */
static bool is_departure_hidden(const taylor *s, size_t i, int order, const ic_polynomial *p)
{
    double x[IC_MAX_STATES], slope = 0;
    if (s->series.kind != IC_SERIES_HELD || !has_hidden_side(s->phase->arming[i])) return false;
    state_at(s, s->reach, x);
    const double rate = ic_phase_guard_rate(s->phase, i, s->t0 + time_up_to(s, s->reach), x);
    for (int j = order; j <= p->degree; j++) slope += j * p->c[j];
    return !(slope * rate > 0 || (slope == 0 && rate == 0));
}

/* Whether all terms of a row are zero, as those of bodies at rest are. */
static bool is_zero(const taylor *s, const ic_series_value *term)
{
    bool zero = term->row >= 0 || term->value == 0;
    for (int j = 0; term->row >= 0 && j <= s->order && zero; j++)
        zero = ic_series_row(s->series.c, term->row)[j] == 0;
    return zero;
}

/*
 * Guard i of a mode without a linear view. If it leaves a zero, its errors are needed, but for that of a clear rate.
 */
static void take_series_guard(void *self, size_t i, int order, bool careful, ic_polynomial *p)
{
    taylor *s = self;
    const ic_series_value *guard = series_guard(s, i);
    const bool plain = s->series.kind == IC_SERIES_PLAIN;
    const bool clear = order == 1 && guard->row >= 0 && plain && !has_hidden_side(s->phase->arming[i]);
    if (plain && is_zero(s, guard)) {
        *p = (ic_polynomial){.degree = s->order};
        s->hides_side[i] = false;
        return;
    }
    take_row(s, guard, guard_size(s, i), order, careful || (order > 0 && !clear), p);
    /* a rate that is clearly above the rounding errors, its own and those of the guard's terms, decides */
    if (p->rough && clear) add_error_of_rate(s, guard, p);
    if (p->rough) {
        s->hides_side[i] = false;
        return;
    }
    s->hides_side[i] = is_departure_hidden(s, i, order, p);
    const int without = s->hides_side[i] ? p->degree + 1 : order;
    for (int j = 0; j < without; j++) p->c[j] = p->error[j] = 0;
}

/* Guard i in powers of parts of the step; a zero at 0 of the given order is divided out if p is rough. */
static void take_guard(void *self, size_t i, int order, bool careful, ic_polynomial *p)
{
    const taylor *s = self;
    const sparse *guards = &s->mode->guards;
    const double constant = s->mode->view.guards[i].constant;
    double c[STRIDE] = {constant}, moduli[STRIDE] = {fabs(constant)}, sum = 0;
    for (size_t k = guards->first[i]; k < guards->first[i + 1]; k++) {
        const double factor = guards->entries[k].value, *z = s->z + guards->entries[k].at;
        const double modulus = fabs(factor);
        for (int j = 0; j <= s->order; j += 2) {
            const ic_pair row = ic_pair_at(z + j), sum_c = ic_pair_at(c + j) + factor * row;
            const ic_pair sum_m = ic_pair_at(moduli + j) + modulus * (ic_pair){fabs(row[0]), fabs(row[1])};
            ic_pair_store(c + j, sum_c);
            ic_pair_store(moduli + j, sum_m);
        }
    }
    for (int j = order; j <= s->order; j++) sum += moduli[j] * s->powers[j];
    p->slight = 0;
    set_polynomial(s, c, order, careful, p);
    p->noise = ROUGH_ROUNDINGS * DBL_EPSILON * sum;
    p->error[0] = ROUGH_ROUNDINGS * DBL_EPSILON * moduli[order] * s->powers[order];
    if (careful) take_careful_errors(s, i, p);
    for (int j = 0; careful && j < order; j++) p->error[j] = 0;
}

static double time_of(const void *self, double part)
{
    const taylor *s = self;
    return s->t0 + time_up_to(s, part * s->reach);
}

static void state_of(const void *self, double part, double *x)
{
    const taylor *s = self;
    state_at(s, part * s->reach, x);
}

/*
 * The series of a guard ends at the tolerance, and a slow guard then is late: Newton's iteration with its own value and
 * rate at the states of the series, as long as that brings it nearer to zero.
 */
static double refine_place(void *self, size_t i, double at)
{
    const taylor *s = self;
    double x[IC_MAX_STATES], nearest = INFINITY, next = at;
    for (int k = 0; k < MOST_REFINEMENTS && s->phase->curved[i] && next >= 0 && next <= BEYOND_TURN; k++) {
        const double t = time_of(s, next);
        state_of(s, next, x);
        const double value = ic_phase_guard(s->phase, i, t, x);
        if (!(fabs(value) < nearest)) break;
        at = next;
        nearest = fabs(value);
        const double later = -value / ic_phase_guard_rate(s->phase, i, t, x);
        if (fabs(later) <= DBL_EPSILON * fabs(t)) break;
        next = reach_in(s, time_up_to(s, at * s->reach) + later) / s->reach;
    }
    return fmin(at, 1);
}

static void take_powers(taylor *s)
{
    double power = 1;
    for (int j = 0; j <= s->order; j++, power *= s->reach) s->powers[j] = power;
}

/* The first event of the step, as a part of it. */
static ic_status find_first_event(taylor *s, ic_phase *phase, double *at, bool *blurred)
{
    ic_part part = {s, time_up_to(s, s->reach), take_guard, time_of, state_of, refine_place, s->idle};
    if (s->mode->equations != NULL) part.guard = take_series_guard;
    take_powers(s);
    return ic_part_first_event(&part, phase, &s->polynomial, at, blurred);
}

/* ---- kinks that are not events: a step ends where the argument of a kink is zero */

/* Side to which a row leaves zero by its rate and the error of that; 0: higher coefficients decide. */
static int departure_by_rate(taylor *s, const ic_series_value *term)
{
    if (term->row < 0 || is_squared(s)) return 0;
    estimate_errors(s, 1);
    const double rate = ic_series_row(s->series.c, term->row)[1];
    const double error = DBL_EPSILON * ic_series_row(s->series.errors, term->row)[1];
    return fabs(rate) > CLEAR_RATE * error ? ic_sign(rate) : 0;
}

/* Side to which the argument of a kink leaves zero; 0: it stays at zero. */
static int departure_of_kink(taylor *s, const ic_series_kink *kink)
{
    const int side = departure_by_rate(s, &kink->argument);
    if (side != 0) return side;
    take_row(s, &kink->argument, 0, 0, true, &s->polynomial);
    s->polynomial.c[0] = 0;
    return ic_polynomial_depart(&s->polynomial, 1);
}

/* Divides out the zero that a kink leaves, and with it what only errors make of its coefficients. */
static void divide_departure(ic_polynomial *p, int order)
{
    for (int j = 0; j < order; j++) p->c[j] = 0;
    if (order > 0) ic_polynomial_depart(p, order);
    else ic_polynomial_divide(p, 0);
}

/* The part of the step at which a kink turns first; above 1: it does not turn. */
static double find_turn_of_kink(taylor *s, ic_phase *phase, const ic_series_kink *kink)
{
    ic_polynomial_search q;
    ic_polynomial_outcome outcome = IC_POLYNOMIAL_DOUBT;
    /* in powers of the root of time the zero that it leaves is a double one */
    const int order = s->series.tape->leaves[kink->term] * (is_squared(s) ? 2 : 1);
    const bool clear = order > 0 && departure_by_rate(s, &kink->argument) == kink->side;
    q.evaluations = 0;
    for (int careful = order > 0 && !clear; outcome == IC_POLYNOMIAL_DOUBT && careful < 2; careful++) {
        take_row(s, &kink->argument, fabs(kink->argument.value), careful ? 0 : order, careful, &s->polynomial);
        if (careful) divide_departure(&s->polynomial, order);
        else if (clear) add_error_of_rate(s, &kink->argument, &s->polynomial);
        ic_polynomial_search_begin(&q, &s->polynomial, kink->side, 1);
        outcome = ic_polynomial_search_next(&q);
    }
    phase->work->guard_calls += q.evaluations;
    return outcome == IC_POLYNOMIAL_CHANGES ? ic_polynomial_locate(&q, &phase->work->root_iterations)
                                            : INFINITY;
}

/* Shortens the step to the first turn of a kink, *turning; -1: no kink turns. */
static void find_first_turn(taylor *s, ic_phase *phase, int *turning)
{
    double first = INFINITY;
    *turning = -1;
    if (s->series.tape->n_kinks == 0) return;
    take_powers(s);
    for (size_t i = 0; i < s->series.tape->n_kinks; i++) {
        const ic_series_kink *kink = &s->series.tape->kinks[i];
        const bool is_root = s->is_rooted && kink->argument.row == (int)s->n && kink->side > 0;
        const double at = is_root ? s->root_zero / s->reach : find_turn_of_kink(s, phase, kink);
        if (!(at < first) || at > 1) continue;
        first = at;
        *turning = (int)i;
    }
    if (*turning >= 0) s->reach *= first;
}

/* ---- the method */

/* Begins the tape of a mode without a linear view, which is opened when the mode is first visited. */
static ic_status begin_tape(taylor *s, const ic_phase *phase)
{
    ic_tape *tape = &s->tapes[phase->mode_index];
    if (tape->room == 0 && !ic_tape_open(tape, s->n, &s->mode->equations, 1)) return IC_NO_MEMORY;
    const size_t room = ic_root_room(s->n, tape->room);
    if (room > s->series_room) {
        ic_series_close(&s->series);
        free(s->hidden.errors);
        s->hidden.errors = malloc(room * sizeof *s->hidden.errors);
        if (!ic_series_open(&s->series, s->n + 2, room) || s->hidden.errors == NULL) return IC_NO_MEMORY;
        s->series_room = room;
    }
    s->z = s->series.c;
    s->tape = s->series.tape = tape;
    memcpy(tape->idle + s->n, s->idle, phase->mode->n_guards * sizeof *s->idle);
    s->root = &s->roots[phase->mode_index];
    ic_tape_begin(tape, s->mode->equations, phase->problem->par, phase->t, phase->x);
    return IC_OK;
}

/*
 * A guard that should leave a zero, but is clearly on the side to which it leaves, has left it: a state that
 * a mode holds may be off. Its value then counts.
 */
static void arm_guards_off_zero(const taylor *s, ic_phase *phase)
{
    double workspace[IC_MAX_STATES];
    for (size_t i = 0; i < phase->mode->n_guards; i++) {
        ic_arming *arming = &phase->arming[i];
        if (arming->order == 0 || arming->side == 0) continue;
        const double value = ic_phase_guard(phase, i, phase->t, phase->x) * arming->side;
        if (!(value > 0)) continue;
        const double rounding =
            ic_watch_rounding(phase, ic_phase_watch(phase, i), phase->t, phase->x, workspace);
        /* the last event was located with an error of some tolerances */
        const double size = rounding / (IC_INSTANT_ULPS * DBL_EPSILON);
        /* and the time has been rounded */
        const double moves =
            fabs(ic_phase_guard_rate(phase, i, phase->t, phase->x)) * ic_phase_instant_width(phase);
        if (value > MOST_LACKING * s->rtol * size + moves) arming->order = 0;
    }
}

/* A guard whose condition is false and lasts is not armed. */
static void disarm_idle_guards(taylor *s, ic_phase *phase)
{
    for (size_t i = 0; i < phase->mode->n_guards; i++) {
        s->idle[i] = phase->mode->guards[i].enabled_lasts && !ic_phase_enabled(phase, i, phase->t, phase->x);
        s->hides_side[i] = false;
        if (s->idle[i]) phase->arming[i] = (ic_arming){.side = 0};
    }
}

static ic_status begin_phase(void *self, ic_phase *phase)
{
    taylor *s = self;
    if (s->phase == NULL) begin_run(s, phase);
    s->phase = phase;
    s->mode = &s->modes[phase->mode_index];
    const ic_status status =
        s->mode->is_open ? IC_OK : open_mode(s, phase->problem, phase->mode_index, phase->log);
    if (status != IC_OK) return status;
    disarm_idle_guards(s, phase);
    arm_guards_off_zero(s, phase);
    const bool linear = s->mode->equations == NULL;
    s->z = s->rows;
    s->unit = linear ? s->mode->unit : s->series_unit;
    s->rate = linear ? s->mode->rate : 0;
    s->sized = s->branch_is_behind = s->is_rooted = false;
    s->begins = true;
    s->base = -1;
    s->turns = 0;
    s->crawls = 0;
    s->longest = 0;
    s->unheld = INFINITY;
    return linear ? IC_OK : begin_tape(s, phase);
}

/* Logs the step, and moves to s (in units of tau) or to t_stop. */
static ic_status move_expansion_to(taylor *t, ic_phase *phase, double s, bool stops)
{
    double time = phase->t_stop, rest = 0;
    if (!stops) ic_split_time_add(t->t0, t->t0_rest, time_up_to(t, s), &time, &rest);
    const int nodes = LEAST_NODES + (int)ceil(fmin(s * t->unit * t->rate, t->order));
    const ic_status status = ic_phase_observe(phase, t->t0, time, nodes, interpolate_state, t);
    if (status != IC_OK) return status;
    if (s == t->end_at) memcpy(phase->x, t->end, t->n * sizeof *phase->x);
    else state_at(t, s, phase->x);
    phase->work->steps++;
    phase->t = t->landed = time;
    t->landed_rest = rest;
    return IC_OK;
}

static double size_of(const taylor *s, const ic_series_value *term)
{
    return term->row < 0 ? fabs(term->value) : ic_series_row(s->series.errors, term->row)[0];
}

/* Sizes of the terms of guards and kinks, from the sizes of those of the states. */
static void estimate_sizes(taylor *s, const ic_phase *phase)
{
    double states[IC_MAX_STATES];
    if (s->estimated == SIZES) return;
    for (size_t i = 0; i < s->n; i++) states[i] = phase->scale[i] + fabs(phase->x[i]);
    ic_series_estimate(&s->series, 0, s->unit, states);
    s->estimated = SIZES;
}

static void take_sizes(taylor *s, const ic_phase *phase)
{
    double workspace[IC_MAX_STATES];
    estimate_sizes(s, phase);
    for (size_t i = 0; i < phase->mode->n_guards; i++) {
        s->size[i] = size_of(s, series_guard(s, i));
        if (isfinite(s->size[i])) continue;
        /* a power at its branch point: the change of the guard when the states change by their scales */
        s->size[i] = ic_watch_rounding(phase, ic_phase_watch(phase, i), phase->t, phase->x, workspace) /
                     (IC_INSTANT_ULPS * DBL_EPSILON);
    }
    s->sized = true;
}

static void expand_series(taylor *s, const ic_phase *phase, ic_series_kind kind)
{
    if (s->is_rooted) s->unit = s->series_unit;
    s->is_rooted = false;
    s->series.tape = s->tape;
    ic_series_expand(&s->series, s->order, s->unit, s->t0, phase->x, kind);
    phase->work->flow_calls += s->order;
    s->estimated = -1;
    s->end_at = NAN;
    if (!s->sized) take_sizes(s, phase);
}

/* Difference between the flow at s (in units of tau) and the rate of the series, times the step, in tolerances. */
static double defect_at(const taylor *t, const ic_phase *phase, double s, const double *x)
{
    double rate[IC_MAX_STATES], most = 0;
    ic_phase_flow(phase, rate, t->t0 + time_up_to(t, s), x);
    const double root = t->is_rooted ? row_at(t->z + t->n * STRIDE, t->order, s) : 1;
    const double unit = t->is_rooted ? t->unit * ic_root_rate(t->root, root) : t->unit;
    for (const ic_series_state *m = t->series.moving; m < t->series.moving + t->series.n_moving; m++) {
        if ((size_t)m->state >= t->n) break;
        const double slope = slope_at(m->y, t->order, s), differs = fabs(rate[m->state] * unit - slope);
        const double lacks = differs * s * t->weight[m->state] / fmax(t->rtol, LEAST_DEFECT);
        if (!(lacks < INFINITY)) return INFINITY;
        if (lacks > most) most = lacks;
    }
    return most;
}

/* Whether a row is a constant, a state, time or a sum of those: it has no defect but that of the states. */
static bool is_sum_of_states(const taylor *s, int row)
{
    const ic_tape *tape = s->series.tape;
    const ic_tape_kernel *k = ic_tape_kernel_of(tape, row);
    if (k == NULL) return true;
    if (k->kind != IC_TAPE_SUM) return false;
    for (int i = k->first; i < k->first + k->count; i++) {
        if (!is_sum_of_states(s, tape->entries[i].row)) return false;
    }
    return true;
}

/*
 * Greatest difference at s between the functions of the flow and of the guards and their series, in
 * tolerances. Beyond some point a function may differ from its series: sqrt(x^2) where x turns, a
 * root in a guard, or a power of t beyond the order. INFINITY: a function has no value at s.
 */
static double lack_at(taylor *s, ic_phase *phase, double at)
{
    double *const x = s->end;
    state_at(s, at, x);
    s->end_at = at;
    double most = defect_at(s, phase, at, x);
    for (size_t i = 0; i < phase->mode->n_guards; i++) {
        const ic_series_value *term = series_guard(s, i);
        const ic_guard *guard = &phase->mode->guards[i];
        const double t = s->t0 + time_up_to(s, at), *par = phase->problem->par;
        if (!phase->curved[i] || is_sum_of_states(s, term->row) || (s->is_rooted && s->root->is_root[i]))
            continue;
        if (guard->enabled != NULL && !(guard->enabled(s->t0, phase->x, par) > 0) &&
            !(guard->enabled(t, x, par) > 0))
            continue; /* The guard does not fire. */
        const double g = guard->value(t, x, par);
        const double *row = ic_series_row(s->series.c, term->row);
        double value = 0, size = s->size[i], power = 1;
        for (int j = s->order; j >= 0; j--) value = value * at + row[j];
        for (int j = 0; j <= s->order; j++, power *= at) {
            if (fabs(row[j]) * power > size) size = fabs(row[j]) * power;
        }
        phase->work->guard_calls++;
        const double lacks = fabs(g - value) / (fmax(s->rtol, LEAST_DEFECT) * size);
        most = isfinite(lacks) ? fmax(most, lacks) : INFINITY;
    }
    return most;
}

/* Length of the first step of a phase, if a power begins at its branch point and has a series in s^2. */
static double length_at_branch(taylor *s, const ic_phase *phase)
{
    if (!s->series.tape->branches) return NAN;
    estimate_sizes(s, phase);
    const int gap = ic_series_begins_at_branch(&s->series);
    if (gap == 0 || gap >= s->order) return NAN;
    const int order = s->order;
    s->order = order + gap < MOST_ORDER ? order + gap : MOST_ORDER;
    expand_series(s, phase, IC_SERIES_SQUARED);
    const double length = step_length_at_branch(s, phase, gap);
    if (!isnan(length)) return length;
    s->order = order;
    expand_series(s, phase, IC_SERIES_PLAIN);
    return length;
}

/* Whether a step of length s changes the time. */
static bool moves_by(const taylor *s, double reach)
{
    return s->t0 + time_up_to(s, reach) > s->t0 + 2 * DBL_EPSILON * fabs(s->t0);
}

/*
 * Length for which powers may be held. `branch` is the distance of a branch point ahead; 0: there is none. NAN: they
 * may not be held. A guard whose power is held would have no event: it limits the step, too.
 */
static double held_length(taylor *s, ic_phase *phase, double length, double branch)
{
    double held = fmin(step_length(s, phase), (phase->t_stop - s->t0) / s->unit), defect = INFINITY;
    if (branch > 0) held = fmin(held, 2 * branch);
    for (int i = 0; i < BRANCH_TRIALS && !(defect <= 1) && !(held < length); i++) {
        if (i > 0) held *= fmax(LEAST_FACTOR, MOST_FACTOR / sqrt(defect));
        defect = lack_at(s, phase, branch > 0 ? fmin(held, branch * BEFORE_BRANCH) : held);
        /* Beyond the branch point the flow may have no value; an event must then come first. */
        const double beyond = branch > 0 ? lack_at(s, phase, held) : 0;
        if (isfinite(beyond)) defect = fmax(defect, beyond);
    }
    return defect <= 1 && !(held < length) ? held : NAN;
}

/*
 * The longest step with held powers: at first of those whose branch point is near for a step of `length`; if one has
 * no series, of those, and then of others whose branch point is near. NAN: no such step is longer than `length`.
 */
static double hold_powers(taylor *s, ic_phase *phase, double length, double branch)
{
    double longest = NAN, unheld = length;
    int best = 0;
    s->series.holding = 0;
    while (ic_series_hold(&s->series, isnan(unheld)   ? 0
                                      : isnan(length) ? BRANCH_LENGTHS * unheld
                                                      : HOLD_LENGTHS * length)) {
        expand_series(s, phase, IC_SERIES_HELD);
        unheld = step_length(s, phase);
        const double held = isnan(unheld) ? NAN : held_length(s, phase, length, branch);
        if (held <= longest) break;
        if (isnan(held)) continue;
        longest = held;
        best = s->series.holding;
    }
    if (best > 0 && best != s->series.holding) {
        s->series.holding = best;
        expand_series(s, phase, IC_SERIES_HELD);
    }
    return longest;
}

/* Whether a held power may decide on which side a guard is: its value is zero, or below the tolerance after one. */
static bool has_hidden_sides(const taylor *s, const ic_phase *phase, bool behind)
{
    for (size_t i = 0; i < phase->mode->n_guards; i++) {
        const double *row = guard_row(s, i);
        if (has_hidden_side(phase->arming[i])) return true;
        if (behind && row != NULL && fabs(row[0]) <= s->rtol * s->size[i]) return true;
    }
    return false;
}

/* Whether a branch point shortens a step of this length, or none is known. */
static bool is_near(double branch, double length)
{
    return !(fabs(branch) >= NEAR_LENGTHS * length);
}

/* Length of a step to or from a near branch point: powers may be held while their change is below the tolerance. */
static double length_from_branch(taylor *s, ic_phase *phase, double length)
{
    if (!s->series.tape->branches) return length;
    const double branch = ic_series_branch(&s->series);
    const bool ahead = branch > 0;
    if (!is_near(branch, length)) return length;
    double rounding = 0;
    if (s->begins) {
        estimate_sizes(s, phase);
        rounding = ic_series_branch_rounding(&s->series);
    }
    /* where a phase begins, a step beyond rounding leaves a base that is zero within it */
    const bool hides = (!ahead && s->branch_is_behind) || has_hidden_sides(s, phase, !ahead);
    if (!isnan(length) && hides && !(length < rounding)) return length;
    if (length * s->unit > TRIED_AGAIN * s->unheld) return length;
    const double passed = ahead ? fmax(branch, rounding) : hides && !isnan(length) ? rounding : 0;
    const double held = hold_powers(s, phase, length, passed);
    s->is_held = !isnan(held);
    if (s->is_held) return held;
    s->branch_is_behind = true;
    if (!isnan(length)) s->unheld = time_up_to(s, length);
    expand_series(s, phase, IC_SERIES_PLAIN);
    return length;
}

/* A kink that starts at zero within rounding and is on the wrong side; -1: none. */
static int find_wrong_side(taylor *s, const ic_phase *phase)
{
    take_powers(s);
    for (size_t i = 0; i < s->series.tape->n_kinks; i++) {
        const ic_series_kink *kink = &s->series.tape->kinks[i];
        estimate_sizes(s, phase);
        const double rounding = IC_INSTANT_ULPS * DBL_EPSILON * size_of(s, &kink->argument);
        if (!(fabs(kink->argument.value) <= rounding)) continue;
        s->series.tape->leaves[kink->term] = true;
        if (departure_of_kink(s, kink) == -kink->side) return (int)i;
    }
    return -1;
}

static void settle_kinks(taylor *s, const ic_phase *phase)
{
    int wrong = -1;
    for (size_t i = 0; i <= s->series.tape->n_kinks && (wrong = find_wrong_side(s, phase)) >= 0; i++) {
        ic_tape_turn(s->tape, (size_t)wrong, phase->t, phase->x);
        expand_series(s, phase, IC_SERIES_PLAIN);
    }
}

/* The end of a regularised step: that of the series, or slightly beyond S = 0, which is then within the step. */
static double end_of_root(taylor *s, ic_phase *phase, double length)
{
    const ic_series_value root = {(int)s->n, s->z[s->n * STRIDE]};
    ic_polynomial_search q;
    ic_polynomial_outcome outcome = IC_POLYNOMIAL_DOUBT;
    const int order = root.value == 0;
    q.evaluations = 0;
    s->reach = length;
    take_powers(s);
    for (int careful = 0; outcome == IC_POLYNOMIAL_DOUBT && careful < 2; careful++) {
        take_row(s, &root, root.value, order, careful, &s->polynomial);
        if (careful) divide_departure(&s->polynomial, order);
        ic_polynomial_search_begin(&q, &s->polynomial, 1, 1);
        outcome = ic_polynomial_search_next(&q);
    }
    phase->work->guard_calls += q.evaluations;
    s->root_zero = INFINITY;
    if (outcome != IC_POLYNOMIAL_CHANGES) return length;
    s->root_zero = length * ic_polynomial_locate(&q, &phase->work->root_iterations);
    return fmin(length, BEYOND_TURN * s->root_zero);
}

/* d at the start of the step, and the size of its terms; sets base_scale. */
static double take_base(taylor *s, const ic_phase *phase, double *size)
{
    const ic_root *root = s->root;
    double moduli[IC_MAX_STATES];
    if (root->is_sum) {
        ic_root_base(root, 0, phase->scale, &s->base_scale);
        return ic_root_base(root, s->t0, phase->x, size);
    }
    s->series.tape = s->tape;
    for (size_t i = 0; i < s->n; i++) moduli[i] = fabs(phase->x[i]);
    const double d = ic_series_value_of(&s->series, root->base_row, s->t0, phase->x, moduli, size);
    ic_series_value_of(&s->series, root->base_row, s->t0, NULL, phase->scale, &s->base_scale);
    s->estimated = -1;
    /* the row of zeros of the regularised tape */
    ic_series_row(s->series.c, (int)s->n + 3)[0] = ic_series_row(s->series.errors, (int)s->n + 3)[0] = 0;
    return d;
}

/*
 * Whether a guard that is no multiple of d is zero where S is, at the start or the end of the step: d may be a function
 * of that guard, which is then one of S^m, whose sign does not change there.
 */
static bool has_touches(const taylor *s, const ic_phase *phase, bool starts)
{
    bool touches = false;
    for (size_t i = 0; i < phase->mode->n_guards && !s->root->is_sum && !touches; i++) {
        const double *row = guard_row(s, i);
        if (s->root->is_root[i] || row == NULL) continue;
        if (starts) touches = fabs(row[0]) <= TOUCHES * s->size[i];
        if (touches || !(s->root_zero <= s->root_end)) continue;
        double padded[STRIDE]; /* row_at reads terms beyond the order, which the series does not set */
        memcpy(padded, row, (size_t)(s->order + 1) * sizeof *row);
        memset(padded + s->order + 1, 0, (LANES - 1) * sizeof *padded);
        touches = fabs(row_at(padded, s->order, s->root_zero)) <= TOUCHES * s->size[i];
    }
    return touches;
}

/* Length of a step of the regularised tape, if d is not negative, nor zero without growing; otherwise NAN. */
static double length_by_root(taylor *s, ic_phase *phase)
{
    double x[IC_MAX_STATES + 2], size = 0;
    ic_root *root = s->root;
    const double d = take_base(s, phase, &size);
    /* the event with which the phase begins is located to within the tolerance only */
    const double rounding = ROOT_ROUNDINGS * DBL_EPSILON;
    const double before = s->begins ? fmax(rounding, MOST_LACKING * s->rtol) : rounding;
    const bool starts = d > 0 ? d <= rounding * size : -d <= before * (size + s->base_scale);
    double *unit = &s->root_units[phase->mode_index];
    s->base = -1;
    if (!(d > 0) && !starts) return NAN;
    if (!(*unit > 0)) *unit = phase->time_scale / ic_root_rate(root, size_of_root(s));
    memcpy(x, phase->x, s->n * sizeof *x);
    x[s->n] = starts ? 0 : ic_root_of(root, d);
    x[s->n + 1] = s->t0;
    s->is_rooted = true;
    s->series.tape = &root->tape;
    s->unit = *unit;
    s->order = s->series_order;
    s->estimated = -1;
    s->end_at = NAN;
    ic_series_expand(&s->series, s->order, s->unit, s->t0, x, IC_SERIES_PLAIN);
    phase->work->flow_calls += s->order;
    const double length = step_length(s, phase), *of_root = s->z + s->n * STRIDE;
    if (!(length > 0) || (starts && !(of_root[1] > 0))) return NAN;
    /* otherwise another base may be nearer at the end of the step */
    const bool alone = !root->tape.branches || !is_near(ic_series_branch(&s->series), length);
    if (alone) s->base = root->asked;
    /* the length of a polynomial is no measure of the next step */
    if (length < FARTHEST) *unit *= length;
    s->root_end = end_of_root(s, phase, fmin(length, FARTHEST));
    return has_touches(s, phase, starts) ? NAN : s->root_end;
}

/* Whether the tape of the phase has a regularised form, which is made if necessary (ic_root_build). */
static bool has_root(taylor *s, int base)
{
    if (!s->tape->branches) return false;
    if (s->root->tape.room == 0 && !ic_root_open(s->root, s->tape)) {
        ic_root_close(s->root); /* the series in t do as well */
        return false;
    }
    return ic_root_build(s->root, s->tape, base);
}

/* The row of the base whose branch point is next, if it shortens a step of this length; -1: none. */
static int nearest_base(const taylor *s, double length)
{
    const ic_tape *tape = s->tape;
    double nearest = INFINITY;
    int base = -1;
    for (size_t i = 0; i < tape->n_flow; i++) {
        const double *a = ic_series_row(s->series.c, tape->kernels[i].a);
        const double distance = a[0] == 0 ? 0 : fabs(a[0] / a[1]);
        const bool is_double = fabs(a[0] * a[2]) > DOUBLE_ZERO * a[1] * a[1];
        if (tape->kernels[i].kind != IC_TAPE_POWER || is_double || !(distance < nearest)) continue;
        nearest = distance;
        base = tape->kernels[i].a;
    }
    return is_near(nearest, length) ? base : -1;
}

/* The same length in a greater unit if its powers overflow, as those of a polynomial after a very short step. */
static double widen_unit(taylor *s, const ic_phase *phase, double length)
{
    const double left = phase->t_stop - s->t0;
    while (length > FARTHEST && pow(fmin(length, reach_in(s, left)), s->order) > MOST_POWER) {
        s->unit = time_up_to(s, FARTHEST);
        expand_series(s, phase, s->series.kind);
        length = fmin(step_length(s, phase), length / FARTHEST);
    }
    return length;
}

/* Order of the series in t. */
static int order_in_time(const taylor *s)
{
    return s->tape->branches ? s->branch_order : s->series_order;
}

/* The same for the base whose branch point shortens a step of this length, if that is then longer; otherwise NAN. */
static double length_by_nearest_root(taylor *s, ic_phase *phase, double length)
{
    const int base = nearest_base(s, length);
    const double time = time_up_to(s, length);
    if (base < 0 || !has_root(s, base)) return NAN;
    const double by_root = length_by_root(s, phase);
    return time_up_to(s, by_root) < time ? NAN : by_root;
}

/* Coefficients and length of a step. */
static double expand_from_equations(taylor *s, ic_phase *phase)
{
    const bool first = !s->sized;
    double length = NAN;
    s->is_held = false;
    s->order = order_in_time(s);
    if (first) {
        /* a regularised step needs the sides of kinks only */
        if (has_root(s, -1)) s->order = s->tape->n_kinks > 0 ? SIDES_ORDER : 0;
        expand_series(s, phase, IC_SERIES_PLAIN);
        settle_kinks(s, phase);
    }
    const bool has_one = has_root(s, -1);
    if (has_one || (s->base >= 0 && has_root(s, s->base))) length = length_by_root(s, phase);
    if (!isnan(length)) return length;
    if (!first || s->is_rooted || s->order <= SIDES_ORDER) {
        s->order = order_in_time(s);
        expand_series(s, phase, IC_SERIES_PLAIN);
    }
    if (s->tape->branches && !has_one) length = length_by_nearest_root(s, phase, step_length(s, phase));
    if (!isnan(length)) return length;
    if (s->is_rooted) {
        s->order = order_in_time(s);
        expand_series(s, phase, IC_SERIES_PLAIN);
    }
    if (s->begins) length = length_at_branch(s, phase);
    if (isnan(length)) length = length_from_branch(s, phase, step_length(s, phase));
    length = widen_unit(s, phase, length);
    /* The coefficients of the next step are then of size 1. */
    if (length > 0 && isfinite(length)) s->series_unit = time_up_to(s, length);
    return length;
}

/* Whether the step up to `reach` hides a term (solvers/series/hidden.h) that is above the tolerance. */
static bool hides_term(taylor *s, const ic_phase *phase, double reach)
{
    ic_series_hidden *h = &s->hidden;
    const ic_tape *tape = s->series.tape;
    const double time = s->unit * reach * (is_squared(s) ? reach : 1);
    h->tape = tape;
    h->c = s->series.c;
    h->order = s->order;
    h->weights = s->importance;
    for (size_t i = 0; i < tape->n; i++) s->importance[i] = s->weight[i];
    for (size_t i = 0; i < phase->mode->n_guards; i++) {
        const double *row = guard_row(s, i);
        s->importance[tape->n + i] = row != NULL ? guard_weight(s, i, row[0]) : 0;
    }
    return !(ic_series_hides(h, reach, time) <= fmax(s->rtol, LEAST_DEFECT));
}

/* The greatest lack at the end of a step, and within it where a kernel may hide a term. */
static double lack_within(taylor *s, ic_phase *phase, double reach)
{
    double lacks = 0;
    for (size_t i = 0; i < IC_COUNT(nodes_within) && s->hidden.varies; i++)
        lacks = fmax(lacks, lack_at(s, phase, nodes_within[i] * reach));
    return fmax(lacks, lack_at(s, phase, reach));
}

/* Shortens a step until the series represents the functions. */
static void shorten_to_functions(taylor *s, ic_phase *phase, bool *stops, int *turning)
{
    double reach = s->reach;
    const bool checked = is_squared(s) || s->is_held; /* its functions */
    s->hidden.varies = false;
    for (int i = 0; i < MOST_HALVINGS; i++, reach /= 2) {
        if (s->series.tape->hides && hides_term(s, phase, reach)) continue;
        if (checked) break;
        /* A function may jump at the turn of a kink. */
        const double lacks = lack_within(s, phase, *turning < 0 || i > 0 ? reach : BEFORE_BRANCH * reach);
        if (lacks <= MOST_LACKING) break;
        /* Where a function has no value an event must come, unless the series of its root ends there. */
        if (!isfinite(lacks) && s->series.tape->branches) break;
    }
    if (!(reach < s->reach)) return;
    s->reach = reach;
    *stops = false;
    *turning = -1;
}

/*
 * Steps that shrink with the distance from a branch point would end at the resolution of time. One of some units of
 * it, with the power held, passes the point: the change of the power is below rounding.
 */
static ic_status make_small_step(taylor *s, const ic_phase *phase)
{
    if (s->mode->equations == NULL || !s->series.tape->branches) return IC_STEP_TOO_SMALL;
    if (s->creeps++ >= MOST_CREEPS) return IC_STEP_TOO_SMALL;
    s->series.holding = 0;
    ic_series_hold(&s->series, INFINITY);
    expand_series(s, phase, IC_SERIES_HELD);
    s->reach = reach_in(s, CREEP_ULPS * DBL_EPSILON * fabs(s->t0));
    return moves_by(s, s->reach) ? IC_OK : IC_STEP_TOO_SMALL;
}

/* Expands the series from the current state, and sets the greatest distance to which it is followed. */
static ic_status begin_step(taylor *s, ic_phase *phase, bool *stops)
{
    const ic_options *options = phase->options;
    if (ic_has_to_end(options, phase->work->steps + 1)) return IC_TOO_MUCH_WORK;
    s->t0 = phase->t;
    s->t0_rest = phase->t == s->landed ? s->landed_rest : 0;
    double length = 0;
    if (s->mode->equations != NULL) {
        s->unit = s->series_unit;
        length = expand_from_equations(s, phase);
    } else {
        s->order = s->linear_order;
        expand_linear_mode(s, phase->x);
        phase->work->flow_calls += s->order;
        length = step_length(s, phase);
    }
    if (isnan(length)) return IC_NOT_FINITE;
    if (options->step > 0) length = fmin(length, reach_in(s, options->step));
    const double left = reach_in(s, phase->t_stop - s->t0 - s->t0_rest);
    *stops = length >= left;
    s->reach = *stops ? left : length;
    if (!*stops && !moves_by(s, s->reach)) return make_small_step(s, phase);
    s->creeps = 0;
    return IC_OK;
}

/* Turns a kink. A power may begin here: max(d, 0)^(3/2) has its branch point where d becomes positive. */
static ic_status turn_kink(taylor *s, const ic_phase *phase, int kink)
{
    s->begins = true;
    s->branch_is_behind = false;
    s->base = -1;
    s->unheld = INFINITY;
    if (s->turns++ > MOST_TURNS * s->series.tape->n_kinks) return IC_STEP_TOO_SMALL;
    ic_tape_turn(s->tape, (size_t)kink, phase->t, phase->x);
    return IC_OK;
}

/* Whether steps shrink without end, as near a root whose argument approaches zero but does not reach it. */
static bool step_shrinks(taylor *s, const ic_phase *phase)
{
    const double step = time_up_to(s, s->reach);
    s->longest = fmax(s->longest, step);
    s->crawls = step < CRAWL * s->longest ? s->crawls + 1 : 0;
    if (s->crawls < MOST_CRAWLS) return false;
    ic_log_message(phase->log,
                   "steps have shrunk from %.2g to %.2g s at t = %.9g s: a root is near its branch point",
                   s->longest, step, phase->t);
    return true;
}

/* Whether a value of guard i is no error of its series at the end of the step: it has jumped with an angle. */
static bool has_jumped(const taylor *s, size_t i, double value)
{
    const double *row = s->mode->equations != NULL ? guard_row(s, i) : NULL;
    double size = 0;
    for (int j = 0; row != NULL && j <= s->order; j++) size += fabs(row[j]) * s->powers[j];
    return row != NULL && fabs(value) > LEAST_JUMP * size;
}

/*
 * A guard that crosses zero where a kink turns, or that has left a zero, is on the side found beyond it, but rounding
 * may have left its value on the other: it leaves that zero, which is not found again.
 */
static void leave_shared_zeros(const taylor *s, ic_phase *phase)
{
    for (size_t i = 0; i < phase->mode->n_guards; i++) {
        ic_arming *arming = &phase->arming[i];
        const double value = s->idle[i] ? 0 : ic_phase_guard(phase, i, phase->t, phase->x);
        if (arming->order == 0 && ic_sign(value) != arming->side && !has_jumped(s, i, value)) arming->order = 1;
    }
}

/* The end of a step without an event. */
static ic_status end_step(taylor *s, ic_phase *phase, bool stops, int turning)
{
    bool leaves = turning >= 0;
    for (size_t i = 0; i < phase->mode->n_guards; i++) {
        leaves = leaves || phase->arming[i].order > 0;
        /* The rate that the guard has by now decides. */
        if (s->mode->equations != NULL && s->hides_side[i]) phase->arming[i].order = 1;
        else if (phase->arrival[i] != 0) phase->arming[i] = (ic_arming){.side = phase->arrival[i]};
    }
    const ic_status status = move_expansion_to(s, phase, s->reach, stops);
    s->begins = false;
    if (leaves) leave_shared_zeros(s, phase);
    if (s->mode->equations != NULL) ic_tape_leave(s->tape);
    s->turns = 0;
    if (status == IC_OK && step_shrinks(s, phase)) return IC_STEP_TOO_SMALL;
    return status == IC_OK && turning >= 0 ? turn_kink(s, phase, turning) : status;
}

/* Takes one step: to an event, to t_stop, to the turn of a kink, or to the end of the range of the series. */
static ic_status take_step(taylor *s, ic_phase *phase, bool *stops)
{
    double part = 1;
    int turning = -1;
    bool blurred = false;
    ic_status status = begin_step(s, phase, stops);
    if (status == IC_OK && s->mode->equations != NULL) find_first_turn(s, phase, &turning);
    if (turning >= 0) *stops = false;
    if (turning >= 0 && !moves_by(s, s->reach)) return turn_kink(s, phase, turning);
    if (status == IC_OK && s->mode->equations != NULL) shorten_to_functions(s, phase, stops, &turning);
    if (status == IC_OK && !*stops && turning < 0 && !moves_by(s, s->reach)) status = make_small_step(s, phase);
    const double turn = s->reach;
    if (turning >= 0) s->reach *= BEYOND_TURN;
    for (int i = 0; status == IC_OK; i++) {
        status = find_first_event(s, phase, &part, &blurred);
        if (phase->fired >= 0 || !blurred || *stops || i == SHORTENINGS) break;
        s->reach *= SHORTENED;
        turning = -1;
    }
    if (turning >= 0 && phase->fired < 0) s->reach = turn;
    if (status != IC_OK || (phase->fired >= 0 && part <= 0)) return status;
    if (phase->fired >= 0) return move_expansion_to(s, phase, part * s->reach, false);
    return end_step(s, phase, *stops, turning);
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

const ic_method ic_taylor_method = {.begin = begin_phase, .advance = advance_phase};

ic_status ic_taylor_open(void **self, const ic_problem *problem, ic_log *log)
{
    taylor *s = calloc(1, sizeof *s);
    *self = s;
    return s == NULL ? IC_NO_MEMORY : open_workspace(s, problem, log);
}

void ic_taylor_close(void *self)
{
    if (self != NULL) close_workspace(self);
    free(self);
}

static void close_kept(ic_kept *kept)
{
    ic_taylor_close(kept); /* the first member of a workspace */
}

static ic_status solve_taylor(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    void *s = ic_given_take(problem, &ic_taylor_method);
    ic_status status = IC_OK;
    if (s == NULL) status = ic_taylor_open(&s, problem, log);
    if (status == IC_OK) status = ic_event_loop(log, problem, options, &ic_taylor_method, s);
    if (status != IC_OK) {
        ic_taylor_close(s);
        return status;
    }
    taylor *workspace = s;
    workspace->phase = NULL;
    workspace->kept = (ic_kept){&ic_taylor_method, problem->variant, close_kept};
    ic_given_keep(problem, &workspace->kept);
    return status;
}

const ic_solver ic_solver_taylor = {
    IC_ABI(ic_solver),
    .name = "taylor",
    .title = "Taylor series of the equations, order by tolerance, every crossing of its polynomials",
    .source = "Jorba & Zou 2005",
    .needs = IC_NEEDS_EQUATIONS,
    .order = 0,
    .control = IC_CONTROL_RTOL,
    .solve = solve_taylor,
};
