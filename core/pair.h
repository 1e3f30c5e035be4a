/* SPDX-License-Identifier: MIT */
/** Two numbers, which one instruction processes on all machines. */
#pragma once

#include <string.h>

enum { IC_PAIR = 2 };

typedef double ic_pair __attribute__((vector_size(IC_PAIR * sizeof(double))));

/** Numbers need not be aligned to pairs. */
static inline ic_pair ic_pair_at(const double *numbers)
{
    ic_pair pair;
    memcpy(&pair, numbers, sizeof pair);
    return pair;
}

static inline void ic_pair_store(double *numbers, ic_pair pair)
{
    memcpy(numbers, &pair, sizeof pair);
}

static inline ic_pair ic_pair_magnitudes(ic_pair pair)
{
    typedef long long bits __attribute__((vector_size(sizeof(ic_pair))));
    return (ic_pair)((bits)pair & 0x7fffffffffffffff);
}
