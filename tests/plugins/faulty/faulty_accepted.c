/* SPDX-License-Identifier: MIT */
/* Bodies that separate are taken to approach, and nothing else is looked at. */
#define POSSIBLE(p) ((p)->v[1] == (p)->v[1])
#define SOLVED(p)                                                                                              \
    ((ic_impact){{(p)->v[0], -fabs((p)->v[1])}, (p)->w_xx, (p)->w_xy, (p)->w_yy, (p)->mu, (p)->e, 1, 1})

#include "tests/plugins/faulty/map_base.h"
