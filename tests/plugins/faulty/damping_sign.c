/* SPDX-License-Identifier: MIT */
/* Damping has the wrong sign. */
#define REMEMBER(v0, par) (-1.5 * (1 - (par)[E]) / (v0))

#include "tests/plugins/faulty/law_base.h"
