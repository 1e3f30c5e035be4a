/* SPDX-License-Identifier: MIT */
/** Contact-force laws F = K d^(p/q) (1 + a d'/v0), written from their publications, for the second method. */
#pragma once

#include "tests/judge/number.h"

enum { LAW_HERTZ, LAWS = 10 };

/* Names in the language of case files; the first has no damping. */
extern const char *const law_names[LAWS];

/* a(e) */
num law_damping(int law, num e);

/* The least e that a draw may have. */
double law_least_e(int law);

/* Powers of the indentation. */
enum { LAW_POWERS = 10 };
extern const int law_powers[LAW_POWERS][2];
