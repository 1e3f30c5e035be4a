/* SPDX-License-Identifier: MIT */
/* The closed form's energy has the force's power of the indentation. */
#define NAME "mine"
#define TEXTS .elastic = "K*d*sqrt(d)", .energy = "2/5*K*d*sqrt(d)", .damping = "3/2*(1 - e)"

#include "tests/plugins/faulty/law_base.h"
