/* SPDX-License-Identifier: MIT */
/**
 * Enclosed extremes of outputs: against closed forms, and against the extremes that a solver meets. Each row has a
 * wrong answer that must not be enclosed: the extreme at events only, on one side of a jump, or of a shorter run.
 */
#include "core/model.h"
#include "core/names.h"
#include "reference/expression.h"
#include "reference/flow/certify.h"
#include "reference/flow/flow_extremes.h"
#include "tests/machine.h"
#include "tests/reference/certified.h"

IC_SUITE(solvers, "certified extremes")

enum { BITS = 256, DIGITS = 15 };

/* ---- problems */

/* A case by its path, or of a text. */
static void certify_run(certified *r, const char *path, const char *text, const char *setting,
                        const char *until, const ic_certify_options *options)
{
    const ic_request request = {
        .path = path, .settings = &setting, .n_settings = setting != NULL, .until = until};
    certify(r, text, &request, options);
}

/* ---- closed forms */

typedef struct row {
    const char *output;
    bool greatest;

    /* expressions in the parameters */
    const char *expected, *wrong;
} row;

static void evaluate(arb_t value, const certified *r, const char *text)
{
    const ic_problem *problem = &r->m.exact.problem;
    char message[256] = "";
    arb_ptr par = _arb_vec_init((slong)problem->system->n_parameters);
    CU_ASSERT_FATAL(ic_ball_parameters(par, problem, BITS, message, sizeof message));
    const ic_ball_names names = {.system = problem->system, .par = par};
    CU_ASSERT_FATAL(ic_ball_number(value, text, &names, BITS, message, sizeof message));
    _arb_vec_clear(par, (slong)problem->system->n_parameters);
}

static void check_row(const certified *r, const row *expected)
{
    arb_t extremes[2], truth, wrong;
    arb_init(extremes[0]), arb_init(extremes[1]), arb_init(truth), arb_init(wrong);
    ic_flow_extreme *e = &r->c.extremes[ic_output_find(r->m.exact.problem.system, expected->output)];
    const bool known = ic_flow_extreme_get(extremes[0], extremes[1], e, BITS);
    if (!known) fprintf(stderr, "%s: %s\n", expected->output, e->why);
    arb_srcptr found = extremes[expected->greatest ? 0 : 1];
    evaluate(truth, r, expected->expected);
    evaluate(wrong, r, expected->wrong);
    /* sizes are about 1: the digits that are asked for */
    const double size = fmax(1, fabs(arf_get_d(arb_midref(truth), ARF_RND_NEAR)));
    const bool encloses = arb_overlaps(found, truth),
               narrow = mag_get_d(arb_radref(found)) <= size * pow(10, -DIGITS);
    if (!known || !encloses || !narrow || arb_overlaps(found, wrong)) {
        fprintf(stderr, "%s: ", expected->output);
        arb_fprintd(stderr, found, 20);
        fprintf(stderr, "\n");
    }
    CU_ASSERT(known);
    CU_ASSERT(encloses);
    CU_ASSERT(narrow);
    CU_ASSERT(!arb_overlaps(found, wrong));
    arb_clear(extremes[0]), arb_clear(extremes[1]), arb_clear(truth), arb_clear(wrong);
}

static void check_rows(const char *text, const char *setting, const row *rows, size_t n)
{
    CERTIFIED(r);
    certify_run(&r, NULL, text, setting, NULL, &(ic_certify_options){.digits = DIGITS, .extremes = true});
    CU_ASSERT_EQUAL(r.c.status, IC_OK);
    for (size_t i = 0; i < n; i++) check_row(&r, &rows[i]);
}

static const char bounce[] = "title: A ball is thrown up and bounces once\n"
                             "parameters: {g: 10 m/s^2, h: 1 m, u: 2 m/s, e: 1/2}\n"
                             "states:\n"
                             "  x: {unit: m, scale: h, start: h}\n"
                             "  v: {unit: m/s, scale: sqrt(g*h), start: u}\n"
                             "time_scale: sqrt(h/g)\n"
                             "energy: {stored: v^2/2 + g*x}\n"
                             "flow: {x: v, v: -g}\n"
                             "until: {floor: {falls: x, then: {v: -e*v}}}\n"
                             "outputs: {height: {value: x}, velocity: {value: v}}\n"
                             "presets: {default: {until: 1.1 s}}\n";

