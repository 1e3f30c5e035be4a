/* SPDX-License-Identifier: MIT */
/* Once the slip has stopped, it sticks. */
#define AFTER_STOP(p, s) ((void)(s), -(p)->w_xy / (p)->w_xx)

#include "tests/plugins/faulty/map_base.h"
