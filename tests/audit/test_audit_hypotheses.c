/* SPDX-License-Identifier: MIT */
/**
 * Audit of trajectories: identification of impact hypotheses, contact-force laws and parameters,
 * and rows that leave them open.
 */
#include "audit/common/tolerances.h"
#include "audit/trajectory/checks/checks.h"
#include "core/random.h"
#include "registry/registry.h"
#include "tests/audit/audited.h"

IC_SUITE(audits, "audit of trajectories: hypotheses, laws, parameters")

/* ---- impacts */

#define ROUGH_BAR "mu=2/5"
enum { HYPOTHESES = 4 };
static const char *const hypotheses[HYPOTHESES] = {"regularized", "newton", "poisson", "stronge"};

static audited open_bar(const char *variant, const char *setting, size_t samples)
{
    char words[96];
    snprintf(words, sizeof words, "planar-bar/newton variant=%s %s e=7/10", variant, setting);
    return audited_open(words, NULL, samples);
}

/* Velocities before and after one impact of the bar, two rows. */
static void impact_of(ic_trajectory *rows, double (*v)[IC_VELOCITIES], const char *variant, const char *setting)
{
    static double t[2] = {0, 1};
    static size_t line[2] = {2, 3};
    IC_OWN(ic_trajectory) all;
    IC_OWN(audited) a = open_bar(variant, setting, 2);
    CU_ASSERT_TRUE_FATAL(ic_impact_rows_of(&all, &a.rows, &a.setup.problem));
    memcpy(v[0], all.x, sizeof *v);
    memcpy(v[1], &all.x[(all.n - 1) * IC_VELOCITIES], sizeof *v);
    *rows = (ic_trajectory){.n = 2, .n_states = IC_VELOCITIES, .t = t, .x = v[0], .line = line};
}

static void judge_impact(ic_findings *findings, ic_classification *c, const ic_trajectory *rows,
                         const char *variant)
{
    *findings = (ic_findings){0};
    IC_OWN(audited) a = open_bar(variant, ROUGH_BAR, 0);
    CU_ASSERT_TRUE_FATAL(ic_audit_impact(findings, c, rows, &a.setup.problem, ic_tolerance_accuracy.value));
}

IC_TEST(test_hypotheses)
{
    for (size_t i = 0; i < HYPOTHESES; i++) {
        ic_trajectory rows;
        double v[2][IC_VELOCITIES];
        impact_of(&rows, v, hypotheses[i], ROUGH_BAR);
        for (size_t j = 0; j < HYPOTHESES; j++) {
            IC_OWN(ic_findings) findings;
            ic_classification c;
            judge_impact(&findings, &c, &rows, hypotheses[j]);
            CU_ASSERT_TRUE(c.decided);
            CU_ASSERT_STRING_EQUAL(c.candidates[0].name, hypotheses[i]);
            CU_ASSERT_EQUAL(finding_blames(&findings, "hypothesis", IC_MISTAKE_ANOTHER_HYPOTHESIS), i != j);
            CU_ASSERT_EQUAL(ic_findings_with(&findings, IC_FINDING_FAIL) > 0, i != j);
            CU_ASSERT_EQUAL(findings.contradictions, 0);
        }
    }
}

IC_TEST(test_planted_impacts)
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
        ic_trajectory rows;
        IC_OWN(ic_findings) findings;
        ic_classification c;
        double v[2][IC_VELOCITIES];
        impact_of(&rows, v, "newton", plants[p].setting);
        for (int k = 0; k < IC_VELOCITIES; k++) v[0][k] *= plants[p].before[k], v[1][k] *= plants[p].after[k];
        for (int s = 0; s < 2 && plants[p].exchanged; s++) {
            const double v_x = v[s][0];
            v[s][0] = v[s][1], v[s][1] = v_x;
        }
        judge_impact(&findings, &c, &rows, "newton");
        CU_ASSERT_TRUE(finding_blames(&findings, plants[p].check, plants[p].mistake));
        CU_ASSERT_EQUAL(findings.contradictions, 0);
    }
}

/* One row on each side with an error of a hundredth: no hypothesis is identified, and nothing
   fails. */
IC_TEST(test_undecided_impact)
{
    ic_trajectory rows;
    IC_OWN(ic_findings) findings;
    ic_classification c;
    double v[2][IC_VELOCITIES];
    impact_of(&rows, v, "poisson", ROUGH_BAR);
    v[1][0] += 0.01, v[1][1] -= 0.01;
    judge_impact(&findings, &c, &rows, "poisson");
    CU_ASSERT_FALSE(c.decided);
    CU_ASSERT_EQUAL(ic_findings_with(&findings, IC_FINDING_FAIL), 0);
    CU_ASSERT_EQUAL(findings.contradictions, 0);
}

