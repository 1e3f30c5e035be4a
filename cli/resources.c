/* SPDX-License-Identifier: MIT */
#include "cli/resources.h"
#include "casefile/arena.h"
#include "cli/command.h"
#include "cli/temporary.h"
#include "cli/terminal.h"
#include "reference/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *command_name = "";
static pid_t owner; /* 0: not begun */
/* shared with children: what a child lacked for its own work, or 0 */
static volatile sig_atomic_t *child_lacks;

enum { MEMORY = 1, LIBRARY };
static const char *const lacking[] = {
    [MEMORY] = "memory ran out", [LIBRARY] = "a library of the reference has ended the computation"};

/* ---- the end */

/* Threads may run out of memory at the same time: one of them reports it. */
static void become_the_one_that_ends(void)
{
    static atomic_flag ending = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&ending)) pause();
}

/* Output that is still in memory is not written: it may be half of a number. */
__attribute__((format(printf, 1, 2))) static _Noreturn void end(const char *format, ...)
{
    char text[512], shown[CLI_SHOWN_GROWTH * sizeof text];
    va_list arguments;
    become_the_one_that_ends();
    cli_file_remove_temporaries();
    cli_progress_end();
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cli_escape(shown, sizeof shown, text);
    dprintf(STDERR_FILENO, "impactcheck%s%s: %s\n", command_name[0] == '\0' ? "" : " ", command_name, shown);
    _exit(CLI_FAILURE);
}

static bool output_ended(void)
{
    return owner != 0 && getpid() == owner;
}

static bool has_run_out(int why)
{
    return why == ENOMEM || why == EMFILE || why == ENFILE || why == EAGAIN || why == ENOSPC || why == EDQUOT;
}

/* `what`: the resource that has run out. */
static void check_result(bool good, const char *what)
{
    const int why = errno;
    if (good || !has_run_out(why) || !output_ended()) return;
    if (why == ENOMEM) end("memory ran out");
    end("%s: %s", what, strerror(why));
}

static void check_file(bool good, const char *path)
{
    char what[256];
    if (good || !has_run_out(errno) || !output_ended()) return;
    const int why = errno;
    snprintf(what, sizeof what, "'%.200s' cannot be opened", path);
    errno = why;
    check_result(good, what);
}

/* ---- the names that the linker's --wrap=malloc makes: calls of malloc go to __wrap_malloc, the C
   library's own is __real_malloc */

/* Declares both, for `name` with its parameters. */
#define DECLARE(type, name, ...)                                                                               \
    type real_##name(__VA_ARGS__) __asm__("__real_" #name);                                                    \
    type wrapped_##name(__VA_ARGS__) __asm__("__wrap_" #name);

DECLARE(int, open, const char *path, int flags, ...)
DECLARE(ssize_t, getline, char **line, size_t *room, FILE *stream)
DECLARE(pid_t, waitpid, pid_t child, int *state, int options)

/* ---- memory */

/*
 * Whether the memory limit of this process was reached: more than half of the limit is in use. If a
 * plugin uses up the memory, this is a finding about the plugin.
 */
static bool at_own_limit(void)
{
    struct rlimit limit;
    char text[64] = "";
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return false;
    const int descriptor = real_open("/proc/self/statm", O_RDONLY);
    const bool known = descriptor >= 0 && read(descriptor, text, sizeof text - 1) > 0;
    if (descriptor >= 0) close(descriptor);
    const double used = strtod(text, NULL) * (double)sysconf(_SC_PAGESIZE);
    return !known || used > 0.5 * (double)limit.rlim_cur;
}

/* A child ends; the command ends when it notices this. */
static void check_memory(const void *block)
{
    if (block != NULL || owner == 0) return;
    if (output_ended()) end("memory ran out");
    if (at_own_limit()) return;
    *child_lacks = MEMORY;
    _exit(CLI_FAILURE);
}

/* ---- functions whose result is checked and returned: CHECK speaks of `made` */

#define WRAP(type, name, parameters, arguments, CHECK)                                                         \
    type real_##name parameters __asm__("__real_" #name);                                                      \
    type wrapped_##name parameters __asm__("__wrap_" #name);                                                   \
    type wrapped_##name parameters                                                                             \
    {                                                                                                          \
        const type made = real_##name arguments;                                                               \
        CHECK;                                                                                                 \
        return made;                                                                                           \
    }

typedef void *block;
typedef char *string;
typedef FILE *file;

/* clang-format off */
WRAP(block, malloc, (size_t size), (size), check_memory(made))
WRAP(block, calloc, (size_t n, size_t size), (n, size), check_memory(made))
WRAP(block, realloc, (void *old, size_t size), (old, size), if (size > 0) check_memory(made))
WRAP(string, strdup, (const char *text), (text), check_memory(made))
WRAP(string, strndup, (const char *text, size_t n), (text, n), check_memory(made))
WRAP(file, open_memstream, (char **text, size_t *size), (text, size), check_memory(made))
WRAP(string, realpath, (const char *path, char *resolved), (path, resolved), check_file(made != NULL, path))
WRAP(file, fopen, (const char *path, const char *mode), (path, mode), check_file(made != NULL, path))
WRAP(file, fdopen, (int descriptor, const char *mode), (descriptor, mode), check_result(made != NULL, "a file cannot be opened"))
WRAP(file, tmpfile, (void), (), check_result(made != NULL, "a temporary file cannot be made"))
WRAP(int, mkstemp, (char *pattern), (pattern), check_result(made >= 0, "a temporary file cannot be made"))
WRAP(int, pipe, (int ends[2]), (ends), check_result(made == 0, "a pipe cannot be made"))
WRAP(pid_t, fork, (void), (), check_result(made >= 0, "a process cannot be started"))
/* clang-format on */

ssize_t wrapped_getline(char **line, size_t *room, FILE *stream)
{
    errno = 0;
    const ssize_t length = real_getline(line, room, stream);
    check_result(length >= 0, "a line cannot be read");
    return length;
}

int wrapped_open(const char *path, int flags, ...)
{
    mode_t mode = 0;
    va_list arguments;
    va_start(arguments, flags);
    if ((flags & O_CREAT) != 0) mode = va_arg(arguments, mode_t);
    va_end(arguments);
    const int descriptor = real_open(path, flags, mode);
    check_file(descriptor >= 0, path);
    return descriptor;
}

pid_t wrapped_waitpid(pid_t child, int *state, int options)
{
    const pid_t ended = real_waitpid(child, state, options);
    if (child_lacks != NULL && *child_lacks != 0 && output_ended()) end("%s", lacking[*child_lacks]);
    return ended;
}

/* ---- libraries that end the program if memory runs out, or if they are used wrongly */

static _Noreturn void end_for_library(void)
{
    if (owner == 0 || output_ended()) end("%s", lacking[LIBRARY]);
    *child_lacks = LIBRARY;
    _exit(CLI_FAILURE);
}

static void end_without_memory(void)
{
    check_memory(NULL);
}

void cli_resources_begin(const char *command)
{
    command_name = command;
    if (owner != 0) return;
    owner = getpid();
    void *shared = mmap(NULL, sizeof *child_lacks, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) end("memory ran out");
    child_lacks = shared;
    ic_library_set_end(end_without_memory);
    ic_reference_set_memory(wrapped_malloc, wrapped_calloc, wrapped_realloc, end_for_library);
    json_set_alloc_funcs(wrapped_malloc, free);
}
