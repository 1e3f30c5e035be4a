/* SPDX-License-Identifier: MIT */
/* A study as JSON and CSV. */
#include "cli/study.h"
#include "reports/csv.h"
#include "reports/json.h"

/* ---- JSON */

static void json_rows(ic_json *json, const ic_study_data *data)
{
    ic_json_array(json, "rows");
    for (size_t row = 0; row < ic_study_rows(data); row++) {
        ic_json_array_line(json, NULL);
        for (size_t i = 0; i < data->study->n_columns; i++) {
            const ic_study_cell *cell = ic_study_at(data, row, i);
            if (cell->text != NULL) ic_json_text(json, NULL, cell->text);
            else ic_json_number(json, NULL, cell->number);
        }
        ic_json_end(json);
    }
    ic_json_end(json);
}

void cli_study_json(const ic_study_data *data, FILE *stream)
{
    ic_json json = ic_json_to(stream);
    ic_json_object(&json, NULL);
    IC_JSON_MEMBERS(&json, IC_TEXT("study", data->study->name), IC_TEXT("title", data->study->title),
                    IC_TEXT("question", data->study->question));
    ic_json_array(&json, "columns");
    for (size_t i = 0; i < data->study->n_columns; i++) {
        IC_JSON_ROW(&json, NULL, IC_TEXT("name", data->study->columns[i].name),
                    IC_TEXT("unit", data->study->columns[i].unit),
                    IC_TEXT("meaning", data->study->columns[i].meaning));
    }
    ic_json_end(&json);
    json_rows(&json, data);
    ic_json_array(&json, "findings");
    for (size_t i = 0; i < data->n_findings; i++) ic_json_text(&json, NULL, data->findings[i]);
    ic_json_end(&json);
    ic_json_end(&json);
}

/* ---- CSV */

void cli_study_csv(const ic_study_data *data, FILE *stream)
{
    const size_t n = data->study->n_columns;
    for (size_t i = 0; i < n; i++) {
        ic_csv_text(stream, data->study->columns[i].name);
        fputc(i + 1 < n ? ',' : '\n', stream);
    }
    for (size_t row = 0; row < ic_study_rows(data); row++) {
        for (size_t i = 0; i < n; i++) {
            const ic_study_cell *cell = ic_study_at(data, row, i);
            if (cell->text != NULL) ic_csv_text(stream, cell->text);
            else ic_csv_number(stream, cell->number);
            fputc(i + 1 < n ? ',' : '\n', stream);
        }
    }
}
