/* SPDX-License-Identifier: MIT */
/*
 * A library in the cache ends with a check of its bytes, so that a damaged one is compiled again and
 * not loaded. It is written under a name of its own and renamed: two writers do not disturb each
 * other.
 */
#include "casefile/compile.h"

#include "casefile/emit_c.h"
#include "core/expression.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    PATH_SIZE = 4096,
    COMPILER_SECONDS = 20,
    LARGEST_LIBRARY = 64 << 20,
    LONG_TEXT = 100000,
    LONGEST_TEXT = 2000000
};

/* Changes whenever what ic_functions_c writes may change. */
#define FORMAT "impactcheck case 1"

static uint64_t add_to_hash(uint64_t hash, const void *bytes, size_t n)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < n; i++) hash = (hash ^ at[i]) * 1099511628211u; /* FNV-1a */
    return hash;
}

/* ---- the compiler */

static bool is_executable(const char *path, struct stat *status)
{
    return stat(path, status) == 0 && S_ISREG(status->st_mode) && access(path, X_OK) == 0;
}

/* The path of a program, searched as a shell does. */
static bool find_program(char path[PATH_SIZE], const char *name, struct stat *status)
{
    const char *folders = getenv("PATH");
    if (strchr(name, '/') != NULL)
        return snprintf(path, PATH_SIZE, "%s", name) < PATH_SIZE && is_executable(path, status);
    while (folders != NULL && *folders != '\0') {
        const size_t length = strcspn(folders, ":");
        if (length > 0 && snprintf(path, PATH_SIZE, "%.*s/%s", (int)length, folders, name) < PATH_SIZE &&
            is_executable(path, status))
            return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

static bool find_compiler(char path[PATH_SIZE], struct stat *status)
{
    static const char *const usual[] = {"cc", "gcc", "clang"};
    const char *wanted = getenv("CC");
    if (wanted != NULL && wanted[0] != '\0') return find_program(path, wanted, status);
    for (size_t i = 0; i < IC_COUNT(usual); i++) {
        if (find_program(path, usual[i], status)) return true;
    }
    return false;
}

/* Run the compiler on a file; no shell, no output, at most some seconds. */
static bool run_compiler(const char *compiler, const char *level, const char *source, const char *library)
{
    /* functions whose results the compiler could round otherwise than the library does */
    const char *const arguments[] = {compiler,
                                     "-shared",
                                     "-fPIC",
                                     level,
                                     "-std=c17",
                                     "-w",
                                     "-ffp-contract=off",
                                     "-fno-math-errno",
                                     "-fno-builtin-sin",
                                     "-fno-builtin-cos",
                                     "-fno-builtin-tan",
                                     "-fno-builtin-asin",
                                     "-fno-builtin-acos",
                                     "-fno-builtin-atan",
                                     "-fno-builtin-atan2",
                                     "-fno-builtin-sinh",
                                     "-fno-builtin-cosh",
                                     "-fno-builtin-tanh",
                                     "-fno-builtin-exp",
                                     "-fno-builtin-log",
                                     "-fno-builtin-pow",
                                     "-fno-builtin-cbrt",
                                     "-x",
                                     "c",
                                     source,
                                     "-o",
                                     library,
                                     "-lm",
                                     NULL};
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit limit = {COMPILER_SECONDS, COMPILER_SECONDS};
        const int nothing = open("/dev/null", O_RDWR);
        setrlimit(RLIMIT_CPU, &limit);
        for (int i = 0; i < 3 && nothing >= 0; i++) dup2(nothing, i);
        execv(compiler, (char *const *)arguments);
        _exit(127);
    }
    int status = 1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- the cache */

/* A folder of our own that nobody else may write; it is made if it is not there. */
static bool own_folder(const char *path)
{
    struct stat status;
    if (mkdir(path, 0700) != 0 && errno != EEXIST) return false;
    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
           (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static bool find_cache(char path[PATH_SIZE])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache != NULL && cache[0] == '/') {
        if (snprintf(path, PATH_SIZE, "%s", cache) >= PATH_SIZE) return false;
    } else if (home == NULL || home[0] != '/' || snprintf(path, PATH_SIZE, "%s/.cache", home) >= PATH_SIZE) {
        return false;
    }
    if (mkdir(path, 0700) != 0 && errno != EEXIST) return false;
    const size_t length = strlen(path);
    return snprintf(path + length, PATH_SIZE - length, "/impactcheck") < (int)(PATH_SIZE - length) &&
           own_folder(path);
}

/* The hash of a file of our own without its last `tail` bytes, which are copied. false: not ours, or too short. */
static bool hash_file(const char *path, uint64_t *hash, unsigned char *tail, size_t n_tail, size_t *size)
{
    struct stat status;
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) return false;
    const bool ours = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
                      (status.st_mode & (S_IWGRP | S_IWOTH)) == 0 && status.st_size > (off_t)n_tail &&
                      status.st_size < LARGEST_LIBRARY;
    unsigned char *bytes = ours ? malloc((size_t)status.st_size) : NULL;
    size_t n = 0;
    for (ssize_t got = 1; bytes != NULL && got > 0 && n<(size_t)status.st_size; n += got> 0 ? (size_t)got : 0)
        got = read(file, bytes + n, (size_t)status.st_size - n);
    close(file);
    const bool whole = bytes != NULL && n == (size_t)status.st_size;
    if (whole) {
        *size = n;
        *hash = add_to_hash(14695981039346656037u, bytes, n - n_tail);
        memcpy(tail, bytes + n - n_tail, n_tail);
    }
    free(bytes);
    return whole;
}

static bool append_check(const char *path)
{
    uint64_t hash = 0;
    unsigned char none[1];
    size_t size = 0;
    if (!hash_file(path, &hash, none, 0, &size)) return false;
    FILE *file = fopen(path, "ab");
    if (file == NULL) return false;
    const bool written = fwrite(&hash, sizeof hash, 1, file) == 1;
    return fclose(file) == 0 && written;
}

static bool check_library(const char *path)
{
    uint64_t hash = 0, stated = 0;
    size_t size = 0;
    return hash_file(path, &hash, (unsigned char *)&stated, sizeof stated, &size) && hash == stated;
}

/* ---- compiling and loading */

/* Write the text to a file that is new. */
static bool write_source(const char *path, const char *text)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    FILE *out = file < 0 ? NULL : fdopen(file, "w");
    if (out == NULL) return false;
    const bool written = fputs(text, out) >= 0;
    return fclose(out) == 0 && written;
}

