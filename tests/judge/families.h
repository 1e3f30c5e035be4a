/* SPDX-License-Identifier: MIT */
/** All families of problems. */
#ifndef IC_TESTS_JUDGE_FAMILIES_H
#define IC_TESTS_JUDGE_FAMILIES_H

#include "tests/judge/draw.h"

#define JUDGE_FAMILY(name, weight) draw_family draw_##name;
#include "tests/judge/families.def"
#undef JUDGE_FAMILY

#endif
