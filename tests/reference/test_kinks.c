/* SPDX-License-Identifier: MIT */
/* Kinks of any form slide, by every general solver and in certificates; starts and events that are refused. */
#include "casefile/casefile.h"
#include "reference/judge/judge.h"
#include "tests/machine.h"

IC_SUITE(solvers, "kinks")

/* Fixed steps, a tenth of the default. */
enum { STEPS = 10000 };

/* A machine of two states for 5 s, its rates in 1/s; where it ends, and the number of its events. */
typedef struct kink_row {
    const char *x_start, *y_start, *x_rate, *y_rate;
    double x, y;
    size_t events;
} kink_row;

static const kink_row rows[] = {
    /* friction that stops a body, in several forms */
    {"2", "0", "-where(x >= 0, 2, -2)", "0", 0, 0, 1},
    {"2", "0", "1 - where(x <= 0, -2, 2)", "0", 0, 0, 1},
    {"-2", "0", "1 - where(0 > -3*x, 2, -2)", "0", 0, 0, 1},
    {"2", "0", "-where(x > 0 and x > -1, 1, -1)", "0", 0, 0, 1},
    {"2", "0", "-where(x < 0 or x < -1, -1, 1)", "0", 0, 0, 1},
    {"2", "0", "1 - where(x > 0, where(x > 0.5, 2, 3), -3)", "0", 0, 0, 2},
    {"2", "0", "-sign(where(-x >= x, x, 2*x))", "0", 0, 0, 1},
    {"2", "0", "-where(sign(x) > 0.5, 2, -2)", "0", 0, 0, 1},
    {"2", "0", "-where(step(x) > 0.5, 2, -2)", "0", 0, 0, 1},
    {"2", "0", "-where(abs(x) > 0.5, 1, 3)*sign(x)", "0", 0, 0, 2},
    {"2", "0", "-where(min(x, x + 1) > 0, 2, -2)", "0", 0, 0, 1},
    {"2", "0", "1 - 2*max(sign(x), sign(2*x - 0))", "0", 0, 0, 1},
    {"2", "0", "-where(x >= x, 1, 3)", "where(y - y > 0, 1, -1)", -3, -5, 0},
    /* a condition that matters on one side of another one only */
    {"-1", "-3", "1 - where(x > 0, 2*sign(x + 9), 0)", "0", 0, -3, 1},
    /* a tank over a sill: y stays there while the next one fills; then both rise */
    {"0", "4", "where(y > 5, sign(y - x), 0)", "0.65 - where(y > 5, sign(y - x), 0)", 2.25, 5, 1},
    {"4.5", "4", "where(y > 5, sign(y - x), 0)", "0.65 - where(y > 5, sign(y - x), 0)", 5.875, 5.875, 5},
    /* two kinks at one instant: independent ones, one body on another, one held by the other's friction only */
    {"1", "0.8", "0.2 - where(x >= 0, 1, -1)", "-0.3 - where(y > 0, 1, -1.5)", 0, 0, 2},
    {"1", "-1", "-sign(x) - 0.5*sign(x - y)", "0.5*sign(x - y) + 0.1", 0, 0, 2},
    {"1", "-1", "-where(x > 0 and t/(1 s) < 9, 1, -1) - 0.5*sign(x - y)", "0.5*sign(x - y) + 0.1", 0, 0, 2},
    {"0", "-0.1", "-2*sign(x) + sign(y)", "0.3 - 0.75*sign(x)", 0, 0, 2},
    {"0", "-0.1", "-2*where(x > 0, 1, -1) + sign(y)", "0.3 - 0.75*where(x >= 0, 1, -1)", 0, 0, 2},
    /* one side neither pulls nor pushes at the start, and does so at once */
    {"0", "0", "0.1*t/(1 s) - 0.2*step(x)", "0", 0.45, 0, 2},
    {"0", "0", "-0.1*t/(1 s) - 0.2*step(x)", "0", -1.25, 0, 0},
    {"0", "1", "0.2*where(x >= 0, -1, 0)*y - 0.1*t/(1 s)*where(x > 0, 1, -1)", "0", 0, 1, 1},
    /* at rest in a valley, x'' = -sign(x), until a force pulls it out */
    {"0", "0", "y", "0.4*t/(1 s) - sign(x)", 0.4 / 6 * 2.5 * 2.5 * 2.5, 1.25, 2},
    {"0", "0", "2*y", "where(x >= 0, -1, 0.4*t/(1 s))", 0, 0, 1},
    /* the side of one is no line: it holds the other */
    {"0", "-0.1", "-2*where(x > 0, sign(x), -0.5) + 0.5*where(y > 0, sign(y), -1)",
     "-0.2 - 0.75*where(x >= 0, 1, sign(x))", 0, 0, 2},
    {"1", "0", "0.1 + 1.9*where(y - x <= 0, -0.2, sign(y - x))", "-0.5 + 1.9*where(-y <= 0, -0.2, sign(-y))", 0,
     0, 2},
    /* it comes to rest at zero, and an event of another state does not move it */
    {"1", "2", "where(x > 0, -1, -0.5*x)", "where(y > 0, -1, -2)", 0, -6, 2},
    /* not determined: the mean of four flows along which x and y stay 0 is not the only one */
    {"1", "0.5", "-where(y > 0, 2, 1)*sign(x)", "-2*sign(y)", NAN, NAN, 1},
    /* nor where both sides cease to hold it at one instant */
    {"1", "0", "(t/(1 s) - 2)*sign(x)", "0", NAN, NAN, 1},
    {"1", "-2", "where(x > 0, y, -3*y)", "1", NAN, NAN, 1},
};

