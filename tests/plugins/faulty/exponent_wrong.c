/* SPDX-License-Identifier: MIT */
/* The force grows with the square of the indentation, for a stiffness that is given in N/m^(3/2). */
#define FORCE(d, v, memory, par) ((d) > 0 ? (par)[K] * pow(d, 2) * (1 + (memory) * (v)) : 0)

#include "tests/plugins/faulty/law_base.h"
