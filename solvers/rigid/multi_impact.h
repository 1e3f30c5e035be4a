/* SPDX-License-Identifier: MIT */
/** What the rigid impact maps for several contacts share. */
#pragma once

#include "impactcheck/impactcheck.h"

/** The reason why the data are not an impact; NULL: they are one. Definiteness is not examined. */
const char *ic_multi_impact_fault(const ic_multi_impact *impact);

/** Writes W P to `change`, n numbers. */
void ic_multi_impact_change(double *change, const ic_multi_impact *impact, const double *P);

/** Sets the loss from u- and the u+ and P of the result. */
void ic_multi_impact_finish(ic_multi_impact_result *result, const ic_multi_impact *impact);
