/* SPDX-License-Identifier: MIT */
/* Public functions used by programs outside the tree: problems from choices, runs, and malformed
   cases. */
#include "impactcheck/impactcheck.h"
#include "tests/allocations.h"
#include "tests/tests.h"

IC_SUITE(light, "library")

/* Returns whether the choices are refused for this reason. */
static bool is_refused(const ic_case *system, const ic_choices *choices, const char *complaint)
{
    ic_error error = {""};
    ic_instance *instance = ic_instance_new(system, choices, &error);
    ic_instance_free(instance);
    return instance == NULL && strstr(error.text, complaint) != NULL;
}

IC_TEST(test_registry)
{
    size_t n = 0;
    while (ic_case_at(n) != NULL) {
        CU_ASSERT(ic_case_find(ic_case_at(n)->name) == ic_case_at(n));
        CU_ASSERT(ic_case_check(ic_case_at(n), NULL));
        n++;
    }
    CU_ASSERT(n > 0 && ic_case_at(n + 1) == NULL && ic_case_find("no-such-case") == NULL);
    for (n = 0; ic_solver_at(n) != NULL; n++) {
        CU_ASSERT(ic_solver_find(ic_solver_at(n)->name) == ic_solver_at(n));
    }
    CU_ASSERT(n > 0 && ic_solver_find("no-such-solver") == NULL);
    for (n = 0; ic_law_at(n) != NULL; n++) CU_ASSERT(ic_law_find(ic_law_at(n)->name) == ic_law_at(n));
    CU_ASSERT(n > 0 && ic_law_find("no-such-law") == NULL);
    for (n = 0; ic_impact_map_at(n) != NULL; n++) {
        CU_ASSERT(ic_impact_map_find(ic_impact_map_at(n)->name) == ic_impact_map_at(n));
    }
    CU_ASSERT(n > 0 && ic_impact_map_find("no-such-map") == NULL);
    CU_ASSERT(ic_law_find("hertz") != NULL && ic_law_at(0) != NULL && ic_law_at((size_t)-1) == NULL);
    CU_ASSERT(ic_impact_map_find("stronge") != NULL && ic_impact_map_at(0) != NULL &&
              ic_impact_map_at((size_t)-1) == NULL);
    CU_ASSERT(strcmp(ic_version(), "unknown") != 0);
}

IC_TEST(test_choices)
{
    const ic_case *roller = ic_case_find("roller"), *bar = ic_case_find("planar-bar");
    const char *settings[] = {"omega=50pi", "k=1e8"}, *wrong = "kk=1";
    const ic_choices all = {
        .preset = "II/C", .variant = "D", .settings = settings, .n_settings = 2, .until = "1/4"};
    IC_OWN(ic_instance) *instance = ic_instance_new(roller, &all, NULL);
    CU_ASSERT_FATAL(instance != NULL);
    const ic_problem *problem = ic_instance_problem(instance);
    CU_ASSERT(problem->system == roller && problem->t_end == 0.25);
    CU_ASSERT_STRING_EQUAL(problem->variant->name, "D");
    ic_instance_free(NULL);

    const ic_choices stronge = {.preset = "kappa-100", .solver = ic_solver_find("stronge")};
    IC_OWN(ic_instance) *rigid = ic_instance_new(bar, &stronge, NULL);
    CU_ASSERT_FATAL(rigid != NULL);
    CU_ASSERT_STRING_EQUAL(ic_instance_problem(rigid)->variant->name, "stronge");

    CU_ASSERT(is_refused(NULL, NULL, "the case is NULL"));
    CU_ASSERT(is_refused(roller, &(ic_choices){.preset = "V/C"}, "has no preset 'V/C'"));
    CU_ASSERT(is_refused(roller, &(ic_choices){.variant = "E"}, "has no variant 'E'"));
    CU_ASSERT(is_refused(roller, &(ic_choices){.until = "0"}, "not after its start"));
    CU_ASSERT(is_refused(roller, &(ic_choices){.settings = &wrong, .n_settings = 1}, "no parameter 'kk'"));
    CU_ASSERT(is_refused(roller, &stronge, "has no preset"));
    CU_ASSERT(is_refused(roller, &(ic_choices){.solver = stronge.solver}, "planar impacts only, but case"));
}

static ic_status run_choices(const ic_solver *solver, const ic_options *options, double *t_end,
                             size_t *n_events)
{
    IC_OWN(ic_instance) *instance =
        ic_instance_new(ic_case_find("bouncing-ball"), &(ic_choices){.until = "1"}, NULL);
    CU_ASSERT_FATAL(instance != NULL);
    IC_OWN(ic_log) *log = ic_log_new(ic_instance_problem(instance));
    CU_ASSERT_FATAL(log != NULL);
    const ic_status status = ic_run(log, solver, options);
    *t_end = ic_log_end(log).t;
    *n_events = ic_log_event_count(log);
    CU_ASSERT(status == IC_OK || ic_log_text(log)[0] != '\0');
    return status;
}

