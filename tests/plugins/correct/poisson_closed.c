/* SPDX-License-Identifier: MIT */
/* Poisson's map in closed form, under its name: the normal motion may gain energy by the
   hypothesis itself. */
#define NAME "poisson"
#define END(f, compressed) poisson_end(f, compressed)

#include "tests/plugins/faulty/map_base.h"
