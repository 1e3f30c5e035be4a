/* SPDX-License-Identifier: MIT */
/* Normal and tangent are solved one by one, as for a ball. */
#define SOLVED(p) ((ic_impact){{(p)->v[0], (p)->v[1]}, (p)->w_xx, 0, (p)->w_yy, (p)->mu, (p)->e, 1, 1})

#include "tests/plugins/faulty/map_base.h"
