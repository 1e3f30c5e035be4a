/* SPDX-License-Identifier: MIT */
/* The energy held is told as if the spring were linear: F d/2. */
#define STORED(d, par) ((d) > 0 ? 0.5 * (par)[K] * pow(d, 2.5) : 0)

#include "tests/plugins/faulty/law_base.h"
