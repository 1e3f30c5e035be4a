/* SPDX-License-Identifier: MIT */
/* Bodies that overlap where they are rigid: in every row. */
#include "audit/common/tolerances.h"
#include "audit/trajectory/checks.h"
#include "registry/registry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const ic_audit_check check = {
    .name = "penetration",
    .what = "how far rigid bodies overlap",
    .why = "an impact is taken after it is due, or not at all",
    .reference = "the case's unilateral condition: gap >= 0",
};

/* Rows in a row under the surface: an impact that is late is over with the step, one that is missed
   is not. */
enum { LONG = 3 };
/* Of the greatest depth: rows that are as deep. */
#define AS_DEEP 0.8

/* What the noise of the states and their least accuracy make of the gap, which is affine in them.
 */
static double gap_tolerance(const ic_tracking *k, const ic_output *gap, int mode)
{
    const ic_trajectory *tr = k->trajectory;
    const double here = gap->value(tr->t[0], tr->x, mode, k->problem->par);
    double moved[IC_MAX_STATES], square = 0, accepted = 0;
    memcpy(moved, tr->x, tr->n_states * sizeof *moved);
    for (size_t j = 0; j < tr->n_states; j++) {
        moved[j] += k->range[j];
        const double change = (gap->value(tr->t[0], moved, mode, k->problem->par) - here) / k->range[j];
        moved[j] = tr->x[j];
        square += change * change * k->noise[j] * k->noise[j];
        accepted += fabs(change) * k->accept * k->range[j];
    }
    return ic_tolerance_noise.value * sqrt(square) + accepted;
}

void ic_audit_penetration(ic_findings *findings, const ic_tracking *k)
{
    const ic_trajectory *tr = k->trajectory;
    const ic_contact_view *view = k->problem->system->contact;
    if (view == NULL || !view->rigid) return;
    const ic_output *gap = &k->problem->system->outputs[ic_output_find(k->problem->system, view->gap)];
    const double tolerance = gap_tolerance(k, gap, view->free);
    double least = 0;
    size_t at = 0, rows = 0, longest = 0, deepest = 0;
    for (size_t i = 0; i < tr->n; i++) {
        const double value = gap->value(tr->t[i], &tr->x[i * tr->n_states], view->free, k->problem->par);
        if (value >= -tolerance) rows = 0;
        else if (!ic_row_on_line(k, i)) rows++; /* what is interpolated is no step of its own */
        if (rows > longest) longest = rows;
        if (value < least) least = value, at = i;
    }
    /* where most of the rows under the surface are as deep as the deepest, a body rests there */
    for (size_t i = 0; i < tr->n; i++)
        deepest +=
            gap->value(tr->t[i], &tr->x[i * tr->n_states], view->free, k->problem->par) < AS_DEEP * least;
    ic_finding f = ic_finding_of(&check, k, -least, tolerance, "m");
    snprintf(f.origin, sizeof f.origin, "%s, in the gap",
             ic_accuracy_origin(&ic_tolerance_accuracy, k->accept).text);
    if (f.verdict == IC_FINDING_FAIL) {
        snprintf(f.detail, sizeof f.detail, "line %zu, t = %.9g s; up to %zu rows one after another",
                 tr->line[at], tr->t[at], longest);
        f.cause = longest < LONG ? IC_MISTAKE_NO_EVENT_LOCATION : IC_MISTAKE_FALLS_THROUGH;
        if (longest >= LONG && 2 * deepest > longest) {
            f.cause = IC_NO_MISTAKE;
            snprintf(f.detail, sizeof f.detail,
                     "%zu rows are about %.3g m under the surface, as line %zu, t = %.9g s", deepest, -least,
                     tr->line[at], tr->t[at]);
        }
    }
    ic_findings_add(findings, &f);
}
