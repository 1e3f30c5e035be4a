/* SPDX-License-Identifier: MIT */
/* Units, scales and times: every solver and every tolerance depends on them. */
#include "casefile/dimension.h"
#include "core/model.h"
#include "validation/case/judge.h"

#include <math.h>
#include <stdio.h>

static bool unit_is_known(ic_judge *judge, const ic_mode *mode, const char *kind, const char *name,
                          const char *unit)
{
    char of[96];
    if (unit != NULL && ic_unit_is_si(unit)) return true;
    snprintf(of, sizeof of, "%s '%s'", kind, name);
    return ic_contradicts(judge, &(const ic_place){.mode = mode, .of = of}, NULL, "its unit is an SI unit",
                          "unit '%s'; units are written as N s/m^2, J/(kg K), 1", unit != NULL ? unit : "");
}

static bool units_are_known(ic_judge *judge)
{
    const ic_case *system = judge->problem->system;
    const ic_variant *variant = judge->problem->variant;
    for (size_t i = 0; i < system->n_parameters; i++) {
        const ic_parameter *p = &system->parameters[i];
        if (!unit_is_known(judge, NULL, "parameter", p->name, p->unit)) return false;
    }
    for (size_t i = 0; i < system->n_states; i++) {
        if (!unit_is_known(judge, NULL, "state", system->states[i].name, system->states[i].unit)) return false;
    }
    for (size_t i = 0; i < system->n_outputs; i++) {
        if (!unit_is_known(judge, NULL, "output", system->outputs[i].name, system->outputs[i].unit))
            return false;
    }
    for (size_t m = 0; m < variant->n_modes; m++) {
        const ic_mode *mode = &variant->modes[m];
        for (size_t i = 0; i < mode->n_guards; i++) {
            if (!unit_is_known(judge, mode, "guard", mode->guards[i].name, mode->guards[i].unit)) return false;
        }
        for (size_t i = 0; i < mode->n_invariants; i++) {
            const ic_invariant *invariant = &mode->invariants[i];
            if (!unit_is_known(judge, mode, "invariant", invariant->name, invariant->unit)) return false;
        }
    }
    return true;
}

static bool is_positive(ic_judge *judge, const char *of, const char *text)
{
    const ic_names names = {.system = judge->problem->system, .par = judge->problem->par};
    const ic_place place = {.of = of};
    ic_error error = {""};
    double value = NAN;
    if (text == NULL) return ic_contradicts(judge, &place, NULL, "it is a positive number", "it has no text");
    if (!ic_expression_number(&value, text, &names, &error))
        return ic_contradicts(judge, &place, NULL, "its text can be evaluated", "%.160s", error.text);
    judge->comparisons++;
    if (value > 0) return true;
    return ic_contradicts(judge, &place, NULL, "it is a positive number", "'%.120s' is %.9g", text, value);
}

bool ic_judge_quantities(ic_judge *judge)
{
    const ic_case *system = judge->problem->system;
    char of[96];
    if (!units_are_known(judge) || !is_positive(judge, "time scale", ic_time_scale_text(judge->problem)))
        return false;
    if (system->period != NULL && !is_positive(judge, "period of the forcing", system->period)) return false;
    for (size_t i = 0; i < system->n_states; i++) {
        snprintf(of, sizeof of, "scale of state '%s'", system->states[i].name);
        if (!is_positive(judge, of, system->states[i].scale)) return false;
    }
    return true;
}
