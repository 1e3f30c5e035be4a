/* SPDX-License-Identifier: MIT */
/* Velocities follow from impulses with the diagonal of W alone. */
#define FINISH(p, r)                                                                                           \
    ((r)->v[0] = (p)->v[0] + (p)->w_xx * (r)->P[0], (r)->v[1] = (p)->v[1] + (p)->w_yy * (r)->P[1])

#include "tests/plugins/faulty/map_base.h"
