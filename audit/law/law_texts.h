/* SPDX-License-Identifier: MIT */
/**
 * The closed form that a law states (texts of ic_law): its values, and their comparison with the
 * force.
 */
#ifndef IC_AUDIT_LAW_TEXTS_H
#define IC_AUDIT_LAW_TEXTS_H

#include "audit/law/law_probe.h"

/**
 * The coefficient of restitution of a free impact at v0 by the law's texts: the value of
 * `restitution`, or the one that follows from `damping`. NAN: the law has neither, or they have no
 * value.
 */
double ic_law_stated_restitution(const ic_law_probe *probe, double v0);

/**
 * Adds rows on the texts of the elastic force, of its energy and of the drag, over settings, speeds
 * and indentations. `explained`: a mistake in the force is known, so that differences are no fault of the texts;
 * `gives`: the drag supplies energy. Returns
 * the mistake of the texts; IC_NO_MISTAKE: they are right, or the mistake is the known one.
 */
ic_mistake_id ic_law_check_texts(ic_finding_writer *writer, ic_law_probe *probe, bool explained, bool gives);

#endif
