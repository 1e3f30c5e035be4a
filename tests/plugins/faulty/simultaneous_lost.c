/* SPDX-License-Identifier: MIT */
/* Of guards that cross together the first is handled, and all others are taken for having passed. */
#define FIRES_WITH false
#define FIRES_AFTER_JUMP false

#include "tests/plugins/faulty/event_base.h"
