/* SPDX-License-Identifier: MIT */
/* What does not hold as the papers print it: reference/errata.csv. The evidence is measured again. */
#include "core/registry.h"
#include "validation/claims_checks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ID, KIND, SOURCE, PLACE, PRINTED, SHOULD_BE, EVIDENCE, MEASURE, RELATION, VALUE, UNIT, COLUMNS };

static const char *const columns[COLUMNS] = {"id",       "kind",    "source",   "place", "printed", "should_be",
                                             "evidence", "measure", "relation", "value", "unit"};

static const ic_kind kinds[] = {IC_KIND_STATEMENT, IC_KIND_MISPRINT, IC_KIND_AS_SCANNED, IC_KIND_EVIDENCE};

/* With = the value counts as printed. */
static const size_t judgement_columns[IC_JUDGEMENT_COLUMNS] = {MEASURE, RELATION, VALUE, UNIT, VALUE};

static ic_result new_row(void)
{
    return (ic_result){.check = "errata", .error = NAN, .radius = NAN, .tolerance = NAN, .verdict = IC_FAIL};
}

static void add_failure(ic_results *results, const char *detail)
{
    ic_result row = new_row();
    snprintf(row.what, sizeof row.what, "reference data can be read");
    snprintf(row.detail, sizeof row.detail, "%.*s", (int)sizeof row.detail - 1, detail);
    ic_results_add(results, &row);
}

/* The evidence must reproduce. Only the first row of each erratum counts as one: more evidence passes. */
static void judge(ic_result *row, const ic_judgement *judgement, ic_laboratory *laboratory, ic_kind kind)
{
    ic_measured measured = {.value = NAN};
    ic_error why = {""};
    const bool good = ic_quantity_measure(&measured, &judgement->quantity, laboratory, &why);
    if (measured.system != NULL) {
        snprintf(row->subject, sizeof row->subject, "%s/%s", measured.system->name, measured.preset->name);
        snprintf(row->solver, sizeof row->solver, "%s", measured.solver);
    }
    if (!good) {
        snprintf(row->detail, sizeof row->detail, "cannot be measured: %.*s", (int)sizeof row->detail - 32,
                 why.text);
        return;
    }
    const double value = measured.value / judgement->factor;
    const size_t length = strlen(row->detail);
    if (isfinite(value)) snprintf(row->measured, sizeof row->measured, "%.10g", value);
    if (judgement->relation == IC_EQUAL) {
        row->error = fabs(value - judgement->value);
        row->tolerance = judgement->half_unit;
        snprintf(row->origin, sizeof row->origin, "half a unit of the last digit of the evidence");
    }
    if (ic_judgement_holds(judgement, measured.value))
        row->verdict = kind == IC_KIND_EVIDENCE ? IC_PASS : IC_ERRATUM;
    snprintf(row->detail + length, sizeof row->detail - length, " [measured %.6g, %s %s]", value,
             ic_judgement_bound(judgement).text, row->unit);
}

/* false: `error` says what is wrong with the row of the table. */
static bool examine(ic_results *results, const ic_table *table, size_t i, ic_laboratory *laboratory,
                    const ic_selection *selection, ic_error *error)
{
    ic_result row = new_row();
    ic_judgement judgement;
    ic_measured measured;
    ic_kind kind;
    if (!ic_row_kind(&kind, table, i, KIND, kinds, IC_COUNT(kinds), error)) return false;
    snprintf(row.kind, sizeof row.kind, "%s", ic_kind_text(kind));
    snprintf(row.what, sizeof row.what, "%s, %s: %s; should be %s", ic_table_field(table, i, SOURCE),
             ic_table_field(table, i, PLACE), ic_table_field(table, i, PRINTED),
             ic_table_field(table, i, SHOULD_BE));
    /* the last third of the detail is kept for what was measured */
    snprintf(row.detail, sizeof row.detail - sizeof row.detail / 3, "%s", ic_table_field(table, i, EVIDENCE));
    if (!ic_judgement_read(&judgement, table, i, judgement_columns, error)) return false;
    if (!ic_quantity_locate(&measured, &judgement.quantity, laboratory, error)) return false;
    if (!ic_selects_preset(selection, measured.system, measured.preset)) return true;
    if (!ic_selects_solver(selection, ic_solver_find(measured.solver))) return true;
    snprintf(row.unit, sizeof row.unit, "%s", ic_table_field(table, i, UNIT));
    snprintf(row.place, sizeof row.place, "%s", ic_table_field(table, i, PLACE));
    judge(&row, &judgement, laboratory, kind);
    ic_results_add(results, &row);
    return true;
}

void ic_errata_judge(ic_results *results, const ic_selection *selection, const char *path, const char *text)
{
    ic_laboratory laboratory = {0};
    ic_table table;
    ic_error error;
    if (!ic_table_open(&table, path, text, columns, COLUMNS, &error)) {
        add_failure(results, error.text);
        return;
    }
    for (size_t i = 0; i < table.n_rows; i++) {
        if (!examine(results, &table, i, &laboratory, selection, &error)) add_failure(results, error.text);
    }
    ic_table_close(&table);
    ic_laboratory_close(&laboratory);
}

static void run(ic_results *results, const ic_selection *selection)
{
    if (!ic_results_part(results)) return;
    const ic_embedded *file = ic_embedded_find("errata.csv");
    if (file == NULL) {
        add_failure(results, "errata.csv is not built in");
    } else {
        ic_errata_judge(results, selection, file->path, file->text);
    }
}

const ic_check ic_check_errata = {
    .name = "errata",
    .meaning =
        "what does not hold as the papers print it, or as the scan reads, with the evidence measured again",
    .run = run,
    .cost = 900,
};
