/* SPDX-License-Identifier: MIT */
/* Poisson's hypothesis under Newton's name. */
#define NAME "newton"
#define END(f, compressed) poisson_end(f, compressed)

#include "validation/rogues/map_base.h"
