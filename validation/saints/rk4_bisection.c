/* SPDX-License-Identifier: MIT */
/* Runge-Kutta steps of fixed length; events by bisection of the step. */
#define NAME "rk4-bisection"

#include "validation/rogues/solver_base.h"
