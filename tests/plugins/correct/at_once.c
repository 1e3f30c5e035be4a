/* SPDX-License-Identifier: MIT */
/* Time stepping's impulse, which creates energy, by a map that says that it is this hypothesis. */
#define FAULTY_friction_at_once
#define IMPLEMENTS "newton-at-once"
#include "tests/plugins/faulty/maps.c"
