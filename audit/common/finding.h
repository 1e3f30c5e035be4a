/* SPDX-License-Identifier: MIT */
/**
 * Findings of an audit: one row for each check and subject, with a number, its tolerance and the
 * origin of the tolerance, and, if the check fails, the likely mistake.
 */
#ifndef IC_AUDIT_COMMON_FINDING_H
#define IC_AUDIT_COMMON_FINDING_H

#include "impactcheck/impactcheck.h"

/** A check: constants that the file which implements it defines. */
typedef struct ic_audit_check {
    /* "adhesion" */
    const char *name;

    /* The measured quantity, in one line. */
    const char *what;

    /* The consequence of a failure, in one line. */
    const char *why;

    /* Paper and equation, or the clause of the event contract. */
    const char *reference;

    /* True if the overall verdict is undecided while this check is open. */
    bool needed;

    /* True if the tolerance is the smallest value that passes; otherwise it is the greatest. */
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

/** "adhesion-kept"; "": no mistake. */
const char *ic_mistake_name(ic_mistake_id id);

/** One line of description. */
const char *ic_mistake_text(ic_mistake_id id);

/** The mistake of a name; IC_NO_MISTAKE: there is none. */
ic_mistake_id ic_mistake_find(const char *name);

typedef enum ic_finding_verdict {
    IC_FINDING_PASS,
    IC_FINDING_FAIL,

    /* The data do not decide; `detail` states which data would. */
    IC_FINDING_OPEN,
} ic_finding_verdict;

/** "pass", "FAIL", "undecided". */
const char *ic_finding_verdict_text(ic_finding_verdict verdict);

/**
 * The overall verdict: failed if any check failed; undecided if a needed check has no deciding row,
 * or a subject has none of any check; otherwise good.
 */
typedef enum ic_audit_verdict {
    IC_AUDIT_GOOD,
    IC_AUDIT_FAILED,
    IC_AUDIT_UNDECIDED,
} ic_audit_verdict;

/** "good", "failed", "undecided". */
const char *ic_audit_verdict_text(ic_audit_verdict verdict);

/** Size of a place, with the terminator. */
enum { IC_PLACE_LENGTH = 80, IC_BECAUSE_LENGTH = 200 };

typedef struct ic_finding {
    const ic_audit_check *check;

    /* "roller/III/C", "map 'mine'" */
    char subject[96];

    /* A preset, a trap or a motion; "": the subject alone, or all of them. */
    char place[IC_PLACE_LENGTH];

    ic_finding_verdict verdict;

    /* what it is called while it is open: "not promised", "not offered"; NULL: "undecided" */
    const char *open_as;

    /* NAN: no number */
    double measured, tolerance;

    /* Unit of both numbers. */
    const char *unit;

    /* derivation of the tolerance */
    char origin[192];

    /* Text for the user: the place, the size, and the quantity compared with. */
    char detail[1024];

    /* the likely mistake; IC_NO_MISTAKE if none is known or the check passes */
    ic_mistake_id cause;

    /* What exactly is mistaken: "P has the other sign"; "": not known. */
    char because[IC_BECAUSE_LENGTH];
} ic_finding;

/** "pass", "FAIL", or what it is called while it is open. */
const char *ic_finding_word(const ic_finding *finding);

#if defined(__GNUC__)
#define IC_FINDING_FORMAT __attribute__((format(printf, 2, 3)))
#else
#define IC_FINDING_FORMAT
#endif

/** Set the detail, printf style; append to it; set the origin of the tolerance. */
IC_FINDING_FORMAT void ic_finding_describe(ic_finding *finding, const char *format, ...);
IC_FINDING_FORMAT void ic_finding_append(ic_finding *finding, const char *format, ...);
IC_FINDING_FORMAT void ic_finding_set_origin(ic_finding *finding, const char *format, ...);

/** Leave the finding open, without a cause. The detail states which data would decide. */
IC_FINDING_FORMAT void ic_finding_leave_open(ic_finding *finding, const char *format, ...);

/** Rows in the order of their discovery. */
typedef struct ic_findings {
    ic_finding *rows;
    size_t count, capacity;

    /* True if a row was lost because memory ran out. */
    bool no_memory;

    /* rows whose numbers contradicted their verdict */
    size_t contradictions;
} ic_findings;

/**
 * Whether the numbers agree with the verdict: beyond the tolerance fails, within it passes; NAN
 * agrees with all.
 */
bool ic_finding_agrees(const ic_finding *finding);

/** Add a copy of a row; numbers that contradict its verdict are dropped. */
void ic_findings_add(ic_findings *findings, const ic_finding *finding);
size_t ic_findings_with(const ic_findings *findings, ic_finding_verdict verdict);

/** A verdict and its reasons. */
typedef struct ic_audit_judgement {
    ic_audit_verdict verdict;

    /* rows */
    size_t passed, failed, open;

    /* If undecided: the first row that leaves the verdict open; NULL: there are no rows. */
    const ic_finding *why;
} ic_audit_judgement;

/** Judge the rows, each subject separately or all together. */
ic_audit_judgement ic_findings_judge(const ic_findings *findings, bool each_subject);

/** Whether a row leaves the verdict on its subject undecided. */
bool ic_finding_leaves_open(const ic_findings *findings, const ic_finding *finding, bool each_subject);

/** A likely cause of failed rows. */
typedef struct ic_likely_cause {
    ic_mistake_id mistake;

    /* failed rows that it explains */
    size_t rows;
} ic_likely_cause;

/** The likely causes, that of most rows first, into `causes[IC_MISTAKE_COUNT]`. Returns how many there are. */
size_t ic_findings_causes(const ic_findings *findings, ic_likely_cause *causes);

void ic_findings_free(ic_findings *findings);

/** A candidate of a classification. */
typedef struct ic_candidate {
    /* "C*", "newton", "hunt-crossley" */
    char name[32];

    /* Misfit. 1: explained by noise and sampling; more: worse; INFINITY: excluded. */
    double misfit;
} ic_candidate;

enum { IC_CANDIDATES_MOST = 32 };

typedef struct ic_classification {
    /* "transition condition" */
    const char *question;

    char subject[96];

    /* Candidates; the best one is first. */
    ic_candidate candidates[IC_CANDIDATES_MOST];

    size_t count;

    /* True if the first fits, and the second does not fit or fits far worse. */
    bool decided;

    /* misfit of the second divided by that of the first */
    double margin;

    /* Data that decide, or that would decide. */
    char detail[384];
} ic_classification;

/** Add a candidate; ignored if the classification is full. */
void ic_classification_add(ic_classification *classification, const char *name, double misfit);

/**
 * Sort the candidates and decide: the first must have a misfit of at most `fits`, the second at
 * least `apart` times that.
 */
void ic_classification_decide(ic_classification *classification, double fits, double apart);

#endif
