/* SPDX-License-Identifier: MIT */
/* Friction is half of what is asked for. */
#define FRICTION(s) (0.5 * (s)->mu)

#include "validation/rogues/engine_base.h"
