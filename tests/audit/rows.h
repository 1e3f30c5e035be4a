/* SPDX-License-Identifier: MIT */
/** Rows of studies, for tests: a column that is not there fails the test. */
#pragma once

#include "tests/tests.h"
#include "validation/studies/study.h"

/** Run a study that must be there, succeed and find something. Release it with ic_study_clear. */
ic_study_data open_study(const char *name);
IC_OWNED(ic_study_data, ic_study_clear)

double number(const ic_study_data *data, size_t row, const char *column);
const char *text(const ic_study_data *data, size_t row, const char *column);

/** The row where a column has this text, and another one this number; it must be there. */
size_t row_where(const ic_study_data *data, const char *column, const char *is, const char *another,
                 double number_is);
