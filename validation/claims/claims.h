/* SPDX-License-Identifier: MIT */
/**
 * Statements of the papers, one row each, with the measurement that judges them.
 *
 * A value that was printed must be met at the precision it was printed with: half a unit of its
 * last digit; an input, exactly. A statement in words is a range, or an inequality if the paper
 * states no more. If words need a number to be judged ("hardly discernible"), the note of the row
 * states that the number is ours.
 */
#pragma once

#include "casefile/arena.h"
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

/** A row. Strings belong to the table, or to the case. */
typedef struct ic_claim {
    ic_kind kind;

    /* It states that the printed text does not hold, or is more evidence for such a row. */
    bool erratum;

    /* the case in whose file it stands, whose presets may be named alone; NULL: none */
    const ic_case *system;

    const char *id, *source, *place, *statement, *should_be, *measure, *unit, *printed, *note;

    /* a change for which the row does not hold; see validation/claims/counter_values.h */
    const char *counter;

    /* For an erratum: conclusions that do not follow from it. "" for evidence. */
    const char *limits;

    /* not set if the row is not testable */
    ic_judgement judgement;
} ic_claim;

typedef struct ic_claims {
    ic_table table;

    /* of statements of a case */
    ic_arena texts;

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

/** Receives a fault of a statement: the key in whose text it is, and the place in that text. */
typedef void ic_statement_report(const char *id, const char *key, size_t offset, const char *text,
                                 void *context);

/**
 * Read the statements of a case. Those with faults are reported, and left out. false: memory ran
 * out.
 */
bool ic_claims_of_case(ic_claims *claims, const ic_case *system, ic_statement_report *report, void *context);

/** Texts of a judgement. */
enum {
    IC_COLUMN_MEASURE,
    IC_COLUMN_RELATION,
    IC_COLUMN_VALUE,
    IC_COLUMN_UNIT,
    IC_COLUMN_PRINTED,
    IC_JUDGEMENT_COLUMNS
};

/** The text that is wrong, the place in it, and the reason. */
typedef struct ic_judgement_fault {
    size_t column, offset;
    ic_error error;
} ic_judgement_fault;

/**
 * Read a judgement from its texts. If the printed value is the same pointer as the value, the value
 * counts as printed. `system`: see ic_quantity_parse.
 */
bool ic_judgement_read(ic_judgement *judgement, const char *const texts[IC_JUDGEMENT_COLUMNS],
                       const ic_case *system, ic_judgement_fault *fault);

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
 * SI units in a unit: 1e3 for "kN" where the SI unit is "N" (NULL: any). NAN: the unit is not one of
 * that quantity.
 */
double ic_unit_factor(const char *unit, const char *si_unit);

/**
 * Measure the quantity of a claim; the row gets who measured it, and the value, error and tolerance. false: it cannot
 * be measured, and the row says why.
 */
bool ic_claim_measure(ic_result *row, ic_measured *measured, const ic_claim *claim,
                      ic_claim_evaluator *evaluator);

/** Measure a claim and fill its row. */
void ic_claim_judge(ic_result *row, const ic_claim *claim, ic_claim_evaluator *evaluator);
