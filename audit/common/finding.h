/* SPDX-License-Identifier: MIT */
/**
 * Findings of an audit: one row for each check and subject, with a number, its tolerance and the
 * origin of the tolerance, and, if the check fails, the likely mistake.
 */
#pragma once

#include "audit/common/process.h"
#include "core/expression.h"
#include "impactcheck/impactcheck.h"

/** A check: constants that the file which implements it defines. */
typedef struct ic_audit_check {
    /* "IC-T-007", which never changes (audit/common/retired.def); NULL: none, a figure of a scene of one's own */
    const char *code;

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
#define IC_MISTAKE(code_, id_, name_, text_) IC_MISTAKE_##id_,
#include "audit/common/mistakes.def"
    IC_MISTAKE_COUNT
} ic_mistake_id;

/** "IC-C-001", which never changes; "": no mistake. */
const char *ic_mistake_code(ic_mistake_id id);

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

#define IC_FINDING_FORMAT __attribute__((format(printf, 2, 3)))

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

/** The first row of the check with this name; NULL: none. */
ic_finding *ic_findings_find(const ic_findings *findings, const char *check);

/** The next row that fails after this one, or, after NULL, the first; NULL: none. */
ic_finding *ic_findings_next_failed(const ic_findings *findings, const ic_finding *after);

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

typedef struct ic_candidate {
    /* "C*", "newton", "hunt-crossley" */
    char name[32];

    /* Misfit. 1: explained by noise and sampling; more: worse; INFINITY: excluded. */
    double misfit;
} ic_candidate;

enum { IC_MOST_CANDIDATES = 32 };

