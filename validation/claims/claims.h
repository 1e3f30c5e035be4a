/* SPDX-License-Identifier: MIT */
/**
 * Statements of the papers, one row each, with the measurement that judges them.
 *
 * A value that was printed must be met at the precision it was printed with: half a unit of its
 * last digit; an input, exactly. A statement in words is a range, or an inequality if the paper
 * states no more. If words need a number to be judged ("hardly discernible"), the note of the row
 * states that the number is ours.
 */
#ifndef IC_VALIDATION_CLAIMS_CLAIMS_H
#define IC_VALIDATION_CLAIMS_CLAIMS_H

#include "validation/claims/measures.h"
#include "validation/kinds.h"
#include "validation/results.h"
#include "validation/table.h"

#include <float.h>

typedef enum ic_relation {
    IC_EQUAL,
    IC_LESS,
    IC_GREATER,
    IC_AT_MOST,
    IC_AT_LEAST,
    IC_UNEQUAL,
    IC_WITHIN
} ic_relation;

/** The comparison of a measurement. */
typedef struct ic_judgement {
    ic_quantity quantity;
    ic_relation relation;

    /* The value in `factor` SI units; for a range, its lower end. */
    double value;

    /* Upper end of a range. */
    double most;

    /* half a unit of the last printed digit; NAN if nothing was printed */
    double half_unit;

    /* the claim's unit in SI units: 1e3 for kN */
    double factor;
} ic_judgement;

/** A row. Strings belong to the table. */
typedef struct ic_claim {
    ic_kind kind;
    const char *id, *source, *place, *statement, *should_be, *measure, *unit, *printed, *note;

    /* a change for which the row does not hold; see tests/validation/counter_values.h */
    const char *counter;

    /* For an erratum: conclusions that do not follow from it. "" for evidence. */
    const char *limits;

    /* not set if the row is not testable */
    ic_judgement judgement;
} ic_claim;

typedef struct ic_claims {
    ic_table table;
    ic_claim *claims;
    size_t count;
} ic_claims;

/**
 * Greatest difference of a value and its printed text, which are the same number read by two
 * routines: a few roundings.
 */
#define IC_SAME_NUMBER (8 * DBL_EPSILON)

/**
 * Read a file of claims or of errata. In a file of errata the printed text is the statement, and
 * the evidence is the note. false: `error` gives the reason, as file:line:column: message.
 */
bool ic_claims_open(ic_claims *claims, const char *path, const char *text, ic_error *error);
bool ic_errata_open(ic_claims *claims, const char *path, const char *text, ic_error *error);
void ic_claims_close(ic_claims *claims);

/**
 * Read measure, relation, value, unit and printed value of a row from these columns. If `printed`
 * has no column of its own but that of the value, the value counts as printed. false: `error` gives
 * place and reason.
 */
bool ic_judgement_read(ic_judgement *judgement, const ic_table *table, size_t row, const size_t *columns,
                       ic_error *error);

/** Columns of a judgement, for ic_judgement_read. */
enum {
    IC_COLUMN_MEASURE,
    IC_COLUMN_RELATION,
    IC_COLUMN_VALUE,
    IC_COLUMN_UNIT,
    IC_COLUMN_PRINTED,
    IC_JUDGEMENT_COLUMNS
};

/** "=", "<", ..., "in" */
const char *ic_relation_text(ic_relation relation);

/** The bound of a value, for people: "< 3", "in 1..2". */
typedef struct ic_bound {
    char text[32];
} ic_bound;

ic_bound ic_judgement_bound(const ic_judgement *judgement);

/** Whether a measured value, in SI units, has the relation. */
bool ic_judgement_holds(const ic_judgement *judgement, double measured);

/** Half a unit of the last digit of "5.06e5", "40pi" or "-92.4". false: not a number so written. */
bool ic_half_unit(const char *printed, double *half_unit);

/**
 * SI units in a unit: 1e3 for "kN" where the SI unit is "N". NAN: the unit is not one of that
 * quantity.
 */
double ic_unit_factor(const char *unit, const char *si_unit);

/** Measure a claim and fill its row. */
void ic_claim_judge(ic_result *row, const ic_claim *claim, ic_claim_evaluator *evaluator);

#endif
