/* SPDX-License-Identifier: MIT */
/** The results of a study, as text and as JSON. */
#pragma once

#include "validation/studies/study.h"

#include <stdio.h>

/** Title, question, table and findings, on standard output. false: memory ran out. */
bool cli_study_print(const ic_study_data *data, bool all_rows);

/** One JSON object. */
void cli_study_json(const ic_study_data *data, FILE *stream);

/** Names of the columns, then the rows. */
void cli_study_csv(const ic_study_data *data, FILE *stream);
