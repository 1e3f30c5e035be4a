/* SPDX-License-Identifier: MIT */
/**
 * The audit of a solver, in parts: each can be run in a process of its own, so that one on which it
 * crashes or hangs hides no other.
 *
 *     where it puts events; a preset or more of every case; every trap
 */
#ifndef IC_AUDIT_SOLVER_PARTS_H
#define IC_AUDIT_SOLVER_PARTS_H

#include "audit/common/sink.h"
#include "impactcheck/impactcheck.h"

size_t ic_solver_part_count(void);

/** What it is run on, for people: "roller/III/C", "trap brief-ledge/throw". */
void ic_solver_part_name(char *name, size_t size, size_t part);

/**
 * Run one part. `late` is the mistake by which the first part has explained wrong times,
 * IC_NO_MISTAKE before that; returns it, or what the part has found.
 */
ic_mistake_id ic_audit_solver_part(ic_sink *sink, const ic_solver *solver, size_t part, ic_mistake_id late);

#endif
