/* SPDX-License-Identifier: MIT */
/**
 * The audit of a solver in parts: event location; one or more presets of every case; every trap; a
 * repeated run. Each part can run in a process of its own, so that a crash or a hang hides no other
 * part.
 */
#ifndef IC_AUDIT_SOLVER_PARTS_H
#define IC_AUDIT_SOLVER_PARTS_H

#include "audit/common/finding_writer.h"
#include "audit/solver/known.h"
#include "impactcheck/impactcheck.h"

size_t ic_solver_part_count(void);

/** The name of a part in messages: "roller/III/C", "trap brief-ledge/throw". */
void ic_solver_part_name(char *name, size_t size, size_t part);

/** Runs one part. `known`: the mistakes that the parts before have found, which this one adds to. */
void ic_audit_solver_part(ic_finding_writer *writer, const ic_solver *solver, size_t part, ic_known *known);

#endif
