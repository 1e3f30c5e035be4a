/* SPDX-License-Identifier: MIT */
#include "cli/command.h"
#include "cli/terminal.h"
#include "cli/tolerances.h"
#include "core/expression.h"
#include "registry/registry.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Width at which help texts are wrapped. */
enum { HELP_WIDTH = 96 };

/* ---- messages on standard error */

/* Bytes of a message, before they are escaped: two paths and a sentence. */
enum { LONGEST_MESSAGE = 10000 };

/* NULL: standard error, and no subject */
static FILE *message_stream;
static const char *message_subject;

void cli_messages_to(FILE *stream, const char *subject)
{
    message_stream = stream;
    message_subject = subject;
}

static void print_message(const cli_command *command, const char *kind, const char *format, va_list arguments)
{
    char text[LONGEST_MESSAGE], shown[CLI_SHOWN_GROWTH * LONGEST_MESSAGE];
    vsnprintf(text, sizeof text, format, arguments);
    cli_escape(shown, sizeof shown, text);
    fprintf(message_stream != NULL ? message_stream : stderr, "impactcheck%s%s: %s%s%s%s\n",
            command == NULL ? "" : " ", command == NULL ? "" : command->name, kind,
            message_subject != NULL ? message_subject : "", message_subject != NULL ? ": " : "", shown);
}

int cli_bad_input(const cli_command *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message(command, "", format, arguments);
    va_end(arguments);
    return CLI_BAD_INPUT;
}

bool cli_refuse(const cli_command *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message(command, "", format, arguments);
    va_end(arguments);
    return false;
}

int cli_failure(const cli_command *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message(command, "", format, arguments);
    va_end(arguments);
    return CLI_FAILURE;
}

int cli_no_memory(const cli_command *command)
{
    return cli_failure(command, "memory ran out");
}

void cli_remark(const cli_command *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message(command, "note: ", format, arguments);
    va_end(arguments);
}

void cli_remark_on_control(const cli_arguments *arguments, const ic_solver *solver, size_t rtol, size_t step)
{
    if (cli_has(arguments, rtol) && solver->control != IC_CONTROL_RTOL)
        cli_remark(arguments->command, "--rtol has no effect on %s", solver->name);
    if (cli_has(arguments, step) && solver->control == IC_CONTROL_NONE)
        cli_remark(arguments->command, "--step has no effect on %s", solver->name);
}

/* ---- the nearest name */

int cli_nearest_unknown(const ic_nearest *nearest, const cli_command *command, const char *kind,
                        const char *list)
{
    return cli_bad_input(command, "unknown %s '%s'%s (impactcheck %s shows all)", kind, nearest->wrong,
                         ic_nearest_hint(nearest).text, list);
}

/* ---- help */

static int option_width(const cli_option *option)
{
    const size_t argument = option->argument == NULL ? 0 : 1 + strlen(option->argument);
    return (int)(strlen(option->name) + argument);
}

static void print_option(const cli_option *option, int width)
{
    const char *argument = option->argument == NULL ? "" : option->argument;
    printf("  %s%s%s", option->name, argument[0] == '\0' ? "" : " ", argument);
    printf("%*s", width - option_width(option) + 2, "");
    cli_print_broken(stdout, cli_with_tolerances(option->meaning).text, width + 4, width + 4, HELP_WIDTH);
}

static void print_help(const cli_command *command)
{
    static const cli_option help = {"--help", NULL, "show this help", false};
    int width = option_width(&help);
    for (size_t i = 0; i < command->n_options; i++) {
        const int w = option_width(&command->options[i]);
        if (w > width) width = w;
    }
    printf("%s\n\n", command->title);
    printf("%s impactcheck %s%s%s [OPTIONS]\n\n", cli_paint(stdout, CLI_BOLD, "Usage:").text, command->name,
           command->operands[0] == '\0' ? "" : " ", command->operands);
    if (command->details != NULL) {
        cli_print_broken(stdout, command->details, 0, 0, HELP_WIDTH);
        putchar('\n');
    }
    printf("%s\n", cli_paint(stdout, CLI_BOLD, "Options:").text);
    for (size_t i = 0; i < command->n_options; i++) print_option(&command->options[i], width);
    print_option(&help, width);
}

