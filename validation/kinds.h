/* SPDX-License-Identifier: MIT */
/**
 * Kinds of rows about a paper. Only a misprint states that the paper is wrong as printed.
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
 *   misprint, like each equation of equations-NAME.csv, a second derivation in
 *   reference/derivations/NAME.py. tools/check-papers.py compares them all.
 */
#pragma once

#include <stdbool.h>

typedef enum ic_kind {
    /* The paper states it. It is tested, and holds or does not hold. */
    IC_KIND_STATEMENT,

    /* The printed text is wrong; this follows from the text itself. */
    IC_KIND_MISPRINT,

    /* The scanned text is wrong; the paper may be right as printed. */
    IC_KIND_AS_SCANNED,

    /* An input: a preset has exactly the printed value. */
    IC_KIND_GIVEN,

    /* A result of ours, including all results for assumed data. */
    IC_KIND_FINDING,

    /* The row gives the reason. */
    IC_KIND_NOT_TESTABLE,

    /* more evidence for the row above; not counted by itself */
    IC_KIND_EVIDENCE,

    IC_KINDS,
} ic_kind;

/** "statement", "as scanned", ... */
const char *ic_kind_text(ic_kind kind);

/** The kind of a name. false: it does not exist. */
bool ic_kind_read(ic_kind *kind, const char *text);
