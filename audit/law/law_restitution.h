/* SPDX-License-Identifier: MIT */
/**
 * The restitution in effect, e_out, over the one that a law is asked for, e_in, and the speed of
 * the impact.
 */
#ifndef IC_AUDIT_LAW_RESTITUTION_H
#define IC_AUDIT_LAW_RESTITUTION_H

#include "audit/law/law_probe.h"

/**
 * Hands on the curve, and adds a row where the law's texts say which restitution it has.
 * `texts_right`: they are those of its force.
 */
void ic_law_check_restitution(ic_sink *sink, ic_law_probe *probe, bool texts_right);

#endif
