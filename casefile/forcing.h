/* SPDX-License-Identifier: MIT */
/** The period of the forcing of a case. */
#ifndef IC_CASEFILE_FORCING_H
#define IC_CASEFILE_FORCING_H

#include "casefile/plan.h"

/**
 * The period as text in parameters. It exists if the flows and guards of all `n` plans depend on
 * time only through sines and cosines of one angular frequency, and there are no time events. NULL:
 * it does not exist; the case may be autonomous.
 */
const char *ic_forcing_text(ic_case_reader *r, const ic_plan *plans, size_t n);

#endif
