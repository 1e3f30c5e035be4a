/* SPDX-License-Identifier: MIT */
/* A spring that is stiffer in restitution (Walton and Braun), in small steps. */
#include "tests/plugins/correct/penalty.h"

#define NAME "penalty"
#define FOLLOW(s, b) follow_spring(s, b)

#include "tests/plugins/faulty/engine_base.h"
