/* SPDX-License-Identifier: MIT */
/**
 * What every suite of the test program uses.
 *
 * A comment that begins with `planted` marks a deliberately wrong answer that a check must reject.
 */
#pragma once

#include "impactcheck/impactcheck.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** The suite of a file. */
typedef struct ic_tests_suite {
    /* selected by IC_TESTS_GROUP: `light` takes no time, `solvers` (solvers, reference, checks and studies) a minute,
       `audits` more */
    const char *group;

    const char *name;

    /* called before the first test and after the last one; 0: all is well; or NULL */
    int (*begin)(void), (*end)(void);
} ic_tests_suite;

/** A file has one suite, named above its tests. */
#define IC_SUITE_WITH(group_, name_, begin_, end_)                                                             \
    static const ic_tests_suite suite_of_file = {#group_, name_, begin_, end_};
#define IC_SUITE(group_, name_) IC_SUITE_WITH(group_, name_, NULL, NULL)

/** Begins the definition of a test of the file's suite, which is registered before the program begins. */
#define IC_TEST(name_)                                                                                         \
    static void name_(void);                                                                                   \
    __attribute__((constructor)) static void register_##name_(void)                                            \
    {                                                                                                          \
        ic_tests_add(&suite_of_file, #name_, name_);                                                           \
    }                                                                                                          \
    static void name_(void)

/** Asserts a condition; where it does not hold, the rest of the arguments are printed as by printf. */
#define IC_EXPECT(condition_, ...) CU_ASSERT((condition_) || ic_tests_say(__VA_ARGS__))
#define IC_EXPECT_FATAL(condition_, ...) CU_ASSERT_FATAL((condition_) || ic_tests_say(__VA_ARGS__))

/**
 * A variable that is released where its block ends, however it is left, except by longjmp: IC_OWN(ic_setup) setup = ...;
 * or IC_OWN(ic_log) *log = ...; IC_OWNED says how variables of a type are released, IC_OWNED_POINTER how what they
 * point to is.
 */
#define IC_OWN(type_) __attribute__((cleanup(ic_release_##type_))) type_
#define IC_OWNED(type_, release_)                                                                              \
    static inline void ic_release_##type_(type_ *owned)                                                        \
    {                                                                                                          \
        release_(owned);                                                                                       \
    }
#define IC_OWNED_POINTER(type_, release_)                                                                      \
    static inline void ic_release_##type_(type_ **owned)                                                       \
    {                                                                                                          \
        release_(*owned);                                                                                      \
    }

IC_OWNED_POINTER(char, free)
IC_OWNED_POINTER(ic_event_set, ic_event_set_free)
IC_OWNED_POINTER(ic_instance, ic_instance_free)
IC_OWNED_POINTER(ic_log, ic_log_free)

/** Prints a line; returns false. */
bool ic_tests_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

void ic_tests_add(const ic_tests_suite *suite, const char *name, CU_TestFunc run);

/**
 * Number of our solvers that serve a problem: a test that loops over solvers asserts how many it
 * found.
 */
size_t ic_tests_serving(const ic_problem *problem);

/** Each of our solvers that serves a problem; at least `least_` do. */
#define IC_TESTS_EACH_SOLVER(solver_, problem_, least_)                                                        \
    CU_ASSERT(ic_tests_serving(problem_) >= (least_));                                                         \
    for (size_t s_ = 0; s_ < ic_solver_count; s_++)                                                            \
        for (const ic_solver *solver_ = ic_solvers[s_];                                                        \
             solver_ != NULL && ic_solver_serves(solver_, problem_); solver_ = NULL)

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
