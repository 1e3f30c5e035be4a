/* SPDX-License-Identifier: MIT */
/**
 * Cost of a contact of the rotating beam, by contact model and solver.
 *
 * Yigit, Ulsoy & Scott 1990, section 5: "Computationally all models, including the momentum balance
 * model [...], were found to be roughly equivalent". They stepped a hundredth of the usual step
 * while the beam was within 10 eps of the stop. Here each solver computes the first group of
 * contacts from the same state just before the stop, with its defaults; rk4_henon also with a tenth
 * of its step. Errors are relative to dop853 at 1e-12.
 */
#include "validation/studies/beam_runs.h"
#include "validation/studies/study.h"
#include "validation/subjects.h"
#include "validation/workers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Start and end, s: the first contact is at 0.0807 s, and groups last about 2.5 ms. */
#define FROM 0.08
#define TO_TEXT "0.085"
#define TRUTH_RTOL 1e-12

/* A run is repeated for this long, s, and the shortest counts: other programs only make it longer.
 */
#define TIMED 4e-3
enum { MOST_REPEATS = 20 };

static const struct cost_method {
    const char *label, *solver;

    /* divided by the default step; 0: the default step */
    double step;
} methods[] = {
    {"dop853", "dop853", 0},
    {"rk45_bisection", "rk45_bisection", 0},
    {"rk4_henon", "rk4_henon", 0},
    {"rk4_henon h/10", "rk4_henon", 0.1},
    {"refined_step", "refined_step", 0},
};
enum { METHODS = IC_COUNT(methods), DOP853 = 0, REFINED = METHODS - 1 };

enum {
    MODEL,
    SOLVER,
    IMPACTS,
    FLOW_CALLS,
    GUARD_CALLS,
    STEPS,
    SECONDS,
    SAME_EVENTS,
    TIME_ERROR,
    MOMENTUM_ERROR
};

static const ic_study_column columns[] = {
    [MODEL] = {"model", NULL, "momentum-balance, or a contact-force law"},
    [SOLVER] = {"solver", NULL, "with its default accuracy; h/10: with a tenth of the default step"},
    [IMPACTS] = {"impacts", "1", "from 0.08 to 0.085 s, by dop853 at 1e-12"},
    [FLOW_CALLS] = {"flow_calls", "1", "evaluations of the field, for each impact"},
    [GUARD_CALLS] = {"guard_calls", "1", "values and rates of guards, for each impact"},
    [STEPS] = {"steps", "1", "for each impact"},
    [SECONDS] = {"time", "s", "on this machine, for each impact"},
    [SAME_EVENTS] = {"same_events", "1", "1: the events are those of dop853 at 1e-12; 0: they are not"},
    [TIME_ERROR] = {"time_error", "s", "greatest error of an event's time, where they are"},
    [MOMENTUM_ERROR] = {"momentum_error", "1",
                        "of the angular momentum at the end, over its change by the impacts"},
};

/* ---- one model */

typedef struct model {
    const char *name;
    ic_setup setup;

    /* from just before the stop */
    ic_problem problem;

    double x[IC_MAX_STATES];
    ic_log *truth;
    double impacts;

    /* N m s; before and after */
    double momentum[2];
} model;

static void close_model(model *m)
{
    ic_log_free(m->truth);
    ic_setup_close(&m->setup);
}

static double momentum(const ic_problem *problem, const ic_sample *cell_at)
{
    return ic_beam_output(problem, "angular_momentum", cell_at->t, cell_at->x, cell_at->mode);
}

/* The state from which all runs start, computed by a separate run. */
static bool find_start_state(model *m)
{
    ic_status status = IC_OK;
    ic_problem to_there = m->setup.problem;
    to_there.t_end = FROM;
    to_there.t_end_text = NULL;
    ic_log *log = ic_solve(ic_solver_find("dop853"), &to_there, &(ic_options){.rtol = TRUTH_RTOL}, &status);
    if (status == IC_OK) {
        const ic_sample end = ic_log_end(log);
        memcpy(m->x, end.x, to_there.system->n_states * sizeof *m->x);
        m->momentum[0] = momentum(&to_there, &end);
        m->problem = m->setup.problem;
        m->problem.t_start = FROM;
        m->problem.x_start = m->x;
        m->problem.mode_start = end.mode;
    }
    ic_log_free(log);
    return status == IC_OK;
}

static bool open_model(model *m, const char *name, ic_error *error)
{
    ic_status status = IC_OK;
    *m = (model){.name = name};
    if (!ic_path_open(&m->setup, IC_PATH("rotating-beam/main[variant=%s, until=" TO_TEXT "]", name), error))
        return false;
    bool good = find_start_state(m);
    if (good) {
        m->truth = ic_solve(ic_solver_find("dop853"), &m->problem, &(ic_options){.rtol = TRUTH_RTOL}, &status);
        good = status == IC_OK;
    }
    for (size_t i = 0; good && i < ic_log_event_count(m->truth); i++) {
        const ic_event event = ic_log_event_at(m->truth, i);
        m->impacts += strcmp(event.name, "touch-down") == 0 || strcmp(event.name, "impact") == 0;
    }
    if (good && m->impacts > 0) {
        const ic_sample end = ic_log_end(m->truth);
        m->momentum[1] = momentum(&m->problem, &end);
        return true;
    }
    ic_error_set(error, "%s: no contact that ends well", name);
    close_model(m);
    return false;
}

/* ---- one solver on it */

