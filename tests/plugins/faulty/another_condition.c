/* SPDX-License-Identifier: MIT */
/* The dashpot that is to let go at F = 0 holds until d = 0. */
#define NAME "kelvin-voigt-C"
#define REMEMBER(v0, par) 0
#define FORCE(d, v, memory, par) ((d) > 0 ? (par)[K] * (d) + 800 * (1 - (par)[E]) * (v) : 0)
#define PROMISES IC_LAW_ONLY_LOSES

#include "tests/plugins/faulty/law_base.h"
