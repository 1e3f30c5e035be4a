/* SPDX-License-Identifier: MIT */
/* Herbert and McWhannell's damping without the square in its denominator. */
#define NAME "herbert-mcwhannell"
#define REMEMBER(v0, par) (6 * (1 - (par)[E]) / ((2 * (par)[E] - 1 + 3) * (v0)))

#include "tests/plugins/faulty/law_base.h"
