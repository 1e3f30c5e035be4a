/* SPDX-License-Identifier: MIT */
#include "reference/orbit/return_map.h"
#include "reference/flow/flow_parts.h"
#include "reference/orbit/discrete.h"
#include "reference/orbit/periodic.h"

#include <stdio.h>
#include <string.h>

/* ---- one evaluation */

static ic_status undecided(ic_return_map *map, const char *text)
{
    snprintf(map->message, sizeof map->message, "%s", text);
    return IC_UNDECIDED;
}

/* Follows a flow to the end of some periods, or just after some events. */
static ic_status follow(ic_return_map *map, ic_flow *f, int multiple)
{
    IC_BALLS(end);
    int left = multiple;
    bool happened = true;
    ic_status status = IC_OK;
    arb_mul_si(end, map->period, multiple, map->precision);
    map->events = 0;
    while (status == IC_OK && happened && (map->event == NULL || left > 0)) {
        status = ic_flow_next(f, end, &happened);
        if (status != IC_OK || !happened) break;
        map->events++;
        if (map->event != NULL && f->kind == IC_EVENT_GUARD && strcmp(f->name, map->event) == 0) left--;
    }
    if (status != IC_OK) snprintf(map->message, sizeof map->message, "%s", f->message);
    else if (ic_flow_mode(f)->terminal) status = undecided(map, "the run ends before it returns");
    else if (map->event != NULL && left > 0) status = undecided(map, "the event does not happen again");
    else if (map->event != NULL && ic_flow_crossed_too(f) >= 0)
        status = undecided(map, "another guard crosses zero together with the event");
    map->mode_at_end = f->mode;
    return status;
}

/* Whether the image lies on the section, as the start is assumed to do: the same guards are zero, by theorem. */
static bool same_guards(const ic_return_map *map, const ic_flow *f)
{
    if (map->event == NULL) return true;
    if (f->branch != map->after.branch || f->n_fired != map->after.n_fired) return false;
    for (size_t i = 0; i < f->n_fired; i++) {
        if (f->fired[i].guard != map->after.fired[i].guard) return false;
    }
    for (size_t i = 0; i < f->values[f->mode].n; i++) {
        if (map->after.guards[i].zero && !f->guards[i].zero) return false;
    }
    return true;
}

static bool keeps_discrete_states(const ic_return_map *map, const ic_flow *f, const ic_flow_set *start)
{
    slong next = 0;
    for (slong i = 0; i < map->n; i++) {
        if (i == map->parameter) continue;
        if (next < map->m && map->unknown[next] == i) next++;
        else if (!arb_is_exact(f->now + i) || !arb_equal(f->now + i, start->centre + i)) return false;
    }
    return true;
}

ic_status ic_return(ic_return_map *map, arb_ptr image, arb_mat_struct *derivative, const ic_flow_set *start,
                    int multiple)
{
    ic_flow f;
    const ic_flow_start at = {.set = start,
                              .mode = map->mode,
                              .after = map->has_after ? &map->after : NULL,
                              .derivative = derivative != NULL};
    ic_status status = ic_flow_open_at(&f, map->problem, &at, map->precision);
    if (status != IC_OK) snprintf(map->message, sizeof map->message, "%s", f.message);
    else status = follow(map, &f, multiple);
    if (status == IC_OK && f.mode == map->mode && map->has_after && !same_guards(map, &f))
        status = undecided(map, "the event returns with other guards at zero");
    if (status == IC_OK && f.mode == map->mode && !keeps_discrete_states(map, &f, start))
        status = undecided(map, "a discrete state at the end differs from that at the start");
    if (status == IC_OK) {
        _arb_vec_set(image, f.now, map->n + 1);
        if (derivative != NULL) ic_flow_derivative(derivative, &f);
    }
    ic_flow_close(&f);
    return status;
}

