/* SPDX-License-Identifier: MIT */
/* Unloading has the stiffness of loading, but ends at the depth that is left: the force jumps at the turn. */
#define UNLOADING(d, D, par) ((par)[K_1] * ((d) - (1 - (par)[K_1] / (par)[K_2]) * (D)))

#include "tests/plugins/faulty/plastic.h"
