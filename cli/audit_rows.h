/* SPDX-License-Identifier: MIT */
/** What an audit found, for people and for programs. */
#ifndef IC_CLI_AUDIT_ROWS_H
#define IC_CLI_AUDIT_ROWS_H

#include "audit/trajectory/trajectory_audit.h"
#include "cli/audit_text.h"
#include "cli/request.h"

#include <stdio.h>

cli_audit_result cli_audit_rows_result(const ic_trajectory_audit *audit);

/** false: memory ran out. */
bool cli_audit_rows_print(const cli_request *request, const ic_trajectory_audit *audit);

void cli_audit_rows_json(const cli_request *request, const ic_trajectory_audit *audit, FILE *stream);

#endif
