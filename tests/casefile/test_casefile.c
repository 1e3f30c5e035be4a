/* SPDX-License-Identifier: MIT */
/*
 * Cases from files: a file gives the numbers of the C that is made of it, and faults have places.
 */
#include "casefile/casefile.h"
#include "casefile/dimension.h"
#include "core/shapes.h"
#include "tests/allocations.h"
#include "tests/machine.h"
#include "validation/subjects.h"

#include <dirent.h>

IC_SUITE(light, "case files")

/* ---- the same numbers, to the last bit, as the case in C */

enum { MOST_COORDINATES = 256 };

static void compare_logs(const ic_log *a, const ic_log *b, size_t n)
{
    CU_ASSERT_EQUAL(ic_log_event_count(a), ic_log_event_count(b));
    for (size_t i = 0; i < ic_log_event_count(a) && i < ic_log_event_count(b); i++) {
        const ic_event e = ic_log_event_at(a, i), f = ic_log_event_at(b, i);
        CU_ASSERT_STRING_EQUAL(e.name, f.name);
        CU_ASSERT_EQUAL(e.t, f.t);
        for (size_t k = 0; k < n; k++) CU_ASSERT_EQUAL(e.x_post[k], f.x_post[k]);
    }
}

/* Shapes and coordinates at the start, in all modes. */
static void compare_sketches(const ic_problem *a, const ic_problem *b)
{
    const ic_case *c = a->system, *d = b->system;
    const size_t n = ic_sketch_size(c);
    double x[IC_MAX_STATES + 1] = {0}, here[MOST_COORDINATES], there[MOST_COORDINATES];
    CU_ASSERT_FATAL(n > 0 && n == ic_sketch_size(d) && n <= MOST_COORDINATES);
    CU_ASSERT_STRING_EQUAL(c->sketch_unit, d->sketch_unit);
    for (size_t i = 0; i < c->n_shapes; i++) {
        CU_ASSERT_STRING_EQUAL(c->shapes[i].label, d->shapes[i].label);
        CU_ASSERT(c->shapes[i].kind == d->shapes[i].kind && c->shapes[i].dashed == d->shapes[i].dashed);
    }
    a->variant->start.apply(x, a->t_start, NULL, a->par);
    for (int m = 0; m < (int)a->variant->n_modes; m++) {
        c->sketch(here, a->t_start, x, m, a->par);
        d->sketch(there, a->t_start, x, m, b->par);
        for (size_t i = 0; i < n; i++) CU_ASSERT(here[i] == there[i]);
    }
}

/*
 * A file, interpreted, and the same file as the build made C of it, which carries the text of its
 * equations.
 */
static void compare_case(const char *text, const char *built_in)
{
    static const char *const solvers[] = {"rk4_henon", "rk45_bisection", "dop853", "taylor",
                                          "piecewise_linear"};
    char file[256];
    snprintf(file, sizeof file, IC_TEST_SOURCE_DIR "/cases/%s", text);
    IC_OWN(ic_setup) a = ic_tests_setup(&(ic_request){.path = file});
    IC_OWN(ic_setup) b = ic_tests_setup(&(ic_request){.path = built_in});
    const char *carried = b.problem.system->text;
    CU_ASSERT(carried != NULL && strcmp(a.problem.system->text, carried) == 0);
    compare_sketches(&a.problem, &b.problem);
    CU_ASSERT_EQUAL(a.problem.t_end, b.problem.t_end);
    a.problem.t_end = b.problem.t_end = fmin(b.problem.t_end, 4);
    a.problem.t_end_text = b.problem.t_end_text = NULL;
    for (size_t s = 0; s < IC_COUNT(solvers); s++) {
        const ic_solver *solver = ic_solver_find(solvers[s]);
        const bool served = ic_solver_serves(solver, &a.problem) && ic_solver_serves(solver, &b.problem);
        CU_ASSERT(served || s >= 3); /* taylor lacks the equations of a case of several sizes */
        if (!served) continue;
        IC_OWN(ic_log) *log_a = ic_tests_solve(solvers[s], &a.problem, &(ic_options){0});
        IC_OWN(ic_log) *log_b = ic_tests_solve(solvers[s], &b.problem, &(ic_options){0});
        CU_ASSERT(ic_log_event_count(log_a) > 0);
        compare_logs(log_a, log_b, a.problem.system->n_states);
    }
}

