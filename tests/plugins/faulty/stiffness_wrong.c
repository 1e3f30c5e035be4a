/* SPDX-License-Identifier: MIT */
/* The factor 4/3 of Hertz's theory is applied a second time. */
#define FORCE(d, v, memory, par) ((d) > 0 ? 4.0 / 3 * (par)[K] * pow(d, 1.5) * (1 + (memory) * (v)) : 0)

#include "tests/plugins/faulty/law_base.h"
