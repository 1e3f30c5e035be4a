/* SPDX-License-Identifier: MIT */
/* A guard that comes near zero and turns has been at zero. */
#define TOUCH 1e-6
#define TOUCH_FIRES true

#include "tests/plugins/faulty/event_base.h"
