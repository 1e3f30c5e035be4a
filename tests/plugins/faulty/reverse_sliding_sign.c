/* SPDX-License-Identifier: MIT */
/* After the slip has reversed, friction keeps its sign: from then on it drives. */
#define AFTER_STOP(p, s) (sticks(p) ? -(p)->w_xy / (p)->w_xx : -((s) != 0 ? (s) : sign((p)->w_xy)) * (p)->mu)

#include "tests/plugins/faulty/map_base.h"
