/* SPDX-License-Identifier: MIT */
/* The impulse is told as that on the other body. */
#define FINISH(p, r) ((r)->P[0] = -(r)->P[0], (r)->P[1] = -(r)->P[1])

#include "validation/rogues/map_base.h"
