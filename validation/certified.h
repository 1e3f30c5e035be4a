/* SPDX-License-Identifier: MIT */
/** Certification of a problem from the text of its case. */
#pragma once

#include "reference/flow/certify.h"

/**
 * Certifies a problem with all formulas of its case's text, if it has one; otherwise as it is. The
 * certificate does not depend on that text afterwards. Release it with ic_certificate_clear.
 */
void ic_certify_case(ic_certificate *certificate, const ic_problem *problem, const ic_certify_options *options);
