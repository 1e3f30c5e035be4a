/* SPDX-License-Identifier: MIT */
/* Each run allocates memory and does not free it. */
#include <stdlib.h>

static void *volatile forgotten;

#define BEGINS(problem) (forgotten = malloc(4096))

#include "tests/plugins/faulty/event_base.h"
