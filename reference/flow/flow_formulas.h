/* SPDX-License-Identifier: MIT */
/**
 * The formulas of a problem as text, the first part of a proof (docs/proof-format.md): parameters, modes,
 * guards, jumps, time events, the start and the end, all exact.
 */
#pragma once

#include "impactcheck/impactcheck.h"
#include "reference/ball.h"

#include <stdbool.h>
#include <stdio.h>

/**
 * Write them, with constants of tables to a precision, except the times of time events and of the end. false: a part of the problem has no place in a
 * proof; `message` names it.
 */
bool ic_flow_formulas_write(FILE *stream, const ic_problem *problem, slong prec, char *message, size_t size);

/** Write an exact number, such as -0x1afp-40, after a space. */
void ic_flow_exact_write(FILE *stream, const arf_t x);

/** Write the time of a jump, an expression in parameters and n; jump -1: the end. */
bool ic_flow_formulas_time(FILE *stream, const ic_problem *problem, long jump, const char *text, long n,
                           char *message, size_t size);
