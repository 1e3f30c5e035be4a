/* SPDX-License-Identifier: MIT */
/*
 * Units of a table, and compounds of them: "mm/ms", "ft/s^2", "kg*m/s^2". Factors of non-SI units
 * are exact by definition.
 */
#include "audit/trajectory/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Exponents of the base units. */
enum { LENGTH, MASS, TIME, ANGLE, DIMENSIONS };

typedef struct unit {
    const char *name;
    double factor;
    int power[DIMENSIONS];
} unit;

/* International foot, inch and pound: Weights and Measures, 1 July 1959; the pound-force with the
   standard gravity of 1901. */
static const unit units[] = {
    {"s", 1, {0, 0, 1, 0}},
    {"ms", 1e-3, {0, 0, 1, 0}},
    {"us", 1e-6, {0, 0, 1, 0}},
    {"ns", 1e-9, {0, 0, 1, 0}},
    {"min", 60, {0, 0, 1, 0}},
    {"h", 3600, {0, 0, 1, 0}},
    {"m", 1, {1, 0, 0, 0}},
    {"mm", 1e-3, {1, 0, 0, 0}},
    {"cm", 1e-2, {1, 0, 0, 0}},
    {"um", 1e-6, {1, 0, 0, 0}},
    {"km", 1e3, {1, 0, 0, 0}},
    {"in", 0.0254, {1, 0, 0, 0}},
    {"ft", 0.3048, {1, 0, 0, 0}},
    {"kg", 1, {0, 1, 0, 0}},
    {"g", 1e-3, {0, 1, 0, 0}},
    {"t", 1e3, {0, 1, 0, 0}},
    {"lb", 0.45359237, {0, 1, 0, 0}},
    {"rad", 1, {0, 0, 0, 1}},
    {"deg", M_PI / 180, {0, 0, 0, 1}},
    {"N", 1, {1, 1, -2, 0}},
    {"kN", 1e3, {1, 1, -2, 0}},
    {"MN", 1e6, {1, 1, -2, 0}},
    {"lbf", 0.45359237 * 9.80665, {1, 1, -2, 0}},
    {"1", 1, {0, 0, 0, 0}},
    {"%", 1e-2, {0, 0, 0, 0}},
};

static const unit *find_unit(const char *name, size_t length)
{
    for (size_t i = 0; i < IC_COUNT(units); i++) {
        if (strlen(units[i].name) == length && strncmp(units[i].name, name, length) == 0) return &units[i];
    }
    return NULL;
}

/* Read "^2" at `text`, or nothing; returns its end. NULL: not a valid power. */
static const char *read_power(const char *text, int *power)
{
    enum { MOST = 9 };
    char *end;
    *power = 1;
    if (*text != '^') return text;
    const long value = strtol(text + 1, &end, 10);
    if (end == text + 1 || value == 0 || labs(value) > MOST) return NULL;
    *power = (int)value;
    return end;
}

/*
 * Read factors joined by * and /, each with a power: "kg*m/s^2". A factor after / divides: m/s*s =
 * m.
 */
static bool read_unit(unit *product, const char *text)
{
    bool divides = false;
    *product = (unit){.factor = 1};
    for (;;) {
        const size_t length = strcspn(text, "*/^");
        const unit *part = find_unit(text, length);
        int power;
        text = part != NULL ? read_power(text + length, &power) : NULL;
        if (text == NULL) return false;
        if (divides) power = -power;
        if (power > 0) product->factor *= pow(part->factor, power);
        else product->factor /= pow(part->factor, -power);
        for (size_t i = 0; i < DIMENSIONS; i++) product->power[i] += power * part->power[i];
        if (*text == '\0') return isnormal(product->factor);
        if (*text != '*' && *text != '/') return false;
        divides = *text++ == '/';
    }
}

static bool is_like(const unit *a, const unit *b)
{
    return memcmp(a->power, b->power, sizeof a->power) == 0;
}

/* List the names of units of the same dimension as `like`; NULL: all. */
static void list_units(char *text, size_t size, const unit *like)
{
    size_t n = 0;
    text[0] = '\0';
    for (size_t i = 0; i < IC_COUNT(units); i++) {
        if (like != NULL && !is_like(&units[i], like)) continue;
        const int written = snprintf(text + n, size - n, "%s%s", n == 0 ? "" : ", ", units[i].name);
        if (written > 0 && (size_t)written < size - n) n += (size_t)written;
    }
}

bool ic_unit_to_si(double *factor, const char *name, const char *si, ic_error *error)
{
    char known[256];
    unit given, wanted;
    *factor = 1;
    if (strcmp(name, si) == 0) return true;
    if (!read_unit(&given, name)) {
        list_units(known, sizeof known, NULL);
        ic_error_set(error, "unknown unit '%s'; known are: %s, and their compounds by * / and ^, such as mm/ms",
                     name, known);
        return false;
    }
    *factor = given.factor;
    if (read_unit(&wanted, si) && is_like(&given, &wanted)) return true;
    list_units(known, sizeof known, &wanted);
    ic_error_set(error, "'%s' is not a unit of a quantity measured in %s; valid units: %s", name, si,
                 known[0] != '\0' ? known : si);
    return false;
}
