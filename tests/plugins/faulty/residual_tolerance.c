/* SPDX-License-Identifier: MIT */
/* The search for a root is over as soon as the guard is small. */
#define CONVERGED(g, w) (fabs(g) < 1e-7)

#include "tests/plugins/faulty/event_base.h"
