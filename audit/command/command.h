/* SPDX-License-Identifier: MIT */
/** Audits of commands: the program, a reference run, the checks. */
#pragma once

#include "audit/trajectory/trajectory_audit.h"

#include <stdint.h>

/** program.c: A program under audit: a command line of the shell, with an input and a time limit. */

/** The end of a run. */
typedef enum ic_program_end {
    /* exit status 0 */
    IC_PROGRAM_GOOD,

    /* the system could not start it */
    IC_PROGRAM_REFUSED,

    /* another exit status */
    IC_PROGRAM_FAILED,

    /* ended by a signal */
    IC_PROGRAM_CRASHED,

    /* ended by a resource limit */
    IC_PROGRAM_LIMITED,

    /* Ended by the audit when its time was up. */
    IC_PROGRAM_HUNG,

    /* it wrote more than the limit */
    IC_PROGRAM_FLOODS,
} ic_program_end;

typedef struct ic_program_run {
    ic_program_end end;

    /* Beginning of its standard output; NULL: the system refused. */
    FILE *output;

    /* Description of the failure if `end` is not good, with its last message on standard error. */
    char detail[400];
} ic_program_run;

/**
 * Runs `command` by /bin/sh, with `arguments` (ended by NULL) appended and `input`, from its
 * present position, as standard input, for at most `seconds`. Processes that it has started end
 * with it.
 */
ic_program_run ic_program_start(const char *command, const char *const *arguments, FILE *input, double seconds);

void ic_program_close(ic_program_run *run);

/**
 * reference_run.c: A reference run of a case: its events by the most accurate solver, and the state at any time
 * between them.
 */

typedef struct ic_reference_run {
    ic_log *log;
    ic_predictor predictor;
    double x_start[IC_MAX_STATES];
    int mode_start;
} ic_reference_run;

/**
 * Solves a problem, which must outlive the reference run. false: `error` gives the reason. Close
 * the reference run in either case.
 */
bool ic_reference_run_open(ic_reference_run *reference, const ic_problem *problem, ic_error *error);
void ic_reference_run_close(ic_reference_run *reference);

/** The state at a time, after the events of that instant. false: the time is outside the run. */
bool ic_reference_run_state(const ic_reference_run *reference, double t, double *x);

/** Time of the first event of a guard after the start, s; INFINITY if it does not exist. */
double ic_reference_run_first_guard(const ic_reference_run *reference);

/** The first event of any kind after a time, or the end, s. */
double ic_reference_run_next(const ic_reference_run *reference, double t);

/** The problem's end, or the time at which a terminal mode is entered, s. */
double ic_reference_run_end(const ic_reference_run *reference);

/**
 * command.c: Audit of a program that solves a case on request and prints rows as CSV, which are audited like
 * any trajectory. The program is run again with the same request, with the first event at several
 * places of a time step, and with smaller and smaller steps or tolerances.
 */

typedef struct ic_command_request {
    const ic_problem *problem;

    /* n_states */
    const double *x_start;

    int mode_start;

    /* step for programs with fixed steps, s */
    double step;

    /* for programs that choose their steps */
    double rtol;

    /* number of rows, equidistant, both ends included */
    size_t samples;
} ic_command_request;

/** The command and how to audit it. Strings are borrowed. */
typedef struct ic_command {
    /* for /bin/sh */
    const char *line;

    /* true: the request is appended as --name=value; false: `write` writes it to standard input */
    bool options;

    bool (*write)(FILE *input, const ic_command_request *request, void *context);
    void *context;
    ic_trajectory_reading reading;

    /* of the audit of its rows */
    ic_trajectory_options rows;

    /* time limit of each run, s */
    double seconds;

    /* 0: the defaults below */
    double step, rtol;

    /* the claimed order in the step; 0: none */
    double order;

    /* 0: IC_COMMAND_ROWS for each time scale */
    size_t samples;

    /* number of places of the first event in a time step */
    size_t phases;

    /* of the parameters that are drawn */
    uint64_t seed;
} ic_command;

/** default time limit of a run, s */
#define IC_COMMAND_TIME_LIMIT 60.0
#define IC_COMMAND_RTOL 1e-9
enum { IC_COMMAND_ROWS = 100, IC_COMMAND_STEPS = 1000, IC_COMMAND_PHASES = 8 };

typedef struct ic_command_audit {
    /* of the first run */
    ic_command_request request;

    /* of its output in messages */
    char name[160];

    ic_reference_run reference;
    ic_trajectory trajectory;

    /* including the findings of further runs */
    ic_trajectory_audit rows;

    size_t runs;

    /* Reason for which the system refused a run; "": it refused none. */
    char refused[400];

    /* duration of the first run, s */
    double seconds;
} ic_command_audit;

typedef enum ic_command_end {
    IC_COMMAND_AUDITED,

    /* The command failed, or its output is not a table of rows: `error` states the place. */
    IC_COMMAND_WRONG,

    /* The first run crashed or hung: `error` describes it. */
    IC_COMMAND_CRASHED,

    IC_COMMAND_NO_MEMORY,
} ic_command_end;

/**
 * Audits a command that solves `problem`. Both must outlive the audit. Close the audit in any case.
 */
ic_command_end ic_audit_command(ic_command_audit *audit, const ic_command *command, const ic_problem *problem,
                                ic_error *error);
void ic_command_audit_close(ic_command_audit *audit);

/** Whether any of its runs crashed or hung. */
bool ic_command_crashed(const ic_command_audit *audit);

/* ---- for audit/command/check_reruns.c */

/**
 * Runs the command once and reads its rows, which are closed in any case. false: it gave none; `cause`: it crashed,
 * exceeded a limit or hung, or IC_NO_MISTAKE.
 */
bool ic_command_ask(ic_trajectory *rows, ic_command_audit *audit, const ic_command *command,
                    const ic_command_request *request, ic_mistake_id *cause, ic_error *error);

/** Rows that differ in any bit, including those that only one of both has. */
size_t ic_command_count_differences(const ic_trajectory *a, const ic_trajectory *b);

/** check_parameters.c: Adds the finding of requests with drawn parameters and out of order. */
void ic_audit_other_parameters(ic_command_audit *audit, const ic_command *command);

/** Adds the findings of further runs. false: memory ran out. */
bool ic_audit_reruns(ic_command_audit *audit, const ic_command *command);
