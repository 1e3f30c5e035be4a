/* SPDX-License-Identifier: MIT */
/* The direction of slip is v_x/|v_x|, which is none without slip. */
#define DIRECTION(p) ((p)->v[0] / fabs((p)->v[0]))

#include "tests/plugins/faulty/map_base.h"
