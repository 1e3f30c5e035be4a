/* SPDX-License-Identifier: MIT */
/**
 * Audit of physics engines: programs that each run one engine on two scenes
 * (adapters/engines/scene.h), as it comes and set as well as it can be.
 *
 * Measured are the restitution in effect, over impacts that fall on different places of a step; and
 * on a rough bar the energy and the velocity of the tip after an impact, and which impact law that
 * is. Each run is a child with a time limit: one that crashes or hangs is a finding.
 */
#ifndef IC_AUDIT_ENGINES_H
#define IC_AUDIT_ENGINES_H

#include "audit/engine/engine_row.h"

/** An engine that there may be a program for. */
typedef struct ic_engine_known {
    /* "ode" */
    const char *name;

    /* the packages that its program is built with */
    const char *debian;
} ic_engine_known;

extern const ic_engine_known ic_engines_known[];
extern const size_t ic_engines_known_count;

/**
 * Fills one row for each configuration (a plugin's engine: the first only), and adds findings;
 * `no_memory` of the findings tells whether memory ran out.
 */
void ic_audit_engine(ic_findings *findings, ic_engine_row rows[IC_ENGINE_CONFIGS],
                     const ic_engine_request *request);

#endif
