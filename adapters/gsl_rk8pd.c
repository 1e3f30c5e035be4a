/* SPDX-License-Identifier: MIT */
/**
 * Runge-Kutta Prince-Dormand 8(7) of the GNU Scientific Library.
 *
 * M. Galassi et al., GNU Scientific Library Reference Manual, 3rd ed. (2009), chapter on ordinary
 * differential equations. See adapters/gsl.h for its use.
 */
#include "adapters/gsl.h"

IC_GSL_SOLVER(gsl_rk8pd, "GNU Scientific Library: Runge-Kutta Prince-Dormand 8(7), steps retaken onto events",
              8, gsl_odeiv2_step_rk8pd)
