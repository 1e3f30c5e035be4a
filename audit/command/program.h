/* SPDX-License-Identifier: MIT */
/** A program under audit: a command line of the shell, with an input and a time limit. */
#ifndef IC_AUDIT_PROGRAM_H
#define IC_AUDIT_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

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

#endif
