/* SPDX-License-Identifier: MIT */
#include "audit/common/tolerances.h"
#include "audit/common/finding.h"

#include "impactcheck/impactcheck.h"

#include <stdio.h>

#define IC_TOLERANCE(name_, ...) const ic_tolerance ic_tolerance_##name_ = {#name_, __VA_ARGS__};
#include "audit/common/tolerances.def"

const ic_tolerance *const ic_audit_tolerances[] = {
#define IC_TOLERANCE(name_, ...) &ic_tolerance_##name_,
#include "audit/common/tolerances.def"
};
const size_t ic_audit_tolerance_count = IC_COUNT(ic_audit_tolerances);

ic_tolerance_text ic_accuracy_origin(const ic_tolerance *tolerance, double accept)
{
    ic_tolerance_text words =
        ic_tolerance_amount(tolerance, tolerance->base == NULL ? accept : tolerance->value * accept);
    char accuracy[32] = "";
    if (tolerance->base != NULL && accept < ic_tolerance_accuracy.value)
        snprintf(accuracy, sizeof accuracy, " (accuracy %g)", accept);
    ic_text_append(words.text, sizeof words.text, "%s + %g %s of %s", accuracy, ic_tolerance_noise.value,
                   ic_tolerance_noise.unit, ic_tolerance_noise.relative_to);
    return words;
}
