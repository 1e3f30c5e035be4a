/* SPDX-License-Identifier: MIT */
/* Newton's hypothesis under Stronge's name. */
#define NAME "stronge"
#define END(f, compressed) newton_end(f, compressed)

#include "tests/plugins/faulty/map_base.h"
