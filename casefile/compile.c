/* SPDX-License-Identifier: MIT */
/*
 * A library in the cache consists of the output of the compiler, followed by a digest of its key
 * and of this output. A damaged library, or that of another case, has the wrong digest. Only the
 * user can write to the folder, so that a library does not change between this check and its
 * loading. Libraries are compiled in a temporary folder and then renamed, so that two processes
 * cannot disturb each other.
 *
 * This file does not call open, mkstemp or fork: in the command they end the process when the disk
 * is full, but a case that cannot be compiled can still be interpreted.
 */
#include "casefile/compile.h"

#include "casefile/digest.h"
#include "casefile/emit_c.h"
#include "core/expression.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* Name of the table of functions in a library. */
#define TABLE "impactcheck_functions"

enum {
    /* Time, s, after which the compiler is stopped. */
    TIME_LIMIT = 20,

    /*
     * Numbers of statements of all functions, which take about 60 us each at -O2. Above LONG, -O1
     * is used, which saves a quarter of the time. Above TOO_LONG the case is interpreted.
     */
    LONG = 8000,
    TOO_LONG = 40000,

    /*
     * Number of statements of one function above which -O0 is used. Compile time grows with the
     * square: 20 000 statements take 7 s, but 0.6 s at -O0.
     */
    LONG_FUNCTION = 4000,

    /* Greatest size, bytes, of a file that is accepted from the cache. */
    LIBRARY_SIZE = 64 << 20,

    /* Greatest number of words in $CC. */
    WORDS = 16,

    PATH_SIZE = 1024
};

struct ic_compiled {
    void *library;
};

/* ---- the compiler */

typedef struct compiler {
    /* Words of the command, which point into `text`, with room for options after them. */
    char *words[WORDS + 20];
    size_t n;
    char text[PATH_SIZE];

    /* Path of the compiler, and its file status, which changes with its version. */
    char path[PATH_SIZE];
    struct stat state;
} compiler;

static bool is_program(compiler *c)
{
    return stat(c->path, &c->state) == 0 && S_ISREG(c->state.st_mode) && access(c->path, X_OK) == 0;
}

/* Finds a program by its name, on PATH if the name has no slash. */
static bool find_program(compiler *c, const char *name)
{
    const char *folders = getenv("PATH");
    if (strchr(name, '/') != NULL) {
        return snprintf(c->path, sizeof c->path, "%s", name) < (int)sizeof c->path && is_program(c);
    }
    while (folders != NULL && *folders != '\0') {
        const size_t length = strcspn(folders, ":");
        /* Ignore relative folders: a compiler in the working folder may belong to somebody else. */
        if (length < PATH_SIZE && folders[0] == '/' &&
            snprintf(c->path, sizeof c->path, "%.*s/%s", (int)length, folders, name) < (int)sizeof c->path &&
            is_program(c))
            return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

static bool find_compiler(compiler *c, ic_error *why)
{
    static char *const names[] = {"cc", "gcc", "clang"};
    const char *asked = getenv("CC");
    *c = (compiler){.n = 0};
    if (asked == NULL || asked[strspn(asked, " ")] == '\0') {
        c->n = 1;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            c->words[0] = names[i];
            if (find_program(c, names[i])) return true;
        }
        ic_error_set(why, "no compiler found: none of cc, gcc and clang is on PATH");
        return false;
    }
    if (snprintf(c->text, sizeof c->text, "%s", asked) >= (int)sizeof c->text) {
        ic_error_set(why, "CC is too long");
        return false;
    }
    char *rest = NULL;
    for (char *word = strtok_r(c->text, " ", &rest); word != NULL && c->n < WORDS;
         word = strtok_r(NULL, " ", &rest))
        c->words[c->n++] = word;
    if (find_program(c, c->words[0])) return true;
    ic_error_set(why, "no compiler found: CC is '%.200s', which cannot be run", asked);
    return false;
}

/* ---- the compiler's process */

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Waits for the process group of `child`, and kills the whole group after TIME_LIMIT. */
static bool wait_for_compiler(pid_t child, ic_error *why)
{
    const double end = seconds_now() + TIME_LIMIT;
    int state = 0;
    pid_t ended = 0;
    while ((ended = waitpid(child, &state, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
        if (seconds_now() > end) {
            kill(-child, SIGKILL);
            while (waitpid(child, &state, 0) < 0 && errno == EINTR) continue;
            ic_error_set(why, "the compiler did not finish within %d s", TIME_LIMIT);
            return false;
        }
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    if (ended == child && WIFEXITED(state) && WEXITSTATUS(state) == 0) return true;
    ic_error_set(why, "the compiler failed");
    return false;
}

/* Runs the compiler; its messages go to the file `words`. */
static bool run_compiler(const compiler *c, const char *words, ic_error *why)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    pid_t child = 0;
    if (posix_spawn_file_actions_init(&files) != 0) return ic_error_no_memory(why);
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&files);
        return ic_error_no_memory(why);
    }
    const bool started =
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0) == 0 &&
        posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, words, O_WRONLY | O_CREAT | O_TRUNC, 0600) ==
            0 &&
        posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO) == 0 &&
        posix_spawnattr_setpgroup(&attributes, 0) == 0 &&
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP) == 0 &&
        posix_spawn(&child, c->path, &files, &attributes, c->words, environ) == 0;
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    if (started) return wait_for_compiler(child, why);
    ic_error_set(why, "the compiler cannot be started");
    return false;
}

