/* SPDX-License-Identifier: MIT */
/* Poisson's hypothesis under Stronge's name, which stands for a normal motion that gains nothing. */
#define NAME "stronge"
#define END(f, compressed) poisson_end(f, compressed)

#include "tests/plugins/faulty/map_base.h"
