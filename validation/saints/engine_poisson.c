/* SPDX-License-Identifier: MIT */
/* Steps over impacts; Poisson's hypothesis. */
#define NAME "poisson-steps"

#include "validation/rogues/engine_base.h"
