/* SPDX-License-Identifier: MIT */
/**
 * Studies of contact-force laws and of the ball on two specimens. Numbers held against come from the closed form, root finding and
 * quadrature with 30 digits, made apart from this program (mpmath), or from equations that an answer must fulfil.
 */
#include "validation/ball_experiments.h"
#include "validation/ball_runs.h"
#include "validation/claims_table.h"
#include "validation/tests/rows.h"
#include "validation/tests/tests.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Closed forms: a root and a few powers, each rounded, of numbers with 15 digits. */
#define CLOSED 1e-12
/* rk45_bisection at rtol = 1e-11: a hundred such errors, for an onset that is not smooth and some fifty steps. */
#define SOLVED 1e-9
/* A relative error that either must show. */
#define PLANTED 1e-6

static bool near(double value, double right, double tolerance)
{
    return fabs(value / right - 1) <= tolerance;
}

/* ---- the published experiments */

/* Printed errors are those of the printed numbers, to half a unit of their last digit; one is not, and is an erratum. */
#define HALF_UNIT (0.005 * (1 + 1e-9))

static size_t wrong_errors(const ic_ball_quantity *q)
{
    return fabs(100 * fabs(q->printed / q->measured - 1) - q->error) > HALF_UNIT;
}

static void test_experiments(void)
{
    ic_ball_experiments x;
    ic_error error;
    size_t wrong = 0;
    CU_ASSERT_FATAL(ic_ball_experiments_read(&x, &error));
    for (int s = 0; s < IC_BALL_SPECIMENS; s++) {
        for (int k = 0; k < IC_BALL_SPEEDS; k++) {
            const ic_ball_experiment *e = &x.of[s][k];
            ic_ball ball;
            wrong += wrong_errors(&e->restitution) + wrong_errors(&e->force);
            CU_ASSERT(fabs(e->v_after / e->v0 - e->restitution.printed) <= HALF_UNIT / 100);
            CU_ASSERT_FATAL(ic_ball_open(&ball, &error, "%s", e->preset));
            CU_ASSERT_EQUAL(ball.v0, e->v0);
            ic_ball_close(&ball);
        }
    }
    CU_ASSERT_EQUAL(wrong, 1);
    CU_ASSERT_EQUAL(wrong_errors(&x.of[0][3].restitution), 1);
    CU_ASSERT_EQUAL(x.of[1][5].force.measured, 4364.6);
}

static void test_experiments_refused(void)
{
    static const struct {
        const char *from, *to, *says;
    } planted[] = {
        {"663.0", "none", "'none' is not a positive number"},
        {"0.9735", "-0.9735", "not a positive number"},
        {"C1;0.1500", "C2;0.1500", "specimen 'C1' belongs here"},
        {"C1;0.2060", "C1;0.0206", "speeds must rise"},
        {"C2;0.5000", "#", "there must be 12"},
        {"v_after", "v_before", "v_before"},
    };
    const ic_embedded *file = ic_embedded_find("published/ball-experiments.csv");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    for (size_t i = 0; i < IC_COUNT(planted); i++) {
        ic_ball_experiments x;
        ic_error error = {""};
        char *text = malloc(file->length + strlen(planted[i].to) + 1);
        const char *at = strstr(file->text, "\nspecimen;");
        at = at != NULL ? strstr(at, planted[i].from) : NULL;
        CU_ASSERT_FATAL(text != NULL && at != NULL);
        sprintf(text, "%.*s%s%s", (int)(at - file->text), file->text, planted[i].to,
                at + strlen(planted[i].from));
        CU_ASSERT_FALSE(ic_ball_experiments_parse(&x, text, &error));
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, planted[i].says));
        free(text);
    }
}

/* ---- the ball */