IC_TEST(test_same_as_in_c)
{
    static const char *const rows[][2] = {
        {"bouncing_ball.yaml/drop", "bouncing-ball/drop"},
        {"two_mass.yaml/example-1", "two-mass/example-1"},
        {"roller.yaml/II/A", "roller/II/A"},
        {"roller.yaml/II/C*", "roller/II/C*"},
        {"roller.yaml/III/D", "roller/III/D"},
        {"roller.yaml/law", "roller/law"},
        {"ball.yaml/C1/0.5000", "ball/C1/0.5000"},
        {"ball.yaml/kelvin-voigt-B", "ball/kelvin-voigt-B"},
        {"ball.yaml/lee-wang-2", "ball/lee-wang-2"},
        {"planar_bar.yaml/reversal", "planar-bar/reversal"},
        {"planar_bar.yaml/reversal-stronge", "planar-bar/reversal-stronge"},
        {"pneumatic_mechanism.yaml/first-design", "pneumatic-mechanism/first-design"},
        {"ball.yaml/bai-zhao", "ball/bai-zhao"},
        {"rotating_beam.yaml/main", "rotating-beam/main"},
        {"pneumatic_mechanism.yaml/first-design", "pneumatic-mechanism/first-design"},
        {"rotating_beam.yaml/momentum-balance", "rotating-beam/momentum-balance"},
        {"rotating_beam.yaml/N5", "rotating-beam/N5"},
        {"rotating_beam.yaml/as-printed", "rotating-beam/as-printed"}};
    for (size_t i = 0; i < IC_COUNT(rows); i++) compare_case(rows[i][0], rows[i][1]);
}

/* Each number of the planar impact has its place in the struct: all of them differ here. */
IC_TEST(test_impact_view)
{
    static const char *const paths[] = {IC_TEST_SOURCE_DIR "/cases/planar_bar.yaml/two-bodies-stronge",
                                        "planar-bar/two-bodies-stronge"};
    static const char *const settings[] = {"C_xx=3", "C_xy=1", "C_yy=5", "kappa=6"};
    static const ic_impact expected = {
        .v = {0.8, -1}, .w_xx = 1.5, .w_xy = 0.5, .w_yy = 2.5, .mu = 0.4, .e = 0.7, .k_x = 12, .k_y = 2};
    for (size_t i = 0; i < IC_COUNT(paths); i++) {
        const ic_request request = {.path = paths[i], .settings = settings, .n_settings = IC_COUNT(settings)};
        ic_impact impact = {.mu = NAN};
        IC_OWN(ic_setup) setup = ic_tests_setup(&request);
        setup.problem.system->impact(&impact, setup.problem.par);
        CU_ASSERT(impact.v[0] == expected.v[0] && impact.v[1] == expected.v[1] &&
                  impact.w_xx == expected.w_xx && impact.w_xy == expected.w_xy &&
                  impact.w_yy == expected.w_yy && impact.mu == expected.mu && impact.e == expected.e &&
                  impact.k_x == expected.k_x && impact.k_y == expected.k_y);
    }
}

/* ---- faults */

#define HEAD                                                                                                   \
    "parameters: {m: 1 kg, k: 100 N/m, e: 0.8}\n"                                                              \
    "states: {x: m, v: m/s}\n"
#define TAIL "presets: {default: {until: 1 s}}\n"
#define FLOW "flow: {x: v, v: -k*x/m}\n"

