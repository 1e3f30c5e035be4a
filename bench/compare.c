/* SPDX-License-Identifier: MIT */
#include "bench/compare.h"
#include "bench/statistics.h"
#include "core/array.h"
#include "core/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *ic_compare_quantity(int quantity)
{
    static const char *const names[IC_COMPARE_QUANTITIES] = {
        [IC_COMPARE_ROW] = "row",
        [IC_COMPARE_STATUS] = "status",
        [IC_COMPARE_EVENTS] = "events",
        [IC_COMPARE_ERROR] = "error, s",
        [IC_COMPARE_FLOW_CALLS] = "flow calls",
        [IC_COMPARE_GUARD_CALLS] = "guard calls",
        [IC_COMPARE_STEPS] = "steps",
        [IC_COMPARE_REJECTED_STEPS] = "rejected steps",
        [IC_COMPARE_ROOT_ITERATIONS] = "root iterations",
        [IC_COMPARE_TIME] = "time / calibration",
    };
    return names[quantity];
}

static bool add_difference(ic_comparison *c, const ic_difference *difference)
{
    ic_difference *differences = ic_array_reserve(c->differences, &c->capacity, c->count, sizeof *differences);
    if (differences == NULL) return false;
    c->differences = differences;
    c->differences[c->count++] = *difference;
    c->worse += difference->worse;
    return true;
}

/* ---- exact quantities */

static bool ended_well(const ic_cost_row *row)
{
    return strcmp(row->status, "ok") == 0;
}

static bool compare_error(ic_comparison *c, const ic_cost_row *old, const ic_cost_row *new)
{
    const double floor_ = old->noise > 0 ? old->noise / IC_COMPARE_NOISE_PARTS : 0;
    const double factor = c->options.error_factor;
    ic_difference d = {old, new, IC_COMPARE_ERROR, false, old->error, new->error, NAN};
    const bool had = isfinite(old->error), has = isfinite(new->error);
    d.worse = had && (!has || new->error > factor *fmax(old->error, floor_));
    const bool better = has && (!had || old->error > factor * fmax(new->error, floor_));
    return d.worse || better ? add_difference(c, &d) : true;
}

static bool compare_count(ic_comparison *c, const ic_cost_row *old, const ic_cost_row *new, int quantity,
                          double from, double to)
{
    const bool few = quantity == IC_COMPARE_REJECTED_STEPS || quantity == IC_COMPARE_ROOT_ITERATIONS;
    const double slack = c->same_arithmetic ? 0 : IC_COMPARE_WORK_SLACK_ELSEWHERE;
    double factor = c->options.work_factor;
    if (few && !c->same_arithmetic) factor = fmax(factor, IC_COMPARE_FEW_FACTOR_ELSEWHERE);
    ic_difference d = {old, new, quantity, false, from, to, NAN};
    d.worse = to > factor * from + slack;
    const bool better = from > factor * to + slack;
    return d.worse || better ? add_difference(c, &d) : true; /* NAN: this count is not recorded */
}

static bool compare_exact(ic_comparison *c, const ic_cost_row *old, const ic_cost_row *new)
{
    const ic_work *from = &old->work, *to = &new->work;
    if (ended_well(old) != ended_well(new)) {
        return add_difference(c, &(ic_difference){old, new, IC_COMPARE_STATUS, ended_well(old), NAN, NAN, NAN});
    }
    if (!ended_well(old)) return true;
    if (old->events != new->events &&
        !add_difference(c, &(ic_difference){old, new, IC_COMPARE_EVENTS,
                                            isfinite(old->error) || !isfinite(new->error), old->events,
                                            new->events, NAN})) {
        return false;
    }
    return compare_error(c, old, new) &&
           compare_count(c, old, new, IC_COMPARE_FLOW_CALLS, from->flow_calls, to->flow_calls) &&
           compare_count(c, old, new, IC_COMPARE_GUARD_CALLS, from->guard_calls, to->guard_calls) &&
           compare_count(c, old, new, IC_COMPARE_STEPS, from->steps, to->steps) &&
           compare_count(c, old, new, IC_COMPARE_REJECTED_STEPS, from->rejected_steps, to->rejected_steps) &&
           compare_count(c, old, new, IC_COMPARE_ROOT_ITERATIONS, from->root_iterations, to->root_iterations);
}

