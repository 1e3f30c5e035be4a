/* SPDX-License-Identifier: MIT */
/**
 * Kinds of rows about a paper. Only a misprint says that the paper is misprinted.
 *
 * A row states its kind, what is claimed, where, the measure that tests it, the relation, and the
 * value with the digits printed.
 *
 * - A fault is a misprint only if that follows from the printed text itself. One sign, one bracket
 *   or one letter that a scan confuses is "as scanned". A statement that holds for assumed data, or
 *   that the paper does not make, is a finding of ours.
 * - Quote whole clauses, and report what the authors concede themselves.
 * - A row must be able to fail: its counter-value (counter_values.h) is rejected. A residual that
 *   is constant is not a test, nor is a second row on the same measurement, nor a bound on one side
 *   of a statement that has two.
 * - Each row is named in docs/claims/NAME.md after its sentence. An erratum has `limits`, and a
 *   misprint a second derivation in reference/derivations/NAME.py. tools/check-papers.py compares
 *   them all.
 */
#ifndef IC_VALIDATION_KINDS_H
#define IC_VALIDATION_KINDS_H

#include <stdbool.h>

typedef enum ic_kind {
    /* the paper says it; it is tested, and holds or does not */
    IC_KIND_STATEMENT,

    /* what is printed is wrong, which follows from the printed text itself */
    IC_KIND_MISPRINT,

    /* what the scan reads is wrong; the paper may print it right */
    IC_KIND_AS_SCANNED,

    /* an input: a preset has exactly what is printed */
    IC_KIND_GIVEN,

    /* ours, and all that holds for data that are assumed */
    IC_KIND_FINDING,

    /* the row says why */
    IC_KIND_NOT_TESTABLE,

    /* more evidence for the row above; not counted by itself */
    IC_KIND_EVIDENCE,

    IC_KINDS,
} ic_kind;

/** "statement", "as scanned", ... */
const char *ic_kind_text(ic_kind kind);

/** false: there is no such kind. */
bool ic_kind_read(ic_kind *kind, const char *text);

#endif
