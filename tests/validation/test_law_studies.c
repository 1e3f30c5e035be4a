/* SPDX-License-Identifier: MIT */
/**
 * Studies of contact-force laws and of the ball on two specimens. Numbers held against come from
 * the closed form, root finding and quadrature with 30 digits, made apart from this program
 * (mpmath), or from equations that an answer must fulfil.
 */
#include "registry/registry.h"
#include "tests/audit/rows.h"
#include "validation/studies/ball_experiments.h"
#include "validation/studies/ball_runs.h"
#include "validation/table.h"

IC_SUITE(solvers, "studies of laws")
IC_OWNED(ic_ball, ic_ball_close)

/* Closed forms: a root and a few powers, each rounded, of numbers with 15 digits. */
#define CLOSED 1e-12
/* rk45_bisection at rtol = 1e-11: a hundred such errors, for an onset that is not smooth and some
   fifty steps. */
#define SOLVED 1e-9
/* A relative error that either must show. */
#define PLANTED 1e-6

static bool near(double value, double right, double tolerance)
{
    return fabs(value / right - 1) <= tolerance;
}

/* ---- the published experiments */

/* Printed errors are those of the printed numbers, to half a unit of their last digit. */
#define HALF_UNIT (0.005 * (1 + 1e-9))

static size_t wrong_error(double computed, const ic_ball_quantity *q)
{
    return fabs(100 * fabs(computed / q->measured - 1) - q->error) > HALF_UNIT;
}

IC_TEST(test_experiments)
{
    ic_ball_experiments x;
    ic_error error;
    size_t wrong = 0;
    CU_ASSERT_FATAL(ic_ball_experiments_read(&x, &error));
    for (int s = 0; s < IC_BALL_SPECIMENS; s++) {
        for (int k = 0; k < IC_BALL_SPEEDS; k++) {
            const ic_ball_experiment *e = &x.of[s][k];
            IC_OWN(ic_ball) ball;
            wrong +=
                wrong_error(e->v_after / e->v0, &e->restitution) + wrong_error(e->force.printed, &e->force);
            CU_ASSERT(fabs(e->v_after / e->v0 - e->restitution.printed) <= HALF_UNIT / 100);
            CU_ASSERT_FATAL(ic_ball_open(&ball, e->preset, &error));
            CU_ASSERT_EQUAL(ball.v0, e->v0);
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
    /* planted: the restitution rounded to four digits on the way, and another speed's */
    CU_ASSERT_EQUAL(wrong_error(x.of[0][3].restitution.printed, &x.of[0][3].restitution), 1);
    CU_ASSERT_EQUAL(wrong_error(x.of[0][3].restitution.printed, &x.of[0][4].restitution), 1);
    CU_ASSERT_EQUAL(x.of[1][5].force.measured, 4364.6);
}

IC_TEST(test_experiments_refused)
{
    static const struct {
        const char *from, *to, *says;
    } planted[] = {
        {"663.0", "none", "'none' is not a positive number"},
        {"0.9735", "-0.9735", "not a positive number"},
        {"C1;0.1500", "C2;0.1500", "expected specimen 'C1'"},
        {"C1;0.2060", "C1;0.0206", "speeds must rise"},
        {"C2;0.5000", "#", "instead of 12"},
        {"v_after", "v_before", "v_before"},
    };
    const ic_embedded *file = ic_embedded_find("published/ball-experiments.csv");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    for (size_t i = 0; file != NULL && i < IC_COUNT(planted); i++) {
        ic_ball_experiments x;
        ic_error error = {""};
        IC_OWN(char) *changed = malloc(file->length + strlen(planted[i].to) + 1);
        const char *at = strstr(file->text, "\nspecimen;");
        at = at != NULL ? strstr(at, planted[i].from) : NULL;
        CU_ASSERT_FATAL(changed != NULL && at != NULL);
        sprintf(changed, "%.*s%s%s", (int)(at - file->text), file->text, planted[i].to,
                at + strlen(planted[i].from));
        CU_ASSERT_FALSE(ic_ball_experiments_parse(&x, changed, &error));
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, planted[i].says));
    }
}

/* ---- the ball */

