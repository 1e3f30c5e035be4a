/* SPDX-License-Identifier: MIT */
/* Adaptive steps of order 5(4), with events on the interpolant. */
#define NAME "adaptive-dense"

#include "tests/plugins/faulty/adaptive_base.h"
