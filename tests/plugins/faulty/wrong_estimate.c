/* SPDX-License-Identifier: MIT */
/* A coefficient of the error's estimate is wrong: the estimates do not cancel, and steps are far too short. */
#define ESTIMATE_ERROR 1e-8

#include "tests/plugins/faulty/adaptive_base.h"
