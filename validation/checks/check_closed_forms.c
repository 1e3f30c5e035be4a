/* SPDX-License-Identifier: MIT */
/**
 * The certifier and the solvers compared with closed forms that share no code with them: the
 * bouncing ball's impacts and Zeno time, and the two masses' stuck motion, separation and impact
 * (Dedow & Murphy, example 1).
 */
#include "reference/closed/closed_forms.h"
#include "reference/expression.h"
#include "registry/registry.h"
#include "validation/certified.h"
#include "validation/checks/judges.h"
#include "validation/checks/steps.h"
#include "validation/checks/verify.h"
#include "validation/claims/closed_form.h"
#include "validation/subjects.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PRECISION = 256, DIGITS = 25, SECONDS = 10 };

static bool preset_selected(const ic_selection *selection, const char *case_name, const char *preset_name,
                            ic_setup *setup, char path[128])
{
    const ic_case *system = ic_case_find(case_name);
    const ic_preset *preset = system == NULL ? NULL : ic_preset_find(system, preset_name);
    snprintf(path, 128, "%s/%s", case_name, preset_name);
    return preset != NULL && ic_selects_preset(selection, system, preset) &&
           ic_setup_open(setup, &(ic_request){.path = path}, NULL);
}

/*
 * A row for the certifier: its ball and the closed form's must overlap; the error is the distance
 * of the centres.
 */
static void overlap(ic_results *results, const char *path, const char *what, const char *unit,
                    const arb_t certified, const arb_t closed)
{
    ic_result row = ic_row("closed-forms", path, NULL, unit);
    IC_BALLS(difference);
    arb_sub(difference, certified, closed, PRECISION);
    row.error = fabs(arf_get_d(arb_midref(difference), ARF_RND_NEAR));
    row.tolerance = mag_get_d(arb_radref(difference));
    snprintf(row.what, sizeof row.what, "certifier: %s", what);
    snprintf(row.origin, sizeof row.origin, "the sum of both radii: the balls overlap");
    row.verdict = arb_contains_zero(difference) ? IC_PASS : IC_FAIL;
    if (!arb_is_finite(difference)) row.verdict = IC_FAIL;
    ic_results_add(results, &row);
}

/* ---- the section `closed_forms` of case files */

/* A closed form that is judged: its quantity, and its value. */
typedef struct answer {
    const ic_closed_form *form;
    ic_quantity quantity;
    ic_closed_form_kind kind;
    arb_t value;

    /* Index in the case. */
    size_t number;

    /* whether its path is the one that is judged now */
    bool follows;
    bool judged;
} answer;

/* "fall: time of the fall" */
typedef struct answer_name {
    char text[160];
} answer_name;

static answer_name name_of(const answer *a)
{
    answer_name name;
    snprintf(name.text, sizeof name.text, "%.64s%s%.90s", a->form->name,
             a->form->meaning[0] != '\0' ? ": " : "", a->form->meaning);
    return name;
}

static const char *unit_of(const answer *a)
{
    return a->quantity.unit == NULL ? "1" : a->quantity.unit;
}

/* The event of a certificate that has a number, from 1 on, or the first accumulation; NULL: none. Counts those up to it. */
static const ic_ball_event *find_event(long *count, const ic_certificate *c, const char *name, long number,
                                       bool limits)
{
    *count = 0;
    for (size_t i = 0; i < c->count; i++) {
        if (strcmp(c->events[i].name, name) != 0 || (limits && c->events[i].kind != IC_EVENT_ACCUMULATION))
            continue;
        if (++*count == number) return &c->events[i];
    }
    return NULL;
}

