/* SPDX-License-Identifier: MIT */
#include "bench/answers.h"
#include "core/linear_view.h"
#include "core/model.h"
#include "reference/law/contact_law.h"
#include "validation/checks/growth.h"
#include "validation/checks/judges.h"
#include "validation/subjects.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Without another answer: an accurate run, and a second run that shows how accurate it is. */
#define TIGHT_RTOL 1e-14
#define LESS_TIGHT_RTOL 1e-13
#define ACCURATE_SOLVER "dop853"
/* Difference of the accurate runs, in typical times, beyond which they do not measure errors. */
#define APART 1e-8

static bool reserve_events(ic_truth *truth, size_t count)
{
    truth->events = calloc(count + 1, sizeof *truth->events);
    truth->capacity = truth->events == NULL ? 0 : count + 1;
    return truth->events != NULL;
}

static void add_event(ic_truth *truth, const char *name, double t, double radius, int mode_from, int mode_to)
{
    ic_truth_event *event = &truth->events[truth->count++];
    *event = (ic_truth_event){.t = t, .radius = radius, .mode_from = mode_from, .mode_to = mode_to};
    snprintf(event->name, sizeof event->name, "%s", name);
}

enum { ANY_MODE = -1 };

/* ---- free impacts: one event, the end, at the certified duration */

static bool answer_from_law(ic_truth *truth, const ic_problem *problem)
{
    ic_law_certificate c;
    if (problem->variant->free_impact == NULL) return false;
    ic_law_certificate_init(&c);
    ic_free_impact_certify(&c, problem);
    const bool good = c.status == IC_OK && arb_is_finite(c.duration) && reserve_events(truth, 1);
    if (good) {
        const double t = problem->t_start + arf_get_d(arb_midref(c.duration), ARF_RND_NEAR);
        add_event(truth, "", t, mag_get_d(arb_radref(c.duration)), ANY_MODE, ANY_MODE);
    }
    truth->status = c.status;
    ic_law_certificate_clear(&c);
    return good;
}

/* ---- two runs */

/* Takes the events that two runs share, up to a difference of times by which errors cannot be measured. */
static void take_shared_events(ic_truth *truth, const ic_log *const logs[2], double most)
{
    size_t at[2] = {0};
    ic_event event, other;
    bool more = true;
    while ((more = ic_event_next(&event, &at[0], logs[0])) == ic_event_next(&other, &at[1], logs[1]) && more) {
        const bool rests = event.kind == IC_EVENT_ACCUMULATION;
        const double radius = rests ? 0 : fabs(event.t - other.t);
        if (!ic_event_same(&event, &other) || radius > most) break;
        add_event(truth, event.name, event.t, radius, event.mode_from, event.mode_to);
    }
    if (more) truth->status = IC_UNDECIDED;
}

static bool answer_from_runs(ic_truth *truth, const ic_problem *problem)
{
    const ic_solver *solver = ic_solver_find(ACCURATE_SOLVER);
    ic_status status[2] = {IC_OK, IC_OK};
    ic_log *logs[2] = {NULL, NULL};
    const double rtol[2] = {TIGHT_RTOL, LESS_TIGHT_RTOL};
    for (int i = 0; i < 2 && solver != NULL; i++)
        logs[i] = ic_solve(solver, problem, &(ic_options){.rtol = rtol[i]}, &status[i]);
    const size_t count = logs[0] == NULL || logs[1] == NULL ? 0 : ic_log_event_count(logs[0]);
    if (count > 0 && status[0] == status[1] && reserve_events(truth, count))
        take_shared_events(truth, (const ic_log *const[]){logs[0], logs[1]}, APART * ic_time_scale(problem));
    ic_log_free(logs[0]);
    ic_log_free(logs[1]);
    return truth->count > 0;
}

static bool answer_from_certificate(ic_truth *truth, const ic_setup *setup)
{
    char error[256];
    if (strcmp(setup->preset->variant, setup->problem.variant->name) == 0 &&
        ic_truth_stored(truth, setup->problem.system, setup->preset, error, sizeof error)) {
        return true;
    }
    /* flows that are not affine take too long to be certified here */
    if (!ic_is_linear(setup->problem.variant)) return false;
    ic_truth_certify(truth, &setup->problem, IC_TRUTH_DIGITS);
    return truth->count > 0 || truth->status == IC_OK;
}

