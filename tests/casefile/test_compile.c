/* SPDX-License-Identifier: MIT */
/* Compiled and interpreted functions have the same bits; a damaged cache is not used. */
#include "casefile/casefile.h"
#include "core/shapes.h"
#include "tests/allocations.h"
#include "tests/machine.h"

#include <dirent.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int open_cache(void), close_cache(void);
IC_SUITE_WITH(light, "compiled case files", open_cache, close_cache)

/* Every operation of the language. */
static const char every_operation[] =
    "parameters: {one: 1 s, p: 3/2, q: 0.3}\n"
    "states: {x: {unit: 1, start: 0.4}, y: {unit: 1, start: 0.3}}\n"
    "flow:\n"
    "  x: (sqrt(y^2 + 1) + cbrt(x) + exp(-x) + log(2 + y^2) + sin(x*t/s) + cos(y) + x^p + y^2 + y^-1 + x^0.5 + y^q)/s\n"
    "  y: (tan(x/9) + asin(sin(x)/2) + acos(y/9) + atan(x) + atan2(x, y + 2) + sinh(y/9) + cosh(x/9) + tanh(y) + pi)/s\n"
    "definitions: {s: one}\n"
    "outputs: {a: \"abs(x) + sign(y) + min(x, y) + max(x, y) + step(x)\", b: \"where(x > y, x/y, -x)\"}\n"
    "sketch: [{ball: {at: [sin(x), 2*t/s], radius: y, angle: x}}]\n"
    "until:\n"
    "  up: {rises: x - y, if: y > 0 and x > 0, then: [{if: x > 1, y: x/3}, {x: -x, y: y - 1/7}]}\n"
    "times: {tick: {at: n*one, count: 3}}\n"
    "presets: {default: {until: 1 s}}\n";

static char folder[] = "/tmp/impactcheck-cache-XXXXXX";

/* Whether two numbers are the same, and their signs; NaN equals NaN. */
static bool same(double a, double b)
{
    return (a == b && signbit(a) == signbit(b)) || (isnan(a) && isnan(b));
}

static size_t differs(double a, double b)
{
    return same(a, b) ? 0 : 1;
}

static size_t compare_mode(const ic_case *a, const ic_mode *m, const ic_mode *n, double t, const double *x,
                           const double *par)
{
    double dx[IC_MAX_STATES] = {0}, dy[IC_MAX_STATES] = {0};
    size_t differ = 0;
    m->flow(dx, t, x, par);
    n->flow(dy, t, x, par);
    for (size_t i = 0; i < a->n_states; i++) differ += differs(dx[i], dy[i]);
    for (size_t i = 0; i < m->n_guards; i++) {
        const ic_guard *g = &m->guards[i], *h = &n->guards[i];
        differ +=
            !same(g->value(t, x, par), h->value(t, x, par)) + differs(g->rate(t, x, par), h->rate(t, x, par));
        differ += g->jump.apply(dx, t, x, par) == h->jump.apply(dy, t, x, par) ? 0 : 1;
        for (size_t k = 0; k < a->n_states; k++) differ += differs(dx[k], dy[k]);
    }
    return differ;
}

enum { MOST_COORDINATES = 256 };

static size_t compare_functions(const ic_case *a, const ic_case *b, double t, const double *x,
                                const double *par)
{
    size_t differ = compare_mode(a, a->variants[0].modes, b->variants[0].modes, t, x, par);
    for (size_t i = 0; i < a->n_outputs; i++)
        differ += differs(a->outputs[i].value(t, x, 0, par), b->outputs[i].value(t, x, 0, par));
    double here[MOST_COORDINATES], there[MOST_COORDINATES];
    const size_t n = ic_sketch_size(a) <= MOST_COORDINATES ? ic_sketch_size(a) : 0;
    if (n > 0) a->sketch(here, t, x, 0, par), b->sketch(there, t, x, 0, par);
    for (size_t i = 0; i < n; i++) differ += differs(here[i], there[i]);
    const ic_time_event *e = a->variants[0].time_events, *f = b->variants[0].time_events;
    for (int i = 0; i < 4; i++) differ += differs(e->when(i, par), f->when(i, par));
    return differ;
}

