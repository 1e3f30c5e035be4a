/* SPDX-License-Identifier: MIT */
/** Restitution in effect of audited laws, as tables. */
#pragma once

#include "audit/common/finding.h"

#include <stdbool.h>

/**
 * A table for each law: a row for each e_in, a column for each speed, and the value by the law's
 * texts. false: memory ran out.
 */
bool cli_restitution_print(const ic_restitution_point *points, size_t count);
