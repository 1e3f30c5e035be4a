/* SPDX-License-Identifier: MIT */
#include "bench/pairs.h"
#include "bench/statistics.h"
#include "bench/timing.h"
#include "core/tunings.h"
#include "registry/registry.h"
#include "validation/subjects.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const double ic_pair_levels[IC_PAIR_LEVELS] = {1e-6, 1e-8, 1e-10, 1e-12};

const ic_pair_rule ic_pair_rules[IC_PAIR_RULES] = {
    {"dop853", "gsl_rk8pd", false, 1.5},
    {"rk45_bisection", "gsl_rkf45", false, 1.2},
    {"rk45_bisection", "odeint_dopri5", false, 1.2},
    {"taylor", "", false, 1},
    {"piecewise_linear", "cvode_adams", true, 500},
};

/* Tolerances 10^(-k/PER_DECADE). */
enum { PER_DECADE = 4, COARSEST = 2 * PER_DECADE, FINEST = 14 * PER_DECADE, NOT_REACHED = -1 };
/* A run with more steps does not reach its error. */
#define MOST_STEPS 1e5
/* A solver is most accurate beyond this. */
enum { ACCURATE = 8 * PER_DECADE };

/* Blocks of a pair, of at least LEAST s each; after ENOUGH s of both, FEWEST suffice. */
enum { BLOCKS = 15, FEWEST = 7, RUNS = 2 };
#define LEAST 1e-3
#define ENOUGH 0.2

/* A solver that takes longer than this multiple of another one's time is not the fastest. */
#define HOPELESS 3.0
/* The answer's own error must be below this part of the error that is compared; one of accurate runs is
   closer to those of its solver. */
#define CLEAR 0.1
#define CLEAR_OF_RUNS 0.01

/* ---- runs at one tolerance, each made once */

typedef struct trial {
    bool done;
    double error, seconds;

    /* of the flow */
    double calls;
} trial;

typedef struct candidate {
    const ic_solver *solver;

    /* "", or a tuning of a peer */
    const char *with;
    ic_status (*solve)(ic_log *log, const ic_problem *problem, const ic_options *options);

    trial trials[FINEST + 1];
} candidate;

typedef struct arena {
    const ic_problem *problem;
    const ic_answer *answer;

    /* every solver of the program, and every tuning of a peer */
    candidate *of;
    size_t n;
} arena;

/* 1 s, or the time up to the last event where that is less. */
static double unit_of(const arena *a)
{
    const ic_truth *truth = &a->answer->truth;
    return fmin(1, truth->events[truth->count - 1].t - a->problem->t_start);
}

static double rtol_at(int k)
{
    return pow(10, -(double)k / PER_DECADE);
}

static const trial *try_rtol(const arena *a, candidate *c, int k)
{
    trial *t = &c->trials[k];
    if (t->done) return t;
    ic_options options = ic_cost_options(c->solver, a->problem, rtol_at(k));
    options.max_steps = MOST_STEPS;
    const double begin = ic_time_now();
    ic_status status = IC_OK;
    ic_log *log = ic_log_new(a->problem);
    if (log != NULL) status = c->solve(log, a->problem, &options);
    *t = (trial){true, INFINITY, ic_time_now() - begin, log != NULL ? ic_log_work(log)->flow_calls : 0};
    if (log != NULL && status == IC_OK)
        t->error = ic_answer_error(a->answer, log, ic_cost_tie(c->solver, a->problem, rtol_at(k)));
    ic_log_free(log);
    return t;
}

/* The coarsest tolerance with at most this error: first by tens. NOT_REACHED: there is none, or it
   takes longer than `most`, s. */
static int find_rtol(const arena *a, candidate *c, double error, double most)
{
    for (int k = COARSEST; k <= FINEST; k += PER_DECADE) {
        const trial *t = try_rtol(a, c, k);
        if (t->seconds > most) return NOT_REACHED;
        if (!(t->error <= error)) continue;
        for (int i = k - PER_DECADE + 1; i < k; i++) {
            if (i > COARSEST && try_rtol(a, c, i)->error <= error) return i;
        }
        return k;
    }
    return NOT_REACHED;
}

