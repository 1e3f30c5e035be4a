/* SPDX-License-Identifier: MIT */
/* Statements of the papers, and findings of our own: reference/published/claims-*.csv. */
#include "registry/registry.h"
#include "validation/checks/claims_checks.h"
#include "validation/subjects.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The case of "published/claims-CASE.csv", or NULL. */
static const ic_case *case_of_file(const char *path)
{
    char name[64];
    const char *dash = strstr(path, "claims-");
    if (dash == NULL) return NULL;
    dash += strlen("claims-");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(dash, "."), dash);
    return ic_case_find(name);
}

/* The row of a statement that cannot be tested; its note gives the reason. */
static void add_untested(ic_results *results, const ic_selection *selection, const ic_claim *claim,
                         const ic_case *system)
{
    if (selection->solvers != NULL || system == NULL || !ic_selects_case(selection, system)) return;
    ic_result row = ic_row("published", system->name, NULL, "");
    row.verdict = IC_SKIPPED;
    snprintf(row.what, sizeof row.what, "%s: %s", claim->id, claim->statement);
    snprintf(row.kind, sizeof row.kind, "%s", ic_kind_text(claim->kind));
    snprintf(row.place, sizeof row.place, "%s", claim->place);
    snprintf(row.detail, sizeof row.detail, "%s", claim->note);
    ic_results_add(results, &row);
}

static bool is_selected(const ic_claim *claim, ic_claim_evaluator *evaluator, const ic_selection *selection)
{
    ic_measured located;
    if (!ic_quantity_locate(&located, &claim->judgement.quantity, evaluator, NULL))
        return true; /* fails when judged */
    return ic_selects_preset(selection, located.system, located.preset) &&
           ic_selects_solver(selection, ic_solver_find(located.solver));
}

void ic_published_judge(ic_results *results, const ic_selection *selection, ic_claim_evaluator *evaluator,
                        const char *path, const char *text)
{
    ic_claims claims;
    ic_error error;
    if (!ic_claims_open(&claims, path, text, &error)) {
        ic_add_failure(results, "published", "", "reference data can be read", error.text);
        return;
    }
    for (size_t i = 0; i < claims.count; i++) {
        if (claims.claims[i].kind == IC_KIND_NOT_TESTABLE) {
            add_untested(results, selection, &claims.claims[i], case_of_file(path));
            continue;
        }
        if (!is_selected(&claims.claims[i], evaluator, selection)) continue;
        ic_result row;
        ic_claim_judge(&row, &claims.claims[i], evaluator);
        ic_results_add(results, &row);
    }
    ic_claims_close(&claims);
}

static void run_check(ic_results *results, const ic_selection *selection)
{
    ic_claim_evaluator evaluator = {0};
    for (size_t i = 0; i < ic_embedded_count; i++) {
        const ic_embedded *file = &ic_embedded_files[i];
        if (!ic_glob("published/claims-*.csv", file->path) || !ic_results_part(results)) continue;
        ic_published_judge(results, selection, &evaluator, file->path, file->text);
    }
    ic_claim_evaluator_close(&evaluator);
}

const ic_check ic_check_published = {
    .name = "published",
    .meaning = "statements and numbers of the papers, at the precision they were printed with",
    .run = run_check,
    .cost = 300,
};
