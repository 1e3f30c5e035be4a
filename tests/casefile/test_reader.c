/* SPDX-License-Identifier: MIT */
/*
 * A case file means what it says: nothing that it says is ignored, taken for something else, or
 * read in another order.
 */
#include "casefile/casefile.h"
#include "casefile/subject.h"
#include "core/model.h"
#include "tests/machine.h"

IC_SUITE(light, "what case files say")

#define BALL "states: {x: {unit: m, start: 1 m}, v: m/s}\nflow: {x: v, v: -10 m/s^2}\n"
#define TAIL "presets: {default: {until: 1 s}}\n"
#define MOVING "parameters: {m: 1 kg, mu: 0.4, e: 0.5}\n" BALL

/* ---- texts that are refused */

typedef struct refusal {
    const char *text, *place, *says;
} refusal;

static void expect_refusals(const refusal *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) CU_ASSERT(ic_tests_refused(rows[i].text, rows[i].place, rows[i].says));
}

/* ---- texts that are run */

/* `preset`: NULL: the first */
static void run_preset(ic_machine *o, const char *text, const char *preset)
{
    *o = ic_tests_open(text, &(ic_request){.path = preset});
    o->log = ic_log_new(&o->setup.problem);
    o->status = ic_run(o->log, ic_solver_find("dop853"), NULL);
}

/* Output number k at the end of the run. */
static double output_at_end(const ic_machine *o, size_t k)
{
    const ic_sample end = ic_log_end(o->log);
    return o->setup.problem.system->outputs[k].value(end.t, end.x, end.mode, o->setup.problem.par);
}

static void expect(double value, double expected)
{
    IC_EXPECT(fabs(value - expected) < 1e-9, "%.15g instead of %.15g", value, expected);
}

/* ---- variants */

IC_TEST(test_variant_without_an_element)
{
    static const char text[] = BALL
        "elements: {table: {stop: {gap: x}}, soil: {contact: {indentation: -x - (9 m), pushes: {v: 1/(1 kg)}}}}\n"
        "variants: {with: {}, without: {elements: {table: none, soil: none}}, again: {}}\n"
        "presets: {without: {variant: without, until: 1 s}, with: {variant: with, until: 1 s},\n"
        "          again: {variant: again, until: 1 s}}\n";
    static const struct {
        const char *preset;
        double x;
    } rows[] = {{"without", -4}, {"with", 0}, {"again", 0}};
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        IC_OWN(ic_machine) o;
        run_preset(&o, text, rows[i].preset);
        CU_ASSERT_EQUAL(o.status, IC_OK);
        expect(ic_log_end(o.log).x[0], rows[i].x);
    }
    static const refusal rows_refused[] = {{BALL
                                            "elements: {table: {stop: {gap: x}}}\noutputs: {f: table.force}\n"
                                            "variants: {with: {}, without: {elements: none}}\n" TAIL,
                                            "4:14", "'table.force' is not known here"}};
    expect_refusals(rows_refused, IC_COUNT(rows_refused));
}

IC_TEST(test_outputs_of_variants_by_name)
{
    static const char text[] =
        BALL "outputs: {a: x, b: v}\n"
             "variants: {one: {}, two: {outputs: {b: 2*v, a: x}}, three: {outputs: {a: none}}}\n"
             "presets: {one: {variant: one, until: 1 s}, two: {variant: two, until: 1 s},\n"
             "          three: {variant: three, until: 1 s}}\n";
    static const struct {
        const char *preset;
        double a, b;
    } rows[] = {{"one", -4, -10}, {"two", -4, -20}, {"three", NAN, -10}};
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        IC_OWN(ic_machine) o;
        run_preset(&o, text, rows[i].preset);
        CU_ASSERT_STRING_EQUAL(o.setup.problem.system->outputs[0].name, "a");
        if (isnan(rows[i].a)) CU_ASSERT(isnan(output_at_end(&o, 0)));
        if (!isnan(rows[i].a)) expect(output_at_end(&o, 0), rows[i].a);
        expect(output_at_end(&o, 1), rows[i].b);
    }
    static const refusal rows_refused[] = {
        {BALL "outputs: {a: x, b: v}\nvariants: {one: {}, two: {outputs: {c: x + x}}}\n" TAIL, "4:37",
         "'c' is not an output of the file"}};
    expect_refusals(rows_refused, IC_COUNT(rows_refused));
}

/* ---- modes and events */

#define TWO_MODES(events) "states: {x: {unit: m, start: 1 m}}\nflow: {x: -1 m/s}\n" events TAIL

