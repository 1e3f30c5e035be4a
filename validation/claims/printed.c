/* SPDX-License-Identifier: MIT */
#include "validation/claims/printed.h"

#include "validation/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Random systems. MOST_NAMES: definitions of one equation, and the general ones. */
enum { SYSTEMS = 32, MOST_NAMES = 128 };

static const unsigned long long first_seed = 1999;

/* Columns of a table of equations; `of` are equations, or "" for all, and the name of an equation itself is "". */
enum { OF, NAME, PRINTED, CORRECTED, TRUTH, COLUMNS };

static bool open_table(ic_table *table, const char *system)
{
    static const char *const columns[COLUMNS] = {"of", "name", "text", "corrected", "truth"};
    char path[96];
    snprintf(path, sizeof path, "published/equations-%s.csv", system);
    const ic_embedded *file = ic_embedded_find(path);
    return file != NULL && ic_table_open(table, path, file->text, columns, COLUMNS, NULL);
}

static bool is_of(const ic_table *table, size_t row, const char *equation)
{
    const size_t length = strlen(equation);
    const char *of = ic_table_field(table, row, OF);
    if (length == 0) return *of == '\0';
    for (; (of = strstr(of, equation)) != NULL; of += length) {
        const bool starts = of == ic_table_field(table, row, OF) || of[-1] == ' ';
        if (starts && (of[length] == ' ' || of[length] == '\0')) return true;
    }
    return false;
}

/* The row of a name of an equation, or of all of them, "". The number of rows: there is none. */
static size_t find_row(const ic_table *table, const char *equation, const char *name)
{
    size_t i = 0;
    while (i < table->n_rows &&
           !(is_of(table, i, equation) && strcmp(ic_table_field(table, i, NAME), name) == 0))
        i++;
    return i;
}

bool ic_printed_has(const char *system, const char *equation)
{
    ic_table table;
    if (!open_table(&table, system)) return false;
    const bool has = find_row(&table, equation, "") < table.n_rows;
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

/* Names of all equations, where the equation has no row of its own for them, and then those that only it has. */
static void define_all(scope *s, const ic_table *table, const char *equation, bool planted)
{
    for (int own = 0; own < 2; own++) {
        for (size_t i = 0; i < table->n_rows; i++) {
            const char *name = ic_table_field(table, i, NAME);
            const bool for_all = find_row(table, "", name) < table->n_rows;
            if (!is_of(table, i, own ? equation : "") || name[0] == '\0' || (own && for_all)) continue;
            const size_t special = find_row(table, equation, name);
            const char *text = ic_table_field(table, special < table->n_rows ? special : i, PRINTED);
            define(s, name, planted && strcmp(name, "error") == 0 ? "1e-8" : text);
        }
    }
}

double ic_printed_residual(const char *system, const char *equation, ic_printed_form form)
{
    scope s = {.seed = first_seed, .named.parameters = s.names};
    ic_table table;
    double worst = 0;
    if (!open_table(&table, system)) return INFINITY;
    const size_t row = find_row(&table, equation, "");
    const bool corrected = form == IC_CORRECTED && ic_table_field(&table, row, CORRECTED)[0] != '\0';
    for (int n = 0; n < SYSTEMS && isfinite(worst); n++) {
        s.named.n_parameters = 0;
        define_all(&s, &table, equation, form == IC_PLANTED);
        const double value = value_of(&s, ic_table_field(&table, row, corrected ? CORRECTED : PRINTED));
        const double truth = value_of(&s, ic_table_field(&table, row, TRUTH));
        const double deviation = fabs(value - truth) / fmax(fabs(value), fabs(truth));
        worst = isfinite(deviation) ? fmax(worst, deviation) : INFINITY;
    }
    ic_table_close(&table);
    return worst;
}
