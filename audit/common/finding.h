/* SPDX-License-Identifier: MIT */
/**
 * What an audit finds: one row for each check and subject, with a number, the tolerance it is held against, where that comes from,
 * and, where the check fails, the mistake that is likely to be the cause.
 */
#ifndef IC_AUDIT_COMMON_FINDING_H
#define IC_AUDIT_COMMON_FINDING_H

#include "impactcheck/impactcheck.h"

/** A check: constants of the file that makes it. */
typedef struct ic_audit_check {
    const char *name;      /* "adhesion" */
    const char *what;      /* one line: what is measured */
    const char *why;       /* one line: what goes wrong where it fails */
    const char *reference; /* paper and equation, or the clause of the event contract */
    bool needed;           /* while it is open, the verdict as a whole is undecided */
    bool at_least;         /* the tolerance is the least value that passes; else the greatest */
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
    IC_FINDING_OPEN, /* the data do not decide: `detail` says what would */
} ic_finding_verdict;

/** "pass", "FAIL", "cannot tell". */
const char *ic_finding_verdict_text(ic_finding_verdict verdict);

/**
 * The verdict as a whole: failed if any check failed; else undecided if a needed check has no row that decides, or a subject has none of
 * any check; else good.
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
    char subject[96]; /* what was checked: "roller/III/C", "map 'mine'" */
    char place
        [IC_PLACE_LENGTH]; /* on what: a preset, a trap, a motion; "": the subject says it, or all of them */
    ic_finding_verdict verdict;
    double measured, tolerance; /* NAN where there is no number */
    const char *unit;           /* of both */
    char origin[192];           /* where the tolerance comes from */
    char detail[384];           /* where, how much, compared with what; for people */
    ic_mistake_id cause;        /* likely; IC_NO_MISTAKE where none is known, and where the check passes */
} ic_finding;

/** Rows in the order in which they were found. */
typedef struct ic_findings {
    ic_finding *rows;
    size_t count, capacity;
    bool no_memory;        /* a row was lost */
    size_t contradictions; /* rows that came with numbers that say otherwise than their verdict */
} ic_findings;

/** Whether the numbers say what the verdict says: measured beyond its tolerance fails, within it passes; NAN says nothing. */
bool ic_finding_agrees(const ic_finding *finding);

/** Add a copy of a row; numbers that contradict its verdict are left out of it. */
void ic_findings_add(ic_findings *findings, const ic_finding *finding);
size_t ic_findings_with(const ic_findings *findings, ic_finding_verdict verdict);

/** A verdict, and what it rests on. */
typedef struct ic_audit_judgement {
    ic_audit_verdict verdict;
    size_t passed, failed, open; /* rows */
    const ic_finding *why;       /* undecided: the first row that leaves it so; NULL: there are no rows */
} ic_audit_judgement;

/** Judge the rows, those of each subject by themselves or all as those of one. */
ic_audit_judgement ic_findings_judge(const ic_findings *findings, bool each_subject);

/** The verdict on rows of one subject. */
ic_audit_verdict ic_findings_verdict(const ic_findings *findings);

/** Whether a row leaves the verdict on its subject undecided. */
bool ic_finding_leaves_open(const ic_findings *findings, const ic_finding *finding, bool each_subject);

void ic_findings_free(ic_findings *findings);

/** How a classification came out. */
typedef struct ic_candidate {
    const char *name; /* "C*", "newton", "hunt-crossley" */
    double misfit;    /* 1: what noise and sampling explain; more: worse. INFINITY: excluded */
} ic_candidate;

enum { IC_CANDIDATES_MOST = 32 };

typedef struct ic_classification {
    const char *question; /* "transition condition" */
    char subject[96];
    ic_candidate candidates[IC_CANDIDATES_MOST]; /* the best first */
    size_t count;
    bool decided;     /* the first fits, and the second does not or far worse; else: cannot tell */
    double margin;    /* misfit of the runner-up over that of the first */
    char detail[384]; /* what decides, or what would */
} ic_classification;

/** Sort candidates and decide: the first must have a misfit up to `fits`, the second one of `apart` times that at least. */
void ic_classification_decide(ic_classification *classification, double fits, double apart);

#endif
