/* SPDX-License-Identifier: MIT */
/** Parameters fitted to the rows of a trajectory, as a table and as JSON. */
#pragma once

#include "audit/trajectory/checks/checks.h"
#include "reports/json.h"

/** A table; nothing where nothing was fitted. false: memory ran out. */
bool cli_audit_parameters_print(const ic_parameter_fits *fits);

/** The member `parameters`. */
void cli_audit_parameters_json(ic_json *json, const ic_parameter_fits *fits);
