/* SPDX-License-Identifier: MIT */
/* Files of claims and of errata. */
#include "validation/claims/claims.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Columns that both files have, in their places. */
enum { ID, KIND };

enum { MOST_COLUMNS = 13 };

/* A column, and the text of ic_claim that receives it; NONE: the column is read in another way. */
typedef struct claim_column {
    const char *name;
    size_t member;
} claim_column;

#define NONE ((size_t)-1)
#define TEXT(member_) offsetof(ic_claim, member_)

/* A kind of file. */
typedef struct layout {
    claim_column columns[MOST_COLUMNS];

    /* names of the columns that ic_judgement_read takes */
    const char *judgement[IC_JUDGEMENT_COLUMNS];

    /* of its rows */
    ic_kind kinds[4];
} layout;

static const layout claims_layout = {
    {{"id", TEXT(id)},
     {"kind", NONE},
     {"source", TEXT(source)},
     {"place", TEXT(place)},
     {"statement", TEXT(statement)},
     {"measure", TEXT(measure)},
     {"relation", NONE},
     {"value", NONE},
     {"unit", TEXT(unit)},
     {"printed", TEXT(printed)},
     {"note", TEXT(note)},
     {"counter", TEXT(counter)}},
    .judgement = {"measure", "relation", "value", "unit", "printed"},
    .kinds = {IC_KIND_STATEMENT, IC_KIND_GIVEN, IC_KIND_FINDING, IC_KIND_NOT_TESTABLE},
};

/* With = the value counts as printed. */
static const layout errata_layout = {
    {{"id", TEXT(id)},
     {"kind", NONE},
     {"source", TEXT(source)},
     {"place", TEXT(place)},
     {"printed", TEXT(statement)},
     {"should_be", TEXT(should_be)},
     {"evidence", TEXT(note)},
     {"measure", TEXT(measure)},
     {"relation", NONE},
     {"value", NONE},
     {"unit", TEXT(unit)},
     {"counter", TEXT(counter)},
     {"limits", TEXT(limits)}},
    .judgement = {"measure", "relation", "value", "unit", "value"},
    .kinds = {IC_KIND_STATEMENT, IC_KIND_MISPRINT, IC_KIND_AS_SCANNED, IC_KIND_EVIDENCE},
};

/* Number of the column that a text of ic_claim is read from. */
static size_t column_for(const layout *l, size_t member)
{
    size_t i = 0;
    while (i < MOST_COLUMNS && l->columns[i].member != member) i++;
    return i;
}

static bool report_wrong_cell(const ic_claims *claims, size_t row, size_t column, ic_error *error,
                              const char *what)
{
    return ic_table_error(error, claims->table.path, ic_table_place(&claims->table, row, column), "%s", what);
}

static bool id_is_new(const ic_claims *claims, size_t row, ic_error *error)
{
    const ic_table *table = &claims->table;
    const char *id = ic_table_field(table, row, ID);
    if (id[0] == '\0') return report_wrong_cell(claims, row, ID, error, "an id is needed");
    for (size_t i = 0; i < row; i++) {
        if (strcmp(ic_table_field(table, i, ID), id) != 0) continue;
        return ic_table_error(error, table->path, ic_table_place(table, row, ID),
                              "id '%s' also occurs in line %zu", id, ic_table_place(table, i, ID).line);
    }
    return true;
}

static bool read_kind(ic_claim *claim, const ic_claims *claims, const layout *l, size_t row, ic_error *error)
{
    const ic_table *table = &claims->table;
    const char *text = ic_table_field(table, row, KIND);
    const bool known = ic_kind_read(&claim->kind, text);
    for (size_t i = 0; known && i < IC_COUNT(l->kinds); i++) {
        if (claim->kind == l->kinds[i]) return true;
    }
    return ic_table_error(error, table->path, ic_table_place(table, row, KIND), "unknown kind of row: '%s'",
                          text);
}

/*
 * A row that cannot be tested has a note that gives the reason, and no measure. For an input,
 * exactly the printed value is required.
 */