/* ---- laws */

/* Rows of a ball on one law, d and v times 1 + noise of a part of their ranges, audited as another.
 */
static void audit_ball(audited *a, const char *rows, const char *as, double noise)
{
    uint64_t seed = 7;
    char words[2][96];
    snprintf(words[0], sizeof words[0], "ball/hunt-crossley variant=%s", as);
    snprintf(words[1], sizeof words[1], "ball/hunt-crossley variant=%s", rows);
    *a = audited_open_as(words[0], words[1], NULL, NULL, &(ic_options){.samples = 101});
    const size_t n = a->rows.n_states;
    const double scale[2] = {a->rows.x[a->rows.n / 4 * n], a->rows.x[1]};
    for (size_t i = 0; i < a->rows.n * n; i++) {
        if (i % n > 1) continue;
        a->rows.x[i] += noise * scale[i % n] * ic_uniform(&seed, -1, 1) * sqrt(3);
    }
    /* as a file without these columns would give it */
    CU_ASSERT_EQUAL_FATAL(n, a->setup.problem.system->n_states);
    for (size_t j = 2; j < n; j++) a->rows.source[j] = IC_FROM_TRACKING;
    for (size_t i = 0; i < a->rows.n; i++) memset(&a->rows.x[i * n + 2], 0, (n - 2) * sizeof(double));
    audited_judge(a, 0);
}

IC_TEST(test_laws)
{
    for (size_t i = 0; i < ic_law_count; i++) {
        const char *as = i % 2 == 0 ? ic_laws[i]->name : "hunt-crossley";
        const bool same = strcmp(as, ic_laws[i]->name) == 0;
        IC_OWN(audited) a;
        audit_ball(&a, ic_laws[i]->name, as, 0);
        CU_ASSERT_EQUAL_FATAL(a.audit.n_classifications, 1);
        CU_ASSERT_TRUE(a.audit.classifications[0].decided);
        /* one force under several names is reported by any of them */
        if (same) CU_ASSERT_STRING_EQUAL(a.audit.classifications[0].candidates[0].name, ic_laws[i]->name);
        CU_ASSERT_EQUAL(ic_findings_with(&a.audit.findings, IC_FINDING_FAIL) > 0, !same);
    }
}

IC_TEST(test_undecided_law)
{
    IC_OWN(audited) a;
    audit_ball(&a, "flores", "zhiying-qishao", 1e-2);
    CU_ASSERT_FALSE(a.audit.classifications[0].decided);
    CU_ASSERT_EQUAL(ic_findings_with(&a.audit.findings, IC_FINDING_FAIL), 0);
}

/* ---- parameters, rows, restitution */

/* Restitutions twice as far off as is accepted. */
IC_TEST(test_planted_restitutions)
{
    static const struct {
        const char *path, *until;
        double e;
    } plants[] = {{"two-mass/forced", "40", 0.8}, {"bouncing-ball/lively", "3", 0.9}};
    for (size_t p = 0; p < IC_COUNT(plants); p++) {
        char own[96];
        snprintf(own, sizeof own, "%s e=%.6f", plants[p].path,
                 plants[p].e - 2 * ic_tolerance_restitution.value * AUDITED_ACCURACY);
        const ic_options options = {.samples = 801};
        IC_OWN(audited) a = audited_open_as(plants[p].path, own, plants[p].until, NULL, &options);
        audited_judge(&a, AUDITED_ACCURACY);
        CU_ASSERT_TRUE(finding_blames(&a.audit.findings, "restitution", IC_MISTAKE_RESTITUTION_WRONG));
    }
}

/* The last fifth of the rows follows a case with another setting. */
static void change_setting_late(audited *a, const char *path, const char *setting)
{
    IC_OWN(ic_setup) own;
    IC_OWN(ic_trajectory) rest;
    const size_t n = a->rows.n_states, from = a->rows.n / 5 * 4;
    const ic_request request = {.path = path, .settings = &setting, .n_settings = 1};
    CU_ASSERT_FATAL(ic_setup_open(&own, &request, NULL));
    own.problem.t_start = a->rows.t[from];
    own.problem.t_end = a->rows.t[a->rows.n - 1];
    own.problem.x_start = &a->rows.x[from * n];
    own.problem.mode_start = 0;
    audited_take_rows(&rest, &own.problem, NULL, &(ic_options){.samples = a->rows.n - from});
    CU_ASSERT_FATAL(rest.n >= a->rows.n - from);
    memcpy(&a->rows.x[from * n], rest.x, (a->rows.n - from) * n * sizeof(double));
}