IC_TEST(test_faults_have_places)
{
    static const struct {
        const char *text, *place, *says;
    } rows[] = {
        {HEAD "flow: {x: v, v: -k*y/m}\n" TAIL, "3:20", "unknown name 'y'"},
        {HEAD "flow: {x: v, v: -kk*x/m}\n" TAIL, "3:18", "did you mean 'k'?"},
        {HEAD "flow: {x: v, v: -k*x}\n" TAIL, "3:17", "the rate of 'v' is in m/s^2, but this is in N"},
        {HEAD "flow: {x: v, v: none}\n" TAIL, "3:17", "unknown name 'none'"},
        {HEAD FLOW "until: {a: {falls: x, if: v = 0}}\n" TAIL, "4:29",
         "'=' compares indices, parameters and discrete states"},
        {HEAD FLOW "discrete: {s: {unit: m, start: 1 s}}\n" TAIL, "4:32",
         "the start is in m, but this is in s"},
        {HEAD "flow: {x: v, v: -k*x/m + v}\n" TAIL, "3:26", "a sum of m/s^2 and m/s"},
        {HEAD "flow: {x: v, v: -k*x/m - (9.81 m/s)}\n" TAIL, "3:26", "a difference of m/s^2 and m/s"},
        {HEAD "flow: {x: v, v: -k*x/m - (9.81 m/s^2}\n" TAIL, "3:37", "expected ')'"},
        {HEAD "flow: {x: v, v: law.force/m}\n" TAIL, "3:17", "only variants on a law have 'law."},
        {HEAD FLOW "law: {indentation: x, rate: v}\nvariants: {on: {laws: all, flow: {v: law.forse/m}}}\n" TAIL,
         "5:38", "'law.forse' does not exist"},
        {HEAD FLOW "law: {indentation: x}\nvariants: {on: {laws: all, flow: {v: law.force/m}}}\n" TAIL, "5:38",
         "the section 'law' needs 'rate'"},
        {HEAD FLOW "law: {indentation: v, rate: v}\nvariants: {on: {laws: all, flow: {v: law.force/m}}}\n" TAIL,
         "4:20", "indentation is in m, but this is in m/s"},
        {HEAD FLOW "variants: {a: {}, b: {like: c}}\n" TAIL, "4:29", "no earlier entry has this name"},
        {HEAD "modes: {a: {flow: {x: v, v: -k*x/m}}, b: {like: c}}\n" TAIL, "3:49",
         "no earlier entry has this name"},
        {HEAD FLOW "impact: {v: [x, v], W: e, mu: e, e: e, k: e}\n" TAIL, "4:14", "a formula in parameters"},
        {HEAD FLOW "impact: {v: [k, k], W: e, mu: e, e: e, k: e}\n" TAIL, "4:14",
         "v is in m/s, but this is in N/m"},
        {HEAD FLOW "impact: {v: [k], W: e, mu: e, e: e, k: e}\n" TAIL, "4:9",
         "'v' of an impact must have 2 values"},
        {HEAD FLOW "impact: {v: [k], mu: e}\n" TAIL, "4:9", "a planar impact needs 'W'"},
        {HEAD FLOW "outputs: {o: {value: {motoin: x}}}\n" TAIL, "4:23", "did you mean 'motion'?"},
        {"parameters: {x: 1 m/s}\nstates: {x: m, v: m/s}\nflow: {x: v, v: 0 m/s^2}\n" TAIL, "2:10",
         "the parameter 'x' is the initial value of this state, but has another unit (1 more"},
        {HEAD FLOW "variants: {a: {meaning: one, and another}}\n" TAIL, "4:30",
         "within braces a text with a comma needs quotes"},
        {HEAD "flow: {x: v, v: sin(x)*k/m}\n" TAIL, "3:21", "the argument of sin"},
        {HEAD "flow: {x: v, v: -k*x/m*}\n" TAIL, "3:24", "the text ends where"},
        {HEAD "flow: {x: v, v: -k(x)/m}\n" TAIL, "3:18", "'k' is not a function"},
        {HEAD "flow: {x: v, v: -cantilever_sigma(17)*k*x/m}\n" TAIL, "3:35",
         "'cantilever_sigma' has the indices 1 to 16, not 17"},
        {HEAD "flow: {x: v, v: \"-cantilever_A(1, 0)*k*x/m\"}\n" TAIL, "3:33", "not 0"},
        {HEAD "flow: {x: v, v: -cantilever_A(1)*k*x/m}\n" TAIL, "3:32", "expected ','"},
        {HEAD "flow: {x: v, v: -cantilever_sigma(m)*x}\n" TAIL, "3:17", "the rate of 'v'"},
        {HEAD "flow: {x: v}\n" TAIL, "1:1", "mode 'motion' does not give the rate of 'v'"},
        {HEAD "flows: {x: v}\n" TAIL, "3:1", "did you mean 'flow'?"},
        {HEAD FLOW "until: {a: {falls: k}}\n" TAIL, "4:20", "never changes"},
        {HEAD FLOW "until: {a: {falls: x, then: {mode: b}}}\n" TAIL, "4:36", "mode 'b' does not exist"},
        {HEAD FLOW "until: {a: {falls: x, then: {w: 0}}}\n" TAIL, "4:30", "'w' is not a state"},
        {HEAD FLOW "until: {a: {falls: x, then: {v: x}}}\n" TAIL, "4:33", "'v' is in m/s, but this is in m"},
        {HEAD FLOW "definitions: {a: b, b: a}\n" TAIL, "4:24", "'a' in line 4 depends on itself"},
        {HEAD "definitions: {a: b, b: a}\nflow: {x: a, v: 0}\n" TAIL, "3:24",
         "the definition of 'a' in line 3 depends on itself"},
        {HEAD FLOW "presets: {default: {until: 1 m}}\n", "4:28", "the end of a run is in s, but this is in m"},
        {HEAD FLOW "presets: {default: {until: 1 s, set: {K: 2}}}\n", "4:39", "did you mean 'k'?"},
        {"parameters: {m: 1 kgg}\nstates: {x: m}\n", "1:17", "UDUNITS-2 does not know the unit 'kgg'"},
        {"parameters: {m: {value: 1 kg, range: 1-2}}\nstates: {x: m}\n", "1:38", "a range with numbers"},
        {"states: {x: mm}\nflow: {x: 0}\n" TAIL, "1:13",
         "'mm' is not an SI unit: use m; one mm is 0.001 of these"},
        {HEAD FLOW "start: {x: k - 1 mm}\n" TAIL, "4:16",
         "within a formula, put a number and its unit in brackets"},
        {HEAD FLOW "start: {x: 1 mm - k}\n" TAIL, "4:14", "brackets: (1 mm - k)"},
        {"parameters: {g: 9.81 m/s2}\nstates: {x: m}\n", "1:17", "write m/s^2"},
        {"parameters: {g: 9.81 m s-2}\nstates: {x: m}\n", "1:17", "write m s^-2"},
        {"parameters: {g: 9.81 N-m}\nstates: {x: m}\n", "1:17", "write N m"},
        {HEAD FLOW "start: {x: 1 Nm}\n" TAIL, "4:14", "a product has a space: N m"},
        {HEAD FLOW "start: {x: 1 furlong^7}\n" TAIL, "4:14", "is not known exactly: write the number in SI"},
        {"parameters: {a: 1 kg^(1/5)/g^(1/5)}\nstates: {x: m}\n", "1:17", "is not known exactly"},
        {HEAD FLOW "presets: {default: {until: 1 s, set: {m: 5 mm}}}\n", "4:42",
         "'m' is in kg, but this is in m"},
        {HEAD FLOW TAIL "draws: {k: [1 mm, 2 mm]}\n", "5:13", "'k' is in N/m, but this is in m"},
        {HEAD FLOW "outputs: {a: max(x, 0)}\n" TAIL, "4:21", "put a formula with a comma in quotes"},
        {HEAD FLOW "presets: {default: {until: 1 s, set: {k: 5 N}}}\n", "4:42",
         "'k' is in N/m, but this is in N"},
        {"name: ../a\nstates: {x: m}\n", "1:7", "letters, digits"},
        {"title: a: b\nstates: {x: m}\n", "1:9", "in quotes"},
        {"states:\n\tx: m\n", "2:1", "not with tabs"},
        {"states: {x: m, x: m}\n", "1:16", "'x' is given twice"},
        {"states: {sin: m}\n", "1:10", "'sin' is a reserved name"},
        {"parameters: {k: {value: 1, unit: N/m^q}, q: 1}\nstates: {x: m}\nflow: {x: k*x^3/(1 N s)}\n" TAIL,
         "3:11", "is in m/s, but this is in m^2/s"}, /* a later exponent has its value */
        {"parameters: {k: {value: 1, unit: N/m^q}, q: 2*r, r: 1}\nstates: {x: m}\n", "1:17",
         "that is defined before"},
        {"states: {cantilever_A: m}\n", "1:10", "'cantilever_A' is a reserved name"},
        {"states: &a {x: m}\nflow: *a\n", "1:9", "anchors"},
        {"states: [x\n", "2:1", "not YAML"},
        {"", "1:1", "the file is empty"},
        {"states:\n  x: \"\xC3\xA9\xFF\"\n", "2:8", "not YAML: invalid leading UTF-8"},
        {HEAD FLOW "outputs: {a: {value: {}}}\n" TAIL, "4:10", "output 'a' does not have a value in any mode"},
        {HEAD FLOW "times: {a: {at: 1 s, count: [2]}}\n" TAIL, "4:29",
         "expected the number of occurrences, an integer"},
        {"parameters: {n: 3, T: 1 s}\nstates: {x: m}\nflow: {x: 0}\ntimes: {a: {at: n*T, then: {x: x}}}\n" TAIL,
         "4:17", "'n' in the time of an event counts its occurrences"},
        {HEAD FLOW "times: {a: {at: n*sqrt(m/k), count: 3x}}\n" TAIL, "4:37",
         "expected the number of occurrences, an integer"},
        {HEAD FLOW "until: {a: {falls: x, ends: yes}}\n" TAIL, "4:29", "'ends' must be true or false"},
        {HEAD FLOW TAIL "contact: {contact: [motion], free: motion}\n", "5:20",
         "'contact' must be the name of a mode"},
        {HEAD FLOW TAIL "contact: {contact: motion, free: motion, rigid: [true]}\n", "5:49",
         "'rigid' must be true or false"},
        {HEAD FLOW TAIL "contact: {contact: motion, free: motion, rigid: true}\n", "5:10", "needs 'gap'"},
        {HEAD FLOW TAIL "contact: {contact: motion, free: motion, restitution: ee}\n", "5:55",
         "did you mean 'e'?"},
        {HEAD FLOW TAIL "contact: {contact: motion, free: motion, derived: [x, y]}\n", "5:55",
         "the name of a state"},
        {HEAD FLOW TAIL "contact: {contact: motion, free: motion, carried: [x]}\n", "5:51",
         "a position and its velocity"},
        {HEAD FLOW TAIL "trials: [{preset: defaults}]\n", "5:10", "preset 'defaults' does not exist"},
        {HEAD FLOW TAIL "draws: {k: [[1], 2]}\n", "5:12", "expected a range"},
        {HEAD FLOW TAIL "draws: {kk: [1, 2]}\n", "5:9", "did you mean 'k'?"},
    };
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        CU_ASSERT(ic_tests_refused(rows[i].text, rows[i].place, rows[i].says));
    }
}

