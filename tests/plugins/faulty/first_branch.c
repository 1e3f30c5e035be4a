/* SPDX-License-Identifier: MIT */
/* The first branch of a jump is taken, whichever applies. */
#define BRANCH(taken) ((void)(taken), 0)

#include "tests/plugins/faulty/event_base.h"
