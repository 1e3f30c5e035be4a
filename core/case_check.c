/* SPDX-License-Identifier: MIT */
/*
 * Checks whether the tables of a case are complete and consistent. Tests also cover the cases of
 * the tree; this check is for other cases.
 */
#include "core/names.h"

#include "core/expression.h"
#include "core/shapes.h"

typedef struct examination {
    const ic_case *system;
    const ic_variant *variant;
    ic_error *error;
} examination;

static bool report_missing(const examination *e, const char *what, size_t i, const char *needs)
{
    ic_error_set(e->error, "case '%s'%s%s%s: %s %zu has no %s", e->system->name,
                 e->variant != NULL ? ", variant '" : "", e->variant != NULL ? e->variant->name : "",
                 e->variant != NULL ? "'" : "", what, i, needs);
    return false;
}

static bool report_bad_reference(const examination *e, const char *what, size_t i, const char *of)
{
    ic_error_set(e->error, "case '%s', variant '%s': %s %zu names a %s that does not exist", e->system->name,
                 e->variant->name, what, i, of);
    return false;
}

static bool report_fault(const ic_case *system, ic_error *error, const char *why)
{
    ic_error_set(error, "case '%s': %s", system->name, why);
    return false;
}

/* ---- jumps */

static bool departures_are_valid(const examination *e, const ic_branch *branch, size_t i)
{
    if (branch->n_departures > 0 && branch->departures == NULL)
        return report_missing(e, "branch", i, "departures");
    if (branch->mode == IC_SAME_MODE) return true; /* depends on the mode before */
    const ic_mode *mode = &e->variant->modes[branch->mode];
    for (size_t k = 0; k < branch->n_departures; k++) {
        const int guard = branch->departures[k].guard;
        if (guard < 0 || (size_t)guard >= mode->n_guards) return report_bad_reference(e, "branch", i, "guard");
    }
    return true;
}

static bool jump_is_valid(const examination *e, const char *what, size_t of, const ic_jump *jump, bool may_stay)
{
    if (jump->apply == NULL) return report_missing(e, what, of, "`apply` in its jump");
    if (jump->branches == NULL || jump->n_branches == 0)
        return report_missing(e, what, of, "branch in its jump");
    for (size_t i = 0; i < jump->n_branches; i++) {
        const int mode = jump->branches[i].mode;
        const bool stays = mode == IC_SAME_MODE && may_stay;
        if (!stays && (mode < 0 || (size_t)mode >= e->variant->n_modes))
            return report_bad_reference(e, what, of, "mode");
        if (!departures_are_valid(e, &jump->branches[i], i)) return false;
    }
    return true;
}

/* ---- modes */

static bool guards_are_valid(const examination *e, const ic_mode *mode)
{
    if (mode->n_guards > 0 && mode->guards == NULL) return report_missing(e, "mode", 0, "guards");
    for (size_t i = 0; i < mode->n_guards; i++) {
        const ic_guard *guard = &mode->guards[i];
        if (guard->name == NULL) return report_missing(e, "guard", i, "name");
        if (guard->value == NULL) return report_missing(e, "guard", i, "value");
        if (guard->rate == NULL) return report_missing(e, "guard", i, "rate");
        if (!jump_is_valid(e, "guard", i, &guard->jump, true)) return false;
        if (guard->accumulation.apply != NULL && !jump_is_valid(e, "guard", i, &guard->accumulation, true))
            return false;
    }
    return true;
}

static bool invariants_are_valid(const examination *e, const ic_mode *mode)
{
    if (mode->n_invariants > 0 && mode->invariants == NULL) return report_missing(e, "mode", 0, "invariants");
    for (size_t i = 0; i < mode->n_invariants; i++) {
        const ic_invariant *invariant = &mode->invariants[i];
        if (invariant->name == NULL || invariant->unit == NULL)
            return report_missing(e, "invariant", i, "name or unit");
        if (invariant->value == NULL) return report_missing(e, "invariant", i, "value");
        if (invariant->side < -1 || invariant->side > 1)
            return report_missing(e, "invariant", i, "side in -1, 0, 1");
    }
    return true;
}

static bool modes_are_valid(const examination *e)
{
    const ic_variant *variant = e->variant;
    if (variant->n_modes == 0 || variant->modes == NULL) return report_missing(e, "variant", 0, "mode");
    for (size_t i = 0; i < variant->n_modes; i++) {
        if (variant->modes[i].name == NULL) return report_missing(e, "mode", i, "name");
        if (variant->modes[i].flow == NULL) return report_missing(e, "mode", i, "flow");
        if (!guards_are_valid(e, &variant->modes[i]) || !invariants_are_valid(e, &variant->modes[i]))
            return false;
    }
    return true;
}

