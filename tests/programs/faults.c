/* SPDX-License-Identifier: MIT */
/*
 * A library for LD_PRELOAD that makes one system request of the program fail, as if a resource had
 * run out.
 *
 *     IC_FAULT=KIND:N      request number N, from 0, of this kind fails, counted from the beginning of
 *                          main: memory (malloc and similar), file (open, fopen, mkstemp, tmpfile,
 *                          pipe), process (fork), thread
 *     IC_FAULT=KIND:N+     and all later ones
 *     IC_FAULT_COUNT=FILE  the number of requests is written to FILE when main returns
 *
 * Requests of shared libraries and forked children count as well: this tests the command as a
 * whole, unlike tests/allocations.h. Programs that it starts have no faults.
 * tools/check-resources.sh uses it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef enum kind { NONE, MEMORY, FILES, PROCESS, THREAD } kind;

static kind which;
static size_t fail_at;
static bool all_later;
static pid_t owner;          /* 0: main has not begun */
static atomic_size_t *calls; /* shared with children */

/* Calls of UDUNITS-2 that have not returned. */
static _Thread_local int units_at_work;

/* Returns whether this request must fail. */
static bool must_fail(kind requested, int why)
{
    if (requested != which || owner == 0 || units_at_work > 0) return false;
    const size_t number = atomic_fetch_add(calls, 1);
    if (number != fail_at && !(all_later && number > fail_at)) return false;
    errno = why;
    return true;
}

/* ---- main: requests before it, in constructors of libraries, are not counted */

static const char *count_file;
static int (*real_main)(int, char **, char **);

static void write_count(void)
{
    if (count_file == NULL || getpid() != owner) return;
    owner = 0;
    FILE *stream = fopen(count_file, "w");
    if (stream == NULL) _exit(99);
    fprintf(stream, "%zu\n", atomic_load(calls));
    fclose(stream);
}

static int main_with_faults(int argc, char **argv, char **environment)
{
    static const char *const names[] = {
        [MEMORY] = "memory", [FILES] = "file", [PROCESS] = "process", [THREAD] = "thread"};
    const char *text = getenv("IC_FAULT");
    const char *colon = text != NULL ? strchr(text, ':') : NULL;
    for (kind k = MEMORY; colon != NULL && k <= THREAD; k++) {
        const size_t n = (size_t)(colon - text);
        if (strlen(names[k]) == n && strncmp(names[k], text, n) == 0) which = k;
    }
    if (which == NONE) {
        fputs("IC_FAULT is KIND:NUMBER, of memory, file, process or thread\n", stderr);
        return 99;
    }
    char *end = NULL;
    fail_at = strtoull(colon + 1, &end, 10);
    all_later = *end == '+';
    count_file = getenv("IC_FAULT_COUNT");
    unsetenv("LD_PRELOAD"); /* programs started by this one run without faults */
    calls = mmap(NULL, sizeof *calls, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (calls == MAP_FAILED) return 99;
    owner = getpid();
    const int status = real_main(argc, argv, environment);
    write_count();
    return status;
}

typedef int start_function(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                           void (*)(void), void *);

int __libc_start_main(int (*program)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end);

int __libc_start_main(int (*program)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    start_function *start = __extension__(start_function *) dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = program;
    return start(main_with_faults, argc, argv, init, fini, rtld_fini, stack_end);
}

/* ---- memory: the C library's own names, since dlsym itself allocates memory */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *block, size_t size);

void *malloc(size_t size)
{
    return must_fail(MEMORY, ENOMEM) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return must_fail(MEMORY, ENOMEM) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *block, size_t size)
{
    return must_fail(MEMORY, ENOMEM) ? NULL : __libc_realloc(block, size);
}

/* ---- files: fails as if too many were open */

#define REAL(name) __extension__((__typeof__(&name))dlsym(RTLD_NEXT, #name))

FILE *fopen(const char *path, const char *mode)
{
    return must_fail(FILES, EMFILE) ? NULL : REAL(fopen)(path, mode);
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return must_fail(FILES, EMFILE) ? -1 : REAL(open)(path, flags, mode);
}

int mkstemp(char *pattern)
{
    return must_fail(FILES, EMFILE) ? -1 : REAL(mkstemp)(pattern);
}

FILE *tmpfile(void)
{
    return must_fail(FILES, EMFILE) ? NULL : REAL(tmpfile)();
}

int pipe(int ends[2])
{
    return must_fail(FILES, EMFILE) ? -1 : REAL(pipe)(ends);
}

/* ---- UDUNITS-2, which crashes without memory: casefile/dimension.c makes sure of it before */

void *ut_read_xml(const char *path);
void *ut_read_xml(const char *path)
{
    units_at_work++;
    void *system = REAL(ut_read_xml)(path);
    units_at_work--;
    return system;
}

void *ut_parse(const void *system, const char *text, int encoding);
void *ut_parse(const void *system, const char *text, int encoding)
{
    units_at_work++;
    void *unit = REAL(ut_parse)(system, text, encoding);
    units_at_work--;
    return unit;
}

/* ---- processes and threads */

pid_t fork(void)
{
    return must_fail(PROCESS, EAGAIN) ? -1 : REAL(fork)();
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *context)
{
    return must_fail(THREAD, EAGAIN) ? EAGAIN : REAL(pthread_create)(thread, attributes, body, context);
}
