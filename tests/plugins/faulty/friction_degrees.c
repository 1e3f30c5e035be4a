/* SPDX-License-Identifier: MIT */
/* The angle of friction is in degrees, where tan expects radians. */
#define ANGLE(p) (atan((p)->mu) * 0.017453292519943295)
#define SOLVED(p)                                                                                              \
    ((ic_impact){{(p)->v[0], (p)->v[1]}, (p)->w_xx, (p)->w_xy, (p)->w_yy, tan(ANGLE(p)), (p)->e, 1, 1})

#include "tests/plugins/faulty/map_base.h"