static bool set_origin(ic_answer *answer, bool good, const char *origin)
{
    if (good) answer->origin = origin;
    else ic_truth_clear(&answer->truth);
    return good;
}

void ic_answer_find(ic_answer *answer, const ic_setup *setup)
{
    *answer = (ic_answer){.origin = "none"};
    (void)(set_origin(answer, answer_from_certificate(&answer->truth, setup), "certified") ||
           set_origin(answer, answer_from_law(&answer->truth, &setup->problem), "certified") ||
           (answer->of_runs =
                set_origin(answer, answer_from_runs(&answer->truth, &setup->problem), "dop853 at 1e-14")));
}

/* ---- comparison */

static bool same_event(const ic_event *event, const ic_truth_event *truth)
{
    if (truth->name[0] != '\0' && strcmp(event->name, truth->name) != 0) return false;
    return truth->mode_from == ANY_MODE ||
           (event->mode_from == truth->mode_from && event->mode_to == truth->mode_to);
}

/* The end of a free impact is the last event; the events before it do not matter. */
static double error_of_end(const ic_truth *truth, const ic_log *log)
{
    const ic_sample end = ic_log_end(log);
    const bool over = ic_log_problem(log)->variant->modes[end.mode].terminal;
    return over ? fabs(end.t - truth->events[0].t) : INFINITY;
}

static bool find_counterpart(ic_event *event, size_t *at, const ic_log *log, const ic_truth *truth, size_t i,
                             double tie)
{
    if (truth->events[i].mode_to != ANY_MODE) return ic_truth_counterpart(event, at, log, truth, i, tie);
    if (*at >= ic_log_event_count(log)) return false;
    *event = ic_log_event_at(log, (*at)++);
    return true;
}

static double error_by_runs(const ic_truth *truth, const ic_log *log)
{
    double error = 0;
    size_t at = 0;
    ic_event event;
    for (size_t i = 0; i < truth->count; i++) {
        if (!ic_event_next(&event, &at, log) || !same_event(&event, &truth->events[i])) return INFINITY;
        if (event.kind != IC_EVENT_ACCUMULATION) error = fmax(error, fabs(event.t - truth->events[i].t));
    }
    return truth->status == IC_OK && ic_event_next(&event, &at, log) ? INFINITY : error;
}

/* Error of an event's time, or of the mean of the times of the untimed ones before it. `late` sums up over those. */
static double error_of_time(double *late, double t, const ic_truth_event *certified)
{
    if (certified->untimed) {
        *late += t - certified->t;
        return 0;
    }
    const double mean = certified->omitted > 0 ? fabs(*late) / (double)certified->omitted : 0;
    *late = 0;
    return fmax(mean, fabs(t - certified->t));
}

double ic_answer_error(const ic_answer *answer, const ic_log *log, double tie)
{
    const ic_truth *truth = &answer->truth;
    const bool truth_ends = truth->status != IC_OK;
    double error = 0, late = 0;
    size_t at = 0;
    if (truth->count == 0) return NAN;
    if (answer->of_runs) return error_by_runs(truth, log);
    if (truth->events[0].name[0] == '\0') return error_of_end(truth, log);
    for (size_t i = 0; i < truth->count; i++) {
        ic_event event;
        if (!find_counterpart(&event, &at, log, truth, i, tie)) return truth_ends ? error : INFINITY;
        const bool limit = truth_ends || ic_truth_limit(truth, i) < truth->count;
        if (truth->events[i].limit || (event.kind == IC_EVENT_ACCUMULATION && limit))
            return error; /* compared up to the accumulation */
        if (!same_event(&event, &truth->events[i])) return INFINITY;
        error = fmax(error, error_of_time(&late, event.t, &truth->events[i]));
    }
    return at < ic_log_event_count(log) && !truth_ends ? INFINITY : error;
}

double ic_answer_radius(const ic_answer *answer)
{
    double radius = answer->truth.count > 0 ? 0 : NAN;
    for (size_t i = 0; i < answer->truth.count; i++) {
        const ic_truth_event *event = &answer->truth.events[i];
        if (!event->untimed) radius = fmax(radius, fmax(event->radius, event->mean_radius));
    }
    return radius;
}
