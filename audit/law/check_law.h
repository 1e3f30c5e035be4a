/* SPDX-License-Identifier: MIT */
#ifndef IC_AUDIT_LAW_CHECK_LAW_H
#define IC_AUDIT_LAW_CHECK_LAW_H

#include "audit/common/sink.h"

/** Audit a contact-force law; in a child process, where it is a plugin's. */
void ic_audit_law(ic_sink *sink, const ic_law *law);

#endif