/* The top of the flight lies between events; the velocity is least before the impact, greatest after it. */
IC_TEST(test_jumps)
{
    static const row rows[] = {
        {"height", true, "h + u^2/(2*g)", "h"},
        {"height", false, "0", "-1/1000000000"},
        {"velocity", false, "-sqrt(u^2 + 2*g*h)", "u - 11/10*g + (1 + e)*sqrt(u^2 + 2*g*h)"},
        {"velocity", true, "e*sqrt(u^2 + 2*g*h)", "u"},
        {"stored_energy", true, "u^2/2 + g*h", "e^2*(u^2/2 + g*h)"},
        {"stored_energy", false, "e^2*(u^2/2 + g*h)", "u^2/2 + g*h"},
    };
    check_rows(bounce, NULL, rows, IC_COUNT(rows));
    /* now the start is fastest upwards */
    check_rows(bounce, "u=3", &(row){"velocity", true, "u", "e*sqrt(u^2 + 2*g*h)"}, 1);
}

static const char spring[] = "title: A body meets a spring\n"
                             "parameters:\n"
                             "  p: {value: 3/2, range: \"[1, inf)\", meaning: power of the spring}\n"
                             "  K: {value: 500, meaning: stiffness}\n"
                             "  w: {value: 3, meaning: speed}\n"
                             "states:\n"
                             "  x: {unit: 1, scale: 1, start: 1/10}\n"
                             "  v: {unit: 1/s, scale: 1 1/s, start: -w*(1 1/s)}\n"
                             "time_scale: 1 s\n"
                             "definitions: {F: \"K*max(-x, 0)^p\"}\n"
                             "flow: {x: v, v: F/(1 s^2)}\n"
                             "until: {contact: {crosses: x, then: {}}}\n"
                             "outputs: {force: {value: F}, depth: {value: -x}}\n"
                             "presets: {default: {until: 1 s}}\n";

/* w^2/2 = K d^(p + 1)/(p + 1); no event is where the force is greatest */
IC_TEST(test_springs)
{
    static const char *const powers[] = {"p=1", "p=3/2", "p=5/4", "p=2", "p=3"};
    static const row rows[] = {
        {"depth", true, "exp(log((p + 1)*w^2/(2*K))/(p + 1))", "0"},
        {"force", true, "K*exp(log((p + 1)*w^2/(2*K))*p/(p + 1))", "0"},
        {"force", false, "0", "-1/1000000000"},
    };
    for (size_t i = 0; i < IC_COUNT(powers); i++) check_rows(spring, powers[i], rows, IC_COUNT(rows));
    /* the linear spring is left after half a period: x = w (t - 1/(10 w) - pi/sqrt(K)) at the end */
    check_rows(spring, "p=1", &(row){"depth", false, "-w*(1 - 1/(10*w) - pi/sqrt(K))", "-1/10"}, 1);
}

/* The sign of x is that of a guard, which x passes against its direction, or of an argument that no flow needs. */
#define SIGNS(flow_, until_)                                                                                   \
    "title: Signs\nstates: {x: {unit: 1, scale: 1, start: 1}, y: {unit: 1, scale: 1}}\ntime_scale: 1 s\n"      \
    "flow: {x: -1/(1 s), y: " flow_ "}\n" until_ "outputs: {size: {value: abs(x)}}\n"                          \
    "presets: {default: {until: 3 s}}\n"

IC_TEST(test_signs)
{
    static const row rows[] = {{"size", true, "2", "1"}, {"size", false, "0", "-2"}};
    check_rows(SIGNS("x/(1 s)", "until: {up: {rises: x, then: {y: 0}}}\n"), NULL, rows, IC_COUNT(rows));
    check_rows(SIGNS("x^2/(1 s)", ""), NULL, rows, IC_COUNT(rows));
}

static const char shapes[] = "title: Shapes of outputs\n"
                             "parameters: {a: 1/3}\n"
                             "states: {x: {unit: 1, scale: 1, start: 0}}\n"
                             "time_scale: 1 s\n"
                             "flow: {x: 1/(1 s)}\n"
                             "outputs:\n"
                             "  quartic: {value: (x - a)^4}\n"
                             "  cubic: {value: (x - a)^3}\n"
                             "  waves: {value: sin(40*x)}\n"
                             "  bump: {value: exp(-(x - a)^2)}\n"
                             "  nothing: {value: x - t/(1 s)}\n"
                             "  distance: {value: abs(x - a)}\n"
                             "  sum: {value: abs(x + a)}\n"
                             "presets: {default: {until: 1 s}}\n";

