/* SPDX-License-Identifier: MIT */
#ifndef IC_AUDIT_IMPACT_CHECK_IMPACT_MAP_H
#define IC_AUDIT_IMPACT_CHECK_IMPACT_MAP_H

#include "audit/common/finding_writer.h"

/** Audits a rigid impact map. A plugin's map must be audited in a child process. */
void ic_audit_impact_map(ic_finding_writer *writer, const ic_impact_map *map);

#endif
