/* SPDX-License-Identifier: MIT */
/* Overlap of rigid bodies, in every row. */
#include "audit/common/tolerances.h"
#include "audit/trajectory/checks/checks.h"

#include <math.h>
#include <string.h>

/* Consecutive rows below the surface: a late impact ends with the step, a missed one does not. */
enum { LONG = 3 };
/* Rows deeper than this fraction of the greatest depth are equally deep. */
#define AS_DEEP 0.8
/* Change of the gap from row to row at rest, in its tolerance. */
#define AT_REST 0.1

/* Tolerance of the gap, which is affine in the states, by noise and accepted accuracy. */
static double gap_tolerance(const ic_tracking *k)
{
    const ic_trajectory *tr = k->trajectory;
    const double here = ic_contact_gap(k->problem, tr->t[0], tr->x);
    double moved[IC_MAX_STATES], square = 0, accepted = 0;
    memcpy(moved, tr->x, tr->n_states * sizeof *moved);
    for (size_t j = 0; j < tr->n_states; j++) {
        moved[j] += k->range[j];
        const double change = (ic_contact_gap(k->problem, tr->t[0], moved) - here) / k->range[j];
        moved[j] = tr->x[j];
        square += change * change * k->noise[j] * k->noise[j];
        accepted += fabs(change) * k->accept * k->range[j];
    }
    return ic_tolerance_noise.value * sqrt(square) + accepted;
}

/* Square of the speed with which free motion meets the surface, by a row of a body that bounces. */
static double speed_squared(const ic_tracking *k, const ic_bouncing_body *body, size_t row)
{
    const double *x = &k->trajectory->x[row * k->trajectory->n_states];
    return x[body->state.v] * x[body->state.v] +
           2 * body->pull * ic_contact_gap(k->problem, k->trajectory->t[row], x);
}

/* A row below the surface with less than this part of that square, before and after it: a spring has slowed the body. */
#define SLOWED 0.8

/*
 * Counts stays below the surface in which the body is slowed down, as on a spring; *e receives their typical coefficient
 * by the flights before and after them. 0: it is not in most stays, as after late impacts, or there is one, a wrong row.
 */
static size_t count_turns(const ic_tracking *k, double tolerance, double *e)
{
    enum { MOST = 100 };
    const ic_trajectory *tr = k->trajectory;
    ic_bouncing_body body;
    double values[MOST], least = INFINITY, before = NAN;
    size_t n = 0, stays = 0;
    bool below = false;
    if (!ic_bouncing_body_of(&body, k)) return 0;
    for (size_t i = 1; i < tr->n && n < MOST; i++) {
        const bool now = ic_contact_gap(k->problem, tr->t[i], &tr->x[i * tr->n_states]) < -tolerance;
        const double here = speed_squared(k, &body, i);
        if (now && !below) before = speed_squared(k, &body, i - 1), least = INFINITY;
        if (now) least = fmin(least, here);
        if (!now && below) {
            stays++;
            if (least < SLOWED * fmin(before, here)) values[n++] = sqrt(here / before);
        }
        below = now;
    }
    *e = ic_audit_median(values, n);
    return n > 1 && 2 * n > stays ? n : 0;
}

void ic_audit_penetration(ic_findings *findings, const ic_tracking *k)
{
    const ic_trajectory *tr = k->trajectory;
    const ic_contact_view *view = k->problem->system->contact;
    if (view == NULL || !view->rigid) return;
    const double tolerance = gap_tolerance(k);
    double least = 0;
    size_t at = 0, rows = 0, longest = 0, deepest = 0;
    double before = NAN;
    for (size_t i = 0; i < tr->n; i++) {
        const double value = ic_contact_gap(k->problem, tr->t[i], &tr->x[i * tr->n_states]);
        /* Interpolated rows are not steps, but those of a body at rest are. */
        if (value >= -tolerance) rows = 0;
        else if (!ic_row_on_line(k, i) || fabs(value - before) < tolerance * AT_REST) rows++;
        before = value;
        if (rows > longest) longest = rows;
        if (value < least) least = value, at = i;
    }
    /* if most rows below the surface are equally deep, a body rests there */
    for (size_t i = 0; i < tr->n; i++)
        deepest += ic_contact_gap(k->problem, tr->t[i], &tr->x[i * tr->n_states]) < AS_DEEP * least;
    ic_finding f = ic_finding_of(&ic_row_check_penetration, k, -least, tolerance, "m");
    ic_finding_set_origin(&f, "%s, in the gap", ic_accuracy_origin(&ic_tolerance_accuracy, k->accept).text);
    if (f.verdict == IC_FINDING_FAIL) {
        ic_finding_describe(&f, "line %zu, t = %.9g s; up to %zu consecutive rows", tr->line[at], tr->t[at],
                            longest);
        f.cause = longest < LONG ? IC_MISTAKE_NO_EVENT_LOCATION : IC_MISTAKE_FALLS_THROUGH;
        if (longest >= LONG && 2 * deepest > longest) {
            f.cause = IC_MISTAKE_RESTS_BELOW_SURFACE;
            ic_finding_describe(&f, "%zu rows are about %.3g m under the surface, as line %zu, t = %.9g s",
                                deepest, -least, tr->line[at], tr->t[at]);
        }
        double e;
        const size_t turns = count_turns(k, tolerance, &e);
        if (turns > 0) {
            f.cause = IC_MISTAKE_CONTACT_SOFT;
            ic_finding_append(&f,
                              "; the contact is compliant: it slows the body down in %zu contacts, which by "
                              "the flights before and after them have e = %.3g",
                              turns, e);
        }
    }
    ic_findings_add(findings, &f);
}
