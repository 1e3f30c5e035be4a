/* SPDX-License-Identifier: MIT */
#include "validation/claims/claims.h"

#include "casefile/dimension.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- relations */

static const char *const relations[] = {
    [IC_EQUAL] = "=",     [IC_LESS] = "<",     [IC_GREATER] = ">", [IC_AT_MOST] = "<=",
    [IC_AT_LEAST] = ">=", [IC_UNEQUAL] = "!=", [IC_WITHIN] = "in",
};

ic_bound ic_judgement_bound(const ic_judgement *judgement)
{
    ic_bound bound;
    const int n =
        snprintf(bound.text, sizeof bound.text, "%s %.6g", relations[judgement->relation], judgement->value);
    if (judgement->relation == IC_WITHIN)
        snprintf(bound.text + n, sizeof bound.text - (size_t)n, "..%.6g", judgement->most);
    return bound;
}

bool ic_judgement_holds(const ic_judgement *judgement, double measured)
{
    const double value = measured / judgement->factor;
    switch (judgement->relation) {
    case IC_EQUAL: return fabs(value - judgement->value) <= judgement->half_unit;
    case IC_LESS: return value < judgement->value;
    case IC_GREATER: return value > judgement->value;
    case IC_AT_MOST: return value <= judgement->value;
    case IC_AT_LEAST: return value >= judgement->value;
    case IC_WITHIN: return value >= judgement->value && value <= judgement->most;
    /* NAN is neither */
    case IC_UNEQUAL: return value < judgement->value || value > judgement->value;
    }
    return false;
}

/* ---- numbers and units */

bool ic_half_unit(const char *printed, double *half_unit)
{
    const char *at = printed;
    int digits = 0, decimals = 0;
    long exponent = 0;
    if (*at == '-') at++;
    for (; isdigit((unsigned char)*at); at++) digits++;
    if (*at == '.') at++;
    for (; at > printed && isdigit((unsigned char)*at); at++) digits++, decimals++;
    if (digits == 0) return false;
    if (*at == 'e') {
        char *end = NULL;
        exponent = strtol(at + 1, &end, 10);
        if (end == at + 1) return false;
        at = end;
    }
    *half_unit = 0.5 * pow(10, (double)(exponent - decimals));
    if (strcmp(at, "pi") == 0) {
        *half_unit *= acos(-1);
        at += 2;
    }
    return *at == '\0';
}

double ic_unit_factor(const char *unit, const char *si_unit)
{
    static const struct {
        char name;
        double factor;
    } prefixes[] = {{'M', 1e6}, {'k', 1e3}, {'m', 1e-3}, {'u', 1e-6}};
    if (si_unit != NULL && strcmp(unit, si_unit) == 0) return 1;
    for (size_t i = 0; i < IC_COUNT(prefixes); i++) {
        if (si_unit != NULL && unit[0] == prefixes[i].name && strcmp(unit + 1, si_unit) == 0)
            return prefixes[i].factor;
    }
    ic_unit read, si;
    size_t offset;
    ic_error error;
    if (!ic_unit_read(&read, unit, NULL, NULL, &offset, &error)) return si_unit == NULL ? 1 : NAN;
    if (si_unit == NULL) return read.factor;
    const bool same = ic_unit_read(&si, si_unit, NULL, NULL, &offset, &error) &&
                      ic_dimensions_equal(&read.dimension, &si.dimension);
    return same ? read.factor : NAN;
}

/* ---- reading a judgement */

/* The texts that are read. */
typedef struct judgement_reader {
    const char *const *texts;
    ic_judgement_fault *fault;
} judgement_reader;

static bool report_wrong_text(const judgement_reader *r, size_t column, const char *what)
{
    r->fault->column = column;
    r->fault->offset = 0;
    ic_error_set(&r->fault->error, "%s '%s'", what, r->texts[column]);
    return false;
}

