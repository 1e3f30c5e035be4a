/* SPDX-License-Identifier: MIT */
/** Ball arithmetic: Arb, on its own (FLINT 2) or as part of FLINT 3. The build puts its headers on the path. */
#ifndef IC_REFERENCE_BALL_H
#define IC_REFERENCE_BALL_H

#include <arb.h>
#include <mag.h>

#endif
