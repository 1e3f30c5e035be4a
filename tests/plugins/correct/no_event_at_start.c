/* SPDX-License-Identifier: MIT */
/* No guard that is zero at the start fires, which the solver declares; undeclared, it is the mistake zero-at-start. */
#define NAME "no-event-at-start"
#define FIRES_AT_START false
#define NOT_KEPT IC_CLAUSE(2)

#include "tests/plugins/faulty/event_base.h"
