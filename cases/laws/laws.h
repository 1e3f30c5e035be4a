/* SPDX-License-Identifier: MIT */
/** The contact-force laws, for cases that use them. */
#ifndef IC_CASES_LAWS_LAWS_H
#define IC_CASES_LAWS_LAWS_H

#include "impactcheck/impactcheck.h"

#define IC_LAW(symbol, name, condition) extern const ic_law ic_law_##symbol;
#include "cases/laws/laws.def"
#undef IC_LAW

/**
 * The promises of a law whose force begins at 0, never pulls during a free impact, and only
 * dissipates energy.
 */
#define IC_LAW_ALL_PROMISES (IC_LAW_CONTINUOUS_ONSET | IC_LAW_NO_TENSION | IC_LAW_ONLY_LOSES)

/**
 * Yield-strength coefficient K* of Wang et al. 2018, Eq. (4), from sigma_1 and sigma_2:
 *
 *     sigma_1/(sigma_1 - sigma_2)   for sigma_1 >= 2 sigma_2,
 *     sigma_1/sigma_2               for sigma_1 <= sigma_2,
 *     sigma_1/(sigma_1 + sigma_2)   otherwise.
 *
 * It jumps from 2 to 2/3 below sigma_1 = 2 sigma_2, and from 1 to 1/2 above sigma_1 = sigma_2.
 */
#define IC_K_STAR                                                                                              \
    "sigma_1/(step(sigma_1 - 2*sigma_2)*(sigma_1 - sigma_2) + (1 - step(sigma_1 - 2*sigma_2))"                 \
    "*(step(sigma_2 - sigma_1)*sigma_2 + (1 - step(sigma_2 - sigma_1))*(sigma_1 + sigma_2)))"

#endif
