/* SPDX-License-Identifier: MIT */
#include "validation/tests/tests.h"

#include <CUnit/Basic.h>

int main(void)
{
    if (CU_initialize_registry() != CUE_SUCCESS) return 1;
    ic_tests_expression();
    ic_tests_model();
    ic_tests_cases();
    ic_tests_contract();
    ic_tests_solvers();
    ic_tests_piecewise_linear();
    ic_tests_reference();
    ic_tests_validation();
    ic_tests_published();
    CU_basic_set_mode(CU_BRM_NORMAL);
    CU_basic_run_tests();
    const unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures == 0 ? 0 : 1;
}
