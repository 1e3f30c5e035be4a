/* SPDX-License-Identifier: MIT */
/* Each run takes some memory and forgets it. */
#include <stdlib.h>

static void *volatile forgotten;

#define BEGINS(problem) (forgotten = malloc(4096))

#include "tests/plugins/faulty/event_base.h"
