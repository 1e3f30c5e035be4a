/* SPDX-License-Identifier: MIT */
/**
 * Audit of a program that solves a case on demand: it is asked for the case, prints rows as CSV,
 * and what they show is audited as any trajectory's. Since it can be asked again, it is: once more
 * for the same, and for the first event at several places of a time step, and with ever smaller
 * steps or tolerances.
 */
#ifndef IC_AUDIT_COMMAND_H
#define IC_AUDIT_COMMAND_H

#include "audit/command/course.h"
#include "audit/command/program.h"
#include "audit/trajectory/trajectory_audit.h"

/** What a program is asked for. */
typedef struct ic_command_request {
    const ic_problem *problem;

    /* n_states */
    const double *x_start;

    int mode_start;

    /* s; for those of fixed steps */
    double step;

    /* for those that choose their step */
    double rtol;

    /* rows that are wanted, equidistant, both ends included */
    size_t samples;
} ic_command_request;

/** How to ask. Strings are borrowed. */
typedef struct ic_command {
    /* for /bin/sh */
    const char *line;

    /* ask by --name=value behind the line; else by `write` on its standard input */
    bool options;

    bool (*write)(FILE *input, const ic_command_request *request, void *context);
    void *context;
    ic_trajectory_reading reading;

    /* what its rows are held to */
    ic_trajectory_options rows;

    /* for each run */
    double seconds;

    /* 0: the defaults below */
    double step, rtol;

    /* that it claims, in the step; 0: none */
    double order;

    /* 0: IC_COMMAND_ROWS for a typical time */
    size_t samples;

    /* places of the first event in a time step */
    size_t phases;
} ic_command;

/** s, for each run, where nothing else is asked for */
#define IC_COMMAND_TIME_LIMIT 60.0
#define IC_COMMAND_RTOL 1e-9
enum { IC_COMMAND_ROWS = 100, IC_COMMAND_STEPS = 1000, IC_COMMAND_PHASES = 8 };

typedef struct ic_command_audit {
    /* the first */
    ic_command_request request;

    /* of its output, in messages */
    char name[160];

    ic_course course;
    ic_trajectory trajectory;

    /* with what further runs have shown */
    ic_trajectory_audit rows;

    size_t runs;

    /* what the system did not give for a run; "": nothing was refused */
    char refused[400];

    /* that the first took */
    double seconds;
} ic_command_audit;

typedef enum ic_command_end {
    IC_COMMAND_AUDITED,

    /* it failed, or what it wrote are no such rows: `error` says where */
    IC_COMMAND_WRONG,

    /* it crashed or hung at once: `error` says how; nothing else is known of it */
    IC_COMMAND_CRASHED,

    IC_COMMAND_NO_MEMORY,
} ic_command_end;

/** Audit a command that solves `problem`. Both must outlive the audit; close it in any case. */
ic_command_end ic_audit_command(ic_command_audit *audit, const ic_command *command, const ic_problem *problem,
                                ic_error *error);
void ic_command_audit_close(ic_command_audit *audit);

/** Whether any of its runs crashed or hung. */
bool ic_command_crashed(const ic_command_audit *audit);

/* ---- for what makes further runs: audit/command/check_reruns.c */

typedef enum ic_asked {
    IC_ASKED_GOOD,
    IC_ASKED_WRONG,
    IC_ASKED_CRASHED,
    IC_ASKED_LIMITED,
    IC_ASKED_HUNG
} ic_asked;

/** Run the command once and read its rows, which are to be closed in any case. */
ic_asked ic_command_ask(ic_trajectory *rows, ic_command_audit *audit, const ic_command *command,
                        const ic_command_request *request, ic_error *error);

/** Add what further runs show. false: no memory. */
bool ic_audit_reruns(ic_command_audit *audit, const ic_command *command);

#endif
