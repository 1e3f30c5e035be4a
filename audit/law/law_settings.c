/* SPDX-License-Identifier: MIT */
#include "audit/law/law_settings.h"

#include "core/parameters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a finite range: parts of it. Of an infinite one: parts of the default. */
static const double within[] = {0, 0.02, 0.1, 0.35, 0.8, 0.95, 1};
static const double beside[] = {0.25, 4};

typedef struct list {
    ic_law_setting *settings;
    size_t count;
    const ic_parameter *parameter;
    size_t number;
    double by_default;
} list;

static void add(list *l, double value)
{
    if (l->count == IC_LAW_SETTINGS_MOST || value == l->by_default) return;
    if (!isfinite(value) || !ic_in_range(l->parameter->range, value)) return;
    l->settings[l->count++] = (ic_law_setting){l->number, value};
}

/* Ends that are no plain numbers are taken for infinite. */
static void ends_of(double ends[2], const char *range)
{
    const char *comma = strchr(range, ',');
    char *after;
    ends[0] = strtod(range + 1, &after);
    if (after == range + 1 || *after != ',') ends[0] = -INFINITY;
    ends[1] = comma != NULL ? strtod(comma + 1, &after) : INFINITY;
    if (comma == NULL || after == comma + 1 || (*after != ')' && *after != ']')) ends[1] = INFINITY;
}

static void vary(list *l)
{
    double ends[2];
    ends_of(ends, l->parameter->range);
    if (isfinite(ends[0]) && isfinite(ends[1])) {
        for (size_t i = 0; i < IC_COUNT(within); i++) add(l, ends[0] + within[i] * (ends[1] - ends[0]));
        return;
    }
    add(l, ends[0]);
    for (size_t i = 0; i < IC_COUNT(beside); i++) add(l, beside[i] * l->by_default);
    add(l, ends[1]);
}

size_t ic_law_settings(ic_law_setting settings[IC_LAW_SETTINGS_MOST], const ic_law *law, const double *defaults)
{
    list l = {.settings = settings, .count = 1};
    settings[0] = (ic_law_setting){law->n_parameters, 0};
    for (l.number = 0; l.number < law->n_parameters; l.number++) {
        l.parameter = &law->parameters[l.number];
        l.by_default = defaults[l.number];
        if (l.parameter->range != NULL) vary(&l);
    }
    return l.count;
}

bool ic_law_permits(const ic_law *law, const double *par, double v0)
{
    const size_t n = law->n_parameters;
    if (law->n_requirements == 0) return true;
    ic_parameter *table = calloc(n + 1, sizeof *table);
    double *values = calloc(n + 1, sizeof *values);
    bool permits = table != NULL && values != NULL;
    if (permits) {
        memcpy(table, law->parameters, n * sizeof *table);
        memcpy(values, par, n * sizeof *values);
        table[n].name = "v0";
        values[n] = v0;
    }
    const ic_case named = {.parameters = table, .n_parameters = n + 1};
    const ic_names names = {.system = &named, .par = values};
    for (size_t i = 0; permits && i < law->n_requirements; i++) {
        double value = NAN;
        permits = ic_expression_number(&value, law->requirements[i].positive, &names, NULL) && value > 0;
    }
    free(table);
    free(values);
    return permits;
}
