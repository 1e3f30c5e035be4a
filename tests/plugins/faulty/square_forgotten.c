/* SPDX-License-Identifier: MIT */
/* Lankarani and Nikravesh's damping with e in the place of e^2. */
#define NAME "lankarani-nikravesh"
#define REMEMBER(v0, par) (0.75 * (1 - (par)[E]) / (v0))

#include "tests/plugins/faulty/law_base.h"
