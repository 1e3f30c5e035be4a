/* SPDX-License-Identifier: MIT */
/** Which hypothesis of impact the answers of a map follow. */
#ifndef IC_AUDIT_IMPACT_CLASSIFY_IMPACTS_H
#define IC_AUDIT_IMPACT_CLASSIFY_IMPACTS_H

#include "audit/common/finding_writer.h"
#include "audit/impact/impact_verdict.h"

/** Adds the classification "impact hypothesis". */
void ic_impact_classify(ic_finding_writer *writer, const ic_impact_verdict *verdict);

/** Greatest deviation of P from a rule, over the impulse. */
double ic_impact_misfit(const ic_impact_samples *samples, const ic_impact_model *model);

#endif
