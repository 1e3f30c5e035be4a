/* SPDX-License-Identifier: MIT */
#include "tests/machine.h"

#include "reference/flow/certify.h"
#include "registry/registry.h"
#include "validation/subjects.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void expect(bool good, const ic_error *error)
{
    if (!good) printf("\n  %s\n", error->text);
    CU_ASSERT_FATAL(good);
}

void ic_tests_write(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    CU_ASSERT_FATAL(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

ic_casefile *ic_tests_read(const char *text)
{
    ic_error error = {""};
    ic_casefile *file = ic_casefile_read("a.yaml", text, strlen(text), NULL, 0, &error);
    expect(file != NULL, &error);
    return file;
}

ic_setup ic_tests_setup(const ic_request *request)
{
    ic_setup setup = {0};
    ic_error error = {""};
    expect(ic_setup_open(&setup, request, &error), &error);
    return setup;
}

ic_setup ic_tests_setup_of(const ic_casefile *file, const ic_request *request)
{
    const ic_request first = {.path = NULL};
    ic_setup setup = {0};
    ic_error error = {""};
    expect(ic_setup_open_case(&setup, ic_casefile_case(file), request != NULL ? request : &first, &error),
           &error);
    return setup;
}

ic_setup ic_tests_exact(const ic_setup *setup)
{
    ic_setup exact = {0};
    ic_error error = {""};
    expect(ic_setup_exact(&exact, &setup->problem, &error), &error);
    return exact;
}

ic_truth ic_tests_truth(const ic_problem *problem, int digits)
{
    ic_truth truth;
    ic_truth_certify(&truth, problem, digits);
    if (truth.status != IC_OK) printf("\n  %s\n", truth.reason);
    CU_ASSERT_EQUAL_FATAL(truth.status, IC_OK);
    return truth;
}

ic_machine ic_tests_open(const char *text, const ic_request *request)
{
    ic_machine m = {.file = text != NULL ? ic_tests_read(text) : NULL};
    m.setup = text != NULL ? ic_tests_setup_of(m.file, request) : ic_tests_setup(request);
    return m;
}

void ic_tests_close(ic_machine *m)
{
    ic_log_free(m->log);
    ic_setup_close(&m->exact);
    ic_setup_close(&m->setup);
    ic_casefile_free(m->file);
}

bool ic_tests_refused(const char *text, const char *place, const char *says)
{
    ic_error error = {""};
    char begin[64];
    IC_OWN(ic_casefile) *file = ic_casefile_read("a.yaml", text, strlen(text), NULL, 0, &error);
    snprintf(begin, sizeof begin, "a.yaml:%s: ", place);
    const bool good =
        file == NULL && strstr(error.text, begin) == error.text && strstr(error.text, says) != NULL;
    if (!good) printf("\n  '%s' instead of '%s%s'\n", error.text, begin, says);
    return good;
}

/* ---- runs */

ic_log *ic_tests_solve(const char *solver, const ic_problem *problem, const ic_options *options)
{
    ic_status status = IC_OK;
    ic_log *log = ic_solve(ic_solver_find(solver), problem, options, &status);
    if (status != IC_OK) printf("\n  %s: %s, %s\n", solver, ic_status_text(status), ic_log_text(log));
    CU_ASSERT_EQUAL_FATAL(status, IC_OK);
    return log;
}

ic_status ic_tests_solve_changed(ic_log *log, const ic_problem *problem, const ic_options *options,
                                 const char *solver, size_t parameter, double factor)
{
    double par[64];
    ic_problem changed = *problem;
    CU_ASSERT_FATAL(problem->system->n_parameters <= IC_COUNT(par));
    memcpy(par, problem->par, problem->system->n_parameters * sizeof *par);
    par[parameter] *= factor;
    changed.par = par;
    return ic_solver_find(solver)->solve(log, &changed, options);
}

static void take_middles(double *x, arb_srcptr balls, size_t n)
{
    for (size_t i = 0; i < n; i++) x[i] = arf_get_d(arb_midref(balls + i), ARF_RND_NEAR);
}

ic_status ic_tests_certify_into_log(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    IC_OWN(ic_certificate) c;
    double t, before[IC_MAX_STATES], after[IC_MAX_STATES];
    const size_t n = problem->system->n_states;
    (void)options;
    ic_certify(&c, problem, &(ic_certify_options){.digits = 15, .max_precision = 1000});
    for (size_t i = 0; i < c.count; i++) {
        take_middles(before, c.events[i].before, n);
        take_middles(after, c.events[i].after, n);
        take_middles(&t, c.events[i].t, 1);
        ic_log_event(log, &(const ic_event){c.events[i].kind, c.events[i].name, t, c.events[i].sequence,
                                            c.events[i].mode_from, c.events[i].mode_to, before, after});
    }
    take_middles(after, c.x, n);
    take_middles(&t, c.t, 1);
    ic_log_final(log, t, c.mode, after);
    ic_log_message(log, "%s", c.reason);
    const ic_status status = c.status;
    return status;
}

bool ic_tests_event_is(const ic_log *log, size_t i, const char *name, double t, double tolerance, int sequence)
{
    if (i >= ic_log_event_count(log)) return false;
    const ic_event event = ic_log_event_at(log, i);
    return strcmp(event.name, name) == 0 && fabs(event.t - t) <= tolerance && event.sequence == sequence;
}

static bool same_number(double a, double b, double scale, double tolerance)
{
    return fabs(a - b) <= tolerance * fmax(scale, fabs(b)) || (isnan(a) && isnan(b));
}

static bool same_state(const ic_problem *problem, const double *a, const double *b, double tolerance)
{
    double scale[IC_MAX_STATES];
    ic_state_scales(problem, scale);
    for (size_t i = 0; i < problem->system->n_states; i++) {
        if (!same_number(a[i], b[i], scale[i], tolerance)) return false;
    }
    return true;
}

static bool same_event(const ic_problem *problem, const ic_event *a, const ic_event *b, double tolerance)
{
    return a->kind == b->kind && strcmp(a->name, b->name) == 0 && a->sequence == b->sequence &&
           a->mode_from == b->mode_from && a->mode_to == b->mode_to && same_number(a->t, b->t, 1, tolerance) &&
           same_state(problem, a->x_pre, b->x_pre, tolerance) &&
           same_state(problem, a->x_post, b->x_post, tolerance);
}

bool ic_tests_same_run(const ic_log *a, const ic_log *b, double tolerance)
{
    const ic_problem *problem = ic_log_problem(a);
    const ic_sample end = ic_log_end(a), other_end = ic_log_end(b);
    bool same = ic_log_event_count(a) == ic_log_event_count(b) &&
                ic_log_sample_count(a) == ic_log_sample_count(b) && end.mode == other_end.mode &&
                same_number(end.t, other_end.t, 1, tolerance) &&
                same_state(problem, end.x, other_end.x, tolerance);
    for (size_t i = 0; same && i < ic_log_event_count(a); i++) {
        const ic_event p = ic_log_event_at(a, i), q = ic_log_event_at(b, i);
        same = same_event(problem, &p, &q, tolerance);
    }
    for (size_t i = 0; same && i < ic_log_sample_count(a); i++) {
        const ic_sample p = ic_log_sample_at(a, i), q = ic_log_sample_at(b, i);
        same = p.t == q.t && p.mode == q.mode && same_state(problem, p.x, q.x, tolerance);
    }
    for (size_t i = 0; same && i < problem->system->n_outputs; i++) {
        const ic_extreme p = ic_log_extreme(a, i), q = ic_log_extreme(b, i);
        same = same_number(p.min, q.min, 1, tolerance) && same_number(p.max, q.max, 1, tolerance) &&
               same_number(p.final, q.final, 1, tolerance);
    }
    return same;
}

double ic_tests_worst_time(const ic_log *log, const ic_truth *truth)
{
    double worst = 0;
    if (ic_log_event_count(log) != truth->count) return INFINITY;
    for (size_t i = 0; i < truth->count; i++) {
        const ic_event event = ic_log_event_at(log, i);
        if (strcmp(event.name, truth->events[i].name) != 0) return INFINITY;
        if (event.mode_to != truth->events[i].mode_to) return INFINITY;
        worst = fmax(worst, fabs(event.t - truth->events[i].t));
    }
    return worst;
}

/* A message prints at most this number of the events found. */
enum { MOST_PRINTED = 8 };

void ic_tests_print_run(const char *title, ic_status status, const ic_log *log, const ic_variant *variant)
{
    const size_t n = ic_log_event_count(log);
    const ic_sample end = ic_log_end(log);
    printf("\n  %s: found status '%s', %zu events, end at t = %.15g in mode '%s' with x = %.15g%s%s\n", title,
           ic_status_text(status), n, end.t,
           end.mode >= 0 && (size_t)end.mode < variant->n_modes ? variant->modes[end.mode].name : "?",
           end.x != NULL ? end.x[0] : NAN, ic_log_text(log)[0] != '\0' ? "; " : "", ic_log_text(log));
    for (size_t i = 0; i < n && i < MOST_PRINTED; i++) {
        const ic_event event = ic_log_event_at(log, i);
        printf("    found event %zu: '%s' at t = %.15g, sequence number %d%s\n", i, event.name, event.t,
               event.sequence, event.kind == IC_EVENT_ACCUMULATION ? ", an accumulation" : "");
    }
    if (n > MOST_PRINTED) printf("    ... %zu more\n", n - MOST_PRINTED);
}

void ic_tests_step(void (*flow)(double *f, double t, const double *x, const double *par), const double *par,
                   size_t n, double t, double h, double *x)
{
    static const double nodes[] = {0, 0.5, 0.5, 1}, weights[] = {1, 2, 2, 1};
    double f[IC_MAX_STATES] = {0}, stage[IC_MAX_STATES], end[IC_MAX_STATES];
    memcpy(end, x, n * sizeof *x);
    for (size_t s = 0; s < IC_COUNT(nodes); s++) {
        for (size_t i = 0; i < n; i++) stage[i] = x[i] + nodes[s] * h * f[i];
        flow(f, t + nodes[s] * h, stage, par);
        for (size_t i = 0; i < n; i++) end[i] += weights[s] * h / 6 * f[i];
    }
    memcpy(x, end, n * sizeof *x);
}
