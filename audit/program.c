/* SPDX-License-Identifier: MIT */
#include "audit/program.h"
#include "audit/child.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* bytes; ten million rows of a case with many states */
#define OUTPUT_MOST 2e9
/* ms; how long one wait may last, so that int holds it */
#define LONGEST_WAIT 1e6

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

static void be_child(const char *script, const char *const *arguments, int input, int output, int errors)
{
    const struct rlimit none = {0, 0};
    const char *line[ARGUMENTS_MOST + 5] = {"sh", "-c", script, "sh"};
    for (size_t i = 0; i < ARGUMENTS_MOST && arguments[i] != NULL; i++) line[4 + i] = arguments[i];
    setpgid(0, 0); /* what it starts is ended with it */
    setrlimit(RLIMIT_CORE, &none);
    signal(SIGPIPE, SIG_DFL);
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    execv("/bin/sh",
          (char *const *)line); /* it does not write to its arguments, though its type says that it may */
    _exit(127);                 /* as a shell says it */
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
static ic_program_end listen_to(FILE *output, int fd, double deadline)
{
    static char room[ROOM];
    double bytes = 0;
    for (;;) {
        struct pollfd waiting = {.fd = fd, .events = POLLIN};
        const double wait = 1e3 * (deadline - ic_child_now());
        if (wait <= 0) return IC_PROGRAM_HUNG;
        if (bytes > OUTPUT_MOST) return IC_PROGRAM_FLOODS;
        const int ready = poll(&waiting, 1, (int)fmin(ceil(wait), LONGEST_WAIT));
        if (ready == 0 || (ready == -1 && errno == EINTR)) continue;
        const ssize_t got = ready > 0 ? read(fd, room, sizeof room) : 0;
        if (got == -1 && errno == EINTR) continue;
        if (got <= 0) return IC_PROGRAM_GOOD;
        if (fwrite(room, 1, (size_t)got, output) != (size_t)got) return IC_PROGRAM_FLOODS;
        bytes += (double)got;
    }
}

static void refuse(ic_program_run *run, const char *what)
{
    run->end = IC_PROGRAM_REFUSED;
    snprintf(run->detail, sizeof run->detail, "%s: %s", what, strerror(errno));
}

static void run_in(ic_program_run *run, const char *script, const char *const *arguments, FILE *input,
                   FILE *errors, double seconds)
{
    const double deadline = ic_child_now() + seconds;
    int fds[2], state = 0;
    if (pipe(fds) != 0) {
        refuse(run, "no pipe for what it writes");
        return;
    }
    fflush(NULL); /* or the child would write it again */
    const pid_t child = fork();
    if (child == 0) {
        close(fds[0]);
        be_child(script, arguments, fileno(input), fds[1], fileno(errors));
    }
    close(fds[1]);
    if (child > 0) {
        setpgid(child, child); /* whoever comes first */
        run->end = listen_to(run->output, fds[0], deadline);
        if (run->end != IC_PROGRAM_GOOD) kill(-child, SIGKILL);
        if (!ic_child_wait(child, &state, deadline)) run->end = IC_PROGRAM_HUNG;
        kill(-child, SIGKILL); /* what it has left behind */
        tell_end(run, state, seconds, errors);
    } else {
        refuse(run, "the system did not start it");
    }
    close(fds[0]);
}

ic_program_run ic_program_start(const char *command, const char *const *arguments, FILE *input, double seconds)
{
    ic_program_run run = {.end = IC_PROGRAM_GOOD};
    char *script = script_of(command, arguments[0] != NULL);
    FILE *errors = tmpfile();
    run.output = tmpfile();
    if (script != NULL && errors != NULL && run.output != NULL) {
        run_in(&run, script, arguments, input, errors, seconds);
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
