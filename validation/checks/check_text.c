/* SPDX-License-Identifier: MIT */
/**
 * Case files by themselves: the functions that solvers call, made from a file by one reader, against the text's flow by
 * another reader (reference/judge/defect.c), along a run of each preset.
 */
#include "reference/judge/judge.h"
#include "registry/registry.h"
#include "validation/checks/judges.h"
#include "validation/checks/verify.h"
#include "validation/subjects.h"

#include <math.h>
#include <stdio.h>

enum { SAMPLES = 33 };

void ic_text_rates_judge(ic_results *results, const ic_problem *problem, const char *text, const char *path)
{
    const ic_options options = {.samples = SAMPLES};
    ic_result row = ic_row("text", path, NULL, "1");
    ic_status status = IC_OK;
    ic_defect d;
    ic_log *log = ic_solve(ic_accurate_solver(problem->variant), problem, &options, &status);
    if (log == NULL) {
        results->out_of_memory = true;
        return;
    }
    ic_judge_defect(&d, log, text);
    ic_log_free(log);
    snprintf(row.what, sizeof row.what, "rates along a run are those of the case's text");
    ic_row_accept(&row, &ic_tolerance_text_rates);
    row.error = d.status == IC_OK ? d.greatest : INFINITY;
    if (d.reason[0] != '\0') snprintf(row.detail, sizeof row.detail, "%s", d.reason);
    else snprintf(row.detail, sizeof row.detail, "%zu places, %zu undecided", d.judged, d.undecided);
    if (d.status == IC_OK && d.judged == 0) {
        row.verdict = IC_SKIPPED;
        ic_results_add(results, &row);
    } else {
        ic_results_compare(results, row);
    }
}

static void visit_preset(ic_results *results, const ic_selection *selection, const ic_setup *setup,
                         const char *path)
{
    (void)selection;
    if (setup->problem.system->text != NULL) ic_text_rates_judge(results, &setup->problem, NULL, path);
}

const ic_check ic_check_text = {"text", "rates along a run are those of the case's text, read a second time",
                                .visit = visit_preset, .cost = 10};