static void test_ball_refused(void)
{
    ic_ball ball;
    ic_error error;
    ic_impact_outcome outcome;
    CU_ASSERT_FALSE(ic_ball_open(&ball, &error, "roller/I/%s", "A"));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "no preset of the case 'ball'"));
    CU_ASSERT_FALSE(ic_ball_open(&ball, &error, "ball/C1/0.5000[v0=%0200d]", 1));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "longer"));
    CU_ASSERT_FALSE(ic_ball_impactf(&outcome, &error, "ball/hertz[m=%d]", -1));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "'m'"));
    CU_ASSERT_FATAL(ic_ball_open(&ball, &error, "ball/lee-wang-2"));
    ball.setup.problem.t_end = 1e-5;
    CU_ASSERT_FALSE(ic_ball_impact(&outcome, &ball, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "not over"));
    ic_ball_close(&ball);
}

/* ---- impact-speed, force-histories */

static const struct known {
    const char *specimen;
    double v0, restitution, force, duration;
} known[] = {
    {"C1", 0.0938, 0.943141437583424, 683.850594154092, 292.386949102949e-6},
    {"C1", 0.5000, 0.899232348103079, 4989.40685587497, 210.371877844685e-6},
    {"C2", 0.0938, 0.851859379781297, 652.444654497773, 298.270090882444e-6},
    {"C2", 0.5000, 0.737444009977805, 4731.41503807884, 217.86434929899e-6},
};

static void test_impact_speed(void)
{
    ic_study_data data;
    int measured = 0;
    open_study(&data, "impact-speed");
    for (size_t i = 0; i < IC_COUNT(known); i++) {
        const size_t row = row_where(&data, "specimen", known[i].specimen, "v0", known[i].v0);
        const double e = number(&data, row, "restitution"), f = number(&data, row, "force");
        CU_ASSERT(near(e, known[i].restitution, CLOSED) && near(f, known[i].force, CLOSED));
        CU_ASSERT_FALSE(near(e * (1 + PLANTED), known[i].restitution, CLOSED));
        CU_ASSERT_FALSE(near(f * (1 + PLANTED), known[i].force, CLOSED));
    }
    /* between the experiments, where nothing was measured */
    const size_t row = row_where(&data, "specimen", "C2", "v0", 0.3);
    CU_ASSERT(near(number(&data, row, "restitution"), 0.779251768256822, CLOSED));
    CU_ASSERT(isnan(number(&data, row, "force_measured")) && isnan(number(&data, row, "restitution_printed")));
    for (size_t i = 0; i < ic_study_rows(&data); i++) {
        measured += !isnan(number(&data, i, "force_measured"));
        if (i == 0 || strcmp(text(&data, i, "specimen"), text(&data, i - 1, "specimen")) != 0) continue;
        CU_ASSERT(number(&data, i, "v0") > number(&data, i - 1, "v0"));
    }
    CU_ASSERT_EQUAL(measured, IC_BALL_SPECIMENS * IC_BALL_SPEEDS);
    ic_study_clear(&data);
}

/* Greatest of the samples of one impact, and when the last was taken. */
static void sampled(const ic_study_data *data, const struct known *k, double *peak, double *last)
{
    *peak = *last = 0;
    for (size_t i = 0; i < ic_study_rows(data); i++) {
        if (strcmp(text(data, i, "specimen"), k->specimen) != 0 || number(data, i, "v0") != k->v0) continue;
        *peak = fmax(*peak, number(data, i, "F"));
        *last = number(data, i, "t");
        CU_ASSERT(number(data, i, "F") >= 0 && number(data, i, "d") >= 0);
    }
}

/* The nearest of 201 samples is within T/400 of the peak, where F'' is some -6 F/(T/2)^2: 1 - F/F_max < 3 (2/400)^2 = 8e-5. */
#define BETWEEN_SAMPLES 1e-4

