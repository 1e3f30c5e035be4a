/* SPDX-License-Identifier: MIT */
/* A dashpot beside Hertz's spring, while d > 0: it pulls at the end, against the promise. */
#define NAME "my-dashpot"
#define REMEMBER(v0, par) 0
#define FORCE(d, v, memory, par) ((d) > 0 ? (par)[K] * pow(d, 1.5) + 800 * (1 - (par)[E]) * (v) : 0)
#define PROMISES (IC_LAW_NO_TENSION | IC_LAW_ONLY_LOSES)

#include "tests/plugins/faulty/law_base.h"
