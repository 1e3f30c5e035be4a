/* SPDX-License-Identifier: MIT */
/**
 * Equations of papers, as printed and as corrected, compared with the mechanics: the largest relative deviation over
 * seeded random systems. Their texts are reference/published/equations-CASE.csv; for all systems, reference/derivations
 * compares the same texts with derivations by computer algebra. Each error of an equation has its own entry, in which
 * the printed form has only that error.
 */
#pragma once

#include <stdbool.h>

/** Planted: as printed, compared with mechanics that are wrong by one part in 10^8. */
typedef enum ic_printed_form { IC_PRINTED, IC_CORRECTED, IC_PLANTED } ic_printed_form;

/** Whether the paper of a case has an equation, "eq2-sticking-x". */
bool ic_printed_has(const char *system, const char *equation);

/** Its largest deviation; infinite if it gives no number. The equation exists. */
double ic_printed_residual(const char *system, const char *equation, ic_printed_form form);
