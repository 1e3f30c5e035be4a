/* SPDX-License-Identifier: MIT */
/**
 * Audit of trajectories: which impact hypothesis, which contact-force law, which parameter; and
 * when nothing is told.
 */
#include "audit/common/tolerances.h"
#include "audit/trajectory/impact_audit.h"
#include "audit/trajectory/trajectory_audit.h"
#include "core/linear_view.h"
#include "core/model.h"
#include "core/random.h"
#include "registry/registry.h"
#include "tests/tests.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool open_with(ic_setup *setup, const char *path, const char *variant, const char *setting,
                      const char *until)
{
    const char *settings[] = {setting, "e=7/10"}; /* the second for impacts of the bar alone */
    const size_t n = setting == NULL ? 0 : strncmp(path, "planar-bar", 10) == 0 ? 2 : 1;
    const ic_request request = {
        .path = path, .settings = settings, .n_settings = n, .until = until, .variant = variant};
    ic_error error;
    return ic_setup_open(setup, &request, &error);
}

/* Samples of our solver; states that follow from the others are left out. */
static bool run_of(ic_trajectory *tr, const ic_problem *problem, size_t samples)
{
    const ic_options options = {.samples = samples};
    ic_log *log = ic_log_new(problem);
    bool good = log != NULL && ic_accurate_solver(problem->variant)->solve(log, problem, &options) == IC_OK;
    const size_t n = problem->system->n_states;
    const ic_sample end = ic_log_end(log);
    const size_t rows = good ? ic_log_sample_count(log) : 0;
    /* a terminal mode */
    const bool ends_between = rows > 0 && end.t > ic_log_sample_at(log, rows - 1).t;
    good = good && ic_trajectory_open(tr, rows + (ends_between ? 1 : 0), n, false);
    for (size_t i = 0; good && i < tr->n; i++) {
        const ic_sample sample = i < rows ? ic_log_sample_at(log, i) : end;
        tr->t[i] = sample.t;
        memcpy(&tr->x[i * n], sample.x, n * sizeof *sample.x);
    }
    ic_log_free(log);
    return good;
}

static bool names(const ic_findings *findings, const char *check, ic_mistake_id mistake)
{
    for (size_t i = 0; i < findings->count; i++) {
        const ic_finding *f = &findings->rows[i];
        if (strcmp(f->check->name, check) == 0) return f->verdict == IC_FINDING_FAIL && f->cause == mistake;
    }
    return false;
}

/* ---- impacts */

#define ROUGH_BAR "mu=2/5"
enum { HYPOTHESES = 4 };
static const char *const hypotheses[HYPOTHESES] = {"regularized", "newton", "poisson", "stronge"};

/* Velocities before and after one impact of the bar, two rows. */
static void impact_of(ic_impact_rows *rows, double (*v)[IC_VELOCITIES], const char *variant,
                      const char *setting)
{
    static double t[2] = {0, 1};
    static size_t line[2] = {2, 3};
    ic_setup setup = {0};
    ic_trajectory tr = {0};
    ic_impact_rows all;
    CU_ASSERT_TRUE_FATAL(open_with(&setup, "planar-bar/newton", variant, setting, NULL));
    CU_ASSERT_TRUE_FATAL(run_of(&tr, &setup.problem, 2));
    CU_ASSERT_TRUE_FATAL(ic_impact_rows_of(&all, &tr, &setup.problem));
    memcpy(v[0], all.v[0], sizeof *v);
    memcpy(v[1], all.v[all.n - 1], sizeof *v);
    *rows = (ic_impact_rows){.n = 2, .t = t, .v = v, .line = line};
    ic_impact_rows_close(&all);
    ic_trajectory_close(&tr);
    ic_setup_close(&setup);
}

