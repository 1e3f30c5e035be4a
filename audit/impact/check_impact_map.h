/* SPDX-License-Identifier: MIT */
#ifndef IC_AUDIT_IMPACT_CHECK_IMPACT_MAP_H
#define IC_AUDIT_IMPACT_CHECK_IMPACT_MAP_H

#include "audit/common/sink.h"

/** Audit a rigid impact map; in a child process, where it is a plugin's. */
void ic_audit_impact_map(ic_sink *sink, const ic_impact_map *map);

#endif
