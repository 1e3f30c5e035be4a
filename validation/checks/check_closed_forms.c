/* SPDX-License-Identifier: MIT */
/**
 * The certifier and the solvers compared with closed forms that share no code with them: the
 * bouncing ball's impacts and Zeno time, and the two masses' stuck motion, separation and impact
 * (Dedow & Murphy, example 1).
 */
#include "reference/closed_forms.h"
#include "registry/registry.h"
#include "validation/certified.h"
#include "validation/checks/verify.h"
#include "validation/subjects.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PRECISION = 256, DIGITS = 25 };

static bool preset_selected(const ic_selection *selection, const char *case_name, const char *preset_name,
                            ic_setup *setup, char path[128])
{
    const ic_case *system = ic_case_find(case_name);
    const ic_preset *preset = system == NULL ? NULL : ic_preset_find(system, preset_name);
    snprintf(path, 128, "%s/%s", case_name, preset_name);
    return preset != NULL && ic_selects_preset(selection, system, preset) &&
           ic_setup_open(setup, &(ic_request){.path = path}, NULL);
}

/* A row for the certifier: its ball and the closed form's must overlap; the error is the distance
   of the centres. */
static void overlap(ic_results *results, const char *path, const char *what, const arb_t certified,
                    const arb_t closed)
{
    ic_result row = ic_row("closed-forms", path, NULL, "s");
    arb_t difference;
    arb_init(difference);
    arb_sub(difference, certified, closed, PRECISION);
    row.error = fabs(arf_get_d(arb_midref(difference), ARF_RND_NEAR));
    row.tolerance = mag_get_d(arb_radref(difference));
    snprintf(row.what, sizeof row.what, "certifier: %s", what);
    snprintf(row.origin, sizeof row.origin, "the sum of both radii: the balls overlap");
    row.verdict = arb_contains_zero(difference) ? IC_PASS : IC_FAIL;
    arb_clear(difference);
    ic_results_add(results, &row);
}

static void event_row(ic_results *results, const char *path, const ic_solver *solver, const char *what,
                      double t, const arb_t closed, const ic_tolerance *tolerance)
{
    ic_result row = ic_row("closed-forms", path, solver, "s");
    snprintf(row.what, sizeof row.what, "%s", what);
    row.error = fabs(t - arf_get_d(arb_midref(closed), ARF_RND_NEAR));
    row.radius = mag_get_d(arb_radref(closed)) + DBL_EPSILON * fabs(t);
    ic_row_accept(&row, tolerance);
    ic_results_compare(results, row);
}

/* ---- bouncing ball: all numbers from the preset `drop`, h = 1, g = 9.81, e = 1/2 */

static void ball_numbers(arb_t h, arb_t g, arb_t e)
{
    arb_one(h);
    arb_set_si(g, 981);
    arb_div_si(g, g, 100, PRECISION);
    arb_set_d(e, 0.5);
}

/* A solver whose errors exceed small bounces comes to rest some time before the limit. */
static void skip_limit(ic_results *results, const char *path, const ic_solver *solver)
{
    ic_result row = ic_row("closed-forms", path, solver, "s");
    snprintf(row.what, sizeof row.what, "Zeno time, then rest");
    snprintf(row.detail, sizeof row.detail, "not judged: it does not keep clause 6 of the event contract");
    row.verdict = IC_SKIPPED;
    ic_results_add(results, &row);
}