/* ---- reading a command line */

static bool unknown_option(const cli_command *command, const char *name)
{
    ic_nearest nearest = {.wrong = name};
    if (command->former != NULL && strcmp(name, command->former) == 0)
        return cli_refuse(command, "option %s is now %s", name, command->renamed);
    for (size_t i = 0; i < command->n_options; i++) ic_nearest_offer(&nearest, command->options[i].name);
    ic_nearest_offer(&nearest, "--help");
    return cli_refuse(command, "unknown option '%s'%s (impactcheck %s --help shows all)", name,
                      ic_nearest_hint(&nearest).text, command->name);
}

static bool not_repeated(const cli_arguments *arguments, const cli_given *given)
{
    const cli_option *option = &arguments->command->options[given->option];
    if (option->repeats || !cli_has(arguments, given->option)) return true;
    const char *first = cli_value(arguments, given->option);
    if (first != NULL && given->value != NULL && strcmp(first, given->value) != 0) {
        cli_bad_input(arguments->command, "option %s is given twice, as '%s' and as '%s': give it once",
                      option->name, first, given->value);
    } else {
        cli_bad_input(arguments->command, "option %s is given twice: give it once", option->name);
    }
    return false;
}

/* `text` is --name or --name=value; the value may be the next of argv instead. */
static bool take_option(cli_arguments *arguments, char *text, char **next, int *used)
{
    const cli_command *command = arguments->command;
    const size_t length = strcspn(text, "=");
    size_t i = 0;
    while (i < command->n_options && (strlen(command->options[i].name) != length ||
                                      strncmp(command->options[i].name, text, length) != 0)) {
        i++;
    }
    char *value = text[length] == '=' ? text + length + 1 : NULL;
    if (i == command->n_options) {
        if (value != NULL) text[length] = '\0';
        return unknown_option(command, text);
    }
    const cli_option *option = &command->options[i];
    if (option->argument == NULL && value != NULL)
        return cli_refuse(command, "option %s takes no value, but '%s' is given", option->name, value);
    if (option->argument != NULL && value == NULL) {
        value = *next;
        *used += 1;
    }
    if (option->argument != NULL && (value == NULL || value[0] == '\0' || strncmp(value, "--", 2) == 0)) {
        const bool another = value != NULL && value[0] != '\0';
        return cli_refuse(command, "option %s requires a value, %s%s%s%s", option->name, option->argument,
                          another ? ", but is followed by '" : "", another ? value : "", another ? "'" : "");
    }
    const cli_given given = {i, value};
    if (!not_repeated(arguments, &given)) return false;
    arguments->given[arguments->n_given++] = given;
    return true;
}

static bool take_operand(cli_arguments *arguments, const char *text)
{
    const cli_command *command = arguments->command;
    if (arguments->n_operands == command->most)
        return cli_refuse(command, "unexpected argument '%s' (usage: impactcheck %s%s%s [OPTIONS])", text,
                          command->name, command->operands[0] == '\0' ? "" : " ", command->operands);
    arguments->operands[arguments->n_operands++] = text;
    return true;
}

static bool has_option(const cli_command *command, const char *name)
{
    for (size_t i = 0; i < command->n_options; i++) {
        if (strcmp(command->options[i].name, name) == 0) return true;
    }
    return false;
}

static cli_parsed take_arguments(cli_arguments *arguments, int argc, char **argv)
{
    bool options = true;
    for (int i = 0; i < argc; i++) {
        const char *text = argv[i];
        bool good = true;
        if (options && strcmp(text, "--") == 0) {
            options = false;
        } else if (options && (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0)) {
            print_help(arguments->command);
            return CLI_HELP_SHOWN;
        } else if (options && strcmp(text, "-v") == 0 && has_option(arguments->command, "--verbose")) {
            char verbose[] = "--verbose";
            good = take_option(arguments, verbose, &argv[i + 1], &i);
        } else if (options && text[0] == '-' && text[1] != '\0') {
            good = take_option(arguments, argv[i], &argv[i + 1], &i); /* argv ends with NULL */
        } else {
            good = take_operand(arguments, text);
        }
        if (!good) return CLI_NOT_PARSED;
    }
    return CLI_PARSED;
}

