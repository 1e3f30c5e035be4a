/* SPDX-License-Identifier: MIT */
/**
 * Audit of trajectories: errors that add up, coarse steps of right integrators, momentum, and a
 * force column. Right rows pass or are called coarse; wrong ones are never called coarse.
 */
#include "registry/registry.h"
#include "tests/audit/audited.h"
#include "tests/machine.h"

IC_SUITE(audits, "audit of errors, steps, momentum and forces")

enum { STATES = 4 }; /* of both cases that are followed here */

static ic_finding finding(const audited *s, const char *check)
{
    const ic_finding *f = ic_findings_find(&s->audit.findings, check);
    return f != NULL ? *f : (ic_finding){.verdict = IC_FINDING_OPEN, .measured = NAN};
}

static bool fails_by(const audited *s, const char *check, ic_mistake_id cause)
{
    const ic_finding f = finding(s, check);
    return (f.verdict == IC_FINDING_FAIL && f.cause == cause) ||
           ic_tests_say("%s: %s, '%s' %s", check, ic_finding_verdict_text(f.verdict), ic_mistake_name(f.cause),
                        f.detail);
}

/* ---- somebody else's integrators, of two masses that do not meet: u1 v1 u3 v3 */

typedef void flow_function(double *f, double t, const double *x, const double *par);

static void add_scaled(double *y, const double *x, double h, const double *f)
{
    for (int i = 0; i < STATES; i++) y[i] = x[i] + h * f[i];
}

static void euler(flow_function *flow, const double *par, double t, double h, double *x)
{
    double f[STATES];
    flow(f, t, x, par);
    add_scaled(x, x, h, f);
}

/* Velocities are 1 and 3. */
static void semi_implicit(flow_function *flow, const double *par, double t, double h, double *x)
{
    double f[STATES];
    flow(f, t, x, par);
    for (int i = 1; i < STATES; i += 2) x[i] += h * f[i];
    for (int i = 0; i < STATES; i += 2) x[i] += h * x[i + 1];
}

/* Fixed-point iteration: h times the Lipschitz constant is far below 1. */
static void implicit_euler(flow_function *flow, const double *par, double t, double h, double *x)
{
    enum { ITERATIONS = 60 };
    double f[STATES], z[STATES];
    memcpy(z, x, sizeof z);
    for (int i = 0; i < ITERATIONS; i++) {
        flow(f, t + h, z, par);
        add_scaled(z, x, h, f);
    }
    memcpy(x, z, sizeof z);
}

static void midpoint(flow_function *flow, const double *par, double t, double h, double *x)
{
    double f[STATES], y[STATES];
    flow(f, t, x, par);
    add_scaled(y, x, 0.5 * h, f);
    flow(f, t + 0.5 * h, y, par);
    add_scaled(x, x, h, f);
}

static void classical(flow_function *flow, const double *par, double t, double h, double *x)
{
    ic_tests_step(flow, par, STATES, t, h, x);
}

typedef void step_function(flow_function *flow, const double *par, double t, double h, double *x);

/* Rows of every step, of the case with its first spring times a factor, until shortly before the
   first impact. */
static void step_along(audited *s, step_function *step, double h, double until, double factor)
{
    enum { K1 = 2, MOST_PARAMETERS = 32 };
    const ic_problem *problem = &s->setup.problem;
    double x[STATES], par[MOST_PARAMETERS];
    CU_ASSERT_TRUE_FATAL(problem->system->n_parameters <= MOST_PARAMETERS);
    memcpy(par, problem->par, problem->system->n_parameters * sizeof *par);
    par[K1] *= factor;
    problem->variant->start.apply(x, 0, NULL, problem->par);
    CU_ASSERT_TRUE_FATAL(ic_trajectory_open(&s->rows, (size_t)(until / h) + 1, STATES, false));
    for (size_t i = 0; i < s->rows.n; i++) {
        s->rows.t[i] = (double)i * h;
        memcpy(&s->rows.x[i * STATES], x, sizeof x);
        step(problem->variant->modes[0].flow, par, (double)i * h, h, x);
    }
}

#define MASSES "two-mass/forced"
#define UNTIL_IMPACT 0.9 /* s; the first is at 0.96 s or so, and seen by no row */