/* A parameter that explains some rows is not the cause if the fit to all rows excludes it. */
IC_TEST(test_excluded_parameter)
{
    IC_OWN(audited) a = audited_open("bouncing-ball/lively", "2.9", 1001);
    change_setting_late(&a, "bouncing-ball/lively", "g=10.8");
    audited_judge(&a, AUDITED_ACCURACY);
    CU_ASSERT_TRUE(finding_blames(&a.audit.findings, "local-defect", IC_MISTAKE_PARAMETER_CHANGES));
    CU_ASSERT_EQUAL(findings_naming(&a.audit.findings, IC_MISTAKE_PARAMETER_WRONG), 0);
    const char *detail = ic_findings_find(&a.audit.findings, "local-defect")->detail;
    const size_t length = strlen(detail);
    CU_ASSERT_TRUE(length > 0 && detail[length - 1] != ' ' && strstr(detail, "off by") != NULL);
    /* some of the rows that do not follow the case follow the other value, but the others do not */
    IC_OWN(audited) pendulum = audited_open("pendulum-wall/single", NULL, 1001);
    change_setting_late(&pendulum, "pendulum-wall/single", "c1=0.5");
    audited_judge(&pendulum, AUDITED_ACCURACY);
    CU_ASSERT_TRUE(finding_blames(&pendulum.audit.findings, "local-defect", IC_MISTAKE_PARAMETER_CHANGES));
    /* no single interval shows it */
    IC_OWN(audited) slight = audited_open("bouncing-ball/lively", "2.9", 601);
    change_setting_late(&slight, "bouncing-ball/lively", "g=9.75");
    CU_ASSERT_EQUAL(audited_judge(&slight, 0), IC_AUDIT_FAILED);
    CU_ASSERT_TRUE(finding_blames(&slight.audit.findings, "parameters", IC_MISTAKE_PARAMETER_CHANGES));
}

IC_TEST(test_planted_rows)
{
    IC_OWN(audited) a = audited_open("two-mass/forced", "40", 801);
    a.rows.x[312 * a.rows.n_states + 1] += 0.1;
    audited_judge(&a, 0);
    CU_ASSERT_TRUE(finding_blames(&a.audit.findings, "rows", IC_MISTAKE_ROW_CORRUPTED));
    a.rows.x[312 * a.rows.n_states + 1] -= 0.1;
    ic_trajectory_audit_close(&a.audit);
    for (size_t i = 0; i < a.rows.n; i++) a.rows.t[i] += 2; /* of a period of 6.28 s */
    audited_judge(&a, 0);
    CU_ASSERT_TRUE(finding_blames(&a.audit.findings, "local-defect", IC_MISTAKE_TIME_SHIFTED));
}

/* A damaged row under the floor is not an event that is found too late: the events are on time. */
IC_TEST(test_row_under_floor)
{
    IC_OWN(audited) a = audited_open("bouncing-ball/lively", "3", 1001);
    a.rows.x[399 * a.rows.n_states] = -0.1;
    audited_judge(&a, 0);
    CU_ASSERT_TRUE(finding_blames(&a.audit.findings, "rows", IC_MISTAKE_ROW_CORRUPTED));
    CU_ASSERT_TRUE(finding_blames(&a.audit.findings, "penetration", IC_NO_MISTAKE));
    CU_ASSERT_EQUAL(ic_findings_find(&a.audit.findings, "event-times")->verdict, IC_FINDING_PASS);
}

/* Rows that run backwards for a while: the case leads to the row behind them, and impacts are not unequal. */
IC_TEST(test_block_that_is_passed)
{
    enum { FIRST = 240, LAST = 280 };
    IC_OWN(audited) a = audited_open("bouncing-ball/lively", "5", 801);
    const size_t n = a.rows.n_states;
    for (size_t i = FIRST, j = LAST; i < j; i++, j--) {
        for (size_t s = 0; s < n; s++) {
            const double kept = a.rows.x[i * n + s];
            a.rows.x[i * n + s] = a.rows.x[j * n + s];
            a.rows.x[j * n + s] = kept;
        }
    }
    audited_judge(&a, 0);
    CU_ASSERT_TRUE(findings_naming(&a.audit.findings, IC_MISTAKE_ROWS_GARBAGE) > 0);
    CU_ASSERT_EQUAL(findings_naming(&a.audit.findings, IC_MISTAKE_IMPACTS_UNEQUAL), 0);
}
