/* SPDX-License-Identifier: MIT */
/**
 * The restitution in effect, e_out, as a function of the prescribed one, e_in, and the speed of the
 * impact.
 */
#ifndef IC_AUDIT_LAW_RESTITUTION_H
#define IC_AUDIT_LAW_RESTITUTION_H

#include "audit/law/law_probe.h"

/**
 * Adds the points of the curve, and a row: e_out against what the law's texts state, or what to declare. `texts`: the
 * mistake of the texts; `explained`: a mistake in the force is known.
 */
void ic_law_check_restitution(ic_finding_writer *writer, ic_law_probe *probe, ic_mistake_id texts,
                              bool explained);

#endif
