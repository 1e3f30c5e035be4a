/* SPDX-License-Identifier: MIT */
#include "validation/studies/beam_runs.h"
#include "core/model.h"
#include "registry/registry.h"

#include <math.h>
#include <string.h>

static bool solve_problem(ic_beam_run *run, const ic_options *options, const char *path, ic_error *error)
{
    ic_status status = IC_OK;
    run->log = ic_solve(ic_solver_find("dop853"), &run->setup.problem, options, &status);
    if (status == IC_OK) return true;
    ic_error_set(error, "%s: %s", path, ic_status_text(status));
    ic_beam_close(run);
    return false;
}

bool ic_beam_open(ic_beam_run *run, const ic_options *options, const char *path, ic_error *error)
{
    static const char of_the_case[] = "rotating-beam/";
    if (strncmp(path, of_the_case, strlen(of_the_case)) != 0) {
        ic_error_set(error, "%s is no preset of the case 'rotating-beam'", path);
        return false;
    }
    return ic_path_open(&run->setup, path, error) && solve_problem(run, options, path, error);
}

void ic_beam_close(ic_beam_run *run)
{
    ic_log_free(run->log);
    ic_setup_close(&run->setup);
}

/* ---- results of a run */

double ic_beam_output(const ic_problem *problem, const char *name, double t, const double *x, int mode)
{
    return problem->system->outputs[ic_output_find(problem->system, name)].value(t, x, mode, problem->par);
}

double ic_beam_peak(const ic_beam_run *run, const char *name)
{
    double before = 0, last = 0, most = 0;
    for (size_t i = 0; i < ic_log_sample_count(run->log); i++) {
        const ic_sample at = ic_log_sample_at(run->log, i);
        const double value = ic_beam_output(&run->setup.problem, name, at.t, at.x, at.mode);
        const double rise = last - before, fall = value - last;
        most = fmax(most, fabs(value));
        if (i >= 2 && rise * fall < 0)
            most = fmax(most, fabs(last + (rise + fall) * (rise + fall) / (8 * (rise - fall))));
        before = last;
        last = value;
    }
    return most;
}

/* Rate of the indentation at an event of a guard that is the indentation: touch-down, exit. */
static double indentation_rate(const ic_problem *problem, const ic_event *event, const double *x)
{
    const ic_mode *mode = &problem->variant->modes[event->mode_from];
    size_t i = 0;
    while (strcmp(mode->guards[i].name, event->name) != 0) i++;
    return mode->guards[i].rate(event->t, x, problem->par);
}

static double inertia(const ic_problem *problem)
{
    const double a = ic_parameter_value(problem, "a"), end = ic_parameter_value(problem, "l") + a;
    const double I_B = ic_parameter_value(problem, "rho") * (end * end * end - a * a * a) / 3;
    return (1 + ic_parameter_value(problem, "I_R_ratio")) * I_B;
}

/* From the event at which contact begins until the mode is left. */
static double mean_acceleration(const ic_beam_run *run, size_t begin)
{
    const size_t omega = ic_state_find(run->setup.problem.system, "omega");
    const ic_event in = ic_log_event_at(run->log, begin);
    for (size_t i = begin + 1; i < ic_log_event_count(run->log); i++) {
        const ic_event out = ic_log_event_at(run->log, i);
        if (out.mode_to != in.mode_to) return (out.x_pre[omega] - in.x_post[omega]) / (out.t - in.t);
    }
    return NAN;
}

bool ic_beam_first_group(ic_beam_group *group, const ic_beam_run *run)
{
    const ic_problem *problem = &run->setup.problem;
    *group = (ic_beam_group){.t = NAN, .end = NAN};
    for (size_t i = 0; i < ic_log_event_count(run->log); i++) {
        const ic_event event = ic_log_event_at(run->log, i);
        if (strcmp(event.name, "touch-down") == 0) {
            if (event.t - group->end > IC_BEAM_PAUSE) break;
            if (group->contacts++ > 0) continue;
            group->t = event.t;
            group->speed = indentation_rate(problem, &event, event.x_pre);
            group->acceleration = mean_acceleration(run, i);
        } else if (strcmp(event.name, "exit") == 0) {
            if (isnan(group->end))
                group->restitution = -indentation_rate(problem, &event, event.x_pre) / group->speed;
            group->end = event.t;
            group->rebound = ic_beam_output(problem, "angular_momentum", event.t, event.x_post, event.mode_to) /
                             inertia(problem);
        }
    }
    group->over = ic_log_end(run->log).t - group->end > IC_BEAM_PAUSE;
    return !isnan(group->end);
}