IC_TEST(test_ends)
{
    static const refusal rows[] = {
        {TWO_MODES("modes: {a: {until: {hit: {falls: x, ends: true, then: {mode: b}}}}, b: {}}\n"), "3:62",
         "the event ends the run: 'mode' or 'ends', not both"},
        {TWO_MODES("modes: {a: {until: {b: {falls: x, ends: true}}}, b: {}}\n"), "3:21", "the name of a mode"},
        {TWO_MODES("modes: {a: {until: {a: {falls: x, ends: true}}}}\n"), "3:21", "the name of a mode"},
        {TWO_MODES("until: {motion: {falls: x, ends: true}}\n"), "3:9", "the name of a mode"},
        /* a mode of another variant: their numbers are the same */
        {TWO_MODES(
             "modes: {a: {until: {c: {falls: x, ends: true}}}}\n"
             "variants: {one: {}, two: {modes: {a: {until: {c: {ends: false, then: {mode: c}}}}, c: {}}}}\n"),
         "3:21", "the name of a mode"}};
    expect_refusals(rows, IC_COUNT(rows));
}

/* The guard number and the side that the first branch of event `floor` of mode a departs from. */
IC_TEST(test_departures_among_families)
{
    static const char text[] =
        "parameters: {N: 3}\n"
        "states: {x: {unit: m, start: 1 m}, v: m/s}\n"
        "flow: {x: v, v: -10 m/s^2}\n"
        "until: {shared: {falls: v + (1 m/s)}}\n"
        "modes:\n"
        "  a:\n"
        "    until:\n"
        "      for i in 1..N:\n"
        "        \"level [i]\": {falls: x - i*(10 m), then: {departs: {\"level [i]\": [1, -1]}}}\n"
        "      floor: {falls: x, then: {mode: a, departs: {floor: [1, +1], shared: [2, -1]}}}\n" TAIL;
    IC_OWN(ic_machine) o;
    run_preset(&o, text, NULL);
    const ic_mode *mode = &ic_casefile_case(o.file)->variants[0].modes[0];
    CU_ASSERT_EQUAL(mode->n_guards, 5);
    CU_ASSERT_STRING_EQUAL(mode->guards[3].name, "floor");
    for (int i = 0; i < 4; i++) CU_ASSERT_EQUAL(mode->guards[i].jump.branches[0].departures[0].guard, i);
    CU_ASSERT_EQUAL(mode->guards[3].jump.branches[0].n_departures, 2);
    CU_ASSERT_EQUAL(mode->guards[3].jump.branches[0].departures[1].guard, 4);
    static const refusal rows[] = {
        {TWO_MODES("modes: {a: {until: {hit: {falls: x, then: {mode: a, departs: {hat: [1, 1]}}}}}}\n"), "3:63",
         "mode 'a' has no guard 'hat'"},
        {TWO_MODES("until: {hit: {falls: x, then: {x: 1 m, departs: {hat: [1, 1]}}}}\n"), "3:50",
         "mode 'motion' has no guard 'hat'"},
        {TWO_MODES("until: {hit: {falls: x}}\ntimes: {a: {at: 1 s, then: {departs: {hit: [1, 1]}}}}\n"), "4:38",
         "'departs' lists guards of the next mode"}};
    expect_refusals(rows, IC_COUNT(rows));
}

/* A mode's own event takes the place of the file's event of its name. */
IC_TEST(test_own_event_of_a_mode)
{
    static const char text[] =
        TWO_MODES("until: {hit: {falls: x, then: {x: 0.25 m}}, half: {falls: x - (0.5 m)}}\n"
                  "modes:\n"
                  "  a: {flow: {x: -4 m/s}, until: {hit: {falls: x, then: {mode: b, x: 1 m}}}}\n"
                  "  b: {flow: {x: -1.6 m/s}}\n");
    IC_OWN(ic_machine) o;
    run_preset(&o, text, NULL);
    CU_ASSERT_EQUAL(ic_log_event_count(o.log), 4);
    expect(ic_log_event_at(o.log, 3).t, 0.875);
    expect(ic_log_end(o.log).x[0], 0.05);
}

/* ---- formulas */

