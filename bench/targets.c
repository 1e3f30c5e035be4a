/* SPDX-License-Identifier: MIT */
#include "bench/targets.h"
#include "bench/diagram.h"
#include "registry/registry.h"
#include "validation/subjects.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Event-time error at which general solvers are compared, s. */
#define COMMON_ERROR 1e-10
/* Setting of the other package in the second target. */
#define TIGHT_RTOL 1e-12

/* Time per event, ns, where vectors hold eight doubles; otherwise this multiple of the floor
   (bench/floor.h). */
#define WIDEST_VECTORS "AVX-512"
#define EVENT_BOUND 15.0
#define EVENT_FLOORS 2.0
#define NANO 1e9

const char *ic_target_verdict_text(ic_target_verdict verdict)
{
    static const char *const texts[] = {[IC_TARGET_MET] = "met",
                                        [IC_TARGET_MISSED] = "missed",
                                        [IC_TARGET_NOT_BUILT] = "not built",
                                        [IC_TARGET_NOT_MEASURED] = "not measured"};
    return texts[verdict];
}

/* ---- rows */

static bool is_row_of(const ic_cost_row *row, const char *subject, const char *solver)
{
    return strcmp(row->subject, subject) == 0 && strcmp(row->solver, solver) == 0;
}

/* Reason for which a peer has no row: this program does not include it, or it was not selected. */
static bool solver_is_built(ic_target *target, const ic_cost_results *results, const char *peer)
{
    for (size_t i = 0; i < results->count; i++) {
        if (is_row_of(&results->rows[i], IC_TARGET_SUBJECT, peer)) return true;
    }
    target->verdict = ic_solver_find(peer) == NULL ? IC_TARGET_NOT_BUILT : IC_TARGET_NOT_MEASURED;
    snprintf(target->detail, sizeof target->detail, "%s", peer);
    return false;
}

/* Least time of a solver's rows with errors in (above, up to]; *error is that row's. INFINITY: no
   row. */
static double find_cheapest(const ic_cost_results *results, const char *subject, const char *solver,
                            double up_to, double *error)
{
    double least = INFINITY;
    for (size_t i = 0; i < results->count; i++) {
        const ic_cost_row *row = &results->rows[i];
        if (!is_row_of(row, subject, solver) || !(row->error <= up_to) || !(ic_cost_seconds(row) < least))
            continue;
        least = ic_cost_seconds(row);
        *error = row->error;
    }
    return least;
}

double ic_cost_time_at(const ic_cost_results *results, const char *subject, const char *solver, double error)
{
    double good_error = 0, best;
    const double good = find_cheapest(results, subject, solver, error, &good_error);
    if (!isfinite(good)) return NAN;
    best = good;
    /* a cheaper, less accurate row: the line between both reaches the error before the accurate
       one */
    for (size_t i = 0; i < results->count; i++) {
        const ic_cost_row *row = &results->rows[i];
        const double time = ic_cost_seconds(row);
        if (!is_row_of(row, subject, solver) || !(row->error > error) || !(time < good) || !(good_error > 0))
            continue;
        const double part = log(row->error / error) / log(row->error / good_error);
        const double between = time * pow(good / time, part);
        if (between < best) best = between;
    }
    return best;
}

/* The row of a solver with the least error; NULL if it has no row. */
static const ic_cost_row *find_most_accurate(const ic_cost_results *results, const char *solver)
{
    const ic_cost_row *best = NULL;
    for (size_t i = 0; i < results->count; i++) {
        const ic_cost_row *row = &results->rows[i];
        if (!is_row_of(row, IC_TARGET_SUBJECT, solver) || !isfinite(row->error) || row->n_times == 0) continue;
        if (best == NULL || row->error < best->error) best = row;
    }
    return best;
}

/* ---- the targets */

static void set_verdict(ic_target *target)
{
    if (!isfinite(target->ratio) || !isfinite(target->bound)) return;
    const bool met = target->at_least ? target->ratio >= target->bound : target->ratio <= target->bound;
    target->verdict = met ? IC_TARGET_MET : IC_TARGET_MISSED;
}

static void compare_analytic(ic_target *target, const ic_cost_results *results, const char *peer,
                             const ic_cost_row *its)
{
    const ic_cost_row *ours = find_most_accurate(results, "piecewise_linear");
    if (!solver_is_built(target, results, peer)) return;
    if (ours == NULL || its == NULL || its->n_times == 0) {
        snprintf(target->detail, sizeof target->detail, "a row without times or errors");
    } else {
        target->ratio = ic_cost_seconds(its) / ic_cost_seconds(ours);
        set_verdict(target);
        snprintf(target->detail, sizeof target->detail,
                 "error %.2g s at %.3g us per s, %s at rtol %.0e: error %.2g s at %.3g", ours->error,
                 1e6 * ic_cost_per_second(ours), peer, its->setting, its->error, 1e6 * ic_cost_per_second(its));
        /* The row has a lower cost, but a greater error. */
        if (!(ours->error <= its->error)) target->verdict = IC_TARGET_MISSED;
    }
}

static const ic_cost_row *find_at_setting(const ic_cost_results *results, const char *solver, double setting)
{
    for (size_t i = 0; i < results->count; i++) {
        const ic_cost_row *row = &results->rows[i];
        if (is_row_of(row, IC_TARGET_SUBJECT, solver) && row->setting == setting && isfinite(row->error))
            return row;
    }
    return NULL;
}

