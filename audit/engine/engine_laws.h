/* SPDX-License-Identifier: MIT */
/**
 * Which impact law an engine follows: impacts against the registered maps, and against what engines
 * do instead.
 */
#ifndef IC_AUDIT_ENGINE_LAWS_H
#define IC_AUDIT_ENGINE_LAWS_H

#include "audit/common/finding.h"
#include "audit/engine/engine_probes.h"

/** Judge the laws by the answers. The best is decided where it fits and no other does as well. */
void ic_engine_classify(ic_classification *c, const ic_engine_probe probes[IC_ENGINE_PROBES]);

/**
 * The first law that gives the bar of Table 2 this velocity of its tip, by the normal speed before;
 * NULL: none does.
 */
const char *ic_engine_law_of(const double tip[2], double angle, double mu, double e);

#endif
