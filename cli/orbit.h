/* SPDX-License-Identifier: MIT */
/** impactcheck certify --orbit: the steady state as a certified periodic orbit. */
#ifndef IC_CLI_ORBIT_H
#define IC_CLI_ORBIT_H

#include "cli/certified.h"

/**
 * Find the steady state and prove it; print tables, one JSON object, or (quiet) nothing. Returns
 * the exit status.
 */
int cli_orbit(const cli_arguments *arguments, const cli_instance *instance, const cli_certified_format *format);

#endif
