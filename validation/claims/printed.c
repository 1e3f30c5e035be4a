/* SPDX-License-Identifier: MIT */
#include "validation/claims/printed.h"

#include "core/names.h"
#include "validation/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Random systems. MOST_NAMES: definitions of one equation, and the general ones. */
enum { SYSTEMS = 32, MOST_NAMES = 128 };

static const unsigned long long first_seed = 1999;

/* Columns of a table of equations. */
enum { OF, IS, TEXT };

static bool open_table(ic_table *table, const char *system)
{
    static const char *const columns[] = {"of", "is", "text"};
    char path[96];
    snprintf(path, sizeof path, "published/equations-%s.csv", system);
    const ic_embedded *file = ic_embedded_find(path);
    return file != NULL && ic_table_open(table, path, file->text, columns, IC_COUNT(columns), NULL);
}

/* Text of a name of an equation, or of a general one, ""; NULL: there is none. */
static const char *text_of(const ic_table *table, const char *equation, const char *name)
{
    for (size_t i = 0; i < table->n_rows; i++) {
        if (strcmp(ic_table_field(table, i, OF), equation) == 0 &&
            strcmp(ic_table_field(table, i, IS), name) == 0)
            return ic_table_field(table, i, TEXT);
    }
    return NULL;
}

bool ic_printed_has(const char *system, const char *equation)
{
    ic_table table;
    if (!open_table(&table, system)) return false;
    const bool has = text_of(&table, equation, "printed") != NULL;
    ic_table_close(&table);
    return has;
}

/* ---- one random system */

/* Names and their values so far. */
typedef struct scope {
    ic_parameter names[MOST_NAMES];
    double values[MOST_NAMES];
    ic_case named;
    unsigned long long seed;
} scope;

/* Lehmer's generator modulo the prime 2^31 - 1: the same numbers on every machine. */
static double draw(unsigned long long *seed, double low, double high)
{
    *seed = *seed * 48271u % 2147483647u;
    return low + (high - low) * (double)*seed / 2147483647.0;
}

/* A formula in the names so far, or a random number, "0.5..3". NAN: it has no value. */
static double value_of(scope *s, const char *text)
{
    double value;
    const char *dots = strstr(text, "..");
    const ic_names names = {.system = &s->named, .par = s->values};
    if (dots != NULL) return draw(&s->seed, strtod(text, NULL), strtod(dots + 2, NULL));
    return ic_expression_number(&value, text, &names, NULL) ? value : NAN;
}

static void define(scope *s, const char *name, const char *text)
{
    const size_t i = s->named.n_parameters;
    if (i == MOST_NAMES) return;
    s->values[i] = value_of(s, text);
    s->names[i] = (ic_parameter){.name = name};
    s->named.n_parameters++;
}

/* General names, where the equation has no row of its own for them, and then those that only it has. */
static void define_all(scope *s, const ic_table *table, const char *equation, bool planted)
{
    for (int own = 0; own < 2; own++) {
        for (size_t i = 0; i < table->n_rows; i++) {
            const char *of = ic_table_field(table, i, OF), *name = ic_table_field(table, i, IS);
            const char *special = text_of(table, equation, name);
            if (strcmp(of, own ? equation : "") != 0 || (own && text_of(table, "", name) != NULL)) continue;
            define(s, name,
                   planted && strcmp(name, "error") == 0 ? "1e-8"
                   : special != NULL                     ? special
                                                         : ic_table_field(table, i, TEXT));
        }
    }
}

/* Difference of a form and the truth, divided by the larger of the two. */
static double deviation(const scope *s, const char *form)
{
    const double value = s->values[ic_parameter_find(&s->named, form)];
    const double truth = s->values[ic_parameter_find(&s->named, "truth")];
    return fabs(value - truth) / fmax(fabs(value), fabs(truth));
}

double ic_printed_residual(const char *system, const char *equation, ic_printed_form form)
{
    scope s = {.seed = first_seed};
    ic_table table;
    double worst = 0;
    if (!open_table(&table, system)) return INFINITY;
    const bool corrected = form == IC_CORRECTED && text_of(&table, equation, "corrected") != NULL;
    s.named.parameters = s.names;
    for (int n = 0; n < SYSTEMS && isfinite(worst); n++) {
        s.named.n_parameters = 0;
        define_all(&s, &table, equation, form == IC_PLANTED);
        const double deviates = deviation(&s, corrected ? "corrected" : "printed");
        worst = isfinite(deviates) ? fmax(worst, deviates) : INFINITY;
    }
    ic_table_close(&table);
    return worst;
}