IC_TEST(test_same_bits)
{
    ic_error note = {""};
    IC_OWN(ic_casefile) *a = ic_tests_read(every_operation), *b = ic_tests_read(every_operation);
    IC_EXPECT_FATAL(ic_casefile_compile(b, &note), "%s", note.text);
    const double par[] = {1, 1.5, 0.3};
    srand(1);
    for (int i = 0; i < 1000; i++) {
        const double x[2] = {4.0 * rand() / RAND_MAX - 2, 4.0 * rand() / RAND_MAX - 2};
        CU_ASSERT_EQUAL(compare_functions(ic_casefile_case(a), ic_casefile_case(b), 0.37 * i, x, par), 0);
    }
    /* planted: another parameter is another result */
    const double other[] = {1, 1.25, 0.3}, x[2] = {0.5, 0.7};
    double dx[2], dy[2];
    ic_casefile_case(a)->variants[0].modes[0].flow(dx, 0, x, par);
    ic_casefile_case(b)->variants[0].modes[0].flow(dy, 0, x, other);
    CU_ASSERT_FALSE(same(dx[0], dy[0]));
}

/* The only library in the cache. */
static void find_library(char *path, size_t size)
{
    char cache[256];
    size_t n = 0;
    snprintf(cache, sizeof cache, "%s/impactcheck", folder);
    DIR *open = opendir(cache);
    CU_ASSERT_FATAL(open != NULL);
    for (const struct dirent *e = readdir(open); e != NULL; e = readdir(open)) {
        if (e->d_name[0] == '.') continue;
        snprintf(path, size, "%s/%s", cache, e->d_name);
        n++;
    }
    closedir(open);
    CU_ASSERT_EQUAL(n, 1); /* no file of a writer is left */
}

IC_TEST(test_damaged_library_is_compiled_again)
{
    char path[600];
    find_library(path, sizeof path);
    FILE *file = fopen(path, "r+b");
    CU_ASSERT_FATAL(file != NULL);
    fseek(file, 2000, SEEK_SET);
    fputs("damage", file);
    fclose(file);
    ic_casefile *c = ic_tests_read(every_operation);
    CU_ASSERT(ic_casefile_compile(c, NULL));
    ic_casefile_free(c);
    find_library(path, sizeof path);
    chmod(path, 0777); /* others may write it: not ours alone */
    c = ic_tests_read(every_operation);
    CU_ASSERT(ic_casefile_compile(c, NULL));
    ic_casefile_free(c);
}

static int compile_once(void)
{
    IC_OWN(ic_casefile) *c = ic_tests_read(every_operation);
    const bool compiled = ic_casefile_compile(c, NULL);
    return compiled ? 0 : 1;
}

IC_TEST(test_two_writers)
{
    char path[600];
    pid_t children[2];
    find_library(path, sizeof path);
    unlink(path);
    for (int i = 0; i < 2; i++) {
        children[i] = fork();
        if (children[i] == 0) _exit(compile_once());
    }
    for (int i = 0; i < 2; i++) {
        int status = 1;
        waitpid(children[i], &status, 0);
        CU_ASSERT_EQUAL(status, 0);
    }
    find_library(path, sizeof path);
}

/*
 * A library from the cache, where each allocation fails once: compiled, or interpreted with a
 * reason.
 */
