/* SPDX-License-Identifier: MIT */
#include "validation/tolerance.h"

#include "impactcheck/impactcheck.h"

#include <stdio.h>
#include <string.h>

double ic_tolerance_default(const ic_tolerance *tolerance)
{
    return tolerance->base == NULL ? tolerance->value
                                   : tolerance->value * ic_tolerance_default(tolerance->base);
}

ic_tolerance_text ic_tolerance_amount(const ic_tolerance *tolerance, double amount)
{
    ic_tolerance_text words;
    const bool ratio = strcmp(tolerance->unit, "1") == 0;
    snprintf(words.text, sizeof words.text, "%g%s%s%s%s", amount, ratio ? "" : " ",
             ratio ? "" : tolerance->unit, tolerance->relative_to == NULL ? "" : " of ",
             tolerance->relative_to == NULL ? "" : tolerance->relative_to);
    return words;
}

void ic_tolerance_origin(char *text, size_t size, const ic_tolerance *tolerance)
{
    snprintf(text, size, "%s: %s", ic_tolerance_amount(tolerance, ic_tolerance_default(tolerance)).text,
             tolerance->derivation);
}

#define IC_TOLERANCE(name_, ...) const ic_tolerance ic_tolerance_##name_ = {#name_, __VA_ARGS__};
#include "validation/tolerances.def"

const ic_tolerance *const ic_verify_tolerances[] = {
#define IC_TOLERANCE(name_, ...) &ic_tolerance_##name_,
#include "validation/tolerances.def"
};
const size_t ic_verify_tolerance_count = IC_COUNT(ic_verify_tolerances);
