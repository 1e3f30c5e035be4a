/* SPDX-License-Identifier: MIT */
/* The impulse is told as that on the other body. */
#define FINISH(p, r) ((r)->P[0] = -(r)->P[0], (r)->P[1] = -(r)->P[1])

#include "tests/plugins/faulty/map_base.h"
