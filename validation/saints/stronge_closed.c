/* SPDX-License-Identifier: MIT */
/* Stronge's map in closed form, under its name. */
#define NAME "stronge"

#include "validation/rogues/map_base.h"
