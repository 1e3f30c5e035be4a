/* SPDX-License-Identifier: MIT */
/*
 * A free swing, x'' = -x from (1, 0), without an event. With N steps h of a method of order p,
 *
 *     error at the end ~ h^p ~ N^-p,     estimate of a step's error ~ h^q, p <= q + 1:   N ~ rtol^(-1/q).
 *
 * One wrong coefficient of the method leaves p = 1 or 2, whatever the estimate; one wrong
 * coefficient of the estimate leaves q = 1; and a solver that ignores rtol always has the same N.
 */
#include "audit/common/tolerances.h"
#include "audit/solver/solver.h"
#include "validation/subjects.h"

#include <math.h>

enum { SIZES = 11, LOOSE = 6, LEAST_SIZES = 4, LEAST_EQUAL = 3 };
/* Range of the requested errors of a run. LOOSE larger ones, up to 1, precede them for a solver that
   does not end with small ones. */
#define ASKED_FIRST 1e-4
#define ASKED_LAST 1e-11
/* the end of the run, s, at x = cos 20: three swings, so that errors of many steps add up */
#define UNTIL 20.0
/* A method of order 3 takes a tenth of them at the smallest tolerance. A solver that takes more
   is judged by the larger tolerances. */
#define MOST_STEPS 3e5
/* Smaller errors are rounding. */
#define ROUNDING 1e-13
/* Rounding of each call, which may always have the same sign. */
#define ROUNDING_OF_FLOW 1e-15
/* Part of the work and of the error by which runs with tolerances of 1:5 differ less only if they are the same. */
#define SAME_WORK 0.01
#define SAME_ERROR 0.05
/* Order by which estimates are judged at most. */
#define ENOUGH 3.0
/* From this order on an estimate of order 1 is a mistake: the limit is between that and 2. */
#define FEW 3
#define LEAST_ESTIMATE 1.5

/* The runs, from the greatest tolerance on. */
typedef struct swings {
    double rtol[SIZES];
    ic_free_swing swing[SIZES];
    size_t n;
} swings;

/* The powers of the work, and of 1/rtol; INFINITY: all errors are rounding. own = 0: unknown. */
typedef struct swing_powers {
    double shown, own, growth;
} swing_powers;

/* false: the solver has no result, or works without the flow. */
static bool measure_run(ic_free_swing *swing, double *rtol, const ic_solver *solver, double asked)
{
    const ic_options options = {.rtol = ic_rtol_for(solver, asked), .max_steps = MOST_STEPS};
    *swing = ic_free_swing_of(solver, &options, UNTIL);
    *rtol = options.rtol;
    return swing->solved && swing->flows > 0;
}

/* What explains a low order by work. */
static ic_mistake_id find_order_cause(const swing_powers *p, double least, double most)
{
    /* steps that follow a wrong estimate are so uneven that the error falls more slowly with the work, too */
    const bool uneven = p->growth > most && p->shown >= fmin(least, ENOUGH);
    if (p->growth < ic_tolerance_effort_growth.value) return IC_MISTAKE_TOLERANCE_IGNORED;
    if (uneven) return IC_MISTAKE_ERROR_ESTIMATE_WRONG;
    return p->own >= least ? IC_MISTAKE_INTERPOLANT_COARSE : IC_MISTAKE_ORDER_LOST;
}

static const char *order_advice(ic_mistake_id cause)
{
    return cause == IC_MISTAKE_INTERPOLANT_COARSE
               ? ": the steps themselves keep their order, and the end is interpolated: end the last step there, "
                 "or use an interpolant of the order of the steps"
               : ": compare the coefficients with their source, or claim less";
}

static const char *growth_advice(ic_mistake_id cause)
{
    switch (cause) {
    case IC_MISTAKE_TOLERANCE_IGNORED: return ": let the steps follow rtol";
    case IC_MISTAKE_ERROR_ESTIMATE_WRONG:
        return ": compare the weights of the estimate with their source; they must add up to 0";
    default: return "";
    }
}

static ic_mistake_id add_rows(ic_finding_writer *writer, double claimed, const swing_powers *p)
{
    const double least = ic_tolerance_effort_order.value * claimed,
                 least_estimate = claimed < FEW ? 1 : LEAST_ESTIMATE,
                 most = 1 / fmin(fmax(claimed - ic_tolerance_effort_estimate.value, least_estimate), ENOUGH);
    const bool ignored = p->growth < ic_tolerance_effort_growth.value;
    const ic_mistake_id cause = find_order_cause(p, least, most);
    const ic_judged_value order = {fmax(claimed - p->shown, 0), claimed - least,
                                   ic_tolerance_effort_order.derivation, cause};
    if (isfinite(p->shown)) /* otherwise all errors are rounding */
        ic_write_measured(
            writer, IC_CHECK_SOLVER_EFFORT, &order,
            "claimed order minus the measured one: errors of a free swing fall like work^-%.3g; claimed %g%s",
            p->shown, claimed, order.value <= order.tolerance ? "" : order_advice(cause));
    const ic_judged_value grows = {ignored ? INFINITY : p->growth, most,
                                   ic_tolerance_effort_estimate.derivation,
                                   p->shown < least ? cause
                                   : ignored        ? IC_MISTAKE_TOLERANCE_IGNORED
                                                    : IC_MISTAKE_ERROR_ESTIMATE_WRONG};
    const ic_mistake_id wrong = ic_write_measured(
        writer, IC_CHECK_SOLVER_EFFORT, &grows, "the work of a free swing grows like rtol^-%.3g%s", p->growth,
        grows.value <= grows.tolerance ? "" : growth_advice(grows.cause));
    return order.value <= order.tolerance ? wrong : order.cause;
}

