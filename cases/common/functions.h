/* SPDX-License-Identifier: MIT */
/**
 * Definitions of functions whose body is one expression in t, x, par and, for an output, mode. They
 * need not use all of these.
 */
#ifndef IC_CASES_COMMON_FUNCTIONS_H
#define IC_CASES_COMMON_FUNCTIONS_H

/** The value or the rate of a guard, an invariant, an energy or a power. */
#define IC_FUNCTION(name_, value_)                                                                             \
    static double name_(double t, const double *x, const double *par)                                          \
    {                                                                                                          \
        (void)t, (void)x, (void)par;                                                                           \
        return (value_);                                                                                       \
    }

/** The value of an output. */
#define IC_OUTPUT(name_, value_)                                                                               \
    static double name_(double t, const double *x, int mode, const double *par)                                \
    {                                                                                                          \
        (void)t, (void)x, (void)mode, (void)par;                                                               \
        return (value_);                                                                                       \
    }

/** A guard whose jump has the table `branches_` (an array), without texts. enabled_ may be NULL. */
#define IC_GUARD(name_, unit_, meaning_, direction_, value_, rate_, enabled_, apply_, branches_)               \
    {                                                                                                          \
        .name = (name_), .unit = (unit_), .meaning = (meaning_), .direction = (direction_), .value = (value_), \
        .rate = (rate_), .enabled = (enabled_), .jump = {                                                      \
            .apply = (apply_),                                                                                 \
            .branches = (branches_),                                                                           \
            .n_branches = IC_COUNT(branches_)                                                                  \
        }                                                                                                      \
    }

#endif
