/* SPDX-License-Identifier: MIT */
/**
 * What an audit finds: one row for each check and subject, with a number, the tolerance it is held
 * against, where that comes from, and, where the check fails, the mistake that is likely to be the
 * cause.
 */
#ifndef IC_AUDIT_COMMON_FINDING_H
#define IC_AUDIT_COMMON_FINDING_H

#include "impactcheck/impactcheck.h"

/** A check: constants of the file that makes it. */
typedef struct ic_audit_check {
    /* "adhesion" */
    const char *name;

    /* one line: what is measured */
    const char *what;

    /* one line: what goes wrong where it fails */
    const char *why;

    /* paper and equation, or the clause of the event contract */
    const char *reference;

    /* while it is open, the verdict as a whole is undecided */
    bool needed;

    /* the tolerance is the least value that passes; else the greatest */
    bool at_least;
} ic_audit_check;

/** Known mistakes, by name: audit/common/mistakes.def. */
typedef enum ic_mistake_id {
    IC_NO_MISTAKE,
#define IC_MISTAKE(id_, name_, text_) IC_MISTAKE_##id_,
#include "audit/common/mistakes.def"
#undef IC_MISTAKE
    IC_MISTAKE_COUNT
} ic_mistake_id;

/** "adhesion-kept"; "" for none. */
const char *ic_mistake_name(ic_mistake_id id);

/** What it is, one line. */
const char *ic_mistake_text(ic_mistake_id id);

typedef enum ic_finding_verdict {
    IC_FINDING_PASS,
    IC_FINDING_FAIL,

    /* the data do not decide: `detail` says what would */
    IC_FINDING_OPEN,
} ic_finding_verdict;

/** "pass", "FAIL", "cannot tell". */
const char *ic_finding_verdict_text(ic_finding_verdict verdict);

/**
 * The verdict as a whole: failed if any check failed; else undecided if a needed check has no row
 * that decides, or a subject has none of any check; else good.
 */
typedef enum ic_audit_verdict {
    IC_AUDIT_GOOD,
    IC_AUDIT_FAILED,
    IC_AUDIT_UNDECIDED,
} ic_audit_verdict;

/** "good", "failed", "undecided". */
const char *ic_audit_verdict_text(ic_audit_verdict verdict);

/** Length of a place, its end included. */
enum { IC_PLACE_LENGTH = 80 };

typedef struct ic_finding {
    const ic_audit_check *check;

    /* what was checked: "roller/III/C", "map 'mine'" */
    char subject[96];

    /* on what: a preset, a trap, a motion; "": the subject says it, or all of them */
    char place[IC_PLACE_LENGTH];

    ic_finding_verdict verdict;

    /* NAN where there is no number */
    double measured, tolerance;

    /* of both */
    const char *unit;

    /* where the tolerance comes from */
    char origin[192];

    /* where, how much, compared with what; for people */
    char detail[384];

    /* likely; IC_NO_MISTAKE where none is known, and where the check passes */
    ic_mistake_id cause;
} ic_finding;

/** Rows in the order in which they were found. */
typedef struct ic_findings {
    ic_finding *rows;
    size_t count, capacity;

    /* a row was lost */
    bool no_memory;

    /* rows that came with numbers that say otherwise than their verdict */
    size_t contradictions;
} ic_findings;

/**
 * Whether the numbers say what the verdict says: measured beyond its tolerance fails, within it
 * passes; NAN says nothing.
 */
bool ic_finding_agrees(const ic_finding *finding);

/** Add a copy of a row; numbers that contradict its verdict are left out of it. */
void ic_findings_add(ic_findings *findings, const ic_finding *finding);
size_t ic_findings_with(const ic_findings *findings, ic_finding_verdict verdict);

/** A verdict, and what it rests on. */
typedef struct ic_audit_judgement {
    ic_audit_verdict verdict;

    /* rows */
    size_t passed, failed, open;

    /* undecided: the first row that leaves it so; NULL: there are no rows */
    const ic_finding *why;
} ic_audit_judgement;

/** Judge the rows, those of each subject by themselves or all as those of one. */
ic_audit_judgement ic_findings_judge(const ic_findings *findings, bool each_subject);

/** Whether a row leaves the verdict on its subject undecided. */
bool ic_finding_leaves_open(const ic_findings *findings, const ic_finding *finding, bool each_subject);

void ic_findings_free(ic_findings *findings);

/** How a classification came out. */
typedef struct ic_candidate {
    /* "C*", "newton", "hunt-crossley" */
    char name[32];

    /* 1: what noise and sampling explain; more: worse. INFINITY: excluded */
    double misfit;
} ic_candidate;

enum { IC_CANDIDATES_MOST = 32 };

typedef struct ic_classification {
    /* "transition condition" */
    const char *question;

    char subject[96];

    /* the best first */
    ic_candidate candidates[IC_CANDIDATES_MOST];

    size_t count;

    /* the first fits, and the second does not or far worse; else: cannot tell */
    bool decided;

    /* misfit of the runner-up over that of the first */
    double margin;

    /* what decides, or what would */
    char detail[384];
} ic_classification;

/** Add a candidate; one more than there can be is ignored. */
void ic_classification_add(ic_classification *classification, const char *name, double misfit);

/**
 * Sort candidates and decide: the first must have a misfit up to `fits`, the second one of `apart`
 * times that at least.
 */
void ic_classification_decide(ic_classification *classification, double fits, double apart);

#endif
