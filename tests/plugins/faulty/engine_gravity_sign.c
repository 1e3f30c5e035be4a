/* SPDX-License-Identifier: MIT */
/* Gravity is added as if y pointed down. */
#define GRAVITY(s) (-(s)->gravity)

#include "tests/plugins/faulty/engine_base.h"