static bool read_relation(ic_judgement *judgement, const judgement_reader *r)
{
    for (size_t i = 0; i < IC_COUNT(relations); i++) {
        judgement->relation = (ic_relation)i;
        if (strcmp(r->texts[IC_COLUMN_RELATION], relations[i]) == 0) return true;
    }
    return report_wrong_text(r, IC_COLUMN_RELATION, "expected one of = < > <= >= != in, not");
}

/* "1.02..1.03" */
static bool read_range(ic_judgement *judgement, const judgement_reader *r)
{
    char low[64];
    const char *text = r->texts[IC_COLUMN_VALUE], *dots = strstr(text, "..");
    if (dots == NULL || (size_t)(dots - text) >= sizeof low)
        return report_wrong_text(r, IC_COLUMN_VALUE, "expected a range such as 1.02..1.03, not");
    snprintf(low, sizeof low, "%.*s", (int)(dots - text), text);
    if (ic_expression_number(&judgement->value, low, NULL, NULL) &&
        ic_expression_number(&judgement->most, dots + 2, NULL, NULL) && judgement->value < judgement->most)
        return true;
    return report_wrong_text(r, IC_COLUMN_VALUE, "expected two numbers, the lesser one first, not");
}

static bool read_value(ic_judgement *judgement, const judgement_reader *r)
{
    ic_error why;
    const char *text = r->texts[IC_COLUMN_VALUE];
    if (judgement->relation == IC_WITHIN) return read_range(judgement, r);
    if (ic_expression_number(&judgement->value, text, NULL, &why)) return true;
    r->fault->column = IC_COLUMN_VALUE;
    r->fault->offset = 0;
    ic_error_set(&r->fault->error, "'%s' is not a number: %s", text, why.text);
    return false;
}

static bool read_unit(ic_judgement *judgement, const judgement_reader *r)
{
    const char *text = r->texts[IC_COLUMN_UNIT], *si = judgement->quantity.unit;
    judgement->factor = ic_unit_factor(text, si);
    if (text[0] != '\0' && judgement->factor > 0) return true;
    r->fault->column = IC_COLUMN_UNIT;
    r->fault->offset = 0;
    ic_error_set(&r->fault->error, "'%s' is not a unit of this quantity (%s)", text,
                 si == NULL ? "a unit is needed" : si);
    return false;
}

/* "ours 1.046": the paper states it without digits. */
static const char ours[] = "ours ";

static const char *digits_of(const char *printed)
{
    return strncmp(printed, ours, strlen(ours)) == 0 ? printed + strlen(ours) : printed;
}

/* Whether the paper prints the value. */
static bool is_printed(const ic_claim *claim)
{
    return claim->judgement.relation == IC_EQUAL && digits_of(claim->printed) == claim->printed &&
           (claim->kind == IC_KIND_STATEMENT || claim->kind == IC_KIND_GIVEN);
}

static bool read_printed(ic_judgement *judgement, const judgement_reader *r)
{
    const char *text = digits_of(r->texts[IC_COLUMN_PRINTED]);
    double printed = NAN;
    judgement->half_unit = NAN;
    if (judgement->relation != IC_EQUAL) {
        if (text == r->texts[IC_COLUMN_VALUE]) return true;
        return text[0] == '\0' ||
               report_wrong_text(r, IC_COLUMN_PRINTED, "only a row with = has a printed value, not");
    }
    if (!ic_half_unit(text, &judgement->half_unit) || !ic_expression_number(&printed, text, NULL, NULL)) {
        return report_wrong_text(r, IC_COLUMN_PRINTED,
                                 "a row with = needs the value as printed, such as 5.06e5, not");
    }
    if (fabs(printed - judgement->value) <= IC_SAME_NUMBER * fabs(printed)) return true;
    return report_wrong_text(r, IC_COLUMN_PRINTED, "the value differs from the printed one:");
}

