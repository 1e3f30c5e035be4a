/* SPDX-License-Identifier: MIT */
/* Adaptive steps of order 5(4), with events on the interpolant. */
#define NAME "adaptive-dense"

#include "validation/rogues/adaptive_base.h"
