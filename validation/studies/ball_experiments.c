/* SPDX-License-Identifier: MIT */
#include "validation/studies/ball_experiments.h"
#include "validation/table.h"

#include <stdio.h>
#include <string.h>

#define PATH "published/ball-experiments.csv"

enum {
    SPECIMEN,
    V0,
    V_AFTER,
    RESTITUTION_MEASURED,
    RESTITUTION_PRINTED,
    RESTITUTION_ERROR,
    FORCE_MEASURED,
    FORCE_PRINTED,
    FORCE_ERROR,
    COLUMNS
};

static const char *const columns[COLUMNS] = {"specimen",
                                             "v0",
                                             "v_after",
                                             "restitution_measured",
                                             "restitution_printed",
                                             "restitution_error",
                                             "force_measured",
                                             "force_printed",
                                             "force_error"};

const char *const ic_ball_specimens[IC_BALL_SPECIMENS] = {"C1", "C2"};

static bool read_number(double *value, const ic_table *table, size_t row, size_t column, ic_error *error)
{
    const char *field = ic_table_field(table, row, column);
    ic_error why;
    if (ic_expression_number(value, field, NULL, &why) && *value > 0) return true;
    return ic_table_error(error, PATH, ic_table_place(table, row, column), "'%.40s' is not a positive number",
                          field);
}

static bool read_row(ic_ball_experiment *e, const ic_table *table, size_t row, ic_error *error)
{
    double *const numbers[COLUMNS] = {
        [V0] = &e->v0,
        [V_AFTER] = &e->v_after,
        [RESTITUTION_MEASURED] = &e->restitution.measured,
        [RESTITUTION_PRINTED] = &e->restitution.printed,
        [RESTITUTION_ERROR] = &e->restitution.error,
        [FORCE_MEASURED] = &e->force.measured,
        [FORCE_PRINTED] = &e->force.printed,
        [FORCE_ERROR] = &e->force.error,
    };
    snprintf(e->preset, sizeof e->preset, "ball/%.4s/%.8s", ic_table_field(table, row, SPECIMEN),
             ic_table_field(table, row, V0));
    for (size_t i = V0; i < COLUMNS; i++) {
        if (!read_number(numbers[i], table, row, i, error)) return false;
    }
    return true;
}

/* Rows must stand by specimen, speed rising: then each place is filled once. */
static bool read_table(ic_ball_experiments *experiments, const ic_table *table, ic_error *error)
{
    if (table->n_rows != (size_t)IC_BALL_SPECIMENS * IC_BALL_SPEEDS) {
        ic_error_set(error, PATH ": %zu rows instead of %d", table->n_rows, IC_BALL_SPECIMENS * IC_BALL_SPEEDS);
        return false;
    }
    for (size_t row = 0; row < table->n_rows; row++) {
        const size_t s = row / IC_BALL_SPEEDS, k = row % IC_BALL_SPEEDS;
        ic_ball_experiment *e = &experiments->of[s][k];
        if (strcmp(ic_table_field(table, row, SPECIMEN), ic_ball_specimens[s]) != 0)
            return ic_table_error(error, PATH, ic_table_place(table, row, SPECIMEN), "expected specimen '%s'",
                                  ic_ball_specimens[s]);
        if (!read_row(e, table, row, error)) return false;
        if (k > 0 && !(e->v0 > e[-1].v0))
            return ic_table_error(error, PATH, ic_table_place(table, row, V0), "speeds must rise");
    }
    return true;
}

bool ic_ball_experiments_parse(ic_ball_experiments *experiments, const char *text, ic_error *error)
{
    ic_table table;
    if (!ic_table_open(&table, PATH, text, columns, COLUMNS, error)) return false;
    const bool good = read_table(experiments, &table, error);
    ic_table_close(&table);
    return good;
}

bool ic_ball_experiments_read(ic_ball_experiments *experiments, ic_error *error)
{
    const ic_embedded *file = ic_embedded_find(PATH);
    if (file != NULL) return ic_ball_experiments_parse(experiments, file->text, error);
    ic_error_set(error, PATH " is not built in");
    return false;
}
