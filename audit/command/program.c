/* SPDX-License-Identifier: MIT */
#include "audit/command/command.h"
#include "audit/common/process.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* enough for ten million rows of a case with many states, bytes */
#define MOST_OUTPUT 2e9

/* Exit statuses by which a shell reports that a signal ended its command: SIGNALLED + signal. */
enum { SIGNALLED = 128, SIGNALS = 64, MOST_ARGUMENTS = 256, ROOM = 1 << 16 };

/* ---- the child */

/* "$@" passes the arguments to the command unchanged. */
static char *write_script(const char *command, bool with_arguments)
{
    static const char rest[] = " \"$@\"";
    const size_t length = strlen(command);
    char *script = malloc(length + sizeof rest);
    if (script == NULL) return NULL;
    memcpy(script, command, length + 1);
    if (with_arguments) memcpy(script + length, rest, sizeof rest);
    return script;
}

typedef struct command_job {
    const char *script;
    const char *const *arguments;
} command_job;

static int run_shell(int answer, void *context)
{
    const command_job *j = context;
    const char *line[MOST_ARGUMENTS + 5] = {"sh", "-c", j->script, "sh"};
    for (size_t i = 0; i < MOST_ARGUMENTS && j->arguments[i] != NULL; i++) line[4 + i] = j->arguments[i];
    (void)answer; /* is standard output */
    /* execv does not write to its arguments, though its type permits it */
    execv("/bin/sh", (char *const *)line);
    return 127; /* as a shell does */
}

/* ---- the end of the program */

static void describe_end(ic_program_run *run, const ic_process_end *ended, double seconds)
{
    const int state = ended->supervised.state, status = WIFEXITED(state) ? WEXITSTATUS(state) : 0;
    const bool by_shell = status > SIGNALLED && status <= SIGNALLED + SIGNALS;
    const int sig = WIFSIGNALED(state) ? WTERMSIG(state) : by_shell ? status - SIGNALLED : 0;
    char limit[96], *to = run->detail;
    const size_t size = sizeof run->detail;
    if (run->end == IC_PROGRAM_HUNG) {
        snprintf(to, size, "still running after %g s", seconds);
    } else if (run->end == IC_PROGRAM_FLOODS) {
        snprintf(to, size, "it wrote more than %g bytes", MOST_OUTPUT);
    } else if (ended->lost) {
        run->end = IC_PROGRAM_CRASHED;
        snprintf(to, size, "it ended its parent, the process that supervises it");
    } else if (state != 0 && ic_limit_that_ended(limit, sizeof limit, sig, &ended->supervised)) {
        run->end = IC_PROGRAM_LIMITED;
        snprintf(to, size, "ended by %s", limit);
    } else if (sig != 0) {
        run->end = IC_PROGRAM_CRASHED;
        snprintf(to, size, "ended by signal %d (%s)", sig, strsignal(sig));
    } else if (status != 0) {
        run->end = IC_PROGRAM_FAILED;
        snprintf(to, size, "exit status %d", status);
    }
}

/* ---- the parent */

/* Copies the child's output until the child closes the pipe or its time is up. */
static ic_program_end copy_output(FILE *output, ic_process *process)
{
    static char room[ROOM];
    for (double bytes = 0; bytes <= MOST_OUTPUT;) {
        const ssize_t got = ic_process_read(process, room, sizeof room);
        if (got <= 0) return got == 0 ? IC_PROGRAM_GOOD : IC_PROGRAM_HUNG;
        if (fwrite(room, 1, (size_t)got, output) != (size_t)got) return IC_PROGRAM_FLOODS;
        bytes += (double)got;
    }
    return IC_PROGRAM_FLOODS;
}

static void set_refused(ic_program_run *run, const char *what)
{
    run->end = IC_PROGRAM_REFUSED;
    snprintf(run->detail, sizeof run->detail, "%s: %s", what, strerror(errno));
}

static void run_process(ic_program_run *run, command_job *j, FILE *input, double seconds)
{
    const ic_process_settings settings = {.input = fileno(input), .prints = true, .seconds = seconds};
    ic_process process;
    if (!ic_process_start(&process, run_shell, j, &settings)) {
        set_refused(run, "the system could not start it");
        return;
    }
    run->end = copy_output(run->output, &process);
    const ic_process_end ended = ic_process_finish(&process, run->end != IC_PROGRAM_GOOD);
    errno = ended.supervised.refused;
    if (errno != 0) set_refused(run, "the system could not start it");
    else {
        if (!ended.in_time) run->end = IC_PROGRAM_HUNG;
        describe_end(run, &ended, seconds);
        if (run->end == IC_PROGRAM_GOOD) return;
        char words[256];
        ic_process_last_words(&process, words, sizeof words);
        if (words[0] != '\0') ic_text_append(run->detail, sizeof run->detail, "; its last message: %s", words);
    }
}

ic_program_run ic_program_start(const char *command, const char *const *arguments, FILE *input, double seconds)
{
    ic_program_run run = {.end = IC_PROGRAM_GOOD};
    char *script = write_script(command, arguments[0] != NULL);
    run.output = tmpfile();
    if (script != NULL && run.output != NULL) {
        command_job j = {script, arguments};
        run_process(&run, &j, input, seconds);
        rewind(run.output);
    } else {
        set_refused(&run, "no temporary file for its output");
    }
    free(script);
    return run;
}

void ic_program_close(ic_program_run *run)
{
    if (run->output != NULL) fclose(run->output);
    run->output = NULL;
}
