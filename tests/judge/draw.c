/* SPDX-License-Identifier: MIT */
#include "tests/judge/draw.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* splitmix64 */
static uint64_t next_random(draw *d)
{
    uint64_t z = d->random += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

int draw_choice(draw *d, int n)
{
    return (int)(next_random(d) % (uint64_t)n);
}

int draw_given(draw *d, const char *decimal)
{
    assert(d->n_parameters < DRAW_MOST_PARAMETERS);
    snprintf(d->decimals[d->n_parameters], DRAW_DECIMAL, "%s", decimal);
    return d->n_parameters++;
}

int draw_number(draw *d, double value, int digits)
{
    char decimal[DRAW_DECIMAL];
    snprintf(decimal, sizeof decimal, "%.*g", digits, value);
    return draw_given(d, decimal);
}

int draw_parameter(draw *d, double low, double high, int digits)
{
    const double part = ldexp((double)(next_random(d) >> 11), -53);
    return draw_number(d, low > 0 ? low * pow(high / low, part) : low + (high - low) * part, digits);
}

void draw_ranges(draw *d, const double ranges[][3], size_t n)
{
    for (size_t i = 0; i < n; i++) draw_parameter(d, ranges[i][0], ranges[i][1], (int)ranges[i][2]);
}

double draw_value(const draw *d, int parameter)
{
    return strtod(d->decimals[parameter], NULL);
}

void draw_write(draw *d, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(d->text + d->length, DRAW_TEXT - d->length, format, arguments);
    va_end(arguments);
    d->length += (size_t)n;
    assert(d->length < DRAW_TEXT);
}

void draw_line(draw *d, const char *name, int parameter, const char *unit)
{
    draw_write(d, "  %s: %s %s\n", name, d->decimals[parameter], unit);
}

void draw_set(draw *d, const char *name, int parameter)
{
    assert(d->n_settings < DRAW_MOST_SETTINGS);
    char setting[sizeof d->settings[0]];
    snprintf(setting, sizeof setting, "%s=%s", name, d->decimals[parameter]);
    memcpy(d->settings[d->n_settings++], setting, sizeof setting);
}

num draw_end(const draw *d)
{
    return d->par[d->n_parameters - 1];
}

void draw_load(draw *d)
{
    for (int i = 0; i < d->n_parameters; i++) {
        mpfr_init2(d->par[i], r_bits());
        mpfr_set_str(d->par[i], d->decimals[i], 10, MPFR_RNDN);
    }
}

void draw_unload(draw *d)
{
    for (int i = 0; i < d->n_parameters; i++) mpfr_clear(d->par[i]);
}

const char *draw_option(int argc, char **argv, const char *name, const char *otherwise)
{
    for (int i = 1; i + 1 < argc; i++) {
        if (strcmp(argv[i], name) == 0) return argv[i + 1];
    }
    return otherwise;
}
