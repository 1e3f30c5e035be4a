/* SPDX-License-Identifier: MIT */
/* The points in contact always stick in the end, however small mu is. */
#define FINISH(p, r)                                                                                           \
    do {                                                                                                       \
        (r)->P[0] = -((p)->v[0] + (p)->w_xy * (r)->P[1]) / (p)->w_xx;                                          \
        (r)->v[0] = 0;                                                                                         \
        (r)->v[1] = (p)->v[1] + (p)->w_xy * (r)->P[0] + (p)->w_yy * (r)->P[1];                                 \
    } while (0)

#include "tests/plugins/faulty/map_base.h"
