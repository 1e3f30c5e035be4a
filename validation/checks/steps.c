/* SPDX-License-Identifier: MIT */
#include "validation/checks/steps.h"
#include "core/model.h"

#include <stdio.h>
#include <string.h>

/* Factors by which steps are shortened; the last one takes some seconds. */
enum { FACTOR = 4, MOST_SHORTER = 64, MOST_STEPS = 2000000 };

void ic_judge_steps(ic_results *results, const ic_problem *problem, const ic_solver *solver,
                    const ic_options *options, ic_judge_options *judge, void *context)
{
    ic_results rows = {0};
    ic_options shorter = *options;
    int used = 1;
    judge(&rows, options, context);
    for (int n = FACTOR;
         solver->control == IC_CONTROL_STEP && ic_results_with(&rows, IC_FAIL) > 0 && n <= MOST_SHORTER;
         n *= FACTOR) {
        ic_results other = {0};
        shorter.step = ic_default_step(problem) / n;
        shorter.max_steps = MOST_STEPS;
        judge(&other, &shorter, context);
        if (ic_results_with(&other, IC_FAIL) == 0) {
            const ic_results first = rows;
            rows = other;
            other = first;
            used = n;
        }
        ic_results_free(&other);
    }
    for (size_t i = 0; i < rows.count; i++) {
        ic_result *row = &rows.rows[i];
        const size_t length = strlen(row->what);
        if (used > 1)
            snprintf(row->what + length, sizeof row->what - length, ", in steps of 1/%d of the default", used);
        ic_results_add(results, row);
    }
    results->out_of_memory = results->out_of_memory || rows.out_of_memory;
    ic_results_free(&rows);
}
