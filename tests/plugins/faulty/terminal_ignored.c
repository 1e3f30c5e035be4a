/* SPDX-License-Identifier: MIT */
/* A run goes on in a mode that should end it. */
#define TERMINAL_ENDS false

#include "tests/plugins/faulty/event_base.h"
