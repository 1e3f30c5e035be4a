/* SPDX-License-Identifier: MIT */
/** All families of problems. */
#pragma once

#include "tests/judge/draw.h"

#define JUDGE_FAMILY(name, weight) draw_family draw_##name;
#include "tests/judge/families.def"
#undef JUDGE_FAMILY
