/* SPDX-License-Identifier: MIT */
/* Velocities fade in flight, by a twentieth in a second. */
#define FLY(s, b) ((b)->vx *= 1 - 0.05 * (s)->step, (b)->vy *= 1 - 0.05 * (s)->step)

#include "tests/plugins/faulty/engine_base.h"
