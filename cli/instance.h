/* SPDX-License-Identifier: MIT */
/** A problem made from the operand CASE/PRESET and the options --variant, --set and --until. */
#pragma once

#include "cli/command.h"
#include "core/model.h"

typedef struct cli_instance {
    ic_setup setup;

    /* the same without the settings */
    ic_setup preset;

    /* the case of `setup` if that has derivatives, otherwise NULL */
    struct ic_casefile *derived;

    /* the same without derivatives, if there are some */
    ic_setup plain;
} cli_instance;

/**
 * The values of --set, with room for one more, which the caller frees. NULL: a message has been printed (for example
 * that a parameter is set twice).
 */
const char **cli_settings(const cli_arguments *arguments, size_t set, size_t *n);

/**
 * Make the problem. false: a message has been printed. The instance must be zero before the call,
 * and closed in either case.
 */
bool cli_instance_open(cli_instance *instance, const cli_arguments *arguments, size_t variant, size_t set,
                       size_t until);
/** Give the problem the derivatives by n parameters and states (ic_setup_derived). false: a message has been printed. */
bool cli_instance_derive(cli_instance *instance, const cli_arguments *arguments, const char *const *names,
                         size_t n);

/** The same for a path that is not an operand. */
bool cli_instance_open_path(cli_instance *instance, const cli_arguments *arguments, const char *path,
                            size_t variant, size_t set, size_t until);
/**
 * If an operand names a case file, FILE.yaml[/PRESET], its case replaces the built-in ones, and the
 * operand becomes CASE[/PRESET]. NULL is allowed. false: a message has been printed.
 */
bool cli_use_case_file(const cli_command *command, const char **operand);

void cli_instance_close(cli_instance *instance);

/**
 * Print the problem with one more fact: "solver", "rk4_henon: ...". false: memory ran
 * out.
 */
bool cli_instance_print(const cli_instance *instance, const char *fact, const char *text);

/** The same without the end of a run, for answers that do not have one. */
bool cli_instance_print_model(const cli_instance *instance, const char *fact, const char *text);
