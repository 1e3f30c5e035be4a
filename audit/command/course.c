/* SPDX-License-Identifier: MIT */
#include "audit/command/course.h"
#include "core/linear_view.h"
#include "registry/registry.h"

#include <math.h>
#include <string.h>

/* A hundredth of the accuracy of a good foreign solver at its best. */
#define RTOL 1e-12

static bool begin(ic_course *course, const ic_problem *problem)
{
    const ic_jump *start = &problem->variant->start;
    const int branch = start->apply(course->x_start, problem->t_start, NULL, problem->par);
    if (branch < 0 || (size_t)branch >= start->n_branches) return false;
    course->mode_start = start->branches[branch].mode;
    return true;
}

bool ic_course_open(ic_course *course, const ic_problem *problem, ic_error *error)
{
    const ic_solver *solver = ic_accurate_solver(problem->variant);
    const ic_options options = {.rtol = RTOL};
    *course = (ic_course){0};
    if (!ic_predictor_open(&course->predictor, problem, problem->variant)) {
        ic_error_set(error, "case '%s' has more modes than an audit follows", problem->system->name);
        return false;
    }
    course->log = ic_log_new(problem);
    if (course->log == NULL) {
        ic_error_set(error, "memory ran out");
        return false;
    }
    const ic_status status = solver->solve(course->log, problem, &options);
    if (status != IC_OK || !begin(course, problem)) {
        const char *text = ic_log_text(course->log);
        ic_error_set(error, "the case has no solution to compare with: %s%s%s", ic_status_text(status),
                     text[0] != '\0' ? "; " : "", text);
        return false;
    }
    return true;
}

void ic_course_close(ic_course *course)
{
    ic_log_free(course->log);
    course->log = NULL;
}

double ic_course_end(const ic_course *course)
{
    return ic_log_end(course->log).t;
}

bool ic_course_state(const ic_course *course, double t, double *x)
{
    const ic_problem *problem = ic_log_problem(course->log);
    const size_t n = problem->system->n_states;
    double from = problem->t_start;
    const double *x_from = course->x_start;
    int mode = course->mode_start;
    ic_prediction prediction;
    if (!(t >= from) || t > ic_course_end(course)) return false;
    for (size_t i = 0; i < ic_log_event_count(course->log); i++) {
        const ic_event event = ic_log_event_at(course->log, i);
        if (event.t > t) break;
        from = event.t;
        x_from = event.x_post;
        mode = event.mode_to;
    }
    if (t == from) {
        memcpy(x, x_from, n * sizeof *x);
        return true;
    }
    ic_predict(&prediction, &course->predictor, false, from, x_from, mode, t);
    if (prediction.good) memcpy(x, prediction.x, n * sizeof *x);
    return prediction.good;
}

double ic_course_first_guard(const ic_course *course)
{
    const double t_start = ic_log_problem(course->log)->t_start;
    for (size_t i = 0; i < ic_log_event_count(course->log); i++) {
        const ic_event event = ic_log_event_at(course->log, i);
        if (event.kind == IC_EVENT_GUARD && event.t > t_start) return event.t;
    }
    return INFINITY;
}

double ic_course_next(const ic_course *course, double t)
{
    for (size_t i = 0; i < ic_log_event_count(course->log); i++) {
        const ic_event event = ic_log_event_at(course->log, i);
        if (event.t > t) return event.t;
    }
    return ic_course_end(course);
}
