/* SPDX-License-Identifier: MIT */
/* The slip does not stop: friction goes on past v_x = 0 as before, unless that would lock the contact for good. */
#define ON(p, s) ((p)->w_yy > (s) * (p)->mu * (p)->w_xy)
#define STOPPED(p) (sticks(p) ? -(p)->w_xy / (p)->w_xx : -sign((p)->w_xy) * (p)->mu)
#define AFTER_STOP(p, s) ((s) != 0 && ON(p, s) ? -(s) * (p)->mu : STOPPED(p))

#include "tests/plugins/faulty/map_base.h"
