/* SPDX-License-Identifier: MIT */
#include "core/model.h"
#include "core/compiled_case.h"
#include "core/composition.h"
#include "core/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Default relative tolerance. */
#define DEFAULT_RTOL 1e-9
/* Default number of steps per typical time, for solvers with fixed steps. */
#define DEFAULT_STEPS_PER_TIME_SCALE 1000.0
/*
 * Default width of event location, relative to the typical time: 450 times the rounding error of a
 * time of that size.
 */
#define DEFAULT_EVENT_TOL 1e-13
#define DEFAULT_MAX_STEPS 1e8

static double stated_number(const ic_problem *problem, const char *text)
{
    const ic_names names = {.system = problem->system, .par = problem->par, .given = problem->given};
    double value = NAN;
    if (text == NULL || !ic_expression_number(&value, text, &names, NULL)) return NAN;
    return value;
}

void ic_state_scales(const ic_problem *problem, double *scale)
{
    for (size_t i = 0; i < problem->system->n_states; i++) {
        const double value = stated_number(problem, problem->system->states[i].scale);
        scale[i] = value > 0 ? value : 1;
    }
}

const char *ic_time_scale_text(const ic_problem *problem)
{
    const char *own = problem->variant == NULL ? NULL : problem->variant->time_scale;
    return own != NULL ? own : problem->system->time_scale;
}

double ic_time_scale(const ic_problem *problem)
{
    const double value = stated_number(problem, ic_time_scale_text(problem));
    return value > 0 ? value : 1;
}

double ic_forcing_period(const ic_problem *problem)
{
    const double value = stated_number(problem, problem->system->period);
    return value > 0 ? value : NAN;
}

volatile int ic_stop_requested = 0;

ic_options ic_options_for(const ic_options *options, double time_scale)
{
    ic_options resolved = *options;
    if (!(resolved.rtol > 0)) resolved.rtol = DEFAULT_RTOL;
    if (!(resolved.max_steps > 0)) resolved.max_steps = DEFAULT_MAX_STEPS;
    if (!(resolved.event_tol > 0)) resolved.event_tol = DEFAULT_EVENT_TOL * time_scale;
    /* `step` stays 0 if none is requested, which for adaptive solvers means no limit */
    if (!(resolved.step > 0)) resolved.step = 0;
    return resolved;
}

ic_options ic_options_resolved(const ic_problem *problem, const ic_options *options)
{
    return ic_options_for(options, ic_time_scale(problem));
}

double ic_default_step(const ic_problem *problem)
{
    return ic_time_scale(problem) / DEFAULT_STEPS_PER_TIME_SCALE;
}

/* ---- problems from names */

static bool find_preset(ic_setup *setup, const char *name, ic_error *error)
{
    const ic_case *system = setup->problem.system;
    ic_nearest nearest = {.wrong = name};
    if (name == NULL) {
        setup->preset = system->presets; /* a case has one */
        return true;
    }
    setup->preset = ic_preset_find(system, name);
    if (setup->preset != NULL) return true;
    for (size_t i = 0; i < system->n_presets; i++) ic_nearest_offer(&nearest, system->presets[i].name);
    ic_error_set(error, "case '%s' has no preset '%s'%s (impactcheck list presets shows all)", system->name,
                 name, ic_nearest_hint(&nearest).text);
    return false;
}

static bool find_variant(ic_setup *setup, const char *name, ic_error *error)
{
    const ic_case *system = setup->problem.system;
    ic_nearest nearest = {.wrong = name};
    setup->problem.variant = ic_variant_find(system, name != NULL ? name : setup->preset->variant);
    if (setup->problem.variant != NULL) return true;
    if (name == NULL) {
        ic_error_set(error, "preset '%s' of case '%s' names an unknown variant", setup->preset->name,
                     system->name);
        return false;
    }
    for (size_t i = 0; i < system->n_variants; i++) ic_nearest_offer(&nearest, system->variants[i].name);
    ic_error_set(error, "case '%s' has no variant '%s'%s (impactcheck list cases --long shows all)",
                 system->name, name, ic_nearest_hint(&nearest).text);
    return false;
}

static void forget_forms(ic_setup *setup)
{
    ic_given_free(setup->given);
    setup->problem.given = setup->given = NULL;
}

bool ic_setup_until(ic_setup *setup, const char *until, ic_error *error)
{
    const ic_names names = {.system = setup->problem.system, .par = setup->par};
    ic_error why;
    double t = NAN;
    if (!ic_expression_number(&t, until, &names, &why)) {
        ic_error_set(error, "end of the run: %s; it must be a time in seconds", why.text);
        return false;
    }
    if (!(t > setup->problem.t_start)) {
        ic_error_set(error, "the end of the run, %s s, is not after its start, %g s", until,
                     setup->problem.t_start);
        return false;
    }
    char *copy = ic_copy_text(until, strlen(until), error);
    if (copy == NULL) return false;
    forget_forms(setup); /* they are found by the addresses of texts */
    free(setup->until_text);
    setup->until_text = copy;
    setup->problem.t_end = t;
    setup->problem.t_end_text = copy;
    return true;
}

bool ic_setup_prepare(ic_setup *setup, ic_error *error)
{
    forget_forms(setup);
    if (!ic_given_new(&setup->given, &setup->problem)) return ic_error_no_memory(error);
    setup->problem.given = setup->given;
    return true;
}

