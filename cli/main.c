/* SPDX-License-Identifier: MIT */
/* The impactcheck command: finds the command that is named and runs it. */
#include "cli/command.h"
#include "cli/complete.h"
#include "cli/file.h"
#include "cli/interrupt.h"
#include "cli/resources.h"
#include "cli/terminal.h"
#include "core/system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#ifndef IC_VERSION
#define IC_VERSION "unknown"
#endif

const cli_command *const cli_commands[] = {&cli_list,  &cli_run,    &cli_verify,  &cli_certify, &cli_study,
                                           &cli_law,   &cli_bench,  &cli_compare, &cli_sweep,   &cli_optimise,
                                           &cli_audit, &cli_report, &cli_check,   &cli_init,    &cli_schema,
                                           &cli_ci,    &cli_explain};
const size_t cli_command_count = IC_COUNT(cli_commands);

static void print_usage(FILE *stream)
{
    fprintf(stream, "Verification and benchmark suite for contact and impact integrators.\n\n");
    fprintf(stream, "%s impactcheck COMMAND [OPTIONS]\n\n", cli_paint(stream, CLI_BOLD, "Usage:").text);
    fprintf(stream, "%s\n", cli_paint(stream, CLI_BOLD, "Commands:").text);
    for (size_t i = 0; i < cli_command_count; i++) {
        fprintf(stream, "  %-9s  %s\n", cli_commands[i]->name, cli_commands[i]->title);
    }
    fprintf(stream,
            "\nimpactcheck COMMAND --help explains a command; impactcheck --version names the version.\n");
    fprintf(stream, "Exit status: 0 everything is good; 1 a check failed, or an audit decided too little; "
                    "2 the request or the\n"
                    "input was wrong; 3 a solver or the program failed.\n");
}

static int unknown_command(const char *name)
{
    ic_nearest nearest = {.wrong = name};
    for (size_t i = 0; i < cli_command_count; i++) ic_nearest_offer(&nearest, cli_commands[i]->name);
    ic_nearest_offer(&nearest, "--help");
    ic_nearest_offer(&nearest, "--version");
    return cli_bad_input(NULL, "unknown %s '%s'%s (impactcheck --help shows all)",
                         name[0] == '-' ? "option" : "command", name, ic_nearest_hint(&nearest).text);
}

static int run_command(const cli_command *command, int argc, char **argv)
{
    cli_arguments arguments;
    int status = CLI_GOOD;
    cli_resources_begin(command->name);
    switch (cli_parse(&arguments, command, argc, argv)) {
    case CLI_PARSED: status = command->run(&arguments); break;
    case CLI_HELP_SHOWN: break;
    case CLI_NOT_PARSED: status = CLI_BAD_INPUT; break;
    }
    cli_arguments_free(&arguments);
    return status;
}

static int show_help(const cli_command *command)
{
    char help[] = "--help";
    char *argv[] = {help, NULL};
    return run_command(command, 1, argv);
}

static int run_arguments(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return CLI_BAD_INPUT;
    }
    const char *name = argv[1];
    const bool asks_for_help =
        strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0;
    if (asks_for_help && argc == 2) {
        print_usage(stdout);
        return CLI_GOOD;
    }
    if (strcmp(name, "--version") == 0) {
        printf("impactcheck " IC_VERSION "\n");
        return CLI_GOOD;
    }
    if (strcmp(name, "complete") == 0) return cli_complete(argc - 2, argv + 2);
    for (size_t i = 0; i < cli_command_count; i++) {
        if (asks_for_help && strcmp(argv[2], cli_commands[i]->name) == 0) return show_help(cli_commands[i]);
        if (strcmp(name, cli_commands[i]->name) == 0) return run_command(cli_commands[i], argc - 2, argv + 2);
    }
    return unknown_command(asks_for_help ? argv[2] : name);
}

/*
 * A standard stream that the caller has closed must not become one of our files. Later writes to
 * standard output then fail, as they should.
 */
static void keep_standard_streams(void)
{
    for (int descriptor = 0; descriptor <= 2; descriptor++) {
        if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF) {
            const int opened = open("/dev/null", O_RDONLY);
            if (opened == -1) return;
        }
    }
}

static volatile sig_atomic_t reader_has_gone, size_limit_reached;

/* The write then fails like others, and temporary files are removed. */
static void note_write_refused(int signal_number)
{
    if (signal_number == SIGPIPE) reader_has_gone = 1;
    else size_limit_reached = 1;
}

static void watch_writes(void)
{
    struct sigaction action = {.sa_handler = note_write_refused, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL);
}

/* The reader closed the pipe on purpose: the command ends without a message, like others. */
static int end_without_reader(int status)
{
    if (status != CLI_GOOD) return status;
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
    return CLI_FAILURE;
}

int main(int argc, char **argv)
{
    /*
     * A certified step and a run each allocate and release some megabytes. If these were returned to the system in
     * between, they would be mapped and cleared again each time: a quarter of the time of long certificates.
     */
    ic_heap_keep(64 << 20, 32 << 20);
    watch_writes();
    keep_standard_streams();
    cli_interrupt_listen();
    cli_resources_begin("");
    const int status = run_arguments(argc, argv);
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    if (reader_has_gone) return end_without_reader(status);
    cli_failure(NULL, "standard output could not be written%s%s", size_limit_reached ? ": " : "",
                size_limit_reached ? cli_file_why(EFBIG) : "");
    return status == CLI_GOOD ? CLI_FAILURE : status;
}