static void judge(ic_findings *findings, ic_classification *c, const ic_impact_rows *rows, const char *variant)
{
    ic_setup setup = {0};
    *findings = (ic_findings){0};
    CU_ASSERT_TRUE_FATAL(open_with(&setup, "planar-bar/newton", variant, ROUGH_BAR, NULL));
    CU_ASSERT_TRUE_FATAL(ic_audit_impact(findings, c, rows, &setup.problem, ic_tolerance_accuracy.value));
    ic_setup_close(&setup);
}

static void test_hypotheses(void)
{
    for (size_t i = 0; i < HYPOTHESES; i++) {
        ic_impact_rows rows;
        double v[2][IC_VELOCITIES];
        impact_of(&rows, v, hypotheses[i], ROUGH_BAR);
        for (size_t j = 0; j < HYPOTHESES; j++) {
            ic_findings findings;
            ic_classification c;
            judge(&findings, &c, &rows, hypotheses[j]);
            CU_ASSERT_TRUE(c.decided);
            CU_ASSERT_STRING_EQUAL(c.candidates[0].name, hypotheses[i]);
            CU_ASSERT_EQUAL(names(&findings, "hypothesis", IC_MISTAKE_ANOTHER_HYPOTHESIS), i != j);
            CU_ASSERT_EQUAL(ic_findings_with(&findings, IC_FINDING_FAIL) > 0, i != j);
            CU_ASSERT_EQUAL(findings.contradictions, 0);
            ic_findings_free(&findings);
        }
    }
}

static void test_planted_impacts(void)
{
    static const struct impact_plant {
        double before[IC_VELOCITIES], after[IC_VELOCITIES]; /* factors */
        bool exchanged;
        const char *setting, *check;
        ic_mistake_id mistake;
    } plants[] = {
        {{1, 1, 1}, {1, 1, 180 / M_PI}, false, ROUGH_BAR, "impact-momentum", IC_MISTAKE_UNITS_MIXED},
        {{1, 1, 1}, {1, 1, -1}, false, ROUGH_BAR, "impact-momentum", IC_MISTAKE_SIGN_REVERSED},
        {{1, -1, 1}, {1, -1, 1}, false, ROUGH_BAR, "impact-start", IC_MISTAKE_SIGN_REVERSED},
        {{1e3, 1e3, 1}, {1e3, 1e3, 1}, false, ROUGH_BAR, "impact-start", IC_MISTAKE_UNITS_MIXED},
        {{1, 1, 1}, {1, 1, 1}, true, ROUGH_BAR, "impact-start", IC_MISTAKE_COLUMNS_EXCHANGED},
        {{1, 1, 1}, {1, 1, 1}, false, "mu=0", "hypothesis", IC_MISTAKE_FRICTIONLESS},
        {{1, 1, 1}, {1, -1, 1}, false, ROUGH_BAR, "impact-approach", IC_MISTAKE_PENETRATES},
    };
    for (size_t p = 0; p < IC_COUNT(plants); p++) {
        ic_impact_rows rows;
        ic_findings findings;
        ic_classification c;
        double v[2][IC_VELOCITIES];
        impact_of(&rows, v, "newton", plants[p].setting);
        for (int k = 0; k < IC_VELOCITIES; k++) v[0][k] *= plants[p].before[k], v[1][k] *= plants[p].after[k];
        for (int s = 0; s < 2 && plants[p].exchanged; s++) {
            const double v_x = v[s][0];
            v[s][0] = v[s][1], v[s][1] = v_x;
        }
        judge(&findings, &c, &rows, "newton");
        CU_ASSERT_TRUE(names(&findings, plants[p].check, plants[p].mistake));
        CU_ASSERT_EQUAL(findings.contradictions, 0);
        ic_findings_free(&findings);
    }
}

/* One row on each side that is off by a hundredth: nothing is told, and nothing is held against it.
 */
