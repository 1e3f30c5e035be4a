/* SPDX-License-Identifier: MIT */
/* The closed form has half of the damping that the force has. */
#define TEXTS .stiffness = "K", .power = "3/2", .damping = "3/4*(1 - e)"

#include "tests/plugins/faulty/law_base.h"
