/* SPDX-License-Identifier: MIT */
/* Friction is half of what is asked for. */
#define FRICTION(s) (0.5 * (s)->mu)

#include "tests/plugins/faulty/engine_base.h"
