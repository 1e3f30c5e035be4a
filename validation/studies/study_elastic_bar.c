/* SPDX-License-Identifier: MIT */
/*
 * Convergence of the elastic bar at a rigid wall (case elastic-bar) in the number of its nodes. The truth is
 * the exact solution in rational numbers (reference/closed/signorini_bar.h); the semi-discrete problem is integrated
 * so accurately that only the error of the elements is left.
 */
#include "core/model.h"
#include "reference/ball.h"
#include "reference/closed/signorini_bar.h"
#include "registry/registry.h"
#include "validation/studies/power_law.h"
#include "validation/studies/study.h"
#include "validation/subjects.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Elements: 4, 8, 16, 32. */
enum { FEWEST = 4, LEVELS = 4, SAMPLES = 600 };

/* The bar of Doyen, Ern & Piperno: c = 30 m/s. The force E A/c v_f at the first touch of both problems is 300 N. */
enum { LENGTH = 10, SPEED = 30, MODULUS_TIMES_SECTION = 900, CONTACT_FORCE = 300 };

typedef struct bar_problem {
    const char *preset;
    ic_signorini_data data;
    /* first contact, and end of the run, s, as fractions */
    long end, end_below;
} bar_problem;

static const bar_problem problems[] = {
    {"impact", {LENGTH, SPEED, 0, 5, 10}, 11, 6},
    {"impact-massless", {LENGTH, SPEED, 0, 5, 10}, 11, 6},
    {"bounces", {LENGTH, SPEED, 10, 5, 0}, 16, 3},
    {"bounces-massless", {LENGTH, SPEED, 10, 5, 0}, 16, 3},
};

enum { PRESET, ELEMENTS, GAP, TIME, FORCE, ENERGY };

static const ic_study_column columns[] = {
    [PRESET] = {"preset", NULL, "of the case elastic-bar"},
    [ELEMENTS] = {"elements", "1", "N - 1"},
    [GAP] = {"gap_error", "m", "greatest error of the height of the lower end at 600 times"},
    [TIME] = {"release_error", "s", "end of the first contact, later than the exact one"},
    [FORCE] = {"force_error", "1", "mean error of the contact force over E A v_f/c, 300 N"},
    [ENERGY] = {"energy_lost", "1", "part of the energy that the impacts of the lowest node take"},
};

typedef struct bar_errors {
    double gap, time, force, energy;
} bar_errors;

static void exact_at(double *u, double *force, const ic_signorini_bar *bar, double t)
{
    IC_RATIONALS(at, x, value);
    IC_FLOATS(exactly);
    arf_set_d(exactly, t);
    arf_get_fmpq(at, exactly);
    ic_signorini_bar_displacement(value, bar, x, at);
    *u = fmpq_get_d(value);
    ic_signorini_bar_force(value, bar, at);
    *force = MODULUS_TIMES_SECTION * fmpq_get_d(value);
}

static double release_of(const ic_signorini_bar *bar)
{
    IC_RATIONALS(t);
    const bool known = ic_signorini_bar_event(t, bar, 1);
    return known ? fmpq_get_d(t) : NAN;
}

/* The last release before the lower end has left the floor for longer than an element's wave. */
static double release_in(const ic_log *log, double gap_time)
{
    double released = NAN;
    for (size_t i = 0; i < ic_log_event_count(log); i++) {
        const ic_event event = ic_log_event_at(log, i);
        const bool touch = strcmp(event.name, "touches") == 0;
        if (touch && event.t - released > gap_time) break;
        if (event.mode_to != event.mode_from && !touch) released = event.t;
    }
    return released;
}

static void compare(bar_errors *errors, const ic_log *log, const ic_problem *problem,
                    const ic_signorini_bar *bar)
{
    const ic_output *outputs = problem->system->outputs;
    const ic_output *gap = &outputs[ic_output_find(problem->system, "gap")];
    const ic_output *contact_force = &outputs[ic_output_find(problem->system, "contact_force")];
    const ic_extreme energy = ic_log_extreme(log, ic_output_find(problem->system, "energy"));
    const size_t n = ic_log_sample_count(log);
    *errors = (bar_errors){.energy = 1 - energy.final / energy.max,
                           .time = release_in(log, (double)LENGTH / SPEED) - release_of(bar)};
    for (size_t i = 0; i < n; i++) {
        const ic_sample at = ic_log_sample_at(log, i);
        double u, force;
        exact_at(&u, &force, bar, at.t);
        errors->gap = fmax(errors->gap, fabs(gap->value(at.t, at.x, at.mode, problem->par) - u));
        errors->force +=
            fabs(contact_force->value(at.t, at.x, at.mode, problem->par) - force) / CONTACT_FORCE / (double)n;
    }
}

static bool solve(bar_errors *errors, const bar_problem *p, int elements, const ic_signorini_bar *bar,
                  ic_error *error)
{
    const char *path = IC_PATH("elastic-bar/%s[N=%d]", p->preset, elements + 1);
    ic_setup setup;
    if (!ic_path_open(&setup, path, error)) return false;
    ic_options options = ic_trusted_options(&setup.problem);
    options.samples = SAMPLES;
    options.extremes = true;
    ic_status status = IC_OK;
    ic_log *log = ic_solve(ic_solver_find("dop853"), &setup.problem, &options, &status);
    if (status == IC_OK) compare(errors, log, &setup.problem, bar);
    else ic_error_set(error, "%s: %s", path, ic_status_text(status));
    ic_log_free(log);
    ic_setup_close(&setup);
    return status == IC_OK;
}

static void add_problem(ic_study_data *data, const bar_problem *p)
{
    ic_signorini_bar *bar = malloc(sizeof *bar);
    IC_RATIONALS(end);
    ic_error error = {""};
    double elements[LEVELS], gap[LEVELS], force[LEVELS], energy = 0;
    if (bar == NULL) {
        ic_study_fail(data, "no memory");
        return;
    }
    fmpq_set_si(end, p->end, (ulong)p->end_below);
    bool good = ic_signorini_bar_open(bar, &p->data, end);
    if (!good) ic_study_fail(data, "%s: the exact solution is not rational", p->preset);
    for (int k = 0; k < LEVELS && good; k++) {
        bar_errors errors = {0};
        good = solve(&errors, p, FEWEST << k, bar, &error);
        if (!good) {
            ic_study_fail(data, "%s", error.text);
            break;
        }
        ic_study_text(data, p->preset);
        IC_STUDY_NUMBERS(data, FEWEST << k, errors.gap, errors.time, errors.force, errors.energy);
        elements[k] = FEWEST << k, gap[k] = errors.gap, force[k] = errors.force, energy = errors.energy;
    }
    if (good)
        ic_study_finding(
            data,
            "%s: the height of the lower end converges like N^%.2f, the contact force in the mean like "
            "N^%.2f; with %d elements the motion has lost %.2g of its energy.",
            p->preset, ic_power_law_fit(elements, gap, LEVELS).exponent,
            ic_power_law_fit(elements, force, LEVELS).exponent, FEWEST << (LEVELS - 1), energy);
    ic_signorini_bar_clear(bar);
    free(bar);
}

static void run_study(ic_study_data *data)
{
    for (size_t i = 0; i < IC_COUNT(problems) && !data->failed; i++) add_problem(data, &problems[i]);
}

IC_STUDY_TABLE(
    elastic_bar, "elastic-bar",
    "Elastic bar at a rigid wall: convergence of the elements to the exact solution",
    "At which order do finite elements converge to the exact solution of a bar that hits a wall, and what "
    "does the mass of the contact node cost?");
