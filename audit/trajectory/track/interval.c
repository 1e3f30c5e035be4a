/* SPDX-License-Identifier: MIT */
#include "audit/common/tolerances.h"
#include "audit/trajectory/track/track.h"
#include "core/names.h"

#include <math.h>
#include <string.h>

bool ic_is_memory(const ic_tracking *k, size_t j)
{
    return k->trajectory->source[j] == IC_FROM_TRACKING;
}

bool ic_is_whole(const ic_tracking *k, size_t j, double value)
{
    const double off = fabs(value - nearbyint(value));
    return off <= fmin(ic_tolerance_noise.value * k->noise[j], ic_tolerance_whole_number.value) &&
           ic_state_is_discrete(k->problem->system, j);
}

bool ic_has_source(const ic_tracking *k, ic_column_source source)
{
    for (size_t j = 0; j < k->trajectory->n_states; j++) {
        if (k->trajectory->source[j] == source) return true;
    }
    return false;
}

bool ic_remembers_contact(const ic_tracking *k)
{
    return ic_has_source(k, IC_FROM_TRACKING);
}

bool ic_noise_exceeds(const ic_tracking *k, double part)
{
    /* where the rows of the file have none, those that are followed have none either */
    bool shows = false, exceeds = false;
    for (size_t j = 0; j < k->trajectory->n_states; j++) {
        shows |= k->noise[j] > fmin(part, IC_NOISE_SHOWS) * k->range[j] &&
                 k->trajectory->source[j] != IC_FROM_TRACKING;
        exceeds |= k->noise[j] > part * k->range[j];
    }
    return shows && exceeds;
}

bool ic_has_many_states(const ic_tracking *k)
{
    return k->trajectory->n_states > IC_MANY_STATES;
}

/* Sets memories to the values that the jump into contact gives. */
static void remember_contact(double *x, const ic_tracking *k, double t)
{
    const ic_contact_view *view = k->problem->system->contact;
    double post[IC_MAX_STATES] = {0};
    if (view == NULL || !view->recovers) return;
    const ic_guard *touch = ic_touch_guard(view, k->predictor.guarded.variant);
    if (touch == NULL) return;
    touch->jump.apply(post, t, x, k->problem->par);
    for (size_t j = 0; j < k->trajectory->n_states; j++) {
        if (ic_is_memory(k, j)) x[j] = post[j];
    }
}

bool ic_interval_has_event(const ic_interval *interval)
{
    return interval->due > 0 || interval->jumps;
}

void ic_interval_state(double *x, const ic_tracking *k, const ic_interval *interval)
{
    const ic_trajectory *tr = k->trajectory;
    const ic_contact_view *view = k->problem->system->contact;
    memcpy(x, &tr->x[interval->from * tr->n_states], tr->n_states * sizeof *x);
    for (size_t j = 0; j < tr->n_states; j++) {
        if (ic_is_memory(k, j)) x[j] = interval->memory != NULL ? interval->memory[j] : 0;
        else if (ic_is_whole(k, j, x[j])) x[j] = nearbyint(x[j]);
    }
    /* The memory of a law belongs to an earlier touch, unless the contact has just begun. */
    const bool recovers = k->problem->variant->law == NULL || (view != NULL && interval->tracked == view->free);
    if (view != NULL && recovers && interval->mode == view->contact)
        remember_contact(x, k, tr->t[interval->from]);
}

void ic_interval_state_in(double *x, const ic_tracking *k, const ic_interval *interval, int mode)
{
    ic_interval from = *interval;
    from.mode = mode;
    ic_interval_state(x, k, &from);
}

void ic_interval_predict(ic_prediction *end, const ic_tracking *k, const ic_interval *interval, int mode,
                         bool guards)
{
    double x[IC_MAX_STATES];
    ic_interval_state_in(x, k, interval, mode);
    ic_predict(end, &k->predictor, guards, k->trajectory->t[interval->from] + interval->shift_from, x, mode,
               k->trajectory->t[interval->to] + interval->shift_to);
}

