/* SPDX-License-Identifier: MIT */
/* It says that e is what comes out, and damps as Hunt and Crossley do: for e near 1 alone. */
#define NAME "mine"
#define TEXTS .stiffness = "K", .power = "3/2", .restitution = "e"

#include "tests/plugins/faulty/law_base.h"