/* ---- without memory: what our own code asks for; libraries have tools/check-resources.sh */

enum { MOST_FILE = 1 << 16, MOST_FAILURES = 20000 };

/* `bytes` with room for MOST_FILE. */
static size_t load_file(const char *folder, const char *name, char *bytes)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    const size_t size = file == NULL ? 0 : fread(bytes, 1, MOST_FILE, file);
    if (file != NULL) fclose(file);
    return size;
}

/* What is wrong with a reading in which one allocation failed; NULL: nothing. */
static const char *judge_lack(bool accepted, const ic_allocations *used, const ic_error *error)
{
    if (used->left > 0) return "memory is left";
    if (used->failed && accepted) return "the case is accepted";
    if (!accepted && strstr(error->text, "memory") == NULL) return "the message does not speak of memory";
    return NULL;
}

static void read_without_memory(const char *name, const char *bytes, size_t size)
{
    ic_allocations used = {.failed = true};
    size_t i = 0;
    /* all of the first; later ones are alike */
    for (; i < MOST_FAILURES && used.failed; i += 1 + i / 32) {
        ic_error error = {""};
        ic_allocations_begin(i);
        ic_casefile *c = ic_casefile_read(name, bytes, size, NULL, 0, &error);
        const bool accepted = c != NULL;
        ic_casefile_free(c);
        used = ic_allocations_end();
        const char *wrong = judge_lack(accepted, &used, &error);
        IC_EXPECT(wrong == NULL, "%s, without memory in call %zu: %s: '%s'", name, i, wrong, error.text);
    }
    CU_ASSERT(i > 8); /* some did fail */
}

