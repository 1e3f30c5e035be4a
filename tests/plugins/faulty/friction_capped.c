/* SPDX-License-Identifier: MIT */
/* A coefficient of friction above 1 is taken for 1. */
#define SOLVED(p)                                                                                              \
    ((ic_impact){{(p)->v[0], (p)->v[1]}, (p)->w_xx, (p)->w_xy, (p)->w_yy, fmin((p)->mu, 1), (p)->e, 1, 1})

#include "tests/plugins/faulty/map_base.h"
