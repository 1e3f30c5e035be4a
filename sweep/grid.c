/* SPDX-License-Identifier: MIT */
#include "sweep/grid.h"

#include <math.h>
#include <string.h>

enum { LONGEST_NUMBER = 128, MOST_PARTS = 4 };

/* Splits "FROM:TO:COUNT[:log]" at its colons; 0: too many or too long parts. */
static size_t split_parts(char parts[MOST_PARTS][LONGEST_NUMBER], const char *text)
{
    size_t n = 0;
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ":");
        if (n == MOST_PARTS || length >= LONGEST_NUMBER) return 0;
        memcpy(parts[n], at, length);
        parts[n++][length] = '\0';
        at += length;
        if (*at == '\0') return n;
    }
}

static bool read_end(double *value, const char *text, const char *which, const char *whole, ic_error *error)
{
    ic_error why;
    if (!ic_expression_number(value, text, NULL, &why)) {
        ic_error_set(error, "'%s': %s: %s; expected a number such as 0.1, 3/2, 80pi or 5.06e5", whole, which,
                     why.text);
        return false;
    }
    if (isfinite(*value)) return true;
    ic_error_set(error, "'%s': %s is not finite", whole, which);
    return false;
}

static bool read_count(size_t *count, const char *text, const char *whole, ic_error *error)
{
    double number = 0;
    if (ic_expression_number(&number, text, NULL, NULL) && number >= 1 && number <= IC_MOST_PARAMETER_SETS &&
        number == floor(number)) {
        *count = (size_t)number;
        return true;
    }
    ic_error_set(error, "'%s': COUNT, '%s', is not a whole number from 1 to %d", whole, text,
                 IC_MOST_PARAMETER_SETS);
    return false;
}

static bool read_spacing(ic_axis *axis, const char *text, const char *whole, ic_error *error)
{
    axis->logarithmic = text != NULL;
    if (text == NULL) return true;
    if (strcmp(text, "log") != 0) {
        ic_error_set(error, "'%s': '%s' is not a spacing: write log, or nothing for even spacing", whole, text);
        return false;
    }
    if (axis->from > 0 && axis->to > 0) return true;
    ic_error_set(error, "'%s': with log, FROM and TO must be positive", whole);
    return false;
}

/* Values between FROM and TO are computed from their difference, or their ratio, as doubles. */
static bool check_range_of_values(const ic_axis *axis, const char *whole, ic_error *error)
{
    if (axis->logarithmic ? isnormal(axis->to / axis->from) : isfinite(axis->to - axis->from)) return true;
    ic_error_set(error,
                 "'%s': FROM and TO differ too much: values between them exceed the range of double precision",
                 whole);
    return false;
}

static bool read_axis(ic_axis *axis, const char *text, ic_error *error)
{
    char parts[MOST_PARTS][LONGEST_NUMBER];
    const size_t name_length = strcspn(text, "=");
    const size_t n = text[name_length] == '=' ? split_parts(parts, text + name_length + 1) : 0;
    if (n < 3 || name_length == 0 || name_length >= sizeof axis->name) {
        ic_error_set(error, "'%s': expected NAME=FROM:TO:COUNT or NAME=FROM:TO:COUNT:log", text);
        return false;
    }
    memcpy(axis->name, text, name_length);
    axis->name[name_length] = '\0';
    if (!read_end(&axis->from, parts[0], "FROM", text, error) ||
        !read_end(&axis->to, parts[1], "TO", text, error) || !read_count(&axis->count, parts[2], text, error) ||
        !read_spacing(axis, n == 4 ? parts[3] : NULL, text, error) || !check_range_of_values(axis, text, error))
        return false;
    if (axis->count == 1 || axis->from != axis->to) return true;
    ic_error_set(error, "'%s': FROM and TO are the same, so all %zu values would be equal", text, axis->count);
    return false;
}

bool ic_grid_add(ic_grid *grid, const char *text, ic_error *error)
{
    ic_axis axis;
    if (!read_axis(&axis, text, error)) return false;
    for (size_t i = 0; i < grid->n_axes; i++) {
        if (strcmp(grid->axes[i].name, axis.name) != 0) continue;
        ic_error_set(error, "parameter '%s' is varied twice; vary it once", axis.name);
        return false;
    }
    if (grid->n_axes == IC_MOST_AXES) {
        ic_error_set(error, "at most %d parameters may be varied", IC_MOST_AXES);
        return false;
    }
    const size_t n_sets = grid->n_axes == 0 ? 1 : grid->n_sets;
    if (axis.count > IC_MOST_PARAMETER_SETS / n_sets) {
        ic_error_set(error, "'%s': more than %d parameter sets", text, IC_MOST_PARAMETER_SETS);
        return false;
    }
    grid->axes[grid->n_axes++] = axis;
    grid->n_sets = n_sets * axis.count;
    return true;
}

double ic_axis_value(const ic_axis *axis, size_t i)
{
    if (i == 0) return axis->from;
    if (i + 1 == axis->count) return axis->to;
    const double fraction = (double)i / (double)(axis->count - 1);
    if (axis->logarithmic) return axis->from * pow(axis->to / axis->from, fraction);
    return axis->from + fraction * (axis->to - axis->from);
}

void ic_grid_values(const ic_grid *grid, size_t set, double *values)
{
    for (size_t k = grid->n_axes; k-- > 0;) {
        values[k] = ic_axis_value(&grid->axes[k], set % grid->axes[k].count);
        set /= grid->axes[k].count;
    }
}
