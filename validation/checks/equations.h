/* SPDX-License-Identifier: MIT */
/** Values of a case's equations at places of a record, and how the records are made. */
#ifndef IC_VALIDATION_CHECKS_EQUATIONS_H
#define IC_VALIDATION_CHECKS_EQUATIONS_H

#include "core/model.h"

#include <stdio.h>

/**
 * Write the values of all equations of the problem's variant, at time t and at x (n_states
 * numbers), in lines of fields separated by semicolons: MODE;WHAT;VALUE;VALUE;... The state is used
 * as it is, whether or not a mode can have it.
 */
void ic_equations_evaluate(FILE *out, const ic_problem *problem, double t, const double *x);

/**
 * Write the record of a case, reference/equations/CASE.csv: for each variant random values of the
 * parameters, `places` times and states, and the values of the equations there.
 */
bool ic_equations_write(FILE *out, const ic_case *system, unsigned places, ic_error *error);

#endif
