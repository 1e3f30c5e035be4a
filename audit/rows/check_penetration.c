/* SPDX-License-Identifier: MIT */
/* Bodies that overlap where they are rigid: in every row. */
#include "audit/rows/checks.h"
#include "audit/rows/contact_view.h"

#include <math.h>
#include <stdio.h>

static const ic_audit_check check = {
    .name = "penetration",
    .what = "how far rigid bodies overlap",
    .why = "an impact is taken after it is due, or not at all",
    .reference = "the case's unilateral condition: gap >= 0",
};

/* As of a local defect. */
#define DEVIATIONS 5
/* Rows in a row under the surface: an impact that is late is over with the step, one that is missed is not. */
enum { LONG = 3 };
/* Of the greatest depth: rows that are as deep. */
#define AS_DEEP 0.8

static double noise_of_gap(const ic_tracking *k)
{
    double greatest = 0;
    for (size_t j = 0; j < k->trajectory->n_states; j++) {
        const char *unit = k->problem->system->states[j].unit;
        if (unit[0] == 'm' && unit[1] == '\0')
            greatest = fmax(greatest, DEVIATIONS * k->noise[j] + k->accept * k->range[j]);
    }
    return greatest;
}

void ic_audit_penetration(ic_findings *findings, const ic_tracking *k)
{
    const ic_trajectory *tr = k->trajectory;
    const ic_contact_view *view = ic_contact_view_of(k->problem->system);
    if (view == NULL || !view->rigid) return;
    const ic_output *gap = &k->problem->system->outputs[ic_output_number(k->problem->system, view->gap)];
    const double tolerance = noise_of_gap(k);
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
    snprintf(f.origin, sizeof f.origin, "5 deviations of noise + %g of the range of the positions", k->accept);
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
