/* SPDX-License-Identifier: MIT */
/** Evaluation of equations. */
#pragma once

#include "impactcheck/impactcheck.h"

/** Value of an operation. Operands that the operation does not have are ignored. */
double ic_operation_value(ic_operation operation, double a, double b, double c);

typedef struct ic_equation_input {
    double t;
    const double *x, *par;
} ic_equation_input;

/** Value of a term, given the values of the terms before it. */
double ic_equation_value(const ic_equation_term *term, const double *values, const ic_equation_input *in);

/** a to the constant power b, as interpreted and compiled functions compute it. */
double ic_constant_power(double a, double b);

/** The body of ic_constant_power as C text, for compiled functions. */
extern const char ic_constant_power_source[];
