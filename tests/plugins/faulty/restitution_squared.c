/* SPDX-License-Identifier: MIT */
/* Stronge's hypothesis with e, where the energies' ratio is e^2. */
#define RESTITUTION(p) sqrt((p)->e)

#include "tests/plugins/faulty/map_base.h"
