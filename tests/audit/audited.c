/* SPDX-License-Identifier: MIT */
#include "tests/audit/audited.h"
#include "audit/plugin/plugin.h"
#include "core/linear_view.h"
#include "core/system.h"
#include "registry/registry.h"
#include "tests/audit/families.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void audited_take_rows(ic_trajectory *rows, const ic_problem *problem, const char *solver,
                       const ic_options *options)
{
    const ic_solver *s = solver != NULL ? ic_solver_find(solver) : ic_accurate_solver(problem->variant);
    const size_t n = problem->system->n_states;
    IC_OWN(ic_log) *log = ic_log_new(problem);
    CU_ASSERT_FATAL(s != NULL && log != NULL);
    const ic_status status = s->solve(log, problem, options);
    IC_EXPECT_FATAL(status == IC_OK, "%s does not solve %s: %s", s->name, problem->system->name,
                    ic_status_text(status));
    const size_t samples = ic_log_sample_count(log);
    const ic_sample end = ic_log_end(log);
    const bool ends_between = end.t > ic_log_sample_at(log, samples - 1).t; /* in a terminal mode */
    CU_ASSERT_FATAL(ic_trajectory_open(rows, samples + ends_between, n, false));
    for (size_t i = 0; i < rows->n; i++) {
        const ic_sample sample = i < samples ? ic_log_sample_at(log, i) : end;
        rows->t[i] = sample.t;
        memcpy(&rows->x[i * n], sample.x, n * sizeof *sample.x);
    }
    for (size_t j = 0; j < n; j++)
        rows->source[j] = ic_state_is_derived(problem->system, j) ? IC_FROM_TRACKING : IC_FROM_FILE;
}

static ic_setup setup_of(const char *text, const char *until)
{
    enum { MOST = 8 };
    const char *settings[MOST];
    char words[128], *rest = NULL;
    ic_request request = {.settings = settings, .until = until};
    snprintf(words, sizeof words, "%s", text);
    request.path = strtok_r(words, " ", &rest);
    for (const char *word; (word = strtok_r(NULL, " ", &rest)) != NULL && request.n_settings < MOST;) {
        if (strncmp(word, "variant=", 8) == 0) request.variant = word + 8;
        else settings[request.n_settings++] = word;
    }
    return ic_tests_setup(&request);
}

audited audited_open_as(const char *as, const char *own, const char *until, const char *solver,
                        const ic_options *options)
{
    IC_OWN(ic_setup) setup = setup_of(own, until);
    audited a = audited_open(as, until, 0);
    audited_take_rows(&a.rows, &setup.problem, solver, options);
    return a;
}

audited audited_open(const char *path, const char *until, size_t samples)
{
    audited a = {.setup = setup_of(path, until)};
    if (samples > 0) audited_take_rows(&a.rows, &a.setup.problem, NULL, &(ic_options){.samples = samples});
    return a;
}

ic_audit_verdict audited_judge(audited *a, double accept)
{
    const ic_trajectory_options options = {.accept = accept};
    CU_ASSERT_FATAL(ic_audit_trajectory(&a->audit, &a->rows, &a->setup.problem, &options));
    return ic_findings_judge(&a->audit.findings, false).verdict;
}

void audited_close(audited *a)
{
    CU_ASSERT_EQUAL(a->audit.findings.contradictions, 0);
    ic_trajectory_audit_close(&a->audit);
    ic_trajectory_close(&a->rows);
    ic_setup_close(&a->setup);
}

ic_audit_report audited_plugin(const char *name, double limit)
{
    char path[1024];
    ic_error error = {""};
    const ic_plugin_audit_options options = {.time_limit = limit, .jobs = ic_processors()};
    ic_audit_report report = {0};
    snprintf(path, sizeof path, "%s/%s.so", IC_TEST_PLUGINS, name);
    IC_EXPECT_FATAL(ic_audit_plugin(&report, path, &options, &error), "%s: %s", path, error.text);
    return report;
}

bool finding_blames(const ic_findings *findings, const char *check, ic_mistake_id cause)
{
    const ic_finding *f = ic_findings_find(findings, check);
    return f != NULL && f->verdict == IC_FINDING_FAIL && f->cause == cause;
}

size_t findings_naming(const ic_findings *findings, ic_mistake_id mistake)
{
    size_t count = 0;
    for (size_t i = 0; i < findings->count; i++) count += findings->rows[i].cause == mistake;
    return count;
}

void findings_print_failed(const ic_findings *findings, const char *subject)
{
    for (size_t i = 0; i < findings->count; i++) {
        const ic_finding *f = &findings->rows[i];
        if (f->verdict == IC_FINDING_FAIL)
            printf("\n  %s%s: %s %g over %g, %s: %s", subject, f->place, f->check->name, f->measured,
                   f->tolerance, ic_mistake_name(f->cause), f->detail);
    }
}

void rows_add_noise(ic_trajectory *rows, double part, uint64_t *seed)
{
    const size_t n = rows->n_states;
    for (size_t j = 0; j < n && part > 0; j++) {
        double least = INFINITY, most = -INFINITY;
        for (size_t i = 0; i < rows->n; i++)
            least = fmin(least, rows->x[i * n + j]), most = fmax(most, rows->x[i * n + j]);
        for (size_t i = 0; i < rows->n; i++) rows->x[i * n + j] += part * (most - least) * family_normal(seed);
    }
}
