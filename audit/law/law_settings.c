/* SPDX-License-Identifier: MIT */
#include "audit/law/law.h"

#include "core/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values in a finite range, as parts of it; in an infinite one, as multiples of the default. */
static const double parts[] = {0, 0.02, 0.1, 0.35, 0.8, 0.95, 1};
static const double multiples[] = {0.25, 4};
/* Part of a finite range next to its ends where nothing is drawn: a law may be stiff without bound there. */
#define END 0.01

typedef struct setting_list {
    ic_law_setting *settings;
    size_t count, most;
    const ic_parameter *parameter;
    size_t number;
    double by_default;
} setting_list;

static void add_setting(setting_list *l, double value)
{
    if (l->count == l->most || value == l->by_default) return;
    if (!isfinite(value) || !ic_in_range(l->parameter->range, value)) return;
    l->settings[l->count++] = (ic_law_setting){l->number, value};
}

/* Ends that are not plain numbers count as infinite. */
static void read_ends(double ends[2], const char *range)
{
    const char *comma = strchr(range, ',');
    char *after;
    ends[0] = strtod(range + 1, &after);
    if (after == range + 1 || *after != ',') ends[0] = -INFINITY;
    ends[1] = comma != NULL ? strtod(comma + 1, &after) : INFINITY;
    if (comma == NULL || after == comma + 1 || (*after != ')' && *after != ']')) ends[1] = INFINITY;
}

static void vary_parameter(setting_list *l)
{
    double ends[2];
    read_ends(ends, l->parameter->range);
    if (isfinite(ends[0]) && isfinite(ends[1])) {
        for (size_t i = 0; i < IC_COUNT(parts); i++) add_setting(l, ends[0] + parts[i] * (ends[1] - ends[0]));
        return;
    }
    add_setting(l, ends[0]);
    for (size_t i = 0; i < IC_COUNT(multiples); i++) add_setting(l, multiples[i] * l->by_default);
    add_setting(l, ends[1]);
}

/* The value `i` of so many, each from its own part of the range: no window of two parts is missed. */
static double draw_value(const setting_list *l, size_t i, size_t times, double decades, uint64_t *seed)
{
    double ends[2];
    const double whole = ic_uniform(seed, (double)i, (double)i + 1) / (double)times;
    read_ends(ends, l->parameter->range);
    if (isfinite(ends[0]) && isfinite(ends[1]))
        return ends[0] + (END + (1 - 2 * END) * whole) * (ends[1] - ends[0]);
    const bool near = i % 2 == 0 || strcmp(l->parameter->unit, "1") == 0;
    return l->by_default * pow(10, (2 * whole - 1) * (near ? 1 : decades));
}

size_t ic_law_draw_settings(ic_law_setting *settings, size_t most, size_t times, double decades,
                            const ic_law *law, const double *defaults, uint64_t *seed)
{
    setting_list l = {.settings = settings, .most = most};
    for (; l.number < law->n_parameters; l.number++) {
        l.parameter = &law->parameters[l.number];
        l.by_default = defaults[l.number];
        for (size_t i = 0; i < times && l.parameter->range != NULL; i++)
            add_setting(&l, draw_value(&l, i, times, decades, seed));
    }
    return l.count;
}

size_t ic_law_settings(ic_law_setting settings[IC_MOST_LAW_SETTINGS], const ic_law *law, const double *defaults)
{
    setting_list l = {.settings = settings, .count = 1, .most = IC_MOST_LAW_SETTINGS};
    settings[0] = (ic_law_setting){law->n_parameters, 0};
    for (l.number = 0; l.number < law->n_parameters; l.number++) {
        l.parameter = &law->parameters[l.number];
        l.by_default = defaults[l.number];
        if (l.parameter->range != NULL) vary_parameter(&l);
    }
    return l.count;
}

ic_setting_text ic_law_setting_text(const ic_law *law, const ic_law_setting *setting)
{
    ic_setting_text with = {""};
    if (setting->parameter < law->n_parameters)
        snprintf(with.text, sizeof with.text, ", with %.40s = %.6g", law->parameters[setting->parameter].name,
                 setting->value);
    return with;
}

bool ic_law_text_value(double *value, const ic_law *law, const char *text, const double *par, double d,
                       double v0, ic_error *error)
{
    const size_t n = law->n_parameters;
    ic_parameter *table = calloc(n + 2, sizeof *table);
    double *values = calloc(n + 2, sizeof *values);
    bool good = table != NULL && values != NULL;
    if (good) {
        memcpy(table, law->parameters, n * sizeof *table);
        memcpy(values, par, n * sizeof *values);
        table[n].name = "v0", values[n] = v0;
        table[n + 1].name = "d", values[n + 1] = d;
        const ic_case named = {.parameters = table, .n_parameters = n + 2};
        good = ic_expression_number(value, text, &(ic_names){.system = &named, .par = values}, error);
    } else ic_error_no_memory(error);
    free(table);
    free(values);
    return good;
}

bool ic_law_permits(const ic_law *law, const double *par, double v0)
{
    bool permits = true;
    for (size_t i = 0; permits && i < law->n_requirements; i++) {
        double value = NAN;
        permits =
            ic_law_text_value(&value, law, law->requirements[i].positive, par, NAN, v0, NULL) && value > 0;
    }
    return permits;
}