IC_TEST(test_coarse_steps)
{
    static const struct method {
        step_function *step;
        double h;
        const char *name;
    } methods[] = {
        {euler, 0.03, "explicit Euler"},
        {semi_implicit, 0.03, "semi-implicit Euler, velocity first"},
        {implicit_euler, 0.03, "implicit Euler"},
        {midpoint, 0.06, "explicit midpoint"},
    };
    for (size_t i = 0; i < IC_COUNT(methods); i++) {
        IC_OWN(audited) s = audited_open(MASSES, "1", 0);
        step_along(&s, methods[i].step, methods[i].h, UNTIL_IMPACT, 1);
        audited_judge(&s, AUDITED_ACCURACY);
        /* a finer step may pass from row to row, and add up all the same */
        const char *check =
            finding(&s, "local-defect").verdict == IC_FINDING_FAIL ? "local-defect" : "state-error";
        CU_ASSERT_TRUE(fails_by(&s, check, IC_MISTAKE_COARSE_STEPS));
        CU_ASSERT_PTR_NOT_NULL(strstr(finding(&s, check).detail, methods[i].name));
    }
}

/* The same with a wrong spring, coarse or not. */
IC_TEST(test_wrong_is_not_coarse)
{
    step_function *const steps[] = {euler, semi_implicit, implicit_euler, midpoint, classical};
    for (size_t i = 0; i < IC_COUNT(steps); i++) {
        IC_OWN(audited) s = audited_open(MASSES, "1", 0);
        step_along(&s, steps[i], 0.03, UNTIL_IMPACT, 1.5);
        audited_judge(&s, AUDITED_ACCURACY);
        CU_ASSERT_TRUE(ic_findings_with(&s.audit.findings, IC_FINDING_FAIL) > 0);
        CU_ASSERT_FALSE(findings_naming(&s.audit.findings, IC_MISTAKE_COARSE_STEPS) > 0);
    }
}

IC_TEST(test_fine_steps)
{
    IC_OWN(audited) s = audited_open(MASSES, "1", 0);
    step_along(&s, classical, 0.03, UNTIL_IMPACT, 1);
    audited_judge(&s, AUDITED_ACCURACY);
    CU_ASSERT_EQUAL(ic_findings_with(&s.audit.findings, IC_FINDING_FAIL), 0);
    CU_ASSERT_EQUAL(finding(&s, "state-error").verdict, IC_FINDING_PASS);
}

/* ---- rows of our own, changed */

/* The contact force at each row. */
static void add_forces(audited *s)
{
    const ic_problem *problem = &s->setup.problem;
    const ic_case *system = problem->system;
    size_t force = 0;
    while (force < system->n_outputs && strstr(system->outputs[force].name, "_force") == NULL) force++;
    IC_OWN(ic_log) *log = ic_log_new(problem);
    CU_ASSERT_TRUE_FATAL(
        log != NULL &&
        ic_accurate_solver(problem->variant)->solve(log, problem, &(ic_options){.samples = s->rows.n}) ==
            IC_OK);
    s->rows.force = calloc(s->rows.n + 1, sizeof *s->rows.force);
    for (size_t i = 0; s->rows.force != NULL && i < s->rows.n; i++) {
        const ic_sample sample = ic_log_sample_at(log, i);
        s->rows.force[i] = system->outputs[force].value(sample.t, sample.x, sample.mode, problem->par);
    }
}

/* Rows between lines: every fifth stays. */
IC_TEST(test_interpolated_rows)
{
    enum { ROWS = 5 };
    IC_OWN(audited) s = audited_open("two-mass/forced", "20", 301);
    for (size_t i = 0; i + ROWS < s.rows.n; i += ROWS) {
        for (size_t k = 1; k < ROWS; k++) {
            for (size_t j = 0; j < STATES; j++) {
                const double a = s.rows.x[i * STATES + j], b = s.rows.x[(i + ROWS) * STATES + j];
                s.rows.x[(i + k) * STATES + j] = a + (b - a) * (double)k / ROWS;
            }
        }
    }
    audited_judge(&s, AUDITED_ACCURACY);
    CU_ASSERT_TRUE(fails_by(&s, "local-defect", IC_MISTAKE_COARSE_STEPS));
    CU_ASSERT_PTR_NOT_NULL(strstr(finding(&s, "local-defect").detail, "straight lines"));
}

/* A ball by semi-implicit Euler: from row to row 4e-5 of the height, 2e-2 of it after a bounce.
   Impacts are located, by parts of a step. */
