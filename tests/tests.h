/* SPDX-License-Identifier: MIT */
/**
 * Suites of the test program. Each function registers one suite with CUnit.
 *
 * A comment that begins with `planted` marks a deliberately wrong answer that a check must reject.
 */
#ifndef IC_TESTS_TESTS_H
#define IC_TESTS_TESTS_H

#include "impactcheck/impactcheck.h"

#include <stddef.h>

/**
 * Number of our solvers that serve a problem: a test that loops over solvers asserts how many it
 * found.
 */
size_t ic_tests_serving(const ic_problem *problem);

#define IC_TESTS(group, name) void ic_tests_##name(void);
#include "tests/suites.def"
#undef IC_TESTS

/**
 * A guard, rate or other function of time, state and parameters, by an expression in t, x and par.
 */
#define IC_TESTS_VALUE(name, expression)                                                                       \
    static double name(double t, const double *x, const double *par)                                           \
    {                                                                                                          \
        (void)t, (void)x, (void)par;                                                                           \
        return expression;                                                                                     \
    }

/** Part of a gallery to test: element number `first`, and every `stride`-th after it. */
typedef struct ic_tests_part {
    size_t first, stride;
} ic_tests_part;

/**
 * Reads IC_TESTS_PART=K/N, K < N, from the environment; otherwise the part is the whole gallery.
 * The galleries of plugins take minutes.
 */
ic_tests_part ic_tests_part_wanted(void);

/** Whether element i of a shorter gallery is tested: each `turns`-th, if a part is wanted. */
bool ic_tests_is_turn(size_t i, size_t turns);

#endif
