/* SPDX-License-Identifier: MIT */
/** How far apart two runs of one problem are, where nothing certifies either. */
#ifndef IC_VALIDATION_CHECKS_AGREEMENT_H
#define IC_VALIDATION_CHECKS_AGREEMENT_H

#include "impactcheck/impactcheck.h"

/**
 * Greatest difference of event times, s; INFINITY where the logs have other events, or not as many.
 */
double ic_event_distance(const ic_log *one, const ic_log *two);

#endif
