/* SPDX-License-Identifier: MIT */
/** impactcheck certify on a case that is a free impact on a contact-force law: its closed form, enclosed. */
#ifndef IC_CLI_CERTIFY_LAW_H
#define IC_CLI_CERTIFY_LAW_H

#include "cli/request.h"

/** Certify and print tables, one JSON object, or (quiet) nothing. Returns the exit status. */
int cli_certify_law(const cli_arguments *arguments, const cli_request *request, long digits, bool json,
                    bool quiet);

#endif
