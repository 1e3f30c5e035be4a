/* SPDX-License-Identifier: MIT */
/* Input: a list NAME=VALUE,... for the roller. If accepted, every value is finite and in its
   parameter's range, and values set again as numbers of 17 digits are unchanged; a refusal has a
   message. */
#include "tests/fuzz/common/input.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>

static const char *set_again(const ic_parameters *first, ic_parameters *again, const ic_case *system)
{
    ic_error error = {""};
    if (!ic_parameters_open(again, "case", system->name, system->parameters, system->n_parameters, &error))
        return NULL;
    for (size_t i = 0; i < first->n; i++) {
        char setting[128];
        snprintf(setting, sizeof setting, "%s=%.17g", first->table[i].name, first->value[i]);
        if (!ic_parameters_set(again, setting, &error))
            return ic_input_no_memory(&error) ? NULL : "a value can be set as a number";
    }
    if (!ic_parameters_evaluate(again, &error)) return "a value that was in its range is so again";
    for (size_t i = 0; i < first->n; i++) {
        if (again->value[i] != first->value[i]) return "17 digits set the same value";
    }
    return NULL;
}

static const char *judge_settings(ic_fuzz_settings_reader *read, ic_parameters *parameters,
                                  const ic_case *system, const char *text)
{
    ic_error error = {""};
    ic_parameters again = {0};
    if (!read(parameters, text, &error) || !ic_parameters_evaluate(parameters, &error))
        return error.text[0] != '\0' ? NULL : "a refusal says why";
    for (size_t i = 0; i < parameters->n; i++) {
        if (!isfinite(parameters->value[i])) return "an accepted value is finite";
        if (!ic_in_range(parameters->table[i].range, parameters->value[i]))
            return "an accepted value is in its range";
    }
    const char *broken = set_again(parameters, &again, system);
    ic_parameters_close(&again);
    return broken;
}

const char *ic_fuzz_settings_by(ic_fuzz_settings_reader *read, const uint8_t *data, size_t size)
{
    ic_input input = {data, size};
    ic_parameters parameters = {0};
    ic_error error;
    const ic_case *system = ic_case_find("roller");
    char *text = ic_input_text(&input);
    const bool open =
        ic_parameters_open(&parameters, "case", system->name, system->parameters, system->n_parameters, &error);
    const char *broken = text != NULL && open ? judge_settings(read, &parameters, system, text) : NULL;
    ic_parameters_close(&parameters);
    free(text);
    return broken;
}
