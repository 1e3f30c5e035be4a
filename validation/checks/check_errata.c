/* SPDX-License-Identifier: MIT */
/*
 * Errata of the papers, from reference/errata.csv and the section `statements` of case files: the
 * evidence for each is measured again.
 */
#include "registry/registry.h"
#include "validation/checks/claims_checks.h"
#include "validation/claims/counter_values.h"
#include "validation/subjects.h"

#include <stdio.h>
#include <string.h>

/* The evidence must reproduce. Only the first row of each erratum counts as one: more evidence
   passes. */
static void judge_erratum(ic_result *row, const ic_claim *erratum, ic_claim_evaluator *evaluator)
{
    const ic_judgement *judgement = &erratum->judgement;
    ic_measured measured;
    if (!ic_claim_measure(row, &measured, erratum, evaluator)) return;
    const double value = measured.value / judgement->factor;
    const size_t length = strlen(row->detail);
    if (judgement->relation == IC_EQUAL)
        snprintf(row->origin, sizeof row->origin, "half a unit of the last digit of the evidence");
    if (ic_judgement_holds(judgement, measured.value))
        row->verdict = erratum->kind == IC_KIND_EVIDENCE ? IC_PASS : IC_ERRATUM;
    const bool plain = strcmp(row->unit, "1") == 0;
    snprintf(row->detail + length, sizeof row->detail - length, " [measured %.6g, required %s%s%s]", value,
             ic_judgement_bound(judgement).text, plain ? "" : " ", plain ? "" : row->unit);
}

static void check_erratum(ic_results *results, const ic_selection *selection, ic_claim_evaluator *evaluator,
                          const ic_claim *erratum)
{
    ic_result row = ic_row("errata", "", NULL, "");
    ic_measured measured;
    ic_error error;
    if (!ic_quantity_locate(&measured, &erratum->judgement.quantity, evaluator, &error)) {
        ic_add_failure(results, "errata", "", "reference data can be read", error.text);
        return;
    }
    if (!ic_selects_preset(selection, measured.system, measured.preset)) return;
    if (!ic_selects_solver(selection, ic_solver_find(measured.solver))) return;
    snprintf(row.kind, sizeof row.kind, "%s", ic_kind_text(erratum->kind));
    snprintf(row.what, sizeof row.what, "%s, %s: %s; should be %s", erratum->source, erratum->place,
             erratum->statement, erratum->should_be);
    /* the last third of the detail is reserved for the measurement */
    snprintf(row.detail, sizeof row.detail - sizeof row.detail / 3, "%s", erratum->note);
    snprintf(row.unit, sizeof row.unit, "%s", erratum->unit);
    snprintf(row.place, sizeof row.place, "%s", erratum->place);
    snprintf(row.limits, sizeof row.limits, "%s", erratum->limits);
    judge_erratum(&row, erratum, evaluator);
    /* tests try the counter-values of tables */
    if (erratum->system != NULL && (row.verdict == IC_PASS || row.verdict == IC_ERRATUM) &&
        !ic_counter_rejected(erratum, evaluator, &error)) {
        row.verdict = IC_FAIL;
        snprintf(row.detail, sizeof row.detail, "the evidence cannot fail: %.200s", error.text);
    }
    ic_results_add(results, &row);
}

void ic_errata_judge(ic_results *results, const ic_selection *selection, const char *path, const char *text)
{
    ic_claim_evaluator evaluator = {0};
    ic_claims errata;
    ic_error error;
    if (!ic_errata_open(&errata, path, text, &error)) {
        ic_add_failure(results, "errata", "", "reference data can be read", error.text);
        return;
    }
    for (size_t i = 0; i < errata.count; i++) check_erratum(results, selection, &evaluator, &errata.claims[i]);
    ic_claims_close(&errata);
    ic_claim_evaluator_close(&evaluator);
}

static void run_check(ic_results *results, const ic_selection *selection)
{
    ic_for_each_statement(results, selection, true, check_erratum);
    if (!ic_registry_is_built_in() || !ic_results_part(results)) return;
    ic_embedded_judge(results, selection, "errata", "errata.csv", ic_errata_judge);
}

const ic_check ic_check_errata = {
    .name = "errata",
    .meaning = "statements that do not hold as printed or as scanned, with the evidence measured again",
    .run = run_check,
    .cost = 900,
};
