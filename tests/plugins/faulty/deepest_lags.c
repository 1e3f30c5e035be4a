/* SPDX-License-Identifier: MIT */
/* The greatest depth follows the depth by half of their difference in each call. */
#define UPDATE(memory, d) fmax(memory, 0.5 * ((memory) + (d)))

#include "tests/plugins/faulty/plastic.h"