static int find_most_accurate(const arena *a, candidate *c)
{
    int best = ACCURATE;
    for (int k = ACCURATE; k <= FINEST; k += PER_DECADE) {
        if (try_rtol(a, c, k)->error < try_rtol(a, c, best)->error) best = k;
    }
    return isfinite(c->trials[best].error) ? best : NOT_REACHED;
}

/* ---- the solvers that are compared */

typedef struct timed_solver {
    const arena *arena;
    candidate *candidate;
    ic_options options;
    int k;
} timed_solver;

static void run_solver(void *self)
{
    const timed_solver *run = self;
    ic_log *log = ic_log_new(run->arena->problem);
    if (log != NULL) (void)run->candidate->solve(log, run->arena->problem, &run->options);
    ic_log_free(log);
}

static timed_solver solver_at(const arena *a, candidate *c, int k)
{
    timed_solver run = {.arena = a, .candidate = c, .k = k};
    const bool tolerance = c->solver->control == IC_CONTROL_RTOL;
    if (k != NOT_REACHED) run.options = ic_cost_options(c->solver, a->problem, tolerance ? rtol_at(k) : 0);
    return run;
}

static double least_time(timed_solver *run)
{
    double least = INFINITY;
    for (int i = 0; i < RUNS; i++) least = fmin(least, ic_time_block(1, run_solver, run).seconds);
    return least;
}

static bool is_admitted(const ic_solver *solver, const ic_pair_rule *rule, const ic_cost_request *request,
                        const arena *a)
{
    if ((request->own && ic_is_peer(solver->name)) || !ic_solver_solves(solver, a->problem)) return false;
    if (rule->peer[0] != '\0') return strcmp(solver->name, rule->peer) == 0;
    return ic_solver_is_general(solver) && solver->control == IC_CONTROL_RTOL &&
           strcmp(solver->name, rule->solver) != 0;
}

/* The fastest admitted solver at this error. Without any that reaches it, one that does not, or NULL:
   none is admitted. */
static timed_solver find_fastest(arena *a, const ic_pair_rule *rule, const ic_cost_request *request,
                                 double error)
{
    timed_solver best = {.k = NOT_REACHED};
    double least = INFINITY;
    for (size_t i = 0; i < a->n; i++) {
        candidate *c = &a->of[i];
        if (!is_admitted(c->solver, rule, request, a)) continue;
        const int k = rule->at_best ? find_most_accurate(a, c) : find_rtol(a, c, error, HOPELESS * least);
        timed_solver run = solver_at(a, c, k);
        if (best.candidate == NULL) best = run;
        if (k == NOT_REACHED) continue;
        const double time = least_time(&run);
        if (time >= least) continue;
        least = time;
        best = run;
    }
    return best;
}

/* ---- the flow itself */

/* A run whose states after events are those at which the flow is timed. */
typedef struct visited {
    const ic_problem *problem;
    const ic_log *log;
} visited;

static void call_flows(void *self)
{
    const visited *v = self;
    double rates[IC_MAX_STATES];
    for (size_t i = 0; i < ic_log_event_count(v->log); i++) {
        const ic_event event = ic_log_event_at(v->log, i);
        v->problem->variant->modes[event.mode_to].flow(rates, event.t, event.x_post, v->problem->par);
    }
}

/* Time of one call of the flow, a mean over the states after the events of a run, s. */
static double time_flow(const arena *a, const timed_solver *run)
{
    double one = 0, seconds = 0;
    ic_log *log = ic_log_new(a->problem);
    if (log != NULL && run->candidate->solve(log, a->problem, &run->options) == IC_OK) {
        visited v = {a->problem, log};
        const size_t calls = ic_time_calls(LEAST, call_flows, &v, &one);
        seconds = ic_time_block(calls, call_flows, &v).seconds / (double)ic_log_event_count(log);
    }
    ic_log_free(log);
    return isfinite(seconds) ? seconds : 0;
}