/* Errors requested larger than usual, by which the work of a solver that takes too many steps is judged. */
static void measure_loose(const ic_solver *solver, ic_line_fit *growth)
{
    *growth = (ic_line_fit){0};
    for (int i = 0; i < LOOSE + SIZES; i++) {
        ic_free_swing swing;
        double rtol;
        if (!measure_run(&swing, &rtol, solver, pow(ASKED_FIRST, (double)i / LOOSE))) return;
        ic_line_fit_add(growth, -log(rtol), log(swing.flows));
    }
}

static bool is_same(const ic_free_swing *a, const ic_free_swing *b)
{
    return fabs(a->flows - b->flows) <= SAME_WORK * b->flows &&
           fabs(a->error - b->error) <= SAME_ERROR * b->error;
}

/* From a run on all others are the same: its index; the number of runs: they differ. */
static size_t find_floor(const swings *s)
{
    size_t first = s->n;
    if (s->n == 0) return 0;
    const ic_free_swing *last = &s->swing[s->n - 1];
    while (first > 0 && is_same(&s->swing[first - 1], last)) first--;
    const bool rounded = last->error <= ic_tolerance_error_rounding.value;
    return first == 0 || s->n - first < LEAST_EQUAL || rounded || s->rtol[first] <= s->rtol[s->n - 1] ? s->n
                                                                                                      : first;
}

static ic_mistake_id add_floor(ic_finding_writer *writer, const swings *s, size_t floor)
{
    const ic_judged_value m = {s->rtol[floor], s->rtol[s->n - 1], "the least tolerance that is requested",
                               IC_MISTAKE_TOLERANCE_FLOOR};
    return ic_write_measured(
        writer, IC_CHECK_SOLVER_EFFORT, &m,
        "from this tolerance down to %.2g the answers are the same, with an error of %.2g: let "
        "smaller tolerances count, or refuse them",
        m.tolerance, s->swing[s->n - 1].error);
}

static void add_error(ic_line_fit *fit, double flows, double error)
{
    if (isfinite(error) && error > ROUNDING + flows * ROUNDING_OF_FLOW)
        ic_line_fit_add(fit, log(flows), -log(error));
}

ic_mistake_id ic_audit_effort(ic_finding_writer *writer, const ic_solver *solver)
{
    ic_line_fit order = {0}, own = {0}, growth = {0};
    swings s = {.n = 0};
    bool seen = true;
    if (solver->control != IC_CONTROL_RTOL || solver->order < 2) return IC_NO_MISTAKE;
    for (; s.n < SIZES; s.n++) {
        const double asked = ASKED_FIRST * pow(ASKED_LAST / ASKED_FIRST, (double)s.n / (SIZES - 1));
        if (!measure_run(&s.swing[s.n], &s.rtol[s.n], solver, asked)) break;
    }
    const size_t floor = find_floor(&s);
    for (size_t i = 0; i < s.n && i <= floor; i++) {
        const ic_free_swing *swing = &s.swing[i];
        ic_line_fit_add(&growth, -log(s.rtol[i]), log(swing->flows));
        add_error(&order, swing->flows, swing->error);
        add_error(&own, swing->flows, swing->own_error);
        seen &= isfinite(swing->own_error);
    }
    const ic_mistake_id limited = floor < s.n ? add_floor(writer, &s, floor) : IC_NO_MISTAKE;
    if (growth.n < LEAST_SIZES && limited != IC_NO_MISTAKE) return limited;
    if (growth.n < LEAST_SIZES) measure_loose(solver, &growth);
    if (growth.n < LEAST_SIZES) return IC_NO_MISTAKE;
    const swing_powers powers = {ic_line_fit_slope_of(&order, LEAST_SIZES),
                                 seen ? ic_line_fit_slope_of(&own, LEAST_SIZES) : 0,
                                 ic_line_fit_slope(&growth)};
    const ic_mistake_id found = add_rows(writer, solver->order, &powers);
    return found != IC_NO_MISTAKE ? found : limited;
}

/* ---- direction */

/*
 * position of the mark, m: the mass passes it downwards at arccos c, and upwards at 2 pi - arccos c
 */
#define MARK 0.4
#define ONE_SWING 6.0
#define NEAR 0.1        /* s */
#define USUAL_STEP 0.01 /* step of solvers with fixed steps, s */

/* Counts the events at passages in the wrong direction; 0 without a result, which another check
   reports. */
static size_t count_reversed(const ic_solver *solver, int direction)
{
    ic_options options = ic_solver_options(solver, USUAL_STEP, 1);
    options.max_steps = fmin(options.max_steps, MOST_STEPS);
    ic_solver_run r = ic_solver_run_of(solver, ic_probe_mark(MARK, direction, ONE_SWING), &options);
    const double reversed = direction > 0 ? acos(MARK) : 2 * M_PI - acos(MARK);
    size_t count = 0;
    for (size_t i = 0; r.status == IC_OK && r.damage == 0 && i < ic_log_event_count(r.log); i++)
        count += fabs(ic_log_event_at(r.log, i).t - reversed) < NEAR;
    ic_solver_run_free(&r);
    return count;
}

bool ic_audit_direction(ic_finding_writer *writer, const ic_solver *solver)
{
    const size_t downwards = count_reversed(solver, +1), upwards = count_reversed(solver, -1);
    const ic_judged_value m = {(double)(downwards + upwards), 0, "none may", IC_MISTAKE_DIRECTION_IGNORED};
    ic_write_measured(writer, IC_CHECK_SOLVER_DIRECTION, &m,
                      "events at downward passages of a mark that counts upward ones: %zu; conversely: %zu",
                      downwards, upwards);
    return downwards + upwards == 0;
}
