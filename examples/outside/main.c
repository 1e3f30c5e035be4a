/* SPDX-License-Identifier: MIT */
/*
 * A use of the library: built-in solvers on a case of one's own, and one's own solver on a built-in
 * case, compared with each other. Exit status 1 if they disagree, 3 if a run fails.
 */
#include "outside.h"

#include <math.h>
#include <stdio.h>

/*
 * Accepted difference of event times, s: ten times the error of the midpoint rule with steps of
 * 1e-5 s.
 */
#define AGREEMENT 1e-7

/* A finished run. Its instance outlives its log. */
typedef struct outcome {
    ic_instance *instance;
    ic_log *log;
    ic_status status;
} outcome;

static bool run_solver(outcome *o, const ic_case *system, const ic_choices *choices, const ic_options *options)
{
    ic_error error;
    *o = (outcome){.instance = ic_instance_new(system, choices, &error)};
    if (o->instance == NULL) {
        fprintf(stderr, "outside: %s\n", error.text);
        return false;
    }
    o->log = ic_log_new(ic_instance_problem(o->instance));
    if (o->log == NULL) return false;
    o->status = ic_run(o->log, choices->solver, options);
    if (o->status != IC_OK)
        fprintf(stderr, "outside: %s: %s; %s\n", choices->solver->name, ic_status_text(o->status),
                ic_log_text(o->log));
    return o->status == IC_OK;
}

static void free_outcome(outcome *o)
{
    ic_log_free(o->log);
    ic_instance_free(o->instance);
}

static void print_events(const outcome *o, const ic_solver *solver)
{
    const ic_problem *problem = ic_log_problem(o->log);
    const ic_mode *modes = problem->variant->modes;
    printf("%s by %s: %s, until %g s\n", problem->system->name, solver->name, ic_status_name(o->status),
           problem->t_end);
    for (size_t i = 0; i < ic_log_event_count(o->log); i++) {
        const ic_event event = ic_log_event_at(o->log, i);
        printf("  %2zu  %-10s %s -> %s  t = %.10f s", i + 1, event.name, modes[event.mode_from].name,
               modes[event.mode_to].name, event.t);
        for (size_t k = 0; k < problem->system->n_states; k++)
            printf("  %s = %.8g", problem->system->states[k].name, event.x_post[k]);
        putchar('\n');
    }
}

/* Whether both runs have the same number of events, at times that agree within AGREEMENT. */
static bool events_agree(const outcome *a, const outcome *b)
{
    const size_t n = ic_log_event_count(a->log);
    if (n == 0 || ic_log_event_count(b->log) != n) return false;
    for (size_t i = 0; i < n; i++) {
        if (!(fabs(ic_log_event_at(a->log, i).t - ic_log_event_at(b->log, i).t) <= AGREEMENT)) return false;
    }
    return true;
}

/* Compare two solvers on a preset, and return the exit status. */
static int compare_solvers(const ic_case *system, const ic_choices *wanted, const ic_solver *known,
                           const ic_solver *other)
{
    ic_choices choices = *wanted;
    outcome a = {0}, b = {0};
    int status = 3;
    const ic_options options = {.rtol = 1e-10, .step = 1e-5};
    choices.solver = known;
    if (run_solver(&a, system, &choices, &options)) {
        choices.solver = other;
        if (run_solver(&b, system, &choices, &options)) {
            print_events(&b, other);
            status = events_agree(&a, &b) ? 0 : 1;
            if (status != 0) printf("  %s and %s disagree\n", known->name, other->name);
        }
    }
    free_outcome(&a);
    free_outcome(&b);
    return status;
}

/*
 * Whether a solver takes any case: all do except those for planar impacts, and those that declare
 * that they do not keep the event contract.
 */
static bool is_general(const ic_solver *solver)
{
    return (solver->needs & IC_NEEDS_IMPACT_VIEW) == 0 && !solver->steps_over_events;
}

int main(void)
{
    const ic_solver *exact = ic_solver_find("piecewise_linear");
    const char *settings[] = {"e=0.7"};
    const ic_choices lively = {.preset = "lively", .settings = settings, .n_settings = IC_COUNT(settings)};
    int worst = 0;
    printf("impactcheck %s\n", ic_version());
    for (size_t i = 0; ic_solver_at(i) != NULL; i++) {
        if (!is_general(ic_solver_at(i))) continue;
        const int status = compare_solvers(&rattle, &lively, exact, ic_solver_at(i));
        if (status > worst) worst = status;
    }
    const ic_choices bounces = {.preset = "lively", .until = "2"};
    const int own = compare_solvers(ic_case_find("bouncing-ball"), &bounces, exact, &midpoint);
    return own > worst ? own : worst;
}
