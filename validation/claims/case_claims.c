/* SPDX-License-Identifier: MIT */
/* Statements of a case, which stand in its file. */
#include "validation/claims/claims.h"
#include "validation/claims/counter_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct statement_reader {
    ic_claims *claims;
    const ic_case *system;
    const ic_statement *statement;
    ic_statement_report *report;
    void *context;
} statement_reader;

static bool report_fault(const statement_reader *r, const char *key, size_t offset, const char *text)
{
    r->report(r->statement->id, key, offset, text, r->context);
    return false;
}

/* Keys of texts that a statement needs, or must not have. */
static bool check_texts(const statement_reader *r, const ic_claim *claim)
{
    const bool tested = claim->kind != IC_KIND_NOT_TESTABLE, evidence = claim->kind == IC_KIND_EVIDENCE;
    const bool misread = claim->kind == IC_KIND_MISPRINT || claim->kind == IC_KIND_AS_SCANNED;
    const ic_statement *s = r->statement;
    const struct {
        const char *key, *text;
        bool needed, allowed;
        const char *reason;
    } texts[] = {
        {"says", s->says, !evidence, true, "what it says, in our words or quoted"},
        {"place", s->place, claim->kind != IC_KIND_FINDING && !evidence, true,
         "its place in the publication: Table 2"},
        {"should_be", s->should_be, misread, misread || claim->kind == IC_KIND_STATEMENT,
         "the text that holds, for the kinds misprint, 'as scanned' and statement only"},
        {"evidence", s->note, claim->erratum || !tested, true, "the reason"},
        {"limits", s->limits, claim->erratum && !evidence, claim->erratum && !evidence,
         "what does not follow from a statement that does not hold; others have none"},
        {"measure", s->measure, tested, tested, "a measure, unless it is not testable"},
        {"is", s->is, tested, tested, "the value that must be measured, unless it is not testable"},
        {"counter", s->counter, tested, tested,
         "settings or a measure for which it must not hold, unless it is not testable"},
    };
    for (size_t i = 0; i < IC_COUNT(texts); i++) {
        const bool given = texts[i].text[0] != '\0';
        ic_error error;
        if (given ? texts[i].allowed : !texts[i].needed) continue;
        ic_error_set(&error, given ? "'%s' is not expected here: %s" : "'%s' is missing: %s", texts[i].key,
                     texts[i].reason);
        return report_fault(r, given ? texts[i].key : "", 0, error.text);
    }
    return true;
}

/*
 * Takes "< 3 m/s", "in 1 .. 2 mm" or "198.05" apart into relation, value and unit. false: memory ran
 * out.
 */
static bool split_bound(const char *texts[IC_JUDGEMENT_COLUMNS], ic_arena *arena, const char *is)
{
    static const char *const relations[] = {"<=", ">=", "!=", "<", ">", "=", "in "};
    texts[IC_COLUMN_RELATION] = "=";
    for (size_t i = 0; i < IC_COUNT(relations); i++) {
        const size_t length = strlen(relations[i]);
        if (strncmp(is, relations[i], length) != 0) continue;
        texts[IC_COLUMN_RELATION] = relations[i][0] == 'i' ? "in" : relations[i];
        is += length;
        break;
    }
    char *value = ic_arena_copy(arena, is, strlen(is));
    if (value == NULL) return false;
    value += strspn(value, " ");
    char *dots = strstr(value, ".."), *end = value + strcspn(value, " ");
    if (dots != NULL) {
        /* without the blanks around the dots */
        const char *upper = dots + 2 + strspn(dots + 2, " ");
        while (dots > value && dots[-1] == ' ') dots--;
        memmove(dots + 2, upper, strlen(upper) + 1);
        dots[0] = dots[1] = '.';
        end = dots + 2 + strcspn(dots + 2, " ");
    }
    const char *unit = end + strspn(end, " ");
    texts[IC_COLUMN_UNIT] = *unit == '\0' ? "1" : unit;
    *end = '\0';
    texts[IC_COLUMN_VALUE] = texts[IC_COLUMN_PRINTED] = value;
    return true;
}

