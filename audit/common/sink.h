/* SPDX-License-Identifier: MIT */
/**
 * Where the checks of a plugin put what they find, and how that passes from the process in which
 * the plugin runs to the one that reports. Records are plain bytes without pointers: what a plugin
 * has destroyed must not be followed.
 */
#ifndef IC_AUDIT_COMMON_SINK_H
#define IC_AUDIT_COMMON_SINK_H

#include "audit/common/finding.h"
#include "audit/common/plugin_checks.h"
#include "audit/common/seal.h"

enum {
    IC_AUDIT_CLASSIFICATIONS_MOST = 16,
    IC_AUDIT_FINDINGS_MOST = 1 << 14,
    IC_SUBJECT_LENGTH = 96,
    IC_AUDIT_POINTS_MOST = 1 << 13
};

/** A free impact of 1 kg on a law. */
typedef struct ic_restitution_point {
    char subject[IC_SUBJECT_LENGTH];

    /* 1; the coefficient of restitution that is asked for; NAN: the law has no such parameter */
    double e_in;

    /* m/s */
    double speed;

    /* 1; speed out over speed in; 0: it does not end */
    double e_out;

    /* 1; what the law's texts say; NAN: nothing */
    double told;
} ic_restitution_point;

/** All that an audit says. */
typedef struct ic_audit_report {
    ic_findings findings;
    ic_classification classifications[IC_AUDIT_CLASSIFICATIONS_MOST];
    size_t n_classifications;

    /* of all laws, in their order */
    ic_restitution_point *points;

    size_t n_points;

    /* something crashed, or did not come back */
    bool crashed;

    /* the system gave no process: nothing is to be made of the rest */
    bool refused;
} ic_audit_report;

void ic_audit_report_free(ic_audit_report *report);

/**
 * Where to put it: into `report`, or where that is NULL into packets to the process that reports.
 */
typedef struct ic_sink {
    ic_audit_report *report;
    const ic_seal *seal;

    /* of what follows: "law 'mine'" */
    char subject[IC_SUBJECT_LENGTH];

    /* of what follows: "roller/III/C" */
    char place[IC_PLACE_LENGTH];
} ic_sink;

/** Where what follows is found, printf style: a preset, a trap, a motion. "": everywhere. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void ic_sink_place(ic_sink *sink, const char *format, ...);

/** What a check has measured. */
typedef struct ic_measured {
    /* passes where value <= tolerance; NAN fails */
    double value, tolerance;

    /* of the tolerance; a constant */
    const char *origin;

    /* where it fails */
    ic_mistake_id cause;
} ic_measured;

#if defined(__GNUC__)
#define IC_SINK_FORMAT __attribute__((format(printf, 4, 5)))
#else
#define IC_SINK_FORMAT
#endif

/** A row: pass or FAIL by value and tolerance, with the detail printf style. Numbers are ratios. */
IC_SINK_FORMAT
void ic_sink_measure(ic_sink *sink, ic_plugin_check check, const ic_measured *measured, const char *format,
                     ...);

/** A row that nothing decides. */
IC_SINK_FORMAT
void ic_sink_open(ic_sink *sink, ic_plugin_check check, double value, const char *format, ...);

/** A row that is there already, with its unit and place. */
void ic_sink_finding(ic_sink *sink, ic_plugin_check check, const ic_finding *finding);

void ic_sink_classify(ic_sink *sink, const ic_classification *classification);

/** A point of a law's restitution in effect; its subject is that of the sink. */
void ic_sink_point(ic_sink *sink, const ic_restitution_point *point);

/** What is done next: if nothing follows, it is what did not end. */
void ic_sink_doing(ic_sink *sink, const char *what);

/**
 * If what is done next does not come back, that is no fault: it has been said that it may not.
 * Until the next ic_sink_doing.
 */
void ic_sink_excused(ic_sink *sink);

/** A record that came through the pipe. */
enum { IC_RECORD_TEXT = 384 };
typedef enum ic_sink_record_kind {
    IC_RECORD_FINDING,
    IC_RECORD_CLASSIFICATION,
    IC_RECORD_DOING,
    IC_RECORD_EXCUSED,

    /* `number`: the mistake that explains wrong times of what follows */
    IC_RECORD_MISTAKE,

    /* what the plugin has: `number` is its kind, `text` its name */
    IC_RECORD_SUBJECT,

    /* what is wrong with the plugin: `text` */
    IC_RECORD_ERROR,

    /* all has been said */
    IC_RECORD_END,

    /* restitution in effect: `value`, what is told of it: `tolerance`; e_in and the speed:
       `misfits` */
    IC_RECORD_POINT,
} ic_sink_record_kind;

typedef struct ic_record {
    ic_sink_record_kind kind;

    /* check, kind of subject, count of candidates */
    unsigned number;

    int verdict, cause;
    double value, tolerance;
    char unit[8];
    char subject[IC_SUBJECT_LENGTH], place[IC_PLACE_LENGTH], origin[192], text[IC_RECORD_TEXT];
    char names[IC_CANDIDATES_MOST][32];
    double misfits[IC_CANDIDATES_MOST];
} ic_record;

/** Write a record of `kind` with `text` and `number`. */
void ic_sink_record(ic_sink *sink, ic_sink_record_kind kind, unsigned number, const char *text);

/**
 * End the texts of a record that was received, and put ? for what is no printable ASCII: they go to
 * terminals and into JSON.
 */
void ic_record_make_printable(ic_record *record);

/**
 * Add a finding, a classification or a point that was received. false: the record is broken, or
 * more than there can be.
 */
bool ic_report_record(ic_audit_report *report, ic_record *record);

#endif