IC_TEST(test_ball_refused)
{
    IC_OWN(ic_ball) ball;
    ic_error error;
    ic_impact_outcome outcome;
    CU_ASSERT_FALSE(ic_ball_open(&ball, IC_PATH("roller/I/%s", "A"), &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "no preset of the case 'ball'"));
    CU_ASSERT_FALSE(ic_ball_open(&ball, IC_PATH("ball/C1/0.5000[v0=%0200d]", 1), &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "longer"));
    CU_ASSERT_FALSE(ic_ball_impact_of(&outcome, IC_PATH("ball/hertz[m=%d]", -1), &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "'m'"));
    CU_ASSERT_FATAL(ic_ball_open(&ball, "ball/lee-wang-2", &error));
    ball.setup.problem.t_end = 1e-5;
    CU_ASSERT_FALSE(ic_ball_impact(&outcome, &ball, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "not over"));
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

IC_TEST(test_impact_speed)
{
    int measured = 0;
    IC_OWN(ic_study_data) data = open_study("impact-speed");
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

/* The nearest of 201 samples is within T/400 of the peak, where F'' is some -6 F/(T/2)^2: 1 -
   F/F_max < 3 (2/400)^2 = 8e-5. */
#define BETWEEN_SAMPLES 1e-4

IC_TEST(test_force_histories)
{
    IC_OWN(ic_study_data) data = open_study("force-histories");
    CU_ASSERT_EQUAL(ic_study_rows(&data), 2412);
    for (size_t i = 0; i < IC_COUNT(known); i++) {
        double peak = 0, last = 0;
        sampled(&data, &known[i], &peak, &last);
        CU_ASSERT(near(last, known[i].duration, SOLVED));
        CU_ASSERT_FALSE(near(last * (1 + PLANTED), known[i].duration, SOLVED));
        CU_ASSERT(near(peak, known[i].force, BETWEEN_SAMPLES) && peak <= known[i].force * (1 + SOLVED));
        CU_ASSERT_FALSE(
            /* the other specimen's */
            near(peak, known[(i + 2) % IC_COUNT(known)].force, BETWEEN_SAMPLES));
    }
}

/* ---- law-restitution: e_out solves a (1 + e) = ln((1 + a)/(1 - a e)), unless the law is linear */

#define LAW_TOLERANCE 1e-12

IC_TEST(test_law_equation)
{
    IC_OWN(ic_study_data) data = open_study("law-restitution");
    CU_ASSERT(ic_study_rows(&data) >= 1500);
    for (size_t i = 0; i < ic_study_rows(&data); i++) {
        const double a = number(&data, i, "a"), e = number(&data, i, "e_out");
        if (strncmp(text(&data, i, "law"), "kelvin-voigt", 12) == 0) continue;
        if (a < 0.1 || a > 20) continue; /* where the equation is well-conditioned */
        const double residual = a * (1 + e) - log1p(a) + log1p(-a * e),
                     moved = a * (1.01 + e) - log1p(a) + log1p(-a * e - 0.01 * a);
        CU_ASSERT(fabs(residual) <= LAW_TOLERANCE * exp(a));
        CU_ASSERT_FALSE(fabs(moved) <= LAW_TOLERANCE * exp(a) && a < 10); /* planted */
    }
}

IC_TEST(test_law_restitution)
{
    static const struct {
        const char *law, *curve;
        double e_in, e_out;
    } out[] = {
        {"kelvin-voigt", "kelvin-voigt", 0.5, 0.5},
        {"gonthier-exact", "kelvin-voigt", 0.1, 0.1},
        {"kelvin-voigt-C", "kelvin-voigt-C", 0.5, 0.550283169627115743},
        {"kelvin-voigt-D", "kelvin-voigt-C", 0.1, 0.252729379587688917},
        {"hunt-crossley", "hunt-crossley", 0.5, 0.662962200001545988},
        {"bai-zhao", "zhiying-qishao", 0.1, 0.217469340613764635},
        {"flores", "flores", 0.1, 0.0694442251515404},
        {"gonthier", "gonthier", 0.5, 0.487741256015348525},
    };
    IC_OWN(ic_study_data) data = open_study("law-restitution");
    for (size_t i = 0; i < IC_COUNT(out); i++) {
        const size_t row = row_where(&data, "law", out[i].law, "e_in", out[i].e_in);
        const double e = number(&data, row, "e_out");
        CU_ASSERT(near(e, out[i].e_out, CLOSED));
        CU_ASSERT_FALSE(near(e * (1 + PLANTED), out[i].e_out, CLOSED));
        CU_ASSERT_STRING_EQUAL(text(&data, row, "curve"), out[i].curve);
        CU_ASSERT_DOUBLE_EQUAL(number(&data, row, "error"), out[i].e_out - out[i].e_in, CLOSED);
    }
}

/* ---- law-failures */

static const struct flaw {
    const char *law, *column;
    double value;
} flaws[] = {
    /* zeta = 0.2154537619662468: F/(sqrt(k m) v0) begins at 2 zeta, is at most 0.8164119273127, and
       ends at -2 zeta e */
    {"kelvin-voigt", "onset", 0.52780650247338591},
    {"kelvin-voigt", "end_force", -0.5 * 0.52780650247338591},
    {"kelvin-voigt", "pulls_below", 1},
    {"kelvin-voigt-B", "created", 0.185681294181632512}, /* 4 zeta^2 */
    {"kelvin-voigt-C", "onset", 0.52780650247338591},
    {"hunt-crossley", "pull_speed", 4.0 / 3}, /* 1/a */
    {"flores", "pull_speed", 5.0 / 8},
    {"gonthier-exact", "pull_speed", 0.69795821169001203},
};

/* Limits are taken 1e-6 from their ends: the next order leaves a few times that. */
#define LIMIT 1e-5

static const struct flaw limits[] = {
    {"gonthier", "slope", 4.0 / 3},
    {"flores", "slope", 16.0 / 15},
    {"lee-wang", "slope", 0.5},
    {"kelvin-voigt-C", "slope", 1},
    {"hu-guo", "a_e", 1.5},
    {"flores", "a_e", 1.6},
    {"gonthier", "a_e", 1},
    {"hunt-crossley", "least", 0.487741256015348526},
    {"lee-wang", "least", 0.66296220000154599},
    {"improved", "least", 0.178728668928989218},
};

static size_t row_of_law(const ic_study_data *data, const char *law)
{
    for (size_t i = 0; i < ic_study_rows(data); i++) {
        if (strcmp(text(data, i, "law"), law) == 0) return i;
    }
    CU_FAIL("no such law");
    return 0;
}

static bool has_finding(const ic_study_data *data, const char *part)
{
    bool found = false;
    for (size_t i = 0; i < data->n_findings; i++) found = found || strstr(data->findings[i], part) != NULL;
    return found;
}

IC_TEST(test_law_failures)
{
    IC_OWN(ic_study_data) data = open_study("law-failures");
    CU_ASSERT_EQUAL(ic_study_rows(&data), ic_law_count);
    for (size_t i = 0; i < IC_COUNT(flaws); i++) {
        const double value = number(&data, row_of_law(&data, flaws[i].law), flaws[i].column);
        CU_ASSERT(near(value, flaws[i].value, CLOSED));
        CU_ASSERT_FALSE(near(value * (1 + PLANTED), flaws[i].value, CLOSED));
    }
    for (size_t i = 0; i < IC_COUNT(limits); i++) {
        const double value = number(&data, row_of_law(&data, limits[i].law), limits[i].column);
        CU_ASSERT(near(value, limits[i].value, LIMIT));
        CU_ASSERT_FALSE(near(value * 1.001, limits[i].value, LIMIT)); /* planted */
    }
    /* what a law promises is what the study sees */
    for (size_t l = 0; l < ic_law_count; l++) {
        const size_t row = row_of_law(&data, ic_laws[l]->name);
        const unsigned promises = ic_laws[l]->promises;
        CU_ASSERT_EQUAL(number(&data, row, "pulls_below") > 0, (promises & IC_LAW_NO_TENSION) == 0);
        CU_ASSERT_EQUAL(number(&data, row, "onset") > 0, (promises & IC_LAW_CONTINUOUS_ONSET) == 0);
        CU_ASSERT_EQUAL(number(&data, row, "created") > CLOSED, (promises & IC_LAW_ONLY_LOSES) == 0);
    }
    /* (1/(0.26 K_star))^3 with 1815/3865 and 2050/1720: 549.4125 and 33.60499 m/s */
    CU_ASSERT(has_finding(&data, "C1 from 549.4 m/s") && has_finding(&data, "C2 from 33.6 m/s"));
    CU_ASSERT_FALSE(has_finding(&data, "C1 from 33.6 m/s"));
}

/* ---- law-ranking */

/* At its place an error e0 is flat: golden section finds the place to sqrt(DBL_EPSILON) of the
   curvature's length, some 1e-7 of alpha. */
#define FITTED_PLACE 1e-6
/* ... and the error itself to the square of that, and rounding. */
#define FITTED_ERROR 1e-9

static const struct fitted {
    const char *specimen, *law;
    double alpha, restitution;
} fitted[] = {
    {"C1", "hunt-crossley", 0.0619992988730784, 0.00102770668519543},
    {"C1", "zhiying-qishao", 0.0584651481229011, 0.0011581758162933},
    {"C1", "gonthier-exact", 0.0595318110892755, 0.00110953080930775},
    {"C2", "hunt-crossley", 0.322198114242466, 0.035985631386923},
    {"C2", "improved", 0.253020428188703, 0.0291680203944668},
    {"C2", "kelvin-voigt", 0.267664190370057, 0.0302180562390079},
};

static size_t row_of_fit(const ic_study_data *data, const char *specimen, const char *law)
{
    for (size_t i = 0; i < ic_study_rows(data); i++) {
        if (strcmp(text(data, i, "specimen"), specimen) == 0 && strcmp(text(data, i, "law"), law) == 0 &&
            strcmp(text(data, i, "fitted"), "as published") != 0)
            return i;
    }
    CU_FAIL("no such row");
    return 0;
}

IC_TEST(test_law_ranking_fits)
{
    IC_OWN(ic_study_data) data = open_study("law-ranking");
    for (size_t i = 0; i < IC_COUNT(fitted); i++) {
        const size_t row = row_of_fit(&data, fitted[i].specimen, fitted[i].law);
        const double alpha = number(&data, row, "alpha"), e = number(&data, row, "restitution_error");
        CU_ASSERT(near(alpha, fitted[i].alpha, FITTED_PLACE) && near(e, fitted[i].restitution, FITTED_ERROR));
        CU_ASSERT_FALSE(near(alpha * 1.00001, fitted[i].alpha, FITTED_PLACE)); /* planted */
        CU_ASSERT_FALSE(near(e * (1 + PLANTED), fitted[i].restitution, FITTED_ERROR));
    }
    /* one c_r for all speeds: sum(1/e)/sum(1/e^2), the same error for every law; and what nothing
       is fitted to */
    size_t row = row_of_fit(&data, "C1", "gonthier-exact");
    CU_ASSERT(near(number(&data, row, "one_c_r"), 0.962441464017707695, FITTED_PLACE));
    row = row_of_fit(&data, "C2", "lee-wang");
    CU_ASSERT(near(number(&data, row, "one_restitution_error"), 0.0666204477715852237, FITTED_ERROR));
    row = row_of_fit(&data, "C1", "hertz");
    CU_ASSERT(near(number(&data, row, "restitution_error"), 0.0396293882780957, CLOSED));
    CU_ASSERT(near(number(&data, row, "force_error"), 0.106604500490218, CLOSED));
    /* that of C2 */
    CU_ASSERT_FALSE(near(number(&data, row, "force_error"), 0.156037824695587, CLOSED));
}

IC_TEST(test_law_ranking)
{
    int published = 0;
    IC_OWN(ic_study_data) data = open_study("law-ranking");
    for (size_t i = 0; i < ic_study_rows(&data); i++) {
        const bool first = number(&data, i, "rank") == 1, linear = !isnan(number(&data, i, "k"));
        CU_ASSERT(linear == (strncmp(text(&data, i, "law"), "kelvin-voigt", 12) == 0));
        CU_ASSERT(number(&data, i, "restitution_error") < 0.25 && number(&data, i, "force_error") < 0.2);
        published += strcmp(text(&data, i, "fitted"), "as published") == 0;
        if (first) continue;
        CU_ASSERT(number(&data, i, "rank") >= number(&data, i - 1, "rank"));
        CU_ASSERT(number(&data, i, "restitution_error") >=
                  number(&data, i - 1, "restitution_error") * (1 - FITTED_ERROR));
    }
    CU_ASSERT_EQUAL(published, IC_BALL_SPECIMENS);
    /* Lee and Wang's factor is half of Hunt and Crossley's: twice the alpha, the same fit, the same
       rank */
    const size_t lee = row_of_fit(&data, "C2", "lee-wang"), hunt = row_of_fit(&data, "C2", "hunt-crossley");
    CU_ASSERT(near(number(&data, lee, "alpha"), 2 * number(&data, hunt, "alpha"), FITTED_PLACE));
    CU_ASSERT_EQUAL(number(&data, lee, "rank"), number(&data, hunt, "rank"));
    CU_ASSERT(has_finding(&data, "C1: as published, improved is worse in the restitution than hertz"));
    CU_ASSERT(has_finding(&data, "C2: as published, improved is better"));
    CU_ASSERT(has_finding(&data, "lee-wang-2 is not ranked: its damping") &&
              !has_finding(&data, "hertz is not ranked"));
}
