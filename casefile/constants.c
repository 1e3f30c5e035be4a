/* SPDX-License-Identifier: MIT */
#include "casefile/constants.h"

#include "casefile/cantilever.h"

#include <string.h>

static const ic_constants tables[] = {
    {"cantilever_lambda", 1, IC_CANTILEVER_MODES, ic_cantilever_lambda},
    {"cantilever_sigma", 1, IC_CANTILEVER_MODES, ic_cantilever_sigma},
    {"cantilever_gamma", 1, IC_CANTILEVER_MODES, ic_cantilever_g},
    {"cantilever_A", 2, IC_CANTILEVER_MODES, ic_cantilever_a},
    {"cantilever_B", 2, IC_CANTILEVER_MODES, ic_cantilever_b},
};

double ic_constants_value(const ic_constants *table, int i, int j)
{
    return table->values[table->indices == 1 ? i - 1 : i * (i - 1) / 2 + j - 1];
}

const ic_constants *ic_constants_find(const char *name)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (strcmp(tables[i].name, name) == 0) return &tables[i];
    }
    return NULL;
}
