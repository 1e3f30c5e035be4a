/* SPDX-License-Identifier: MIT */
/* The impulse is that of a point mass, wherever the bar is hit. */
#define COMPRESSION(s, v_y) (-(v_y) * (s)->mass)

#include "tests/plugins/faulty/engine_base.h"
