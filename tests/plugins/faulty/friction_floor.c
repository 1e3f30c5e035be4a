/* SPDX-License-Identifier: MIT */
/* No surface is smoother than mu = 0.05. */
#define SOLVED(p)                                                                                              \
    ((ic_impact){{(p)->v[0], (p)->v[1]}, (p)->w_xx, (p)->w_xy, (p)->w_yy, fmax((p)->mu, 0.05), (p)->e, 1, 1})

#include "tests/plugins/faulty/map_base.h"
