/* SPDX-License-Identifier: MIT */
/* The speed of the impact is a global variable: the latest one is used for all contacts. */
static double latest;

#define REMEMBER(v0, par) (latest = (v0), 1.5 * (1 - (par)[E]) / (v0))
#define FORCE(d, v, memory, par)                                                                               \
    ((d) > 0 ? (par)[K] * pow(d, 1.5) * (1 + 1.5 * (1 - (par)[E]) * (v) / latest) : 0)

#include "tests/plugins/faulty/law_base.h"
