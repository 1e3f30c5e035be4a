/* SPDX-License-Identifier: MIT */
/** The registered law that fits a law's force. */
#ifndef IC_AUDIT_LAW_CLASSIFY_H
#define IC_AUDIT_LAW_CLASSIFY_H

#include "audit/law/law_probe.h"

/** Adds the classification "damping law". Returns the registered law that alone fits the force; NULL: none, or several. */
const ic_law *ic_law_classify(ic_finding_writer *writer, ic_law_probe *probe);

#endif