IC_TEST(test_errors_add_up)
{
    enum { STEPS = 2 };
    const double h = 2e-3, g = 9.81, e = 0.9;
    double x = 1, v = 0;
    IC_OWN(audited) s = audited_open("bouncing-ball/lively", "2", 0);
    CU_ASSERT_TRUE_FATAL(ic_trajectory_open(&s.rows, 500, 2, false));
    for (size_t i = 0; i < s.rows.n; i++) {
        s.rows.t[i] = STEPS * h * (double)i;
        s.rows.x[2 * i] = x, s.rows.x[2 * i + 1] = v;
        for (int k = 0; k < STEPS; k++) {
            /* x + a (v - g a) = 0 */
            const double a = (v + sqrt(v * v + 4 * g * x)) / (2 * g);
            double left = h;
            if (a < h) v = -e * (v - g * a), x = 0, left -= a;
            v -= g * left;
            x += left * v;
        }
    }
    audited_judge(&s, AUDITED_ACCURACY);
    CU_ASSERT_EQUAL(finding(&s, "local-defect").verdict, IC_FINDING_PASS);
    CU_ASSERT_TRUE(fails_by(&s, "state-error", IC_MISTAKE_COARSE_STEPS));
    CU_ASSERT_PTR_NOT_NULL(strstr(finding(&s, "state-error").detail, "beyond its tolerance from t = "));
    CU_ASSERT_NOT_EQUAL(finding(&s, "restitution").verdict, IC_FINDING_FAIL);
}

/* Each mass bounces off the other as off a wall: the relative velocity is right, the momentum is
   not. */
IC_TEST(test_momentum)
{
    enum { E = 11 };
    IC_OWN(audited) s = audited_open("two-mass/forced", "20", 0);
    const ic_problem *problem = &s.setup.problem;
    double x[STATES];
    const double h = 1e-3;
    problem->variant->start.apply(x, 0, NULL, problem->par);
    CU_ASSERT_TRUE_FATAL(ic_trajectory_open(&s.rows, 400, STATES, false));
    for (size_t i = 0; i < s.rows.n; i++) {
        s.rows.t[i] = 50 * h * (double)i;
        memcpy(&s.rows.x[i * STATES], x, sizeof x);
        for (int k = 0; k < 50; k++) {
            classical(problem->variant->modes[0].flow, problem->par, s.rows.t[i] + k * h, h, x);
            if (x[2] < x[0] && x[3] < x[1]) x[1] *= -problem->par[E], x[3] *= -problem->par[E], x[2] = x[0];
        }
    }
    audited_judge(&s, AUDITED_ACCURACY);
    CU_ASSERT_TRUE(fails_by(&s, "momentum", IC_MISTAKE_MOMENTUM_LOST));
    IC_OWN(audited) right = audited_open("two-mass/forced", "20", 401);
    audited_judge(&right, AUDITED_ACCURACY);
    CU_ASSERT_EQUAL(finding(&right, "momentum").verdict, IC_FINDING_PASS);
}

/* A touch-down at 0.4 m/s: a dashpot's force jumps there, and the law says so; what is added does
   not. */
IC_TEST(test_forces)
{
    static const struct plant {
        const char *path;
        double preload; /* of the greatest force, while in contact */
        bool smoothed;  /* a running mean over 8 rows */
        ic_finding_verdict verdict;
    } plants[] = {
        {"roller/III/C", 0, false, IC_FINDING_PASS},  {"roller/III/C", 0.05, false, IC_FINDING_FAIL},
        {"roller/III/C", 0, true, IC_FINDING_FAIL},   {"roller/law", 0, false, IC_FINDING_PASS},
        {"roller/law", 0.05, false, IC_FINDING_FAIL},
    };
    enum { WIDTH = 8 };
    for (size_t p = 0; p < IC_COUNT(plants); p++) {
        double most = 0;
        IC_OWN(audited) s = audited_open(plants[p].path, "0.3", 3001);
        add_forces(&s);
        CU_ASSERT_PTR_NOT_NULL_FATAL(s.rows.force);
        for (size_t i = 0; i < s.rows.n; i++) most = fmax(most, s.rows.force[i]);
        CU_ASSERT_TRUE(most > 1e5);
        for (size_t i = 0; i < s.rows.n; i++)
            s.rows.force[i] += s.rows.force[i] > 0 ? plants[p].preload * most : 0;
        for (size_t i = s.rows.n; plants[p].smoothed && i-- > WIDTH;) {
            double sum = 0;
            for (size_t k = 0; k < WIDTH; k++) sum += s.rows.force[i - k];
            s.rows.force[i] = sum / WIDTH;
        }
        audited_judge(&s, AUDITED_ACCURACY);
        const ic_finding f = finding(&s, "force-continuity");
        IC_EXPECT(f.verdict == plants[p].verdict, "%s: %g, %g: %s", plants[p].path, f.measured, f.tolerance,
                  f.detail);
        CU_ASSERT_EQUAL(f.cause, f.verdict == IC_FINDING_FAIL ? IC_MISTAKE_FORCE_JUMPS : IC_NO_MISTAKE);
    }
}
