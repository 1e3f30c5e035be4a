/* SPDX-License-Identifier: MIT */
/* Unloading goes back on the line of loading, with its stiffness. */
#define UNLOADING(d, D, par) ((par)[K_1] * (d))

#include "tests/plugins/faulty/plastic.h"