/* Value in a certificate, in the variant's names. false: the certificate does not reach it. */
static bool certified_value(arb_t value, const answer *a, const ic_problem *problem, const ic_certificate *c)
{
    const ic_call *call = &a->quantity.first;
    const char *event = call->arguments[1], *name = a->kind == IC_CLOSED_FINAL ? event : call->arguments[3];
    const bool counts = a->kind == IC_CLOSED_EVENT_COUNT, ends = a->kind == IC_CLOSED_FINAL,
               limits = a->kind == IC_CLOSED_ACCUMULATION_TIME;
    long count;
    if ((counts || ends) && c->status != IC_OK) return false;
    const long number = counts || ends ? 0 : limits ? 1 : strtol(call->arguments[2], NULL, 10);
    const ic_ball_event *found = find_event(&count, c, event, number, limits);
    if (counts) {
        arb_set_si(value, count);
        return true;
    }
    if (found == NULL && !ends) return false;
    if (limits || a->kind == IC_CLOSED_EVENT_TIME) {
        arb_set(value, found->t);
        return true;
    }
    const bool before = !ends && strcmp(call->arguments[4], "before") == 0;
    arb_srcptr x = ends ? c->x : before ? found->before : found->after, t = ends ? c->t : found->t;
    const int mode = ends ? c->mode : before ? found->mode_from : found->mode_to;
    const size_t state = ic_state_find(problem->system, name);
    if (state < problem->system->n_states) {
        arb_set(value, x + state);
        return true;
    }
    const ic_output *output = &problem->system->outputs[ic_output_find(problem->system, name)];
    return ic_certified_output(value, problem, output, mode, t, x, PRECISION);
}

static void judge_certificate(ic_results *results, const char *path, const ic_problem *problem,
                              const ic_certificate *c, const answer *a)
{
    IC_BALLS(value);
    if (a->kind == IC_CLOSED_ACCUMULATION_TIME && c->status == IC_ZENO) return; /* it ends before the limit */
    if (certified_value(value, a, problem, c)) {
        overlap(results, path, name_of(a).text, unit_of(a), value, a->value);
    } else {
        ic_result row = ic_row("closed-forms", path, NULL, unit_of(a));
        snprintf(row.what, sizeof row.what, "certifier: %s", name_of(a).text);
        row.verdict = IC_SKIPPED;
        snprintf(row.detail, sizeof row.detail, "not certified: %.200s",
                 c->reason[0] != '\0' ? c->reason : "the certified run has no such event");
        ic_results_add(results, &row);
    }
}

/* Accepted error of a solver, and its origin. */
static double allowed_error(char *origin, size_t size, const answer *a, const ic_problem *problem,
                            const ic_solver *solver, const ic_log *log, double value)
{
    const double typical = ic_time_scale(problem);
    const bool steps = solver->control == IC_CONTROL_STEP, time = a->kind == IC_CLOSED_EVENT_TIME;
    if (a->kind == IC_CLOSED_EVENT_COUNT) {
        snprintf(origin, size, "a number of events is exact");
        return 0;
    }
    if (a->kind == IC_CLOSED_ACCUMULATION_TIME) {
        const ic_tolerance *accepted = steps ? &ic_tolerance_limit_stepping : &ic_tolerance_limit_located;
        ic_tolerance_origin(origin, size, accepted);
        return accepted->value * typical;
    }
    const double allowed = ic_time_allowed(solver, problem, time ? value : ic_log_end(log).t);
    ic_tolerance_origin(origin, size, time ? ic_time_accepted(solver) : &ic_tolerance_end_state);
    if (time) return allowed;
    const char *name = a->quantity.first.arguments[a->kind == IC_CLOSED_FINAL ? 1 : 3];
    const size_t state = ic_state_find(problem->system, name);
    double scale[IC_MAX_STATES], size_of_value = fabs(value);
    ic_state_scales(problem, scale);
    if (state < problem->system->n_states) {
        size_of_value = fmax(size_of_value, scale[state]);
    } else {
        const ic_extreme extreme = ic_log_extreme(log, ic_output_find(problem->system, name));
        size_of_value = fmax(size_of_value, fmax(fabs(extreme.min), fabs(extreme.max)));
    }
    return ic_tolerance_end_state.value * allowed / typical * size_of_value;
}

