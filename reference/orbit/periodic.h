/* SPDX-License-Identifier: MIT */
/** How the formulas of a problem depend on the time. */
#pragma once

#include "impactcheck/impactcheck.h"

/** Whether no formula of a problem given as operations contains the time, and there are no time events. */
bool ic_is_autonomous(const ic_problem *problem);

/**
 * Whether all formulas of a problem given as operations are periodic: time occurs in sines and cosines of
 * w t + constants only, where w period/(2 pi) is an integer, and time events are repeated by the period.
 * The integer is recognised in double precision, and taken as exact.
 */
bool ic_has_period(const ic_problem *problem, double period);
