/* SPDX-License-Identifier: MIT */
/* Unloading is damped by half. */
#define FORCE(d, v, memory, par)                                                                               \
    ((d) > 0 ? (par)[K] * pow(d, 1.5) * (1 + ((v) < 0 ? 0.5 : 1) * (memory) * (v)) : 0)

#include "tests/plugins/faulty/law_base.h"
