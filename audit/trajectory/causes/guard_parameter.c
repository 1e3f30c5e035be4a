/* SPDX-License-Identifier: MIT */
/* Events that follow the case except those of one guard, which have another value of a parameter, such as one stop of two. */
#include "audit/trajectory/checks/checks.h"
#include "core/parameters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GUARDS = 16, MOST_EVENTS = 40, LEAST_EVENTS = 3, STEPS = 3 };

/* Share of a guard's events that must be wrong, and that one value must explain; of the others, that must be right. */
#define NEARLY_ALL 0.8
/* Relative difference of a parameter for slopes. */
#define DELTA 1e-3

/* The events of one guard. */
typedef struct guard_events {
    char name[32];
    size_t n, n_wrong, n_right;
    const ic_interval *wrong[MOST_EVENTS], *right[MOST_EVENTS];
} guard_events;

static guard_events *group_of(guard_events *all, size_t *n, const char *name)
{
    for (size_t i = 0; i < *n; i++) {
        if (strcmp(all[i].name, name) == 0) return &all[i];
    }
    if (*n == MOST_GUARDS) return NULL;
    snprintf(all[*n].name, sizeof all[*n].name, "%s", name);
    return &all[(*n)++];
}

/* Sorts the intervals with one event by its guard; returns the number of guards. */
static size_t group_events(guard_events *all, const ic_tracking *k)
{
    size_t n = 0;
    for (size_t i = 0; i < k->n_intervals; i++) {
        const ic_interval *interval = &k->intervals[i];
        ic_prediction p;
        if (interval->due != 1 || interval->tracked < 0 || interval->doubtful) continue;
        ic_interval_predict(&p, k, interval, interval->tracked, true);
        guard_events *group = p.events == 1 ? group_of(all, &n, p.event) : NULL;
        if (group == NULL || group->n == MOST_EVENTS) continue;
        group->n++;
        if (interval->explanation == IC_UNEXPLAINED) group->wrong[group->n_wrong++] = interval;
        else group->right[group->n_right++] = interval;
    }
    return n;
}

/* The case with a parameter of its own. */
typedef struct trial {
    const ic_tracking *k;
    ic_problem problem;
    ic_predictor predictor;
    double *par;
    size_t parameter;
} trial;

static bool predict(ic_prediction *end, trial *t, const ic_interval *interval, double value)
{
    const double *times = t->k->trajectory->t;
    double x[IC_MAX_STATES];
    ic_interval_state_in(x, t->k, interval, interval->tracked);
    t->par[t->parameter] = value;
    ic_predict(end, &t->predictor, true, times[interval->from], x, interval->tracked, times[interval->to]);
    t->par[t->parameter] = t->k->problem->par[t->parameter];
    return end->good && end->events == 1;
}

static bool explains(trial *t, const ic_interval *interval, double value)
{
    ic_prediction end;
    size_t worst;
    return predict(&end, t, interval, value) && ic_interval_defect(t->k, interval, &end, &worst) <= 1;
}

/* The value with which one event is nearest to its row, by least squares; NAN: the event does not depend on it. */
static double value_at(trial *t, const ic_interval *interval)
{
    const ic_trajectory *tr = t->k->trajectory;
    const double *goal = &tr->x[interval->to * tr->n_states], given = t->par[t->parameter];
    const double delta = DELTA * (given != 0 ? fabs(given) : 1);
    double value = given;
    for (int step = 0; step < STEPS; step++) {
        ic_prediction here, moved;
        double along = 0, square = 0;
        if (!predict(&here, t, interval, value) || !predict(&moved, t, interval, value - delta)) return NAN;
        for (size_t j = 0; j < tr->n_states; j++) {
            if (tr->source[j] != IC_FROM_FILE) continue;
            const double slope = (here.x[j] - moved.x[j]) / delta / t->k->tolerance[j];
            along += slope * (goal[j] - here.x[j]) / t->k->tolerance[j];
            square += slope * slope;
        }
        if (!(square > 0)) return NAN;
        value += along / square;
    }
    return value;
}

/* One value for all wrong events of a guard; NAN: none explains nearly all. */
static double common_value(trial *t, const guard_events *group)
{
    double values[MOST_EVENTS];
    size_t n = 0, explained = 0;
    for (size_t i = 0; i < group->n_wrong; i++) {
        const double value = value_at(t, group->wrong[i]);
        if (isfinite(value)) values[n++] = value;
    }
    if (n < LEAST_EVENTS) return NAN;
    const double value = ic_audit_median(values, n);
    if (!ic_in_range(t->problem.system->parameters[t->parameter].range, value)) return NAN;
    for (size_t i = 0; i < group->n_wrong; i++) explained += explains(t, group->wrong[i], value);
    return (double)explained >= NEARLY_ALL * (double)group->n_wrong ? value : NAN;
}

/* Whether the right events of the other guards exclude a value; events that do not depend on it say nothing. */
static bool others_exclude(trial *t, const guard_events *all, size_t n, const guard_events *odd, double value)
{
    size_t excluded = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t e = 0; &all[i] != odd && e < all[i].n_right; e++)
            excluded += !explains(t, all[i].right[e], value);
    }
    return excluded >= LEAST_EVENTS;
}

static bool try_parameters(trial *t, const guard_events *all, size_t n, const guard_events *group, char *detail,
                           size_t size)
{
    const ic_parameter *parameters = t->problem.system->parameters;
    for (size_t p = 0; p < t->problem.system->n_parameters; p++) {
        if (parameters[p].range[0] == '{' || ic_parameter_repeats(parameters, p)) continue;
        t->parameter = p;
        const double value = common_value(t, group);
        if (!isfinite(value) || !others_exclude(t, all, n, group, value)) continue;
        snprintf(detail, size, "the events '%s' are those with %s = %.5g, all others those with %.5g",
                 group->name, parameters[p].name, value, t->par[p]);
        return true;
    }
    return false;
}

/* The guard whose events are wrong while those of the others are right; NULL: there is none. */
static const guard_events *odd_guard(const guard_events *all, size_t n)
{
    const guard_events *odd = NULL;
    for (size_t i = 0; i < n; i++) {
        const double wrong = (double)all[i].n_wrong / (double)all[i].n;
        if (wrong > 1 - NEARLY_ALL && wrong < NEARLY_ALL) return NULL;
        if (wrong < NEARLY_ALL) continue;
        if (odd != NULL || all[i].n_wrong < LEAST_EVENTS) return NULL;
        odd = &all[i];
    }
    return n > 1 ? odd : NULL;
}

bool ic_find_guard_parameter(const ic_tracking *k, char *detail, size_t size)
{
    guard_events *all = calloc(MOST_GUARDS, sizeof *all);
    trial t = {.k = k, .problem = *k->problem};
    bool found = false;
    t.par = ic_own_parameters(&t.problem);
    if (all != NULL && t.par != NULL) {
        const size_t guards = group_events(all, k);
        const guard_events *odd = odd_guard(all, guards);
        if (odd != NULL && ic_predictor_open(&t.predictor, &t.problem, t.problem.variant))
            found = try_parameters(&t, all, guards, odd, detail, size);
    }
    free(all);
    free(t.par);
    return found;
}
