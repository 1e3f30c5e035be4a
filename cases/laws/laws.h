/* SPDX-License-Identifier: MIT */
/** The contact-force laws, for cases that use them. */
#pragma once

#include "impactcheck/impactcheck.h"

#define IC_LAW(symbol, name, condition) extern const ic_law ic_law_##symbol;
#include "cases/laws/laws.def"

/**
 * The promises of a law whose force begins at 0, never pulls during a free impact, and only
 * dissipates energy.
 */
#define IC_LAW_ALL_PROMISES (IC_LAW_CONTINUOUS_ONSET | IC_LAW_NO_TENSION | IC_LAW_ONLY_LOSES)

/** Fields of a law: its parameters, and functions force, force_rate, stored_energy, rising and rising_rate of a suffix. */
#define IC_LAW_PARTS(parameters_, suffix_)                                                                     \
    .parameters = (parameters_), .n_parameters = IC_COUNT(parameters_), .force = force##suffix_,               \
    .force_rate = force_rate##suffix_, .stored_energy = stored_energy##suffix_, .rising = rising##suffix_,     \
    .rising_rate = rising_rate##suffix_

/** F over the elastic force, 1 + a d'/v0, and its rate, for laws whose memory is a/v0: their functions `pushing`. */
double ic_law_bracket(double d, double v, double memory, const double *par);
double ic_law_bracket_rate(double d, double v, double acceleration, double memory, const double *par);

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
