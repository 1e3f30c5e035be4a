/* SPDX-License-Identifier: MIT */
/* A spring that is stiffer in restitution (Walton and Braun), in small steps. */
#include "validation/saints/penalty.h"

#define NAME "penalty"
#define FOLLOW(s, b) follow_spring(s, b)

#include "validation/rogues/engine_base.h"
