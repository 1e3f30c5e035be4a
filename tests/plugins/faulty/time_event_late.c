/* SPDX-License-Identifier: MIT */
/* Steps are not cut at time events: they are handled at the end of the step in which they are due. */
#define CUTS_AT_TIME_EVENTS false

#include "tests/plugins/faulty/event_base.h"
