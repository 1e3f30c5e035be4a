/* SPDX-License-Identifier: MIT */
/**
 * The formulas of a problem as text, the first part of a proof (docs/proof-format.md): parameters, modes,
 * guards, jumps, time events, the start and the end, all exact.
 */
#ifndef IC_REFERENCE_FLOW_FORMULAS_H
#define IC_REFERENCE_FLOW_FORMULAS_H

#include "impactcheck/impactcheck.h"

#include <stdbool.h>
#include <stdio.h>

/**
 * Write them, except the times of time events and of the end. false: a part of the problem has no place in a
 * proof; `message` names it.
 */
bool ic_flow_formulas_write(FILE *stream, const ic_problem *problem, char *message, size_t size);

/** Write the time of a jump, an expression in parameters and n; jump -1: the end. */
bool ic_flow_formulas_time(FILE *stream, long jump, const char *text, long n, char *message, size_t size);

#endif
