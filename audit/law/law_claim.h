/* SPDX-License-Identifier: MIT */
/** Which registered law a law's forces are, and how far it is from the one whose name it has. */
#ifndef IC_AUDIT_LAW_CLAIM_H
#define IC_AUDIT_LAW_CLAIM_H

#include "audit/law/law_probe.h"

/** The classification "damping law". */
void ic_law_classify(ic_sink *sink, ic_law_probe *probe);

/** Rows for stiffness, power and damping, where the law has the name of a registered one. */
void ic_law_check_claim(ic_sink *sink, ic_law_probe *probe);

#endif
