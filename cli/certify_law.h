/* SPDX-License-Identifier: MIT */
/**
 * impactcheck certify on a case that is a free impact on a contact-force law: its closed form,
 * enclosed.
 */
#ifndef IC_CLI_CERTIFY_LAW_H
#define IC_CLI_CERTIFY_LAW_H

#include "cli/certified.h"

/** Certify and show the answer. Returns the exit status. */
int cli_certify_law(const cli_arguments *arguments, const cli_request *request,
                    const cli_certified_format *format);

#endif
