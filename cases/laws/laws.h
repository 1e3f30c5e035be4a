/* SPDX-License-Identifier: MIT */
/** The contact-force laws, for cases that use them. */
#ifndef IC_CASES_LAWS_LAWS_H
#define IC_CASES_LAWS_LAWS_H

#include "cases/common/functions.h"
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

/** The memory of a contact that begins at the speed v0; 0 if the law has none. */
static inline double ic_law_memory(const ic_law *law, double v0, const double *par)
{
    return law->remember != NULL ? law->remember(v0, par) : 0;
}

/** A function that has the sign of the force below the surface. */
static inline double ic_law_pushing(const ic_law *law, double d, double v, double memory, const double *par)
{
    return (law->pushing != NULL ? law->pushing : law->force)(d, v, memory, par);
}

/** Rate of ic_law_pushing, where d'' = acceleration. */
static inline double ic_law_pushing_rate(const ic_law *law, double d, double v, double acceleration,
                                         double memory, const double *par)
{
    return (law->pushing != NULL ? law->pushing_rate : law->force_rate)(d, v, acceleration, memory, par);
}

/**
 * Indentation beyond the kink of the force, m. A law without a kink acts as if it had one a metre
 * above the surface.
 */
static inline double ic_law_beyond_kink(const ic_law *law, double d, const double *par)
{
    return d - (law->kink != NULL ? law->kink(par) : -1);
}

/** Define law_name(t, x, par) = name(&ic_law_law, x, par): a function of a case on that law. */
#define IC_ON_LAW(law, name) IC_FUNCTION(law##_##name, name(&ic_law_##law, x, par))

#endif
