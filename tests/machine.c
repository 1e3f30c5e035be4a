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
    ic_casefile *file = ic_casefile_read("a.yaml", text, strlen(text), NULL, 0, &error);
    snprintf(begin, sizeof begin, "a.yaml:%s: ", place);
    const bool good =
        file == NULL && strstr(error.text, begin) == error.text && strstr(error.text, says) != NULL;
    if (!good) printf("\n  '%s' instead of '%s%s'\n", error.text, begin, says);
    ic_casefile_free(file);
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
    ic_certificate c;
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
    ic_certificate_clear(&c);
    return status;
}

bool ic_tests_event_is(const ic_log *log, size_t i, const char *name, double t, double tolerance, int sequence)
{
    if (i >= ic_log_event_count(log)) return false;
    const ic_event event = ic_log_event_at(log, i);
    return strcmp(event.name, name) == 0 && fabs(event.t - t) <= tolerance && event.sequence == sequence;
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
