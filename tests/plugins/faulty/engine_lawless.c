/* SPDX-License-Identifier: MIT */
/* The speed of separation is e times that of approach, less the more the point slips: no law that is known, and no mistake. */
#define SEPARATES(s, v_y) ((s)->e * (v_y) * (v_y) / (fabs(c.v[0]) - (v_y)))

#include "tests/plugins/faulty/engine_base.h"