typedef struct ic_classification {
    /* "transition condition" */
    const char *question;

    char subject[96];

    /* Candidates; the best one is first. */
    ic_candidate candidates[IC_MOST_CANDIDATES];

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

/** plugin_checks.c: The checks of a plugin or a program, by number: a row of audit/common/plugin_checks.def each. */
typedef enum ic_plugin_check {
#define IC_PLUGIN_CHECK(code_, id_, ...) IC_CHECK_##id_,
#include "audit/common/plugin_checks.def"
    IC_PLUGIN_CHECK_COUNT
} ic_plugin_check;

extern const ic_audit_check ic_plugin_checks[IC_PLUGIN_CHECK_COUNT];

/**
 * finding_writer.c: The writer of findings, and the records by which findings pass from the process that runs a
 * plugin to the process that reports. Records are plain bytes without pointers, so that no pointer
 * destroyed by a plugin is followed.
 */

enum {
    IC_MOST_AUDIT_CLASSIFICATIONS = 16,
    IC_MOST_AUDIT_FINDINGS = 1 << 14,
    IC_SUBJECT_LENGTH = 96,
    IC_MOST_AUDIT_POINTS = 1 << 13
};

/** A free impact on a law, of the mass for which the law is made, or of 1 kg. */
typedef struct ic_restitution_point {
    char subject[IC_SUBJECT_LENGTH];

    /* the prescribed coefficient of restitution, 1; NAN: the law has no such parameter */
    double e_in;

    /* m/s */
    double speed;

    /* exit speed divided by entry speed, 1; 0: the impact does not end */
    double e_out;

    /* restitution by the law's texts, 1; NAN: not given */
    double told;
} ic_restitution_point;

typedef struct ic_audit_report {
    ic_findings findings;
    ic_classification classifications[IC_MOST_AUDIT_CLASSIFICATIONS];
    size_t n_classifications;

    /* points of all laws, in the order of the laws */
    ic_restitution_point *points;

    size_t n_points;

    /* True if some code crashed or did not return. */
    bool crashed;

    /* what it attempted and was refused: bits 1 << ic_attempt */
    unsigned attempts;

    /* True if the system did not start a process; the other members are then meaningless. */
    bool refused;
} ic_audit_report;

void ic_audit_report_free(ic_audit_report *report);

/** The reason why an audit of a plugin ends if the system refuses a process. */
#define IC_REFUSED_PROCESS "the system refuses to start a process for the plugin"

/** Writes findings into `report`. If that is NULL, sends packets to the reporting process. */
typedef struct ic_finding_writer {
    ic_audit_report *report;
    const ic_seal *seal;

    /* subject of the following findings: "law 'mine'" */
    char subject[IC_SUBJECT_LENGTH];

    /* place of the following findings: "roller/III/C" */
    char place[IC_PLACE_LENGTH];

    /* what exactly is mistaken in the next finding, if it fails */
    char because[IC_BECAUSE_LENGTH];
} ic_finding_writer;

/**
 * Set the place of the following findings, printf style: a preset, a trap, a motion; "":
 * everywhere.
 */
__attribute__((format(printf, 2, 3))) void ic_writer_set_place(ic_finding_writer *writer, const char *format,
                                                               ...);

/** Says what exactly is mistaken if the next measured finding fails: "P has the other sign". */
void ic_writer_explain(ic_finding_writer *writer, const char *because);

/** A measured value and its tolerance. */
typedef struct ic_judged_value {
    /* passes if value <= tolerance; NAN fails */
    double value, tolerance;

    /* origin of the tolerance; a constant string */
    const char *origin;

    /* The likely cause if it fails. */
    ic_mistake_id cause;
} ic_judged_value;

/** A value that is judged by a tolerance of tolerances.h, as it is. */
#define IC_JUDGED(value_, tolerance_, cause_)                                                                  \
    {                                                                                                          \
        (value_), (tolerance_).value, (tolerance_).derivation, (cause_)                                        \
    }

#define IC_WRITER_FORMAT __attribute__((format(printf, 4, 5)))

/**
 * Write a finding that passes or fails by its value; the detail is formatted printf style. Numbers
 * are ratios. Returns the likely cause if it fails, IC_NO_MISTAKE if it passes.
 */
IC_WRITER_FORMAT
ic_mistake_id ic_write_measured(ic_finding_writer *writer, ic_plugin_check check,
                                const ic_judged_value *measured, const char *format, ...);

IC_WRITER_FORMAT
void ic_write_open(ic_finding_writer *writer, ic_plugin_check check, double value, const char *format, ...);

/** Bytes that remain on the heap; open if the allocator does not report what is in use (NAN). */
void ic_write_kept(ic_finding_writer *writer, ic_plugin_check check, const ic_judged_value *kept,
                   const char *what);

/** Write a given finding with its unit and place. */
void ic_write_finding(ic_finding_writer *writer, ic_plugin_check check, const ic_finding *finding);

void ic_write_classification(ic_finding_writer *writer, const ic_classification *classification);

/** Write a point of a law's restitution in effect; its subject is that of the writer. */
void ic_write_point(ic_finding_writer *writer, const ic_restitution_point *point);

/** Announces the next operation; if the child dies, this is the operation blamed. */
void ic_announce_operation(ic_finding_writer *writer, const char *what);

enum { IC_RECORD_TEXT = 1024 };
typedef enum ic_finding_record_kind {
    IC_RECORD_FINDING,
    IC_RECORD_CLASSIFICATION,
    IC_RECORD_DOING,

    /* the announced operation is excused if it does not return; ends with the next announcement */
    IC_RECORD_EXCUSED,

    /* `number`: the mistake that explains wrong times in the following records */
    IC_RECORD_MISTAKE,

    /* a part of the plugin: `number` is its kind, `text` its name */
    IC_RECORD_SUBJECT,

    /* an error: `text`; `number` is 0 for one of the plugin, 1 if the system refuses something */
    IC_RECORD_ERROR,

    /* the last record */
    IC_RECORD_END,

    /*
     * restitution: e_out in `value`, that of the texts in `tolerance`, e_in and the speed in
     * `misfits`
     */
    IC_RECORD_POINT,
} ic_finding_record_kind;

typedef struct ic_record {
    ic_finding_record_kind kind;

    /* check, kind of subject, count of candidates */
    unsigned number;

    int verdict, cause;
    double value, tolerance;
    char unit[8];
    char subject[IC_SUBJECT_LENGTH], place[IC_PLACE_LENGTH], origin[192], text[IC_RECORD_TEXT],
        because[IC_BECAUSE_LENGTH];
    char names[IC_MOST_CANDIDATES][32];
    double misfits[IC_MOST_CANDIDATES];
} ic_record;

void ic_write_record(ic_finding_writer *writer, ic_finding_record_kind kind, unsigned number, const char *text);

/** Write the record that the system refuses a process, which ends the audit. */
void ic_write_refusal(ic_finding_writer *writer);

/**
 * Terminate the texts of a received record and replace unprintable characters by '?', since they go
 * to terminals and into JSON.
 */
void ic_record_make_printable(ic_record *record);

/**
 * Add a received finding, classification or point. false: the record is malformed, or the report is
 * full.
 */
bool ic_report_record(ic_audit_report *report, ic_record *record);

/** child.c: Runs code that may crash or hang in a separate process, which answers by records. */

/** The end of a child. */
typedef struct ic_child_end {
    /* False if the system refused to start it. */
    bool started;

    /* True if it sent the last record. */
    bool whole;

    /* True if it was killed at its deadline. */
    bool late;

    /* signal that ended it; 0: none */
    int signal;

    /* its exit status */
    int status;

    /* its processor time, s */
    double processor;

    /* True if its last operation was excused. */
    bool excused;

    /* True if it has killed its supervisor. */
    bool lost;

    /* Number of packets without the secret of the run. */
    size_t forged;

    /* what it attempted and was refused: bits 1 << ic_attempt */
    unsigned attempts;

    /* the resource limit that ended it; "": none */
    char limit[96];

    /* the last line that it wrote to standard error */
    char words[192];

    /* the last operation that it announced */
    char doing[IC_RECORD_TEXT];
} ic_child_end;

typedef void ic_child_work(ic_finding_writer *writer, void *context);
typedef void ic_child_reader(ic_record *record, void *context);

/**
 * Run `work` in a confined child for at most `seconds` and pass its records to `reader`. The
 * child's standard output is discarded.
 */
ic_child_end ic_child_run(ic_child_work *work, ic_child_reader *reader, void *context, double seconds);

/**
 * Pass records of a process to `reader` until the last record, the end of input or the deadline.
 * Packets without the secret are only counted. Texts are terminated and printable; other members
 * are unchecked. Sets `whole`, `late`, `forged` and `doing`.
 */
void ic_child_listen(ic_child_end *end, ic_process *process, const ic_secret *secret, ic_child_reader *reader,
                     void *context);
