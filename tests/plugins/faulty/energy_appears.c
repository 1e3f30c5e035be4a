/* SPDX-License-Identifier: MIT */
/* What pushes bodies out of each other is added to the impulse. */
#define END(f, compressed) (1.15 * stronge_end(f, compressed))

#include "tests/plugins/faulty/map_base.h"
