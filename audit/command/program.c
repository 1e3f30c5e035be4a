/* SPDX-License-Identifier: MIT */
#include "audit/command/program.h"
#include "audit/process.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* bytes; ten million rows of a case with many states */
#define OUTPUT_MOST 2e9

/* The shell's own way to say that what it ran was ended by a signal. */
enum { SIGNALLED = 128, SIGNALS = 64, ARGUMENTS_MOST = 256, ROOM = 1 << 16 };

/* ---- the child */

/* "$@" hands the arguments to the command as they are, whatever they hold. */
static char *script_of(const char *command, bool with_arguments)
{
    static const char rest[] = " \"$@\"";
    const size_t length = strlen(command);
    char *script = malloc(length + sizeof rest);
    if (script == NULL) return NULL;
    memcpy(script, command, length + 1);
    if (with_arguments) memcpy(script + length, rest, sizeof rest);
    return script;
}

typedef struct job {
    const char *script;
    const char *const *arguments;
    FILE *input, *errors;
} job;

static int be_child(int answer, void *context)
{
    const job *j = context;
    const char *line[ARGUMENTS_MOST + 5] = {"sh", "-c", j->script, "sh"};
    for (size_t i = 0; i < ARGUMENTS_MOST && j->arguments[i] != NULL; i++) line[4 + i] = j->arguments[i];
    dup2(fileno(j->input), STDIN_FILENO);
    dup2(answer, STDOUT_FILENO);
    dup2(fileno(j->errors), STDERR_FILENO);
    /* it does not write to its arguments, though its type says that it may */
    execv("/bin/sh", (char *const *)line);
    return 127; /* as a shell says it */
}

/* ---- how it ended */

/* The last line that is not blank: in a trace back, and mostly elsewhere, it is the one that tells. */
static void last_words(char *words, size_t size, FILE *errors)
{
    char line[256];
    words[0] = '\0';
    rewind(errors);
    while (fgets(line, sizeof line, errors) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[strspn(line, " \t")] != '\0') snprintf(words, size, "%s", line);
    }
    for (char *at = words; *at != '\0'; at++) {
        if ((unsigned char)*at < ' ') *at = ' ';
    }
}

static void tell_end(ic_program_run *run, int state, double seconds, FILE *errors)
{
    char words[256], what[96] = "";
    const int status = WIFEXITED(state) ? WEXITSTATUS(state) : 0;
    const bool by_shell = status > SIGNALLED && status <= SIGNALLED + SIGNALS;
    const int sig = WIFSIGNALED(state) ? WTERMSIG(state) : by_shell ? status - SIGNALLED : 0;
    if (run->end == IC_PROGRAM_HUNG) {
        snprintf(what, sizeof what, "still busy after %g s", seconds);
    } else if (run->end == IC_PROGRAM_FLOODS) {
        snprintf(what, sizeof what, "it writes more than %g bytes", OUTPUT_MOST);
    } else if (sig != 0) {
        run->end = IC_PROGRAM_CRASHED;
        snprintf(what, sizeof what, "ended by signal %d (%s)", sig, strsignal(sig));
    } else if (status != 0) {
        run->end = IC_PROGRAM_FAILED;
        snprintf(what, sizeof what, "exit status %d", status);
    } else {
        return;
    }
    last_words(words, sizeof words, errors);
    snprintf(run->detail, sizeof run->detail, "%s%s%s", what, words[0] != '\0' ? "; it said last: " : "",
             words);
}

/* ---- both */

/* All that it writes, until it closes the pipe or the time is up. */
static ic_program_end listen_to(FILE *output, int answer, double deadline)
{
    static char room[ROOM];
    for (double bytes = 0; bytes <= OUTPUT_MOST;) {
        const ssize_t got = ic_process_read(answer, room, sizeof room, deadline);
        if (got <= 0) return got == 0 ? IC_PROGRAM_GOOD : IC_PROGRAM_HUNG;
        if (fwrite(room, 1, (size_t)got, output) != (size_t)got) return IC_PROGRAM_FLOODS;
        bytes += (double)got;
    }
    return IC_PROGRAM_FLOODS;
}

static void refuse(ic_program_run *run, const char *what)
{
    run->end = IC_PROGRAM_REFUSED;
    snprintf(run->detail, sizeof run->detail, "%s: %s", what, strerror(errno));
}

static void run_in(ic_program_run *run, job *j, double seconds)
{
    const double deadline = ic_process_now() + seconds;
    int answer = -1, state = 0;
    const pid_t child = ic_process_start(&answer, be_child, j);
    if (child < 0) {
        refuse(run, "the system did not start it");
        return;
    }
    run->end = listen_to(run->output, answer, deadline);
    if (!ic_process_finish(child, run->end != IC_PROGRAM_GOOD, &state, deadline)) run->end = IC_PROGRAM_HUNG;
    tell_end(run, state, seconds, j->errors);
    close(answer);
}

ic_program_run ic_program_start(const char *command, const char *const *arguments, FILE *input, double seconds)
{
    ic_program_run run = {.end = IC_PROGRAM_GOOD};
    char *script = script_of(command, arguments[0] != NULL);
    FILE *errors = tmpfile();
    run.output = tmpfile();
    if (script != NULL && errors != NULL && run.output != NULL) {
        job j = {script, arguments, input, errors};
        run_in(&run, &j, seconds);
        rewind(run.output);
    } else {
        refuse(&run, "no temporary file for what it writes");
    }
    if (errors != NULL) fclose(errors);
    free(script);
    return run;
}

void ic_program_close(ic_program_run *run)
{
    if (run->output != NULL) fclose(run->output);
    run->output = NULL;
}