/* ---- times */

/* Times of a row; p is that of the side on which the new median lies. */
typedef struct suspect {
    double p;
    ic_difference difference;

    /* the medians differ by more than the factor */
    bool beyond;
} suspect;

static bool test_times(suspect *s, const ic_comparison *c, const ic_cost_row *old, const ic_cost_row *new)
{
    ic_mann_whitney test;
    if (!ic_mann_whitney_test(&test, old->relative, old->n_times, new->relative, new->n_times)) return false;
    const double from = ic_median(old->relative, old->n_times), to = ic_median(new->relative, new->n_times);
    const bool slower = to > from;
    s->p = slower ? test.greater : test.less;
    s->beyond = (slower ? to / from : from / to) > c->options.time_factor;
    s->difference = (ic_difference){old, new, IC_COMPARE_TIME, slower, from, to, s->p};
    return true;
}

/* Holm's procedure: in the order of p, until one exceeds its share of alpha. */
static bool compare_times(ic_comparison *c, const ic_cost_results *old, const ic_cost_results *new)
{
    size_t n = 0;
    bool good = true;
    suspect *suspects = calloc(new->count + 1, sizeof *suspects);
    if (suspects == NULL) return false;
    for (size_t i = 0; i < new->count; i++) {
        const ic_cost_row *before = ic_cost_find(old, &new->rows[i]);
        if (before != NULL && (ic_cost_is_noisy(before) || ic_cost_is_noisy(&new->rows[i]))) c->noisy++;
        else if (before != NULL && test_times(&suspects[n], c, before, &new->rows[i])) n++;
    }
    c->timed = n;
    qsort(suspects, n, sizeof *suspects, ic_compare_numbers);
    for (size_t i = 0; i < n && good && suspects[i].p <= c->options.alpha / (double)(n - i); i++) {
        if (suspects[i].beyond) good = add_difference(c, &suspects[i].difference);
    }
    free(suspects);
    return good;
}

/* ---- the comparison */

static ic_compare_options resolve_options(const ic_compare_options *options, bool same_machine,
                                          bool same_arithmetic)
{
    ic_compare_options r = *options;
    if (!(r.error_factor > 0)) r.error_factor = IC_COMPARE_ERROR_FACTOR;
    if (!(r.work_factor > 0))
        r.work_factor = same_arithmetic ? IC_COMPARE_WORK_FACTOR : IC_COMPARE_WORK_FACTOR_ELSEWHERE;
    if (!(r.time_factor > 0))
        r.time_factor = same_machine ? IC_COMPARE_TIME_FACTOR : IC_COMPARE_TIME_FACTOR_ELSEWHERE;
    if (!(r.alpha > 0)) r.alpha = IC_COMPARE_ALPHA;
    return r;
}

bool ic_compare(ic_comparison *comparison, const ic_cost_results *old, const ic_cost_results *new,
                const ic_compare_options *options)
{
    ic_comparison *c = comparison;
    *c = (ic_comparison){.same_machine = ic_cost_same_machine(&old->machine, &new->machine),
                         .same_arithmetic = strcmp(old->machine.arithmetic, new->machine.arithmetic) == 0};
    c->options = resolve_options(options, c->same_machine, c->same_arithmetic);
    for (size_t i = 0; i < new->count; i++) {
        const ic_cost_row *before = ic_cost_find(old, &new->rows[i]);
        if (before == NULL) c->only_new++;
        else if (!compare_exact(c, before, &new->rows[i])) return false;
        else c->common++;
    }
    for (size_t i = 0; i < old->count; i++) {
        const ic_cost_row *row = &old->rows[i];
        if (ic_cost_find(new, row) != NULL) continue;
        c->only_old++;
        if (!options->part &&
            !add_difference(c, &(ic_difference){row, row, IC_COMPARE_ROW, true, NAN, NAN, NAN}))
            return false;
    }
    return c->options.no_times || compare_times(c, old, new);
}

void ic_comparison_free(ic_comparison *comparison)
{
    free(comparison->differences);
    *comparison = (ic_comparison){0};
}
