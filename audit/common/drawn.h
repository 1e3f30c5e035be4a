/* SPDX-License-Identifier: MIT */
/** Parameters that are drawn in each run, so that no subject can know them. */
#pragma once

#include "core/composition.h"
#include "core/parameters.h"
#include "core/random.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/**
 * Changes the value of parameter k by up to `part`, within its range. false: it stays. Choices, whole numbers without a
 * unit, zeros and values that other parameters state do.
 */
static inline bool ic_draw_parameter(double *value, const ic_problem *problem, size_t k, double part,
                                     uint64_t *seed)
{
    const ic_parameter *p = &problem->system->parameters[k];
    const double usual = problem->par[k];
    const bool stated = problem->par_text[k] != NULL && !isdigit((unsigned char)problem->par_text[k][0]) &&
                        problem->par_text[k][0] != '-';
    const bool whole = strcmp(p->unit, "1") == 0 && usual == floor(usual);
    if (ic_parameter_repeats(problem->system->parameters, k) || stated || whole || usual == 0 ||
        !isfinite(usual) || (p->range != NULL && p->range[0] == '{'))
        return false;
    *value = usual * ic_uniform(seed, 1 - part, 1 + part);
    if (p->range != NULL && !ic_in_range(p->range, *value)) *value = 2 * usual - *value;
    return p->range == NULL || ic_in_range(p->range, *value);
}