static void test_undecided_impact(void)
{
    ic_impact_rows rows;
    ic_findings findings;
    ic_classification c;
    double v[2][IC_VELOCITIES];
    impact_of(&rows, v, "poisson", ROUGH_BAR);
    v[1][0] += 0.01, v[1][1] -= 0.01;
    judge(&findings, &c, &rows, "poisson");
    CU_ASSERT_FALSE(c.decided);
    CU_ASSERT_EQUAL(ic_findings_with(&findings, IC_FINDING_FAIL), 0);
    CU_ASSERT_EQUAL(findings.contradictions, 0);
    ic_findings_free(&findings);
}

/* ---- laws */

/* Rows of a ball on one law, d and v times 1 + noise of a part of their ranges, audited as another.
 */
static void audit_ball(ic_trajectory_audit *audit, ic_trajectory *tr, ic_setup *setup, const char *rows,
                       const char *as, double noise)
{
    ic_setup own = {0};
    uint64_t seed = 7;
    CU_ASSERT_TRUE_FATAL(open_with(&own, "ball/hunt-crossley", rows, NULL, NULL));
    CU_ASSERT_TRUE_FATAL(run_of(tr, &own.problem, 101));
    CU_ASSERT_TRUE_FATAL(open_with(setup, "ball/hunt-crossley", as, NULL, NULL));
    const double scale[2] = {tr->x[tr->n / 4 * tr->n_states], tr->x[1]};
    for (size_t i = 0; i < tr->n * tr->n_states; i++) {
        if (i % tr->n_states > 1) continue;
        tr->x[i] += noise * scale[i % tr->n_states] * ic_uniform(&seed, -1, 1) * sqrt(3);
    }
    /* as a file without these columns would give it */
    ic_trajectory shaped = {0};
    CU_ASSERT_TRUE_FATAL(ic_trajectory_open(&shaped, tr->n, setup->problem.system->n_states, false));
    for (size_t i = 0; i < tr->n; i++) {
        shaped.t[i] = tr->t[i];
        memcpy(&shaped.x[i * shaped.n_states], &tr->x[i * tr->n_states], 2 * sizeof(double));
    }
    for (size_t j = 2; j < shaped.n_states; j++) shaped.source[j] = IC_FROM_TRACKING;
    ic_trajectory_close(tr);
    *tr = shaped;
    CU_ASSERT_TRUE_FATAL(ic_audit_trajectory(audit, tr, &setup->problem, NULL));
    ic_setup_close(&own);
}

static void close_all(ic_trajectory_audit *audit, ic_trajectory *tr, ic_setup *setup)
{
    CU_ASSERT_EQUAL(audit->findings.contradictions, 0);
    ic_trajectory_audit_close(audit);
    ic_trajectory_close(tr);
    ic_setup_close(setup);
}

static void test_laws(void)
{
    for (size_t i = 0; i < ic_law_count; i++) {
        const char *as = i % 2 == 0 ? ic_laws[i]->name : "hunt-crossley";
        const bool same = strcmp(as, ic_laws[i]->name) == 0;
        ic_trajectory_audit audit;
        ic_trajectory tr = {0};
        ic_setup setup = {0};
        audit_ball(&audit, &tr, &setup, ic_laws[i]->name, as, 0);
        CU_ASSERT_EQUAL_FATAL(audit.n_classifications, 1);
        CU_ASSERT_TRUE(audit.classifications[0].decided);
        /* one force under several names is told by any of them */
        if (same) CU_ASSERT_STRING_EQUAL(audit.classifications[0].candidates[0].name, ic_laws[i]->name);
        CU_ASSERT_EQUAL(ic_findings_with(&audit.findings, IC_FINDING_FAIL) > 0, !same);
        close_all(&audit, &tr, &setup);
    }
}

static void test_undecided_law(void)
{
    ic_trajectory_audit audit;
    ic_trajectory tr = {0};
    ic_setup setup = {0};
    audit_ball(&audit, &tr, &setup, "flores", "zhiying-qishao", 1e-2);
    CU_ASSERT_FALSE(audit.classifications[0].decided);
    CU_ASSERT_EQUAL(ic_findings_with(&audit.findings, IC_FINDING_FAIL), 0);
    close_all(&audit, &tr, &setup);
}

