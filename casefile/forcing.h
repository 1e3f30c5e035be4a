/* SPDX-License-Identifier: MIT */
/** The period of what drives a case. */
#ifndef IC_CASEFILE_FORCING_H
#define IC_CASEFILE_FORCING_H

#include "casefile/plan.h"

/**
 * The period, as text in parameters, if time enters the flows and guards of all `n` plans by sines and
 * cosines of one angular frequency only, and there are no events at times. NULL: it does not, or the
 * case is autonomous.
 */
const char *ic_forcing_text(ic_case_reader *r, const ic_plan *plans, size_t n);

#endif
