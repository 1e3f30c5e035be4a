/* SPDX-License-Identifier: MIT */
/* The impulse is told in g m/s. */
#define FINISH(p, r) ((r)->P[0] *= 1000, (r)->P[1] *= 1000)

#include "tests/plugins/faulty/map_base.h"
