/* SPDX-License-Identifier: MIT */
/* It waits until the bodies rest, which they do not. */
#define FINISH(p, r)                                                                                           \
    do {                                                                                                       \
        volatile double rest = (r)->P[1];                                                                      \
        while (rest > 0) rest = 0.5 * (r)->P[1];                                                               \
    } while (0)

#include "tests/plugins/faulty/map_base.h"
