/* SPDX-License-Identifier: MIT */
/* Files of claims and of errata. */
#include "validation/claims/claims.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns that both have, in their places. */
enum { ID, KIND, SOURCE, PLACE, STATEMENT };

/* A kind of file. */
typedef struct layout {
    const char *columns[13];
    size_t n_columns;
    size_t should_be, measure, unit, printed, note, counter, limits; /* n_columns: there is no such column */
    size_t judgement[IC_JUDGEMENT_COLUMNS];
    ic_kind kinds[4]; /* of its rows */
} layout;

static const layout claims_layout = {
    {"id", "kind", "source", "place", "statement", "measure", "relation", "value", "unit", "printed", "note",
     "counter"},
    12,
    .should_be = 12,
    .limits = 12,
    .measure = 5,
    .unit = 8,
    .printed = 9,
    .note = 10,
    .counter = 11,
    .judgement = {5, 6, 7, 8, 9},
    .kinds = {IC_KIND_STATEMENT, IC_KIND_GIVEN, IC_KIND_FINDING, IC_KIND_NOT_TESTABLE},
};

/* With = the value counts as printed. */
static const layout errata_layout = {
    {"id", "kind", "source", "place", "printed", "should_be", "evidence", "measure", "relation", "value",
     "unit", "counter", "limits"},
    13,
    .should_be = 5,
    .measure = 7,
    .unit = 10,
    .printed = STATEMENT,
    .note = 6,
    .counter = 11,
    .limits = 12,
    .judgement = {7, 8, 9, 10, 9},
    .kinds = {IC_KIND_STATEMENT, IC_KIND_MISPRINT, IC_KIND_AS_SCANNED, IC_KIND_EVIDENCE},
};

static bool wrong(const ic_claims *claims, size_t row, size_t column, ic_error *error, const char *what)
{
    return ic_table_error(error, claims->table.path, ic_table_place(&claims->table, row, column), "%s", what);
}

static bool id_is_new(const ic_claims *claims, size_t row, ic_error *error)
{
    const ic_table *table = &claims->table;
    const char *id = ic_table_field(table, row, ID);
    if (id[0] == '\0') return wrong(claims, row, ID, error, "an id is needed");
    for (size_t i = 0; i < row; i++) {
        if (strcmp(ic_table_field(table, i, ID), id) != 0) continue;
        return ic_table_error(error, table->path, ic_table_place(table, row, ID),
                              "id '%s' stands in line %zu as well", id, ic_table_place(table, i, ID).line);
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
    return ic_table_error(error, table->path, ic_table_place(table, row, KIND), "no kind of row here: '%s'",
                          text);
}

/* A row that cannot be tested has a note, which says why, and no measure; of an input exactly what is printed is asked. */
static bool read_judgement(ic_claim *claim, const ic_claims *claims, const layout *l, size_t row,
                           ic_error *error)
{
    static const char *const untested = "a row that is not testable has a note that says why, and no measure";
    if (claim->kind == IC_KIND_NOT_TESTABLE) {
        if (claim->note[0] == '\0') return wrong(claims, row, l->note, error, untested);
        return claim->measure[0] == '\0' || wrong(claims, row, l->measure, error, untested);
    }
    if (!ic_judgement_read(&claim->judgement, &claims->table, row, l->judgement, error)) return false;
    if (claim->kind != IC_KIND_GIVEN) return true;
    claim->judgement.half_unit = IC_SAME_NUMBER * fabs(claim->judgement.value);
    return claim->judgement.relation == IC_EQUAL ||
           wrong(claims, row, l->judgement[IC_COLUMN_RELATION], error,
                 "an input is compared with what is printed: '=' expected");
}

static const char *field(const ic_claims *claims, const layout *l, size_t row, size_t column)
{
    return column < l->n_columns ? ic_table_field(&claims->table, row, column) : "";
}

static bool read_claim(ic_claims *claims, const layout *l, size_t row, ic_error *error)
{
    ic_claim *claim = &claims->claims[row];
    claim->id = field(claims, l, row, ID);
    claim->source = field(claims, l, row, SOURCE);
    claim->place = field(claims, l, row, PLACE);
    claim->statement = field(claims, l, row, STATEMENT);
    claim->should_be = field(claims, l, row, l->should_be);
    claim->measure = field(claims, l, row, l->measure);
    claim->unit = field(claims, l, row, l->unit);
    claim->printed = field(claims, l, row, l->printed);
    claim->note = field(claims, l, row, l->note);
    claim->counter = field(claims, l, row, l->counter);
    claim->limits = field(claims, l, row, l->limits);
    if (!id_is_new(claims, row, error) || !read_kind(claim, claims, l, row, error)) return false;
    if (l->limits < l->n_columns && (claim->limits[0] == '\0') != (claim->kind == IC_KIND_EVIDENCE))
        return wrong(claims, row, l->limits, error,
                     "an erratum says what does not follow from it, and evidence says nothing here");
    return read_judgement(claim, claims, l, row, error);
}

static bool open_file(ic_claims *claims, const layout *l, const char *path, const char *text, ic_error *error)
{
    *claims = (ic_claims){0};
    if (!ic_table_open(&claims->table, path, text, l->columns, l->n_columns, error)) return false;
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
    *claims = (ic_claims){0};
}
