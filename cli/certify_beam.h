/* SPDX-License-Identifier: MIT */
/**
 * impactcheck certify on the rotating beam, which nothing certifies: the self-converged answer, and
 * called so.
 */
#ifndef IC_CLI_CERTIFY_BEAM_H
#define IC_CLI_CERTIFY_BEAM_H

#include "cli/certified.h"

/** Solve and show the answer. Returns the exit status. */
int cli_certify_beam(const cli_arguments *arguments, const cli_request *request,
                     const cli_certified_format *format);

#endif
