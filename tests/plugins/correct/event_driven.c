/* SPDX-License-Identifier: MIT */
/* Classical Runge-Kutta steps; the event contract in full, by bisection. */
#include "tests/plugins/faulty/event_base.h"