IC_TEST(test_conditions)
{
    static const struct {
        const char *condition;
        bool holds;
    } rows[] = {{"yes > 0 or yes > 0 and no > 0", true},
                {"yes > 0 and no > 0 or yes > 0", true},
                {"(yes > 0 or yes > 0) and no > 0", false},
                {"no > 0 or (yes > 0 and no > 0 or yes > 0) and yes > 0", true},
                {"((yes) > 0)", true},
                {"(yes + no) > -1 and ((yes - no)*2 > 3)", true},
                {"(where(no > 0, 1, 2)) < yes", false}};
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "parameters: {yes: 1, no: -1}\nstates: {x: m}\nflow: {x: \"where(%s, 1, 0)*(1 m/s)\"}\n" TAIL,
                 rows[i].condition);
        IC_OWN(ic_machine) o;
        run_preset(&o, text, NULL);
        expect(ic_log_end(o.log).x[0], rows[i].holds ? 1 : 0);
    }
    static const refusal rows_refused[] = {
        {BALL "until: {a: {falls: x, if: (x)}}\n" TAIL, "3:29", "expected a comparison"},
        {BALL "until: {a: {falls: x, if: (t > (0 s) and (x > (1 m))}}\n" TAIL, "3:30", "expected ')'"},
        {BALL "elements:\n  f: {friction: {slip: v, normal: 1 N, kinetic: 0.5, pushes: {v: 1/(1 kg)}}}\n"
              "  g: {friction: {slip: v, normal: 2 N, kinetic: 0.5, pushes: {v: 1/(1 kg)}}}\n" TAIL,
         "5:17", "'g' has the same slip as 'f', so that their forces cannot be distinguished"}};
    expect_refusals(rows_refused, IC_COUNT(rows_refused));
}

/*
 * Comparisons of indices with sizes select alternatives of members; those that are excluded may name members that
 * do not exist, and the machine remains affine.
 */
IC_TEST(test_comparisons_of_indices)
{
    static const char chain[] =
        "parameters: {N: 4, M: 1}\ndefinitions: {for i in 1..N: {'f[i]': \"%s\"}}\n"
        "states: {for i in 1..N: {'u[i]': {unit: m, start: i*(1 m)}}}\n"
        "flow: {for i in 1..N: {'u[i]': 'f[i]/(1 s)'}}\npresets: {p: {until: 1e-9 s}}\n";
    static const struct {
        const char *formula;
        double rate[4];
    } rows[] = {{"where(i = 1, 0, where(i = N, 0, u[i+1] + u[i-1]))", {0, 4, 6, 0}},
                {"where(i > 1 and i < N, u[i+1] + u[i-1], u[i])", {1, 4, 6, 4}},
                {"where(i <= 1 or i >= N, u[i], u[i+1] + u[i-1])", {1, 4, 6, 4}},
                {"where(M > 0 and i = N, u[i-1], 0)", {0, 0, 0, 3}},
                {"where(2*i = N, 0, where(i + 1 > N, u[1], u[i+1]))", {2, 0, 4, 1}}};
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        char text[512];
        double rate[4];
        snprintf(text, sizeof text, chain, rows[i].formula);
        IC_OWN(ic_machine) o;
        run_preset(&o, text, NULL);
        const ic_mode *mode = &o.setup.problem.variant->modes[0];
        mode->flow(rate, 0, (const double[]){1, 2, 3, 4}, o.setup.problem.par);
        for (int k = 0; k < 4; k++) expect(rate[k], rows[i].rate[k]);
        /* planted: a choice by a parameter is none by a size */
        CU_ASSERT_EQUAL(mode->linear != NULL, strchr(rows[i].formula, 'M') == NULL);
    }
    /* planted: an alternative that is taken names its member; what is not known in the case is no selection */
    static const refusal refused[] = {
        {"parameters: {N: 4}\nstates: {for i in 1..N: {'u[i]': m}}\n"
         "flow: {for i in 1..N: {'u[i]': 'where(i > N, 0, u[i+1])/(1 s)'}}\n" TAIL,
         "3:49", "i+1 = 5 is beyond 1..4"},
        {"parameters: {N: 4, M: 4}\nstates: {for i in 1..N: {'u[i]': m}}\n"
         "flow: {for i in 1..N: {'u[i]': 'where(i = M, 0, u[i+1])/(1 s)'}}\n" TAIL,
         "3:49", "i+1 = 5 is beyond 1..4"}};
    expect_refusals(refused, IC_COUNT(refused));
}

/* ---- units */

IC_TEST(test_units_of_formulas)
{
    static const refusal rows[] = {
        {"parameters: {k: 10 N/m}\ndefinitions: {F1: k*x, F2: 0, F3: x}\nstates: {x: m}\n"
         "flow: {x: 0}\noutputs: {F: \"sum(i in 1..3, F[i])\"}\n" TAIL,
         "5:29", "a sum of N and m"},
        {BALL "outputs: {f: {value: x, unit: N}}\n" TAIL, "3:22", "the output 'f' is in N, but this is in m"},
        {BALL "outputs: {f: {value: x, unit: 1}}\n" TAIL, "3:22", "the output 'f' is in 1, but this is in m"},
        {BALL "outputs: {f: {value: x, unit: mm}}\n" TAIL, "3:31", "'mm' is not an SI unit"},
        {BALL "outputs: {f: x}\nvariants: {a: {}, b: {outputs: {f: v}}}\n" TAIL, "4:36",
         "the output 'f' is in m, but this is in m/s"}};
    expect_refusals(rows, IC_COUNT(rows));
    static const char text[] =
        "parameters: {a: 2 J/kg, n: 2}\n" BALL
        "outputs: {f: {value: a + v^2, unit: J/kg}, g: {value: x^2, unit: m^n}, h: {value: 0, unit: N}}\n" TAIL;
    IC_OWN(ic_machine) o;
    run_preset(&o, text, NULL);
    CU_ASSERT_EQUAL(o.status, IC_OK);
}

