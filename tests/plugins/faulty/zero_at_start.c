/* SPDX-License-Identifier: MIT */
/* A guard that is zero at the start is taken for one that has fired. */
#define FIRES_AT_START false

#include "tests/plugins/faulty/event_base.h"
