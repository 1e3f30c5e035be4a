/* SPDX-License-Identifier: MIT */
/**
 * Runge-Kutta-Fehlberg 4(5) of the GNU Scientific Library.
 *
 * M. Galassi et al., GNU Scientific Library Reference Manual, 3rd ed. (2009), chapter on ordinary
 * differential equations. See adapters/gsl.h for its use.
 */
#include "adapters/gsl.h"

IC_GSL_SOLVER(gsl_rkf45, "GNU Scientific Library: Runge-Kutta-Fehlberg 4(5), steps retaken onto events", 5,
              gsl_odeiv2_step_rkf45)