IC_TEST(test_runs)
{
    const ic_solver *good = ic_solver_find("rk45_bisection");
    ic_solver other = *good, empty = *good;
    double t_end = NAN;
    size_t n = 0;
    other.abi_version++;
    empty.solve = NULL;
    CU_ASSERT(run_choices(good, NULL, &t_end, &n) == IC_OK && t_end == 1 && n > 0);
    CU_ASSERT(run_choices(good, &(ic_options){.rtol = 1e-6}, &t_end, &n) == IC_OK);
    CU_ASSERT(run_choices(NULL, NULL, &t_end, &n) == IC_INVALID && n == 0);
    CU_ASSERT(run_choices(&other, NULL, &t_end, &n) == IC_INVALID);
    CU_ASSERT(run_choices(&empty, NULL, &t_end, &n) == IC_INVALID);
    CU_ASSERT(run_choices(good, &(ic_options){.rtol = -1}, &t_end, &n) == IC_INVALID);
    CU_ASSERT(run_choices(good, &(ic_options){.step = NAN}, &t_end, &n) == IC_INVALID);
    CU_ASSERT(run_choices(good, &(ic_options){.event_tol = INFINITY}, &t_end, &n) == IC_INVALID);
}

/* Copies of the bouncing ball with one mistake each. */
typedef struct broken {
    ic_case system;
    ic_variant variant;
    ic_mode mode;
    ic_guard guard;
    ic_branch branch;
    ic_preset preset;
    ic_parameter parameter;
    ic_state states[2];
    ic_output output;
    ic_invariant invariant;
    ic_time_event event;
    ic_contact_view view;
    ic_trial trial;
} broken;

static double never_zero(int n, const double *par)
{
    (void)n, (void)par;
    return INFINITY;
}

static void copy_with_mistake(broken *b)
{
    const ic_case *ball = ic_case_find("bouncing-ball");
    b->system = *ball;
    b->variant = ball->variants[0];
    b->mode = b->variant.modes[0];
    b->guard = b->mode.guards[0];
    b->branch = (ic_branch){.mode = 0};
    b->preset = ball->presets[0];
    b->guard.jump.branches = &b->branch;
    b->guard.jump.n_branches = 1;
    b->guard.accumulation = (ic_jump){0};
    b->variant.start.branches = &b->branch;
    b->variant.start.n_branches = 1;
    b->mode.guards = &b->guard;
    b->variant.modes = &b->mode;
    b->variant.n_modes = 1;
    b->system.variants = &b->variant;
    b->system.n_variants = 1;
    b->system.presets = &b->preset;
    b->system.n_presets = 1;
    b->parameter = ball->parameters[0];
    b->system.parameters = &b->parameter;
    b->system.n_parameters = 1;
    memcpy(b->states, ball->states, sizeof b->states);
    b->system.states = b->states;
    b->output = ball->outputs[0];
    b->system.outputs = &b->output;
    b->system.n_outputs = 1;
    b->invariant = (ic_invariant){.name = "gap", .unit = "m", .value = b->guard.value, .side = 1};
    b->mode.invariants = &b->invariant;
    b->mode.n_invariants = 1;
    b->event = (ic_time_event){.name = "strike", .when = never_zero, .jump = b->guard.jump};
    b->variant.time_events = &b->event;
    b->variant.n_time_events = 1;
    b->view = (ic_contact_view){.gap = b->output.name, .rigid = true};
    b->system.contact = &b->view;
    b->trial = (ic_trial){.preset = b->preset.name};
    b->system.trials = &b->trial;
    b->system.n_trials = 1;
}

#define REFUSED(mistake_, complaint_)                                                                          \
    do {                                                                                                       \
        broken b;                                                                                              \
        ic_error error = {""};                                                                                 \
        copy_with_mistake(&b);                                                                                 \
        mistake_;                                                                                              \
        CU_ASSERT_FALSE(ic_case_check(&b.system, &error));                                                     \
        CU_ASSERT(strstr(error.text, complaint_) != NULL);                                                     \
    } while (false)

static double greatest_depth(double memory, double d, double v, const double *par)
{
    (void)v, (void)par;
    return d > memory ? d : memory;
}

/* The memory of a case's law stays as it begins. */
IC_TEST(test_law_with_history)
{
    ic_law law = *ic_law_find("hertz");
    law.update = greatest_depth;
    REFUSED(b.variant.law = &law, "no case follows `update`");
}

/*
 * Solvers and audits of impacts know states and modes by number: a case that has others is refused.
 */
IC_TEST(test_broken_impact_views)
{
    const ic_case *bar = ic_case_find("planar-bar");
    ic_case system = *bar;
    ic_variant variant = bar->variants[0];
    ic_mode modes[IC_IMPACT_LIFTED_OFF + 2];
    CU_ASSERT_EQUAL_FATAL(variant.n_modes, IC_IMPACT_LIFTED_OFF + 1);
    memcpy(modes, variant.modes, variant.n_modes * sizeof *modes);
    modes[IC_IMPACT_LIFTED_OFF + 1] = modes[IC_IMPACT_LIFTED_OFF];
    variant.modes = modes;
    system.variants = &variant;
    system.n_variants = 1;
    system.presets = bar->presets;
    system.n_presets = 1;
    system.n_trials = 0;
    CU_ASSERT(ic_case_check(&system, NULL));
    variant.n_modes++;
    CU_ASSERT_FALSE(ic_case_check(&system, NULL));
    variant.n_modes--;
    modes[IC_IMPACT_LIFTED_OFF].terminal = false;
    CU_ASSERT_FALSE(ic_case_check(&system, NULL));
    REFUSED(b.system.impact = bar->impact, "impact view");
}