static void check_ball(ic_results *results, const ic_selection *selection)
{
    char path[128], what[64];
    ic_setup setup;
    ic_certificate c;
    arb_t h, g, e, t;
    if (!preset_selected(selection, "bouncing-ball", "drop", &setup, path)) return;
    arb_init(h), arb_init(g), arb_init(e), arb_init(t);
    ball_numbers(h, g, e);
    ic_certify_case(&c, &setup.problem, &(ic_certify_options){.digits = DIGITS});
    for (size_t i = 0; i < 10 && i < c.count; i += 3) {
        ic_ball_impact_time(t, (long)i, h, g, e, PRECISION);
        snprintf(what, sizeof what, "impact %zu", i);
        overlap(results, path, what, c.events[i].t, t);
    }
    ic_certificate_clear(&c);
    ic_ball_zeno_time(t, h, g, e, PRECISION);
    for (size_t s = 0; s < ic_solver_count; s++) {
        ic_status status = IC_OK;
        const ic_solver *solver = ic_solvers[s];
        if (!ic_selects_solver(selection, solver) || !ic_solver_serves(solver, &setup.problem)) continue;
        if ((solver->clauses_not_kept & IC_CLAUSE(6)) != 0) {
            skip_limit(results, path, solver);
            continue;
        }
        ic_log *log = ic_solve(solver, &setup.problem, &(ic_options){.rtol = ic_verify_rtol(solver)}, &status);
        const size_t count = status == IC_OK ? ic_log_event_count(log) : 0;
        const bool rests = count > 0 && ic_log_event_at(log, count - 1).kind == IC_EVENT_ACCUMULATION;
        const bool steps = solver->control == IC_CONTROL_STEP;
        event_row(results, path, solver, "Zeno time, then rest",
                  rests ? ic_log_event_at(log, count - 1).t : NAN, t,
                  steps ? &ic_tolerance_limit_stepping : &ic_tolerance_limit_located);
        ic_log_free(log);
    }
    arb_clear(h), arb_clear(g), arb_clear(e), arb_clear(t);
    ic_setup_close(&setup);
}

/* ---- two masses, example 1 */

static void stuck_state(ic_results *results, const char *path, const ic_ball_event *separation)
{
    /* m1 m2 k1 k2 c1 c2 = 1 1 0.2 0.4 0.2 0.2 */
    static const int tenths[] = {10, 10, 2, 4, 2, 2};
    arb_ptr par = _arb_vec_init(6), q = _arb_vec_init(3);
    arb_t one, zero;
    arb_init(one);
    arb_init(zero);
    arb_one(one);
    for (int i = 0; i < 6; i++) {
        arb_set_si(par + i, tenths[i]);
        arb_div_si(par + i, par + i, 10, PRECISION);
    }
    ic_result row = ic_row("closed-forms", path, NULL, "N");
    snprintf(row.what, sizeof row.what, "certifier: stuck motion, rank-deficient matrix");
    snprintf(row.origin, sizeof row.origin,
             "the balls overlap: u, v of the closed form at separation, and F_i = 0 there");
    if (ic_stuck_masses(q, separation->t, one, zero, par, PRECISION)) {
        const bool good = arb_overlaps(q, separation->before) && arb_overlaps(q + 1, separation->before + 1) &&
                          arb_contains_zero(q + 2);
        row.error = fabs(arf_get_d(arb_midref(q + 2), ARF_RND_NEAR));
        row.tolerance = mag_get_d(arb_radref(q + 2));
        row.verdict = good ? IC_PASS : IC_FAIL;
    }
    ic_results_add(results, &row);
    _arb_vec_clear(par, 6);
    _arb_vec_clear(q, 3);
    arb_clear(one);
    arb_clear(zero);
}

static void check_masses(ic_results *results, const ic_selection *selection)
{
    char path[128];
    ic_setup setup;
    ic_certificate c;
    arb_t t, zero;
    if (!preset_selected(selection, "two-mass", "example-1", &setup, path)) return;
    arb_init(t);
    arb_init(zero);
    ic_certify_case(&c, &setup.problem, &(ic_certify_options){.digits = DIGITS});
    if (c.status == IC_OK && c.count >= 2) {
        ic_example_1_separation(t, PRECISION);
        overlap(results, path, "separation at (pi - atan sqrt 29)/sqrt 0.29", c.events[0].t, t);
        stuck_state(results, path, &c.events[0]);
        ic_example_1_impact_residual(t, c.events[1].t, PRECISION);
        overlap(results, path, "impact: sin(as)/a = sin(bs)/b", t, zero);
    } else {
        ic_result row = ic_row("closed-forms", path, NULL, "");
        snprintf(row.what, sizeof row.what, "certificate");
        snprintf(row.detail, sizeof row.detail, "%.200s", c.reason);
        ic_results_add(results, &row);
    }
    ic_certificate_clear(&c);
    arb_clear(t);
    arb_clear(zero);
    ic_setup_close(&setup);
}

static void run_check(ic_results *results, const ic_selection *selection)
{
    if (!ic_results_part(results)) return;
    check_ball(results, selection);
    check_masses(results, selection);
}

const ic_check ic_check_closed_forms = {
    "closed-forms", "certifier and solvers agree with independent closed forms", run_check, 30};
