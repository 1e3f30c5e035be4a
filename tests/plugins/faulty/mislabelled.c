/* SPDX-License-Identifier: MIT */
/* Poisson's hypothesis under Newton's name. */
#define NAME "newton"
#define END(f, compressed) poisson_end(f, compressed)

#include "tests/plugins/faulty/map_base.h"
