/* SPDX-License-Identifier: MIT */
/* Once the slip has stopped, it always turns round. Where that would lock the contact, it ends with 1e9 N s. */
#define AFTER_STOP(p, s) ((void)(s), -sign((p)->w_xy) * (p)->mu)
#define END(f, compressed) ((f)->rise[0] > 0 && (f)->rise[1] > 0 ? stronge_end(f, compressed) : 1e9)

#include "tests/plugins/faulty/map_base.h"
