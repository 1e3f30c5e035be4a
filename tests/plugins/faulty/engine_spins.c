/* SPDX-License-Identifier: MIT */
/* An impact turns the body by a tenth too little, as if its inertia were greater. */
#define FOLLOW(s, b)                                                                                           \
    do {                                                                                                       \
        const double omega = (b)->omega;                                                                       \
        follow(s, b);                                                                                          \
        (b)->omega = omega + 0.9 * ((b)->omega - omega);                                                       \
    } while (0)

#include "tests/plugins/faulty/engine_base.h"
