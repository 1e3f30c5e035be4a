/* SPDX-License-Identifier: MIT */
/* The tangential impulse is applied 1.4 times. */
#define TANGENTIAL 1.4

#include "tests/plugins/faulty/engine_base.h"
