/* SPDX-License-Identifier: MIT */
/* The impulse that keeps the contact sticking has the wrong sign. */
#define AFTER_STOP(p, s) ((void)(s), sticks(p) ? (p)->w_xy / (p)->w_xx : -sign((p)->w_xy) * (p)->mu)

#include "tests/plugins/faulty/map_base.h"
