/* SPDX-License-Identifier: MIT */
/* Tolerances: each says where it comes from, and texts follow the value. */
#include "audit/common/finding.h"
#include "audit/common/tolerances.h"
#include "tests/tests.h"
#include "validation/results.h"

IC_SUITE(light, "tolerances")

static void check_tolerance(const ic_tolerance *t)
{
    char origin[sizeof((ic_result *)NULL)->origin];
    const double value = ic_tolerance_default(t);
    CU_ASSERT(isfinite(value) && value > 0);
    CU_ASSERT(strlen(t->derivation) > 0 && strlen(t->unit) > 0);
    CU_ASSERT(t->base == NULL || value == t->value * ic_tolerance_default(t->base));
    CU_ASSERT(strlen(t->derivation) + 1 < sizeof((ic_finding *)NULL)->origin);
    CU_ASSERT(strlen(ic_tolerance_amount(t, value).text) + 1 < sizeof(ic_tolerance_text));
    ic_tolerance_origin(origin, sizeof origin, t);
    CU_ASSERT(strlen(origin) + 1 < sizeof origin);
    CU_ASSERT_PTR_NOT_NULL(strstr(origin, t->derivation));
}

IC_TEST(test_objects)
{
    for (size_t i = 0; i < ic_audit_tolerance_count; i++) {
        check_tolerance(ic_audit_tolerances[i]);
        for (size_t j = 0; j < ic_verify_tolerance_count; j++)
            CU_ASSERT_STRING_NOT_EQUAL(ic_audit_tolerances[i]->name, ic_verify_tolerances[j]->name);
    }
    for (size_t j = 0; j < ic_verify_tolerance_count; j++) check_tolerance(ic_verify_tolerances[j]);
}

IC_TEST(test_texts_follow)
{
    const ic_tolerance part = {"part", 3e-3, NULL, "1", "the range", "planted"};
    const ic_tolerance multiple = {"multiple", 7, &part, "N", NULL, "planted too"};
    char origin[192];
    ic_tolerance_origin(origin, sizeof origin, &part);
    CU_ASSERT_STRING_EQUAL(origin, "0.003 of the range: planted");
    ic_tolerance_origin(origin, sizeof origin, &multiple);
    CU_ASSERT_STRING_EQUAL(origin, "0.021 N: planted too");
    CU_ASSERT_PTR_NOT_NULL(strstr(ic_accuracy_origin(&multiple, 0.5).text, "3.5 N + "));
    CU_ASSERT_PTR_NOT_NULL(strstr(ic_accuracy_origin(&part, 0.5).text, "0.5 of the range + "));
}