static void test_force_histories(void)
{
    ic_study_data data;
    open_study(&data, "force-histories");
    CU_ASSERT_EQUAL(ic_study_rows(&data), 2412);
    for (size_t i = 0; i < IC_COUNT(known); i++) {
        double peak = 0, last = 0;
        sampled(&data, &known[i], &peak, &last);
        CU_ASSERT(near(last, known[i].duration, SOLVED));
        CU_ASSERT_FALSE(near(last * (1 + PLANTED), known[i].duration, SOLVED));
        CU_ASSERT(near(peak, known[i].force, BETWEEN_SAMPLES) && peak <= known[i].force * (1 + SOLVED));
        CU_ASSERT_FALSE(
            near(peak, known[(i + 2) % IC_COUNT(known)].force, BETWEEN_SAMPLES)); /* the other specimen's */
    }
    ic_study_clear(&data);
}

/* ---- laws: e_out solves a (1 + e) = ln((1 + a)/(1 - a e)); a fit that is moved off its alpha is worse */

#define LAW_TOLERANCE 1e-12

static void test_law_restitution(void)
{
    enum { DAMPING = 2, E_OUT = 3 };
    ic_study_data data = {0};
    CU_ASSERT_FATAL(ic_study_run(&data, ic_study_find("law-restitution")));
    CU_ASSERT(ic_study_rows(&data) >= 800);
    for (size_t i = 0; i < ic_study_rows(&data); i++) {
        const double a = ic_study_at(&data, i, DAMPING)->number, e = ic_study_at(&data, i, E_OUT)->number;
        if (a < 0.1 || a > 20) continue; /* where the equation is well-conditioned */
        const double residual = a * (1 + e) - log1p(a) + log1p(-a * e),
                     moved = a * (1.01 + e) - log1p(a) + log1p(-a * e - 0.01 * a);
        CU_ASSERT(fabs(residual) <= LAW_TOLERANCE * exp(a));
        CU_ASSERT_FALSE(fabs(moved) <= LAW_TOLERANCE * exp(a) && a < 10); /* planted */
    }
    ic_study_clear(&data);
}

static void test_law_ranking(void)
{
    enum { RANK, LAW, SPECIMEN, ALPHA, RESTITUTION, FORCE };
    ic_study_data data = {0};
    CU_ASSERT_FATAL(ic_study_run(&data, ic_study_find("law-ranking")));
    for (size_t i = 1; i < ic_study_rows(&data); i++) {
        const bool same = ic_study_at(&data, i, RANK)->number > 1;
        const double here = ic_study_at(&data, i, RESTITUTION)->number,
                     before = ic_study_at(&data, i - 1, RESTITUTION)->number;
        CU_ASSERT(!same || here >= before);
        CU_ASSERT(ic_study_at(&data, i, FORCE)->number < 0.2 && here < 0.25);
        /* Lee and Wang's factor is half of Hunt and Crossley's: twice the alpha, the same fit */
        if (strcmp(ic_study_at(&data, i, LAW)->text, "lee-wang") != 0) continue;
        for (size_t k = 0; k < ic_study_rows(&data); k++) {
            if (strcmp(ic_study_at(&data, k, LAW)->text, "hunt-crossley") != 0 ||
                strcmp(ic_study_at(&data, k, SPECIMEN)->text, ic_study_at(&data, i, SPECIMEN)->text) != 0)
                continue;
            CU_ASSERT(fabs(ic_study_at(&data, i, ALPHA)->number / ic_study_at(&data, k, ALPHA)->number - 2) <
                      1e-4);
            CU_ASSERT(fabs(here - ic_study_at(&data, k, RESTITUTION)->number) < 1e-8);
        }
    }
    ic_study_clear(&data);
}

void ic_tests_law_studies(void)
{
    CU_pSuite suite = CU_add_suite("studies of laws", NULL, NULL);
    CU_add_test(suite, "the published experiments", test_experiments);
    CU_add_test(suite, "experiments that are refused", test_experiments_refused);
    CU_add_test(suite, "balls that are refused", test_ball_refused);
    CU_add_test(suite, "impact-speed", test_impact_speed);
    CU_add_test(suite, "force-histories", test_force_histories);
    CU_add_test(suite, "law-restitution", test_law_restitution);
    CU_add_test(suite, "law-ranking", test_law_ranking);
}
