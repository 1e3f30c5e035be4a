/* SPDX-License-Identifier: MIT */
/* Gravity's force is taken for an acceleration. */
#define GRAVITY(s) ((s)->mass * (s)->gravity)

#include "tests/plugins/faulty/engine_base.h"