IC_TEST(test_every_allocation_fails_once)
{
    ic_casefile *c = ic_tests_read(every_operation);
    CU_ASSERT(ic_casefile_compile(c, NULL)); /* it is in the cache */
    ic_casefile_free(c);
    ic_allocations used = {.failed = true};
    size_t i = 0;
    for (; i < 1000 && used.failed; i++) {
        ic_error note = {""};
        c = ic_tests_read(every_operation);
        ic_allocations_begin(i);
        const bool compiled = ic_casefile_compile(c, &note);
        ic_casefile_free(c);
        used = ic_allocations_end();
        CU_ASSERT(compiled || note.text[0] != '\0');
        CU_ASSERT(used.left <= 0);
    }
    CU_ASSERT(i > 2);
}

/* A compiler that fails and says why, where nobody asks for the reason. */
IC_TEST(test_failing_compiler_that_speaks)
{
    char path[600];
    snprintf(path, sizeof path, "%s/broken", folder);
    ic_tests_write(path, "#!/bin/sh\necho it is broken >&2\nexit 1\n");
    chmod(path, 0700);
    const char *before = getenv("CC");
    IC_OWN(char) *kept = before == NULL ? NULL : strdup(before);
    setenv("CC", path, 1);
    ic_error note = {""};
    IC_OWN(ic_casefile) *c = ic_tests_read(every_operation);
    CU_ASSERT_FALSE(ic_casefile_compile(c, NULL));
    CU_ASSERT_FALSE(ic_casefile_compile(c, &note));
    CU_ASSERT_PTR_NOT_NULL(strstr(note.text, "it is broken"));
    if (kept != NULL) setenv("CC", kept, 1);
    else unsetenv("CC");
}

IC_TEST(test_interpreted_otherwise)
{
    static const struct {
        const char *name, *value, *says;
    } rows[] = {{"CC", "/nonexistent", "no compiler"},
                {"CC", "/bin/false", "the compiler failed"},
                {"IMPACTCHECK_INTERPRET", "1", "IMPACTCHECK_INTERPRET is set"},
                {"XDG_CACHE_HOME", "/proc/nowhere", "cannot be made"}};
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        ic_error note = {""};
        const char *before = getenv(rows[i].name);
        IC_OWN(char) *kept = before == NULL ? NULL : strdup(before);
        IC_OWN(ic_casefile) *c = ic_tests_read(every_operation);
        setenv(rows[i].name, rows[i].value, 1);
        CU_ASSERT_FALSE(ic_casefile_compile(c, &note));
        IC_EXPECT(strstr(note.text, rows[i].says) != NULL, "'%s' instead of '%s'", note.text, rows[i].says);
        if (kept != NULL) setenv(rows[i].name, kept, 1);
        else unsetenv(rows[i].name);
    }
}

/* Constants that are worth keeping, and sums of them times states; x4 is no part of a row of c. */
static const char matrix[] =
    "parameters: {one: 1 s, a: 0.3, b: 1.7, N: {value: 4, range: '{2, 3, 4}'}}\n"
    "states: {for i in 1..N: {'x[i]': {unit: 1, start: 0.1*i, meaning: 'displacement [i]'}}}\n"
    "definitions: {for i in 1..N: {for j in 1..N: {'c[i, j]': exp(sin(a*i) + b/j)/(i + cos(b*j)^2)}}}\n"
    "flow: {for i in 1..N: {'x[i]': '(x2 - sum(j in 1..N, c[i, j]*x[j]))/one'}}\n"
    "until: {up: {rises: 'sum(j in 1..N, c[1, j]*x[j]) - c[2, 2]', then: {x1: 'x1 - c[1, 2]*x2'}}}\n"
    "times: {tick: {at: n*one*exp(sin(a) + cos(b)), count: 3}}\n"
    "outputs: {o: 'c[1, 1] + sum(j in 1..N-1, x[j]*c[j, 2])'}\n"
    "presets: {default: {until: 1 s}}\n";

