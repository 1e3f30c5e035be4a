/* SPDX-License-Identifier: MIT */
/* The power of a negative indentation is taken. */
#define FORCE(d, v, memory, par) ((par)[K] * pow(d, 1.5) * (1 + (memory) * (v)))

#include "tests/plugins/faulty/law_base.h"
