/* SPDX-License-Identifier: MIT */
/**
 * The writer of findings, and the records by which findings pass from the process that runs a
 * plugin to the process that reports. Records are plain bytes without pointers, so that no pointer
 * destroyed by a plugin is followed.
 */
#ifndef IC_AUDIT_COMMON_FINDING_WRITER_H
#define IC_AUDIT_COMMON_FINDING_WRITER_H

#include "audit/common/finding.h"
#include "audit/common/plugin_checks.h"
#include "audit/common/seal.h"

enum {
    IC_AUDIT_CLASSIFICATIONS_MOST = 16,
    IC_AUDIT_FINDINGS_MOST = 1 << 14,
    IC_SUBJECT_LENGTH = 96,
    IC_AUDIT_POINTS_MOST = 1 << 13
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

/** The result of an audit. */
typedef struct ic_audit_report {
    ic_findings findings;
    ic_classification classifications[IC_AUDIT_CLASSIFICATIONS_MOST];
    size_t n_classifications;

    /* points of all laws, in the order of the laws */
    ic_restitution_point *points;

    size_t n_points;

    /* True if some code crashed or did not return. */
    bool crashed;

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
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void ic_writer_set_place(ic_finding_writer *writer, const char *format, ...);

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

#if defined(__GNUC__)
#define IC_WRITER_FORMAT __attribute__((format(printf, 4, 5)))
#else
#define IC_WRITER_FORMAT
#endif

/**
 * Write a finding that passes or fails by its value; the detail is formatted printf style. Numbers
 * are ratios. Returns the likely cause if it fails, IC_NO_MISTAKE if it passes.
 */
IC_WRITER_FORMAT
ic_mistake_id ic_write_measured(ic_finding_writer *writer, ic_plugin_check check,
                                const ic_judged_value *measured, const char *format, ...);

/** Write an open finding. */
IC_WRITER_FORMAT
void ic_write_open(ic_finding_writer *writer, ic_plugin_check check, double value, const char *format, ...);

/** Write a given finding with its unit and place. */
void ic_write_finding(ic_finding_writer *writer, ic_plugin_check check, const ic_finding *finding);

void ic_write_classification(ic_finding_writer *writer, const ic_classification *classification);

/** Write a point of a law's restitution in effect; its subject is that of the writer. */
void ic_write_point(ic_finding_writer *writer, const ic_restitution_point *point);

/** Announces the next operation; if the child dies, this is the operation blamed. */
void ic_announce_operation(ic_finding_writer *writer, const char *what);

/** The announced operation is excused if it does not return. Ends with the next announcement. */
void ic_excuse_operation(ic_finding_writer *writer);

enum { IC_RECORD_TEXT = 1024 };
typedef enum ic_finding_record_kind {
    IC_RECORD_FINDING,
    IC_RECORD_CLASSIFICATION,
    IC_RECORD_DOING,
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
    char names[IC_CANDIDATES_MOST][32];
    double misfits[IC_CANDIDATES_MOST];
} ic_record;

/** Write a record of `kind` with `text` and `number`. */
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

#endif
