/* SPDX-License-Identifier: MIT */
/* The ground is a slab of 0.15 m. */
#define TOUCHES(overlap) ((overlap) >= 0 && (overlap) < 0.15)

#include "tests/plugins/faulty/engine_base.h"
