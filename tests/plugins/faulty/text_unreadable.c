/* SPDX-License-Identifier: MIT */
/* The closed form names a parameter that there is not. */
#define NAME "mine"
#define TEXTS .stiffness = "K", .power = "3/2", .damping = "3/2*(1 - e_n)"

#include "tests/plugins/faulty/law_base.h"
