/* SPDX-License-Identifier: MIT */
/* Against noise, rates below a hundredth of the impact's speed are not damped: the force jumps by so much. */
#define NAME "my-quiet-law"
#define FORCE(d, v, memory, par)                                                                               \
    ((d) > 0 ? (par)[K] * pow(d, 1.5) *                                                                        \
                   (1 + (fabs(v) < 0.01 * 1.5 * (1 - (par)[E]) / (memory) ? 0 : (memory) * (v)))               \
             : 0)

#include "tests/plugins/faulty/law_base.h"
