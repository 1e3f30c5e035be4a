/* SPDX-License-Identifier: MIT */
#include "validation/checks/steps.h"
#include "core/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Factors by which steps are shortened; the last one takes some seconds. */
enum { FACTOR = 4, MOST_SHORTER = 64, MOST_STEPS = 2000000 };

/*
 * The least power of FACTOR by which steps have to be shorter if errors fall with the solver's order. A row that
 * fails without a number asks for no more than the first one.
 */
static int factor_needed(const ic_results *rows, const ic_solver *solver)
{
    double most = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const ic_result *row = &rows->rows[i];
        const double ratio = row->verdict == IC_FAIL ? row->error / row->tolerance : 0;
        if (isfinite(ratio)) most = fmax(most, ratio);
    }
    int n = FACTOR;
    while (n < MOST_SHORTER && pow(n, solver->order) < most) n *= FACTOR;
    return n;
}

void ic_judge_steps(ic_results *results, const ic_problem *problem, const ic_solver *solver,
                    const ic_options *options, ic_judge_options *judge, void *context)
{
    ic_results rows = {0};
    ic_options shorter = *options;
    int used = 1;
    judge(&rows, options, context);
    for (int n = factor_needed(&rows, solver);
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
        if (used > 1) ic_text_append(row->what, sizeof row->what, ", in steps of 1/%d of the default", used);
        ic_results_add(results, row);
    }
    results->out_of_memory = results->out_of_memory || rows.out_of_memory;
    ic_results_free(&rows);
}
