/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/input/input.h"
#include "casefile/dimension.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t ic_list_item(const char *list)
{
    bool quoted = false;
    size_t n = 0;
    for (; list[n] != '\0' && (quoted || list[n] != ','); n++) quoted ^= list[n] == '"';
    return n;
}

const char *ic_listed_value(const char *list, const char *name, char *value)
{
    const size_t length = strlen(name);
    for (const char *s = list; s != NULL && *s != '\0'; s += ic_list_item(s), s += *s == ',') {
        const size_t item = ic_list_item(s);
        if (item < length || strncmp(s, name, length) != 0) continue;
        if (item == length) return value[0] = '\0', value;
        if (s[length] != '=') continue;
        const size_t rest = item - length - 1, size = rest < IC_MOST_LISTED - 1 ? rest : IC_MOST_LISTED - 1;
        memcpy(value, s + length + 1, size);
        value[size] = '\0';
        return value;
    }
    return NULL;
}

/* The column of a name or, if no column has that name, of a number. */
static bool find_name(size_t *column, const ic_csv *csv, const char *name)
{
    *column = ic_csv_column(csv, name);
    if (*column < csv->n_columns) return true;
    if (name[0] == '\0' || name[strspn(name, "0123456789")] != '\0' || strlen(name) > 6) return false;
    const unsigned long number = strtoul(name, NULL, 10);
    if (number < 1 || number > csv->n_columns) return false;
    *column = (size_t)number - 1;
    return true;
}

/* Reads "", "+NUMBER" or "-NUMBER". */
static bool read_offset(double *offset, const char *text)
{
    *offset = 0;
    if (text[0] == '\0') return true;
    const bool has_sign = text[0] == '-' || text[0] == '+';
    return has_sign && (isdigit((unsigned char)text[1]) || text[1] == '.') &&
           ic_csv_parse_number(text, offset) && isfinite(*offset);
}

/* The column of a quoted name, after which an offset may stand. */
static bool find_quoted(ic_column_use *use, const ic_csv *csv, const char *text)
{
    char name[IC_MOST_LISTED];
    size_t n = 0;
    const char *s = text + 1;
    for (; *s != '\0' && !(s[0] == '"' && s[1] != '"'); s++) {
        s += s[0] == '"';
        name[n++] = *s;
    }
    name[n] = '\0';
    use->column = ic_csv_column(csv, name);
    return *s == '"' && use->column < csv->n_columns && read_offset(&use->offset, s + 1);
}

/* Whether a column occurs in a formula as a word. */
static bool is_in_text(const char *text, const char *name)
{
    const size_t n = strlen(name);
    for (const char *s = text; n > 0 && (s = strstr(s, name)) != NULL; s++) {
        const bool begins = s == text || !(isalnum((unsigned char)s[-1]) || s[-1] == '_');
        if (begins && !(isalnum((unsigned char)s[n]) || s[n] == '_')) return true;
    }
    return false;
}

/* A formula that is linear in columns, as an expression whose states are the columns. */
static bool find_formula(ic_column_use *use, const ic_csv *csv, const char *text, const ic_problem *problem)
{
    ic_state states[IC_MOST_ADDED + 1];
    size_t columns[IC_MOST_ADDED + 1], n = 0;
    ic_form form;
    for (size_t i = 0; i < csv->n_columns; i++) {
        if (!is_in_text(text, csv->names[i])) continue;
        if (n > IC_MOST_ADDED) return false;
        states[n] = (ic_state){.name = csv->names[i]};
        columns[n++] = i;
    }
    const ic_case table = {.states = states,
                           .n_states = n,
                           .parameters = problem != NULL ? problem->system->parameters : NULL,
                           .n_parameters = problem != NULL ? problem->system->n_parameters : 0};
    const ic_names names = {.system = &table, .par = problem != NULL ? problem->par : NULL, .states = true};
    if (n == 0 || !ic_expression(&form, text, &names, NULL) || form.frequency != 0) return false;
    *use = (ic_column_use){
        .column = columns[0], .factor = form.state[0], .offset = form.constant, .n_added = n - 1};
    for (size_t i = 1; i < n; i++) use->added[i - 1] = columns[i], use->factor_added[i - 1] = form.state[i];
    return true;
}

/* A formula, behind which a unit may stand. */
static bool find_formula_in_unit(ic_column_use *use, const ic_csv *csv, const char *text,
                                 const ic_problem *problem, const char *si)
{
    char formula[IC_MOST_LISTED];
    const char *blank = strrchr(text, ' ');
    double unit;
    if (find_formula(use, csv, text, problem)) return true;
    if (blank == NULL || blank[1] == '\0' || si == NULL || !ic_unit_to_si(&unit, blank + 1, si, NULL))
        return false;
    snprintf(formula, sizeof formula, "%.*s", (int)(blank - text), text);
    if (!ic_column_find(use, csv, formula, problem, NULL)) return false;
    use->factor *= unit;
    use->offset *= unit;
    for (size_t i = 0; i < use->n_added; i++) use->factor_added[i] *= unit;
    return true;
}

bool ic_column_number(const ic_csv *csv, const ic_column_use *use, double factor, double *value,
                      ic_error *error)
{
    double sum, added;
    if (!ic_csv_field_number(csv, use->column, &sum, error)) return false;
    sum = use->factor * sum + use->offset;
    for (size_t i = 0; i < use->n_added; i++) {
        if (!ic_csv_field_number(csv, use->added[i], &added, error)) return false;
        sum += use->factor_added[i] * added;
    }
    *value = factor * sum;
    if (isfinite(*value)) return true;
    ic_error_set(error, "%s:%zu:%zu: column '%s': %.40s is not a finite number in SI units", csv->path,
                 csv->line, csv->places[use->column], csv->names[use->column], csv->fields[use->column]);
    return false;
}

bool ic_column_find(ic_column_use *use, const ic_csv *csv, const char *wanted, const ic_problem *problem,
                    const char *si)
{
    char name[IC_MOST_LISTED];
    *use = (ic_column_use){.column = csv->n_columns, .factor = 1};
    /* A name that contains a sign is a name. */
    if (find_name(&use->column, csv, wanted)) return true;
    const char *text = wanted + (wanted[0] == '-' || wanted[0] == '+');
    use->factor = wanted[0] == '-' ? -1 : 1;
    if (text[0] == '"') return find_quoted(use, csv, text);
    if (find_name(&use->column, csv, text)) return true;
    for (size_t n = 1; text[0] != '\0' && text[n] != '\0' && n < sizeof name; n++) {
        if (text[n] != '+' && text[n] != '-') continue;
        memcpy(name, text, n);
        name[n] = '\0';
        if (find_name(&use->column, csv, name) && read_offset(&use->offset, text + n)) return true;
    }
    *use = (ic_column_use){.column = csv->n_columns, .factor = 1};
    return find_formula_in_unit(use, csv, wanted, problem, si);
}

/* ---- units */

bool ic_unit_to_si(double *factor, const char *name, const char *si, ic_error *error)
{
    ic_unit given, wanted;
    size_t offset = 0;
    *factor = 1;
    if (strcmp(name, si) == 0) return true;
    if (!ic_unit_read(&given, name, NULL, NULL, &offset, error)) return false;
    *factor = given.factor;
    if (ic_unit_read(&wanted, si, NULL, NULL, &offset, NULL) &&
        ic_dimensions_equal(&given.dimension, &wanted.dimension))
        return true;
    ic_error_set(error, "'%s' is not a unit of a quantity measured in %s", name, si);
    return false;
}