/* What a force is in follows from what it pushes. */
IC_TEST(test_units_of_forces)
{
#define MASS                                                                                                   \
    "parameters: {m: 1 kg, N: 5 m}\nstates: {x: m, v: m/s}\nflow: {x: v}\nmass: {of: [v], matrix: [[m]], force: [0]}\n"
    static const refusal rows[] = {
        {MASS "elements: {fr: {friction: {slip: v, normal: N, kinetic: 0.1}}}\n" TAIL, "5:45",
         "units differ: 'normal' is in m, but 'fr' pushes with a force in N"},
        {MASS "elements: {table: {stop: {gap: x}}}\noutputs: {f: table.force + x}\n" TAIL, "6:28",
         "a sum of N and m"}};
    expect_refusals(rows, IC_COUNT(rows));
#undef MASS
    static const struct {
        const char *text, *unit;
    } forces[] = {{"parameters: {L: 2 m, a: 3 1/s^2}\nstates: {x: rad, w: rad/s}\nflow: {x: w, w: -a}\n"
                   "elements: {table: {stop: {gap: L*x}}}\n",
                   "1/m/s^2"},
                  {"parameters: {L: 2 m, J: 3 kg m^2}\nstates: {x: rad, w: rad/s}\nflow: {x: w}\n"
                   "mass: {of: [w], matrix: [[J]], force: [-1 N m]}\nelements: {table: {stop: {gap: L*x}}}\n",
                   "N"},
                  {BALL "elements: {table: {stop: {gap: x, pushes: {v: 1/(1 kg)}}}}\n", "N"}};
    for (size_t i = 0; i < IC_COUNT(forces); i++) {
        char text[512];
        snprintf(text, sizeof text, "%soutputs: {f: table.force}\n" TAIL, forces[i].text);
        IC_OWN(ic_machine) o;
        run_preset(&o, text, NULL);
        CU_ASSERT_STRING_EQUAL(o.setup.problem.system->outputs[0].unit, forces[i].unit);
    }
}

/* ---- names and values */

IC_TEST(test_names_of_definitions)
{
    static const refusal rows[] = {
        {"parameters: {k: 5 m}\ndefinitions: {k: 7 m}\n" BALL TAIL, "2:15", "'k' is already a parameter"},
        {"definitions: {x: 7 m}\n" BALL TAIL, "1:15", "'x' is already a state"},
        {"definitions: {sin: 7 m}\n" BALL TAIL, "1:15", "'sin' is a reserved name"},
        {TWO_MODES("modes: {a: {definitions: {x: 7 m}}}\n"), "3:27", "'x' is already a state"}};
    expect_refusals(rows, IC_COUNT(rows));
}

IC_TEST(test_values_of_discrete_states)
{
#define SIDE(values, start, then)                                                                              \
    BALL "discrete: {side: {values: " values ", start: " start "}}\n"                                          \
         "parameters: {p: 7}\ntimes: {a: {at: 0.5 s, then: {side: " then "}}}\n" TAIL
    static const refusal rows[] = {
        {SIDE("[-1, 1]", "5", "1"), "3:43", "5 is not one of the values of 'side', which line 3 lists"},
        {SIDE("[-1, 1]", "-1", "77"), "5:37", "77 is not one of the values of 'side'"},
        {SIDE("[1, 2]", "1", "-1"), "5:37", "-1 is not one of the values of 'side'"},
        {SIDE("2", "1", "1"), "3:27", "expected numbers"},
        {SIDE("[p, 1]", "1", "1"), "3:27", "expected numbers"}};
    expect_refusals(rows, IC_COUNT(rows));
    IC_OWN(ic_machine) o;
    run_preset(&o, SIDE("[-1, 1.5]", "-1", "p"), NULL);
    CU_ASSERT_EQUAL(ic_log_end(o.log).x[2], 7);
#undef SIDE
}

/* ---- equations */

