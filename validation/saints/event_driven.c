/* SPDX-License-Identifier: MIT */
/* Classical Runge-Kutta steps; the event contract in full, by bisection. */
#include "validation/rogues/event_base.h"
