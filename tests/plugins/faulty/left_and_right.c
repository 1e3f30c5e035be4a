/* SPDX-License-Identifier: MIT */
/* The impact is solved with the x axis along the slip, which the coupling is not turned to. */
#define SOLVED(p)                                                                                              \
    ((ic_impact){{fabs((p)->v[0]), (p)->v[1]}, (p)->w_xx, (p)->w_xy, (p)->w_yy, (p)->mu, (p)->e, 1, 1})
#define FINISH(p, r) ((p)->v[0] < 0 ? ((r)->P[0] = -(r)->P[0], (r)->v[0] = -(r)->v[0]) : 0)

#include "tests/plugins/faulty/map_base.h"
