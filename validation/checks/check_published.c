/* SPDX-License-Identifier: MIT */
/*
 * Statements of the papers, and findings of our own: reference/published/claims-*.csv, and the
 * section `statements` of case files.
 */
#include "registry/registry.h"
#include "validation/checks/claims_checks.h"
#include "validation/claims/counter_values.h"
#include "validation/subjects.h"

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

static void judge_claim(ic_results *results, const ic_selection *selection, ic_claim_evaluator *evaluator,
                        const ic_claim *claim, const ic_case *system)
{
    ic_result row;
    ic_error error;
    if (claim->kind == IC_KIND_NOT_TESTABLE) {
        add_untested(results, selection, claim, system);
        return;
    }
    if (!is_selected(claim, evaluator, selection)) return;
    ic_claim_judge(&row, claim, evaluator);
    /* tests try the counter-values of tables */
    if (claim->system != NULL && row.verdict == IC_PASS && !ic_counter_rejected(claim, evaluator, &error)) {
        row.verdict = IC_FAIL;
        snprintf(row.detail, sizeof row.detail, "the statement cannot fail: %.200s", error.text);
    }
    ic_results_add(results, &row);
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
    for (size_t i = 0; i < claims.count; i++)
        judge_claim(results, selection, evaluator, &claims.claims[i], case_of_file(path));
    ic_claims_close(&claims);
}

void ic_embedded_judge(ic_results *results, const ic_selection *selection, const char *check, const char *path,
                       void (*judge)(ic_results *results, const ic_selection *selection, const char *path,
                                     const char *text))
{
    char why[96];
    const ic_embedded *file = ic_embedded_find(path);
    snprintf(why, sizeof why, "%.64s is not built in", path);
    if (file == NULL) ic_add_failure(results, check, "", "reference data can be read", why);
    else judge(results, selection, file->path, file->text);
}

/* ---- statements of case files */

typedef struct reading {
    ic_results *results;
    const char *check;
    const ic_case *system;
} reading;

static void add_unreadable(const char *id, const char *key, size_t offset, const char *text, void *context)
{
    const reading *r = context;
    char what[96];
    (void)key, (void)offset;
    snprintf(what, sizeof what, "statement %.64s can be judged", id);
    ic_add_failure(r->results, r->check, r->system->name, what, text);
}

/* The check of publications has reported it. */
static void report_elsewhere(const char *id, const char *key, size_t offset, const char *text, void *context)
{
    (void)id, (void)key, (void)offset, (void)text, (void)context;
}

void ic_for_each_statement(ic_results *results, const ic_selection *selection, bool errata,
                           ic_statement_visit *visit)
{
    for (size_t c = 0; c < ic_case_count; c++) {
        const ic_case *system = ic_cases[c];
        ic_claim_evaluator evaluator = {0};
        ic_claims claims;
        reading r = {results, errata ? "errata" : "published", system};
        if (system->n_statements == 0 || !ic_selects_case(selection, system) || !ic_results_part(results))
            continue;
        if (!ic_claims_of_case(&claims, system, errata ? report_elsewhere : add_unreadable, &r)) {
            results->out_of_memory = true;
            return;
        }
        for (size_t i = 0; i < claims.count; i++) {
            if (claims.claims[i].erratum == errata) visit(results, selection, &evaluator, &claims.claims[i]);
        }
        ic_claims_close(&claims);
        ic_claim_evaluator_close(&evaluator);
    }
}

static void judge_statement(ic_results *results, const ic_selection *selection, ic_claim_evaluator *evaluator,
                            const ic_claim *claim)
{
    judge_claim(results, selection, evaluator, claim, claim->system);
}

static void run_check(ic_results *results, const ic_selection *selection)
{
    ic_claim_evaluator evaluator = {0};
    ic_for_each_statement(results, selection, false, judge_statement);
    for (size_t i = 0; i < ic_embedded_count && ic_registry_is_built_in(); i++) {
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
