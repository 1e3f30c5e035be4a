/* SPDX-License-Identifier: MIT */
/* Newton's hypothesis with friction: the speed of separation is e times that of approach, whatever the impulse. */
#define SEPARATES(s, v_y) (-(s)->e * (v_y))

#include "tests/plugins/faulty/engine_base.h"