IC_TEST(test_constants_follow_parameters)
{
    ic_error note = {""};
    IC_OWN(ic_casefile) *a = ic_tests_read(matrix), *b = ic_tests_read(matrix);
    const double sets[][4] = {{1, 0.3, 1.7, 4}, {1, 0.3, 1.8, 4}, {2, 0.3, 1.8, 4}, {2, NAN, 1.8, 4}};
    CU_ASSERT_FATAL(ic_casefile_compile(b, &note));
    for (int i = 0; i < 200; i++) {
        const double *par = sets[i % 4];
        const double x[4] = {0.1 * i, 0.3, -1.0 / (i + 1), i % 3};
        CU_ASSERT_EQUAL(compare_functions(ic_casefile_case(a), ic_casefile_case(b), 0.37 * i, x, par), 0);
    }
    CU_ASSERT_STRING_EQUAL(ic_casefile_case(a)->states[2].meaning, "displacement 3");
    /* planted: results of other parameters differ */
    const double x[4] = {1, 2, 3, 4};
    double dx[4], dy[4];
    ic_casefile_case(a)->variants[0].modes[0].flow(dx, 0, x, sets[0]);
    ic_casefile_case(b)->variants[0].modes[0].flow(dy, 0, x, sets[1]);
    CU_ASSERT_FALSE(same(dx[0], dy[0]));
}

/* The C of a text, to be freed; NULL if it is refused. */
static char *emit_text(const char *text, const char *name, ic_error *error)
{
    char path[256], *made = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = open_memstream(&made, &size);
    CU_ASSERT_FATAL(out != NULL);
    ic_tests_write(path, text);
    const bool good = ic_casefile_emit(out, "ic_case_sized", path, error);
    fclose(out);
    remove(path);
    if (good) return made;
    free(made);
    return NULL;
}

IC_TEST(test_sizes_become_one_case)
{
    static const char triangle[] = "parameters: {N: {value: 3, range: '{2, 3, 4}'}}\n"
                                   "states: {for i in 1..N: {for j in 1..i: {'x[i, j]': m}}}\n"
                                   "flow: {for i in 1..N: {for j in 1..i: {'x[i, j]': 1 m/s}}}\n"
                                   "presets: {default: {until: 1 s}}\n";
    ic_error error = {""};
    IC_OWN(char) *made = emit_text(matrix, "matrix.yaml", &error);
    CU_ASSERT_FATAL(made != NULL);
    CU_ASSERT_PTR_NOT_NULL(strstr(made, "switch((int)par[3])"));
    CU_ASSERT_PTR_NOT_NULL(strstr(made, "case 2:"));
    CU_ASSERT_PTR_NOT_NULL(strstr(made, "product(D+0,K+0,4,x+0,4,1)"));
    CU_ASSERT_PTR_NOT_NULL(strstr(made, ".states_used=\"0 + 1*N\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(made, ".name=\"x4\""));
    /* planted: 3, 6 and 10 states */
    CU_ASSERT_PTR_NULL(emit_text(triangle, "triangle.yaml", &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "not linear in 'N'"));
}

/*
 * A built-in case contains the sizes of the set on which its number of states depends. Another size is read from
 * its text.
 */
IC_TEST(test_sizes_of_a_built_in_case)
{
    static const char chain[] = "parameters: {N: {value: 3, range: 2..60}, M: 2, m: 1 kg}\n"
                                "states: {for i in 1..N: {'x[i]': m}}\n"
                                "flow: {for i in 1..N: {'x[i]': M*m/(1 kg)*(1 m/s)}}\n"
                                "presets: {default: {until: 1 s}, five: {set: {N: 5}, until: 1 s}}\n";
    static const char *const unchanged[] = {"M=4", "m=2"}, *const four[] = {"M=4", "N=4"};
    ic_error error = {""};
    IC_OWN(ic_casefile) *file = ic_tests_read(chain);
    ic_case built_in = *ic_casefile_case(file);
    built_in.text = chain;
    CU_ASSERT_PTR_EQUAL(ic_casefile_sized(&built_in, "default", unchanged, 2, &error), &built_in);
    CU_ASSERT_EQUAL(ic_casefile_sized(&built_in, "five", unchanged, 2, &error)->n_states, 5);
    const ic_case *sized = ic_casefile_sized(&built_in, "five", four, 2, &error);
    CU_ASSERT_EQUAL(sized->n_states, 4);
    CU_ASSERT_PTR_EQUAL(ic_casefile_sized(&built_in, "five", four, 2, &error), sized);
    CU_ASSERT_EQUAL(ic_casefile_sized(&built_in, NULL, four, 2, &error)->n_states, 4);
    CU_ASSERT_PTR_NULL(ic_casefile_sized(&built_in, NULL, (const char *const[]){"N=500"}, 1, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "more than 128 states"));
    built_in.states_used = "0 + 1*N"; /* planted: it says that it contains the sizes */
    CU_ASSERT_PTR_EQUAL(ic_casefile_sized(&built_in, NULL, four, 2, &error), &built_in);
}

