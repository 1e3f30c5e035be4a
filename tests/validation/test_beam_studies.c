/* SPDX-License-Identifier: MIT */
/**
 * Studies of the rotating beam: their numbers against another solver, what follows from their
 * definitions, and planted wrong answers.
 */
#include "core/model.h"
#include "tests/audit/rows.h"
#include "validation/studies/beam_runs.h"
#include "validation/subjects.h"

IC_SUITE(solvers, "studies of the rotating beam")
IC_OWNED(ic_beam_run, ic_beam_close)

/*
 * Two adaptive solvers, one at 1e-9 and one at 1e-11, agree on what the contacts leave to some
 * hundred tolerances, which a group of contacts multiplies by ten; a mean acceleration that nearly
 * cancels has some ten times more.
 */
#define SOLVED 1e-5
/* Peaks by parabolas through samples each 50 us of vibrations below 1 kHz; runs at 1e-8. */
#define SAMPLED 1e-4
/* Sums of eleven numbers of order 1. */
#define ROUNDED 1e-13
/* A relative error that a number must show. */
#define PLANTED 1e-3

static bool near(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
}

/* The same run by rk45_bisection. */
static void other_solver(ic_beam_run *run, ic_beam_run *other)
{
    ic_status status = IC_OK;
    *other = *run;
    other->log = ic_solve(ic_solver_find("rk45_bisection"), &run->setup.problem,
                          &(ic_options){.rtol = 1e-11, .extremes = true}, &status);
    CU_ASSERT_EQUAL_FATAL(status, IC_OK);
}

static void open_beam(ic_beam_run *run, const char *path)
{
    ic_error error = {""};
    CU_ASSERT_FATAL(ic_beam_open(run, &(ic_options){0}, path, &error));
}

static double magnitude(const ic_log *log, const char *output)
{
    const ic_extreme extreme = ic_output_extreme(log, output);
    return fmax(fabs(extreme.min), fabs(extreme.max));
}

IC_TEST(test_runs_refused)
{
    ic_beam_run run;
    ic_error error = {""};
    CU_ASSERT_FALSE(ic_beam_open(&run, &(ic_options){0}, IC_PATH("roller/III/%s", "C"), &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "no preset of the case 'rotating-beam'"));
    CU_ASSERT_FALSE(ic_beam_open(&run, &(ic_options){0}, IC_PATH("rotating-beam/main[e=%0200d]", 1), &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "longer"));
    CU_ASSERT_FALSE(ic_beam_open(&run, &(ic_options){0}, IC_PATH("rotating-beam/main[N=%d]", 17), &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "'N'"));
    CU_ASSERT_FALSE(
        ic_beam_open(&run, &(ic_options){.max_steps = 3}, IC_PATH("rotating-beam/%s", "main"), &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "rotating-beam/main: "));
}

IC_TEST(test_no_contact)
{
    IC_OWN(ic_beam_run) run, late;
    ic_beam_group group;
    open_beam(&run, "rotating-beam/main[until=0.08]");
    CU_ASSERT_FALSE(ic_beam_first_group(&group, &run) || group.over);
    open_beam(&late, "rotating-beam/main[until=0.085]");
    CU_ASSERT(ic_beam_first_group(&group, &late) && !group.over);
}

/* ---- beam-modes */

IC_TEST(test_modes)
{
    static const struct {
        const char *path;
        size_t row;
    } runs[] = {{"rotating-beam/main", 2}, {"rotating-beam/N7", 6}};
    IC_OWN(ic_study_data) data = open_study("beam-modes");
    CU_ASSERT_EQUAL_FATAL(ic_study_rows(&data), 16);
    for (size_t i = 0; i < IC_COUNT(runs); i++) {
        ic_beam_run run, other;
        ic_beam_group group;
        const size_t row = runs[i].row, next = row + 1;
        open_beam(&run, runs[i].path);
        other_solver(&run, &other);
        CU_ASSERT(ic_beam_first_group(&group, &other) && group.over);
        const double value[] = {group.t,
                                group.restitution,
                                group.rebound,
                                group.acceleration,
                                magnitude(other.log, "contact_force"),
                                magnitude(other.log, "tip_deflection")};
        static const char *const column[] = {"contact_time",      "restitution", "rebound",
                                             "mean_acceleration", "peak_force",  "peak_deflection"};
        for (size_t k = 0; k < IC_COUNT(column); k++) {
            const double is = number(&data, row, column[k]),
                         tolerance = k + 1 == IC_COUNT(column) ? SAMPLED : SOLVED;
            CU_ASSERT(near(is, value[k], tolerance));
            CU_ASSERT_FALSE(near(is * (1 + PLANTED), value[k], tolerance));
            if (k > 0) /* one mode more */
                CU_ASSERT_FALSE(near(number(&data, next, column[k]), value[k], tolerance));
        }
        CU_ASSERT_EQUAL(number(&data, row, "contacts"), (double)group.contacts);
        /* with three modes it is greater in the contacts than in all that follows */
        const double most = magnitude(other.log, "shaft_acceleration");
        CU_ASSERT_EQUAL(near(number(&data, row, "peak_acceleration"), most, SOLVED), row == 2);
        ic_log_free(other.log);
        ic_beam_close(&run);
    }
    /* deflection settles, the rebound has not at the paper's three modes */
    CU_ASSERT(near(number(&data, 2, "peak_deflection"), number(&data, 15, "peak_deflection"), 0.03));
    CU_ASSERT_FALSE(near(number(&data, 2, "rebound"), number(&data, 15, "rebound"), 0.3));
    CU_ASSERT(near(number(&data, 8, "rebound"), number(&data, 15, "rebound"), 0.01));
}