static bool variants_are_valid(examination *e)
{
    const ic_case *system = e->system;
    for (size_t i = 0; i < system->n_variants; i++) {
        const ic_variant *variant = &system->variants[i];
        e->variant = NULL;
        if (variant->name == NULL) return report_missing(e, "variant", i, "name");
        e->variant = variant;
        if (variant->law != NULL && variant->law->update != NULL)
            return report_missing(e, "law of variant", i,
                                  "memory that stays as it begins: no case follows `update`");
        if (!modes_are_valid(e) || !jump_is_valid(e, "start of variant", i, &variant->start, false))
            return false;
        for (size_t k = 0; k < variant->n_time_events; k++) {
            const ic_time_event *event = &variant->time_events[k];
            if (event->name == NULL) return report_missing(e, "time event", k, "name");
            if (event->when == NULL) return report_missing(e, "time event", k, "`when`");
            if (!jump_is_valid(e, "time event", k, &event->jump, true)) return false;
        }
    }
    e->variant = NULL;
    return true;
}

/* ---- quantities */

static bool lacks_state(const ic_case *system, const char *name)
{
    return name == NULL || ic_state_find(system, name) == system->n_states;
}

static bool lacks_listed_state(const ic_case *system, const char *const *list)
{
    while (list != NULL && *list != NULL && !lacks_state(system, *list)) list++;
    return list != NULL && *list != NULL;
}

static bool tables_are_valid(const examination *e)
{
    const ic_case *system = e->system;
    for (size_t i = 0; i < system->n_parameters; i++) {
        const ic_parameter *p = &system->parameters[i];
        if (p->name == NULL) return report_missing(e, "parameter", i, "name");
        if (p->unit == NULL || p->value == NULL || p->range == NULL)
            return report_missing(e, "parameter", i, "unit, value or range");
    }
    for (size_t i = 0; i < system->n_states; i++) {
        if (system->states[i].name == NULL || system->states[i].unit == NULL)
            return report_missing(e, "state", i, "name or unit");
    }
    for (size_t i = 0; i < system->n_outputs; i++) {
        const ic_output *output = &system->outputs[i];
        if (output->name == NULL || output->unit == NULL) return report_missing(e, "output", i, "name or unit");
        if (output->value == NULL) return report_missing(e, "output", i, "value");
    }
    return !lacks_listed_state(system, system->discrete) ||
           report_fault(system, e->error, "'discrete' names a state that the case does not have");
}

static bool is_mode_of_all_variants(const ic_case *system, int mode)
{
    for (size_t i = 0; i < system->n_variants; i++) {
        if (mode < 0 || (size_t)mode >= system->variants[i].n_modes) return false;
    }
    return true;
}

static bool lacks_output(const ic_case *system, const char *name)
{
    return name != NULL && ic_output_find(system, name) == system->n_outputs;
}

static bool conditions_are_valid(const ic_case *system)
{
    const ic_contact_view *view = system->contact;
    if (view->conditions == NULL) return true;
    for (size_t i = IC_CONDITION_A; i <= IC_CONDITION_D; i++) {
        if (view->conditions[i] == NULL || ic_variant_find(system, view->conditions[i]) == NULL) return false;
    }
    return view->gap != NULL && view->force != NULL && !lacks_state(system, view->compression);
}

static bool contact_is_valid(const examination *e)
{
    const ic_case *system = e->system;
    const ic_contact_view *view = system->contact;
    if (view == NULL) return true;
    const char *fault = NULL;
    if (!is_mode_of_all_variants(system, view->contact) || !is_mode_of_all_variants(system, view->free))
        fault = "the contact view names a mode that not every variant has";
    else if (lacks_output(system, view->gap) || lacks_output(system, view->force))
        fault = "the contact view names an output that the case does not have";
    else if (lacks_listed_state(system, view->derived))
        fault = "the contact view names a derived state that the case does not have";
    else if (view->rigid && view->gap == NULL) fault = "the contact view is rigid, but names no gap";
    else if (view->restitution != NULL && ic_parameter_find(system, view->restitution) == system->n_parameters)
        fault = "the contact view names a coefficient that the case does not have";
    else if (view->carried != NULL &&
             (lacks_state(system, view->carried[0]) || lacks_state(system, view->carried[1]) ||
              view->gap == NULL || view->force == NULL))
        fault = "carried states of the contact view need names of two states, a gap and a force";
    else if (!conditions_are_valid(system))
        fault = "conditions of the contact view need a variant for each, a gap, a force and a compression";
    return fault == NULL || report_fault(system, e->error, fault);
}

