/* SPDX-License-Identifier: MIT */
/* Restitution is what its author tried it with. */
#define RESTITUTION(p) ((void)(p), 0.6)

#include "tests/plugins/faulty/map_base.h"
