/* SPDX-License-Identifier: MIT */
/* What has stopped to slip sticks, however smooth it is. */
#define HELD(holds, mu) (holds)

#include "validation/rogues/engine_base.h"
