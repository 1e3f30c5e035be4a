/* SPDX-License-Identifier: MIT */
/* Of the tangential velocity after the impact two hundredths are taken, and the impulse does not know. */
#define FINISH(p, r) ((r)->v[0] *= 0.98)

#include "tests/plugins/faulty/map_base.h"