IC_TEST(test_allocations_fail)
{
    static const char folder[] = IC_TEST_SOURCE_DIR "/examples/machines";
    char *bytes = malloc(MOST_FILE);
    CU_ASSERT_FATAL(bytes != NULL);
    DIR *files = opendir(folder);
    CU_ASSERT_FATAL(files != NULL);
    if (files == NULL) {
        free(bytes);
        return;
    }
    for (const struct dirent *e = readdir(files); e != NULL; e = readdir(files)) {
        if (ic_casefile_path(e->d_name) == 0) continue;
        read_without_memory(e->d_name, bytes, load_file(folder, e->d_name, bytes));
    }
    closedir(files);
    free(bytes);
    /* planted: what must not happen */
    const ic_error memory = {"a.yaml: memory ran out"}, other = {"a.yaml:1:1: unknown name"};
    CU_ASSERT_PTR_NULL(judge_lack(false, &(ic_allocations){.failed = true}, &memory));
    CU_ASSERT_PTR_NOT_NULL(judge_lack(false, &(ic_allocations){.failed = true}, &other));
    CU_ASSERT_PTR_NOT_NULL(judge_lack(false, &(ic_allocations){.failed = true, .left = 1}, &memory));
}

/* ---- units */

IC_TEST(test_units)
{
    static const struct {
        const char *text;
        double factor;
        const char *si;
    } rows[] = {
        {"N s/m", 1, "kg/s"},        {"kg m^2", 1, "kg m^2"}, {"mm", 1e-3, "m"},       {"1/m", 1, "1/m"},
        {"N/m^(3/2)", 1, "N/m^1.5"}, {"rad/s", 1, "1/s"},     {"GPa", 1e9, "Pa"},      {"1", 1, "1"},
        {"J/kg", 1, "m^2/s^2"},      {"N*m", 1, "J"},         {"km/h", 1 / 3.6, "m/s"}};
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        ic_unit unit;
        ic_error error;
        size_t offset = 0;
        char text[IC_DIMENSION_TEXT];
        const bool read = ic_unit_read(&unit, rows[i].text, NULL, NULL, &offset, &error);
        CU_ASSERT_FATAL(read);
        const char *si = ic_dimension_text(text, &unit.dimension);
        IC_EXPECT(strcmp(si, rows[i].si) == 0, "%s: %s instead of %s", rows[i].text, si, rows[i].si);
        CU_ASSERT(fabs(unit.factor / rows[i].factor - 1) < 1e-15);
    }
}

