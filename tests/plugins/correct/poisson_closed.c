/* SPDX-License-Identifier: MIT */
/* Poisson's map in closed form, under its name: that the normal motion may gain is the hypothesis,
   and no mistake. */
#define NAME "poisson"
#define END(f, compressed) poisson_end(f, compressed)

#include "tests/plugins/faulty/map_base.h"
