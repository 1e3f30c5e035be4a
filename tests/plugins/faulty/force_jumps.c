/* SPDX-License-Identifier: MIT */
/* A preload acts as soon as the bodies touch, against the promise that the force begins at 0. */
#define FORCE(d, v, memory, par) ((d) > 0 ? 500 + (par)[K] * pow(d, 1.5) * (1 + (memory) * (v)) : 0)

#include "tests/plugins/faulty/law_base.h"
