/* SPDX-License-Identifier: MIT */
#include "cli/resources.h"
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
/* shared with children: one had no memory for what is ours */
static volatile sig_atomic_t *child_lacks;

/* ---- the end */

/* Threads may run out of memory at the same time: one of them reports it. */
static void become_the_one_that_ends(void)
{
    static atomic_flag ending = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&ending)) pause();
}

/* Output that is still in memory is not written: it may be half of a number. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
static _Noreturn void
end(const char *format, ...)
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

static bool ends_here(void)
{
    return owner != 0 && getpid() == owner;
}

static bool has_run_out(int why)
{
    return why == ENOMEM || why == EMFILE || why == ENFILE || why == EAGAIN || why == ENOSPC || why == EDQUOT;
}

/* `what`: of which there is none. */
static void check(bool good, const char *what)
{
    const int why = errno;
    if (good || !has_run_out(why) || !ends_here()) return;
    if (why == ENOMEM) end("memory ran out");
    end("%s: %s", what, strerror(why));
}

static void check_file(bool good, const char *path)
{
    char what[256];
    if (good || !has_run_out(errno) || !ends_here()) return;
    const int why = errno;
    snprintf(what, sizeof what, "'%.200s' cannot be opened", path);
    errno = why;
    check(good, what);
}

/* ---- the names that the linker's --wrap=malloc makes: calls of malloc go to __wrap_malloc, the C
   library's own is __real_malloc */

#define REAL(name) __asm__("__real_" #name)
#define WRAPPED(name) __asm__("__wrap_" #name)

void *real_malloc(size_t size) REAL(malloc);
void *real_calloc(size_t n, size_t size) REAL(calloc);
void *real_realloc(void *block, size_t size) REAL(realloc);
char *real_strdup(const char *text) REAL(strdup);
char *real_strndup(const char *text, size_t n) REAL(strndup);
ssize_t real_getline(char **line, size_t *room, FILE *stream) REAL(getline);
char *real_realpath(const char *path, char *resolved) REAL(realpath);
FILE *real_open_memstream(char **text, size_t *size) REAL(open_memstream);
FILE *real_fopen(const char *path, const char *mode) REAL(fopen);
FILE *real_fdopen(int descriptor, const char *mode) REAL(fdopen);
FILE *real_tmpfile(void) REAL(tmpfile);
int real_mkstemp(char *pattern) REAL(mkstemp);
int real_open(const char *path, int flags, ...) REAL(open);
int real_pipe(int ends[2]) REAL(pipe);
pid_t real_fork(void) REAL(fork);
pid_t real_waitpid(pid_t child, int *state, int options) REAL(waitpid);

void *wrapped_malloc(size_t size) WRAPPED(malloc);
void *wrapped_calloc(size_t n, size_t size) WRAPPED(calloc);
void *wrapped_realloc(void *block, size_t size) WRAPPED(realloc);
char *wrapped_strdup(const char *text) WRAPPED(strdup);
char *wrapped_strndup(const char *text, size_t n) WRAPPED(strndup);
ssize_t wrapped_getline(char **line, size_t *room, FILE *stream) WRAPPED(getline);
char *wrapped_realpath(const char *path, char *resolved) WRAPPED(realpath);
FILE *wrapped_open_memstream(char **text, size_t *size) WRAPPED(open_memstream);
FILE *wrapped_fopen(const char *path, const char *mode) WRAPPED(fopen);
FILE *wrapped_fdopen(int descriptor, const char *mode) WRAPPED(fdopen);
FILE *wrapped_tmpfile(void) WRAPPED(tmpfile);
int wrapped_mkstemp(char *pattern) WRAPPED(mkstemp);
int wrapped_open(const char *path, int flags, ...) WRAPPED(open);
int wrapped_pipe(int ends[2]) WRAPPED(pipe);
pid_t wrapped_fork(void) WRAPPED(fork);
pid_t wrapped_waitpid(pid_t child, int *state, int options) WRAPPED(waitpid);

/* ---- memory */

/*
 * Whether it is the limit of this process that memory has come to: more than half of it is in use.
 * What a plugin takes is a finding about the plugin.
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

/* A child ends; the command ends when it has seen that. */
static void check_memory(const void *block)
{
    if (block != NULL || owner == 0) return;
    if (ends_here()) end("memory ran out");
    if (at_own_limit()) return;
    *child_lacks = 1;
    _exit(CLI_FAILURE);
}

void *wrapped_malloc(size_t size)
{
    void *block = real_malloc(size);
    check_memory(block);
    return block;
}

void *wrapped_calloc(size_t n, size_t size)
{
    void *block = real_calloc(n, size);
    check_memory(block);
    return block;
}

void *wrapped_realloc(void *block, size_t size)
{
    void *grown = real_realloc(block, size);
    if (size > 0) check_memory(grown);
    return grown;
}

char *wrapped_strdup(const char *text)
{
    char *copy = real_strdup(text);
    check_memory(copy);
    return copy;
}

char *wrapped_strndup(const char *text, size_t n)
{
    char *copy = real_strndup(text, n);
    check_memory(copy);
    return copy;
}

ssize_t wrapped_getline(char **line, size_t *room, FILE *stream)
{
    errno = 0;
    const ssize_t length = real_getline(line, room, stream);
    check(length >= 0, "a line cannot be read");
    return length;
}

char *wrapped_realpath(const char *path, char *resolved)
{
    char *real = real_realpath(path, resolved);
    check_file(real != NULL, path);
    return real;
}

/* ---- files */

FILE *wrapped_open_memstream(char **text, size_t *size)
{
    FILE *stream = real_open_memstream(text, size);
    check_memory(stream);
    return stream;
}

FILE *wrapped_fopen(const char *path, const char *mode)
{
    FILE *stream = real_fopen(path, mode);
    check_file(stream != NULL, path);
    return stream;
}

FILE *wrapped_fdopen(int descriptor, const char *mode)
{
    FILE *stream = real_fdopen(descriptor, mode);
    check(stream != NULL, "a file cannot be opened");
    return stream;
}

FILE *wrapped_tmpfile(void)
{
    FILE *stream = real_tmpfile();
    check(stream != NULL, "a temporary file cannot be made");
    return stream;
}

int wrapped_mkstemp(char *pattern)
{
    const int descriptor = real_mkstemp(pattern);
    check(descriptor >= 0, "a temporary file cannot be made");
    return descriptor;
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

/* ---- processes */

int wrapped_pipe(int ends[2])
{
    const int status = real_pipe(ends);
    check(status == 0, "a pipe cannot be made");
    return status;
}

pid_t wrapped_fork(void)
{
    const pid_t child = real_fork();
    check(child >= 0, "a process cannot be started");
    return child;
}

pid_t wrapped_waitpid(pid_t child, int *state, int options)
{
    const pid_t ended = real_waitpid(child, state, options);
    if (child_lacks != NULL && *child_lacks != 0 && ends_here()) end("memory ran out");
    return ended;
}

/* ---- libraries that end the program where memory runs out, or when they are used wrongly */

static _Noreturn void end_for_library(void)
{
    end("a library of the reference has ended the computation");
}

void cli_resources_begin(const char *command)
{
    command_name = command;
    if (owner != 0) return;
    owner = getpid();
    void *shared = mmap(NULL, sizeof *child_lacks, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) end("memory ran out");
    child_lacks = shared;
    ic_reference_set_memory(wrapped_malloc, wrapped_calloc, wrapped_realloc, end_for_library);
    json_set_alloc_funcs(wrapped_malloc, free);
}
