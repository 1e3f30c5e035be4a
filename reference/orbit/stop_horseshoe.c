/* SPDX-License-Identifier: MIT */
/* A horseshoe: numbers that were found by a search for the widest margins. The proof does not depend on how. */
#include "reference/orbit/stop_horseshoe.h"

enum { SETS = 2, TRANSITIONS = 4 };

const ic_stop_parameters ic_stop_horseshoe_parameters = {
    .zeta = "0.05", .omega = "16", .sigma = "-0.1", .e = "0.3"};

/* Phase in rad, and speed, in millionths. */
static const ic_h_set sets[SETS] = {
    {.centre = {2834700, 22350}, .unstable = {62000, -1050}, .stable = {126000, 7120}},
    {.centre = {2366300, 29690}, .unstable = {150000, -1770}, .stable = {190000, 7050}}};

static const ic_transition transitions[TRANSITIONS] = {{0, 0, 2}, {0, 1, 2}, {1, 0, 3}, {1, 1, 3}};

const ic_graph ic_stop_horseshoe = {
    .sets = sets, .n_sets = SETS, .transitions = transitions, .n_transitions = TRANSITIONS};
