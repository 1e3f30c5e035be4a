/* SPDX-License-Identifier: MIT */
/* a = 3 (1 - e)/4 in the place of 3 (1 - e)/2. */
#define REMEMBER(v0, par) (0.75 * (1 - (par)[E]) / (v0))

#include "tests/plugins/faulty/law_base.h"
