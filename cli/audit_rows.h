/* SPDX-License-Identifier: MIT */
/** Findings about a trajectory, as tables and as JSON. */
#pragma once

#include "audit/trajectory/trajectory_audit.h"
#include "cli/audit_text.h"
#include "cli/instance.h"

#include <stdio.h>

cli_audit_result cli_audit_rows_result(const ic_trajectory_audit *audit);

/** false: memory ran out. */
bool cli_audit_rows_print(const cli_instance *instance, const ic_trajectory_audit *audit);

void cli_audit_rows_json(const cli_instance *instance, const ic_trajectory_audit *audit, FILE *stream);
