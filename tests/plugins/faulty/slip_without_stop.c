/* SPDX-License-Identifier: MIT */
/* The stop of the slip is not looked for: friction goes on as it began. Where it would lock the contact, what is left is 1e9 N s. */
#define STOP(p, stop) ((p)->v[0] == 0 ? (stop) : INFINITY)
#define END(f, compressed) ((f)->rise[0] > 0 || (f)->stop == 0 ? stronge_end(f, compressed) : 1e9)

#include "tests/plugins/faulty/map_base.h"