/* A solver that loses small excursions comes to rest some time before the limit. */
static bool skip_limit(ic_results *results, const char *path, const ic_solver *solver, const answer *a)
{
    if (a->kind != IC_CLOSED_ACCUMULATION_TIME || (solver->clauses_not_kept & IC_CLAUSE(6)) == 0) return false;
    ic_result row = ic_row("closed-forms", path, solver, unit_of(a));
    snprintf(row.what, sizeof row.what, "%s", name_of(a).text);
    snprintf(row.detail, sizeof row.detail, "not judged: it does not keep clause 6 of the event contract");
    row.verdict = IC_SKIPPED;
    ic_results_add(results, &row);
    return true;
}

static void judge_run(ic_results *results, const char *path, const ic_setup *setup, const ic_solver *solver,
                      const ic_log *log, const answer *a)
{
    ic_result row = ic_row("closed-forms", path, solver, unit_of(a));
    ic_error error = {""};
    double value = NAN;
    if (skip_limit(results, path, solver, a)) return;
    snprintf(row.what, sizeof row.what, "%s", name_of(a).text);
    if (!ic_call_of_run(&value, &a->quantity.first, setup, log, &error)) {
        snprintf(row.detail, sizeof row.detail, "%.200s", error.text);
        ic_results_add(results, &row);
        return;
    }
    row.error = fabs(value - arf_get_d(arb_midref(a->value), ARF_RND_NEAR));
    row.radius = mag_get_d(arb_radref(a->value)) + DBL_EPSILON * fabs(value);
    if (a->kind == IC_CLOSED_EVENT_COUNT) row.radius = 0;
    row.tolerance = allowed_error(row.origin, sizeof row.origin, a, &setup->problem, solver, log, value);
    ic_results_compare(results, row);
}

/* The answers on a path, of which some follow now. */
typedef struct closed_forms_of_path {
    const char *path;
    const ic_setup *setup;
    const ic_solver *solver;
    const answer *answers;
    size_t n;
} closed_forms_of_path;

static void judge_with(ic_results *results, const ic_options *options, const closed_forms_of_path *p)
{
    ic_status status = IC_OK;
    ic_log *log = ic_solve(p->solver, &p->setup->problem, options, &status);
    if (status != IC_OK) {
        ic_result row = ic_row("closed-forms", p->path, p->solver, "");
        snprintf(row.what, sizeof row.what, "run");
        snprintf(row.detail, sizeof row.detail, "%.200s", ic_failure_text(log, status));
        ic_results_add(results, &row);
    }
    for (size_t i = 0; i < p->n && status == IC_OK; i++) {
        if (p->answers[i].follows) judge_run(results, p->path, p->setup, p->solver, log, &p->answers[i]);
    }
    ic_log_free(log);
}

/* The size of an output, to which its error is relative, is that of its extremes. They are sought only if they decide. */
static void judge_solver(ic_results *results, const ic_options *options, void *context)
{
    ic_results rows = {0};
    ic_options thorough = *options;
    thorough.extremes = true;
    judge_with(&rows, options, context);
    if (ic_results_with(&rows, IC_FAIL) > 0) judge_with(results, &thorough, context);
    else
        for (size_t i = 0; i < rows.count; i++) ic_results_add(results, &rows.rows[i]);
    results->out_of_memory = results->out_of_memory || rows.out_of_memory;
    ic_results_free(&rows);
}

