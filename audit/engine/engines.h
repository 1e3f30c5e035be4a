/* SPDX-License-Identifier: MIT */
/**
 * Audit of physics engines: programs that each run one engine on two scenes
 * (audit/engine/engine_scene.h), with the engine's default settings and with its best.
 *
 * The audit measures the restitution in effect, over impacts at different places of a step, and on
 * a rough bar the energy and the velocity of the tip after an impact, and which impact law they
 * follow. Each run is a child with a time limit; a crash or a hang is a finding.
 */
#ifndef IC_AUDIT_ENGINES_H
#define IC_AUDIT_ENGINES_H

#include "audit/engine/engine_row.h"

/** An engine for which a program may be installed. */
typedef struct ic_engine_known {
    /* "ode" */
    const char *name;

    /* the packages with which its program is built */
    const char *debian;
} ic_engine_known;

extern const ic_engine_known ic_engines_known[];
extern const size_t ic_engines_known_count;

/**
 * Fills one row for each configuration (for an engine of a plugin only the first), and adds
 * findings. Sets `no_memory` of the findings if memory ran out.
 */
void ic_audit_engine(ic_findings *findings, ic_engine_row rows[IC_ENGINE_CONFIGS],
                     const ic_engine_request *request);

#endif