/* ---- parameters, rows, restitution */

static void test_planted_parameters(void)
{
    static const struct parameter_plant {
        const char *path, *setting, *until, *check;
        ic_mistake_id mistake;
    } plants[] = {
        {"two-mass/forced", "m1=1.1", "40", "local-defect", IC_MISTAKE_PARAMETER_WRONG},
        {"two-mass/forced", "c1=0.4", "40", "local-defect", IC_MISTAKE_DAMPING_FACTOR_TWO},
        {"two-mass/forced", "e=0.76", "40", "restitution", IC_MISTAKE_RESTITUTION_WRONG},
        {"two-mass/forced", "e=1", "40", "restitution", IC_MISTAKE_RESTITUTION_IGNORED},
        {"bouncing-ball/lively", "e=0.855", "3", "restitution", IC_MISTAKE_RESTITUTION_WRONG},
        {"bouncing-ball/lively", "g=10.8", "3", "local-defect", IC_MISTAKE_PARAMETER_WRONG},
    };
    for (size_t p = 0; p < IC_COUNT(plants); p++) {
        ic_setup own = {0}, setup = {0};
        ic_trajectory tr = {0};
        ic_trajectory_audit audit;
        CU_ASSERT_TRUE_FATAL(open_with(&own, plants[p].path, NULL, plants[p].setting, plants[p].until));
        CU_ASSERT_TRUE_FATAL(run_of(&tr, &own.problem, 801));
        CU_ASSERT_TRUE_FATAL(open_with(&setup, plants[p].path, NULL, NULL, plants[p].until));
        CU_ASSERT_TRUE_FATAL(ic_audit_trajectory(&audit, &tr, &setup.problem, NULL));
        CU_ASSERT_TRUE(names(&audit.findings, plants[p].check, plants[p].mistake));
        ic_setup_close(&own);
        close_all(&audit, &tr, &setup);
    }
}

static void test_planted_rows(void)
{
    ic_setup setup = {0};
    ic_trajectory tr = {0};
    ic_trajectory_audit audit;
    CU_ASSERT_TRUE_FATAL(open_with(&setup, "two-mass/forced", NULL, NULL, "40"));
    CU_ASSERT_TRUE_FATAL(run_of(&tr, &setup.problem, 801) && tr.x != NULL);
    if (tr.x == NULL) return;
    tr.x[312 * tr.n_states + 1] += 0.1;
    CU_ASSERT_TRUE_FATAL(ic_audit_trajectory(&audit, &tr, &setup.problem, NULL));
    CU_ASSERT_TRUE(names(&audit.findings, "rows", IC_MISTAKE_ROW_CORRUPTED));
    tr.x[312 * tr.n_states + 1] -= 0.1;
    ic_trajectory_audit_close(&audit);
    for (size_t i = 0; i < tr.n; i++) tr.t[i] += 2; /* of a period of 6.28 s */
    CU_ASSERT_TRUE_FATAL(ic_audit_trajectory(&audit, &tr, &setup.problem, NULL));
    CU_ASSERT_TRUE(names(&audit.findings, "local-defect", IC_MISTAKE_TIME_SHIFTED));
    close_all(&audit, &tr, &setup);
}

void ic_tests_audit_hypotheses(void)
{
    CU_pSuite suite = CU_add_suite("audit of trajectories: hypotheses, laws, parameters", NULL, NULL);
    CU_add_test(suite, "each impact hypothesis is told, and held against the one asked for", test_hypotheses);
    CU_add_test(suite, "impacts with planted mistakes", test_planted_impacts);
    CU_add_test(suite, "an impact that is known badly is left open", test_undecided_impact);
    CU_add_test(suite, "each contact-force law is told", test_laws);
    CU_add_test(suite, "laws that noise hides are left open", test_undecided_law);
    CU_add_test(suite, "wrong parameters are named", test_planted_parameters);
    CU_add_test(suite, "a damaged row, a shift of time", test_planted_rows);
}
