/* SPDX-License-Identifier: MIT */
#include "validation/claims/closed_form.h"

#include "casefile/dimension.h"

#include <math.h>
#include <string.h>

static const char *const kinds[IC_CLOSED_FORM_KINDS] = {
    [IC_CLOSED_EVENT_TIME] = "event_time(",   [IC_CLOSED_ACCUMULATION_TIME] = "accumulation_time(",
    [IC_CLOSED_AT_EVENT] = "at_event(",       [IC_CLOSED_FINAL] = "final(",
    [IC_CLOSED_EVENT_COUNT] = "event_count(",
};

static bool find_kind(ic_closed_form_kind *kind, const ic_quantity *quantity)
{
    const char *form = ic_call_form(&quantity->first);
    for (int i = 0; i < IC_CLOSED_FORM_KINDS && quantity->operation == '\0'; i++) {
        *kind = (ic_closed_form_kind)i;
        if (strncmp(form, kinds[i], strlen(kinds[i])) == 0) return true;
    }
    return false;
}

static bool has_unit(const ic_quantity *quantity, const char *unit)
{
    ic_unit wanted, given;
    ic_error error;
    size_t offset;
    if (unit[0] == '\0' || quantity->unit == NULL || strcmp(unit, quantity->unit) == 0) return true;
    return ic_unit_read(&wanted, quantity->unit, NULL, NULL, &offset, &error) &&
           ic_unit_read(&given, unit, NULL, NULL, &offset, &error) &&
           ic_dimensions_equal(&wanted.dimension, &given.dimension);
}

/* Whether the formula has a value for the parameters of the preset. */
static bool has_value(const ic_call *call, const char *formula, ic_error *error)
{
    ic_setup setup;
    double value = NAN;
    if (!ic_path_open(&setup, call->arguments[0], error)) return false;
    const ic_names names = {.system = setup.problem.system, .par = setup.par};
    const bool good = ic_expression_number(&value, formula, &names, error);
    ic_setup_close(&setup);
    if (good && !isfinite(value)) ic_error_set(error, "the formula has no value for these parameters");
    return good && isfinite(value);
}

bool ic_closed_form_read(ic_quantity *quantity, ic_closed_form_kind *kind, const ic_case *system, size_t i,
                         ic_closed_form_report *report, void *context)
{
    const ic_closed_form *form = &system->closed_forms[i];
    const char *key = "of";
    size_t offset = 0;
    ic_error error;
    bool good = ic_quantity_parse(quantity, form->of, system, &offset, &error);
    if (good && !find_kind(kind, quantity)) {
        ic_error_set(&error, "a closed form may be of one event_time, accumulation_time, at_event, final or "
                             "event_count");
        good = false;
    }
    if (good && !has_unit(quantity, form->unit)) {
        key = "is";
        ic_error_set(&error, "units differ: the quantity is in %s, but the formula is in %s", quantity->unit,
                     form->unit);
        good = false;
    }
    if (good && !has_value(&quantity->first, form->value, &error)) {
        key = "is";
        good = false;
    }
    if (!good) report(form->name, key, offset, error.text, context);
    return good;
}
