/* SPDX-License-Identifier: MIT */
/* The closed form has Hooke's power in the place of Hertz's. */
#define NAME "mine"
#define TEXTS .stiffness = "K", .power = "1"

#include "tests/plugins/faulty/law_base.h"
