/* SPDX-License-Identifier: MIT */
#include "solvers/linear/first_event.h"

#include <math.h>

/* A rough polynomial leaves a zero by a leading coefficient above this part of all, and this many of its errors. */
#define CLEAR_DEPARTURE 1e-6
#define CLEAR_OF_ERROR 0x1p28

static bool is_enabled(const ic_part *part, const ic_phase *phase, size_t i, double s)
{
    double x[IC_MAX_STATES];
    if (phase->mode->guards[i].enabled == NULL) return true;
    part->state(part->self, s, x);
    return ic_phase_enabled(phase, i, part->time(part->self, s), x);
}

static ic_status note_touch(const ic_part *part, const ic_phase *phase, size_t i, ic_polynomial_search *q)
{
    if (!q->grazes) return IC_OK;
    q->grazes = false;
    return ic_log_note(phase->log, IC_NOTE_GRAZING, part->time(part->self, q->grazes_at),
                       ic_phase_guard_name(phase, i));
}

/*
 * Order of the zero that a guard leaves. A declared order above 2 may be too high: the gap of a stop has no
 * curvature where the contact force falls to zero steadily, and has one where it falls by a jump, since
 * friction turns around.
 */
static int order_of(ic_arming arming)
{
    return arming.order > 2 ? 2 : arming.order;
}

/* The same as departure(); 0 if rough errors do not suffice to decide. */
static int rough_departure(const ic_polynomial *p, ic_arming arming)
{
    const double leading = p->c[0];
    const int side = leading > 0 ? 1 : -1;
    if (arming.side == 0 || (arming.order == 0 && side != arming.side)) return 0;
    if (arming.order == 0) return leading != 0 ? side : 0;
    return fabs(leading) > CLEAR_DEPARTURE * p->size && fabs(leading) > CLEAR_OF_ERROR * p->error[0] ? side : 0;
}

/* The side of guard i just after the start of the part. *fires: it fires there. */
static int departure(const ic_part *part, const ic_phase *phase, size_t i, ic_polynomial *p, bool *fires)
{
    const ic_arming arming = phase->arming[i];
    const int direction = ic_phase_direction(phase, i);
    const int side = ic_polynomial_depart(p, order_of(arming));
    /*
     * Clause 2: a guard at zero is judged by the side to which it moves. A guard that was on a side
     * has crossed. So has that of a stop, which has left zero with a rate too small to be seen: the last bounces
     * before rest.
     */
    const bool is_of_stop = phase->mode->guards[i].onset == IC_ONSET_NEAR && arming.order == 1;
    if (arming.side == 0) *fires = side != 0 && side == direction;
    else *fires = (arming.order == 0 || is_of_stop) && side == -arming.side && ic_fires(direction, side);
    *fires = *fires && is_enabled(part, phase, i, 0);
    return side;
}

static double locate(const ic_part *part, const ic_phase *phase, size_t i, const ic_polynomial_search *q)
{
    const double at = ic_polynomial_locate(q, &phase->work->root_iterations);
    return part->refine != NULL ? part->refine(part->self, i, at) : at;
}

/*
 * Place at which guard i fires first, up to `end`: phase->located[i]; INFINITY if it does not fire.
 */
static ic_status find_crossing(const ic_part *part, ic_phase *phase, size_t i, ic_polynomial *p, double end,
                               bool *blurred)
{
    ic_polynomial_search q;
    ic_polynomial_outcome outcome = IC_POLYNOMIAL_DOUBT;
    const ic_arming arming = phase->arming[i];
    q.evaluations = 0;
    q.side = 0;
    q.blurred = q.grazes = false;
    for (int careful = 0; outcome == IC_POLYNOMIAL_DOUBT && careful < 2; careful++) {
        bool fires = false;
        phase->located[i] = INFINITY;
        part->guard(part->self, i, order_of(arming), careful, p);
        const int side = p->rough ? rough_departure(p, arming) : departure(part, phase, i, p, &fires);
        if (p->rough && side == 0) continue;
        if (fires) {
            phase->arrival[i] = side;
            phase->located[i] = 0;
            return IC_OK;
        }
        ic_polynomial_search_begin(&q, p, side, end);
        while ((outcome = ic_polynomial_search_next(&q)) == IC_POLYNOMIAL_CHANGES) {
            const ic_status status = note_touch(part, phase, i, &q);
            if (status != IC_OK) return status;
            if (!ic_fires(ic_phase_direction(phase, i), q.side)) continue;
            const double at = locate(part, phase, i, &q);
            if (!is_enabled(part, phase, i, at)) continue;
            phase->located[i] = at;
            break;
        }
    }
    phase->arrival[i] = q.side;
    phase->work->guard_calls += q.evaluations;
    if (outcome == IC_POLYNOMIAL_NOT_FINITE) return IC_NOT_FINITE;
    if (phase->located[i] <= end) return IC_OK;
    /* a shorter part does not show better that a guard has left its zero */
    *blurred |= q.blurred && q.side != 0;
    /* The guard has not left its zero as far as the errors show. */
    if (q.blurred && arming.order > 0) phase->arrival[i] = 0;
    return note_touch(part, phase, i, &q);
}

ic_status ic_part_first_event(const ic_part *part, ic_phase *phase, ic_polynomial *p, double *at, bool *blurred)
{
    const double tie = ic_phase_instant_width(phase) / part->length;
    const size_t n_guards = phase->mode->n_guards;
    double first = INFINITY;
    *blurred = false;
    phase->fired = -1;
    for (size_t i = 0; i < n_guards; i++) {
        const bool idle = part->idle != NULL && part->idle[i];
        const ic_status status = idle ? IC_OK : find_crossing(part, phase, i, p, fmin(1, first + tie), blurred);
        if (status != IC_OK) return status;
        if (idle) phase->arrival[i] = 0, phase->located[i] = INFINITY;
        first = fmin(first, phase->located[i]);
    }
    for (size_t i = 0; i < n_guards && first < INFINITY; i++) {
        phase->due[i] = phase->located[i] <= first + tie;
        if (phase->due[i] && phase->fired < 0) phase->fired = (int)i;
    }
    if (phase->fired >= 0) *at = fmin(phase->located[phase->fired], 1);
    return IC_OK;
}
