/* SPDX-License-Identifier: MIT */
/** The forcing of a case: its period, and whether a mode has one frequency. */
#pragma once

#include "casefile/plan.h"

/**
 * The period as text in parameters. It exists if the flows and guards of all `n` plans depend on
 * time only through sines and cosines of one angular frequency, and there are no time events. NULL:
 * it does not exist; the case may be autonomous.
 */
const char *ic_forcing_text(ic_case_reader *r, const ic_plan *plans, size_t n);

/** Whether all sines and cosines of time in flow and guards of a mode have one constant frequency, or there are none. */
bool ic_forcing_is_single(ic_case_reader *r, const ic_plan_mode *mode);
