/* SPDX-License-Identifier: MIT */
/** impactcheck certify and run --derivative. */
#pragma once

#include "cli/certified.h"
#include "reference/orbit/derivatives.h"

/** Parameters, and states at the start, by which runs are differentiated. */
typedef struct cli_directions {
    ic_tangent_direction list[IC_MAX_DIRECTIONS];
    size_t n;
} cli_directions;

/** Read NAME[,NAME...] of an option, which may be missing: then there are none. false: a message has been written. */
bool cli_directions_read(cli_directions *directions, const cli_arguments *arguments, size_t option,
                         const ic_problem *problem);

/** The name of one. */
const char *cli_direction_name(const ic_case *system, const ic_tangent_direction *direction);

/** Add what was proved, up to the end or the place reached, to an answer. */
void cli_derivatives_add(cli_certified *answer, const ic_derivatives *d, const cli_directions *directions);