/* Long texts are optimised less: compiling should take a second. Levels differ in speed alone. */
static const char *find_level(const char *text)
{
    const size_t length = strlen(text);
    return length < LONG_TEXT ? "-O2" : length < LONGEST_TEXT ? "-O1" : "-O0";
}

static bool make_library(const char *library, const char *compiler, const char *text)
{
    char source[PATH_SIZE + 32], made[PATH_SIZE + 32];
    static unsigned count;
    snprintf(source, sizeof source, "%s.%ld.%u.c", library, (long)getpid(), count);
    snprintf(made, sizeof made, "%s.%ld.%u.so", library, (long)getpid(), count++);
    const bool good = write_source(source, text) && run_compiler(compiler, find_level(text), source, made) &&
                      chmod(made, 0700) == 0 && append_check(made) && rename(made, library) == 0;
    unlink(source);
    if (!good) unlink(made);
    return good;
}

static bool set_functions(void *library, const ic_functions *functions)
{
    void *table = dlsym(library, IC_COMPILED_TABLE);
    if (table == NULL) return false;
    const unsigned char *at = table;
    const size_t pointer = sizeof table;
    for (size_t i = 0; i < functions->n; i++, at += pointer) memcpy(functions->functions[i].slot, at, pointer);
    return true;
}

static void *load_library(const char *path, const ic_functions *functions)
{
    void *library = check_library(path) ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (library == NULL || set_functions(library, functions)) return library;
    dlclose(library);
    return NULL;
}

/* The name of a library: what it is made of, by whom. */
static bool name_library(char path[PATH_SIZE], const char *text, const char *compiler,
                         const struct stat *status)
{
    char made_by[PATH_SIZE + 96];
    const size_t length = strlen(path);
    snprintf(made_by, sizeof made_by, FORMAT " %s %lld %lld", compiler, (long long)status->st_size,
             (long long)status->st_mtime);
    uint64_t one = add_to_hash(14695981039346656037u, made_by, strlen(made_by));
    uint64_t two = add_to_hash(88172645463325252u, made_by, strlen(made_by));
    one = add_to_hash(one, text, strlen(text));
    two = add_to_hash(two, text, strlen(text));
    return snprintf(path + length, PATH_SIZE - length, "/%016" PRIx64 "%016" PRIx64 ".so", one, two) <
           (int)(PATH_SIZE - length);
}

void *ic_functions_compile(const ic_functions *functions, const ic_graph *graph, ic_error *note)
{
    char compiler[PATH_SIZE], path[PATH_SIZE];
    const char *interpret = getenv("IMPACTCHECK_INTERPRET");
    struct stat status;
    const char *why = NULL;
    void *library = NULL;
    char *text = NULL;
    if (interpret != NULL && interpret[0] != '\0') why = "IMPACTCHECK_INTERPRET is set";
    else if (!find_compiler(compiler, &status)) why = "there is no C compiler";
    else if (!find_cache(path))
        why = "the cache cannot be used: a folder of your own is needed, ~/.cache/impactcheck";
    else if ((text = ic_functions_c(functions, graph)) == NULL) why = "memory ran out";
    else if (!name_library(path, text, compiler, &status)) why = "the path of the cache is too long";
    if (why == NULL) library = load_library(path, functions);
    if (why == NULL && library == NULL) {
        if (!make_library(path, compiler, text)) why = "the compiler failed";
        else if ((library = load_library(path, functions)) == NULL) why = "what was compiled cannot be loaded";
    }
    if (why != NULL) ic_error_set(note, "interpreted: %s", why);
    free(text);
    return library;
}

void ic_compiled_close(void *library)
{
    if (library != NULL) dlclose(library);
}
