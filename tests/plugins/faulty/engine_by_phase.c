/* SPDX-License-Identifier: MIT */
/* What overlaps is pushed apart by a speed, which stays. */
#define CORRECT(s, b, overlap) ((b)->vy += 0.2 * (overlap) / (s)->step)

#include "tests/plugins/faulty/engine_base.h"
