/* SPDX-License-Identifier: MIT */
/* The energy lost is told by the formula for central impacts, without its 1/2. */
#define FINISH(p, r) ((r)->D_N = (1 - (p)->e * (p)->e) * (p)->v[1] * (p)->v[1] / (p)->w_yy)

#include "tests/plugins/faulty/map_base.h"
