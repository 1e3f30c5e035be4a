/* SPDX-License-Identifier: MIT */
/*
 * Where the defect of unexplained rows lies: by how much the rates of their velocities differ from the case's.
 *
 * Over an interval without an event the difference of a velocity from the case, divided by the time, is the missing or
 * additional force per mass. A constant and each state are tried as its factor: the median of the ratios is
 * insensitive to intervals in another mode.
 */
#include "audit/trajectory/checks/checks.h"

#include <math.h>
#include <string.h>

enum { MOST_ASKED = 200, LEAST = 16 };

/* Part of the difference that may be left, in the median. */
#define LEFT 0.03
/* Least difference over an interval, in tolerances. */
#define SHOWS 0.3
/* Relative difference from a parameter that is named beside the factor: damping acts within the interval. */
#define THE_SAME 0.02

typedef struct differences {
    const ic_tracking *k;
    size_t n;

    /* Of the rates of the states, per s, and the means of the states over the intervals. */
    double rate[MOST_ASKED][IC_MAX_STATES], mean[MOST_ASKED][IC_MAX_STATES];

    /* Typical length of an interval, s. */
    double dt;
} differences;

static void measure(differences *d, const ic_tracking *k)
{
    const ic_trajectory *tr = k->trajectory;
    const size_t n = tr->n_states, stride = k->n_intervals / MOST_ASKED + 1;
    d->k = k;
    d->n = 0;
    d->dt = k->spacing;
    for (size_t i = 0; i < k->n_intervals && d->n < MOST_ASKED; i += stride) {
        const ic_interval *interval = &k->intervals[i];
        const double *from = &tr->x[interval->from * n], *to = &tr->x[interval->to * n];
        const double dt = tr->t[interval->to] - tr->t[interval->from];
        ic_prediction end;
        if (ic_interval_has_event(interval)) continue;
        ic_interval_predict(&end, k, interval, interval->mode, false);
        if (!end.good) continue;
        for (size_t j = 0; j < n; j++) {
            d->rate[d->n][j] = (to[j] - end.x[j]) / dt;
            d->mean[d->n][j] = 0.5 * (from[j] + to[j]);
        }
        d->n++;
    }
}

/* State n_states stands for a constant. */
static double factor_at(const differences *d, size_t i, size_t state)
{
    return state < d->k->trajectory->n_states ? d->mean[i][state] : 1;
}

/* The factor of a state that fits best; *left is the part of the typical difference that it leaves. */
static double fit(const differences *d, size_t velocity, size_t state, double *left)
{
    ic_weighted ratios[MOST_ASKED];
    double rest[MOST_ASKED], all[MOST_ASKED];
    size_t n = 0;
    for (size_t i = 0; i < d->n; i++) {
        const double z = factor_at(d, i, state);
        if (z != 0) ratios[n++] = (ic_weighted){d->rate[i][velocity] / z, fabs(z)};
    }
    const double factor = n > 0 ? ic_weighted_median(ratios, n) : 0;
    for (size_t i = 0; i < d->n; i++) {
        all[i] = fabs(d->rate[i][velocity]);
        rest[i] = fabs(d->rate[i][velocity] - factor * factor_at(d, i, state));
    }
    *left = ic_audit_median(rest, d->n) / ic_audit_median(all, d->n);
    return factor;
}

/* The parameters that give a factor of a constant, a position or a velocity: g, F/m, k/m or c/m. */
static void name_factor(ic_finding *finding, const ic_problem *problem, const char *unit, double factor)
{
    const ic_parameter *p = problem->system->parameters;
    for (size_t i = 0; i < problem->system->n_parameters; i++) {
        if (strcmp(unit, "N") == 0 && strcmp(p[i].unit, "m/s^2") == 0 &&
            fabs(fabs(factor) - fabs(problem->par[i])) <= THE_SAME * fabs(factor)) {
            ic_finding_append(finding, ", about %s", p[i].name);
            return;
        }
        for (size_t j = 0; j < problem->system->n_parameters; j++) {
            if (strcmp(p[i].unit, unit) != 0 || strcmp(p[j].unit, "kg") != 0) continue;
            if (fabs(fabs(factor) - fabs(problem->par[i] / problem->par[j])) > THE_SAME * fabs(factor))
                continue;
            ic_finding_append(finding, ", about %s/%s", p[i].name, p[j].name);
            return;
        }
    }
}

static void describe(ic_finding *finding, const ic_tracking *k, size_t velocity, size_t state, double factor)
{
    const ic_state *states = k->problem->system->states;
    const size_t n = k->trajectory->n_states;
    if (state == n) {
        ic_finding_append(finding, ". %s changes by %.4g %s per s more than in the case", states[velocity].name,
                          factor, states[velocity].unit);
        name_factor(finding, k->problem, "N", factor);
        return;
    }
    ic_finding_append(finding, ". %s changes by %.4g times %s per s more than in the case",
                      states[velocity].name, factor, states[state].name);
    const bool is_velocity = ic_position_of(k->problem, state) < n;
    name_factor(finding, k->problem, is_velocity ? "N s/m" : "N/m", factor);
}

bool ic_describe_missing_force(ic_finding *finding, const ic_tracking *k)
{
    differences d;
    bool found = false;
    const size_t n = k->trajectory->n_states;
    measure(&d, k);
    for (size_t v = 0; v < n && d.n >= LEAST; v++) {
        double values[MOST_ASKED], least = LEFT, factor = 0;
        size_t best = n + 1;
        if (ic_position_of(k->problem, v) == n || k->trajectory->source[v] != IC_FROM_FILE) continue;
        for (size_t i = 0; i < d.n; i++) values[i] = fabs(d.rate[i][v]);
        if (!(ic_audit_median(values, d.n) * d.dt > SHOWS * k->tolerance[v])) continue;
        for (size_t state = 0; state <= n; state++) {
            double left;
            if (state < n && k->trajectory->source[state] != IC_FROM_FILE) continue;
            const double here = fit(&d, v, state, &left);
            if (left < least) least = left, best = state, factor = here;
        }
        if (best > n) continue;
        describe(finding, k, v, best, factor);
        found = true;
    }
    return found;
}
