/* SPDX-License-Identifier: MIT */
/* Of several guards that cross in one step the first of the list is handled. */
#define FIRST_OF(u, so_far) false

#include "tests/plugins/faulty/event_base.h"
