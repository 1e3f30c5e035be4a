/* SPDX-License-Identifier: MIT */
#include "audit/rows/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct unit {
    const char *name, *si;
    double factor;
} units[] = {
    {"s", "s", 1},
    {"ms", "s", 1e-3},
    {"us", "s", 1e-6},
    {"min", "s", 60},
    {"m", "m", 1},
    {"mm", "m", 1e-3},
    {"cm", "m", 1e-2},
    {"um", "m", 1e-6},
    {"km", "m", 1e3},
    {"m/s", "m/s", 1},
    {"mm/s", "m/s", 1e-3},
    {"cm/s", "m/s", 1e-2},
    {"km/h", "m/s", 1 / 3.6},
    {"rad", "rad", 1},
    {"deg", "rad", M_PI / 180},
    {"rad/s", "rad/s", 1},
    {"deg/s", "rad/s", M_PI / 180},
    {"N", "N", 1},
    {"kN", "N", 1e3},
    {"MN", "N", 1e6},
    {"1", "1", 1},
    {"%", "1", 1e-2},
};

/* Names of all units for `si`, of all where it is NULL. */
static void list(char *text, size_t size, const char *si)
{
    size_t n = 0;
    text[0] = '\0';
    for (size_t i = 0; i < IC_COUNT(units); i++) {
        if (si != NULL && strcmp(units[i].si, si) != 0) continue;
        const int written = snprintf(text + n, size - n, "%s%s", n == 0 ? "" : ", ", units[i].name);
        if (written > 0 && (size_t)written < size - n) n += (size_t)written;
    }
}

bool ic_unit_to_si(double *factor, const char *name, const char *si, ic_error *error)
{
    char known[256];
    for (size_t i = 0; i < IC_COUNT(units); i++) {
        if (strcmp(units[i].name, name) != 0) continue;
        *factor = units[i].factor;
        if (strcmp(units[i].si, si) == 0) return true;
        list(known, sizeof known, si);
        ic_error_set(error, "'%s' is no unit of what is measured in %s; those are: %s", name, si, known);
        return false;
    }
    list(known, sizeof known, NULL);
    ic_error_set(error, "unknown unit '%s'; known are: %s", name, known);
    return false;
}
