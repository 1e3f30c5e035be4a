/* SPDX-License-Identifier: MIT */
/* What has stopped to slip sticks, however smooth it is. */
#define HELD(holds, mu) (holds)

#include "tests/plugins/faulty/engine_base.h"
