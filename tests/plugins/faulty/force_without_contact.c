/* SPDX-License-Identifier: MIT */
/* |d| in the place of max(0, d). */
#define FORCE(d, v, memory, par) ((par)[K] * pow(fabs(d), 1.5) * (1 + (memory) * (v)))

#include "tests/plugins/faulty/law_base.h"
