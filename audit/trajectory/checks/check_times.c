/* SPDX-License-Identifier: MIT */
/*
 * Times of impacts alone, as a microphone gives them: the gaps between them determine the coefficient of restitution and
 * the acceleration of free fall. Both are fitted by least squares to the gaps of the case's own run, so that the origin of
 * time does not matter; the first time is that of the first impact.
 */
#include "audit/common/tolerances.h"
#include "audit/trajectory/checks/checks.h"
#include "core/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TIMES = 1000, LEAST_GAPS = 4, STEPS = 8, E = 0, G = 1, FITTED };

#define DELTA 1e-5

typedef struct gap_fit {
    /* The case with parameters of its own; NULL: memory ran out. */
    ic_problem problem;
    double *par;

    /* numbers of the parameters that are fitted: restitution, and gravity */
    size_t parameter[FITTED];

    /* Impacts in the file. */
    const double *t;
    size_t n;

    double deviation[FITTED];
} gap_fit;

/* Gaps of the case's run; returns how many there are. */
static size_t own_gaps(double *gaps, const gap_fit *f)
{
    ic_problem problem = f->problem;
    const char *first = NULL;
    double before = NAN;
    size_t count = 0;
    ic_log *log = ic_log_new(&problem);
    problem.t_end = problem.t_start + 4 * (f->t[f->n - 1] - f->t[0] + ic_time_scale(&problem));
    if (log != NULL) (void)ic_accurate_solver(problem.variant)->solve(log, &problem, &(ic_options){0});
    for (size_t i = 0; log != NULL && i < ic_log_event_count(log) && count + 1 < f->n; i++) {
        const ic_event event = ic_log_event_at(log, i);
        if (first == NULL) first = event.name;
        if (strcmp(event.name, first) != 0) continue;
        if (isfinite(before)) gaps[count++] = event.t - before;
        before = event.t;
    }
    ic_log_free(log);
    return count;
}

/* One step of Gauss and Newton. false: too few gaps, or they do not determine both numbers. */
static bool improve(gap_fit *f)
{
    double here[MOST_TIMES], moved[FITTED][MOST_TIMES], a[FITTED][FITTED] = {{0}}, b[FITTED] = {0}, square = 0;
    size_t n = own_gaps(here, f);
    for (int p = 0; p < FITTED; p++) {
        double *value = &f->par[f->parameter[p]];
        const double kept = *value;
        *value *= 1 - DELTA;
        n = own_gaps(moved[p], f) < n ? 0 : n;
        *value = kept;
    }
    if (n < LEAST_GAPS) return false;
    for (size_t i = 0; i < n; i++) {
        const double off = f->t[i + 1] - f->t[i] - here[i];
        for (int p = 0; p < FITTED; p++) {
            const double slope = (here[i] - moved[p][i]) / DELTA;
            b[p] += slope * off;
            for (int q = 0; q < FITTED; q++) a[p][q] += slope * (here[i] - moved[q][i]) / DELTA;
        }
        square += off * off;
    }
    const double determinant = a[E][E] * a[G][G] - a[E][G] * a[G][E];
    if (!(determinant > 0)) return false;
    const ic_digits digits = ic_digits_of(f->t, f->n, 1);
    const double scatter =
        fmax(sqrt(square / (double)(n - FITTED)), ic_digits_rounding(&digits, f->t[f->n - 1]));
    const double change[] = {(a[G][G] * b[E] - a[E][G] * b[G]) / determinant,
                             (a[E][E] * b[G] - a[E][G] * b[E]) / determinant};
    for (int p = 0; p < FITTED; p++) {
        double *value = &f->par[f->parameter[p]];
        f->deviation[p] = fabs(*value) * scatter * sqrt(a[1 - p][1 - p] / determinant);
        *value *= fmin(2, fmax(0.5, 1 + change[p]));
    }
    return isfinite(f->par[f->parameter[E]]) && isfinite(f->par[f->parameter[G]]);
}

static bool open_fit(gap_fit *f, const ic_tracking *k)
{
    const ic_case *system = k->problem->system;
    *f = (gap_fit){.problem = *k->problem, .t = k->trajectory->t};
    f->n = k->trajectory->n < MOST_TIMES ? k->trajectory->n : MOST_TIMES;
    f->problem.t_end_text = NULL;
    f->problem.par_text = NULL;
    f->par = ic_own_parameters(&f->problem);
    f->parameter[E] = ic_parameter_find(system, system->contact->restitution);
    while (f->parameter[G] < system->n_parameters &&
           strcmp(system->parameters[f->parameter[G]].unit, "m/s^2") != 0)
        f->parameter[G]++;
    return f->par != NULL;
}

static void add_finding(ic_findings *findings, const ic_tracking *k, const gap_fit *f, int p, bool good)
{
    const ic_parameter *parameter = &k->problem->system->parameters[f->parameter[p]];
    const double given = k->problem->par[f->parameter[p]], value = f->par[f->parameter[p]],
                 tolerance = ic_tolerance_noise.value * f->deviation[p] + k->accept * fabs(given);
    ic_finding finding =
        ic_finding_of(p == E ? &ic_row_check_restitution_of_bounces : &ic_row_check_parameters, k,
                      good ? fabs(value - given) : NAN, good ? tolerance : NAN, parameter->unit);
    ic_finding_set_origin(&finding, "5 deviations of the fit to the gaps + %.2g of the value", k->accept);
    ic_finding_describe(&finding, "the gaps between %zu impacts show %s = %.6g +- %.1g, the case has %.6g",
                        f->n, parameter->name, value, f->deviation[p], given);
    if (!good)
        ic_finding_leave_open(&finding,
                              "the gaps do not determine %s: at least %d, from the first impact on, would",
                              parameter->name, LEAST_GAPS);
    if (finding.verdict == IC_FINDING_FAIL)
        finding.cause = p == E ? ic_restitution_mistake(value, given, tolerance) : IC_MISTAKE_PARAMETER_WRONG;
    if (p == E) ic_leave_open_what_hides_e(&finding, k, tolerance);
    ic_findings_add(findings, &finding);
}

bool ic_audit_times_alone(ic_findings *findings, const ic_tracking *k)
{
    gap_fit f;
    bool good = open_fit(&f, k) && f.parameter[G] < k->problem->system->n_parameters;
    for (int step = 0; step < STEPS && good; step++) good = improve(&f);
    for (int p = 0; p < FITTED && f.par != NULL; p++) {
        if (f.parameter[p] < k->problem->system->n_parameters) add_finding(findings, k, &f, p, good);
    }
    free(f.par);
    return f.par != NULL;
}
