/* SPDX-License-Identifier: MIT */
/** Distance of two runs of a problem that has no certified answer. */
#ifndef IC_VALIDATION_CHECKS_AGREEMENT_H
#define IC_VALIDATION_CHECKS_AGREEMENT_H

#include "impactcheck/impactcheck.h"

/** Greatest difference of event times, s; INFINITY if the events of the logs differ. */
double ic_event_distance(const ic_log *one, const ic_log *two);

#endif
