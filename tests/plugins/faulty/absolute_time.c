/* SPDX-License-Identifier: MIT */
/* The search for a root is over at a hundredth of a picosecond, whatever the time scale. */
#define CONVERGED(g, w) ((w) < 1e-14)

#include "tests/plugins/faulty/event_base.h"
