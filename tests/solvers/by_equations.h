/* SPDX-License-Identifier: MIT */
/** taylor without linear views: their place is taken by the same equations as operations. */
#pragma once

#include "impactcheck/impactcheck.h"

/** Named "taylor by equations". A mode that has equations of its own keeps them. */
extern const ic_solver ic_taylor_by_equations;