/* `sections`: further ones of the file. */
static ic_casefile *open_row(ic_setup *setup, const kink_row *row, const char *sections, ic_error *error)
{
    char text[800];
    snprintf(text, sizeof text,
             "states: {x: {unit: 1, start: %s}, y: {unit: 1, start: %s}}\n"
             "flow: {x: \"(%s)/(1 s)\", y: \"(%s)/(1 s)\"}\npresets: {default: {until: 5 s}}\n%s",
             row->x_start, row->y_start, row->x_rate, row->y_rate, sections);
    ic_casefile *file = ic_casefile_read("machine.yaml", text, strlen(text), NULL, 0, error);
    if (file == NULL || ic_setup_open_case(setup, ic_casefile_case(file), &(ic_request){.path = NULL}, error))
        return file;
    ic_casefile_free(file);
    return NULL;
}

static bool is_near(const kink_row *row, double x, double y, double tolerance)
{
    return fabs(x - row->x) <= tolerance && fabs(y - row->y) <= tolerance;
}

static void judge_solvers(const kink_row *row, const ic_setup *setup)
{
    static const char *const solvers[] = {"rk4_henon", "rk45_bisection", "dop853", "taylor"};
    for (size_t s = 0; s < IC_COUNT(solvers); s++) {
        const ic_solver *solver = ic_solver_find(solvers[s]);
        IC_OWN(ic_log) *log = ic_log_new(&setup->problem);
        const double step = solver->control == IC_CONTROL_STEP ? setup->problem.t_end / STEPS : 0;
        const ic_status status = ic_run(log, solver, &(ic_options){.rtol = 0, .step = step});
        const double *x = ic_log_end(log).x;
        IC_EXPECT(isnan(row->x) ? status != IC_OK : status == IC_OK && is_near(row, x[0], x[1], 1e-7),
                  "%s: x' = %s, y' = %s: %g, %g", solvers[s], row->x_rate, row->y_rate, x[0], x[1]);
        CU_ASSERT_FALSE(is_near(row, x[0] + 1e-6, x[1], 1e-7)); /* planted */
    }
}

