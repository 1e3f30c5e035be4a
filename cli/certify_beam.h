/* SPDX-License-Identifier: MIT */
/** impactcheck certify on the rotating beam, which nothing certifies: the self-converged answer, and called so. */
#ifndef IC_CLI_CERTIFY_BEAM_H
#define IC_CLI_CERTIFY_BEAM_H

#include "cli/request.h"

/** How it is shown: one JSON object, or tables (all events, or the first and last); quiet: no tables. */
typedef struct cli_beam_format {
    bool json, quiet, all_events;
} cli_beam_format;

/** Solve and print. Returns the exit status. */
int cli_certify_beam(const cli_arguments *arguments, const cli_request *request, long digits,
                     const cli_beam_format *format);

#endif
