/* SPDX-License-Identifier: MIT */
/**
 * Somebody else's program: a command line of the shell, with something on its standard input, for a
 * limited time.
 */
#ifndef IC_AUDIT_PROGRAM_H
#define IC_AUDIT_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** How it ended. */
typedef enum ic_program_end {
    /* exit status 0 */
    IC_PROGRAM_GOOD,

    /* the system did not start it */
    IC_PROGRAM_REFUSED,

    /* another exit status */
    IC_PROGRAM_FAILED,

    /* ended by a signal */
    IC_PROGRAM_CRASHED,

    /* ended by one of its limits */
    IC_PROGRAM_LIMITED,

    /* ended by us: its time was up */
    IC_PROGRAM_HUNG,

    /* it wrote more than any answer can be */
    IC_PROGRAM_FLOODS,
} ic_program_end;

typedef struct ic_program_run {
    ic_program_end end;

    /* what it wrote on standard output, from its begin; NULL where the system refused */
    FILE *output;

    /* where `end` is not good: what happened, with the last that it said on standard error */
    char detail[400];
} ic_program_run;

/**
 * Run `command` by /bin/sh with `arguments` (ended by NULL) behind it and `input`, from where it
 * stands, as its standard input, for at most `seconds`. What it has started is ended with it.
 */
ic_program_run ic_program_start(const char *command, const char *const *arguments, FILE *input, double seconds);

void ic_program_close(ic_program_run *run);

#endif