IC_TEST(test_mass_matrix)
{
#define MASS(rows)                                                                                             \
    "parameters: {m: 1 kg, J: 1 kg m^2}\nstates: {q: rad, p: rad, w: rad/s, u: rad/s}\n"                       \
    "flow: {q: w, p: u}\nmass: {of: [w, u], matrix: [" rows "], force: [0, 0]}\n" TAIL
    static const refusal rows[] = {
        {"states: {x: m}\ndiscrete: {v: {unit: m/s}}\nparameters: {m: 1 kg}\nflow: {x: v}\n"
         "mass: {of: [v], matrix: [[m]], force: [3 N]}\n" TAIL,
         "5:13", "'v' is discrete"},
        {MASS("[J, 0.5*J], [0, J]"), "4:41", "a mass matrix must be symmetric: column 1 of row 2"},
        {MASS("[J, J*cos(q)/2], [J*cos(p)/2, J]"), "4:46", "a mass matrix must be symmetric"},
        {MASS("[J, 0], [0, -J]"), "4:37", "the diagonal of a mass matrix must be positive, but row 2 is not"},
        {MASS("[0, 0], [0, J]"), "4:29", "the diagonal of a mass matrix must be positive, but row 1 is not"}};
    expect_refusals(rows, IC_COUNT(rows));
    IC_OWN(ic_machine) o;
    run_preset(&o, MASS("[J, J*cos(q - p)/2], [cos(p - q)*J/2, J]"), NULL);
    CU_ASSERT_EQUAL(o.status, IC_OK);
#undef MASS
}

/* ---- texts */

IC_TEST(test_brackets_in_names)
{
    static const char text[] =
        BALL "until: {\"tank (left) full\": {falls: x}}\ntimes: {\"a (b)\": {at: 0.1 s}}\n"
             "outputs: {\"p\": x}\n" TAIL;
    IC_OWN(ic_machine) o;
    run_preset(&o, text, NULL);
    CU_ASSERT_STRING_EQUAL(ic_log_event_at(o.log, 1).name, "tank (left) full");
    static const refusal rows[] = {
        {BALL "until: {a: {falls: x, then: {v: max(v, 0)}}}\n" TAIL, "3:40",
         "put a formula with a comma in quotes"},
        {BALL "until: {a: {falls: max(v, 0)}}\n" TAIL, "3:27", "a text with a comma needs quotes"}};
    expect_refusals(rows, IC_COUNT(rows));
}

IC_TEST(test_units_that_begin_with_one)
{
    IC_OWN(ic_machine) o;
    run_preset(&o, "states: {x: 1, y: m}\nflow: {x: 3 1/s, y: (2 1/s)*(1 m)}\n" TAIL, NULL);
    expect(ic_log_end(o.log).x[0], 3);
    expect(ic_log_end(o.log).x[1], 2);
    static const refusal rows[] = {
        {"states: {x: 1}\nflow: {x: 3 2/s}\n" TAIL, "2:13", "text follows"},
        {"states: {x: 1}\nflow: {x: 3 1/m}\n" TAIL, "2:11", "is in 1/s, but this is in 1/m"}};
    expect_refusals(rows, IC_COUNT(rows));
}

IC_TEST(test_settings)
{
#define SET(settings)                                                                                          \
    "parameters: {m: 2 m/s, k: 1 m/s}\nstates: {x: m}\nflow: {x: k}\n"                                         \
    "presets: {default: {until: 1 s, set: {" settings "}}}\n"
    static const struct {
        const char *text;
        double x;
    } rows[] = {{SET("k: \"max(3, 4)\""), 4},
                {SET("k: 2 * 3"), 6},
                {SET("k: 2*pi"), 2 * M_PI},
                {SET("k: 7 m/s, m: 1/4"), 7},
                {SET("k: \"max(0, 4)*(2 m/s)\""), 8}};
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        IC_OWN(ic_machine) o;
        run_preset(&o, rows[i].text, NULL);
        expect(ic_log_end(o.log).x[0], rows[i].x);
    }
    static const refusal refused[] = {{SET("k: 2*m"), "4:42", "a setting must be a number"},
                                      {SET("k: 1/(1 - 1)"), "4:44", "division by zero"}};
    expect_refusals(refused, IC_COUNT(refused));
#undef SET
}

/* ---- places of judgements */

