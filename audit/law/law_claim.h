/* SPDX-License-Identifier: MIT */
/** Comparison of a law with the registered laws, and with the one of the same name. */
#ifndef IC_AUDIT_LAW_CLAIM_H
#define IC_AUDIT_LAW_CLAIM_H

#include "audit/law/law_probe.h"

/** Adds the classification "damping law". */
void ic_law_classify(ic_finding_writer *writer, ic_law_probe *probe);

/** Adds rows for stiffness, power and damping if the law has the name of a registered one. */
void ic_law_check_claim(ic_finding_writer *writer, ic_law_probe *probe);

#endif
