/* SPDX-License-Identifier: MIT */
/** Rows of studies, for tests: a column that is not there fails the test. */
#ifndef IC_TESTS_AUDIT_ROWS_H
#define IC_TESTS_AUDIT_ROWS_H

#include "validation/studies/study.h"

/** Run a study that must be there, succeed and find something. Release it with ic_study_clear. */
void open_study(ic_study_data *data, const char *name);

double number(const ic_study_data *data, size_t row, const char *column);
const char *text(const ic_study_data *data, size_t row, const char *column);

/** The row where a column has this text, and another one this number; it must be there. */
size_t row_where(const ic_study_data *data, const char *column, const char *is, const char *another,
                 double number_is);

#endif
