/* SPDX-License-Identifier: MIT */
/**
 * Formulas, written in one line as in the comments of cases, as MathML.
 *
 *     m_2 v_2' = -m_2 g + F_c + c_23 (v_3 - v_2)     F_w sin(omega t + phi)     -mu F_y/c_x
 *
 * Factors that stand side by side are multiplied. `/` takes the one factor before it and the one
 * behind it, and drops a pair of parentheses; `^` and `_` bind tighter: x_2^2, x_(i+1), e^(-k t). Primes are
 * derivatives, Greek letters go by their names, "..." is text, and sqrt(x), dot(x), ddot(x),
 * abs(x), int(x) have their usual meaning. Relations and commas stand between expressions: = < > <= >= ->
 * , ; :
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/**
 * A paragraph of class "formula"; a long one is several <math> elements, between which lines may
 * end, since MathML is never broken. false: it cannot be read from `*wrong` on; what was read is
 * written, and all elements are closed.
 */
bool ic_formula_write(FILE *stream, const char *text, const char **wrong);

/** The letter with a name of n letters: "theta" is θ. NULL: there is none. */
const char *ic_formula_greek(const char *name, size_t n);