static void judge_certificate(const kink_row *row, const ic_setup *setup)
{
    IC_OWN(ic_certificate) c;
    IC_OWN(ic_setup) exact = ic_tests_exact(setup);
    ic_certify_judged(&c, &exact.problem, &(ic_certify_options){.digits = 20}, NULL);
    const bool ends = c.status == IC_OK;
    const bool good = isnan(row->x) ? c.status == IC_UNDECIDED
                                    : ends && is_near(row, arf_get_d(arb_midref(c.x), ARF_RND_NEAR),
                                                      arf_get_d(arb_midref(c.x + 1), ARF_RND_NEAR), 1e-15);
    IC_EXPECT(good && c.count == row->events, "x' = %s, y' = %s: %zu events, %s", row->x_rate, row->y_rate,
              c.count, c.reason);
    CU_ASSERT_STRING_EQUAL(c.judged, "confirmed");
}

static void judge_row(const kink_row *row, const char *sections)
{
    ic_error error = {""};
    IC_OWN(ic_setup) setup;
    IC_OWN(ic_casefile) *file = open_row(&setup, row, sections, &error);
    IC_EXPECT_FATAL(file != NULL, "%s: %s", row->x_rate, error.text);
    judge_solvers(row, &setup);
    judge_certificate(row, &setup);
}

IC_TEST(test_kinks_slide)
{
    for (size_t i = 0; i < IC_COUNT(rows); i++) judge_row(&rows[i], "");
}

/* Two motions begin at the start: one may begin later, or stay. */
IC_TEST(test_two_motions_are_refused)
{
    static const char *const rates[][2] = {{"where(x >= 0, 1, -2)", "0"},
                                           {"0.2*sign(x) - sin(t/(1 s))", "0"},
                                           {"y", "sign(x)"},
                                           {"where(x > 0, t/(1 s), -1)", "0"},
                                           {"y", "t/(1 s)*sign(x)"},
                                           {"step(x)", "0"},
                                           {"y", "-step(-x)"}};
    for (size_t i = 0; i < IC_COUNT(rates); i++) {
        ic_error error = {""};
        ic_setup setup;
        CU_ASSERT_PTR_NULL(
            open_row(&setup, &(kink_row){"0", "0", rates[i][0], rates[i][1], 0, 0, 0}, "", &error));
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "two begin at x = 0"));
    }
}

/* A jump to the zero of a kink. */
IC_TEST(test_jumps_to_a_kink)
{
    static const kink_row steps[] = {{"1", "0", "where(x > 0, -1, -2)", "0", -9, 0, 2},
                                     {"1", "0", "where(x > 0, 1, -1)", "0", NAN, NAN, 0}};
    for (size_t i = 0; i < IC_COUNT(steps); i++)
        judge_row(&steps[i], "times: {k: {at: 0.5 s, then: {x: 0}}}\n");
}

/* While a friction holds y, conditions on y hold as they are written for 0: y < 0 until 1 s, then y = 0. */
IC_TEST(test_conditions_at_rest)
{
    static const struct {
        const char *rate;
        double x;
    } ends[] = {{"where(y > 0, 1, 2)", 10},
                {"where(y > 0, 1, -1)", -5},
                {"where(y >= 0, 1, 2)", 6},
                {"where(y >= 0, 1, -1)", 3},
                {"where(y < 0, 1, 2)", 9},
                {"where(0 > -2*y, -1, 1)", 5},
                {"where(y <= 0, 1, 2)", 5},
                {"where(0 <= y, -1, 1)", -3},
                {"where(sign(y) < 0, 1, 0)", 1},
                {"step(y)", 4},
                {"step(-y)", 5},
                {"where(y <= 0 and x < 9, 1, 0)", 5}};
    for (size_t i = 0; i < IC_COUNT(ends); i++)
        judge_row(&(kink_row){"0", "-4", ends[i].rate, "0", ends[i].x, 0, 2},
                  "elements: {f: {friction: {slip: y, normal: 10, kinetic: 0.4, pushes: {y: 1/(1 s)}}}}\n");
}
