/* SPDX-License-Identifier: MIT */
/* Gravity is added as if y pointed down. */
#define GRAVITY(s) (-(s)->gravity)

#include "validation/rogues/engine_base.h"
