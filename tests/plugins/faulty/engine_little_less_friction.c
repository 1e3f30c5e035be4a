/* SPDX-License-Identifier: MIT */
/* Friction is 2 % less than what is asked for. */
#define FRICTION(s) (0.98 * (s)->mu)

#include "tests/plugins/faulty/engine_base.h"