bool ic_judgement_read(ic_judgement *judgement, const char *const texts[IC_JUDGEMENT_COLUMNS],
                       const ic_case *system, ic_judgement_fault *fault)
{
    const judgement_reader r = {texts, fault};
    fault->column = IC_COLUMN_MEASURE;
    return ic_quantity_parse(&judgement->quantity, texts[IC_COLUMN_MEASURE], system, &fault->offset,
                             &fault->error) &&
           read_relation(judgement, &r) && read_value(judgement, &r) && read_unit(judgement, &r) &&
           read_printed(judgement, &r);
}

/* ---- judging */

static void say_inequality(ic_result *row, const ic_claim *claim, double value)
{
    char held_against[96] = "";
    if (!isnan(value)) {
        snprintf(held_against, sizeof held_against, "measured %.4g %s %s", value,
                 strcmp(claim->unit, "1") == 0 ? "" : claim->unit, ic_judgement_bound(&claim->judgement).text);
    }
    snprintf(row->detail, sizeof row->detail, "%s; %s%s%s", held_against, claim->place,
             claim->note[0] == '\0' ? "" : ": ", claim->note);
}

static void say_equality(ic_result *row, const ic_claim *claim, double value)
{
    snprintf(row->detail, sizeof row->detail, "measured %.10g, %s %.10g; %s%s%s", value,
             is_printed(claim) ? "published" : "expected", claim->judgement.value, claim->place,
             claim->note[0] == '\0' ? "" : ": ", claim->note);
}

bool ic_claim_measure(ic_result *row, ic_measured *measured, const ic_claim *claim,
                      ic_claim_evaluator *evaluator)
{
    const ic_judgement *judgement = &claim->judgement;
    ic_error error = {""};
    *measured = (ic_measured){.value = NAN};
    const bool good = ic_quantity_measure(measured, &judgement->quantity, evaluator, &error);
    if (measured->system != NULL) {
        snprintf(row->subject, sizeof row->subject, "%s/%s", measured->system->name, measured->preset->name);
        snprintf(row->solver, sizeof row->solver, "%s", measured->solver);
    }
    if (!good) {
        snprintf(row->detail, sizeof row->detail, "cannot be measured: %.*s", (int)sizeof row->detail - 32,
                 error.text);
        return false;
    }
    const double value = measured->value / judgement->factor;
    if (isfinite(value)) snprintf(row->measured, sizeof row->measured, "%.10g", value);
    if (judgement->relation == IC_EQUAL) {
        row->error = fabs(value - judgement->value);
        row->tolerance = judgement->half_unit;
    }
    return true;
}

void ic_claim_judge(ic_result *row, const ic_claim *claim, ic_claim_evaluator *evaluator)
{
    const ic_judgement *judgement = &claim->judgement;
    ic_measured measured;
    *row = ic_row("published", "", NULL, "");
    snprintf(row->kind, sizeof row->kind, "%s", ic_kind_text(claim->kind));
    snprintf(row->what, sizeof row->what, "%s: %s", claim->id, claim->statement);
    snprintf(row->unit, sizeof row->unit, "%s", claim->unit);
    snprintf(row->place, sizeof row->place, "%s", claim->place);
    const char *value_text =
        judgement->relation == IC_EQUAL ? digits_of(claim->printed) : ic_judgement_bound(judgement).text;
    if (is_printed(claim)) snprintf(row->published, sizeof row->published, "%s", value_text);
    else snprintf(row->expected, sizeof row->expected, "%s", value_text);
    if (!ic_claim_measure(row, &measured, claim, evaluator)) return;
    const double value = measured.value / judgement->factor;
    if (judgement->relation == IC_EQUAL) {
        snprintf(row->origin, sizeof row->origin, "%s",
                 claim->kind == IC_KIND_GIVEN ? "rounding"
                 : is_printed(claim)          ? "half a unit of the last printed digit"
                                              : "half a unit of the last digit");
        say_equality(row, claim, value);
    } else {
        say_inequality(row, claim, value);
    }
    row->verdict = ic_judgement_holds(judgement, measured.value) ? IC_PASS : IC_FAIL;
}