/* A value with a unit, in SI units: no digit is lost, and none is invented. */
IC_TEST(test_units_are_exact)
{
    static const struct {
        const char *value, *unit, *wanted;
    } rows[] = {
        {"20", "mm", "0.02"},
        {"-0.1", "mm", "-0.0001"},
        {"2.50", "GPa", "2.5e9"},
        {"5e3", "um", "0.005"},
        {"0", "mm", "0"},
        {"123456789", "km", "1.23456789e11"},
        {"60", "cycle/s", "60*2*pi"},
        {"1500", "rpm", "1500*pi/30"},
        {"90", "deg", "90*pi/180"},
        {"60", "l/min", "60/60000"},
        {"3.6", "m^3/h", "3.6/3600"},
        {"6", "km/h", "6*5/18"},
        {"1", "km/h", "5/18"},
        {"2", "ft", "2*0.3048"},
        {"1", "lb", "0.45359237"},
        {"1", "lbf", "4.4482216152605"},
        {"1", "psi", "8.896443230521e12/1.29032e9"},
        {"1", "nm/h^2", "1/1.296e16"},
        {"2", "kN/mm^1.5", "2*sqrt(1e15)"},
        {"1", "cm^(1/3)", "cbrt(0.01)"},
        {"1", "s/rpm", "30/pi"},
        {"1", "rpm^2", "pi^2/900"},
        {"a + b", "km/h", "(a + b)*5/18"},
        {"80pi", "ms", "80pi*0.001"},
        {"1", "mm m/km", "1e-6"},
    };
    ic_arena arena = {0};
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        ic_unit unit;
        ic_error error = {""};
        size_t offset = 0;
        const bool read = ic_unit_read(&unit, rows[i].unit, NULL, NULL, &offset, &error);
        CU_ASSERT_FATAL(read);
        const char *text = ic_unit_convert(&arena, rows[i].value, &unit, rows[i].unit, &error);
        IC_EXPECT(text != NULL && strcmp(text, rows[i].wanted) == 0, "%s %s: '%s' instead of '%s'",
                  rows[i].value, rows[i].unit, text == NULL ? error.text : text, rows[i].wanted);
    }
    ic_arena_free(&arena);
    /* numbers that stand for nothing simple: no factor is made up for them */
    static const double odd[] = {
        1.2345678901234567, 2.7182818284590452, 9.123456789012345e-31, 0, -1, INFINITY};
    for (size_t i = 0; i < IC_COUNT(odd); i++) {
        ic_factor factor;
        CU_ASSERT_FALSE(ic_factor_find(&factor, odd[i]));
    }
    /* a double beside a simple number is another number */
    ic_factor beside;
    CU_ASSERT_FALSE(ic_factor_find(&beside, 0.001 * (1 + 1e-13)));
}