/* Encloses the values of the answers at the exact parameters. false: one is left out, and failed. */
static bool enclose(ic_results *results, const char *path, const ic_problem *problem, answer *a, size_t i)
{
    char message[160] = "";
    const ic_case *system = problem->system;
    arb_ptr par = _arb_vec_init((slong)system->n_parameters + 1);
    const ic_ball_names names = {.system = system, .par = par};
    bool good =
        ic_ball_parameters(par, problem, PRECISION, message, sizeof message) &&
        ic_ball_number(a->value, system->closed_forms[i].value, &names, PRECISION, message, sizeof message);
    if (good && !arb_is_finite(a->value)) {
        snprintf(message, sizeof message, "the formula has no value for these parameters");
        good = false;
    }
    _arb_vec_clear(par, (slong)system->n_parameters + 1);
    if (!good) ic_add_failure(results, "closed-forms", path, name_of(a).text, message);
    return good;
}

/*
 * How many events a run has up to the last one that the answers of a path ask for, as a solver finds it; 0: they need
 * the whole run.
 */
static size_t events_needed(const ic_problem *problem, const answer *answers, size_t n)
{
    ic_status status = IC_OK;
    size_t most = 0;
    bool known = true;
    ic_log *log = ic_solve(ic_solver_find("dop853"), problem, &(ic_options){0}, &status);
    for (size_t i = 0; i < n && known; i++) {
        const answer *a = &answers[i];
        const char *event = a->quantity.first.arguments[1];
        if (!a->follows) continue;
        known = a->kind == IC_CLOSED_EVENT_TIME || a->kind == IC_CLOSED_AT_EVENT;
        long left = known ? strtol(a->quantity.first.arguments[2], NULL, 10) : 0;
        size_t k = 0;
        for (; log != NULL && k < ic_log_event_count(log) && left > 0; k++)
            left -= strcmp(ic_log_event_at(log, k).name, event) == 0;
        known = known && left == 0;
        if (k > most) most = k;
    }
    ic_log_free(log);
    return known ? most : 0;
}

/* Certifies a problem up to the last event that the answers ask for, or to its end. */
static void certify_answers(ic_certificate *c, const ic_setup *setup, const ic_problem *exact,
                            const answer *answers, size_t n)
{
    ic_certify_options options = {.digits = DIGITS, .time_limit = SECONDS};
    options.max_events = events_needed(&setup->problem, answers, n);
    ic_certify(c, exact, &options);
    bool lacks = false;
    IC_BALLS(value);
    for (size_t i = 0; i < n; i++) {
        if (!answers[i].follows) continue;
        lacks = lacks || !certified_value(value, &answers[i], exact, c);
    }
    if (options.max_events == 0 || !lacks) return;
    /* the solver had other events before it */
    ic_certificate_clear(c);
    options.max_events = 0;
    ic_certify(c, exact, &options);
}

/* Judges the first answer, and those on its path that follow. */
static void judge_path(ic_results *results, const ic_selection *selection, answer *answers, size_t n)
{
    ic_setup setup, exact;
    ic_certificate c;
    ic_error error;
    const char *path = answers[0].quantity.first.arguments[0];
    if (!ic_path_open(&setup, path, &error)) {
        ic_add_failure(results, "closed-forms", path, "preset can be set up", error.text);
        return;
    }
    const bool formulas = ic_setup_exact(&exact, &setup.problem, &error);
    const ic_problem *problem = formulas ? &exact.problem : &setup.problem;
    bool selected = ic_selects_preset(selection, setup.problem.system, setup.preset);
    for (size_t i = 0; i < n && selected; i++) {
        if (answers[i].follows) selected = enclose(results, path, problem, &answers[i], answers[i].number);
    }
    if (selected) {
        certify_answers(&c, &setup, problem, answers, n);
        for (size_t i = 0; i < n; i++) {
            if (answers[i].follows) judge_certificate(results, path, problem, &c, &answers[i]);
        }
        ic_certificate_clear(&c);
    }
    for (size_t s = 0; s < ic_solver_count && selected; s++) {
        const ic_solver *solver = ic_solvers[s];
        const ic_options options = {.rtol = ic_verify_rtol(solver)};
        if (ic_selects_solver(selection, solver) && ic_solver_serves(solver, &setup.problem))
            ic_judge_steps(results, &setup.problem, solver, &options, judge_solver,
                           &(closed_forms_of_path){path, &setup, solver, answers, n});
    }
    if (formulas) ic_setup_close(&exact);
    ic_setup_close(&setup);
}