static char *cache_before;

static int open_cache(void)
{
    const char *cache = getenv("XDG_CACHE_HOME");
    cache_before = cache == NULL ? NULL : strdup(cache);
    return mkdtemp(folder) == NULL || setenv("XDG_CACHE_HOME", folder, 1) != 0;
}

static const char on_laws[] =
    "parameters: {m: 1 kg}\n"
    "states: {d: {unit: m, scale: 1e-3 m}, v: {unit: m/s, start: 1 m/s}}\n"
    "law: {indentation: d, rate: v, mass: m}\n"
    "variants:\n"
    "  on a law:\n"
    "    laws: all\n"
    "    start: {d: law.reach, memory: law.memory}\n"
    "    modes:\n"
    "      contact:\n"
    "        flow: {d: v, v: -law.force/m}\n"
    "        until:\n"
    "          peak: {falls: law.rising, then: {}}\n"
    "          end: {falls: law.pushing, then: {mode: open}}\n"
    "          kink: {crosses: d - law.kink, then: {}}\n"
    "        energy: {stored: m*v^2/2 + law.stored, dissipated: (law.force - law.elastic)*v}\n"
    "      open: {flow: {d: v, v: 0 m/s^2}, ends: true}\n"
    "presets: {default: {variant: hertz, until: 1 s}}\n";

/*
 * The functions of laws are found by what their library is given, in each variant those of its own
 * law.
 */
IC_TEST(test_laws)
{
    ic_error note = {""};
    IC_OWN(ic_casefile) *a = ic_tests_read(on_laws), *b = ic_tests_read(on_laws);
    IC_EXPECT_FATAL(ic_casefile_compile(b, &note), "%s", note.text);
    const ic_case *one = ic_casefile_case(a), *other = ic_casefile_case(b);
    double par[64], x[IC_MAX_STATES], force[2] = {0};
    for (size_t v = 0; v < one->n_variants; v++) {
        for (int k = 0; k < 50; k++) {
            for (size_t i = 0; i < IC_COUNT(par); i++) par[i] = 0.1 + (double)rand() / RAND_MAX;
            /* the memory of a law comes behind the states */
            for (size_t i = 0; i <= one->n_states; i++) x[i] = 2.0 * rand() / RAND_MAX - 1;
            for (size_t m = 0; m < one->variants[v].n_modes; m++)
                CU_ASSERT_EQUAL(
                    compare_mode(one, &one->variants[v].modes[m], &other->variants[v].modes[m], 0.3, x, par),
                    0);
        }
    }
    /* planted: laws differ */
    for (size_t v = 0; v < 2; v++) {
        double rate[IC_MAX_STATES];
        other->variants[v].modes[0].flow(rate, 0, x, par);
        force[v] = rate[1];
    }
    CU_ASSERT_FALSE(same(force[0], force[1]));
}

static int close_cache(void)
{
    char command[128];
    if (cache_before != NULL) setenv("XDG_CACHE_HOME", cache_before, 1);
    else unsetenv("XDG_CACHE_HOME");
    free(cache_before);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}
