/* SPDX-License-Identifier: MIT */
/* Each case by itself, before any solver. */
#include "registry/registry.h"
#include "validation/case/judgement.h"
#include "validation/checks/verify.h"

static void run_check(ic_results *results, const ic_selection *selection)
{
    ic_cases_judge(results, ic_cases, ic_case_count, selection);
}

const ic_check ic_check_case = {"case", "the case agrees with itself; if it does not, its solvers are not run",
                                .run = run_check};
