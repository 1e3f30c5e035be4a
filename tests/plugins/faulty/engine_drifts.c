/* SPDX-License-Identifier: MIT */
/* The overlap is undone along a normal that is half off. */
#define CORRECT(s, b, overlap) ((b)->x += 0.5 * (overlap), (b)->y += (overlap))

#include "tests/plugins/faulty/engine_base.h"