/* Solvers and audits of impacts know states and modes by number. */
static bool impact_is_valid(const examination *e)
{
    const ic_case *system = e->system;
    if (system->impact == NULL) return true;
    bool good = system->n_states == IC_IMPACT_STATES;
    for (size_t i = 0; good && i < system->n_variants; i++) {
        const ic_variant *variant = &system->variants[i];
        good = (variant->n_modes == IC_IMPACT_LIFTED_OFF + 1 || variant->n_modes == IC_IMPACT_MODES) &&
               variant->modes[IC_IMPACT_LIFTED_OFF].terminal;
    }
    return good ||
           report_fault(system, e->error,
                        "a case with an impact view must have the states and modes that impactcheck.h lists "
                        "for it, in their order: IC_IMPACT_X, ..., IC_IMPACT_STICKING, ...");
}

static bool trials_are_valid(const examination *e)
{
    const ic_case *system = e->system;
    for (size_t i = 0; i < system->n_trials; i++) {
        if (system->trials == NULL || system->trials[i].preset == NULL)
            return report_missing(e, "trial", i, "preset");
        if (ic_preset_find(system, system->trials[i].preset) == NULL)
            return report_fault(system, e->error, "a trial names a preset that the case does not have");
    }
    return true;
}

static bool presets_are_valid(const examination *e)
{
    const ic_case *system = e->system;
    for (size_t i = 0; i < system->n_presets; i++) {
        const ic_preset *preset = &system->presets[i];
        if (preset->name == NULL) return report_missing(e, "preset", i, "name");
        if (preset->settings == NULL || preset->until == NULL || preset->variant == NULL)
            return report_missing(e, "preset", i, "settings, end or variant");
        if (ic_variant_find(system, preset->variant) == NULL)
            return report_missing(e, "preset", i, "variant of the name that it gives");
    }
    return true;
}

static bool sketch_is_valid(const examination *e)
{
    const ic_case *system = e->system;
    size_t first = 0;
    if (system->n_shapes == 0) return true;
    if (system->shapes == NULL || system->sketch == NULL || system->sketch_unit == NULL)
        return report_fault(system, e->error, "its shapes have no table, no `sketch`, or no unit");
    for (size_t i = 0; i < system->n_shapes; i++) {
        const ic_shape *shape = &system->shapes[i];
        if ((unsigned)shape->kind > IC_SHAPE_TEXT)
            return report_fault(system, e->error, "a shape has a kind that does not exist");
        if (shape->label == NULL) return report_missing(e, "shape", i, "label");
        if (shape->first != first)
            return report_fault(system, e->error, "coordinates of shapes do not follow one another");
        first += ic_shape_size(shape->kind);
    }
    return true;
}

bool ic_case_check(const ic_case *system, ic_error *error)
{
    examination e = {.system = system, .error = error};
    if (system->abi_version != IC_ABI_VERSION || system->struct_size != sizeof *system) {
        /* no other field, not even the name, can be read */
        ic_error_set(error,
                     "the case was compiled for version %u of impactcheck.h, but the library has version %u",
                     system->abi_version, IC_ABI_VERSION);
        return false;
    }
    if (system->name == NULL) {
        ic_error_set(error, "the case has no name");
        return false;
    }
    if (system->n_states == 0 || system->n_states > IC_MAX_STATES || system->states == NULL)
        return report_fault(system, error, "it has no states, or more than IC_MAX_STATES");
    if (system->n_variants == 0 || system->variants == NULL)
        return report_fault(system, error, "it has no variant");
    if (system->n_presets == 0 || system->presets == NULL)
        return report_fault(system, error, "it has no preset");
    if ((system->n_parameters > 0 && system->parameters == NULL) ||
        (system->n_outputs > 0 && system->outputs == NULL))
        return report_fault(system, error, "a table of parameters or outputs is NULL, but its count is not 0");
    return tables_are_valid(&e) && variants_are_valid(&e) && contact_is_valid(&e) && impact_is_valid(&e) &&
           presets_are_valid(&e) && trials_are_valid(&e) && sketch_is_valid(&e);
}