bool ic_setup_for_solver(ic_setup *setup, const ic_solver *solver, ic_error *error)
{
    const ic_case *system = setup->problem.system;
    if ((solver->needs & IC_NEEDS_IMPACT_VIEW) != 0 && system->impact == NULL) {
        ic_error_set(error, "solver '%s' solves planar impacts only, but case '%s' is not one", solver->name,
                     system->name);
        return false;
    }
    if ((solver->needs & IC_NEEDS_STOPS_VIEW) != 0 && setup->problem.variant->stops == NULL) {
        ic_error_set(
            error,
            "solver '%s' solves variants that consist of one flow, stops and friction, but '%s' of case "
            "'%s' does not",
            solver->name, setup->problem.variant->name, system->name);
        return false;
    }
    if (solver->variant == NULL) return true;
    const ic_variant *variant = ic_variant_find(system, solver->variant);
    if (variant == NULL) {
        ic_error_set(error, "solver '%s' solves only the variant '%s', which case '%s' does not have",
                     solver->name, solver->variant, system->name);
        return false;
    }
    setup->problem.variant = variant;
    return true;
}

/* Composes the case if the variant has a law or outputs of its own, or the number of states varies. */
static bool compose_case(ic_setup *setup, ic_error *error)
{
    const ic_case *system = setup->problem.system;
    const ic_variant *variant = setup->problem.variant;
    if (variant->law == NULL && system->states_used == NULL && variant->n_output_values == 0) return true;
    setup->composed = ic_compose(system, variant, error);
    setup->problem.system = setup->composed;
    return setup->composed != NULL;
}

/* A body that is so little beyond a stop, as a part of the scale of its gap, still hits it (core/loop_arming.c). */
#define BEHIND 1e-5

/* Whether a run starts behind no stop. */
static bool starts_apart(const ic_problem *problem, ic_error *error)
{
    const ic_jump *start = &problem->variant->start;
    const double t = problem->t_start, *par = problem->par;
    double x[IC_MAX_STATES] = {0}, scale[IC_MAX_STATES] = {0};
    const int branch = start->apply(x, t, NULL, par);
    if (branch < 0 || (size_t)branch >= start->n_branches) return true;
    const int to = start->branches[branch].mode;
    const ic_mode *mode = &problem->variant->modes[to == IC_SAME_MODE ? problem->mode_start : to];
    ic_state_scales(problem, scale);
    for (const ic_guard *g = mode->guards; g < mode->guards + mode->n_guards; g++) {
        if (g->onset != IC_ONSET_NEAR || g->accumulation.apply == NULL) continue;
        const double gap = g->value(t, x, par);
        double size = 0;
        for (size_t i = 0; i < problem->system->n_states; i++) {
            const double own = x[i];
            if (!ic_state_is_discrete(problem->system, i)) x[i] += scale[i];
            size += fmax(0, fabs(g->value(t, x, par) - gap));
            x[i] = own;
        }
        if (!(gap * g->direction > BEHIND * size)) continue;
        ic_error_set(error, "the start is behind the stop '%s' by %g %s", g->name, fabs(gap), g->unit);
        return false;
    }
    return true;
}

static bool set_values(ic_setup *setup, const ic_request *request, ic_error *error)
{
    const ic_case *system = setup->problem.system;
    ic_parameters *parameters = &setup->parameters;
    if (!ic_parameters_open(parameters, "case", system->name, system->parameters, system->n_parameters, error))
        return false;
    setup->par = parameters->value;
    setup->problem.par = parameters->value;
    setup->problem.par_text = (const char *const *)parameters->text;
    if (!ic_parameters_set_list(parameters, setup->preset->settings, error)) return false;
    for (size_t i = 0; i < request->n_settings; i++) {
        if (!ic_parameters_set(parameters, request->settings[i], error)) return false;
    }
    if (!ic_parameters_evaluate(parameters, error) ||
        !ic_parameters_require(parameters, system->requirements, system->n_requirements, error))
        return false;
    if (setup->composed != NULL &&
        !ic_compose_states(setup->composed, setup->problem.variant, setup->par, error))
        return false;
    return starts_apart(&setup->problem, error) &&
           ic_setup_until(setup, request->until != NULL ? request->until : setup->preset->until, error);
}

bool ic_setup_open_case(ic_setup *setup, const ic_case *system, const ic_request *request, ic_error *error)
{
    *setup = (ic_setup){.problem = {.system = system}};
    if (find_preset(setup, request->path, error) && find_variant(setup, request->variant, error) &&
        compose_case(setup, error) && set_values(setup, request, error))
        return true;
    ic_setup_close(setup);
    return false;
}

void ic_setup_close(ic_setup *setup)
{
    ic_given_free(setup->given);
    ic_parameters_close(&setup->parameters);
    free(setup->composed);
    free(setup->until_text);
    *setup = (ic_setup){0};
}

double ic_parameter_value(const ic_problem *problem, const char *name)
{
    return problem->par[ic_parameter_find(problem->system, name)];
}

ic_extreme ic_output_extreme(const ic_log *log, const char *name)
{
    return ic_log_extreme(log, ic_output_find(ic_log_problem(log)->system, name));
}