/* ---- beam-sensitivity */

enum { VALUES = 11, MIDDLE = 5 };

IC_TEST(test_sensitivity)
{
    IC_OWN(ic_study_data) data = open_study("beam-sensitivity");
    CU_ASSERT_EQUAL_FATAL(ic_study_rows(&data), (size_t)2 * 8 * VALUES);
    for (size_t first = 0; first < ic_study_rows(&data); first += VALUES) {
        double sum = 0, planted = 0;
        for (size_t i = first; i < first + VALUES; i++) {
            sum += number(&data, i, "s1");
            planted += number(&data, i, "s1") * (i == first ? 1 + PLANTED : 1);
            CU_ASSERT(fabs(number(&data, i, "s2")) >= fabs(number(&data, i, "s2_end")));
            CU_ASSERT_EQUAL(number(&data, i, "C2"), 100.0 * (double)(i - first));
            if (i > first) CU_ASSERT(number(&data, i, "restitution") < number(&data, i - 1, "restitution"));
        }
        CU_ASSERT(fabs(sum) <= VALUES * ROUNDED);
        CU_ASSERT_FALSE(fabs(planted) <= VALUES * ROUNDED);
        CU_ASSERT(number(&data, first + MIDDLE, "s2") == 0 && number(&data, first + 1, "s2") != 0);
        CU_ASSERT(number(&data, first, "restitution") > 0.99); /* nothing is lost without damping */
    }
}

/* Eq. (25) at 0.2 s and peaks, by another solver. */
IC_TEST(test_sensitivity_solved)
{
    static const char *const paths[] = {"rotating-beam/C2-500", "rotating-beam/C2-500[C2=1000]"};
    double end[2], peak[2];
    IC_OWN(ic_study_data) data = open_study("beam-sensitivity");
    for (int i = 0; i < 2; i++) {
        ic_beam_run run, other;
        open_beam(&run, paths[i]);
        other_solver(&run, &other);
        end[i] = ic_output_extreme(other.log, "tip_displacement").final;
        peak[i] = magnitude(other.log, "tip_deflection");
        ic_log_free(other.log);
        ic_beam_close(&run);
    }
    size_t row = 0;
    while (!(number(&data, row, "theta_s") == 0.5 && number(&data, row, "C2") == 1000)) row++;
    const double s2 = (end[0] - end[1]) / end[0];
    CU_ASSERT(near(number(&data, row, "s2_end"), s2, SAMPLED));
    CU_ASSERT_FALSE(near(number(&data, row, "s2_end") * (1 + PLANTED), s2, SAMPLED));
    const double of_middle = number(&data, row - MIDDLE, "peak_deflection");
    CU_ASSERT(near(of_middle, peak[0], SAMPLED));
    CU_ASSERT(near(number(&data, row, "peak_deflection"), peak[1], SAMPLED));
    CU_ASSERT_FALSE(near(of_middle, peak[1], SAMPLED)); /* planted */
}

/* ---- beam-contact-cost */

/* Default accuracies: 1e-9 for dop853; refined_step is late by up to 3.5e-8 s at each of some ten
   events. */
#define LOCATED 1e-9
#define STEPPED_OVER 2e-6

IC_TEST(test_cost)
{
    IC_OWN(ic_study_data) data = open_study("beam-contact-cost");
    size_t laws = 0;
    for (size_t i = 0; i < ic_study_rows(&data); i++) {
        const char *solver = text(&data, i, "solver");
        const double error = number(&data, i, "time_error");
        CU_ASSERT_EQUAL(number(&data, i, "same_events"), 1);
        CU_ASSERT(number(&data, i, "time") > 0 && number(&data, i, "impacts") >= 1);
        if (strcmp(solver, "dop853") == 0) {
            laws++;
            CU_ASSERT(error <= LOCATED);
        } else if (strcmp(solver, "refined_step") == 0) {
            const size_t dop853 = i - 4;
            CU_ASSERT_STRING_EQUAL(text(&data, dop853, "model"), text(&data, i, "model"));
            CU_ASSERT(error > LOCATED && error <= STEPPED_OVER);
            CU_ASSERT_FALSE(error <= LOCATED); /* planted: it is not taken for one that locates */
            CU_ASSERT(number(&data, i, "flow_calls") > 10 * number(&data, dop853, "flow_calls"));
        }
    }
    const ic_case *beam = ic_case_find("rotating-beam");
    CU_ASSERT_EQUAL(laws, beam->n_variants);
    /* momentum balance needs no field during the contact */
    const size_t rigid = 0;
    CU_ASSERT_STRING_EQUAL(text(&data, rigid, "model"), "momentum-balance");
    for (size_t i = 5; i < ic_study_rows(&data); i += 5)
        CU_ASSERT(number(&data, i, "flow_calls") > 3 * number(&data, rigid, "flow_calls"));
}
