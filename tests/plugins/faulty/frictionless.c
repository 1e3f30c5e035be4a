/* SPDX-License-Identifier: MIT */
/* Friction has been left for later. */
#define SOLVED(p) ((ic_impact){{(p)->v[0], (p)->v[1]}, (p)->w_xx, (p)->w_xy, (p)->w_yy, 0, (p)->e, 1, 1})

#include "tests/plugins/faulty/map_base.h"
