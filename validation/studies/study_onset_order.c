/* SPDX-License-Identifier: MIT */
/*
 * Effect of an onset of the force like d^n on the order of a method. d starts like v0 t, so that
 * the force is t^n to it: a step of length h across the onset has an error of h^(n+1) in the velocity,
 * whatever the order of the method, and so is the last one before separation. With s = sqrt(t) as
 * the independent variable, d v/d s = 2 s F(s^2) is smooth where n is a multiple of 1/2.
 */
#include "core/free_impact.h"
#include "core/model.h"
#include "core/restitution.h"
#include "registry/registry.h"
#include "validation/studies/power_law.h"
#include "validation/studies/study.h"
#include "validation/subjects.h"

#include <math.h>
#include <stdio.h>

/* Hertz's, and neighbours: 1 and 3 are smooth. */
static const double powers[] = {1, 1.5, 2, 2.5, 3};

/* Steps per typical time, 1/50 to 1/1600; tolerances 1e-5 to 1e-11. */
enum { STEP_LEVELS = 6, RTOL_LEVELS = 7, LEVELS = 7 };
#define COARSEST 50.0
#define LOOSEST 1e-5
/* Errors below some hundred roundings do not show the order. */
#define NOISE 5e-14

enum { SOLVER, POWER, CONTROL, ERROR, FLOW_CALLS };

static const ic_study_column columns[] = {
    [SOLVER] = {"solver", NULL, "of the registry; or rk4 of this study, with even steps in t or in sqrt(t)"},
    [POWER] = {"n", "1", "power of the indentation in the force"},
    [CONTROL] = {"control", "1", "step over the typical time, or relative tolerance"},
    [ERROR] = {"error", "1",
               "of the restitution; for rk4 of this study, of the energy after compression has begun"},
    [FLOW_CALLS] = {"flow_calls", "1", "evaluations of the field"},
};

typedef struct work_curve {
    const char *solver;
    double n;
    bool steps;
    double control[LEVELS], error[LEVELS], calls[LEVELS];
    size_t count;
} work_curve;

static void add_point(ic_study_data *data, work_curve *c, double control, double error, double calls)
{
    ic_study_text(data, c->solver);
    IC_STUDY_NUMBERS(data, c->n, control, error, calls);
    if (!(error > NOISE)) return;
    c->control[c->count] = control, c->error[c->count] = error, c->calls[c->count] = calls;
    c->count++;
}

/*
 * Least-squares slopes: error like control^first and like calls^-second; and the greatest ratio of
 * error to tolerance.
 */
static void add_findings(ic_study_data *data, const work_curve *c)
{
    const double in_control = ic_power_law_fit(c->control, c->error, c->count).exponent;
    const double in_work = -ic_power_law_fit(c->calls, c->error, c->count).exponent;
    double most = 0;
    for (size_t k = 0; k < c->count; k++) most = fmax(most, c->error[k] / c->control[k]);
    if (c->steps) {
        ic_study_finding(data, "%s, n = %g: error like step^%.2f, and like work^-%.1f.", c->solver, c->n,
                         in_control, in_work);
    } else {
        ic_study_finding(data,
                         "%s, n = %g: error like tolerance^%.2f, at most %.2g tolerances, and like work^-%.1f.",
                         c->solver, c->n, in_control, most, in_work);
    }
}

/* ---- solvers of the registry on ball/hunt-crossley */