/* Least time at COMMON_ERROR of our solvers that have a step or a tolerance. */
static double find_best_general(const ic_cost_results *results, const char **name)
{
    double best = NAN;
    for (size_t i = 0; i < results->count; i++) {
        const ic_cost_row *row = &results->rows[i];
        if (ic_is_peer(row->solver) || strcmp(row->control, "none") == 0) continue;
        if (strcmp(row->subject, IC_TARGET_SUBJECT) != 0) continue;
        const double time = ic_cost_time_at(results, IC_TARGET_SUBJECT, row->solver, COMMON_ERROR);
        if (!isfinite(time) || time >= best) continue;
        best = time;
        *name = row->solver;
    }
    return best;
}

static void compare_general(ic_target *target, const ic_cost_results *results, const char *peer)
{
    const char *name = "";
    const double ours = find_best_general(results, &name);
    const double its = ic_cost_time_at(results, IC_TARGET_SUBJECT, peer, COMMON_ERROR);
    if (!solver_is_built(target, results, peer)) return;
    target->ratio = ours / its;
    set_verdict(target);
    snprintf(target->detail, sizeof target->detail, "%s %.3g ms, %s %.3g ms, for a run", name, 1e3 * ours, peer,
             1e3 * its);
}

static void compare_registry(ic_target *target, const ic_cost_results *results)
{
    const ic_cost_overhead *o = &results->overhead;
    target->ratio = o->ratio;
    set_verdict(target);
    if (isfinite(o->ratio))
        snprintf(target->detail, sizeof target->detail,
                 "rk4 on the roller: %.3g ms by hand, %.3g ms through the registry; rk4_henon %.3g ms",
                 1e3 * o->by_hand, 1e3 * o->registry, 1e3 * o->solver);
}

/* ---- sweeps */

static void judge_event_of_diagram(ic_target *target, const ic_cost_results *results)
{
    const ic_cost_diagram *d = &results->diagram;
    const ic_cost_floor *floor = &results->floor;
    const bool widest = strcmp(floor->vectors, WIDEST_VECTORS) == 0;
    target->ratio = NANO * ic_diagram_per_event(d);
    target->bound = widest ? EVENT_BOUND : EVENT_FLOORS * NANO * floor->event;
    set_verdict(target);
    if (!isfinite(target->ratio)) return;
    snprintf(target->detail, sizeof target->detail,
             "engine %s; %.3g times the floor of %.3g ns by %s (target: %g times, or %g ns by AVX-512); "
             "preparing the sets: %.3g ns more",
             d->engine, target->ratio / (NANO * floor->event), NANO * floor->event, floor->vectors,
             EVENT_FLOORS, EVENT_BOUND, NANO * d->opening / d->events);
}

static void judge_whole_diagram(ic_target *target, const ic_cost_results *results)
{
    const ic_cost_diagram *d = &results->diagram;
    const double scale = ic_diagram_scale(d);
    target->ratio = d->two * scale;
    set_verdict(target);
    if (!isfinite(target->ratio)) return;
    const int n = snprintf(target->detail, sizeof target->detail, "engine %s", d->engine);
    if (scale != 1) {
        snprintf(target->detail + n, sizeof target->detail - (size_t)n,
                 ": scaled from %.0f x %.0f, which took %.3g s, by %.3g", d->sets, d->periods, d->two, scale);
    }
}

static void judge_two_threads(ic_target *target, const ic_cost_results *results)
{
    const ic_cost_diagram *d = &results->diagram;
    target->ratio = ic_diagram_efficiency(d);
    set_verdict(target);
    if (!isfinite(target->ratio)) return;
    snprintf(target->detail, sizeof target->detail,
             "engine %s, %.0f x %.0f: %.3g s on one thread, %.3g s on two", d->engine, d->sets, d->periods,
             d->one, d->two);
}

ic_target ic_target_of(const ic_cost_results *results, size_t i)
{
    static const struct {
        const char *name;
        double bound;
        bool at_least;
    } table[IC_TARGETS] = {
        {"cvode_adams at its most accurate / piecewise_linear", 500, true},
        {"gsl_rk8pd at rtol 1e-12 / piecewise_linear", 20, true},
        {"best general solver / gsl_rk8pd, at an error of 1e-10 s", 0.5, false},
        {"best general solver / cvode_adams, at an error of 1e-10 s", 0.1, false},
        {"through the registry / the same loop by hand", 1.05, false},
        {"roller/III/D swept over c: ns for an event, one core", NAN, false},
        {"the same, 2000 values x 1000 periods: s, two threads", 1, false},
        {"the same: one thread / two threads / 2", 0.9, true},
    };
    ic_target target = {.name = table[i].name,
                        .ratio = NAN,
                        .bound = table[i].bound,
                        .at_least = table[i].at_least,
                        .verdict = IC_TARGET_NOT_MEASURED};
    switch (i) {
    case 0:
        compare_analytic(&target, results, "cvode_adams", find_most_accurate(results, "cvode_adams"));
        break;
    case 1:
        compare_analytic(&target, results, "gsl_rk8pd", find_at_setting(results, "gsl_rk8pd", TIGHT_RTOL));
        break;
    case 2: compare_general(&target, results, "gsl_rk8pd"); break;
    case 3: compare_general(&target, results, "cvode_adams"); break;
    case 4: compare_registry(&target, results); break;
    case 5: judge_event_of_diagram(&target, results); break;
    case 6: judge_whole_diagram(&target, results); break;
    default: judge_two_threads(&target, results); break;
    }
    return target;
}
