/* SPDX-License-Identifier: MIT */
#include "core/parameters.h"
#include "core/names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- ranges */

static bool read_range_end(const char **at, double *value)
{
    char *end = NULL;
    while (**at == ' ') (*at)++;
    *value = strtod(*at, &end); /* also reads inf and -inf */
    if (end == *at) return false;
    *at = end;
    while (**at == ' ') (*at)++;
    return true;
}

static bool is_in_set(const char *at, double value)
{
    double element = NAN;
    bool found = false;
    do {
        at++;
        if (!read_range_end(&at, &element)) return false;
        found = found || element == value;
    } while (*at == ',');
    return found && *at == '}';
}

bool ic_in_range(const char *range, double value)
{
    double low = NAN, high = NAN;
    const char *at = range + 1;
    if (range[0] == '{') return is_in_set(range, value);
    if ((range[0] != '(' && range[0] != '[') || !read_range_end(&at, &low) || *at++ != ',') return false;
    if (!read_range_end(&at, &high) || (*at != ')' && *at != ']')) return false;
    return (range[0] == '[' ? value >= low : value > low) && (*at == ']' ? value <= high : value < high);
}

/* ---- texts */

char *ic_copy_text(const char *text, size_t length, ic_error *error)
{
    char *copy = malloc(length + 1);
    if (copy == NULL) {
        ic_error_no_memory(error);
        return NULL;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

static bool set_value(ic_parameters *parameters, size_t i, const char *text, size_t length, ic_error *error)
{
    char *copy = ic_copy_text(text, length, error);
    if (copy == NULL) return false;
    free(parameters->text[i]);
    parameters->text[i] = copy;
    return true;
}

bool ic_parameters_open(ic_parameters *parameters, const char *kind, const char *name,
                        const ic_parameter *table, size_t n, ic_error *error)
{
    *parameters = (ic_parameters){.kind = kind, .name = name, .table = table, .n = n};
    parameters->text = calloc(n + 1, sizeof *parameters->text);
    parameters->value = calloc(n + 1, sizeof *parameters->value);
    if (parameters->text == NULL || parameters->value == NULL) return ic_error_no_memory(error);
    for (size_t i = 0; i < n; i++) {
        if (!set_value(parameters, i, table[i].value, strlen(table[i].value), error)) return false;
    }
    return true;
}

void ic_parameters_close(ic_parameters *parameters)
{
    for (size_t i = 0; i < parameters->n && parameters->text != NULL; i++) free(parameters->text[i]);
    free(parameters->text);
    free(parameters->value);
    *parameters = (ic_parameters){0};
}

static bool refuse_parameter(const ic_parameters *parameters, const char *name, size_t length, ic_error *error)
{
    char *wrong = ic_copy_text(name, length, error);
    if (wrong == NULL) return false;
    ic_nearest nearest = {.wrong = wrong};
    for (size_t i = 0; i < parameters->n; i++) ic_nearest_offer(&nearest, parameters->table[i].name);
    ic_error_set(error, "%s '%s' has no parameter '%s'%s (impactcheck list %ss --long shows all)",
                 parameters->kind, parameters->name, wrong, ic_nearest_hint(&nearest).text, parameters->kind);
    free(wrong);
    return false;
}

static bool set_text(ic_parameters *parameters, const char *setting, size_t length, ic_error *error)
{
    const char *equals = memchr(setting, '=', length);
    if (equals == NULL || equals == setting) {
        ic_error_set(error, "'%.*s': expected NAME=VALUE", (int)length, setting);
        return false;
    }
    const size_t name_length = (size_t)(equals - setting);
    for (size_t i = 0; i < parameters->n; i++) {
        const char *name = parameters->table[i].name;
        if (strlen(name) == name_length && memcmp(name, setting, name_length) == 0) {
            return set_value(parameters, i, equals + 1, length - name_length - 1, error);
        }
    }
    return refuse_parameter(parameters, setting, name_length, error);
}

bool ic_parameters_set(ic_parameters *parameters, const char *setting, ic_error *error)
{
    return set_text(parameters, setting, strlen(setting), error);
}

bool ic_parameters_set_list(ic_parameters *parameters, const char *settings, ic_error *error)
{
    for (const char *at = settings; *at != '\0';) {
        while (*at == ' ' || *at == ',') at++;
        const size_t length = strcspn(at, ",");
        if (length > 0 && !set_text(parameters, at, length, error)) return false;
        at += length;
    }
    return true;
}

/* ---- values */

bool ic_parameters_number(const ic_parameters *parameters, double *value, const char *expression,
                          ic_error *error)
{
    /* expressions look up parameters in a case, so wrap them in an otherwise empty one */
    const ic_case system = {.parameters = parameters->table, .n_parameters = parameters->n};
    const ic_names names = {.system = &system, .par = parameters->value};
    return ic_expression_number(value, expression, &names, error);
}

static bool evaluate_parameter(ic_parameters *parameters, size_t i, ic_error *error)
{
    const ic_parameter *parameter = &parameters->table[i];
    const bool has_unit = parameter->unit[0] != '1';
    const char *text = parameters->text[i];
    /* may be an expression in earlier ones */
    const bool is_default = strcmp(text, parameter->value) == 0;
    ic_error why;
    double value = NAN;
    if (!(is_default ? ic_parameters_number(parameters, &value, text, &why)
                     : ic_expression_number(&value, text, NULL, &why))) {
        ic_error_set(error, "parameter '%s': %s; expected a number such as 0.1, 3/2, 80pi or 5.06e5",
                     parameter->name, why.text);
        return false;
    }
    if (!ic_in_range(parameter->range, value)) {
        const bool has_meaning = parameter->meaning[0] != '\0';
        const bool plain = strspn(parameters->text[i], "0123456789.eE+-") == strlen(parameters->text[i]);
        char shown[32] = "";
        if (!plain) snprintf(shown, sizeof shown, " = %.6g", value);
        ic_error_set(error, "parameter '%s' = %s%s is outside its range %s%s%s%s%s%s", parameter->name,
                     parameters->text[i], shown, parameter->range, has_unit ? " " : "",
                     has_unit ? parameter->unit : "", has_meaning ? " (" : "", parameter->meaning,
                     has_meaning ? ")" : "");
        return false;
    }
    parameters->value[i] = value;
    return true;
}

bool ic_parameters_evaluate(ic_parameters *parameters, ic_error *error)
{
    for (size_t i = 0; i < parameters->n; i++) {
        if (!evaluate_parameter(parameters, i, error)) return false;
    }
    return true;
}

bool ic_parameters_require(const ic_parameters *parameters, const ic_requirement *requirements, size_t n,
                           ic_error *error)
{
    for (size_t i = 0; i < n; i++) {
        const ic_requirement *requirement = &requirements[i];
        double value = NAN;
        if (!ic_parameters_number(parameters, &value, requirement->positive, error)) return false;
        if (value > 0) continue;
        /* The text of a <= b is step(b - a), whose value is not informative. */
        if (strncmp(requirement->positive, "step(", strlen("step(")) == 0)
            ic_error_set(error, "this requirement is not met: %s", requirement->meaning);
        else
            ic_error_set(error, "%s: %s = %g is not positive", requirement->meaning, requirement->positive,
                         value);
        return false;
    }
    return true;
}
