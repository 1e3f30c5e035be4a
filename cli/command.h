/* SPDX-License-Identifier: MIT */
/**
 * A command of the program: its options as a table, from which arguments are read and help is made.
 *
 * Each file cli/NAME.c exports one constant of type cli_command; cli/main.c lists them.
 */
#pragma once

#include "core/names.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** Exit status. */
enum { CLI_GOOD = 0, CLI_CHECK_FAILED = 1, CLI_BAD_INPUT = 2, CLI_FAILURE = 3 };

typedef struct cli_option {
    /* "--solver" */
    const char *name;

    /* Name of the argument, in capitals: "NAME"; NULL: the option has none. */
    const char *argument;

    /* Help text; the help wraps its lines. "{NAME}" stands for the default of a tolerance. */
    const char *meaning;

    /* True if the option may be given more than once. */
    bool repeats;
} cli_option;

typedef struct cli_given {
    /* index in the command's table */
    size_t option;

    /* NULL: it has no argument */
    const char *value;
} cli_given;

/** A command line that fits the command's table. Strings are argv's own. */
typedef struct cli_arguments {
    const struct cli_command *command;
    const char **operands;
    size_t n_operands;
    cli_given *given;
    size_t n_given;

    /* A case that the command has opened for functions that it calls, or NULL. */
    struct cli_report_files *reports;
} cli_arguments;

typedef struct cli_command {
    /* "run" */
    const char *name;

    /* Operands for the line of usage: "CASE/PRESET". */
    const char *operands;

    /* Number of operands. */
    size_t least, most;

    /* Purpose, in one line. */
    const char *title;

    /* Text of the help, or NULL; each line is a paragraph. */
    const char *details;

    const cli_option *options;
    size_t n_options;

    /* The former name of an option, which is refused with the name that it has now; or NULL. */
    const char *former;

    /* "--method" */
    const char *renamed;

    /* returns the exit status */
    int (*run)(const cli_arguments *arguments);
} cli_command;

extern const cli_command cli_list, cli_run, cli_certify, cli_verify, cli_study, cli_law, cli_bench, cli_compare,
    cli_sweep, cli_optimise, cli_audit, cli_report, cli_check, cli_init, cli_schema, cli_ci, cli_explain;

/** All commands, in the order in which they are listed. */
extern const cli_command *const cli_commands[];
extern const size_t cli_command_count;

/** Fields of a command: an array of its options. */
#define CLI_OPTIONS(options_) .options = (options_), .n_options = IC_COUNT(options_)

/** Options that have the same meaning in all commands. */
#define CLI_OPTION_VARIANT                                                                                     \
    "--variant", "NAME",                                                                                       \
        "another variant of the case: a transition condition, a contact-force law; list cases --long", false
#define CLI_OPTION_SET                                                                                         \
    "--set", "NAME=VALUE",                                                                                     \
        "change a parameter; the value may be 0.1, 5e6, 3/2, 80pi, pi/6; give the option again for more", true
#define CLI_OPTION_UNTIL                                                                                       \
    "--until", "T", "end in s, in place of the preset's; parameters may be named: 20*2*pi/omega", false
#define CLI_OPTION_SOLVER                                                                                      \
    "--solver", "NAME",                                                                                        \
        "default: piecewise_linear if the case is linear between events, otherwise rk45_bisection", false
#define CLI_OPTION_RTOL                                                                                        \
    "--rtol", "R", "relative tolerance of solvers that choose their step; default 1e-9", false
#define CLI_OPTION_EVENT_TOL                                                                                   \
    "--event-tol", "E", "width, in s, to which an event is located; default 1e-13 typical times", false
#define CLI_OPTION_JSON "--json", NULL, "write one JSON object instead of tables", false

typedef enum cli_parsed { CLI_PARSED, CLI_HELP_SHOWN, CLI_NOT_PARSED } cli_parsed;

/** Read a command line (without program and command). On failure the reason has been printed. */
cli_parsed cli_parse(cli_arguments *arguments, const cli_command *command, int argc, char **argv);
void cli_arguments_free(cli_arguments *arguments);

bool cli_has(const cli_arguments *arguments, size_t option);

/** Value of an option, or NULL if it is not given. */
const char *cli_value(const cli_arguments *arguments, size_t option);

/** Write all values of an option into an array of n_given elements. Returns their number. */
size_t cli_values(const cli_arguments *arguments, size_t option, const char **values);

/**
 * Read an option as a number > 0 and < `below`. `value` does not change if the option is not given.
 */
bool cli_positive(const cli_arguments *arguments, size_t option, double below, double *value);

/** The solver that an option names. NULL: the reason has been printed. */
const ic_solver *cli_solver(const cli_arguments *arguments, size_t option);

/**
 * Check that two options are not both given, because they exclude each other. `reason` may be "".
 * false: a message has been printed.
 */
bool cli_compatible(const cli_arguments *arguments, size_t a, size_t b, const char *reason);

/** Read an option as a whole number from `least` to `most`. */
bool cli_whole(const cli_arguments *arguments, size_t option, size_t least, size_t most, size_t *value);

/** Report an error of the input on standard error; returns CLI_BAD_INPUT. */
__attribute__((format(printf, 2, 3))) int cli_bad_input(const cli_command *command, const char *format, ...);

/** The same; returns false. */
__attribute__((format(printf, 2, 3))) bool cli_refuse(const cli_command *command, const char *format, ...);

/** Report a failure on standard error; returns CLI_FAILURE. */
__attribute__((format(printf, 2, 3))) int cli_failure(const cli_command *command, const char *format, ...);

/** Memory ran out; returns CLI_FAILURE. */
int cli_no_memory(const cli_command *command);

/** Print a remark on standard error. */
__attribute__((format(printf, 2, 3))) void cli_remark(const cli_command *command, const char *format, ...);

/**
 * Remarks on the options --rtol and --step where they have no effect on a solver. That is no error, so that one command
 * line can be used for all solvers.
 */
void cli_remark_on_control(const cli_arguments *arguments, const ic_solver *solver, size_t rtol, size_t step);

/**
 * Where all these messages go from now on, and the subject that they name; NULL: standard error, and
 * no subject.
 */
void cli_messages_to(FILE *stream, const char *subject);

/**
 * Report that no `kind` has the name, with the nearest name if there is one, and the command that
 * lists all.
 */
int cli_nearest_unknown(const ic_nearest *nearest, const cli_command *command, const char *kind,
                        const char *list);