IC_TEST(test_subjects)
{
    static const char file[] = "until: {hit: 1, full: 1}\n"
                               "modes: {a: {until: {hit: 1}, energy: 1}, \"b c\": {keeps: {up: 1}}}\n"
                               "elements: {table: 1}\n"
                               "variants: {one: {modes: {a: {until: {hit: 1}}}, start: 1}}\n"
                               "presets: {p: 1, pp: 1}\n"
                               "outputs: {o: 1}\nflow: {x: 1}\n";
    static const struct {
        const char *what;
        size_t line, column;
    } rows[] = {{"variant two, mode a, guard 'hit': its jump", 2, 21},
                {"variant one, mode a, table: 1, guard 'hit': its jump", 4, 38},
                {"variant one, mode b c, guard 'hit': its jump", 1, 9},
                {"variant one, mode a, guard 'full': its jump", 1, 17},
                {"variant one, mode a, guard 'table leaves': its jump", 3, 12},
                {"variant one, mode b c, invariant 'up': it", 2, 58},
                {"variant one, mode a: stored energy changes by", 2, 38},
                {"variant one, start: after it", 4, 56},
                {"variant one, mode a, output 'o': its text", 6, 11},
                {"variant one, mode a, rate of 'x': its text", 7, 8},
                {"preset pp: its parameters can be evaluated", 5, 17},
                {"variant one, mode a, guard 'kink_1': its jump", 0, 0}};
    ic_arena arena = {0};
    ic_file_place place;
    const ic_yaml *tree = ic_yaml_read(&arena, file, strlen(file), &place, NULL);
    CU_ASSERT_FATAL(tree != NULL);
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        place = ic_casefile_subject(tree, rows[i].what);
        IC_EXPECT(place.line == rows[i].line && place.column == rows[i].column, "%s: %zu:%zu", rows[i].what,
                  place.line, place.column);
    }
    ic_arena_free(&arena);
}

/* ---- nothing is ignored */

IC_TEST(test_nothing_is_ignored)
{
#define SOIL(law) BALL "elements: {soil: {contact: {indentation: -x, pushes: {v: 1/(1 kg)}, " law "}}}\n"
    static const refusal rows[] = {
        {"parameters: {k: {default: 2}}\n" BALL TAIL, "1:18", "unknown key 'default'"},
        {TWO_MODES("modes: {a: {keeps: {k: {zero: x, nonnegative: x}}}}\n"), "3:47",
         "an invariant may have 'zero' or 'nonnegative', not both"},
        {BALL "energy: {dissipated: x}\n" TAIL, "3:9", "expected 'stored'"},
        {BALL "until: {hit: {falls: x, departs: {nonsense: 5}, then: {v: -v/2}}}\n" TAIL, "3:34",
         "'departs' belongs in 'then'"},
        {BALL "elements: {table: {stop: {gap: x}}}\nuntil: {table: {falls: x - (0.5 m)}}\n" TAIL, "4:9",
         "'table' is already the name of an element's event"},
        {BALL "elements: {heater: {switch: {input: x, on: 18 m, off: 22 m}}}\n" TAIL, "3:44",
         "'on' is below 'off'"},
        {"parameters: {k: 1}\n" BALL "draws: {k: [1, 10, linear]}\n" TAIL, "4:12", "or [1, 1e6, log]"},
        {"parameters: {k: 1}\n" BALL "trials: [{preset: default, again: nonsense}]\n" TAIL, "4:35",
         "expected a setting of a parameter"},
        {"parameters: {k: 1}\n" BALL "trials: [{preset: default, again: k=2*k}]\n" TAIL, "4:35", "a setting"},
        {"parameters: {k: 1}\n" BALL "trials: [{preset: default, again: kk=2}]\n" TAIL, "4:35",
         "'kk' is not a parameter; did you mean 'k'?"},
        {SOIL("law: hertz, with: {k: 1e9 N/m^1.5}") TAIL, "3:88",
         "the law 'hertz' has no parameter 'k'; did you mean 'K'?"},
        {SOIL("laws: [hertz, flores], with: {K: 1e9 N/m^1.5, ee: 0.5}") TAIL, "3:115",
         "has no parameter 'ee'"}};
    expect_refusals(rows, IC_COUNT(rows));
    static const char text[] = SOIL(
        "laws: [hertz, flores], with: {K: 1e9 N/m^1.5, e: 0.5}") "energy: {stored: x^2}\n"
                                                                 "presets: {a: {variant: hertz, until: 0.1 s}}\ntrials: [{preset: a, again: K_=3}]\nparameters: {K_: 1}\n";
    IC_OWN(ic_machine) o;
    run_preset(&o, text, NULL);
    CU_ASSERT_EQUAL(o.status, IC_OK);
}

/* ---- what is wrong, and what would be right */

#define EVENT(event) BALL "until: {a: {" event "}}\n" TAIL
#define MEMBER(index)                                                                                          \
    "states: {for i in 1..6: {\"z[i]\": m}}\nflow: {for i in 1..6: {\"z[i]\": \"z[" index "]/(1 s)\"}}\n" TAIL