static bool read_judgement(const statement_reader *r, ic_claim *claim)
{
    const char *texts[IC_JUDGEMENT_COLUMNS] = {[IC_COLUMN_MEASURE] = claim->measure};
    ic_judgement_fault fault = {0};
    ic_quantity counter;
    size_t offset;
    ic_error error;
    if (!split_bound(texts, &r->claims->texts, r->statement->is)) return false;
    claim->unit = texts[IC_COLUMN_UNIT];
    claim->printed = texts[IC_COLUMN_PRINTED];
    if (!ic_judgement_read(&claim->judgement, texts, r->system, &fault)) {
        const bool measure = fault.column == IC_COLUMN_MEASURE;
        return report_fault(r, measure ? "measure" : "is", measure ? fault.offset : 0, fault.error.text);
    }
    if (!ic_counter_read(&counter, claim, &offset, &error))
        return report_fault(r, "counter", offset, error.text);
    if (claim->kind != IC_KIND_GIVEN) return true;
    claim->judgement.half_unit = IC_SAME_NUMBER * fabs(claim->judgement.value);
    return claim->judgement.relation == IC_EQUAL ||
           report_fault(r, "is", 0, "an input is compared with the printed value: expected a number");
}

/* More evidence is about the statement above it. */
static bool take_above(const statement_reader *r, ic_claim *claim, const ic_claim *above)
{
    if (!above->erratum)
        return report_fault(r, "kind", 0,
                            "evidence follows the statement that does not hold, or other evidence");
    if (claim->statement[0] == '\0') claim->statement = above->statement;
    if (claim->place[0] == '\0') claim->place = above->place;
    claim->should_be = above->should_be;
    return true;
}

static bool read_statement(const statement_reader *r, ic_claim *claim, const ic_claim *above)
{
    const ic_statement *s = r->statement;
    *claim = (ic_claim){.id = s->id,
                        .source = s->source,
                        .place = s->place,
                        .statement = s->says,
                        .should_be = s->should_be,
                        .measure = s->measure,
                        .unit = "",
                        .printed = "",
                        .note = s->note,
                        .counter = s->counter,
                        .limits = s->limits,
                        .system = r->system};
    if (!ic_kind_read(&claim->kind, s->kind)) {
        ic_error error;
        ic_error_set(&error,
                     "unknown kind '%s': expected statement, given, finding, 'not testable', misprint, "
                     "'as scanned' or evidence",
                     s->kind);
        return report_fault(r, "kind", 0, error.text);
    }
    claim->erratum = claim->kind == IC_KIND_MISPRINT || claim->kind == IC_KIND_AS_SCANNED ||
                     claim->kind == IC_KIND_EVIDENCE || s->should_be[0] != '\0';
    if (!check_texts(r, claim)) return false;
    if (claim->kind == IC_KIND_EVIDENCE && !take_above(r, claim, above)) return false;
    if (claim->place[0] == '\0') claim->place = "not in the paper";
    return claim->kind == IC_KIND_NOT_TESTABLE || read_judgement(r, claim);
}

bool ic_claims_of_case(ic_claims *claims, const ic_case *system, ic_statement_report *report, void *context)
{
    ic_claim above = {0};
    *claims = (ic_claims){0};
    claims->claims = calloc(system->n_statements + 1, sizeof *claims->claims);
    if (claims->claims == NULL) return false;
    for (size_t i = 0; i < system->n_statements && !claims->texts.failed; i++) {
        const statement_reader r = {claims, system, &system->statements[i], report, context};
        ic_claim *claim = &claims->claims[claims->count];
        claims->count += read_statement(&r, claim, &above);
        above = *claim;
    }
    if (!claims->texts.failed) return true;
    ic_claims_close(claims);
    return false;
}