/* A variant with definitions of its own has the typical time that follows from them, the others that of the file. */
IC_TEST(test_time_scale_of_variants)
{
    static const char text[] =
        "definitions: {T: 2 s}\n"
        "states: {x: {unit: m, scale: 1 m}}\n"
        "flow: {x: 1 m/s}\n"
        "time_scale: 3*T\n"
        "variants: {plain: {meaning: a}, slow: {definitions: {T: 7 s}}, last: {like: plain}}\n"
        "presets: {default: {until: 1 s}}\n";
    static const struct {
        const char *variant;
        double time_scale;
    } rows[] = {{"plain", 6}, {"slow", 21}, {"last", 6}};
    IC_OWN(ic_casefile) *c = ic_tests_read(text);
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        const ic_request request = {.variant = rows[i].variant};
        IC_OWN(ic_setup) setup = ic_tests_setup_of(c, &request);
        CU_ASSERT_EQUAL(ic_time_scale(&setup.problem), rows[i].time_scale);
    }
}

/* What a variant removes of the variant that it is like is removed from the file as well. */
IC_TEST(test_removed_from_a_likeness)
{
    static const char text[] =
        "states: {x: m}\n"
        "flow: {x: 1 m/s}\n"
        "until: {ev: {rises: x - (1 m), then: {x: 0}}, other: {rises: x - (3 m)}}\n"
        "variants: {A: {until: {ev: {rises: x - (2 m), then: {x: 0}}}}, B: {like: A, until: {ev: none}}}\n"
        "presets: {default: {variant: B, until: 5 s}}\n";
    IC_OWN(ic_casefile) *c = ic_tests_read(text);
    const ic_variant *variants = ic_casefile_case(c)->variants;
    CU_ASSERT_EQUAL(variants[0].modes[0].n_guards, 2);
    CU_ASSERT_EQUAL(variants[1].modes[0].n_guards, 1);
    CU_ASSERT_STRING_EQUAL(variants[1].modes[0].guards[0].name, "other");
}

/* So is what a new mode of a variant removes of the mode that it is like. */
IC_TEST(test_removed_from_a_like_mode)
{
    static const char text[] =
        "states: {x: m}\n"
        "variants: {A: {modes: {one: {flow: {x: 1 m/s}, until: {ev: {rises: x - (2 m), then: {mode: two}}}},\n"
        "                       two: {like: one, until: {ev: none}}}}}\n"
        "presets: {default: {variant: A, until: 5 s}}\n";
    IC_OWN(ic_casefile) *c = ic_tests_read(text);
    const ic_variant *variant = &ic_casefile_case(c)->variants[0];
    CU_ASSERT_EQUAL(variant->modes[0].n_guards, 1);
    CU_ASSERT_EQUAL(variant->modes[1].n_guards, 0);
}

