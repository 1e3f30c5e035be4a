/* SPDX-License-Identifier: MIT */
/*
 * Momentum that a contact cannot change. The force or impulse of a contact acts along one direction
 * d of the velocities. The combination w v with w d = 0 is the total momentum of two bodies that
 * push each other, or that of an untouched body. From row to row it changes by the impulse of the
 * known forces, independently of the mode and the coefficient of restitution: w v(t1) - w v(t0) =
 * integral of w f dt, where f is the acceleration by the flow without the contact. d follows from
 * the jump of a rigid impact, otherwise from the flows of contact and flight. With one velocity no
 * such w exists, and only free flight is judged.
 */
#include "audit/common/tolerances.h"
#include "audit/trajectory/checks/checks.h"

#include <math.h>
#include <string.h>

enum { VELOCITIES = 2, SAMPLES = 40 };
/* Directions that differ by more are distinct; rounding leaves far less. */
#define PARALLEL 1e-6
/* With noise one of many intervals may exceed its tolerance. */
#define CLEAR 2.0

typedef struct momentum_frame {
    const ic_tracking *k;
    const ic_contact_view *view;

    /* numbers of states */
    size_t velocity[VELOCITIES], n;

    /* Factors of the velocities, divided by the range of w v. */
    double w[VELOCITIES];
} momentum_frame;

static bool find_velocities(momentum_frame *b)
{
    const ic_problem *problem = b->k->problem;
    for (size_t i = 0; i < problem->system->n_states; i++) {
        if (ic_position_of(problem, i) == problem->system->n_states) continue;
        if (b->n == VELOCITIES) return false;
        b->velocity[b->n++] = i;
    }
    return b->n > 0;
}

/* The change of the velocities by the contact in a state: by an impact, or by its force. */
static void contact_change(double *d, const momentum_frame *b, double t, const double *x)
{
    const ic_problem *problem = b->k->problem;
    const ic_mode *free_mode = &problem->variant->modes[b->view->free],
                  *contact = &problem->variant->modes[b->view->contact];
    double before[IC_MAX_STATES] = {0}, after[IC_MAX_STATES] = {0};
    const ic_guard *touch = ic_touch_guard(b->view, problem->variant);
    if (b->view->rigid && touch != NULL) {
        memcpy(before, x, problem->system->n_states * sizeof *x);
        touch->jump.apply(after, t, x, problem->par);
    } else {
        free_mode->flow(before, t, x, problem->par);
        contact->flow(after, t, x, problem->par);
    }
    for (size_t i = 0; i < b->n; i++) d[i] = after[b->velocity[i]] - before[b->velocity[i]];
}

/* Find w with w d = 0 for the direction d common to all sampled states. false: none. */
static bool find_weights(momentum_frame *b)
{
    const ic_tracking *k = b->k;
    double most = 0;
    if (b->n == 1) return b->w[0] = 1, true;
    const size_t stride = k->n_intervals / SAMPLES + 1;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < k->n_intervals; i += stride) {
            double x[IC_MAX_STATES], d[VELOCITIES] = {0};
            ic_interval_state(x, k, &k->intervals[i]);
            contact_change(d, b, k->trajectory->t[k->intervals[i].from], x);
            const double size = hypot(d[0], d[1]);
            if (pass == 0 && size > most) most = size, b->w[0] = d[1] / size, b->w[1] = -d[0] / size;
            if (pass == 1 && fabs(b->w[0] * d[0] + b->w[1] * d[1]) > PARALLEL * most) return false;
        }
    }
    return most > 0;
}

static double momentum_of(const momentum_frame *b, const double *x)
{
    double sum = 0;
    for (size_t i = 0; i < b->n; i++) sum += b->w[i] * x[b->velocity[i]];
    return sum;
}

static bool scale_weights(momentum_frame *b)
{
    const ic_tracking *k = b->k;
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < k->n_intervals; i++) {
        const double p = momentum_of(b, &k->trajectory->x[k->intervals[i].from * k->trajectory->n_states]);
        least = fmin(least, p), most = fmax(most, p);
    }
    for (size_t i = 0; i < b->n; i++) b->w[i] /= most - least;
    return most > least;
}

/* ---- one interval */

static double force_on(const momentum_frame *b, double t, const double *x)
{
    double f[IC_MAX_STATES] = {0};
    b->k->problem->variant->modes[b->view->free].flow(f, t, x, b->k->problem->par);
    return momentum_of(b, f);
}