typedef struct reading {
    ic_results *results;
    const ic_case *system;
} reading;

static void add_unreadable(const char *name, const char *key, size_t offset, const char *text, void *context)
{
    const reading *r = context;
    char what[96];
    (void)key, (void)offset;
    snprintf(what, sizeof what, "closed form %.64s can be judged", name);
    ic_add_failure(r->results, "closed-forms", r->system->name, what, text);
}

static void judge_case(ic_results *results, const ic_selection *selection, const ic_case *system)
{
    reading r = {results, system};
    size_t n = 0;
    answer *answers = calloc(system->n_closed_forms, sizeof *answers);
    if (answers == NULL) {
        results->out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < system->n_closed_forms; i++) {
        answer *a = &answers[n];
        if (!ic_closed_form_read(&a->quantity, &a->kind, system, i, add_unreadable, &r)) continue;
        a->form = &system->closed_forms[i];
        a->number = i;
        arb_init(a->value);
        n++;
    }
    for (size_t i = 0; i < n; i++) {
        const char *path = answers[i].quantity.first.arguments[0];
        if (answers[i].judged) continue;
        for (size_t k = i; k < n; k++) {
            answers[k].follows = strcmp(answers[k].quantity.first.arguments[0], path) == 0;
            answers[k].judged = answers[k].judged || answers[k].follows;
        }
        judge_path(results, selection, &answers[i], n - i);
    }
    for (size_t i = 0; i < n; i++) arb_clear(answers[i].value);
    free(answers);
}

/* ---- two masses, example 1 */

static void stuck_state(ic_results *results, const char *path, const ic_ball_event *separation)
{
    /* m1 m2 k1 k2 c1 c2 = 1 1 0.2 0.4 0.2 0.2 */
    static const int tenths[] = {10, 10, 2, 4, 2, 2};
    IC_BALL_VECTOR(par, 6);
    IC_BALL_VECTOR(q, 3);
    IC_BALLS(one, zero);
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
}

static void check_masses(ic_results *results, const ic_selection *selection)
{
    char path[128];
    ic_setup setup;
    ic_certificate c;
    IC_BALLS(t, zero);
    if (!preset_selected(selection, "two-mass", "example-1", &setup, path)) return;
    ic_certify_case(&c, &setup.problem, &(ic_certify_options){.digits = DIGITS});
    if (c.status == IC_OK && c.count >= 2) {
        ic_example_1_separation(t, PRECISION);
        overlap(results, path, "separation at (pi - atan sqrt 29)/sqrt 0.29", "s", c.events[0].t, t);
        stuck_state(results, path, &c.events[0]);
        ic_example_1_impact_residual(t, c.events[1].t, PRECISION);
        overlap(results, path, "impact: sin(as)/a = sin(bs)/b", "s", t, zero);
    } else {
        ic_result row = ic_row("closed-forms", path, NULL, "");
        snprintf(row.what, sizeof row.what, "certificate");
        snprintf(row.detail, sizeof row.detail, "%.200s", c.reason);
        ic_results_add(results, &row);
    }
    ic_certificate_clear(&c);
    ic_setup_close(&setup);
}

static void run_check(ic_results *results, const ic_selection *selection)
{
    if (ic_results_part(results)) check_masses(results, selection);
    for (size_t i = 0; i < ic_case_count; i++) {
        const bool selected = ic_cases[i]->n_closed_forms > 0 && ic_selects_case(selection, ic_cases[i]);
        if (selected && ic_results_part(results)) judge_case(results, selection, ic_cases[i]);
    }
}

const ic_check ic_check_closed_forms = {
    "closed-forms", "certifier and solvers agree with independent closed forms", .run = run_check, .cost = 30};
