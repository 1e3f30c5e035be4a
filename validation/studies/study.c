/* SPDX-License-Identifier: MIT */
#include "validation/studies/study.h"
#include "core/array.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IC_STUDY(name) extern const ic_study ic_study_##name;
#include "validation/studies/studies.def"

const ic_study *const ic_studies[] = {
#define IC_STUDY(name) &ic_study_##name,
#include "validation/studies/studies.def"
};
const size_t ic_study_count = IC_COUNT(ic_studies);

const ic_study *ic_study_find(const char *name)
{
    for (size_t i = 0; i < ic_study_count; i++) {
        if (strcmp(ic_studies[i]->name, name) == 0) return ic_studies[i];
    }
    return NULL;
}

/* ---- called by studies */

void ic_study_fail(ic_study_data *data, const char *format, ...)
{
    va_list arguments;
    if (data->failed) return;
    data->failed = true;
    va_start(arguments, format);
    vsnprintf(data->error.text, sizeof data->error.text, format, arguments);
    va_end(arguments);
}

static void out_of_memory(ic_study_data *data)
{
    ic_study_fail(data, "memory ran out");
}

/* A cell of another kind than its column is a mistake in the study, which would shift all later
   cells. */
static void add_cell(ic_study_data *data, double number, const char *text)
{
    if (data->failed) return;
    const size_t n = data->study->n_columns;
    const ic_study_column *column = &data->study->columns[data->n_cells % n];
    if ((text != NULL) != (column->unit == NULL)) {
        ic_study_fail(data, "row %zu: column '%s' holds %s", data->n_cells / n + 1, column->name,
                      column->unit == NULL ? "texts, a number is given" : "numbers, a text is given");
        return;
    }
    ic_study_cell *cells = ic_array_reserve(data->cells, &data->cell_capacity, data->n_cells, sizeof *cells);
    if (cells == NULL) {
        out_of_memory(data);
        return;
    }
    data->cells = cells;
    cells[data->n_cells++] = (ic_study_cell){number, text};
}

void ic_study_number(ic_study_data *data, double number)
{
    add_cell(data, number, NULL);
}

void ic_study_numbers(ic_study_data *data, const double *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++) ic_study_number(data, numbers[i]);
}

void ic_study_text(ic_study_data *data, const char *text)
{
    add_cell(data, NAN, text);
}

static char *format_text(const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text != NULL) vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

void ic_study_finding(ic_study_data *data, const char *format, ...)
{
    va_list arguments;
    if (data->failed) return;
    char **findings =
        ic_array_reserve(data->findings, &data->finding_capacity, data->n_findings, sizeof *findings);
    if (findings == NULL) {
        out_of_memory(data);
        return;
    }
    data->findings = findings;
    va_start(arguments, format);
    findings[data->n_findings] = format_text(format, arguments);
    va_end(arguments);
    if (findings[data->n_findings] == NULL) out_of_memory(data);
    else data->n_findings++;
}

/* ---- running and reading */

bool ic_study_run(ic_study_data *data, const ic_study *study)
{
    *data = (ic_study_data){.study = study};
    study->run(data);
    if (data->n_cells % study->n_columns != 0) ic_study_fail(data, "its last row is not complete");
    if (data->n_cells == 0) ic_study_fail(data, "it has no rows");
    return !data->failed;
}

void ic_study_clear(ic_study_data *data)
{
    for (size_t i = 0; i < data->n_findings; i++) free(data->findings[i]);
    free(data->findings);
    free(data->cells);
    *data = (ic_study_data){0};
}

size_t ic_study_rows(const ic_study_data *data)
{
    return data->n_cells / data->study->n_columns;
}

const ic_study_cell *ic_study_at(const ic_study_data *data, size_t row, size_t column)
{
    return &data->cells[row * data->study->n_columns + column];
}