/*
 * Momentum of the row minus that of the prediction, minus the impulse of the difference of their
 * forces. That difference grows from 0, so that the impulse is half of its last value over the
 * interval, plus or minus as much. The result is in tolerances; `off` receives the absolute value.
 */
static double defect_from(double *off, const momentum_frame *b, const ic_interval *interval,
                          const ic_prediction *end)
{
    const ic_tracking *k = b->k;
    const ic_trajectory *tr = k->trajectory;
    const double t = tr->t[interval->to], h = t - tr->t[interval->from];
    const double *row = &tr->x[interval->to * tr->n_states];
    double square = 0;
    const double impulse = 0.5 * h * (force_on(b, t, row) - force_on(b, t, end->x));
    for (size_t i = 0; i < b->n; i++) square += pow(b->w[i] * k->tolerance[b->velocity[i]], 2);
    *off = momentum_of(b, row) - momentum_of(b, end->x) - impulse;
    return fabs(*off) / (sqrt(square) + fabs(impulse));
}

/*
 * The least defect over all modes, with and without guards; the mode does not affect the momentum.
 */
static double least_defect(double *off, const momentum_frame *b, const ic_interval *interval)
{
    const ic_tracking *k = b->k;
    double least = INFINITY;
    for (int i = 0; i < 2 * (int)k->problem->variant->n_modes && least > 1; i++) {
        double here;
        ic_prediction end;
        /* the explained one first */
        ic_interval_predict(&end, k, interval, (i / 2 + interval->mode) % (int)k->problem->variant->n_modes,
                            i % 2 == 0);
        if (!end.good) continue;
        const double d = defect_from(&here, b, interval, &end);
        if (d < least) least = d, *off = here;
    }
    return least;
}

/* A compliant contact has a duration: only an impact has a momentum before and after. */
static bool is_judged(const momentum_frame *b, const ic_interval *interval)
{
    const bool event = ic_interval_has_event(interval);
    if (interval->doubtful) return false;
    if (b->n == 1) return interval->mode == b->view->free && !event;
    return b->view->rigid || !event;
}

/* ---- all of it */

static void judge_momentum(ic_findings *findings, const momentum_frame *b)
{
    const ic_tracking *k = b->k;
    double worst = 0, off = 0;
    size_t at = 0, judged = 0;
    for (size_t i = 0; i < k->n_intervals; i++) {
        double here = 0;
        if (!is_judged(b, &k->intervals[i])) continue;
        judged++;
        if (b->n == 1 && k->intervals[i].explanation != IC_UNEXPLAINED)
            continue; /* the state has been compared with the case */
        const double d = least_defect(&here, b, &k->intervals[i]);
        if (d > worst && isfinite(d)) worst = d, off = here, at = i;
    }
    const double limit = ic_noise_shows(k) ? CLEAR : 1;
    ic_finding f = ic_finding_of(b->n > 1 ? &ic_row_check_momentum : &ic_row_check_momentum_of_one, k,
                                 fabs(off), worst > 0 ? limit * fabs(off) / worst : 0, "1");
    ic_finding_set_origin(&f, "%s%s", ic_accuracy_origin(&ic_tolerance_accuracy, k->accept).text,
                          limit > 1 ? ", twice" : "");
    if (judged == 0) {
        f.measured = f.tolerance = NAN;
        ic_finding_leave_open(&f, "no two consecutive rows in free flight");
    } else if (f.verdict == IC_FINDING_FAIL) {
        const ic_interval *interval = &k->intervals[at];
        ic_finding_describe(&f, "line %zu, t = %.9g s%s", k->trajectory->line[interval->to],
                            k->trajectory->t[interval->to],
                            interval->due ? ", where the case has an event" : "");
        if (interval->due && b->n > 1 && b->view->rigid) f.cause = IC_MISTAKE_MOMENTUM_LOST;
    } else ic_finding_describe(&f, "%zu intervals%s", judged, b->n > 1 ? "" : " of free flight");
    ic_findings_add(findings, &f);
}

void ic_audit_momentum(ic_findings *findings, const ic_tracking *k)
{
    momentum_frame b = {.k = k, .view = k->problem->system->contact};
    if (b.view == NULL || k->n_intervals == 0 || !find_velocities(&b)) return;
    if (find_weights(&b) && scale_weights(&b)) judge_momentum(findings, &b);
}
