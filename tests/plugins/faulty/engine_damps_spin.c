/* SPDX-License-Identifier: MIT */
/* Spin fades in flight, by a twentieth in a second. */
#define FLY(s, b) ((b)->omega *= 1 - 0.05 * (s)->step)

#include "tests/plugins/faulty/engine_base.h"
