/* SPDX-License-Identifier: MIT */
/* Samples are read off the straight line between the ends of a step, which is long where steps are adaptive. */
#define SAMPLE_AT(x, s, u, h, x1)                                                                              \
    for (size_t j = 0; j < (s)->n; j++) (x)[j] = (s)->x[j] + (u) / (h) * ((x1)[j] - (s)->x[j])

#include "tests/plugins/faulty/adaptive_base.h"
