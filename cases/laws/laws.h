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

/** What a contact that begins at the speed v0 remembers; 0 where the law remembers nothing. */
static inline double ic_law_memory(const ic_law *law, double v0, const double *par)
{
    return law->remember != NULL ? law->remember(v0, par) : 0;
}

/** A function with the sign of the force below the surface. */
static inline double ic_law_pushing(const ic_law *law, double d, double v, double memory, const double *par)
{
    return (law->pushing != NULL ? law->pushing : law->force)(d, v, memory, par);
}

/** Its rate where d'' = acceleration. */
static inline double ic_law_pushing_rate(const ic_law *law, double d, double v, double acceleration,
                                         double memory, const double *par)
{
    return (law->pushing != NULL ? law->pushing_rate : law->force_rate)(d, v, acceleration, memory, par);
}

/** m; how far the indentation is beyond the kink of the force. Without one, that is a metre above the surface. */
static inline double ic_law_beyond_kink(const ic_law *law, double d, const double *par)
{
    return d - (law->kink != NULL ? law->kink(par) : -1);
}

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