/* ---- files */

static bool write_bytes(int descriptor, const char *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t n = write(descriptor, bytes, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

static bool write_file(const char *path, int flags, const char *bytes, size_t size)
{
    const int descriptor = openat(AT_FDCWD, path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | flags, 0600);
    if (descriptor < 0) return false;
    const bool good = write_bytes(descriptor, bytes, size);
    return close(descriptor) == 0 && good;
}

/* Whether the user owns a file and nobody else can write to it. */
static bool is_ours(const struct stat *state)
{
    return state->st_uid == geteuid() && (state->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/*
 * Contents of a regular file that is_ours accepts, which the caller frees. NULL: it does not exist,
 * or cannot be read.
 */
static char *read_ours(const char *path, size_t *size)
{
    struct stat state;
    char *bytes = NULL;
    const int descriptor = openat(AT_FDCWD, path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return NULL;
    *size = 0;
    if (fstat(descriptor, &state) == 0 && S_ISREG(state.st_mode) && is_ours(&state) &&
        state.st_size < LIBRARY_SIZE)
        bytes = malloc((size_t)state.st_size + 1);
    for (ssize_t n = 1; bytes != NULL && n > 0 && *size<(size_t)state.st_size; *size += n> 0 ? (size_t)n : 0)
        n = read(descriptor, bytes + *size, (size_t)state.st_size - *size);
    close(descriptor);
    return bytes;
}

/* ---- the cache */

static bool make_folder(const char *path)
{
    struct stat state;
    if (mkdir(path, 0700) != 0 && errno != EEXIST) return false;
    return stat(path, &state) == 0 && S_ISDIR(state.st_mode);
}

/*
 * Path of the cache folder, which is made if it does not exist. Only the user may have access to
 * it.
 */
static bool find_cache(char *path, ic_error *why)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    struct stat state;
    char above[PATH_SIZE / 2];
    const bool own = cache != NULL && cache[0] == '/';
    const int length = own                              ? snprintf(above, sizeof above, "%s", cache)
                       : home != NULL && home[0] == '/' ? snprintf(above, sizeof above, "%s/.cache", home)
                                                        : -1;
    if (length < 0 || (size_t)length >= sizeof above) {
        ic_error_set(why, "no folder for a cache: neither XDG_CACHE_HOME nor HOME is an absolute path");
        return false;
    }
    snprintf(path, PATH_SIZE, "%s/impactcheck", above);
    if (!make_folder(above) || !make_folder(path)) {
        ic_error_set(why, "'%.200s' cannot be made", path);
        return false;
    }
    if (lstat(path, &state) == 0 && S_ISDIR(state.st_mode) && state.st_uid == geteuid() &&
        (state.st_mode & (S_IRWXG | S_IRWXO)) == 0)
        return true;
    ic_error_set(why, "'%.200s' is not a folder to which only this user has access (mode 0700)", path);
    return false;
}

static void add_nodes(ic_digest *digest, const ic_node *nodes, size_t n)
{
    ic_digest_add(digest, &n, sizeof n);
    if (nodes != NULL) ic_digest_add(digest, nodes, n * sizeof *nodes);
}

/* Adds everything on which the C text depends. */
static void add_functions(ic_digest *digest, const ic_functions *functions, const ic_graph *graph)
{
    for (size_t i = 0; i < graph->n_nodes; i++) {
        const ic_graph_node *n = &graph->nodes[i];
        const int parts[] = {(int)n->operation, n->a, n->b, n->c, n->index, (int)n->varies};
        ic_digest_add(digest, parts, sizeof parts);
        ic_digest_add(digest, &n->number, sizeof n->number);
    }
    for (size_t i = 0; i < graph->n_externals; i++) {
        const ic_external *e = &graph->externals[i];
        ic_digest_add(digest, e->form, strlen(e->form) + 1);
        ic_digest_add(digest, e->symbol, strlen(e->symbol) + 1);
    }
    for (size_t i = 0; i < functions->n; i++) {
        const ic_function *f = &functions->functions[i];
        ic_digest_add(digest, &f->kind, sizeof f->kind);
        add_nodes(digest, f->nodes, f->n_nodes);
        ic_digest_add(digest, &f->n_branches, sizeof f->n_branches);
        for (size_t k = 0; k < f->n_branches; k++) {
            add_nodes(digest, &f->branches[k].condition, 1);
            add_nodes(digest, f->branches[k].states, f->n_states);
        }
    }
}

/*
 * Key of a library: a digest of the functions, of the source files that generate C (IC_EMITTER), of
 * the compiler, and of the version of impactcheck.
 */
static void find_key(char key[IC_DIGEST_TEXT], const ic_functions *functions, const ic_graph *graph,
                     const compiler *c)
{
    ic_digest digest;
    char text[2 * PATH_SIZE];
    struct utsname machine;
    if (uname(&machine) != 0) machine.machine[0] = '\0';
    const int length =
        snprintf(text, sizeof text, "impactcheck %s %s\n%s\n%s\n%lld %lld %lld %lld\n", IC_VERSION, IC_EMITTER,
                 machine.machine, c->path, (long long)c->state.st_size, (long long)c->state.st_mtim.tv_sec,
                 (long long)c->state.st_mtim.tv_nsec, (long long)c->state.st_ino);
    ic_digest_begin(&digest);
    ic_digest_add(&digest, text, (size_t)length + 1);
    for (size_t i = 0; i < c->n; i++) ic_digest_add(&digest, c->words[i], strlen(c->words[i]) + 1);
    add_functions(&digest, functions, graph);
    ic_digest_end(&digest, key);
}

/* The digest at the end of the library with this key. */
static void find_seal(char seal[IC_DIGEST_TEXT], const char *key, const char *bytes, size_t size)
{
    ic_digest digest;
    ic_digest_begin(&digest);
    ic_digest_add(&digest, key, IC_DIGEST_TEXT);
    ic_digest_add(&digest, bytes, size);
    ic_digest_end(&digest, seal);
}

static bool is_sealed(const char *path, const char *key)
{
    size_t size = 0;
    char *bytes = read_ours(path, &size);
    bool good = bytes != NULL && size > IC_DIGEST_TEXT;
    if (good) {
        char seal[IC_DIGEST_TEXT];
        find_seal(seal, key, bytes, size - IC_DIGEST_TEXT);
        good = memcmp(seal, bytes + size - IC_DIGEST_TEXT, IC_DIGEST_TEXT) == 0;
    }
    free(bytes);
    return good;
}

static bool seal_library(const char *path, const char *key)
{
    char seal[IC_DIGEST_TEXT];
    size_t size = 0;
    if (chmod(path, 0600) != 0) return false;
    char *bytes = read_ours(path, &size);
    if (bytes != NULL) find_seal(seal, key, bytes, size);
    const bool good = bytes != NULL && size > 0 && write_file(path, O_APPEND, seal, sizeof seal);
    free(bytes);
    return good;
}

/* ---- making a library */

/* Appends the first line of the compiler's messages to the reason. */
static void add_words(ic_error *why, const char *path)
{
    size_t size = 0;
    char *words = read_ours(path, &size), said[160];
    if (words == NULL || size == 0) {
        free(words);
        return;
    }
    words[size] = '\0';
    words[strcspn(words, "\n")] = '\0';
    snprintf(said, sizeof said, "%s", words);
    free(words);
    const ic_error before = *why;
    ic_error_set(why, "%.200s: %s", before.text, said);
}

/* Optimisation levels differ in speed only, not in results. */
static char *find_level(const ic_emitted *emitted)
{
    if (emitted->longest > LONG_FUNCTION) return "-O0";
    return emitted->statements > LONG ? "-O1" : "-O2";
}

/* Compiles a library in `folder`, which was made for it, and moves it into the cache. */
static bool make_library(compiler *c, const ic_emitted *emitted, const char *folder, const char *library,
                         const char *key, ic_error *why)
{
    char source[PATH_SIZE + 16], made[PATH_SIZE + 16], words[PATH_SIZE + 16];
    snprintf(source, sizeof source, "%s/case.c", folder);
    snprintf(made, sizeof made, "%s/case.so", folder);
    snprintf(words, sizeof words, "%s/words", folder);
    /* Options that keep every bit: no contraction of operations, and no built-in functions. */
    char *const options[] = {find_level(emitted),
                             "-std=gnu11",
                             "-w",
                             "-shared",
                             "-fPIC",
                             "-ffp-contract=off",
                             "-fno-math-errno",
                             "-fno-builtin",
                             "-o",
                             made,
                             source,
                             "-lm",
                             NULL};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) c->words[c->n + i] = options[i];
    bool good = write_file(source, O_CREAT | O_EXCL, emitted->text, emitted->size);
    if (!good) ic_error_set(why, "'%.200s' cannot be written", source);
    else if (!(good = run_compiler(c, words, why))) add_words(why, words);
    if (good && (!seal_library(made, key) || rename(made, library) != 0)) {
        ic_error_set(why, "'%.200s' cannot be written", library);
        good = false;
    }
    unlink(source);
    unlink(made);
    unlink(words);
    return good;
}

static bool make_in_folder(compiler *c, const ic_emitted *emitted, const char *cache, const char *library,
                           const char *key, ic_error *why)
{
    char folder[PATH_SIZE];
    if (emitted->statements > TOO_LONG) {
        ic_error_set(why, "the functions of the case are too long to be compiled in reasonable time");
        return false;
    }
    if (snprintf(folder, sizeof folder, "%s/new-XXXXXX", cache) >= (int)sizeof folder ||
        mkdtemp(folder) == NULL) {
        ic_error_set(why, "no file can be written in '%.200s'", cache);
        return false;
    }
    const bool good = make_library(c, emitted, folder, library, key, why);
    rmdir(folder);
    return good;
}

static bool make_in_cache(compiler *c, const ic_functions *functions, const ic_graph *graph, const char *cache,
                          const char *library, const char *key, ic_error *why)
{
    const ic_sized_functions whole = {.functions = functions, .graph = graph};
    ic_emitted emitted;
    if (!ic_functions_emit(&emitted, &whole, 1, 0, TABLE)) return ic_error_no_memory(why);
    const bool good = make_in_folder(c, &emitted, cache, library, key, why);
    free(emitted.text);
    return good;
}

/* ---- compiling and loading */

static bool load_library(ic_compiled *compiled, const char *path, const ic_functions *functions,
                         const ic_graph *graph, ic_error *why)
{
    typedef void function(void);
    compiled->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    function *const *table = compiled->library == NULL ? NULL : dlsym(compiled->library, TABLE);
    const void **objects =
        table == NULL || graph->n_externals == 0 ? NULL : dlsym(compiled->library, IC_EMITTED_OBJECTS);
    if (table == NULL || (objects == NULL && graph->n_externals > 0)) {
        ic_error_set(why, "the compiled library cannot be loaded");
        return false;
    }
    for (size_t i = 0; i < graph->n_externals; i++) objects[i] = graph->externals[i].object;
    for (size_t i = 0; i < functions->n; i++) memcpy(functions->functions[i].slot, &table[i], sizeof table[i]);
    return true;
}

static bool compile_functions(ic_compiled *compiled, const ic_functions *functions, const ic_graph *graph,
                              ic_error *why)
{
    compiler c;
    char cache[PATH_SIZE], library[2 * PATH_SIZE], key[IC_DIGEST_TEXT];
    if (!find_compiler(&c, why) || !find_cache(cache, why)) return false;
    find_key(key, functions, graph, &c);
    snprintf(library, sizeof library, "%s/%s.so", cache, key);
    if (!is_sealed(library, key) && !make_in_cache(&c, functions, graph, cache, library, key, why))
        return false;
    return load_library(compiled, library, functions, graph, why);
}

ic_compiled *ic_functions_compile(const ic_functions *functions, const ic_graph *graph, ic_error *why)
{
    const char *interpret = getenv("IMPACTCHECK_INTERPRET");
    if (interpret != NULL && interpret[0] != '\0' && strcmp(interpret, "0") != 0) {
        ic_error_set(why, "IMPACTCHECK_INTERPRET is set");
        return NULL;
    }
    ic_compiled *compiled = calloc(1, sizeof *compiled);
    if (compiled == NULL) {
        ic_error_no_memory(why);
        return NULL;
    }
    if (compile_functions(compiled, functions, graph, why)) return compiled;
    ic_compiled_free(compiled);
    return NULL;
}

void ic_compiled_free(ic_compiled *compiled)
{
    if (compiled == NULL) return;
    if (compiled->library != NULL) dlclose(compiled->library);
    free(compiled);
}
