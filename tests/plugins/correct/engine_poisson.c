/* SPDX-License-Identifier: MIT */
/* Steps over impacts; Poisson's hypothesis. */
#define NAME "poisson-steps"

#include "tests/plugins/faulty/engine_base.h"
