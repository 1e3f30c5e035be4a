/* SPDX-License-Identifier: MIT */
/* The indentation is taken in mm, the stiffness in N/m^(3/2). */
#define FORCE(d, v, memory, par) ((d) > 0 ? (par)[K] * pow(1000 * (d), 1.5) * (1 + (memory) * (v)) : 0)

#include "tests/plugins/faulty/law_base.h"