IC_TEST(test_broken_cases)
{
    broken whole;
    copy_with_mistake(&whole);
    CU_ASSERT(ic_case_check(&whole.system, NULL));
    CU_ASSERT_EQUAL(whole.system.n_states, IC_COUNT(whole.states));
    REFUSED(b.system.abi_version = 1, "version 1");
    REFUSED(b.system.struct_size--, "version");
    REFUSED(b.system.name = NULL, "no name");
    REFUSED(b.system.n_states = 0, "more than IC_MAX_STATES");
    REFUSED(b.system.n_states = IC_MAX_STATES + 1, "more than IC_MAX_STATES");
    REFUSED(b.system.n_variants = 0, "no variant");
    REFUSED(b.system.presets = NULL, "no preset");
    REFUSED(b.system.parameters = NULL, "is NULL");
    REFUSED(b.system.outputs = NULL, "is NULL");
    REFUSED(b.parameter.name = NULL, "parameter 0 has no name");
    REFUSED(b.parameter.range = NULL, "range");
    REFUSED(b.states[1].unit = NULL, "state 1 has no name or unit");
    REFUSED(b.output.name = NULL, "output 0 has no name or unit");
    REFUSED(b.output.value = NULL, "output 0 has no value");
    REFUSED(b.preset.name = NULL, "preset 0 has no name");
    REFUSED(b.preset.settings = NULL, "settings");
    REFUSED(b.variant.name = NULL, "variant 0 has no name");
}

IC_TEST(test_broken_contact_views)
{
    REFUSED(b.view.contact = 1, "mode");
    REFUSED(b.view.free = -1, "mode");
    REFUSED(b.view.gap = "no_such", "output");
    REFUSED(b.view.force = "no_such", "output");
    REFUSED(b.view.gap = NULL, "no gap");
    REFUSED(b.view.derived = ((const char *const[]){"no_such", NULL}), "derived state");
    REFUSED(b.view.restitution = "no_such", "coefficient");
    REFUSED(b.view.carried = ((const char *const[]){"x", "no_such"}), "carried states");
    REFUSED(b.view.conditions = ((const char *const[]){"newton", "newton", "newton", "newton", "newton"}),
            "conditions");
    REFUSED(b.trial.preset = "no_such", "a trial names a preset that the case does not have");
}

IC_TEST(test_broken_variants)
{
    static const ic_departure absent = {.guard = 7};
    REFUSED(b.event.name = NULL, "time event 0 has no name");
    REFUSED(b.event.when = NULL, "time event 0 has no `when`");
    REFUSED(b.event.jump.apply = NULL, "time event 0 has no `apply`");
    REFUSED(b.invariant.name = NULL, "invariant 0 has no name or unit");
    REFUSED(b.invariant.value = NULL, "invariant 0 has no value");
    REFUSED(b.invariant.side = 2, "invariant 0 has no side");
    REFUSED(b.mode.invariants = NULL, "no invariants");
    REFUSED(b.mode.guards = NULL, "no guards");
    REFUSED(b.mode.name = NULL, "mode 0 has no name");
    REFUSED(b.guard.name = NULL, "guard 0 has no name");
    REFUSED(b.branch.n_departures = 1, "no departures");
    REFUSED(b.preset.variant = "other", "variant of the name");
    REFUSED(b.preset.until = NULL, "end");
    REFUSED(b.variant.n_modes = 0, "has no mode");
    REFUSED(b.variant.start.apply = NULL, "`apply`");
    REFUSED(b.mode.flow = NULL, "no flow");
    REFUSED(b.guard.rate = NULL, "no rate");
    REFUSED(b.guard.value = NULL, "no value");
    REFUSED(b.guard.jump.n_branches = 0, "no branch");
    REFUSED(b.branch.mode = 1, "mode that does not exist");
    REFUSED((b.branch.departures = &absent, b.branch.n_departures = 1), "guard that does not exist");
}

/* Each allocation fails once: nothing leaks, and the reason is reported. */
IC_TEST(test_memory)
{
    const ic_case *ball = ic_case_find("ball");
    const ic_choices choices = {.variant = "hunt-crossley"};
    size_t failures = 0;
    for (size_t i = 0;; i++) {
        ic_error error = {""};
        ic_allocations_begin(i);
        ic_instance *instance = ic_instance_new(ball, &choices, &error);
        ic_instance_free(instance);
        const ic_allocations used = ic_allocations_end();
        CU_ASSERT(used.left <= 0);
        if (!used.failed) break;
        failures++;
        CU_ASSERT(instance == NULL && strstr(error.text, "memory") != NULL);
    }
    CU_ASSERT(failures > 1);
}