/* ---- a pair */

static void time_pair(ic_cost_pair *pair, timed_solver *ours, timed_solver *its)
{
    double seconds[2][BLOCKS], factors[BLOCKS], one;
    timed_solver *const runs[2] = {ours, its};
    size_t calls[2], n = 0;
    const double begin = ic_time_now();
    for (int i = 0; i < 2; i++) calls[i] = ic_time_calls(LEAST, run_solver, runs[i], &one);
    for (; n < BLOCKS && (n < FEWEST || ic_time_now() - begin < ENOUGH); n++) {
        bool disturbed = false;
        for (size_t i = 0; i < 2; i++) {
            const size_t which = (i + n) % 2;
            const ic_time time = ic_time_block(calls[which], run_solver, runs[which]);
            seconds[which][n] = time.seconds;
            disturbed = disturbed || time.disturbed;
        }
        factors[n] = seconds[1][n] / seconds[0][n];
        pair->disturbed += disturbed;
    }
    const ic_spread factor = ic_spread_of(factors, n);
    pair->factor = factor.middle, pair->low = factor.low, pair->high = factor.high;
    pair->seconds = ic_median(seconds[0], n);
    pair->peer_seconds = ic_median(seconds[1], n);
    pair->blocks = (double)n;
}

static double error_of(const timed_solver *run)
{
    if (run->candidate->solver->control == IC_CONTROL_RTOL) return run->candidate->trials[run->k].error;
    return try_rtol(run->arena, run->candidate, FINEST)->error;
}

static ic_cost_pair name_pair(const char *path, const timed_solver *ours, const timed_solver *its, double level,
                              double unit)
{
    ic_cost_pair pair = {.level = level,
                         .unit = unit,
                         .setting = NAN,
                         .error = NAN,
                         .seconds = NAN,
                         .peer_setting = NAN,
                         .peer_error = NAN,
                         .peer_seconds = NAN,
                         .factor = NAN,
                         .low = NAN,
                         .high = NAN};
    snprintf(pair.subject, sizeof pair.subject, "%.63s", path);
    snprintf(pair.solver, sizeof pair.solver, "%s", ours->candidate->solver->name);
    snprintf(pair.peer, sizeof pair.peer, "%s", its->candidate->solver->name);
    snprintf(pair.with, sizeof pair.with, "%s", its->k != NOT_REACHED ? its->candidate->with : "");
    if (ours->k != NOT_REACHED) {
        pair.setting = ours->options.rtol;
        pair.error = error_of(ours);
    }
    if (its->k != NOT_REACHED) {
        pair.peer_setting = its->options.rtol;
        pair.peer_error = error_of(its);
    }
    return pair;
}

/* Compares at one level. false: memory ran out. */
static bool measure_pair(ic_cost_results *results, const ic_cost_request *request, const char *path, arena *a,
                         const ic_pair_rule *rule, candidate *own, double level)
{
    const double error = level * unit_of(a);
    timed_solver its = find_fastest(a, rule, request, error);
    if (its.candidate == NULL) return true;
    timed_solver ours = solver_at(a, own, rule->at_best ? 0 : find_rtol(a, own, error, INFINITY));
    if (ours.k == NOT_REACHED && its.k == NOT_REACHED) return true;
    ic_cost_pair pair = name_pair(path, &ours, &its, level, unit_of(a));
    if (ours.k != NOT_REACHED && its.k != NOT_REACHED) {
        time_pair(&pair, &ours, &its);
        pair.calls = own->trials[ours.k].calls;
        pair.peer_calls = its.candidate->trials[its.k].calls;
        pair.call_seconds = time_flow(a, &ours);
    }
    results->load.timings += pair.blocks;
    results->load.disturbed += pair.disturbed;
    return ic_cost_add_pair(results, &pair);
}

