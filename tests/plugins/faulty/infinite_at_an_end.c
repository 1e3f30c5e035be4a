/* SPDX-License-Identifier: MIT */
/* It takes e = 0, and divides by it. */
#define NAME "my-law"
#define REMEMBER(v0, par) (1.6 * (1 - (par)[E]) / ((par)[E] * (v0)))

#include "tests/plugins/faulty/law_base.h"
