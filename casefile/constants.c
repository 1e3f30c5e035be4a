/* SPDX-License-Identifier: MIT */
#include "casefile/constants.h"

#include "casefile/cantilever.h"

#include <string.h>

static double find_lambda(int r, int none)
{
    (void)none;
    return ic_cantilever_lambda[r - 1];
}

static double find_sigma(int r, int none)
{
    (void)none;
    return ic_cantilever_sigma[r - 1];
}

static double find_gamma(int r, int none)
{
    (void)none;
    return ic_cantilever_g[r - 1];
}

/* Index of a pair in a symmetric table whose rows end at the diagonal. */
static int find_pair(int r, int j)
{
    const int row = r > j ? r : j, column = r > j ? j : r;
    return row * (row - 1) / 2 + column - 1;
}

static double find_a(int r, int j)
{
    return ic_cantilever_a[find_pair(r, j)];
}

static double find_b(int r, int j)
{
    return ic_cantilever_b[find_pair(r, j)];
}

static const ic_constants tables[] = {
    {"cantilever_lambda", 1, IC_CANTILEVER_MODES, find_lambda},
    {"cantilever_sigma", 1, IC_CANTILEVER_MODES, find_sigma},
    {"cantilever_gamma", 1, IC_CANTILEVER_MODES, find_gamma},
    {"cantilever_A", 2, IC_CANTILEVER_MODES, find_a},
    {"cantilever_B", 2, IC_CANTILEVER_MODES, find_b},
};

const ic_constants *ic_constants_find(const char *name)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (strcmp(tables[i].name, name) == 0) return &tables[i];
    }
    return NULL;
}
