/* SPDX-License-Identifier: MIT */
/* Slip below 0.5 m/s is taken for none. */
#define DIRECTION(p) (fabs((p)->v[0]) < 0.5 ? 0 : sign((p)->v[0]))

#include "tests/plugins/faulty/map_base.h"