static void add_solver(ic_study_data *data, const ic_solver *solver, double n)
{
    char power[32];
    snprintf(power, sizeof power, "n=%.17g", n);
    const char *settings[] = {power};
    const ic_request request = {.path = "ball/hunt-crossley", .settings = settings, .n_settings = 1};
    ic_setup setup;
    ic_impact_outcome exact;
    if (!ic_setup_open(&setup, &request, &data->error)) {
        data->failed = true;
        return;
    }
    const ic_problem *problem = &setup.problem;
    const ic_law *law = problem->variant->law;
    const ic_free_impact *impact = problem->variant->free_impact;
    work_curve c = {.solver = solver->name, .n = n, .steps = solver->control == IC_CONTROL_STEP};
    const double *of_law = problem->par + problem->system->n_parameters - law->n_parameters;
    const bool known =
        ic_law_impact(&exact, law, of_law, problem->par[ic_parameter_find(problem->system, impact->mass)],
                      problem->par[ic_parameter_find(problem->system, impact->speed)], &data->error);
    if (!known) data->failed = true;
    for (int k = 0; known && k < (c.steps ? STEP_LEVELS : RTOL_LEVELS); k++) {
        const double control = c.steps ? 1 / (COARSEST * (1 << k)) : LOOSEST * pow(10, -k);
        const ic_options options = {.rtol = c.steps ? 0 : control,
                                    .step = c.steps ? control * ic_time_scale(problem) : 0};
        ic_status status = IC_OK;
        ic_log *log = ic_solve(solver, problem, &options, &status);
        if (log == NULL || status != IC_OK) {
            ic_study_fail(data, "%s does not solve the impact", solver->name);
        } else {
            const double restitution =
                ic_log_extreme(log, ic_output_find(problem->system, impact->restitution)).final;
            add_point(data, &c, control, fabs(restitution - exact.restitution), ic_log_work(log)->flow_calls);
        }
        ic_log_free(log);
    }
    ic_setup_close(&setup);
    if (!data->failed) add_findings(data, &c);
}

/*
 * ---- a method that keeps the order: even steps in s, t = s^q, for Hertz's power, with m = v0 = K
 * = 1
 */

#define HERTZ 1.5
/* Damping, and where the comparison ends: the elastic turn is at t = 1.47. */
#define DAMPING 0.3
#define END 1.0

static void field(double dxds[2], double s, const double x[2], int q)
{
    const double dtds = q == 1 ? 1 : 2 * s, d = x[0] > 0 ? x[0] : 0;
    dxds[0] = x[1] * dtds;
    dxds[1] = -d * sqrt(d) * (1 + DAMPING * x[1]) * dtds;
}

/* The first integral, which is 0 along the solution, after `steps` even steps. */
static double integral_defect(int steps, int q)
{
    static const double part[4] = {0, 0.5, 0.5, 1};
    const double h = pow(END, 1.0 / q) / steps;
    double x[2] = {0, 1};
    for (int i = 0; i < steps; i++) {
        double k[4][2] = {{0}}, sum[2] = {0};
        for (int j = 0; j < 4; j++) {
            double stage[2] = {x[0], x[1]};
            for (int m = 0; m < 2 && j > 0; m++) stage[m] += part[j] * h * k[j - 1][m];
            field(k[j], (i + part[j]) * h, stage, q);
            for (int m = 0; m < 2; m++) sum[m] += h / 6 * (j % 3 == 0 ? 1 : 2) * k[j][m];
        }
        x[0] += sum[0], x[1] += sum[1];
    }
    return fabs(ic_energy_in_spring(DAMPING, x[1]) - pow(x[0], HERTZ + 1) / (HERTZ + 1));
}

static void add_remedy(ic_study_data *data, const char *name, int q)
{
    work_curve c = {.solver = name, .n = HERTZ, .steps = true};
    for (int k = 0; k < STEP_LEVELS; k++) {
        const int steps = 64 << k;
        add_point(data, &c, 1.0 / steps, integral_defect(steps, q), 4.0 * steps);
    }
    add_findings(data, &c);
}

static bool is_general(const ic_solver *solver)
{
    return !solver->steps_over_events && solver->variant == NULL &&
           (solver->needs & (IC_NEEDS_LINEAR_VIEW | IC_NEEDS_EQUATIONS | IC_NEEDS_IMPACT_VIEW)) == 0;
}

static void run_study(ic_study_data *data)
{
    for (size_t s = 0; s < ic_solver_count; s++) {
        if (!is_general(ic_solvers[s])) continue;
        for (size_t i = 0; i < IC_COUNT(powers) && !data->failed; i++)
            add_solver(data, ic_solvers[s], powers[i]);
    }
    if (data->failed) return;
    add_remedy(data, "rk4 in t", 1);
    add_remedy(data, "rk4 in sqrt(t)", 2);
}

IC_STUDY_TABLE(onset_order, "onset-order", "The order of a method at an onset of the force like d^n",
               "How does Hertz's d^(3/2) affect the order of an integrator, and how is the order kept?");
