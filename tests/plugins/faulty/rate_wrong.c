/* SPDX-License-Identifier: MIT */
/* The rate of the force leaves out what the acceleration changes in the damping. */
#define RATE_ACCELERATION(a) (0 * (a))

#include "tests/plugins/faulty/law_base.h"
