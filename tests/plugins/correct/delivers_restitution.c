/* SPDX-License-Identifier: MIT */
/* A law that states e as its restitution, and delivers it: the damping is solved for at each
   impact. */
#include "tests/plugins/faulty/exact_damping.h"

#define NAME "mine"
#define TEXTS .stiffness = "K", .power = "3/2", .restitution = "e", .implements = "own"
#define REMEMBER(v0, par) (exact_damping((par)[E], 1e3) / (v0))

#include "tests/plugins/faulty/law_base.h"
