/* SPDX-License-Identifier: MIT */
#include "bench/targets.h"
#include "bench/diagram.h"
#include "validation/subjects.h"

#include <math.h>
#include <stdio.h>

/* The registry may cost a twentieth; the event contract, which a plain loop does not keep, a half. */
#define REGISTRY_BOUND 1.05
#define SOLVER_BOUND 1.5
/* 60 ns where the floor is 6.2 ns, by AVX-512. */
#define EVENT_FLOORS 10.0
#define GAIN_BOUND 1.8

const char *ic_target_verdict_text(ic_target_verdict verdict)
{
    static const char *const texts[] = {[IC_TARGET_MET] = "met",
                                        [IC_TARGET_MISSED] = "missed",
                                        [IC_TARGET_NOISY] = "too noisy to say",
                                        [IC_TARGET_NOT_BUILT] = "not built",
                                        [IC_TARGET_NOT_MEASURED] = "not measured"};
    return texts[verdict];
}

static const char *class_of(const char *solver)
{
    const ic_solver *found = ic_solver_find(solver);
    return found != NULL ? ic_solver_class(found) : "";
}

/* ---- pairs */

static double rank_of(const ic_cost_pair *pair)
{
    return isnan(pair->setting) ? 0 : isnan(pair->peer_setting) ? INFINITY : pair->factor;
}

/* "dop853 rtol 1e-10, WITH: 2e-11 s, 3.1 ms" */
static size_t describe_side(char *text, size_t size, const char *solver, const char *with, double setting,
                            double error, double seconds)
{
    char rtol[32] = "", time[32] = "";
    int n;
    if (setting > 0) snprintf(rtol, sizeof rtol, " rtol %.2g", setting);
    if (isfinite(seconds)) snprintf(time, sizeof time, ", %.3g ms", 1e3 * seconds);
    if (isnan(setting)) n = snprintf(text, size, "%s does not reach it", solver);
    else n = snprintf(text, size, "%s%s%s%s: %.2g s%s", solver, rtol, with[0] ? ", " : "", with, error, time);
    return n < (int)size ? (size_t)n : size - 1;
}

static void describe_worst(ic_target *target, const ic_cost_pair *worst, const size_t *counts)
{
    char *text = target->detail;
    const size_t size = sizeof target->detail, all = counts[0] + counts[1] + counts[2];
    size_t n = 0;
    if (all > 1)
        n = (size_t)snprintf(text, size, "%zu of %zu met, %zu noisy; worst: %s at %.0e: ", counts[2], all,
                             counts[1], worst->subject, worst->level);
    n += describe_side(text + n, size - n, worst->solver, "", worst->setting, worst->error, worst->seconds);
    if (n + 2 >= size) return;
    n += (size_t)snprintf(text + n, size - n, "; ");
    describe_side(text + n, size - n, worst->peer, worst->with, worst->peer_setting, worst->peer_error,
                  worst->peer_seconds);
}

static void judge_pairs(ic_target *target, const ic_cost_results *results, const ic_pair_rule *rule)
{
    const ic_cost_pair *worst = NULL;
    size_t counts[3] = {0}; /* missed, noisy, met */
    snprintf(target->name, sizeof target->name, "%s%s / %s",
             rule->peer[0] ? rule->peer : "fastest other general", rule->at_best ? " at its most accurate" : "",
             rule->solver);
    target->class = class_of(rule->solver);
    target->bound = rule->wanted;
    target->at_least = true;
    for (size_t i = 0; i < results->n_pairs; i++) {
        const ic_cost_pair *pair = &results->pairs[i];
        if (!ic_pair_is_of(pair, rule)) continue;
        counts[1 + ic_pair_judge(pair, rule->wanted)]++;
        if (worst == NULL || rank_of(pair) < rank_of(worst)) worst = pair;
    }
    if (worst == NULL) {
        const bool lacks = rule->peer[0] != '\0' && ic_solver_find(rule->peer) == NULL;
        if (lacks) target->verdict = IC_TARGET_NOT_BUILT;
        return;
    }
    target->ratio = worst->factor, target->low = worst->low, target->high = worst->high;
    target->verdict = counts[0] > 0 ? IC_TARGET_MISSED : counts[1] > 0 ? IC_TARGET_NOISY : IC_TARGET_MET;
    describe_worst(target, worst, counts);
}

/* ---- other ratios */

static void judge_spread(ic_target *target, const char *name, const char *class, double ratio, double low,
                         double high)
{
    snprintf(target->name, sizeof target->name, "%s", name);
    target->class = class;
    target->ratio = ratio, target->low = low, target->high = high;
    if (!isfinite(ratio)) return;
    const bool low_good = target->at_least ? low >= target->bound : low <= target->bound,
               high_good = target->at_least ? high >= target->bound : high <= target->bound;
    target->verdict = low_good != high_good ? IC_TARGET_NOISY : low_good ? IC_TARGET_MET : IC_TARGET_MISSED;
}

static void judge_loops(ic_target *target, const ic_cost_overhead *o, bool solver)
{
    const char *class = class_of("rk4_henon");
    target->bound = solver ? SOLVER_BOUND : REGISTRY_BOUND;
    if (solver)
        judge_spread(target, "rk4_henon / the same method in a plain loop", class, o->solver_ratio,
                     o->solver_low, o->solver_high);
    else
        judge_spread(target, "plain loop through the registry / by hand", class, o->ratio, o->ratio_low,
                     o->ratio_high);
    if (isfinite(o->ratio))
        snprintf(target->detail, sizeof target->detail, "on the roller: by hand %.3g ms, %s %.3g ms",
                 1e3 * o->by_hand, solver ? "rk4_henon" : "registry", 1e3 * (solver ? o->solver : o->registry));
}

static void judge_sweep(ic_target *target, const ic_cost_results *results, bool threads)
{
    const ic_cost_diagram *d = &results->diagram;
    target->bound = threads ? GAIN_BOUND : EVENT_FLOORS;
    target->at_least = threads;
    if (threads)
        judge_spread(target, "sweep of " IC_DIAGRAM_PATH ": one thread / two", class_of(d->solver), d->gain,
                     d->gain_low, d->gain_high);
    else
        judge_spread(target, "sweep of " IC_DIAGRAM_PATH ": an event / the floor", class_of(d->solver),
                     d->floors, d->floors_low, d->floors_high);
    if (!isfinite(target->ratio)) return;
    if (threads)
        snprintf(target->detail, sizeof target->detail,
                 "method %s, %.0f sets x %.0f periods: %.3g s and %.3g s", d->method, d->sets, d->periods,
                 d->one, d->two);
    else
        snprintf(target->detail, sizeof target->detail,
                 "method %s: %.3g ns, floor %.3g ns by %s; preparing the sets: %.3g ns more", d->method,
                 1e9 * (d->processor - d->opening) / d->events, 1e9 * results->floor.event,
                 results->floor.vectors, 1e9 * d->opening / d->events);
}

ic_target ic_target_of(const ic_cost_results *results, size_t i)
{
    ic_target target = {.class = "", .ratio = NAN, .low = NAN, .high = NAN, .verdict = IC_TARGET_NOT_MEASURED};
    if (i < IC_PAIR_RULES) judge_pairs(&target, results, &ic_pair_rules[i]);
    else if (i < IC_PAIR_RULES + 2) judge_loops(&target, &results->overhead, i == IC_PAIR_RULES + 1);
    else judge_sweep(&target, results, i == IC_PAIR_RULES + 3);
    return target;
}
