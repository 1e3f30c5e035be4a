/* SPDX-License-Identifier: MIT */
/* Stronge's map in closed form, under its name. */
#define NAME "stronge"

#include "tests/plugins/faulty/map_base.h"
