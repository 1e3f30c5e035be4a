/* SPDX-License-Identifier: MIT */
/* The coefficient of friction is the mean of this one and that of the other body, which nobody has set. */
#define SOLVED(p)                                                                                              \
    ((ic_impact){{(p)->v[0], (p)->v[1]}, (p)->w_xx, (p)->w_xy, (p)->w_yy, 0.5 * (p)->mu, (p)->e, 1, 1})

#include "tests/plugins/faulty/map_base.h"