ic_status ic_return_box(ic_return_map *map, arb_ptr image, arb_mat_struct *derivative, arb_srcptr box,
                        int multiple)
{
    ic_flow_set set;
    IC_BALL_VECTOR(y, map->n + 1);
    ic_flow_set_init(&set, map->n + 1);
    _arb_vec_set(y, box, map->n);
    ic_flow_set_place(&set, y);
    const ic_status status = ic_return(map, image, derivative, &set, multiple);
    ic_flow_set_clear(&set);
    return status;
}

/* ---- the map */

/* The period, and the sizes of the states, from a flow at the start. */
static ic_status read_sizes(ic_return_map *map, const double *x, double latest)
{
    ic_flow f;
    ic_problem problem = *map->problem;
    problem.t_start = 0;
    problem.x_start = x;
    problem.mode_start = map->mode;
    ic_status status = ic_flow_open(&f, &problem, map->precision, &(ic_flow_options){0});
    if (f.sizes != NULL) {
        for (slong i = 0; i < map->n; i++) map->scale[i] = f.sizes[i];
    }
    if (status == IC_OK && map->event == NULL &&
        !ic_flow_number(map->period, &f, map->problem->system->period, NULL))
        status = IC_INVALID;
    if (map->event != NULL) arb_set_d(map->period, latest);
    if (status != IC_OK) snprintf(map->message, sizeof map->message, "%s", f.message);
    ic_flow_close(&f);
    return status;
}

/*
 * Follows the approximation to the event, so that its guards are known. The place just after it is a start
 * like any other there.
 */
static ic_status find_event(ic_return_map *map, const double *x)
{
    map->to_event = *map->problem;
    map->to_event.t_start = 0;
    map->to_event.x_start = x;
    map->to_event.mode_start = map->mode;
    ic_status status = ic_flow_open(&map->after, &map->to_event, map->precision, &(ic_flow_options){0});
    map->has_after = true;
    if (status != IC_OK) snprintf(map->message, sizeof map->message, "%s", map->after.message);
    else status = follow(map, &map->after, 1);
    map->to_event.x_start = NULL;
    if (status == IC_OK && map->after.mode != map->mode)
        status = undecided(map, "the mode after the event differs from that at the start");
    return status;
}

static ic_status open_map(ic_return_map *map, const ic_problem *problem, const double *x, double latest)
{
    const char *event = map->event;
    map->problem = problem;
    map->n = (slong)problem->system->n_states;
    arb_init(map->period);
    for (slong i = 0; i < map->n; i++) {
        if (!ic_state_takes_numbers(problem, (size_t)i)) map->unknown[map->m++] = i;
    }
    if (event == NULL && problem->system->period == NULL) {
        snprintf(map->message, sizeof map->message, "the case has no period");
        return IC_UNSUPPORTED;
    }
    const ic_status status = read_sizes(map, x, latest);
    if (status != IC_OK) return status;
    if (event == NULL && !ic_has_period(problem, ic_flow_middle(map->period)))
        return undecided(map, "the formulas do not have the period that the case states");
    if (event != NULL && !ic_is_autonomous(problem)) return undecided(map, "the formulas contain the time");
    return event != NULL ? find_event(map, x) : IC_OK;
}

ic_status ic_return_map_open(ic_return_map *map, const ic_problem *problem, const double *x, int mode,
                             const char *event, double latest, slong precision)
{
    *map = (ic_return_map){.precision = precision, .mode = mode, .event = event, .parameter = -1};
    return open_map(map, problem, x, latest);
}

ic_status ic_return_map_of_parameter(ic_return_map *map, const ic_problem *problem, const double *x, int mode,
                                     slong parameter, slong precision)
{
    *map = (ic_return_map){.precision = precision, .mode = mode, .parameter = parameter};
    return open_map(map, problem, x, 0);
}

void ic_return_map_close(ic_return_map *map)
{
    if (map->has_after) ic_flow_close(&map->after);
    arb_clear(map->period);
    map->has_after = false;
}
