/* SPDX-License-Identifier: MIT */
/** The contact-force laws, for cases that use them. */
#ifndef IC_CASES_LAWS_LAWS_H
#define IC_CASES_LAWS_LAWS_H

#include "impactcheck/impactcheck.h"

#define IC_LAW(symbol, name, condition) extern const ic_law ic_law_##symbol;
#include "cases/laws/laws.def"
#undef IC_LAW

/** Promises of all laws whose force begins at 0, never pulls on a free impact, and only takes energy. */
#define IC_LAW_ALL_PROMISES (IC_LAW_CONTINUOUS_ONSET | IC_LAW_NO_TENSION | IC_LAW_ONLY_LOSES)

/**
 * Yield-strength coefficient K* of Wang et al. 2018, Eq. (4), in sigma_1 and sigma_2:
 *
 *     sigma_1/(sigma_1 - sigma_2) for sigma_1 >= 2 sigma_2,  sigma_1/sigma_2 for sigma_1 <= sigma_2,  else sigma_1/(sigma_1 + sigma_2).
 *
 * It jumps from 2 to 2/3 below sigma_1 = 2 sigma_2, and from 1 to 1/2 above sigma_1 = sigma_2.
 */
#define IC_K_STAR                                                                                              \
    "sigma_1/(step(sigma_1 - 2*sigma_2)*(sigma_1 - sigma_2) + (1 - step(sigma_1 - 2*sigma_2))"                 \
    "*(step(sigma_2 - sigma_1)*sigma_2 + (1 - step(sigma_2 - sigma_1))*(sigma_1 + sigma_2)))"

/**
 * A function `name` of a law, as a function of a case on that law: law_name(t, x, par) = name(&ic_law_law, x, par). Laws act the same at
 * all times.
 */
#define IC_ON_LAW(law, name)                                                                                   \
    static double law##_##name(double t, const double *x, const double *par)                                   \
    {                                                                                                          \
        (void)t;                                                                                               \
        return name(&ic_law_##law, x, par);                                                                    \
    }

#endif
