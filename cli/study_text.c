/* SPDX-License-Identifier: MIT */
/* A study as a table with findings. */
#include "cli/command.h"
#include "cli/study.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "reports/number.h"

#include <stdio.h>
#include <stdlib.h>

enum { DIGITS = 6, INDENT = 2, FIRST_ROWS = 10, LAST_ROWS = 5 };

/* ---- the table */

/* "kappa", or "to_v, m/s" */
static ic_hint column_title(const ic_study_column *column)
{
    const bool plain = column->unit == NULL || (column->unit[0] == '1' && column->unit[1] == '\0');
    ic_hint title;
    snprintf(title.text, sizeof title.text, "%s%s%s", column->name, plain ? "" : ", ",
             plain ? "" : column->unit);
    return title;
}

static void add_row(cli_table *table, const ic_study_data *data, size_t row)
{
    for (size_t i = 0; i < data->study->n_columns; i++) {
        const ic_study_cell *cell = ic_study_at(data, row, i);
        cli_table_cell(table, cell->text != NULL ? cell->text : ic_number_short(cell->number, DIGITS).text);
    }
}

static void add_rows(cli_table *table, const ic_study_data *data, bool all)
{
    const size_t n = ic_study_rows(data);
    const bool cut = !all && n > FIRST_ROWS + LAST_ROWS + 1;
    char text[96];
    for (size_t row = 0; row < n; row++) {
        if (!cut || row < FIRST_ROWS || row + LAST_ROWS >= n) add_row(table, data, row);
        if (!cut || row != FIRST_ROWS) continue;
        snprintf(text, sizeof text, "... %zu more (--all-rows shows them, --out FILE.csv writes them) ...",
                 n - FIRST_ROWS - LAST_ROWS);
        cli_table_line(table, text);
    }
}

/* A table borrows its titles. */
static bool print_table(const ic_study_data *data, bool all, cli_column *columns, ic_hint *titles)
{
    const ic_study *study = data->study;
    for (size_t i = 0; i < study->n_columns; i++) {
        titles[i] = column_title(&study->columns[i]);
        columns[i] = (cli_column){titles[i].text, study->columns[i].unit == NULL ? CLI_LEFT : CLI_POINT};
    }
    cli_table *table = cli_table_new(columns, study->n_columns);
    add_rows(table, data, all);
    return cli_table_finish(table, INDENT, true);
}

bool cli_study_print(const ic_study_data *data, bool all_rows)
{
    const ic_study *study = data->study;
    cli_column *columns = calloc(study->n_columns, sizeof *columns);
    ic_hint *titles = calloc(study->n_columns, sizeof *titles);
    printf("%s  %s\n", cli_paint(stdout, CLI_BOLD, study->name).text, study->title);
    if (study->question[0] != '\0') printf("%*s%s\n", INDENT, "", study->question);
    putchar('\n');
    const bool good = columns != NULL && titles != NULL && print_table(data, all_rows, columns, titles);
    free(columns);
    free(titles);
    if (good && data->n_findings > 0) printf("\n%s\n", cli_paint(stdout, CLI_BOLD, "Findings").text);
    for (size_t i = 0; i < data->n_findings && good; i++) printf("%*s- %s\n", INDENT, "", data->findings[i]);
    return good;
}