IC_TEST(test_messages_say_what_is_meant)
{
    static const refusal rows[] = {
        {"parameters: {m:250 g}\n" BALL TAIL, "1:14", "a space is missing after the colon: m: 250 g"},
        {"parameters:\n  m:250 g\n" BALL TAIL, "2:3", "a space is missing after the colon: m: 250 g"},
        {BALL "presets: {default: {until:1 s}}\n", "3:21", "a space is missing after the colon: until: 1 s"},
        {BALL "elements:\n  table:\n    stop:\n      gap:x\n" TAIL, "6:7",
         "a space is missing after the colon: gap: x"},
        {EVENT("falls: x*(1 + v*(2 s/m)"), "3:36", "expected ')'"},
        {EVENT("falls: x - (2 m"), "3:28", "expected ')'"},
        {EVENT("falls: x - (2 m*v"), "3:30", "expected ')'"},
        {EVENT("falls: x**2 - (1 m^2)"), "3:21", "'**' is not an operator: write ^"},
        {EVENT("falls: \"if(x > 0, x, v)\""), "3:21", "'if' is not a function: write where(condition, a, b)"},
        {EVENT("falls: x - 4mm"), "3:25", "a space is missing between number and unit: 4 mm"},
        {"parameters: {k: 2.5kN/m}\n" BALL TAIL, "1:20", "a space is missing between number and unit: 2.5 kN"},
        {EVENT("falls: x - 4furlongx"), "3:25", "unknown name 'furlongx'"},
        {EVENT("crosses: v > 0"), "3:24", "an event has no comparison: write v"},
        {EVENT("falls: x <= 2 m"), "3:22", "an event has no comparison: write x - (2 m)"},
        {EVENT("rises: 0 < x < (2 m)"), "3:22", "an event has no comparison: conditions belong in 'if'"},
        {BALL "definitions: {a: 2*F}\noutputs: {F: x*v}\n" TAIL, "3:20",
         "'F' is an output; formulas can use definitions"},
        {MEMBER("i + 2"), "2:33", "i + 2 = 7 is beyond 1..6, the indices of 'z'"},
        {MEMBER("0"), "2:33", "0 is beyond 1..6, the indices of 'z'"},
        {MOVING
         "elements: {s: {contact: {indentation: -x, with: {k: 1e9 N/m, c: 3 N/m}, pushes: {v: 1/m}}}}\n" TAIL,
         "4:25", "spring and dashpot of 's'; k is in N/m, c in N s/m"},
        {"parameters: {m: 1 kg, n: 3 kg}\n" BALL
         "elements: {s: {contact: {indentation: -x, law: flores, with: {K: 1e9 N/m^1.5}, pushes: {v: 1/m}}}}\n" TAIL,
         "4:25",
         "law parameter 'n' is taken from the parameter 'n', which is in kg and not in 1: give it by  with: {n: "
         "...}"}};
    expect_refusals(rows, IC_COUNT(rows));
    /* where() may compare, also in an event. */
    IC_OWN(ic_machine) o;
    run_preset(&o, EVENT("falls: \"where(t < (1 s), x, 2*x)\""), NULL);
    CU_ASSERT_EQUAL(o.status, IC_OK);
}

/* A parameter without a meaning has no empty brackets. */
IC_TEST(test_range_without_meaning)
{
    static const char text[] = "parameters: {e: {value: 1, range: 0..1}}\n" BALL TAIL;
    static const char *const settings[] = {"e=2"};
    const ic_request request = {.settings = settings, .n_settings = 1};
    ic_error error = {""};
    ic_setup setup;
    IC_OWN(ic_casefile) *c = ic_tests_read(text);
    CU_ASSERT_FALSE(ic_setup_open_case(&setup, ic_casefile_case(c), &request, &error));
    CU_ASSERT_STRING_EQUAL(error.text, "parameter 'e' = 2 is outside its range [0, 1]");
}

/* ---- elements contradict mechanics */

