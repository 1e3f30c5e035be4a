/* SPDX-License-Identifier: MIT */
#ifndef IC_AUDIT_LAW_CHECK_LAW_H
#define IC_AUDIT_LAW_CHECK_LAW_H

#include "audit/common/finding_writer.h"

/** Audits a contact-force law. A plugin's law must be audited in a child process. */
void ic_audit_law(ic_finding_writer *writer, const ic_law *law);

#endif
