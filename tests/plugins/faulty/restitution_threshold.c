/* SPDX-License-Identifier: MIT */
/* Impacts below 0.5 m/s are made plastic. */
#define RESTITUTION(p) ((p)->v[1] > -0.5 ? 0 : (p)->e)

#include "tests/plugins/faulty/map_base.h"