IC_TEST(test_unphysical_elements_are_refused)
{
    static const refusal rows[] = {
        {MOVING "elements: {table: {stop: {gap: x, restitution: 1.5}}}\n" TAIL, "4:48",
         "this requirement is not met: the restitution of 'table' is from 0 to 1"},
        {MOVING "elements: {table: {stop: {gap: x, restitution: -0.1}}}\n" TAIL, "4:48", "from 0 to 1"},
        {MOVING
         "elements: {f: {friction: {slip: v, normal: 1 N, kinetic: 0.4, static: 0.3, pushes: {v: 1/m}}}}\n" TAIL,
         "4:71", "this requirement is not met: static friction of 'f' is not below its kinetic friction"},
        {MOVING "elements: {d: {delay: {input: d, time: 1 s}}}\n" TAIL, "4:31",
         "the input of 'd' is 'd' itself, so that it never changes"},
        {MOVING "elements: {c: {delay: {input: d, time: 1 s}}, d: {delay: {input: c, time: 1 s}}}\n" TAIL,
         "4:66", "the input of 'd' is 'd' itself"},
        {MOVING "elements: {m: {stop: {gap: x}}}\n" TAIL, "4:12", "'m' is already a parameter"},
        {MOVING "elements: {soil: {contact: {indentation: x, pushes: {v: 1/m}}}}\n" TAIL, "4:53",
         "the force of 'soil' deepens the indentation: turn the signs of 'pushes' or 'indentation'"},
        {MOVING "elements: {soil: {contact: {indentation: -x, pushes: {v: -2/m}}}}\n" TAIL, "4:54",
         "the force of 'soil' deepens the indentation"},
        {MOVING "elements: {table: {stop: {gap: x, pushes: {v: -1/m}}}}\n" TAIL, "4:43",
         "the force of 'table' closes the gap: turn the signs of 'pushes' or 'gap'"},
        {MOVING "elements: {f: {friction: {slip: v, normal: 1 N, kinetic: 0.4, pushes: {v: -1/m}}}}\n" TAIL,
         "4:71", "the force of 'f' drives the slip: turn the signs of 'pushes' or 'slip'"}};
    expect_refusals(rows, IC_COUNT(rows));
    /* Each run checks values that follow from parameters. */
    static const struct {
        const char *element, *settings[1], *says;
    } runs[] = {
        {"f: {stop: {gap: x, restitution: e}}", {"e=1.5"}, "the restitution of 'f' is from 0 to 1"},
        {"f: {stop: {gap: x, restitution: e}}", {"e=-0.1"}, "the restitution of 'f' is from 0 to 1"},
        {"f: {stop: {gap: x, restitution: 3*e}}", {"m=2"}, "the restitution of 'f' is from 0 to 1"},
        {"f: {stop: {gap: x, restitution: e}}", {"e=1"}, NULL},
        {"f: {stop: {gap: x, restitution: e}}", {"e=0"}, NULL},
        {"f: {stop: {gap: x, restitution: e*exp(-v/(9 m/s))}}", {"e=2"}, NULL},
        {"f: {friction: {slip: v, normal: 1 N, kinetic: mu, static: mu/2, pushes: {v: 1/m}}}",
         {"m=2"},
         "static friction of 'f' is not below its kinetic friction"},
        {"f: {friction: {slip: v - e*(1 m/s), normal: 1 N, kinetic: mu/(1 + abs(v - e*(1 m/s))/(9 m/s)), "
         "static: 0.3, pushes: {v: 1/m}}}",
         {"mu=0.31"},
         "static friction of 'f' is not below its kinetic friction"},
        {"f: {friction: {slip: v, normal: 1 N, kinetic: mu/(1 + abs(v)/(9 m/s)), static: 0.4, pushes: {v: 1/m}}}",
         {"mu=0.4"},
         NULL},
        {"f: {contact: {indentation: -x, pushes: {v: x/m/(1 m)}}}", {"m=2"}, NULL}};
    for (size_t i = 0; i < IC_COUNT(runs); i++) {
        char text[512];
        ic_error error = {""};
        ic_setup setup;
        snprintf(text, sizeof text, MOVING "elements: {%s}\n" TAIL, runs[i].element);
        IC_OWN(ic_casefile) *c = ic_tests_read(text);
        const ic_request request = {.settings = runs[i].settings, .n_settings = 1};
        const bool opened = ic_setup_open_case(&setup, ic_casefile_case(c), &request, &error);
        IC_EXPECT(runs[i].says == NULL ? opened : !opened && strstr(error.text, runs[i].says) != NULL,
                  "row %zu: %s", i, error.text);
        if (opened) ic_setup_close(&setup);
    }
}

/* A variant with another definition of the typical time has its own; the rest of the file keeps that of the file. */
IC_TEST(test_typical_times_of_variants)
{
    static const char text[] =
        "parameters: {a: 2 s}\ndefinitions: {span: a}\nstates: {x: {unit: m, scale: 1 m}}\n"
        "time_scale: span\nflow: {x: (1 m)/span}\n"
        "variants: {slow: {}, named: {definitions: {other: a}}, fast: {definitions: {span: a/8}}}\n"
        "presets: {slow: {variant: slow, until: 3*span}, named: {variant: named, until: 3*span}, "
        "fast: {variant: fast, until: 3*span}}\n";
    static const char *const presets[] = {"slow", "named", "fast"};
    static const double scales[] = {2, 2, 0.25};
    for (size_t i = 0; i < 3; i++) {
        IC_OWN(ic_machine) o;
        run_preset(&o, text, presets[i]);
        CU_ASSERT_EQUAL(ic_time_scale(&o.setup.problem), scales[i]);
        CU_ASSERT_EQUAL(o.setup.problem.variant->time_scale != NULL, i == 2);
        CU_ASSERT_EQUAL(o.setup.problem.t_end, 6);
    }
}