static candidate *find_candidate(const arena *a, const char *solver)
{
    for (size_t i = 0; i < a->n; i++) {
        if (strcmp(a->of[i].solver->name, solver) == 0) return &a->of[i];
    }
    return NULL;
}

/* Whether a glob selects a rule: by the solver, by its peer, or by one of those that may be its peer. */
static bool is_selected(const arena *a, const ic_pair_rule *rule, const char *glob)
{
    if (glob == NULL || ic_glob(glob, rule->solver) || ic_glob(glob, rule->peer)) return true;
    for (size_t i = 0; i < a->n && rule->peer[0] == '\0'; i++) {
        if (ic_is_peer(a->of[i].solver->name) && ic_glob(glob, a->of[i].solver->name)) return true;
    }
    return false;
}

static bool measure_rule(ic_cost_results *results, const ic_cost_request *request, const char *path, arena *a,
                         const ic_pair_rule *rule)
{
    candidate *own = find_candidate(a, rule->solver);
    if (own == NULL || !ic_solver_solves(own->solver, a->problem)) return true;
    if (!is_selected(a, rule, request->solvers)) return true;
    if (rule->at_best)
        return strcmp(path, IC_PAIR_SUBJECT) != 0 || measure_pair(results, request, path, a, rule, own, 0);
    /* no solver makes an error: nothing depends on the tolerance */
    if (try_rtol(a, own, COARSEST)->error == 0) return true;
    for (size_t i = 0; i < IC_PAIR_LEVELS; i++) {
        const double clear = a->answer->of_runs ? CLEAR_OF_RUNS : CLEAR;
        if (ic_answer_radius(a->answer) > clear * ic_pair_levels[i] * unit_of(a)) break;
        if (!measure_pair(results, request, path, a, rule, own, ic_pair_levels[i])) return false;
    }
    return true;
}

static void add_candidate(arena *a, const ic_solver *solver, const ic_tuning *tuning)
{
    candidate *c = &a->of[a->n++];
    c->solver = solver;
    c->with = tuning != NULL ? tuning->name : "";
    c->solve = tuning != NULL ? tuning->solve : solver->solve;
}

static bool open_arena(arena *a)
{
    size_t most = ic_solver_count;
    for (size_t i = 0; i < ic_solver_count; i++) {
        for (const ic_tuning *t = ic_solver_tunings(ic_solvers[i]->name); t->name != NULL; t++) most++;
    }
    a->of = calloc(most + 1, sizeof *a->of);
    if (a->of == NULL) return false;
    for (size_t i = 0; i < ic_solver_count; i++) {
        add_candidate(a, ic_solvers[i], NULL);
        for (const ic_tuning *t = ic_solver_tunings(ic_solvers[i]->name); t->name != NULL; t++)
            add_candidate(a, ic_solvers[i], t);
    }
    return true;
}

bool ic_pairs_measure(ic_cost_results *results, const ic_cost_request *request, const char *path,
                      const ic_problem *problem, const ic_answer *answer)
{
    arena a = {.problem = problem, .answer = answer};
    bool good = open_arena(&a);
    for (size_t i = 0; i < IC_PAIR_RULES && good && answer->truth.count > 0; i++)
        good = measure_rule(results, request, path, &a, &ic_pair_rules[i]);
    free(a.of);
    return good;
}

/* ---- verdicts */

bool ic_pair_is_of(const ic_cost_pair *pair, const ic_pair_rule *rule)
{
    return strcmp(pair->solver, rule->solver) == 0 && rule->at_best == (pair->level == 0) &&
           (rule->peer[0] == '\0' || strcmp(pair->peer, rule->peer) == 0);
}

int ic_pair_judge(const ic_cost_pair *pair, double wanted)
{
    if (isnan(pair->setting)) return -1;
    if (isnan(pair->peer_setting)) return 1;
    return pair->low >= wanted ? 1 : pair->high < wanted ? -1 : 0;
}