static bool read_judgement(ic_claim *claim, const ic_claims *claims, const layout *l, size_t row,
                           ic_error *error)
{
    static const char *const untested =
        "a row that is not testable needs a note with the reason, and must not have a measure";
    if (claim->kind == IC_KIND_NOT_TESTABLE) {
        if (claim->note[0] == '\0')
            return report_wrong_cell(claims, row, column_for(l, TEXT(note)), error, untested);
        return claim->measure[0] == '\0' ||
               report_wrong_cell(claims, row, column_for(l, TEXT(measure)), error, untested);
    }
    size_t columns[IC_JUDGEMENT_COLUMNS] = {0};
    const char *texts[IC_JUDGEMENT_COLUMNS];
    ic_judgement_fault fault = {0};
    for (size_t i = 0; i < IC_COUNT(columns); i++) {
        while (strcmp(l->columns[columns[i]].name, l->judgement[i]) != 0) columns[i]++;
        texts[i] = ic_table_field(&claims->table, row, columns[i]);
    }
    if (!ic_judgement_read(&claim->judgement, texts, NULL, &fault)) {
        ic_line_column place = ic_table_place(&claims->table, row, columns[fault.column]);
        place.column += fault.offset;
        return ic_table_error(error, claims->table.path, place, "%s", fault.error.text);
    }
    if (claim->kind != IC_KIND_GIVEN) return true;
    claim->judgement.half_unit = IC_SAME_NUMBER * fabs(claim->judgement.value);
    return claim->judgement.relation == IC_EQUAL ||
           report_wrong_cell(claims, row, columns[IC_COLUMN_RELATION], error,
                             "an input is compared with the printed value: expected '='");
}

static bool read_claim(ic_claims *claims, const layout *l, size_t row, ic_error *error)
{
    ic_claim *claim = &claims->claims[row];
    *claim = (ic_claim){.erratum = l == &errata_layout, .should_be = "", .printed = "", .limits = ""};
    for (size_t i = 0; i < claims->table.n_columns; i++) {
        if (l->columns[i].member == NONE) continue;
        void *text = (char *)claim + l->columns[i].member;
        *(const char **)text = ic_table_field(&claims->table, row, i);
    }
    if (!id_is_new(claims, row, error) || !read_kind(claim, claims, l, row, error)) return false;
    if (strncmp(claim->statement, "...", 3) == 0)
        return report_wrong_cell(claims, row, column_for(l, TEXT(statement)), error,
                                 "pages are sorted, and each row is read alone: write it out");
    const size_t limits = column_for(l, TEXT(limits));
    if (limits < MOST_COLUMNS && (claim->limits[0] == '\0') != (claim->kind == IC_KIND_EVIDENCE))
        return report_wrong_cell(
            claims, row, limits, error,
            "an erratum must state what does not follow from it; evidence must leave this empty");
    return read_judgement(claim, claims, l, row, error);
}

static bool open_file(ic_claims *claims, const layout *l, const char *path, const char *text, ic_error *error)
{
    const char *names[MOST_COLUMNS];
    size_t n = 0;
    for (; n < MOST_COLUMNS && l->columns[n].name != NULL; n++) names[n] = l->columns[n].name;
    *claims = (ic_claims){0};
    if (!ic_table_open(&claims->table, path, text, names, n, error)) return false;
    claims->claims = calloc(claims->table.n_rows + 1, sizeof *claims->claims);
    bool good = claims->claims != NULL;
    if (!good) ic_error_set(error, "memory ran out");
    for (; good && claims->count < claims->table.n_rows; claims->count++) {
        good = read_claim(claims, l, claims->count, error);
    }
    if (!good) ic_claims_close(claims);
    return good;
}

bool ic_claims_open(ic_claims *claims, const char *path, const char *text, ic_error *error)
{
    return open_file(claims, &claims_layout, path, text, error);
}

bool ic_errata_open(ic_claims *claims, const char *path, const char *text, ic_error *error)
{
    return open_file(claims, &errata_layout, path, text, error);
}

void ic_claims_close(ic_claims *claims)
{
    free(claims->claims);
    ic_table_close(&claims->table);
    ic_arena_free(&claims->texts);
    *claims = (ic_claims){0};
}