void ic_time_slack(double *slack, const ic_tracking *k, size_t from, const double *x, int mode, size_t to,
                   const ic_prediction *end)
{
    const double t0 = k->trajectory->t[from], t1 = k->trajectory->t[to], *par = k->problem->par;
    const double off = ic_clock_doubt(&k->clock, t0) + ic_clock_doubt(&k->clock, t1);
    const size_t n = k->trajectory->n_states;
    double before[IC_MAX_STATES] = {0}, after[IC_MAX_STATES] = {0};
    ic_prediction later;
    memset(slack, 0, n * sizeof *slack);
    if (off == 0) return;
    k->problem->variant->modes[mode].flow(before, t0, x, par);
    k->problem->variant->modes[end->mode].flow(after, t1, end->x, par);
    for (size_t j = 0; j < n; j++) slack[j] = off * fmax(fabs(before[j]), fabs(after[j]));
    if (end->events == 0 || t0 + off >= t1) return;
    /* No flow shows the memory of an event: its time, or the state at it. */
    ic_predict(&later, &k->predictor, true, t0 + off, x, mode, t1);
    for (size_t j = 0; j < n && later.good && later.events == end->events; j++)
        slack[j] = fmax(slack[j], fabs(later.x[j] - end->x[j]));
}

double ic_sampling_error(const ic_trajectory *tr, size_t row, size_t j)
{
    if (tr->n < 3) return 0;
    const size_t inner = row == 0 ? 1 : row + 1 >= tr->n ? tr->n - 2 : row;
    const double *x = &tr->x[inner * tr->n_states + j];
    return 0.5 * fabs(x[tr->n_states] - 2 * x[0] + x[-(ptrdiff_t)tr->n_states]);
}

/*
 * The error of a velocity from differences by the case's own motion over an interval: that of a parabola on one side of
 * a row is h^2 x'''/3.
 */
static double own_error(const ic_tracking *k, const ic_interval *interval, const ic_prediction *end, size_t v)
{
    const double *t = k->trajectory->t, *x = &k->trajectory->x[interval->from * k->trajectory->n_states];
    const ic_mode *modes = k->problem->variant->modes;
    double first[IC_MAX_STATES] = {0}, last[IC_MAX_STATES] = {0};
    if (!end->good) return INFINITY;
    modes[interval->mode].flow(first, t[interval->from], x, k->problem->par);
    modes[end->mode].flow(last, t[interval->to], end->x, k->problem->par);
    return (t[interval->to] - t[interval->from]) * fabs(last[v] - first[v]) / 3;
}

/*
 * The errors of velocities from differences in the rows of an interval and beside it, as a part of the greatest in the
 * file: those at an impact do not make the rows of a flight uncertain.
 */
static double sampled_part(const ic_tracking *k, const ic_interval *interval, const ic_prediction *end)
{
    const ic_trajectory *tr = k->trajectory;
    double part = 0;
    for (size_t j = 0; j < tr->n_states; j++) {
        if (!(k->sampling[j] > 0)) continue;
        part = fmax(part, own_error(k, interval, end, j) / k->sampling[j]);
        for (size_t row = interval->from > 0 ? interval->from - 1 : 0; row <= interval->to + 1; row++)
            part = fmax(part, ic_sampling_error(tr, row, j) / k->sampling[j]);
    }
    return part;
}

void ic_interval_tolerances(double *tolerance, const ic_tracking *k, const ic_interval *interval,
                            const ic_prediction *end)
{
    const double part = sampled_part(k, interval, end);
    for (size_t j = 0; j < k->trajectory->n_states; j++)
        tolerance[j] = k->tolerance[j] + (k->sampled[j] > 0 ? (part - 1) * k->sampled[j] : 0);
}

double ic_interval_defect(const ic_tracking *k, const ic_interval *interval, const ic_prediction *end,
                          size_t *worst)
{
    const double *x = &k->trajectory->x[interval->to * k->trajectory->n_states];
    double greatest = 0, from[IC_MAX_STATES], slack[IC_MAX_STATES], tolerance[IC_MAX_STATES];
    if (!end->good) return INFINITY;
    ic_interval_state(from, k, interval);
    ic_time_slack(slack, k, interval->from, from, interval->mode, interval->to, end);
    ic_interval_tolerances(tolerance, k, interval, end);
    for (size_t j = 0; j < k->trajectory->n_states; j++) {
        if (ic_is_memory(k, j)) continue;
        const double defect = fabs(end->x[j] - x[j]) / (tolerance[j] + slack[j]);
        if (!(defect <= greatest)) greatest = defect, *worst = j;
    }
    return greatest;
}