cli_parsed cli_parse(cli_arguments *arguments, const cli_command *command, int argc, char **argv)
{
    const size_t most = (size_t)argc + 1;
    *arguments = (cli_arguments){.command = command};
    arguments->operands = calloc(most, sizeof *arguments->operands);
    arguments->given = calloc(most, sizeof *arguments->given);
    if (arguments->operands == NULL || arguments->given == NULL) {
        cli_no_memory(command);
        return CLI_NOT_PARSED;
    }
    const cli_parsed parsed = take_arguments(arguments, argc, argv);
    if (parsed != CLI_PARSED || arguments->n_operands >= command->least) return parsed;
    cli_bad_input(command, "%s is missing (usage: impactcheck %s %s [OPTIONS])", command->operands,
                  command->name, command->operands);
    return CLI_NOT_PARSED;
}

void cli_arguments_free(cli_arguments *arguments)
{
    free(arguments->operands);
    free(arguments->given);
    *arguments = (cli_arguments){0};
}

/* ---- values */

bool cli_has(const cli_arguments *arguments, size_t option)
{
    for (size_t i = 0; i < arguments->n_given; i++) {
        if (arguments->given[i].option == option) return true;
    }
    return false;
}

const char *cli_value(const cli_arguments *arguments, size_t option)
{
    for (size_t i = 0; i < arguments->n_given; i++) {
        if (arguments->given[i].option == option) return arguments->given[i].value;
    }
    return NULL;
}

size_t cli_values(const cli_arguments *arguments, size_t option, const char **values)
{
    size_t n = 0;
    for (size_t i = 0; i < arguments->n_given; i++) {
        if (arguments->given[i].option == option) values[n++] = arguments->given[i].value;
    }
    return n;
}

bool cli_positive(const cli_arguments *arguments, size_t option, double below, double *value)
{
    const char *name = arguments->command->options[option].name;
    const char *text = cli_value(arguments, option);
    ic_error error;
    double number = 0;
    if (text == NULL) return true;
    if (!ic_expression_number(&number, text, NULL, &error))
        return cli_refuse(arguments->command, "option %s: %s; expected a number such as 1e-9", name,
                          error.text);
    if (!(number > 0 && number < below))
        return cli_refuse(arguments->command, "option %s: %s is outside (0, %g)", name, text, below);
    *value = number;
    return true;
}

bool cli_whole(const cli_arguments *arguments, size_t option, size_t least, size_t most, size_t *value)
{
    const char *name = arguments->command->options[option].name;
    const char *text = cli_value(arguments, option);
    double number = 0;
    if (text == NULL) return true;
    const bool is_number = ic_expression_number(&number, text, NULL, NULL);
    if (!is_number || !(number >= (double)least && number <= (double)most) || number != (double)(size_t)number)
        return cli_refuse(arguments->command, "option %s: '%s' is not an integer from %zu to %zu", name, text,
                          least, most);
    *value = (size_t)number;
    return true;
}

const ic_solver *cli_solver(const cli_arguments *arguments, size_t option)
{
    const char *name = cli_value(arguments, option);
    const ic_solver *solver = ic_solver_find(name);
    ic_nearest nearest = {.wrong = name};
    if (solver != NULL) return solver;
    for (size_t i = 0; i < ic_solver_count; i++) ic_nearest_offer(&nearest, ic_solvers[i]->name);
    cli_nearest_unknown(&nearest, arguments->command, "solver", "list solvers");
    return NULL;
}

bool cli_compatible(const cli_arguments *arguments, size_t a, size_t b, const char *reason)
{
    const cli_option *options = arguments->command->options;
    return !cli_has(arguments, a) || !cli_has(arguments, b) ||
           cli_refuse(arguments->command, "options %s and %s contradict each other%s%s", options[a].name,
                      options[b].name, reason[0] != '\0' ? ": " : "", reason);
}