/* Flat places, many equal extremes, a value that is zero; and one whose sign changes within a step. */
IC_TEST(test_shapes)
{
    static const row rows[] = {
        {"quartic", false, "0", "a^4"},
        {"quartic", true, "(1 - a)^4", "a^4"},
        {"cubic", false, "-a^3", "0"},
        {"cubic", true, "(1 - a)^3", "a^3"},
        {"waves", false, "-1", "0"},
        {"waves", true, "1", "sin(40)"},
        {"bump", true, "1", "exp(-a^2)"},
        {"bump", false, "exp(-(1 - a)^2)", "exp(-a^2)"},
        {"sum", true, "1 + a", "a"},
        {"sum", false, "a", "1 + a"},
        {"nothing", true, "0", "1/1000000000"},
        {"nothing", false, "0", "-1/1000000000"},
    };
    CERTIFIED(r);
    IC_BALLS(greatest, least);
    check_rows(shapes, NULL, rows, IC_COUNT(rows));
    certify_run(&r, NULL, shapes, NULL, NULL, &(ic_certify_options){.digits = DIGITS, .extremes = true});
    ic_flow_extreme *e = &r.c.extremes[ic_output_find(r.m.exact.problem.system, "distance")];
    CU_ASSERT_EQUAL(r.c.status, IC_OK);
    CU_ASSERT(!ic_flow_extreme_get(greatest, least, e, BITS));
    CU_ASSERT_PTR_NOT_NULL(strstr(e->why, "argument of abs"));
}

/* ---- the end of a run, and what it costs */

/* A tie of guards ends this run; up to there extremes are known. */
IC_TEST(test_tie)
{
    CERTIFIED(r);
    IC_BALLS(greatest, least);
    certify_run(&r, "planar-bar/sticking", NULL, NULL, NULL,
                &(ic_certify_options){.digits = DIGITS, .extremes = true});
    CU_ASSERT_EQUAL(r.c.status, IC_OK);
    CU_ASSERT_FATAL(r.c.n_extremes > 0);
    for (size_t i = 0; i < r.c.n_extremes; i++)
        CU_ASSERT(ic_flow_extreme_get(greatest, least, &r.c.extremes[i], BITS));
}

/* Steps may be shorter for extremes; the answer is the same, and nothing is followed that is not asked for. */
IC_TEST(test_same_answer)
{
    CERTIFIED(with);
    CERTIFIED(without);
    certify_run(&with, "roller/law", NULL, NULL, "0.05",
                &(ic_certify_options){.digits = DIGITS, .extremes = true});
    certify_run(&without, "roller/law", NULL, NULL, "0.05", &(ic_certify_options){.digits = DIGITS});
    CU_ASSERT_EQUAL(with.c.count, without.c.count);
    CU_ASSERT((double)with.c.steps < 1.2 * (double)without.c.steps);
    CU_ASSERT_EQUAL(with.c.n_extremes, with.m.exact.problem.system->n_outputs);
    CU_ASSERT_EQUAL(without.c.n_extremes, 0);
    CU_ASSERT_PTR_NULL(without.c.extremes);
    for (slong i = 0; i < with.c.n; i++) CU_ASSERT(arb_overlaps(with.c.x + i, without.c.x + i));
}

/* ---- a solver's extremes */

/* The outputs whose extremes are not those of a log within 1e-6 of their range. */
static size_t count_differences(const certified *r, const ic_log *log)
{
    const double part = 1e-6;
    size_t different = 0;
    IC_BALLS(greatest, least);
    for (size_t i = 0; i < r->m.exact.problem.system->n_outputs; i++) {
        const ic_extreme met = ic_log_extreme(log, i);
        CU_ASSERT(ic_flow_extreme_get(greatest, least, &r->c.extremes[i], BITS));
        const double most = arf_get_d(arb_midref(greatest), ARF_RND_NEAR);
        const double fewest = arf_get_d(arb_midref(least), ARF_RND_NEAR);
        const double allowed = part * (most - fewest);
        different += fabs(most - met.max) > allowed || fabs(fewest - met.min) > allowed;
    }
    return different;
}

IC_TEST(test_solver)
{
    static const char *const paths[] = {"roller/III/C", "roller/law"};
    for (size_t i = 0; i < IC_COUNT(paths); i++) {
        CERTIFIED(whole);
        CERTIFIED(part);
        const ic_certify_options options = {.digits = DIGITS, .extremes = true};
        certify_run(&whole, paths[i], NULL, NULL, "0.1", &options);
        certify_run(&part, paths[i], NULL, NULL, "0.02", &options);
        IC_OWN(ic_log) *log =
            ic_tests_solve("dop853", &whole.m.setup.problem, &(ic_options){.rtol = 1e-10, .extremes = true});
        CU_ASSERT_EQUAL(count_differences(&whole, log), 0);
        CU_ASSERT(count_differences(&part, log) > 0);
    }
}
