/* SPDX-License-Identifier: MIT */
/* The contact is taken to move with the velocity of the body's centre. */
#define MET(s, b, c) ((c).v[0] = (b)->vx, (c).v[1] = (b)->vy)

#include "tests/plugins/faulty/engine_base.h"