/* Units with a factor, wherever a number stands. */
IC_TEST(test_units_everywhere)
{
    static const char text[] =
        "parameters: {A: 20 mm, w: 60 cycle/s, T: {value: 2, unit: min}, r: 1 m, d: {value: 2*r, unit: mm}, e: {value: 2, meaning: no unit}}\n"
        "states: {x: {unit: m, start: 20 mm, scale: 5 cm}, y: {unit: m, start: r - (1 mm)}, z: \"1\"}\n"
        "flow: {x: (36 km/h), y: -(2 mm/s), z: w + (30 rpm) + (e deg/s)}\n"
        "outputs: {o: x - (1 mm)}\n"
        "presets: {default: {set: {A: 6 mm, w: 30 rpm}, until: 12 h}}\n"
        "draws: {A: [1 mm, 5 mm]}\n"
        "time_scale: 20 ms\n";
    IC_OWN(ic_casefile) *c = ic_tests_read(text);
    const ic_case *system = ic_casefile_case(c);
    CU_ASSERT_STRING_EQUAL(system->parameters[0].value, "0.02");
    CU_ASSERT_STRING_EQUAL(system->parameters[1].value, "60*2*pi");
    CU_ASSERT_STRING_EQUAL(system->parameters[2].value, "2*60");
    /* has a unit: that of the SI is shown */
    CU_ASSERT_STRING_EQUAL(system->parameters[4].value, "2*r");
    CU_ASSERT_STRING_EQUAL(system->parameters[4].unit, "m");
    CU_ASSERT_STRING_EQUAL(system->presets[0].settings, "A=0.006, w=30*pi/30");
    CU_ASSERT_STRING_EQUAL(system->presets[0].until, "43200");
    CU_ASSERT_STRING_EQUAL(system->states[0].scale, "0.05");
    CU_ASSERT_STRING_EQUAL(system->time_scale, "0.02");
    CU_ASSERT(system->draws[0].from == 0.001 && system->draws[0].to == 0.005);
    IC_OWN(ic_setup) setup = ic_tests_setup_of(c, NULL);
    const double pi = 3.14159265358979323846, *par = setup.problem.par;
    double x[IC_MAX_STATES], rate[IC_MAX_STATES];
    setup.problem.variant->start.apply(x, 0, NULL, par);
    CU_ASSERT(x[0] == 0.02 && x[1] == 1 - 0.001);
    setup.problem.variant->modes[0].flow(rate, 0, x, par);
    CU_ASSERT_DOUBLE_EQUAL(rate[0], 10, 1e-14);
    CU_ASSERT(rate[1] == -0.002);
    CU_ASSERT_DOUBLE_EQUAL(rate[2], pi + pi + pi / 90, 1e-14);
    CU_ASSERT(system->outputs[0].value(0, x, 0, par) == 0.02 - 0.001);
}

/*
 * A body at rest that is hit has no magnitude at the first instant of the contact: the typical time
 * is that of the impact.
 */
IC_TEST(test_typical_time)
{
    static const char text[] =
        "parameters: {m: 0.067 kg, K: 9e9 N/m^1.5, v0: 0.5 m/s, gap: 5 mm}\n"
        "states: {x1: {unit: m, start: -gap}, v1: {unit: m/s, start: v0}, x2: m, v2: m/s}\n"
        "flow: {x1: v1, x2: v2, v1: 0, v2: 0}\n"
        "elements: {c: {contact: {indentation: x1 - x2, law: hertz, pushes: {v1: -1/m, v2: 1/m}}}}\n"
        "presets: {default: {until: 0.05 s}}\n";
    /* Hertz: some 80 us */
    const double impact = 2.94 * pow(5 * 0.067 / 2 / (4 * 9e9), 0.4) / pow(0.5, 0.2);
    double scale = 0;
    IC_OWN(ic_casefile) *c = ic_tests_read(text);
    scale = strtod(ic_casefile_case(c)->time_scale, NULL);
    IC_EXPECT(scale > impact / 4 && scale < 20 * impact, "%g s, impact %g s", scale, impact);
}

/* A body that moves after a time event only has the scale of that motion. */
IC_TEST(test_scale_after_a_time_event)
{
    static const char text[] = "states: {x: m, v: m/s}\nflow: {x: v, v: -(3 m/s^2)*sign(v)}\n"
                               "times: {k: {at: n*(1 s), count: 4, then: {v: v + (20 m/s)}}}\n"
                               "presets: {default: {until: 4.5 s}}\n";
    IC_OWN(ic_casefile) *c = ic_tests_read(text);
    const double scale = strtod(ic_casefile_case(c)->states[1].scale, NULL);
    CU_ASSERT(scale >= 10 && scale <= 1000);
}
