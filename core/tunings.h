/* SPDX-License-Identifier: MIT */
/**
 * Other settings of a peer, beside its tolerance. A comparison at equal error takes the fastest of
 * them (bench/pairs.h); everything else uses the peer as it is registered. The set is small: settings that
 * the package's manual offers and that were the fastest somewhere.
 */
#pragma once

#include "impactcheck/impactcheck.h"

typedef struct ic_tuning {
    /* NULL: the end of a table */
    const char *name;

    ic_status (*solve)(ic_log *log, const ic_problem *problem, const ic_options *options);
} ic_tuning;
