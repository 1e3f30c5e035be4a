/* SPDX-License-Identifier: MIT */
/* e is 3 % too great. */
#define RESTITUTION(p) (1.03 * (p)->e)

#include "tests/plugins/faulty/map_base.h"
