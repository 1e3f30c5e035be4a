/* SPDX-License-Identifier: MIT */
#include "validation/studies/ball_runs.h"
#include "core/linear_view.h"
#include "core/model.h"
#include "registry/registry.h"

#include <math.h>
#include <string.h>

/* ---- opening */

bool ic_ball_open(ic_ball *ball, const char *path, ic_error *error)
{
    *ball = (ic_ball){0};
    if (strncmp(path, "ball/", 5) != 0) {
        ic_error_set(error, "%s is no preset of the case 'ball'", path);
        return false;
    }
    if (!ic_path_open(&ball->setup, path, error)) return false;
    const ic_problem *problem = &ball->setup.problem;
    ball->law = problem->variant->law;
    ball->par = problem->par + problem->system->n_parameters - ball->law->n_parameters;
    ball->m = ic_parameter_value(problem, problem->variant->free_impact->mass);
    ball->v0 = ic_parameter_value(problem, problem->variant->free_impact->speed);
    return true;
}

void ic_ball_close(ic_ball *ball)
{
    ic_setup_close(&ball->setup);
}

/* ---- answers */

ic_log *ic_ball_sample(ic_ball *ball, double t_end, size_t samples, ic_error *error)
{
    ic_problem *problem = &ball->run;
    *problem = ball->setup.problem;
    problem->t_end = t_end;
    problem->t_end_text = NULL;
    ic_status status = IC_OK;
    ic_options options = ic_trusted_options(problem);
    options.samples = samples;
    ic_log *log = ic_solve(ic_accurate_solver(problem->variant), problem, &options, &status);
    if (status == IC_OK) return log;
    ic_error_set(error, "law '%s': %s", ball->law->name, ic_status_text(status));
    ic_log_free(log);
    return NULL;
}

ic_log *ic_ball_solve(ic_ball *ball, ic_error *error)
{
    ic_log *log = ic_ball_sample(ball, ball->setup.problem.t_end, 0, error);
    if (log == NULL || ball->setup.problem.variant->modes[ic_log_end(log).mode].terminal) return log;
    ic_error_set(error, "law '%s': the impact is not over at %g s", ball->law->name, ball->setup.problem.t_end);
    ic_log_free(log);
    return NULL;
}

bool ic_ball_impact(ic_impact_outcome *outcome, ic_ball *ball, ic_error *error)
{
    if (ic_law_is_solved(ball->law))
        return ic_law_impact(outcome, ball->law, ball->par, ball->m, ball->v0, error);
    const ic_free_impact *names = ball->setup.problem.variant->free_impact;
    ic_log *log = ic_ball_solve(ball, error);
    if (log == NULL) return false;
    *outcome = (ic_impact_outcome){.damping = NAN,
                                   .restitution = ic_output_extreme(log, names->restitution).final,
                                   .u_peak = NAN,
                                   .peak_indentation = ic_output_extreme(log, names->peak_indentation).final,
                                   .peak_force = ic_output_extreme(log, names->peak_force).final};
    ic_log_free(log);
    return true;
}

bool ic_ball_impact_of(ic_impact_outcome *outcome, const char *path, ic_error *error)
{
    ic_ball ball;
    if (!ic_ball_open(&ball, path, error)) return false;
    const bool good = ic_ball_impact(outcome, &ball, error);
    ic_ball_close(&ball);
    return good;
}
