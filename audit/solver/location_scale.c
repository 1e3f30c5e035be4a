/* SPDX-License-Identifier: MIT */
/*
 * The same impact is searched with steps h and h/16, and with a guard a thousand times as great.
 * Its distance d from the wall is the width of the last bracket:
 *
 *     d ~ h            the search stops after n halvings, or, if d is a part of h itself, never begins
 *     d ~ h^2 or less  it stops after a few interpolations
 *     d ~ 1/guard      it stops when the guard is small
 *     d the same       it stops at a width in seconds
 */
#include "audit/common/tolerances.h"
#include "audit/solver/solver.h"
#include "core/numbers.h"
#include "validation/subjects.h"

#include <float.h>
#include <stdlib.h>

enum { PLACES = 17 };
/* Multiples of the golden section are spread evenly over a step, however many are taken. */
#define GOLDEN 0.6180339887498949
/* the range of the wall, m, which the mass meets after 0.9 to 1.3 s, and the end, s */
#define WALL_LOW 0.3
#define WALL_HIGH 0.6
#define T_END 1.5
/* fixed steps, s, and requested errors */
#define STEP 0.0213
#define STEP_LOW_ORDER 0.00213
#define ASKED 1e-4
/* Ratio of the steps, and highest order for which tolerances are chosen by it. */
#define FINER 16.0
#define MOST_ORDER 6
#define GREATER_GUARD 1e3
#define MOST_STEPS 3e5
typedef struct measured {
    double off, late, free;

    /* calls of the flow in a run without a wall */
    double flows;
} measured;

static double median(double values[PLACES])
{
    qsort(values, PLACES, sizeof *values, ic_compare_numbers);
    return values[PLACES / 2];
}

/* false: some run does not end well, or finds no impact. */
static bool measure(measured *m, const ic_solver *solver, double finer, double factor)
{
    double off[PLACES], late[PLACES];
    const double order = fmin(fmax(solver->order, 1), MOST_ORDER);
    const ic_options options = {
        .step = solver->control == IC_CONTROL_STEP ? (solver->order > 2 ? STEP : STEP_LOW_ORDER) / finer : 0,
        .rtol = ic_rtol_for(solver, ASKED * pow(finer, -order)),
        .max_steps = MOST_STEPS};
    const ic_free_swing swing = ic_free_swing_of(solver, &options, T_END);
    m->free = fmin(swing.error, swing.own_error); /* the end may be interpolated like the impacts */
    m->flows = swing.flows;
    bool good = swing.solved && isfinite(m->free);
    for (int i = 0; good && i < PLACES; i++) {
        const double place = fmod((i + 1) * GOLDEN, 1), c = WALL_LOW + (WALL_HIGH - WALL_LOW) * place;
        ic_solver_run r = ic_solver_run_of(solver, ic_probe_scaled_wall(c, factor, T_END), &options);
        good = r.status == IC_OK && r.damage == 0 && ic_log_event_count(r.log) > 0;
        if (good) {
            const ic_event event = ic_log_event_at(r.log, 0);
            off[i] = fabs((event.x_pre[0] - c) / event.x_pre[1]);
            late[i] = fabs(event.t - ic_probe_oscillator_impact(c, 0));
        }
        ic_solver_run_free(&r);
    }
    if (good) m->off = median(off), m->late = median(late);
    return good;
}

static double power(double from, double to, double ratio)
{
    return log(fmax(from, DBL_EPSILON) / fmax(to, DBL_EPSILON)) / log(ratio);
}

static ic_mistake_id find_cause(const ic_location_scale *s)
{
    if (!(s->off > ic_tolerance_same_time.value)) return IC_NO_MISTAKE;
    if (s->by_guard > ic_tolerance_location_power.value) return IC_MISTAKE_RESIDUAL_TOLERANCE;
    if (s->by_step < ic_tolerance_location_power.value) return IC_MISTAKE_ABSOLUTE_TIME;
    const bool searched =
        s->of_step < ic_tolerance_location_searched.value || s->by_step > 1 + ic_tolerance_location_power.value;
    return searched ? IC_MISTAKE_LOCATION_CUT_SHORT : IC_MISTAKE_NO_EVENT_LOCATION;
}

ic_location_scale ic_location_scale_of(const ic_solver *solver)
{
    ic_location_scale s = {.known = false};
    measured coarse, fine, greater;
    s.known = measure(&coarse, solver, 1, 1) && measure(&fine, solver, FINER, 1) &&
              measure(&greater, solver, 1, GREATER_GUARD);
    if (!s.known) return s;
    const bool fixed = solver->control == IC_CONTROL_STEP;
    const double ratio = fixed || !(coarse.flows > 0) ? FINER : fmax(fine.flows / coarse.flows, 2);
    const double step = fixed ? (solver->order > 2 ? STEP : STEP_LOW_ORDER)
                              : T_END * fmax(solver->order, 1) / fmax(coarse.flows, 1);
    const double asked = fixed ? ic_tolerance_error_rounding.value
                               : ASKED * pow(FINER, -fmin(fmax(solver->order, 1), MOST_ORDER));
    s.off = coarse.off, s.late = fine.late;
    s.motion = fmax(fine.free, asked);
    s.beyond_motion = s.late / s.motion;
    s.by_step = power(coarse.off, fine.off, ratio);
    s.by_guard = power(coarse.off, greater.off, GREATER_GUARD);
    s.of_step = coarse.off / step;
    s.cause = find_cause(&s);
    return s;
}
