/* SPDX-License-Identifier: MIT */
/** Which impact law an engine follows: impacts of the bar against the registered maps, and against what engines do instead. */
#ifndef IC_AUDIT_ENGINE_LAWS_H
#define IC_AUDIT_ENGINE_LAWS_H

#include "audit/finding.h"

/** Impacts of the bar that tell laws apart: three angles, three coefficients of friction, two of restitution. */
enum { IC_ENGINE_PROBES = 18 };

typedef struct ic_engine_probe {
    double angle, mu, e; /* degrees; 1; 1 */
    double tip[2]; /* 1; the tip's velocity after, by the normal speed before; NAN: the impact has not ended */
} ic_engine_probe;

/** m/s by m/s; the tip's velocity before each probe */
#define IC_ENGINE_PROBE_TANGENTIAL 0.8

/** Probe i, without an answer. */
ic_engine_probe ic_engine_probe_of(size_t i);

/** Judge the laws by the answers. The best is decided where it fits and no other does as well. */
void ic_engine_classify(ic_classification *c, const ic_engine_probe probes[IC_ENGINE_PROBES]);

/** The first law that gives this velocity of the tip, by the normal speed before; NULL: none does. */
const char *ic_engine_law_of(const double tip[2], double angle, double mu, double e);

#endif
