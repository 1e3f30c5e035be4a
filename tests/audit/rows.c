/* SPDX-License-Identifier: MIT */
#include "tests/audit/rows.h"

#include <CUnit/CUnit.h>
#include <string.h>

ic_study_data open_study(const char *name)
{
    ic_study_data data;
    const ic_study *study = ic_study_find(name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(study);
    CU_ASSERT_FATAL(ic_study_run(&data, study));
    CU_ASSERT(data.n_findings > 0);
    return data;
}

static size_t column_named(const ic_study_data *data, const char *name)
{
    size_t i = 0;
    while (i + 1 < data->study->n_columns && strcmp(data->study->columns[i].name, name) != 0) i++;
    CU_ASSERT_STRING_EQUAL(data->study->columns[i].name, name);
    return i;
}

double number(const ic_study_data *data, size_t row, const char *column)
{
    return ic_study_at(data, row, column_named(data, column))->number;
}

const char *text(const ic_study_data *data, size_t row, const char *column)
{
    return ic_study_at(data, row, column_named(data, column))->text;
}

size_t row_where(const ic_study_data *data, const char *column, const char *is, const char *another,
                 double number_is)
{
    for (size_t i = 0; i < ic_study_rows(data); i++) {
        if (strcmp(text(data, i, column), is) == 0 && number(data, i, another) == number_is) return i;
    }
    CU_FAIL("no such row");
    return 0;
}