/* Shortest time of some runs, and the log of the last one. */
static ic_log *time_method(double *seconds, const model *m, const struct cost_method *method, ic_status *status)
{
    const ic_options options = {.step = method->step * ic_default_step(&m->problem)};
    ic_log *log = NULL;
    double total = 0;
    *seconds = INFINITY;
    for (int i = 0; i < MOST_REPEATS && total < TIMED; i++) {
        ic_log_free(log);
        const double begin = ic_processor_time();
        log = ic_solve(ic_solver_find(method->solver), &m->problem, &options, status);
        const double took = ic_processor_time() - begin;
        total += took;
        *seconds = fmin(*seconds, took);
    }
    return log;
}

/* Greatest error of an event's time; infinite for other events. */
static double time_error(const ic_log *log, const ic_log *truth)
{
    double error = 0;
    if (ic_log_event_count(log) != ic_log_event_count(truth)) return INFINITY;
    for (size_t i = 0; i < ic_log_event_count(log); i++) {
        const ic_event is = ic_log_event_at(log, i), was = ic_log_event_at(truth, i);
        if (strcmp(is.name, was.name) != 0) return INFINITY;
        error = fmax(error, fabs(is.t - was.t));
    }
    return error;
}

static void add_row(ic_study_data *data, const model *m, const struct cost_method *method)
{
    ic_status status = IC_OK;
    double seconds = 0;
    ic_log *log = time_method(&seconds, m, method, &status);
    if (status != IC_OK) {
        ic_study_fail(data, "%s does not solve %s: %s", method->label, m->name, ic_status_text(status));
    } else {
        const ic_work *work = ic_log_work(log);
        const ic_sample end = ic_log_end(log);
        const double error = time_error(log, m->truth);
        ic_study_text(data, m->name);
        ic_study_text(data, method->label);
        IC_STUDY_NUMBERS(
            data, m->impacts, work->flow_calls / m->impacts, work->guard_calls / m->impacts,
            work->steps / m->impacts, seconds / m->impacts, isfinite(error), isfinite(error) ? error : NAN,
            fabs(momentum(&m->problem, &end) - m->momentum[1]) / fabs(m->momentum[1] - m->momentum[0]));
    }
    ic_log_free(log);
}

static void add_model(ic_study_data *data, const char *name)
{
    model m;
    if (data->failed) return;
    if (!open_model(&m, name, &data->error)) {
        data->failed = true;
        return;
    }
    for (size_t i = 0; i < METHODS && !data->failed; i++) add_row(data, &m, &methods[i]);
    close_model(&m);
}

/* ---- findings */

static double cell_at(const ic_study_data *data, size_t model_index, size_t method, size_t column)
{
    return ic_study_at(data, model_index * METHODS + method, column)->number;
}

/* Least and greatest finite value over all models. */
typedef struct ratio_range {
    double least, most;
} ratio_range;

/* The values of a column for the method `above`, divided by those for `below`; METHODS as `below`: the values themselves. */
static ratio_range ratio(const ic_study_data *data, size_t models, size_t above, size_t below, size_t column)
{
    ratio_range r = {INFINITY, -INFINITY};
    for (size_t m = 0; m < models; m++) {
        const double q =
            cell_at(data, m, above, column) / (below == METHODS ? 1 : cell_at(data, m, below, column));
        if (isfinite(q)) r.least = fmin(r.least, q), r.most = fmax(r.most, q);
    }
    return r;
}

static void add_findings(ic_study_data *data)
{
    const size_t models = ic_study_rows(data) / METHODS;
    ratio_range laws = {INFINITY, -INFINITY};
    for (size_t m = 1; m < models; m++) {
        laws.least = fmin(laws.least, cell_at(data, m, DOP853, FLOW_CALLS));
        laws.most = fmax(laws.most, cell_at(data, m, DOP853, FLOW_CALLS));
    }
    ic_study_finding(
        data,
        "By dop853 an impact costs %.0f flow calls with momentum balance, %.0f to %.0f with laws: the "
        "models are %s.",
        cell_at(data, 0, DOP853, FLOW_CALLS), laws.least, laws.most,
        laws.most < 10 * laws.least ? "within a factor of ten" : "very different");
    for (size_t i = 0; i < METHODS; i++) {
        size_t same = 0;
        const ratio_range error = ratio(data, models, i, METHODS, TIME_ERROR),
                          end = ratio(data, models, i, METHODS, MOMENTUM_ERROR);
        for (size_t m = 0; m < models; m++) same += cell_at(data, m, i, SAME_EVENTS) > 0;
        ic_study_finding(
            data,
            "%s: the events of the truth for %zu of %zu models, with times to %.1e to %.1e s; angular "
            "momentum after them to %.1e to %.1e of its change.",
            methods[i].label, same, models, error.least, error.most, end.least, end.most);
    }
    const ratio_range cost = ratio(data, models, REFINED, DOP853, FLOW_CALLS);
    ic_study_finding(
        data,
        "refined_step needs %.0f to %.0f times the flow calls of dop853, whose event times are better by "
        "a factor of %.0f at least: the step near the stop is for the events, and locating them is cheaper.",
        cost.least, cost.most, ratio(data, models, REFINED, DOP853, TIME_ERROR).least);
}

static void run_study(ic_study_data *data)
{
    const ic_case *beam = ic_case_find("rotating-beam");
    for (size_t v = 0; v < beam->n_variants; v++) add_model(data, beam->variants[v].name);
    if (!data->failed) add_findings(data);
}

IC_STUDY_TABLE(beam_contact_cost, "beam-contact-cost",
               "Rotating beam: cost of a contact, by contact model and solver",
               "Are the contact models equivalent in cost, and what are a hundredth of the step, and locating "
               "events, worth?");
